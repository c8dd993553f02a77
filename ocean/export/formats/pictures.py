"""Pictures, drawn like captures: PNG, and a movie of all PNGs."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, overload

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ocean.common.errors import shown
from ocean.common.facts import usable
from ocean.common.pictures import Movie, read_png, write_png
from ocean.export.formats.arrays import save_exr
from ocean.export.formats.base import Format, read_ahead
from ocean.export.plan import ExportError, Plan
from ocean.export.sources import Snapshot, open_source, own_context
from ocean.gpu.context import current, kept_drawing
from ocean.render.truth import LAYERS, OBJECTS
from ocean.sea.base import refuse_endless
from ocean.settings import Settings, with_size
from ocean.settings.files import resolve

Pixels = NDArray[np.uint8]
LAYERS_COMMENT = "Ground truth at the centres of the picture's pixels; the JSON beside has the camera and the units."


class Picture(NamedTuple):
    """A picture with ground truth at the centres of its pixels."""

    pixels: Pixels
    layers: dict[str, NDArray[np.float32]]
    """Each (height, width) or (height, width, channels), top row first; `render.truth.LAYERS` has the meanings."""
    camera: dict[str, Any]
    """world_to_camera (4, 4), intrinsics (3, 3) and eye of a pinhole camera: x to the right, y down, z ahead."""


@overload
def render_picture(
    settings: Settings, time: float = ..., size: tuple[int, int] = ..., ctx: moderngl.Context | None = ...
) -> Pixels: ...


@overload
def render_picture(
    settings: Settings,
    time: float = ...,
    size: tuple[int, int] = ...,
    ctx: moderngl.Context | None = ...,
    *,
    layers: Sequence[str],
) -> Picture: ...


def render_picture(
    settings: Settings,
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    ctx: moderngl.Context | None = None,
    *,
    layers: Sequence[str] = (),
) -> Pixels | Picture:
    """Return the picture of a time [s], equal to `export --format png`: sRGB (height, width, 3), top row first. With
    `layers` of ground truth, such as ("depth", "motion"), return a `Picture`.

    First the sea runs through the memory of its foam, at 24 frames per second. Without a context the function makes one
    and releases it; in a given one, the bound framebuffer, its viewport and moderngl's switches stay.

    Raises:
        SettingsError: when the settings can't be drawn, or the size is out of range.
        ContextError: when there is no usable OpenGL.
        FFTError: when the backend can't run the size on this GPU.
        ExportError: when `sky.metering` is automatic, which needs earlier pictures, or the time is out of range.
    """
    refuse_endless(time)
    chosen = resolve(with_size(settings, size))
    if isinstance(layers, str) or not isinstance(layers, Collection) or not all(isinstance(one, str) for one in layers):
        raise ExportError(f"layers are names such as ('depth', 'motion'), not {shown(layers)}")
    plan = Plan(chosen, frames=1, format="png", start=time, layers=tuple(layers))
    with ExitStack() as stack:
        if ctx is None:
            ctx = stack.enter_context(own_context("gpu"))
        else:
            stack.enter_context(current(ctx))
            stack.enter_context(kept_drawing(ctx))
        frame = stack.enter_context(open_source(plan, ctx)).frame(0)
        picture = pixels(plan, frame).copy()
        return Picture(picture, frame.layers, frame.camera) if layers else picture


def channels(layers: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Return the channels of layers by their names in EXR files, such as position.X."""
    return {
        f"{name}.{letter}": values.reshape(*values.shape[:2], -1)[..., i]
        for name, values in layers.items()
        for i, letter in enumerate(LAYERS[name][0])
    }


class PngFormat(Format):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.threads = usable()  # compressing a picture takes longer than drawing it
        if plan.layers:
            import_module("OpenEXR")

    def names(self, index: int) -> list[str]:
        layers = [f"layers.{index:06d}.exr", f"layers.{index:06d}.json"] if self.plan.layers else []
        return [f"frame.{index:06d}.png", *layers]

    def write(self, frame: Snapshot, folder: Path) -> None:
        self.write_picture(folder / self.names(frame.index)[0], pixels(self.plan, frame))
        if frame.layers:
            exr, sidecar = (folder / name for name in self.names(frame.index)[1:])
            save_exr(exr, self.plan, frame, channels(frame.layers), LAYERS_COMMENT, {})
            meaning = {name: LAYERS[name][1] for name in frame.layers}
            record = {"time": frame.time, "fps": self.plan.fps, **frame.camera, "objects": OBJECTS, "layers": meaning}
            sidecar.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")

    def write_picture(self, path: Path, picture: Pixels) -> None:
        Image.fromarray(picture).save(path)


class MovieFormat(PngFormat):
    def write_picture(self, path: Path, picture: Pixels) -> None:
        write_png(path, picture)

    def final(self) -> list[str]:
        return ["sea.mp4"]

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        pictures = (path / self.names(index)[0] for index in range(self.plan.frames))
        capture = self.plan.settings.capture
        with Movie(folder / "sea.mp4", (capture.width, capture.height), self.plan.fps) as movie:
            for picture in read_ahead(read_png, pictures, self.threads):
                movie.add_frame(picture)
                advance()


def pixels(plan: Plan, frame: Snapshot) -> Pixels:
    """Return the picture of a frame, (height, width, 3), rows from the top down."""
    capture = plan.settings.capture
    return np.frombuffer(frame.picture, np.uint8).reshape(capture.height, capture.width, 3)[::-1]
