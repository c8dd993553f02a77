"""The desktop window: its loop, its events, and the table of all actions with their keys and menus.

Holds the loop's state other than settings: time, camera, compilation, comparison, film. `FrameRenderer` draws the
picture, and the interface shows settings and times.
"""

import math
import time as clock
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from moderngl_window.context.base import BaseWindow, KeyModifiers, WindowConfig

from ocean.common import resources
from ocean.fft import takes_callbacks
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import gl_function, release_all, release_made
from ocean.gpu.passes import Progress
from ocean.gpu.shaders import ShaderWatch
from ocean.gpu.timing import LIVE, PassTimers
from ocean.render.debug_views import DEBUG_VIEWS
from ocean.render.frame import FrameRenderer
from ocean.sea.query import highest_crest
from ocean.sea.sea import CHANGE_ERRORS, ChangeError
from ocean.settings import PICTURE, FFTSettings, Settings, ViewSettings
from ocean.waves.statistics import ROGUE_CREST, predicted_height, predicted_polar_moments
from ocean.window import session
from ocean.window.camera import HELD_KEYS, Bookmark, Journey, Steering, before_crest
from ocean.window.changes import Kept, Undo, spell_change, spell_changes
from ocean.window.comparing import Comparing
from ocean.window.libraries import answer_selections, ask_before_closing
from ocean.window.pictures import Drawing, Studio, save_picture
from ocean.window.session import LastState
from ocean.window.ui import dialogs, view_controls
from ocean.window.ui.files import PANORAMAS, Verb, preset, scenes
from ocean.window.ui.interface import Interface, ProgramState, shares_shown
from ocean.window.ui.keys import Action, Actions

LONGEST_STEP = 0.25  # s: most time that the sea moves in a frame
HIDDEN_RATE = 30.0  # frames per second of a hidden window
DIVE = 3.0  # m under mean water
NUDGE = 0.5  # s of flight for a click on a movement in the menu
BOOKMARKS = 4
CREST = "highest crest"  # name of its bookmark
HANDLERS = (
    *("key_event_func", "unicode_char_entered_func", "mouse_position_event_func", "mouse_drag_event_func"),
    *("mouse_press_event_func", "mouse_release_event_func", "mouse_scroll_event_func", "files_dropped_event_func"),
)
"""Handlers of events in a window of moderngl-window."""


class Desktop(WindowConfig):
    clear_color = None  # type: ignore[assignment]

    def __init__(
        self,
        window: BaseWindow,
        settings: Settings,
        quit_after: int | None = None,
        screenshot: Path | None = None,
        *,
        state: Path | None = None,
        kept: LastState | None = None,
    ) -> None:
        super().__init__(ctx=window.ctx, wnd=window)
        self.settings = settings
        self.wanted: Settings | None = None  # settings of the next frame
        self.paused = False
        self.time = 0.0
        self.frames = 0
        self.failure: dialogs.Failure | None = None
        self.steering = Steering()
        self.journey = kept.journey if kept else Journey()
        self.changes = Undo()
        self.watch = ShaderWatch(self.ctx)
        self.studio = Studio(lambda *what, **how: self.interface.say(*what, **how))
        self.comparing = Comparing(self.ctx, lambda *what, **how: self.interface.say(*what, **how))
        ask_before_closing(window, self.quit)
        self.quit_after, self._screenshot, self.state_file = quit_after, screenshot, state
        self._layout = kept.layout if kept else ""
        self._recent = kept.recent if kept else ()
        self._pinned = kept.pinned if kept else ()
        self.kept = Kept()
        self.is_split = False
        self._is_held_swap = False  # True: a held key shows the other side
        self.drawing = Drawing(self.ctx)
        self._transform: tuple[FFTSettings, FieldStorage[Any]] | None = None  # input of `_fuses`
        self._fuses = False
        self._dropped: list[Path] = []  # files to read
        self._reads_next = False  # True: a frame has shown the message about dropped files
        self._is_travel = False  # True: `wanted` comes from undo or redo
        self._is_swap = False  # True: `wanted` is the other side of A and B
        self._is_dragged = False  # True: a drag on a control made `wanted`
        self._is_announced = False  # True: the last frame announced that `wanted` takes long
        self._is_minimised = self._wants_quit = self._is_released = False
        size = settings.window.width, settings.window.height
        if size != window.size:  # the window was made before these settings were known
            window.size = size
        if settings.window.vsync != window.vsync:
            window.vsync = settings.window.vsync

    # -- Parts, made in the first frame --------------------------------------------------------------------------------

    @cached_property
    def timers(self) -> PassTimers:
        return PassTimers(self.ctx, every=LIVE)

    @cached_property
    def interface(self) -> Interface:
        presets = scenes({name: resources.config(name) for name in resources.presets()})
        return Interface(self.wnd, self.timers.clock, presets, ACTIONS, self._layout, self._recent, self._pinned)

    @cached_property
    def renderer(self) -> FrameRenderer:
        return FrameRenderer(self.ctx, self.settings, self.interface.view_pixels)

    @property
    def _has_begun(self) -> bool:
        return "renderer" in vars(self)

    # -- Frames --------------------------------------------------------------------------------------------------------

    def loop(self) -> None:
        """Draw frames until the window is closed."""
        self.timer.start()
        while not self.wnd.is_closing:
            now, elapsed = self.timer.next_frame()
            if not self.wnd.visible:
                clock.sleep(max(0.0, 1 / HIDDEN_RATE - elapsed))
            self.wnd.use()
            self.on_render(now, elapsed)
            if not self.wnd.is_closing:
                self.show_frame()
        self.wnd.destroy()

    def show_frame(self) -> None:
        """Show the frame and handle events, and show the errors of both: the window library also reads data of other
        programs."""
        try:
            self.wnd.swap_buffers()
            answer_selections(self.wnd)
        except Exception as error:
            self.fail(error)

    def on_render(self, time: float, frame_time: float) -> None:
        """Draw a frame, `frame_time` seconds after the last frame."""
        if self._is_released:
            return
        if not self._has_begun:
            self._begin()
        else:
            self._frame_or_failure(frame_time)
        if self._wants_quit or (self.quit_after is not None and self.frames >= self.quit_after):
            try:
                self.release()
            finally:
                self.wnd.close()

    def _frame_or_failure(self, elapsed: float) -> None:
        self.frames += 1
        if self._is_minimised or min(self.wnd.buffer_size) == 0:
            return
        if self.failure:
            self._show_failure(self.failure, elapsed)
            return
        try:
            self._frame(elapsed)
        except Exception as error:
            self.fail(error)

    def _begin(self) -> None:
        """Show a banner, then compile the shaders and make the waves."""
        self.show_frame()  # the window learns its size, on which the layout depends
        if self._is_released:
            return
        for _ in range(2):  # the dock knows its parts from the second frame on
            self.interface.draw_banner("compiling shaders, making waves …", self.settings.window.scale)
        self.show_frame()
        if self._is_released or self._wants_quit:
            return
        self._begin_steps(self.renderer.steps(self.time))
        while not self._draw_picture():
            self.interface.draw_banner(self.drawing.notice, self.settings.window.scale)
            self.show_frame()
            if self.drawing.is_catching_up or self._is_released or self._wants_quit:
                return

    def _frame(self, frame_time: float) -> None:
        if is_given_up := self.drawing.is_catching_up and self._is_outdated:
            self.drawing.give_up()
        if not self.drawing.is_on:
            self._begin_picture(frame_time, is_given_up)
        if is_whole := self._draw_picture():
            self._use_picture()
            self.timers.start()
        self._draw_interface(frame_time)
        if is_whole:
            self.timers.lap("interface")
            self.timers.end()
            self.studio.save("window", lambda: self.interface.canvas, self.settings)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        self.interface.overlay.history.add(frame_time, self.timers.collect(), self.renderer.passes)

    def _begin_picture(self, frame_time: float, is_again: bool) -> None:
        """Take new settings, move camera and sea, and begin to draw the picture of this moment, or, if begun again, of
        the moment of the abandoned picture."""
        step = self.studio.step or min(frame_time, LONGEST_STEP)
        before = self.settings
        if is_other := self.wanted is not None and (self._is_announced or not self._must_compile):
            self._take_wanted(at_once=is_again)
        if self.watch.poll():
            self.drawing.compile_again()  # many drivers compile at the first use
        self.comparing.step(self.renderer.sea, self.interface.panel.options, self.studio.unused("bench"))
        self.fly(step)
        self.time += 0.0 if self.paused or is_again else step * self.settings.window.time_scale
        self.renderer.apply(self.settings)
        self.renderer.resize(self.studio.size or self.interface.view_pixels)
        self.renderer.measure(self.interface.truth.is_open and self.settings.window.panel)
        self.renderer.debug.pointer = view_controls.pointer(self.renderer.size, self.interface.layout.view)
        is_timed = self.settings.window.panel
        if is_timed:
            self.timers.begin(self.frames, self.time)
        if is_other and (changes := spell_changes(before, self.settings)):
            self.interface.overlay.history.mark(self.frames, changes)
        self._begin_steps(self.renderer.steps(self.time, step, self.timers if is_timed else None))

    def _begin_steps(self, steps: Iterator[Progress]) -> None:
        self.drawing.begin(steps, self.time, self.renderer.programs)

    @property
    def _is_outdated(self) -> bool:
        """Return whether the picture being drawn is outdated. Movies take each picture that was begun."""
        is_other = self.wanted is not None or self.renderer.sea.is_busy or self.time != self.drawing.time
        return is_other and not self.studio.progress

    def _draw_picture(self) -> bool:
        """Go on with the picture, and return whether it is whole."""
        if self.drawing.is_interrupted:  # leaves the interface out of the passes' times
            self.timers.start()
        try:
            return self.drawing.go_on()
        except ChangeError as error:
            self.interface.say(str(error), is_error=True)
            self.settings = self.renderer.settings
            return False

    def _use_picture(self) -> None:
        """Save and film the picture, if requested."""
        gl_function(self.ctx, "glFlush", None)()  # the GPU draws while the CPU makes the interface
        if not self.renderer.sea.is_busy:
            self.kept.take_picture(self.ctx, self.renderer.picture, self.time)
        self.studio.save("picture", lambda: self.renderer.picture, self.settings)
        self.studio.save("radiance", lambda: self.renderer.radiance, self.settings)
        self.studio.film(self.renderer.picture)

    @property
    def _must_compile(self) -> bool:
        """Return whether the wanted settings need shaders that no frame has run, so that the next frame takes long."""
        return self.wanted is not None and not self.drawing.has_run(self.renderer.programs_key(self.wanted))

    def _take_wanted(self, at_once: bool = False) -> None:
        """Hand changed settings to the renderer; on an error keep the old ones and show the reason. Another sea
        blends in, or follows `at_once` if the old one has no picture."""
        wanted, self.wanted = self.wanted, None
        is_travel, self._is_travel = self._is_travel, False
        is_swap, self._is_swap = self._is_swap, False
        is_dragged, self._is_dragged = self._is_dragged, False
        if wanted is None:
            return
        try:
            self.renderer.apply(wanted, 0.0 if is_swap or at_once else wanted.window.blend, background=True)
        except CHANGE_ERRORS as error:
            self.interface.say(str(error) or type(error).__name__, is_error=True)
            return
        if wanted.window.vsync != self.settings.window.vsync:
            self.wnd.vsync = wanted.window.vsync
        if not is_travel:
            self._note(wanted, is_dragged)
        self.settings = wanted

    def _draw_interface(self, elapsed: float) -> None:
        movie, panel, renderer = self.studio.progress, self.settings.window.panel, self.renderer
        reading = renderer.debug.reading(self.settings)
        if (transform := (renderer.sea.fft, renderer.sea.storage)) != self._transform:
            chosen, layers = self._transform = transform
            self._fuses = takes_callbacks(chosen.backend, layers, chosen.options)
        gauge = renderer.gauge
        survey, record, energies = (gauge.survey, gauge.record, gauge.energies) if gauge else (None, None, None)
        runs = self.comparing.runs(self.studio.folder) if self.interface.comparison.is_open else ()
        left, error = self.studio.seconds_left, self.watch.error
        measured = self.comparing.findings, survey, record, energies
        has_legend = self.settings.stage.view != PICTURE
        scene = ProgramState(self.paused, *measured, movie, left, error, self._fuses, reading, runs, has_legend, self)
        self.interface.begin(elapsed, self.settings.window.scale)
        asked: list[Action] = []
        if panel:
            shown = self.newest
            wanted, asked = self.interface.draw_windows(shown, scene)
            if wanted is not shown:
                self.wanted, self._is_dragged = wanted, self.interface.is_held
        else:
            self.interface.layout.fill()
        asked += self.interface.draw_notes(scene)
        self._is_announced = self.wanted is not None
        beside = self.kept.picture if self.is_split and not self.kept.shows_a else None
        if beside is not None:
            self.interface.draw_split(self.kept.time, 1 / shares_shown(beside, renderer.colours)[1])
        self.interface.end(renderer.colours, self._notice(), beside)
        if not self.interface.is_held and not self._is_dragged:  # else the last change of a drag is to come
            self.changes.let_go()
        for action in asked:
            action.run(self)
        self.wanted = self.interface.files.read_again(self.newest) or self.wanted
        if self._dropped and self._reads_next:
            self._take_dropped()
        self._reads_next = True

    def _notice(self) -> str:
        if notice := self.drawing.notice or self.interface.files.status or self.watch.notice:
            return notice
        if self.comparing.is_next or self._must_compile:
            return "compiling …"
        if self.renderer.sea.is_busy:
            share = self.renderer.sea.solved.share_prepared
            return f"making waves, {100 * share:.0f} % …" if share else "making waves …"
        if self.kept.shows_a:
            return "A"
        return self.journey.status or ("paused" if self.paused else "")

    # -- Events --------------------------------------------------------------------------------------------------------

    def on_key_event(self, key: Any, action: Any, modifiers: KeyModifiers) -> None:
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
            return
        if is_press and not modifiers.ctrl and navigates:
            if key == keys.ESCAPE:
                self.interface.close_one()
            return
        for entry in reversed(ACTIONS.menu):  # entries with Shift come later, and also match the key without it
            if entry.until_release and not is_press and self._is_held_swap and self._is_hit(entry, key):
                self._is_held_swap = False
                entry.run(self)
                return
            if not entry.held and entry.on_release != is_press and self._is_hit(entry, key, modifiers):
                if reason := entry.obstacle(self):
                    self.interface.say(reason)
                else:
                    self._is_held_swap |= entry.until_release
                    entry.run(self)
                return

    def _is_hit(self, action: Action, key: Any, modifiers: KeyModifiers | None = None) -> bool:
        """Return whether a key belongs to an action, with these modifiers or, without any, with all. Shift, which makes
        the camera faster, may be held beside any key without Ctrl."""
        for name in action.keys:
            *held, plain = name.split("+")
            if key != getattr(self.wnd.keys, plain):
                continue
            if modifiers is None:
                return True
            wants, shift = "SHIFT" in held, bool(modifiers.shift)
            is_shifted = wants == shift if modifiers.ctrl else wants <= shift
            if ("CTRL" in held) == bool(modifiers.ctrl) and is_shifted:
                return True
        return False

    def on_unicode_char_entered(self, char: str) -> None:
        self.interface.input.text(char)

    def on_mouse_position_event(self, x: int, y: int, dx: int, dy: int) -> None:
        self.interface.input.mouse(x, y)

    def on_mouse_drag_event(self, x: int, y: int, dx: int, dy: int) -> None:
        self.interface.input.mouse(x, y)
        if not self.interface.input.wants_mouse:
            self.look_from(self.steering.drag(self.settings.view, dx, dy, self.wnd.height))

    def on_mouse_press_event(self, x: int, y: int, button: int) -> None:
        self.interface.input.mouse(x, y)
        self.interface.input.button(button, True, self.wnd.modifiers)

    def on_mouse_release_event(self, x: int, y: int, button: int) -> None:
        self.interface.input.button(button, False, self.wnd.modifiers)

    def on_mouse_scroll_event(self, x_offset: float, y_offset: float) -> None:
        self.interface.input.wheel(x_offset, y_offset)
        if not self.interface.input.wants_mouse:
            self.look_from(self.steering.wheel(self.settings.view, y_offset))
            if self.settings.view.mode == "fly":
                self.interface.say(f"{self.steering.speed:.3g} m/s")

    def on_files_dropped_event(self, x: int, y: int, paths: list[Any]) -> None:
        """Load a scene, a sky or a spectrum from dropped files, or show why that fails."""
        self._dropped = list(map(Path, paths))
        if paths and self._dropped[0].suffix.lower() in PANORAMAS:  # panoramas take a second
            self.interface.say(f"reading {self._dropped[0].name} …")
            self._reads_next = False
        elif paths:
            self._take_dropped()

    def _take_dropped(self) -> None:
        self.wanted = self.interface.files.take(self.newest, self._dropped) or self.wanted
        self._dropped = []

    def on_iconify(self, iconified: bool) -> None:
        self._is_minimised = iconified

    def on_close(self) -> None:
        self.release()

    # -- Settings ------------------------------------------------------------------------------------------------------

    @property
    def newest(self) -> Settings:
        """Return the settings of the next frame, which keys pressed before it change further."""
        return self.wanted or self.settings

    def _change(self, group: str, **values: object) -> None:
        """Change some fields in a group of the settings, from the next frame on."""
        base = self.newest
        self.wanted = base.model_copy(update={group: getattr(base, group).model_copy(update=values)})

    def undo(self) -> None:
        if self.wanted is not None and not self._is_travel:
            self._note(self.wanted, self._is_dragged)  # a change that no frame has taken yet
        self._travel(self.changes.undo(self.newest), "undone")

    def redo(self) -> None:
        self._travel(self.changes.redo(self.newest), "done again")

    def _note(self, wanted: Settings, is_dragged: bool) -> None:
        self.changes.note(self.settings, wanted, is_dragged, self.interface.files.name_of(wanted))

    def _travel(self, settings: Settings | None, what: str) -> None:
        if settings is not None:
            if self.interface.files.status:
                self.interface.files.stop()
            self.interface.say(f"{what}: {self.changes.name or spell_change(self.newest, settings)}")
            self.wanted, self._is_travel = settings, True

    def undo_obstacle(self, change: str, verb: str) -> str:
        """Return why a change can't be undone or done again; empty if it can."""
        if self.kept.shows_a:
            return f"A is shown; only changes of B are {verb}"
        return "" if change else f"nothing can be {verb}"

    def keep_a(self) -> None:
        self.kept.keep(self.settings)
        self.interface.say("kept as A; hold X to see it, V splits the view")

    def keep_obstacle(self) -> str:
        """Return why the settings can't be kept as A; empty if they can."""
        return "A is shown, and is kept already" if self.kept.shows_a else ""

    def swap_a(self) -> None:
        """Show the other side of A and B, at the same time and from the same place."""
        self.wanted = self.kept.swap(self.newest)
        self._is_swap = self._is_travel = True

    def toggle_split(self) -> None:
        self.is_split = not self.is_split

    def a_obstacle(self) -> str:
        """Return why A can't be shown; empty if it can."""
        return "" if self.kept.other else "nothing is kept as A; K keeps the settings"

    def ask_for_file(self, verb: Verb) -> None:
        self._show_panels()
        self.interface.files.browser.ask(verb)
        self.interface.input.await_field()

    def save_file(self) -> None:
        """Write the settings into the file that was opened or saved last; ask for a name if there is none."""
        if path := self.interface.files.path:
            self.interface.files.save(self.settings, path)
        else:
            self.ask_for_file("Save")

    def open_file(self, path: Path) -> None:
        self.wanted = self.interface.files.open(self.settings, path) or self.wanted

    def take_preset(self, name: str) -> None:
        change = preset(name, self.interface.files.presets[name])
        self.wanted = self.interface.files.read(self.settings, change) or self.wanted

    def recent_files(self) -> list[Action]:
        return [
            Action("", (), str(path), partial(Desktop.open_file, path=path), title=str(path))
            for path in self.interface.files.recent
        ]

    def preset_entries(self) -> list[Action]:
        names = self.interface.files.presets
        return [Action("", (), name.replace("-", " "), partial(Desktop.take_preset, name=name)) for name in names]

    def pause(self) -> None:
        self.paused = not self.paused

    def show_picture(self) -> None:
        self._change("stage", view=PICTURE)

    def shows(self, name: str) -> bool:
        return bool(self.settings.stage.view == name)

    def toggle_stage(self, name: str) -> None:
        self._change("stage", view=PICTURE if self.newest.stage.view == name else name)

    def next_picture(self, name: str) -> None:
        shown = self.newest.stage
        self._change(
            "stage", view=name, field=DEBUG_VIEWS[name].after(shown.field) if shown.view == name else shown.field
        )

    # -- Windows -------------------------------------------------------------------------------------------------------

    def toggle_panel(self) -> None:
        is_shown = not self.newest.window.panel
        self._change("window", panel=is_shown)
        if not is_shown:
            self.interface.say("Tab shows the panels again")

    def toggle_keys(self) -> None:
        self.interface.shows_keys = not self.interface.shows_keys

    def toggle_handles(self) -> None:
        self.interface.handles.is_on = not self.interface.handles.is_on

    def toggle_truth(self) -> None:
        self.interface.truth.is_open = not self.interface.truth.is_open

    def set_scale(self, scale: float) -> None:
        """Set the scale of the interface; 0 follows the display."""
        self._change("window", scale=scale)

    def has_scale(self, scale: float) -> bool:
        return self.settings.window.scale == scale

    def toggle_vsync(self) -> None:
        self._change("window", vsync=not self.newest.window.vsync)

    def toggle_full_screen(self) -> None:
        try:
            self.wnd.fullscreen = not self.wnd.fullscreen
        except NotImplementedError:
            self.interface.say("this window library has no full screen", is_error=True)

    def _show_panels(self) -> None:
        if not self.newest.window.panel:
            self.toggle_panel()

    def find(self) -> None:
        self._show_panels()
        self.interface.panel.search.focus()
        self.interface.input.await_field()

    def navigate(self) -> None:
        """Put ImGui's keyboard cursor into the next window."""
        self._show_panels()
        self.interface.layout.focus_next()

    def open_menu(self) -> None:
        """Open the first menu, in which arrows, Enter and Esc work."""
        self._show_panels()
        self.interface.opens_menu = True

    def escape(self) -> None:
        """Close the open window or search; else stop the reading, flight or comparison; else show the whole picture and
        the panels."""
        if self.interface.close_one():
            return
        if self.interface.files.status:
            self.interface.files.stop()
        elif self.journey.status:
            self.journey.stop()
        elif self.comparing.is_busy:
            self.comparing.toggle()
        elif self.drawing.is_catching_up and self.newest.sea.dynamics == "nonlinear":
            self._change("sea", dynamics="linear")
            self.interface.say("the waves are linear now; Ctrl+Z takes that back")
        elif self.is_split:
            self.toggle_split()
        elif self.newest.stage.view != PICTURE:
            self.toggle_stage(self.newest.stage.view)
        elif not self.newest.window.panel:
            self.toggle_panel()
        else:
            self.interface.say("Ctrl+Q quits")

    def compare(self) -> None:
        window = self.interface.comparison
        window.is_open = not window.is_open
        if window.is_open and not self.comparing.findings.rows:
            self.comparing.toggle()

    # -- The camera ----------------------------------------------------------------------------------------------------

    def fly(self, step: float) -> None:
        """Move the camera by the held keys, or along the flight."""
        if not self.interface.input.wants_keyboard and not self.wnd.modifiers.ctrl:
            keys, pressed = self.wnd.keys, self.wnd.is_key_pressed
            held = {name for name in HELD_KEYS if pressed(getattr(keys, name))}
            fast = pressed(keys.LEFT_SHIFT) or pressed(keys.RIGHT_SHIFT)
            self.look_from(self.steering.move(self.settings.view, held, fast, step))
        self.look_from(self.journey.step(self.settings.view, step))

    def look_from(self, view: ViewSettings) -> None:
        """Set the view at once, without an entry in the history."""
        if view is not self.settings.view:
            self.settings = self.settings.model_copy(update={"view": view})

    def nudge(self, key: str) -> None:
        self.look_from(self.steering.move(self.settings.view, {key}, False, NUDGE))

    def toggle_orbit(self) -> None:
        mode = "fly" if self.newest.view.mode == "orbit" else "orbit"
        self._change("view", mode=mode)
        self.interface.say(mode)

    def toggle_dive(self) -> None:
        """Dive a few metres under the water, or come up to the altitude from before."""
        dive = 0.0 if self.newest.view.dive > 0 else DIVE
        self._change("view", dive=dive)
        self.interface.say("under water" if dive else "above water")

    def set_bookmark(self, name: str) -> None:
        self.journey.bookmarks[name] = self._bookmark(self.settings.view)
        self.interface.say(f"bookmark {name} is here, at {self.time:.1f} s")

    def _bookmark(self, view: ViewSettings) -> Bookmark:
        starts = [waves.starts.time for waves in self.renderer.sea.solved.waves if math.isfinite(waves.starts.time)]
        return Bookmark(view=view, time=self.time, start=starts[-1] if starts else None)

    def bookmark_obstacle(self, name: str) -> str:
        """Return why the camera can't go to a bookmark; empty if it can."""
        return "" if name in self.journey.bookmarks else f"bookmark {name} is not set; Ctrl+Shift+{name} sets it"

    def go_to_bookmark(self, name: str) -> None:
        self.journey.go(self.journey.bookmarks[name].view, self.settings.view)
        self.interface.say(f"bookmark {name}")

    def moment_obstacle(self, name: str) -> str:
        """Return why the sea can't go back to the time of a bookmark; empty if it can."""
        if name == CREST and name not in self.journey.bookmarks:
            return "no crest was looked for; O flies to the highest one"
        if reason := self.bookmark_obstacle(name):
            return reason
        return "" if self.journey.bookmarks[name].time is not None else f"bookmark {name} has no time; set it again"

    def go_to_moment(self, name: str) -> None:
        """Go to the place and time of a bookmark, and pause there."""
        bookmark = self.journey.bookmarks[name]
        self.time, self.paused = bookmark.time or 0.0, True
        if bookmark.start is not None:
            for waves in self.renderer.sea.solved.waves:
                waves.starts.again = self.time, bookmark.start
        self.journey.go(bookmark.view, self.settings.view)
        self.interface.say(f"{'the' if name == CREST else 'bookmark'} {name}, {self.time:.1f} s; Space goes on")

    def find_crest(self) -> None:
        """Fly to the highest crest of the longest tile around the camera, pause there, and remember place and time."""
        view, systems = self.settings.view, self.settings.sea.systems
        found = highest_crest(self.renderer.sea, view.x, view.z)
        direction = predicted_polar_moments(systems, 0.0).mean
        there = before_crest(view, found.x, found.z, found.height, direction)
        self.time, self.paused = found.time, True
        self.journey.bookmarks[CREST] = self._bookmark(there)
        self.journey.go(there, view)
        share = found.height / predicted_height(systems)
        rogue = ", a rogue wave" if share > ROGUE_CREST else ""
        self.interface.say(f"crest of {found.height:.2f} m, {share:.2f} Hs{rogue}, at {self.time:.1f} s; Space goes on")

    def crest_obstacle(self) -> str:
        """Return why the search for a crest is not possible; empty if it is."""
        if self.renderer.sea.is_busy:
            return "the waves are being made"
        return "" if predicted_height(self.settings.sea.systems) > 0 else "the water is flat"

    def record_flight(self) -> None:
        self.journey.record()
        if not self.journey.is_recording:
            self.interface.say(f"a flight of {self.journey.flight.duration:.1f} s; G flies it")

    # -- Pictures and movies -------------------------------------------------------------------------------------------

    def save_maps(self) -> None:
        self.studio.save_maps(self.renderer.sea.fields(), self.settings, self.time)

    def save_times(self) -> None:
        history = self.interface.overlay.history
        self.studio.save_times(history.shown, {step.name: step for step in self.renderer.passes})

    def toggle_recording(self) -> None:
        if self.studio.progress:
            self.studio.finish()
        else:
            wanted = self.settings.window
            self.studio.begin(self.interface.view_pixels, wanted.movie_length, wanted.movie_fps)

    # -- Errors --------------------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """Log an error, and show it in the next frame. Interface and timers, perhaps in the middle of a frame, are made
        anew."""
        self.failure = dialogs.report_failure(error, session.log_file())
        self.drawing.give_up()
        if "interface" in vars(self):
            with suppress(Exception):
                self._layout, self._recent = self.interface.layout.text, tuple(self.interface.files.recent)
                self._pinned = tuple(self.interface.panel.pinned)
        for name in ("interface", "timers"):
            with suppress(Exception):
                release_made(self, name)

    def _show_failure(self, failure: dialogs.Failure, elapsed: float) -> None:
        """Draw the dialog of an error alone; another error in here ends the program with its message."""
        self.interface.begin(elapsed, self.settings.window.scale)
        goes_on, quits = dialogs.failure(failure)
        self.interface.layout.fill()
        self.interface.end(self.renderer.colours)
        self.ctx.copy_framebuffer(self.wnd.fbo, self.interface.canvas)
        if goes_on or quits:
            self.failure = None
        if quits:
            self.quit_now()

    # -- The end -------------------------------------------------------------------------------------------------------

    def quit(self) -> None:
        if self.studio.progress and not self.failure:
            self.interface.asks_to_quit = True
        else:
            self.quit_now()

    def quit_now(self) -> None:
        """Close the window at the end of the frame, because a menu asks while the frame's parts are in use."""
        self._wants_quit = True

    def release(self) -> None:
        """Write the last picture if requested, keep the window's state, and release every GPU object. A second call
        does nothing."""
        if self._is_released:
            return
        self._is_released = True
        for name in HANDLERS:  # the batch of events that closed the window may hold more
            setattr(self.wnd, name, lambda *_: None)
        try:
            self.studio.cancel()
            if self._has_begun:
                self._keep()
                if self._screenshot:
                    save_picture(self._screenshot, self.interface.canvas, self.settings)
        finally:
            self.comparing.release()
            self.kept.release()
            self.watch.release()
            release_all(*map(vars(self).get, ("renderer", "interface", "timers")))

    def _keep(self) -> None:
        """Keep the window's state for the next start."""
        if self.state_file is None:
            return
        settings, (width, height) = self.newest, self.wnd.size
        if not self.wnd.fullscreen and min(width, height) >= 64:
            window = settings.window.model_copy(update={"width": width, "height": height})
            settings = settings.model_copy(update={"window": window})
        layout, recent, pinned = self.interface.layout.text, self.interface.files.recent, self.interface.panel.pinned
        session.save(self.state_file, LastState.of(settings, layout, self.journey, recent, pinned))


PAUSE = Action("View", ("SPACE",), "pause, or go on", Desktop.pause, is_on=lambda w: w.paused)
PICTURE_FILE = Action("File/Export", ("P",), "save the picture", lambda w: w.studio.want("picture"))
MOVIE = Action(
    "File/Export",
    ("R",),
    "record a movie, or end it",
    Desktop.toggle_recording,
    is_on=lambda w: w.studio.progress is not None,
)
TRUTH = Action(
    "View", ("T",), "sea truth: predicted and measured", Desktop.toggle_truth, is_on=lambda w: w.interface.truth.is_open
)
COMPARE = Action(
    "View", ("B",), "comparison of FFT backends", Desktop.compare, is_on=lambda w: w.interface.comparison.is_open
)
TIMES = Action("File/Export", (), "save the times of passes (CSV, trace)", Desktop.save_times)
SCALES = {"as the display": 0.0, "75 %": 0.75, "100 %": 1.0, "125 %": 1.25, "150 %": 1.5, "200 %": 2.0}
MENU = (
    Action("File", ("CTRL+O",), "open settings …", partial(Desktop.ask_for_file, verb="Open")),
    Action("File", ("CTRL+S",), "save settings", Desktop.save_file),
    Action("File", ("CTRL+SHIFT+S",), "save settings as …", partial(Desktop.ask_for_file, verb="Save")),
    Action(
        "File",
        (),
        "recent",
        entries=Desktop.recent_files,
        obstacle=lambda w: "" if w.interface.files.recent else "no settings file was opened or saved yet",
    ),
    Action("File", (), "presets", entries=Desktop.preset_entries),
    PICTURE_FILE,
    Action("File/Export", ("CTRL+P",), "save the picture's light (EXR)", lambda w: w.studio.want("radiance")),
    Action("File/Export", ("F12",), "save the picture with panel and overlay", lambda w: w.studio.want("window")),
    Action("File/Export", ("M",), "save the maps of all cascades (NPZ)", Desktop.save_maps),
    TIMES,
    MOVIE,
    Action("File", ("CTRL+Q",), "quit", Desktop.quit),
    Action(
        "Edit",
        ("CTRL+Z",),
        "undo a change of settings",
        Desktop.undo,
        obstacle=lambda w: w.undo_obstacle(w.changes.last, "undone"),
        title=lambda w: f"Undo {w.changes.last}".strip(),
    ),
    Action(
        "Edit",
        ("CTRL+Y",),
        "redo the change",
        Desktop.redo,
        obstacle=lambda w: w.undo_obstacle(w.changes.next, "done again"),
        title=lambda w: f"Redo {w.changes.next}".strip(),
    ),
    Action("Edit", ("CTRL+F",), "find a setting", Desktop.find),
    Action("Edit", ("K",), "keep the settings as A", Desktop.keep_a, obstacle=Desktop.keep_obstacle),
    Action(
        "Edit",
        ("X",),
        "show A while held",
        Desktop.swap_a,
        until_release=True,
        is_on=lambda w: w.kept.shows_a,
        obstacle=Desktop.a_obstacle,
        title="Swap with A",
    ),
    Action(
        "Edit",
        ("V",),
        "split the view: picture of A, and B",
        Desktop.toggle_split,
        is_on=lambda w: w.is_split,
        obstacle=Desktop.a_obstacle,
    ),
    PAUSE,
    Action(
        "View",
        ("TAB",),
        "hide or show the panels",
        Desktop.toggle_panel,
        is_on=lambda w: w.settings.window.panel,
        title="Panels",
    ),
    Action(
        "View", ("L",), "handles of wind and sun", Desktop.toggle_handles, is_on=lambda w: w.interface.handles.is_on
    ),
    Action("View", ("N",), "keyboard into the next window", Desktop.navigate),
    Action("View", ("CTRL+M",), "keyboard into the menu", Desktop.open_menu),
    Action("View", ("ESCAPE",), "close or cancel", Desktop.escape),
    TRUTH,
    COMPARE,
    # On release: pyglet makes a new window for full screen, which would miss the release and take the next press for a
    # repetition.
    Action(
        "View", ("F11",), "full screen", Desktop.toggle_full_screen, on_release=True, is_on=lambda w: w.wnd.fullscreen
    ),
    Action("View", ("CTRL+L",), "put all windows back into their places", lambda w: w.interface.layout.reset()),
    *(
        Action(
            "View/Size of text",
            (),
            name,
            partial(Desktop.set_scale, scale=scale),
            is_on=partial(Desktop.has_scale, scale=scale),
        )
        for name, scale in SCALES.items()
    ),
    Action("View", (), "wait for the display (vsync)", Desktop.toggle_vsync, is_on=lambda w: w.settings.window.vsync),
    Action(
        "Camera",
        ("C",),
        "orbit a point, or fly",
        Desktop.toggle_orbit,
        is_on=lambda w: w.settings.view.mode == "orbit",
        title="Orbit a point",
    ),
    Action(
        "Camera",
        ("U",),
        "dive, or come up",
        Desktop.toggle_dive,
        is_on=lambda w: w.settings.view.dive > 0,
        title="Dive",
    ),
    Action(
        "Camera", ("J",), "record a flight, or end it", Desktop.record_flight, is_on=lambda w: w.journey.is_recording
    ),
    Action(
        "Camera",
        ("G",),
        "replay the flight, or stop",
        lambda w: w.journey.replay(),
        obstacle=lambda w: "" if w.journey.flight.views else "no flight is recorded; J records one",
    ),
    Action("Camera", ("O",), "fly to the highest crest", Desktop.find_crest, obstacle=Desktop.crest_obstacle),
    *(
        Action("Camera/Move", (key,), meaning, partial(Desktop.nudge, key=key), held=True)
        for key, meaning in zip("WSADEQ", ("ahead", "back", "left", "right", "up", "down"), strict=True)
    ),
    *(
        Action(
            "Camera/Go to bookmark",
            (f"CTRL+NUMBER_{n}",),
            f"bookmark {n}",
            partial(Desktop.go_to_bookmark, name=str(n)),
            obstacle=partial(Desktop.bookmark_obstacle, name=str(n)),
        )
        for n in range(1, BOOKMARKS + 1)
    ),
    *(
        Action(
            "Camera/Go to place and time",
            keys,
            f"place and time of {'the ' if name == CREST else ''}{name}",
            partial(Desktop.go_to_moment, name=name.removeprefix("bookmark ")),
            obstacle=partial(Desktop.moment_obstacle, name=name.removeprefix("bookmark ")),
            title=name.capitalize(),
        )
        for name, keys in ((CREST, ("SHIFT+O",)), *((f"bookmark {n}", ()) for n in range(1, BOOKMARKS + 1)))
    ),
    *(
        Action(
            "Camera/Set bookmark",
            (f"CTRL+SHIFT+NUMBER_{n}",),
            f"set bookmark {n}",
            partial(Desktop.set_bookmark, name=str(n)),
        )
        for n in range(1, BOOKMARKS + 1)
    ),
    Action("Stage", (), "picture", Desktop.show_picture, is_on=partial(Desktop.shows, name=PICTURE)),
    *(
        Action(
            "Stage",
            (view_controls.KEYS[name],),
            f"stage: {name.replace('-', ' ')}",
            partial(Desktop.toggle_stage, name=name),
            is_on=partial(Desktop.shows, name=name),
            title=name.replace("-", " ").capitalize(),
        )
        for name in DEBUG_VIEWS
    ),
    *(
        Action(
            "Stage/Next picture",
            (f"SHIFT+{view_controls.KEYS[name]}",),
            f"stage: next {name}",
            partial(Desktop.next_picture, name=name),
            title=name.capitalize(),
        )
        for name, stage in DEBUG_VIEWS.items()
        if stage.fields
    ),
    Action("Help", ("F1", "H"), "list of keys", Desktop.toggle_keys, is_on=lambda w: w.interface.shows_keys),
)
"""All actions with a key or an entry in a menu."""

ACTIONS = Actions(
    MENU,
    pause=PAUSE,
    picture=PICTURE_FILE,
    movie=MOVIE,
    cancel_movie=Action("", (), "cancel the movie", lambda w: w.studio.cancel()),
    truth=TRUTH,
    compare=COMPARE,
    times=TIMES,
    measure=Action("", (), "measure all backends, or stop", lambda w: w.comparing.toggle()),
    quit_now=Action("", (), "quit", Desktop.quit_now),
)
