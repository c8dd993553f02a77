"""A picture drawn in steps, so that the window shows its interface in between.

Compiling shaders at their first use takes seconds, and so does drawing on a software renderer. Knows no interface.
"""

import time as clock
from collections.abc import Iterator

import moderngl

from ocean.gpu.passes import Progress

PATIENCE = 0.5  # s after which the rest of a picture waits for the next frame
LONG = 1.0  # s; a step that took longer in the last picture is announced
SLOW = 3.0  # s after which any picture shows its progress
FEW_STEPS = 8  # steps after which a picture that waits for nonlinear waves counts as catching up


class Drawing:
    """The remaining steps of a picture, the times of the steps of earlier pictures, and the compiled programs."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._steps: Iterator[Progress] | None = None
        self._next: Progress | None = None
        self._took: dict[str, float] = {}  # time of each step [s], by its words
        self._began = 0.0  # s
        self._programs: object = None
        self._compiled: set[object] = set()
        self.time = 0.0  # time of the sea in the picture [s]

    @property
    def is_on(self) -> bool:
        """Return whether a picture has begun and is not whole."""
        return self._steps is not None

    @property
    def is_interrupted(self) -> bool:
        """Return whether some steps of the picture are done."""
        return self._next is not None

    @property
    def is_catching_up(self) -> bool:
        """Return whether the picture waits for nonlinear waves up to its time, which can take minutes."""
        return self._next is not None and self._next.caught_up is not None

    def begin(self, steps: Iterator[Progress], time: float, programs: object) -> None:
        """Begin a picture of a time of the sea [s], drawn by these programs. `steps` yields each step before it is
        done."""
        self._steps, self.time, self._programs = steps, time, programs
        self._began = clock.perf_counter()

    def give_up(self) -> None:
        self._steps, self._next = None, None

    def go_on(self) -> bool:
        """Go on with the picture, and return whether it is whole. An error in a step gives it up."""
        if self._steps is None:
            return False
        began = before = clock.perf_counter()
        last, is_late = self._next, self.is_catching_up
        try:
            for number, step in enumerate(self._steps):
                if step.caught_up is not None and (is_late or number > FEW_STEPS):
                    self._ctx.finish()  # lets the clock see the GPU's remaining work
                now = clock.perf_counter()
                self._note(last, now - before)
                last, before = step, now
                if now - began + self._took.get(str(step), 0.0) > PATIENCE:
                    self._next = step
                    return False
        except Exception:
            self.give_up()
            raise
        self._note(last, clock.perf_counter() - before)
        self._compiled.add(self._programs)
        self.give_up()
        return True

    def _note(self, step: Progress | None, seconds: float) -> None:
        # Times of a first run may include compiling, which the next picture does not repeat.
        if step is not None and self.has_run(self._programs):
            self._took[str(step)] = seconds

    def has_run(self, programs: object) -> bool:
        """Return whether a whole picture has used these programs: no driver then compiles them again."""
        return programs in self._compiled

    def compile_again(self) -> None:
        """Expect that programs are compiled at their next use."""
        self._compiled.clear()

    @property
    def notice(self) -> str:
        """Return a line on the next step of a picture that compiles or takes long; empty for others."""
        is_compiled = self.has_run(self._programs)
        is_slow = clock.perf_counter() > self._began + SLOW or self._took.get(str(self._next), 0.0) > LONG
        if not self.is_interrupted or (is_compiled and not is_slow):
            return ""
        if self.is_catching_up:
            return f"computing {self._next}; Esc goes on with linear waves …"
        return f"{'drawing' if is_compiled else 'compiling'} {self._next} …"
