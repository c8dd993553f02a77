"""The whole program without a display: a headless window, and a pilot that moves the mouse to widgets on the screen."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import moderngl
import pytest
from imgui_bundle import imgui
from moderngl_window.context.base import BaseKeys
from moderngl_window.context.headless.window import Window

from ocean.common import resources
from ocean.gpu.context import release_framebuffer
from ocean.settings import Settings, load_settings, settings_from, with_values
from ocean.window.actions import make_actions
from ocean.window.camera import CameraPath
from ocean.window.changes import Change
from ocean.window.desktop import Desktop
from ocean.window.session import LastState
from ocean.window.ui import dialogs, files, interface
from ocean.window.ui.files import scenes
from ocean.window.ui.interface import InterfaceState

from ...render.conftest import made_once  # noqa: F401 -- a fixture

SIZE = (1280, 1360)  # size of the window in its units: all open sections of the panel fit
PIXELS = (160, 84)  # size of the picture: a frame takes few milliseconds
STEP = 1 / 30
LABELLED = (
    *("button", "selectable", "begin_combo", "collapsing_header", "checkbox"),
    *("slider_float", "slider_int", "drag_float", "input_int", "input_float", "input_text_with_hint"),
    *("begin_menu", "menu_item_simple", "small_button", "table_header", "invisible_button"),
)
SMALL = (
    *("fft.size=32", "cascades.count=2", "foam.resolution=64", "view.edge_pixels=40"),
    *("window.blend=0", f"window.width={SIZE[0]}", f"window.height={SIZE[1]}"),
)


class Keys(BaseKeys):
    """Keys whose values are their names."""


for _name in [name for name in dir(BaseKeys) if name.isupper() and not name.startswith("ACTION")]:
    setattr(Keys, _name, _name)


class StubWindow(Window):
    """moderngl-window's headless window on the tests' context; the picture has fewer pixels than the window has
    units."""

    keys = Keys

    def __init__(self, ctx: moderngl.Context, vsync: bool = True) -> None:
        self._shared = ctx
        super().__init__(size=PIXELS, gl_version=(4, 3), aspect_ratio=None)
        self._vsync = vsync
        self.has_units(SIZE)
        self.vsync_changes: list[bool] = []

    def has_units(self, size: tuple[int, int]) -> None:
        """Set the window's size in its units, and keep its pixels."""
        self._width, self._height = size

    size = property(lambda self: (self._width, self._height), has_units)

    def hold(self, *keys: str) -> None:
        """Hold these keys and release all others."""
        self._key_pressed_map = dict.fromkeys(keys, True)

    def _set_vsync(self, value: bool) -> None:
        self.vsync_changes.append(value)

    def init_mgl_context(self) -> None:
        self._ctx = self._shared
        self._create_fbo()
        self.use()

    def resize_to(self, size: tuple[int, int]) -> None:
        """Resize the window as a user would; a size without pixels is a minimised window."""
        self._width, self._height = self._buffer_width, self._buffer_height = size
        if min(size) > 0:
            release_framebuffer(self.fbo)
            self._fbo = None
            self._create_fbo()
            self.use()

    def destroy(self) -> None:
        release_framebuffer(self.fbo)


class Pilot:
    """Frames, and real mouse and key events at the positions of drawn widgets."""

    def __init__(self, desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desktop = desktop
        self.places: dict[str, tuple[imgui.ImVec2, imgui.ImVec2]] = {}
        self.texts: list[str] = []
        self.colours: dict[str, tuple[float, ...]] = {}
        for name in LABELLED:
            monkeypatch.setattr(imgui, name, self._placed(getattr(imgui, name)))
        for name, position in (("text", 0), ("text_unformatted", 0), ("text_colored", 1)):
            monkeypatch.setattr(imgui, name, self._read(getattr(imgui, name), position))
        monkeypatch.setattr(imgui.internal, "text_aligned", self._read(imgui.internal.text_aligned, 2))

        draw_banner = interface.banner

        def said(lines, view):
            self.texts += [text for text, _ in lines]
            self.colours.update({text: tuple(round(part, 3) for part in colour[:3]) for text, colour in lines})
            draw_banner(lines, view)

        monkeypatch.setattr(interface, "banner", said)

    def _placed(self, draw: Callable[..., object]) -> Callable[..., object]:
        def drawn(label: str, *arguments: object, **options: object) -> object:
            result = draw(label, *arguments, **options)
            is_list = label.startswith("##") or draw.__name__ == "begin_menu"
            if result is not True or not is_list:  # contains the last item of the open part
                self.places[label] = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            return result

        return drawn

    def _read(self, draw: Callable[..., None], position: int) -> Callable[..., None]:
        def drawn(*arguments: object) -> None:
            text, colour = str(arguments[position]), imgui.get_style_color_vec4(imgui.Col_.text)
            self.texts.append(text)
            self.colours[text] = tuple(round(part, 3) for part in tuple(arguments[0] if position == 1 else colour)[:3])
            draw(*arguments)

        return drawn

    def set(self, values: dict[str, object]) -> None:
        """Change settings from the next frame on, by key path."""
        self.desktop.put(Change(with_values(self.desktop.settings, values)))

    def frames(self, count: int = 1) -> None:
        """Run frames. Places and texts are those of the last frame."""
        for _ in range(count):
            self.desktop.wake()
            self.places.clear()
            self.texts.clear()
            self.colours.clear()
            self.desktop.on_render(0.0, STEP)

    def until(self, condition: Callable[[], bool], limit: int = 0) -> None:
        """Run frames until a condition holds: at most `limit`, or for two minutes, because threads may work on it."""
        end, count = time.monotonic() + 120.0, 0
        while not condition():
            if count >= limit > 0 or time.monotonic() > end:
                pytest.fail(f"still not so after {count} frames: {self.desktop.interface.message!r}")
            self.frames()
            count += 1

    def place(self, label: str, along: float = 0.5) -> tuple[int, int]:
        """Return a point on a widget, at the fraction `along` of its width; a label may lack its hidden part."""
        found = next((box for name, box in self.places.items() if label in (name, name.partition("##")[0])), None)
        assert found is not None, f"there is no {label!r} among {sorted(self.places)}"
        low, high = found
        return int(low.x + along * (high.x - low.x)), int((low.y + high.y) / 2)

    def hover(self, label: str, along: float = 0.5) -> None:
        """Move the mouse onto a widget."""
        self.desktop.on_mouse_position_event(*self.place(label, along), 0, 0)
        self.frames()

    def click(self, label: str, along: float = 0.5, ctrl: bool = False) -> None:
        """Press and release the left button on a widget."""
        self.hover(label, along)
        x, y = self.place(label, along)
        self.desktop.wnd.modifiers.ctrl = ctrl
        self.desktop.on_mouse_press_event(x, y, 1)
        self.frames()
        self.desktop.wnd.modifiers.ctrl = False
        self.desktop.on_mouse_release_event(x, y, 1)
        self.frames(2)

    def drag(self, x: int, y: int, right: int, down: int = 0) -> None:
        """Drag with the left button from a point, by these units to the right and down."""
        self.desktop.on_mouse_position_event(x, y, 0, 0)
        self.frames()
        self.desktop.on_mouse_press_event(x, y, 1)
        self.frames()
        self.desktop.on_mouse_drag_event(x + right, y + down, right, down)
        self.frames()
        self.desktop.on_mouse_release_event(x + right, y + down, 1)
        self.frames(2)

    def take_preset(self, name: str) -> None:
        """Choose a preset, from the next frame on."""
        found = self.desktop.interface.files
        self.desktop.put(found.read(self.desktop.newest, files.preset(name, found.presets[name])))

    def choose(self, path: str, choice: str) -> None:
        """Open a combo and click on one of its choices."""
        self.click(f"##{path}")
        self.click(choice)

    def type(self, label: str, text: str) -> None:
        """Replace the value of a widget by typing; sliders need a Ctrl-click first."""
        self.click(label, along=0.2, ctrl=label != "##file")
        self.press("A", ctrl=True)
        self.desktop.on_unicode_char_entered(text)
        self.frames()
        self.press("ENTER")

    def press(self, key: str, ctrl: bool = False, shift: bool = False) -> None:
        """Press and release a key."""
        held = self.desktop.wnd.modifiers
        held.ctrl, held.shift = ctrl, shift
        self.desktop.on_key_event(key, Keys.ACTION_PRESS, held)
        self.frames()
        held.ctrl = held.shift = False
        self.desktop.on_key_event(key, Keys.ACTION_RELEASE, held)
        self.frames()

    def hold_down(self, key: str) -> None:
        self.desktop.on_key_event(key, Keys.ACTION_PRESS, self.desktop.wnd.modifiers)
        self.frames(3)

    def let_go(self, key: str) -> None:
        self.desktop.on_key_event(key, Keys.ACTION_RELEASE, self.desktop.wnd.modifiers)
        self.frames(3)


@pytest.fixture
def settings() -> Settings:
    return load_settings("software", overrides=SMALL)


@pytest.fixture(autouse=True)
def quick_sky(made_once: None, coarse_sky: None) -> None:  # noqa: F811
    """Make a coarse sky, because its tables take half of a start on llvmpipe."""


@pytest.fixture(scope="session")
def presets() -> dict[str, Path]:
    return scenes({name: resources.config(name) for name in resources.presets()})


@pytest.fixture
def desktop(
    ctx: moderngl.Context,
    settings: Settings,
    presets: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Desktop]:
    monkeypatch.chdir(tmp_path)  # for the folder `out`
    monkeypatch.setattr("ocean.window.desktop.scenes", lambda paths: presets)
    monkeypatch.setattr(dialogs, "log_file", lambda: tmp_path / "log" / "ocean.log")
    monkeypatch.setattr("ocean.window.pictures.PATIENCE", math.inf)  # frames of tests are whole
    monkeypatch.setattr("ocean.window.desktop.SETTLING", (0.0, 3))
    monkeypatch.setattr(files, "has_native_dialogs", lambda: False)
    window = StubWindow(ctx)
    desktop = Desktop(window, settings, make_actions)
    yield desktop
    desktop.release()
    window.destroy()


def reopened(ctx: moderngl.Context, state: LastState) -> Desktop:
    """Return the program as the next start makes it from a saved state."""
    remembered = InterfaceState(state.layout, state.recent, state.pinned)
    path = CameraPath(state.bookmarks, state.flight)
    return Desktop(StubWindow(ctx), settings_from(state.settings), make_actions, camera_path=path, state=remembered)


@pytest.fixture
def undrawn(pilot: "Pilot", monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no sea in any frame, for tests of the panel alone."""
    monkeypatch.setattr(pilot.desktop.renderer, "steps", lambda *_, **__: iter(()))


@pytest.fixture
def pilot(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> Pilot:
    """Return a pilot of the paused program after its first frames."""
    pilot = Pilot(desktop, monkeypatch)
    desktop.paused = True
    pilot.frames(3)
    return pilot
