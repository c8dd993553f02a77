"""The desktop window: its loop, its frames, and its events.

`FrameRenderer` draws the picture, the interface shows settings and times, and `actions` says what keys and menu do.
"""

import math
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partialmethod
from pathlib import Path
from time import monotonic
from typing import Any

from moderngl_window.context.base import BaseWindow, KeyModifiers, WindowConfig

from ocean.common import resources
from ocean.fft import takes_callbacks
from ocean.gpu.context import DeviceLostError, Fence, gl_function, is_lost, release_all
from ocean.gpu.shaders import ShaderWatch
from ocean.gpu.timing import LIVE, OFTEN, SOON, FrameTimes, PassTimers
from ocean.render.frame import FrameRenderer
from ocean.sea.sea import CHANGE_ERRORS, ChangeError
from ocean.settings import PICTURE, Settings, ViewSettings
from ocean.settings.model import DebugViewSettings
from ocean.window.automatic import SCALES, Automatic
from ocean.window.camera import HELD_KEYS, CameraPath, Steering, placed
from ocean.window.changes import ABComparison, Change, Changes, spell_changes
from ocean.window.libraries import native_of
from ocean.window.pictures import Drawing, Studio, save_maps, save_picture
from ocean.window.ui import dialogs, view_controls
from ocean.window.ui.comparison import BackendComparison
from ocean.window.ui.dialogs import Action, Actions
from ocean.window.ui.export import ExportWindow
from ocean.window.ui.files import scenes
from ocean.window.ui.interface import FIRST_STATE, Interface, InterfaceState, crop_of

LONGEST_STEP = 0.25  # s: longest time step of the sea in a frame
FIRST_STEP = 1 / 60  # s: time of the first frame after a wait
WAIT = 0.25  # s: longest wait for events while nothing changes
QUEUED = 2  # frames that the GPU may still have to draw; a driver's own wait for an older one may never end
SETTLING = 1.0, 32  # s and frames after an event, until tooltips and times of passes are shown
TOUCHED = 0.6, 8  # s and frames after an event, in which each frame rebuilds the interface
RESTED = 4  # frames after which a camera that does not move rests
AGE, AGE_UNDER_MOUSE = 0.1, 1 / 30  # s: ages at which the interface is rebuilt in any case, and while the mouse moves


class Desktop(WindowConfig):
    renderer: FrameRenderer  # made in the first frame

    def __init__(
        self,
        window: BaseWindow,
        settings: Settings,
        make_actions: Callable[["Desktop"], Actions],
        *,
        quit_after: int | None = None,
        screenshot: Path | None = None,
        camera_path: CameraPath | None = None,
        state: InterfaceState = FIRST_STATE,
        keep: Callable[..., object] = lambda *_, **__: None,
    ) -> None:
        """Show a sea in a window.

        Args:
            make_actions: returns the actions of menu and keys.
            quit_after, screenshot: number of frames after which the window closes, and a file for the last one.
            keep: saves the state of the window; takes it with the seconds since the last call, or with `is_over`.
        """
        super().__init__(ctx=window.ctx, wnd=window)
        self.settings = settings  # of the current picture
        self.changes = Changes()
        self.ab = ABComparison()
        self.automatic: Automatic | None = None  # chooses while the quality is automatic
        self.left_scale = 1.0  # scale of the view that automatic left behind, and undoes when it is on again
        self._measured: object = None  # sizes and programs that its frame times belong to
        self._cost: tuple[tuple[int, ...], bool, bool] = (), False, False  # picture's size; whether sea, camera changed
        self._camera = placed(ViewSettings(), settings.view)
        self._moved = -RESTED  # frame in which the camera moved last
        self.paused = False
        self.time = 0.0
        self.frames = 0
        self.failure: dialogs.Failure | None = None
        self.steering = Steering()
        self.camera_path = camera_path or CameraPath()
        self.watch = ShaderWatch(self.ctx)
        self.studio = Studio(lambda *what, **how: self.interface.say(*what, **how))
        self.comparing = BackendComparison(lambda *what, **how: self.interface.say(*what, **how))
        self.exporting = ExportWindow(lambda *what, **how: self.interface.say(*what, **how))
        self.drawing = Drawing(self.ctx)
        self.actions = make_actions(self)
        self.questions: list[dialogs.Question] = []  # asked one after another
        self.quit_after, self.keep, self.screenshot = quit_after, keep, screenshot
        self.native = native_of(window)
        self.native.connect(self.quit, self.wake)
        self._presets = scenes({name: resources.config(name) for name in resources.presets()})
        self._make_interface(state)
        self._fuses = lru_cache(maxsize=1)(takes_callbacks)  # whether a backend loads the spectrum and stores the maps
        self._queued: deque[Fence] = deque()  # ends of the last frames
        self._down: Action | None = None  # acts again when its key is released
        self._since_event = self._since_change = 0.0, 0  # s and frames; moves of the mouse are events, but no changes
        self._drags_view = False  # whether the mouse went down over the view
        self._answers = True  # False: the mouse is over the sea, where its moves do not change the interface
        self._is_announced = False  # True: the last frame announced that the waiting changes take long
        self.has_picture = False  # before the first one, the sea has no maps
        self._has_begun = self._rests = self._is_minimised = self._wants_quit = self.is_released = False
        # The window was made before these settings were known.
        if (size := (settings.window.width, settings.window.height)) != window.size:
            window.size = size
        if settings.window.vsync != window.vsync:
            window.vsync = settings.window.vsync

    def _make_interface(self, state: InterfaceState) -> None:
        self.timers = PassTimers(self.ctx, every=LIVE)
        self.interface = Interface(self.native, self.timers.clock, self._presets, self.actions, state)
        self.interface.questions, self.interface.exporting = self.questions, self.exporting
        self._shown: object = None  # see `_draw_interface`
        self._age = 0.0  # s since the interface was rebuilt

    # -- Settings ------------------------------------------------------------------------------------------------------

    @property
    def newest(self) -> Settings:
        """The settings of the next picture, with all queued changes."""
        return self.changes.newest(self.settings)

    def put(self, change: Change | None) -> None:
        if change is not None:
            self.changes.queue.append(change)

    def change(self, group: str, **values: object) -> None:
        """Change fields in a group of the settings, from the next picture on."""
        settings = self.newest
        self.put(Change(settings.model_copy(update={group: getattr(settings, group).model_copy(update=values)})))

    def look(self, at: ViewSettings | DebugViewSettings) -> None:
        """Change the camera or the part of a debug view at once, without an undo step."""
        name = "view" if isinstance(at, ViewSettings) else "stage"
        if at is not getattr(self.settings, name):
            self.settings = self.settings.model_copy(update={name: at})

    # -- Frames --------------------------------------------------------------------------------------------------------

    def loop(self) -> None:
        before = began = monotonic()  # moderngl-window's timer follows the system clock, which may be set back
        while not self.wnd.is_closing:
            now = monotonic()
            self.wnd.use()
            self.on_render(now - began, now - before)
            before = now
            if not self.wnd.is_closing:
                self.show_frame()
        self.wnd.destroy()

    def show_frame(self) -> None:
        """Show the frame and handle events, or wait for one if nothing changes. Show errors of event handlers."""
        try:
            if self._rests:
                self.native.wait(WAIT)
            else:
                self._queued.append(Fence(self.ctx))
                if len(self._queued) > QUEUED:
                    self._queued.popleft().wait()
                self.wnd.swap_buffers()
                self.native.handle_events()
        except Exception as error:
            self.fail(error)

    def on_render(self, time: float, frame_time: float) -> None:
        """Draw a frame, `frame_time` seconds after the last frame, unless it would equal that frame."""
        if self.is_released:
            return
        if not self._has_begun:
            self._begin()
        else:
            self.frames += 1
            rested, self._rests = self._rests, self._may_rest()
            elapsed = max(0.0, min(frame_time, FIRST_STEP) if rested else frame_time)
            if self.failure and not self._rests:
                self._show_failure(self.failure, elapsed)
            elif not self._rests:
                try:
                    self._frame(elapsed)
                except Exception as error:
                    self.fail(error)
            self.keep(self, max(0.0, frame_time))
        if self._wants_quit or (self.quit_after is not None and self.frames >= self.quit_after):
            try:
                self.release()
            finally:
                self.wnd.close()

    def wake(self, is_move: bool = False) -> None:
        """Draw the next frames, which an event may change; a move of the mouse changes only the windows under it."""
        self._since_event = 0.0, 0
        self._since_change = self._since_change if is_move else (0.0, 0)

    def _may_rest(self) -> bool:
        """Return whether the next frame would equal the one in the window."""
        if self._is_minimised or min(self.wnd.buffer_size) == 0:
            return True
        seconds, frames = self._since_event
        if self.failure or seconds < SETTLING[0] or frames < SETTLING[1]:
            return False
        runs = not self.paused and self.settings.window.time_scale > 0
        is_drawn = self.changes.queue or self.drawing.is_on or not self.renderer.repeats(self.time)
        is_busy = self.comparing.is_busy or self._saves or self.ab.wants_snapshot or self.camera_path.is_active
        return not (runs or is_drawn or is_busy or self._held or self.interface.is_animated or self._poll_shaders())

    @property
    def _saves(self) -> bool:
        """Whether full-size pictures that depend on their frame alone are being saved: the studio's or the last one."""
        is_last = self.quit_after is not None and self.frames >= self.quit_after - 1
        return self.studio.is_busy or (is_last and self.screenshot is not None)

    def _poll_shaders(self) -> bool:
        """Use changed shaders; return whether there are any."""
        notice = self.watch.notice
        if self.watch.poll():
            self.drawing.compiled.clear()  # many drivers compile at the first use
        if changed := bool(notice or self.watch.notice):
            self.wake()
        return changed

    def _begin(self) -> None:
        """Show a banner, then compile the shaders and make the waves."""
        self.native.show()
        self.show_frame()  # the window learns its size, on which the layout depends
        if self.is_released:
            return
        self.interface.draw_banner("compiling shaders, making waves …", self.settings.window.scale)
        self.show_frame()
        if self.is_released or self._wants_quit:
            return
        self.renderer = FrameRenderer(self.ctx, self.settings, self.interface.view_pixels)
        self._has_begun = True
        self.drawing.begin(self.renderer.steps(self.time), self.time, self.renderer.programs)
        while not self._draw_picture():
            self.interface.draw_banner(self.drawing.notice, self.settings.window.scale)
            self.show_frame()
            if self.drawing.is_catching_up or self.is_released or self._wants_quit:
                return

    def _frame(self, elapsed: float) -> None:
        is_outdated = self.changes.queue or self.renderer.sea.is_busy or self.time != self.drawing.time
        # Movies take each picture that was begun.
        if is_given_up := self.drawing.is_catching_up and bool(is_outdated) and not self.studio.movie:
            self.drawing.give_up()
        if not self.drawing.is_on:
            self._begin_picture(elapsed, is_given_up)
        is_whole = self._draw_picture()
        # A picture that was begun before it was wanted may not be saved.
        is_full = is_whole and self.renderer.factor == 1 and not self.renderer.backdrop.keeps_clouds
        if is_whole:
            gl_function(self.ctx, "glFlush", None)()  # the GPU draws while the CPU makes the interface
            picture = self.renderer.picture
            if self.ab.wants_snapshot and not self.renderer.sea.is_busy:
                self.ab.take_snapshot(self.ctx, picture, self.time)
            if is_full:
                self.studio.save("picture", lambda path: save_picture(path, picture, self.settings))
                self.studio.film(picture)
            sea = self.renderer.sea
            if is_full and not (sea.is_busy or sea.is_blending):  # the sea of the settings, which these files name
                drawn = self.renderer.settings
                self.studio.save("radiance", lambda path: save_picture(path, self.renderer.radiance, drawn))
                self.studio.save("maps", lambda path: save_maps(path, sea.fields(), drawn, self.drawing.time))
            self.timers.start()
        self._draw_interface(elapsed)
        if is_whole:
            self.timers.lap("interface")
            self.timers.end()
        if is_full:
            self.studio.save("window", lambda path: save_picture(path, self.interface.canvas, self.settings))
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        arrived = self.timers.collect()
        self.interface.overlay.history.add(elapsed, arrived, self.timers.passes, is_whole)
        if arrived and self.ab.other is not None:
            self.note_time()
        self._hold_rate(elapsed, arrived)
        self._since_event, self._since_change = (
            (seconds + elapsed, frames + 1) for seconds, frames in (self._since_event, self._since_change)
        )

    def note_time(self) -> None:
        """Note the time of a frame, as the table has it, for the present side of A and B."""
        history = self.interface.overlay.history
        if history.count and not (history.is_frozen or history.waits):
            self.ab.note(history.summary()[-1].median_ms)

    def _begin_picture(self, elapsed: float, is_again: bool) -> None:
        """Take waiting changes, move camera and sea, and begin to draw a picture. If `is_again`, the picture keeps the
        time of the abandoned one. A picture that would equal the last one is not begun."""
        movie = self.studio.movie
        step = 1 / movie.fps if movie else min(elapsed, LONGEST_STEP)
        renderer, marked = self.renderer, dict[str, tuple[str, str]]()
        if is_new := bool(self.changes.queue) and (self._is_announced or not self._must_compile):
            marked = self._take_changes(at_once=is_again)
        self._poll_shaders()
        measures = self.comparing.is_busy and not movie  # alone on the GPU, so the sea stands still
        if measures:
            self.comparing.step(renderer.sea, self.interface.panel.options, self.studio.unused("bench"))
        pressed, keys = self.wnd.is_key_pressed, self.wnd.keys
        is_fast = pressed(keys.LEFT_SHIFT) or pressed(keys.RIGHT_SHIFT)
        self.look(self.steering.move(self.settings.view, self._held, is_fast, step))
        self.look(self.camera_path.step(self.settings.view, step))
        self.time += 0.0 if self.paused or is_again or measures else step * self.settings.window.time_scale
        renderer.apply(self.settings)
        factor = self.automatic.factor(self.settings) if self.automatic and not self._saves else 1.0
        renderer.resize(movie.size if movie else self.interface.view_pixels, factor)
        renderer.measure("validation" in self.interface.opened and self.settings.window.panel and not measures)
        renderer.debug.counts_values = self.interface.panel.values.is_open and self.settings.window.panel
        renderer.debug.pointer = view_controls.pointer(renderer.size, self.interface.layout.view)
        is_timed = self.settings.window.panel or self.settings.window.automatic
        history = self.interface.overlay.history
        is_wanted = is_new or is_again or self._saves or self.ab.wants_snapshot
        if is_timed and not measures and history.cause and history.count == 0:  # a change in a pause has no times yet
            is_wanted = is_wanted or self.frames < history.since + SOON
        if renderer.repeats(self.time) and not is_wanted:
            return
        if marked:
            history.mark(self.frames, marked, waits=renderer.sea.is_busy)
        self._restart_times()
        often = OFTEN if self.settings.window.automatic else LIVE
        self.timers.every = 1 if history.count < SOON else often
        if is_timed:
            self.timers.begin(self.frames, self.time)
        renderer.backdrop.keeps_clouds = not self._saves
        steps = renderer.steps(self.time, step, self.timers if is_timed else None)
        self.drawing.begin(steps, self.time, renderer.programs)

    def _restart_times(self) -> None:
        """Restart the times of passes when the picture's size changes, the camera moves or rests, or a blend ends."""
        renderer, history = self.renderer, self.interface.overlay.history
        before, (size, did_change, did_move) = self._camera, self._cost
        self._camera = placed(ViewSettings(), self.settings.view)
        self._moved = self.frames if self._camera != before else self._moved
        drawn = tuple(round(side * renderer.factor) for side in renderer.size)
        changes, moves = renderer.sea.is_blending or renderer.sea.is_busy, self.frames - self._moved < RESTED
        self._cost = drawn, changes, moves
        if drawn != size and size:
            history.restart(self.frames, "picture", "{} × {}".format(*drawn))
            self.ab.note(math.nan, both=True)
        elif did_change and not changes:
            history.restart(self.frames)
        elif moves != did_move and not changes:
            history.restart(self.frames, *(("camera", "moved") if moves else ()))

    @property
    def _must_compile(self) -> bool:
        """Whether the newest settings need shaders that no frame has run, so that the next frame takes long."""
        return bool(self.changes.queue) and self.renderer.programs_key(self.newest) not in self.drawing.compiled

    def _take_changes(self, at_once: bool) -> dict[str, tuple[str, str]]:
        """Hand the waiting changes to the renderer, and return them spelled by key path; on an error keep the old
        settings and show the reason. Another sea blends in, or replaces one without a picture `at_once`."""
        changes, before, self.changes.queue = self.changes.queue, self.settings, []
        wanted, origins = changes[-1].settings, {change.origin for change in changes}
        try:
            now = "swap" in origins or at_once
            self.renderer.apply(wanted, 0.0 if now else wanted.window.blend, background=True)
        except CHANGE_ERRORS as error:
            files = self.interface.files
            files.source = next((change.sources[0] for change in changes if change.sources), files.source)
            self._refuse(error, wanted, is_automatic="automatic" in origins)
            return {}
        if wanted.window.vsync != before.window.vsync:
            self.wnd.vsync = wanted.window.vsync
        self.changes.note(before, changes, self.ab.shows_a)
        if origins != {"swap"}:
            self.ab.note(math.nan)
        is_personal = bool(origins - {"swap", "automatic"}) and not self.ab.shows_a
        if self.automatic and is_personal and self.automatic.follow(before, wanted):
            self.automatic.rest(self.frames)
        self.settings, self._camera = wanted, placed(ViewSettings(), wanted.view)
        return spell_changes(before, wanted)

    def _refuse(self, error: Exception, failed: Settings, is_automatic: bool = True) -> None:
        """Show why settings can't be used. Quality *automatic* reverts a level that it may have chosen."""
        self.interface.say(str(error) or type(error).__name__, is_error=True)
        if self.automatic and is_automatic:
            level = self.automatic.choice.level
            self.automatic.take_back(failed, self.settings)
            self.ab.other = self.ab.other and self.automatic.applied(self.ab.other, level)

    def _hold_rate(self, elapsed: float, arrived: list[FrameTimes]) -> None:
        """If quality *automatic* is on, let it choose by the frame times of the running sea."""
        settings, renderer = self.settings, self.renderer
        if not settings.window.automatic:
            self.automatic = None
            return
        rate = self.native.refresh_rate  # of the display that shows the window now
        automatic = self.automatic = self.automatic or Automatic(settings, rate)
        automatic.budget = 1e3 / rate
        before, self._measured = self._measured, (renderer.size, renderer.factor, renderer.programs)
        rests = self.paused or settings.window.time_scale == 0 or settings.stage.view != PICTURE or self.ab.shows_a
        is_busy = self.changes.queue or self.studio.is_busy or self.comparing.is_busy or self.drawing.is_catching_up
        if rests or is_busy or before != self._measured or renderer.sea.is_blending or renderer.sea.is_busy:
            automatic.rest(self.frames)
            return
        level, times = automatic.choice.level, [(one.index, one.gpu_ms) for one in arrived]
        if automatic.step(elapsed, times, SCALES if settings.view.scale == 1 else (1.0,)):
            automatic.rest(self.frames)
            if not (self.interface.said and self.interface.is_error):
                self.interface.say(automatic.reason)
            if automatic.choice.level != level:
                self.put(Change(automatic.applied(self.newest, level), "automatic"))
                self.ab.other = self.ab.other and automatic.applied(self.ab.other, level)

    @property
    def _held(self) -> set[str]:
        """The held keys that move the camera, which some window libraries don't repeat."""
        if self.interface.input.wants_keyboard or self.wnd.modifiers.ctrl:
            return set()
        return {name for name in HELD_KEYS if self.wnd.is_key_pressed(getattr(self.wnd.keys, name))}

    def _draw_picture(self) -> bool:
        if self.drawing.is_interrupted:  # leaves the interface out of the passes' times
            self.timers.start()
        try:
            is_whole = self.drawing.go_on()
            self.has_picture = self.has_picture or is_whole
            return is_whole
        except ChangeError as error:
            failed, self.settings = self.settings, self.renderer.settings
            self._refuse(error, failed)
            return False

    def _draw_interface(self, elapsed: float) -> None:
        """Draw the interface. Rebuild it if an event or a changed value needs that, or if it is `AGE` seconds old."""
        interface, renderer, settings = self.interface, self.renderer, self.settings
        snapshot = self.ab.snapshot if self.ab.is_split and not self.ab.shows_a else None
        reading = renderer.debug.reading(settings)
        shown = (
            *(self.newest, self.paused, self._notice(), interface.said, self.watch.error, reading, snapshot),
            *(renderer.colours, self.wnd.size, self.wnd.buffer_size, self.native.display_scale),
        )
        if shown != self._shown:
            self._shown = shown
            self.wake()
        self._age += elapsed
        is_touched, is_changed = (
            seconds < TOUCHED[0] or frames < TOUCHED[1] for seconds, frames in (self._since_event, self._since_change)
        )
        if self.wnd.title != (title := interface.files.title(self.newest)):
            self.wnd.title = title
        self._is_announced = bool(self.changes.queue)
        age = 0.0 if is_changed else AGE_UNDER_MOUSE if is_touched else AGE
        if self._age + elapsed / 2 < age:
            interface.draw_again()
            return
        if is_changed:
            interface.renderer.refresh()
        interface.begin(self._age, settings.window.scale)
        self._age = 0.0
        self.actions.asked.clear()  # of a frame that failed
        interface.panel.quality = str(self.automatic or "")
        if settings.stage.view != PICTURE:
            values = interface.panel.values
            values.counts, values.ends = renderer.debug.histogram, renderer.debug.range(renderer.scene)
        if settings.window.panel:
            chosen, parts = renderer.sea.fft, (self.comparing, self.studio.folder, renderer.gauge, self.paused)
            fuses = self._fuses(chosen.backend, renderer.sea.storage, chosen.options)
            self.changes.queue += interface.draw_windows(self.newest, *parts, fuses)
        else:
            interface.layout.fill()
        interface.draw_notes(self.studio, reading, self.watch.error, has_legend=settings.stage.view != PICTURE)
        self._is_announced = bool(self.changes.queue)
        if snapshot is not None:
            interface.draw_split(self.ab.time, 1 / crop_of(snapshot, renderer.colours)[1], self.ab.frame_times)
        interface.end(renderer.colours, self._notice(), snapshot)
        if not interface.is_held:
            self.changes.end_drag()
        for run in self.actions.asked:
            run()
        self.put(interface.files.read_waiting(self.newest))

    def _notice(self) -> str:
        if notice := self.drawing.notice or self.interface.files.status or self.watch.notice:
            return notice
        if self.comparing.is_next or self._must_compile:
            return "compiling …"
        if self.renderer.sea.is_busy:
            share = self.renderer.sea.solved.share_prepared
            return f"making waves, {100 * share:.0f} % …" if share else "making waves …"
        if self.ab.shows_a:
            a, b = self.ab.frame_times
            return f"A: {a} a frame, B: {b}" if a and b else "A"
        if self.comparing.is_busy and not self.studio.movie:
            return "the sea waits while backends are measured"
        return self.camera_path.status or ("paused" if self.paused else "")

    # -- Events --------------------------------------------------------------------------------------------------------

    def on_key_event(self, key: Any, action: Any, modifiers: KeyModifiers) -> None:
        self.wake()
        keys = self.wnd.keys
        if action not in (keys.ACTION_PRESS, keys.ACTION_RELEASE):
            return  # ImGui repeats keys itself
        is_press = action == keys.ACTION_PRESS
        wants, navigates = self.interface.input.wants_keyboard, self.interface.input.navigates(key)
        if key != keys.TAB or wants or navigates or not is_press:  # Tab of the view would also begin to navigate
            self.interface.input.key(key, is_press, modifiers)
        if wants and is_press:
            if key == keys.ESCAPE:
                self.interface.close_popups()
        elif is_press and not modifiers.ctrl and navigates:
            if key == keys.ESCAPE:
                self.interface.close_one()
        elif not is_press and self._down and is_hit(self.wnd.keys, self._down, key):
            entry, self._down = self._down, None
            entry.run()
        else:
            on = ("press", "both") if is_press else ("release",)
            # Entries with Shift come later, and also match the key without it.
            hits = (one for one in reversed(self.actions.menu) if one.on in on and is_hit(keys, one, key, modifiers))
            if (hit := next(hits, None)) is None:
                return
            if reason := hit.obstacle():
                self.interface.say(reason)
                return
            self._down = hit if hit.on == "both" else self._down
            hit.run()

    def on_unicode_char_entered(self, char: str) -> None:
        self.wake()
        self.interface.input.text(char)

    def on_mouse_position_event(self, x: int, y: int, dx: int, dy: int) -> None:
        answered, self._answers = self._answers, self.interface.answers(x, y)
        if answered or self._answers or self.settings.stage.view != PICTURE:
            self.wake(is_move=True)
        self.interface.input.mouse(x, y)

    def on_mouse_drag_event(self, x: int, y: int, dx: int, dy: int) -> None:
        self.wake()
        self.interface.input.mouse(x, y)
        if self.interface.input.wants_mouse or not self._drags_view:
            return
        stage, debug = self.settings.stage, self.renderer.debug
        if view_controls.shows_map(stage):
            across = 1 / (debug.square(self.renderer.scene).side * stage.zoom)
            scale = self.renderer.size[0] / max(self.interface.layout.view.width, 1.0)
            self.look(view_controls.centred(stage, stage.x - dx * scale * across, stage.z - dy * scale * across))
        else:
            self.look(self.steering.drag(self.settings.view, dx, dy, self.wnd.height))

    def _on_button(self, x: int, y: int, button: int, is_down: bool) -> None:
        self.wake()
        self.interface.input.mouse(x, y)
        self._drags_view = is_down and self._has_begun and self.interface.is_over_view
        self.interface.input.button(button, is_down, self.wnd.modifiers)

    on_mouse_press_event = partialmethod(_on_button, is_down=True)
    on_mouse_release_event = partialmethod(_on_button, is_down=False)

    def on_mouse_scroll_event(self, x_offset: float, y_offset: float) -> None:
        self.wake()
        self.interface.input.wheel(x_offset, y_offset)
        if not (self._has_begun and self.interface.is_over_view):
            return
        stage, at = self.settings.stage, view_controls.pointer(self.renderer.size, self.interface.layout.view)
        if at and view_controls.shows_map(stage):
            part = self.renderer.debug.fraction_at(self.renderer.scene, at)
            self.look(view_controls.zoomed(stage, part, y_offset))
        elif not self.interface.input.wants_mouse:
            self.look(self.steering.wheel(self.settings.view, y_offset))
            if self.settings.view.mode == "fly":
                self.interface.say(f"{self.steering.speed:.3g} m/s")

    def on_files_dropped_event(self, x: int, y: int, paths: list[Any]) -> None:
        """Load a scene, a sky or a spectrum from dropped files, or show why that fails."""
        self.wake()
        if paths:
            self.put(self.interface.files.take(self.newest, list(map(Path, paths))))

    def on_resize(self, width: int, height: int) -> None:
        self.wake()

    def on_iconify(self, iconified: bool) -> None:
        self.wake()
        self._is_minimised = iconified

    # -- Errors --------------------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """Log an error, and show it in the next frame. Recreate the interface and the timers, because the error may
        have come in the middle of a frame. The loss of the GPU ends the program."""
        if isinstance(error, DeviceLostError):
            raise error
        self.failure = dialogs.report_failure(error)
        self.drawing.give_up()
        state = FIRST_STATE
        with suppress(Exception):
            state = self.interface.state
        for part in (self.interface, self.timers):
            with suppress(Exception):
                part.release()
        self._make_interface(state)

    def _show_failure(self, failure: dialogs.Failure, elapsed: float) -> None:
        """Draw the dialog of an error alone; another error in here ends the program with its message."""
        self.interface.begin(elapsed, self.settings.window.scale)
        goes_on, quits = dialogs.failure(failure)
        self.interface.layout.fill()
        self.interface.end(self.renderer.colours)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        if goes_on or quits:
            self.failure = None
            self.wake()
        if quits:
            self.quit_now()

    # -- The end -------------------------------------------------------------------------------------------------------

    def quit(self) -> None:
        """Close the window, and ask before a movie, an export or a file is lost."""
        self.wake()
        if self.failure or not (self.studio.is_busy or self.exporting.is_busy):
            self.quit_now()
        elif "quit" not in self.interface.opened:
            self.interface.toggle("quit")

    def quit_now(self) -> None:
        """Close the window at the end of the frame, because a menu asks while the frame's parts are in use."""
        self._wants_quit = True

    def release(self) -> None:
        """Save a requested last picture, the state and an unfinished movie, and release all GPU objects, once."""
        if self.is_released:
            return
        self.is_released = True
        for name in (name for name in dir(BaseWindow) if name.endswith(("event_func", "entered_func"))):
            setattr(self.wnd, name, lambda *_: None)  # the batch of events that closed the window may hold more
        try:
            if self._has_begun:
                self.keep(self, is_over=not is_lost(self.ctx))
                if self.screenshot and not is_lost(self.ctx):
                    save_picture(self.screenshot, self.interface.canvas, self.settings)
        finally:
            try:
                self.studio.finish()
            finally:
                for part in (self.comparing, self.exporting, self.ab, self.watch):
                    part.release()
                release_all(self.renderer if self._has_begun else None, self.interface, self.timers, *self._queued)

    on_close = release


def is_hit(keys: Any, action: Action, key: Any, modifiers: KeyModifiers | None = None) -> bool:
    """Return whether a key belongs to an action under these modifiers; None ignores modifiers. Shift makes the camera
    faster, so it may be held beside any key without Ctrl."""
    for name in action.keys:
        *held, plain = name.split("+")
        if key != getattr(keys, plain):
            continue
        if modifiers is None:
            return True
        wants, shift = "SHIFT" in held, bool(modifiers.shift)
        is_shifted = wants == shift if modifiers.ctrl else wants <= shift
        if ("CTRL" in held) == bool(modifiers.ctrl) and is_shifted:
            return True
    return False
