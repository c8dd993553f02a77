"""Passes of a frame: a frame is a flat tuple of named passes, and one loop runs, times and labels them.

A pass sets all the GPU state that it relies on. A pass that writes an image or a buffer issues the barrier for its
readers. Passes share buffers and images, but no OpenGL state.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import NamedTuple, Protocol

import moderngl

from ocean.gpu.context import current

DEBUGGER = "GL_EXT_debug_tool"  # extension of RenderDoc and similar tools; without one, scopes would cost CPU time


Bits = moderngl.Context
BUFFERS_WRITTEN = (
    Bits.SHADER_STORAGE_BARRIER_BIT
    | Bits.UNIFORM_BARRIER_BIT
    | Bits.COMMAND_BARRIER_BIT
    | Bits.VERTEX_ATTRIB_ARRAY_BARRIER_BIT
    | Bits.BUFFER_UPDATE_BARRIER_BIT
)
"""Barrier after shaders that write buffers, for all readers."""
IMAGES_WRITTEN = (
    BUFFERS_WRITTEN
    | Bits.SHADER_IMAGE_ACCESS_BARRIER_BIT
    | Bits.TEXTURE_FETCH_BARRIER_BIT
    | Bits.TEXTURE_UPDATE_BARRIER_BIT
    | Bits.FRAMEBUFFER_BARRIER_BIT
)
"""Barrier after shaders that write images, and perhaps buffers."""


def dispatch(program: moderngl.ComputeShader, x: int, y: int = 1, z: int = 1, barrier: int = IMAGES_WRITTEN) -> None:
    """Run a program in x × y × z work groups, and issue the barrier for readers of what it writes."""
    program.run(x, y, z)
    program.ctx.memory_barrier(barrier)


PassRun = Callable[[], Iterator[None] | None]
"""Work of a pass. A run may return an iterator that does the work in parts; other work may come between parts."""


class Work(NamedTuple):
    """The minimum bytes that a pass moves in a frame, and its arithmetic operations; 0 if they are not counted."""

    bytes: int = 0
    operations: int = 0


class Pass(NamedTuple):
    """One named unit of a frame.

    `run` takes no arguments: the object that owns the pass knows the time of its frame. `dispatches` counts compute
    dispatches and draws, and `bytes_moved` the bytes that the pass must read and write at least; both are 0 where they
    differ from frame to frame. `help` is a sentence on its work; `debug_view` names a debug view of its output. Passes
    of the group FFT are summed in the window, those of SEA in a bench. `catch_up` does work that is overdue before
    `run`, in parts shorter than a frame, and yields the completed fraction after each part. `count_work` counts the
    work of the last frame, if more is known than `bytes_moved`. `is_needed` returns whether the frame that has begun
    has work for the pass.
    """

    name: str
    run: PassRun
    dispatches: int = 0
    bytes_moved: int = 0
    help: str = ""
    debug_view: str = ""
    group: str = ""
    catch_up: Callable[[], Iterator[float]] = lambda: iter(())
    count_work: Callable[[], Work] | None = None
    is_needed: Callable[[], bool] = lambda: True

    def work(self) -> Work:
        """Return the work of the last frame. It may wait for the GPU."""
        return self.count_work() if self.count_work else Work(self.bytes_moved)


class Timers(Protocol):
    """Interface of timers of passes, which `PassTimers` in `gpu/timing.py` implements."""

    passes: dict[str, Pass]  # all that have been timed, by name

    def start(self) -> None: ...
    def lap(self, name: str) -> None: ...


def needed(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    """Return the passes that have work in the frame that has begun."""
    return tuple(one for one in passes if one.is_needed())


_END = object()  # of the parts of a pass


class Progress(NamedTuple):
    """Position in a frame's work: the next pass with its number, and the completed fraction while it catches up."""

    name: str
    number: int
    passes: int
    caught_up: float | None = None

    def __str__(self) -> str:
        if self.caught_up is not None:
            return f"{self.name}, {self.caught_up:.0%}"
        return f"{self.name}, pass {self.number} of {self.passes}"


def run_passes(ctx: moderngl.Context, passes: Iterable[Pass], timers: Timers | None = None) -> None:
    """Run and time the passes in order, each in a debug scope if a debugger is attached."""
    with current(ctx):
        for _ in each_pass(ctx, passes, timers):
            pass


def each_pass(ctx: moderngl.Context, passes: Iterable[Pass], timers: Timers | None = None) -> Iterator[Progress]:
    """Run the passes, and yield the progress before each part. Callers with other work in between restart timers."""
    passes = tuple(passes)
    scope = ctx.debug_scope if DEBUGGER in ctx.extensions else nullcontext
    if timers is not None:
        timers.start()
    for number, one in enumerate(passes, start=1):
        yield (progress := Progress(one.name, number, len(passes)))
        for share in one.catch_up():
            yield progress._replace(caught_up=share)
        parts: Iterator[None] | None = None
        while True:
            with scope(one.name):
                parts = iter(one.run() or ()) if parts is None else parts
                is_whole = next(parts, _END) is _END
                if timers is not None:
                    timers.passes[one.name] = one
                    timers.lap(one.name)
            if is_whole:
                break
            yield progress
