"""Passes of a frame: a frame is a flat tuple of named passes, and one loop runs, times and labels them.

A pass sets all the GPU state that it relies on. A pass that writes an image or a buffer issues the barrier for its
readers. Passes share buffers and images, and no state of OpenGL.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import moderngl

if TYPE_CHECKING:
    from ocean.gpu.timing import PassTimers

DEBUGGER = "GL_EXT_debug_tool"  # extension of RenderDoc and its like; scopes cost CPU time without a reader


Bits = moderngl.Context
BUFFERS_WRITTEN = (
    Bits.SHADER_STORAGE_BARRIER_BIT
    | Bits.UNIFORM_BARRIER_BIT
    | Bits.COMMAND_BARRIER_BIT
    | Bits.VERTEX_ATTRIB_ARRAY_BARRIER_BIT
    | Bits.BUFFER_UPDATE_BARRIER_BIT
)
"""Barrier after shaders that write buffers, for all that reads them."""
IMAGES_WRITTEN = (
    BUFFERS_WRITTEN
    | Bits.SHADER_IMAGE_ACCESS_BARRIER_BIT
    | Bits.TEXTURE_FETCH_BARRIER_BIT
    | Bits.TEXTURE_UPDATE_BARRIER_BIT
    | Bits.FRAMEBUFFER_BARRIER_BIT
)
"""Barrier after shaders that write images, and perhaps buffers."""


Run = Callable[["Frame"], Iterator[None] | None]
"""Work of a pass. It may return an iterator that does it in parts, and that expects other work in between."""


@dataclass(frozen=True)
class Frame:
    """The values that change from frame to frame and are no settings."""

    time: float = 0.0  # s, of the sea
    step: float = 0.0  # s since the frame before; negative when time went back
    index: int = 0


class Pass(NamedTuple):
    """One named step of a frame.

    `dispatches` counts compute dispatches and draws. `bytes_moved` counts the bytes that it must read and write at
    least, for the overlay's GB/s. `help` is a sentence on its work, `view` the debug view that shows its output, if one
    does. `catch_up` does before `run` what has been left undone, in parts that take less than a frame, and yields the
    share that is done between them.
    """

    name: str
    run: Run
    dispatches: int = 1
    bytes_moved: int = 0
    help: str = ""
    view: str = ""
    catch_up: Callable[[Frame], Iterator[float]] = lambda frame: iter(())


def run_passes(ctx: moderngl.Context, passes: Iterable[Pass], frame: Frame, timers: "PassTimers | None" = None) -> None:
    """Run the passes in order, each in a debug scope where a debugger shows them, and time them one after the other."""
    for _ in each_pass(ctx, passes, frame, timers):
        pass


def each_pass(
    ctx: moderngl.Context, passes: Iterable[Pass], frame: Frame, timers: "PassTimers | None" = None
) -> Iterator[str]:
    """Run the passes as `run_passes` does, and yield before each part of the work its name. A caller that does other
    work in between starts the timers again."""
    passes = tuple(passes)
    scope = ctx.debug_scope if DEBUGGER in ctx.extensions else nullcontext
    if timers is not None:
        timers.start()
    for number, step in enumerate(passes, start=1):
        yield (name := f"{step.name}, pass {number} of {len(passes)}")
        for share in step.catch_up(frame):
            yield f"{step.name}, {share:.0%}"
        parts = _parts(step, frame)
        while True:
            with scope(step.name):
                is_whole = next(parts, True)
                if timers is not None:
                    timers.lap(step.name)
            if is_whole:
                break
            yield name


def _parts(step: Pass, frame: Frame) -> Iterator[bool]:
    """Run a pass in its parts, and yield False between them."""
    for _ in step.run(frame) or ():
        yield False
