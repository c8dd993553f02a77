"""A live sea in a notebook: Jupyter, VS Code and Colab. Needs the extra `notebook`, whose jupyter_rfb sends pictures to
the page and events back.

The kernel draws, in a context without a window; pictures are compressed as JPEG, and as PNG once they rest.
"""

from collections import deque
from collections.abc import Mapping
from statistics import median
from time import monotonic
from typing import Any

import numpy as np
from jupyter_rfb import RemoteFrameBuffer
from numpy.typing import NDArray

from ocean.gpu.context import create_headless_context, current, is_software_renderer
from ocean.gpu.memory import picture_obstacle
from ocean.gpu.timing import FrameTimes, PassTimers, by_pass
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings, with_size, with_values
from ocean.window.camera import HELD_KEYS, Steering

LONGEST_STEP = 0.25  # s: longest time step of the sea in a frame
KEPT = 120  # frames whose times count
NOTCH = 100.0  # units of the page's wheel in a notch


class OceanView(RemoteFrameBuffer):
    """A sea that runs below a cell, until `close`.

    Drag to look around, W A S D Q E to fly (Shift: faster), turn the wheel for the speed, press Space to pause.
    """

    _is_closed = True  # until its renderer is made
    _event_compatibility = 2  # events of the standard of pygfx.org/renderview alone

    def __init__(self, settings: Settings | None = None, size: tuple[int, int] = (960, 540)) -> None:
        """Take settings, by default those of this GPU's quality, and the width and height on the page [px]."""
        super().__init__()
        self._ctx = create_headless_context()
        if settings is None:
            is_slow = is_software_renderer(self._ctx.info["GL_RENDERER"])
            settings = load_settings("software" if is_slow else "high")
        self.settings = with_size(settings, size)
        self.css_width, self.css_height = f"{size[0]}px", f"{size[1]}px"
        self.time = 0.0  # s
        self.is_paused = False
        try:
            with current(self._ctx):
                if reason := picture_obstacle(self._ctx, size):
                    raise ValueError(reason)
                self._renderer = FrameRenderer(self._ctx, self.settings, size)
                self._timers = PassTimers(self._ctx)
        except Exception:
            self._ctx.release()
            raise
        self._steering, self._held = Steering(), set[str]()
        self._is_fast, self._frames, self._before = False, 0, monotonic()
        self._pointer: tuple[float, float] | None = None  # where the mouse drags
        self._is_closed = False
        self._times: deque[FrameTimes] = deque(maxlen=KEPT)
        self._since = 0  # number of the last frame whose time does not count: it may compile, or blends two seas
        self.request_draw()

    def apply(self, change: Settings | Mapping[str, Any]) -> None:
        """Take other settings, or values by key path, as `{"sea.wind.speed": 15}`. The sea blends to them.

        Raises:
            SettingsError: when a key or a value is wrong; the old settings then stay.
        """
        settings = change if isinstance(change, Settings) else with_values(self.settings, change)
        with current(self._ctx):
            self._renderer.apply(settings, settings.window.blend)
        self.settings, self._since = settings, self._frames
        self.request_draw()

    def draw(self) -> NDArray[np.uint8]:
        """Draw the next frame; return it, (height, width, 3), the top row first."""
        now = monotonic()
        step, self._before = min(now - self._before, LONGEST_STEP), now
        self.settings = self.settings.model_copy(
            update={"view": self._steering.move(self.settings.view, self._held, self._is_fast, step)}
        )
        self.time += 0.0 if self.is_paused else step * self.settings.window.time_scale
        with current(self._ctx):
            self._renderer.apply(self.settings)
            self._timers.begin(self._frames, self.time)
            self._renderer.render(self.time, step, self._timers)
            self._timers.end()
            width, height = self._renderer.picture.size
            pixels = np.frombuffer(self._renderer.picture.read(components=3, alignment=1), np.uint8)
            self._times.extend(self._timers.collect())
        self._since = self._frames if self._renderer.sea.is_blending else self._since
        self._frames += 1
        return np.ascontiguousarray(pixels.reshape(height, width, 3)[::-1])

    def get_frame(self) -> NDArray[np.uint8]:
        """Return the frame that the page shows next, and ask for another while something moves."""
        frame = self.draw()
        if not self.is_paused or self._held or self._renderer.sea.is_blending:
            self.request_draw()
        return frame

    def snapshot(self, pixel_ratio: float | None = None) -> Any:
        """Return the present picture for a cell's output, which stays in the notebook without a kernel."""
        if self._frames == 0:
            self.send_frame(self.draw())
        return super().snapshot()

    @property
    def times(self) -> dict[str, float]:
        """Median GPU time of each pass [ms] over the last frames since a change, and of whole frames, by name."""
        frames = [frame for frame in self._times if frame.index > self._since]
        passes = {name: median(one.gpu_ms for one in times) for name, times in by_pass(frames).items()}
        return passes | ({"frame": median(frame.gpu_ms for frame in frames)} if frames else {})

    def handle_event(self, event: dict[str, Any]) -> None:
        """Take an event of the page, as jupyter_rfb names them."""
        kind, view = event["type"], self.settings.view
        self._is_fast = "Shift" in event.get("modifiers", ())
        if kind == "close":
            self._release()
        if self._is_closed or not all(np.isfinite(value) for value in event.values() if isinstance(value, float)):
            return
        if kind == "resize":
            ratio = event.get("ratio", 1.0)
            size = round(event["width"] * ratio), round(event["height"] * ratio)
            with current(self._ctx):
                if min(size) > 0 and not picture_obstacle(self._ctx, size):
                    self._renderer.resize(size)
                    self._since = self._frames
        elif kind in ("pointer_down", "pointer_up"):
            self._pointer = (event["x"], event["y"]) if kind == "pointer_down" else None
        elif kind == "pointer_move" and self._pointer:
            (x, y), self._pointer = self._pointer, (event["x"], event["y"])
            height = round(float(self.css_height.removesuffix("px")))
            view = self._steering.drag(view, event["x"] - x, event["y"] - y, height)
        elif kind == "wheel":
            view = self._steering.wheel(view, -event["dy"] / NOTCH)
        elif kind in ("key_down", "key_up"):
            key = event["key"].upper()
            self._held = (self._held | {key} if kind == "key_down" else self._held - {key}) & HELD_KEYS.keys()
            self.is_paused ^= kind == "key_down" and key == " "
        self.settings = self.settings.model_copy(update={"view": view})
        self.request_draw()

    def _release(self) -> None:
        """Release the GPU's memory, once."""
        if not self._is_closed:
            self._is_closed = True
            with current(self._ctx):
                self._timers.release()
                self._renderer.release()
            self._ctx.release()
