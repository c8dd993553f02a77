"""The backend that picks one: what tuning found best on this GPU, or else a choice by size.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section V: a line
that fits a work group is transformed there, a longer one in several passes, and one of awkward length as a convolution.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import moderngl
from pydantic import PositiveInt, ValidationError

from ocean.common.parameters import Parameters
from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import AxisTransform, Backend, FFTError, Fusion, options_of
from ocean.fft.four_step import FourStep
from ocean.fft.registers import smooth_obstacle
from ocean.fft.stockham_global import StockhamGlobal
from ocean.fft.stockham_registers import StockhamRegisters
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import Limits, limits

BUILT_IN: tuple[tuple[int, Backend], ...] = (
    (8192, StockhamRegisters),  # up to this length, where a work group can hold it
    (1 << 24, FourStep),
    (1 << 30, StockhamGlobal),
    (1 << 30, Bluestein),
)


class TunedChoice(Parameters):
    """A backend with options that were fastest."""

    backend: str
    options: Mapping[str, Any] = {}


class TunedPair(TunedChoice):
    """The same for both axes of squares of which the first makes its input: these options are the second's."""

    first: Mapping[str, Any] = {}


class TunedPlan(TunedChoice):
    """What was fastest for one length of line and so many layers."""

    size: PositiveInt
    layers: PositiveInt
    fused: TunedPair | None = None  # with what makes the input; none tuned


class TunedPlans(Parameters):
    """What tuning found on one GPU."""

    gpu: str  # GL_RENDERER
    driver: str  # GL_VERSION
    plans: tuple[TunedPlan, ...] = ()

    @classmethod
    def load(cls, path: Path) -> "TunedPlans":
        """Read a file of tuned plans.

        Raises:
            FFTError: when there is no such file, or it holds something else.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise FFTError(f"{path}: {error.strerror}") from None
        except ValidationError as error:
            raise FFTError(f"{path}: no tuned plans: {error.errors()[0]['msg'].lower()}") from None

    def find(self, size: int, layers: int) -> TunedPlan | None:
        """The plan for this length, tuned for the nearest number of layers (by ratio). Between two lengths that were
        tuned, and where one backend won at both, it is that of the shorter one."""
        below = self._nearest([n for n in self._sizes if n <= size][-1:], layers)
        above = self._nearest([n for n in self._sizes if n >= size][:1], layers)
        return below if below and above and below.backend == above.backend else None

    @property
    def _sizes(self) -> list[int]:
        return sorted({plan.size for plan in self.plans})

    def _nearest(self, sizes: list[int], layers: int) -> TunedPlan | None:
        fitting = [plan for plan in self.plans if plan.size in sizes]
        return min(fitting, key=lambda plan: max(plan.layers, layers) / min(plan.layers, layers), default=None)

    def crossovers(self, layers: int) -> list[tuple[int, str]]:
        """The lengths from which another backend wins, and which."""
        winners = [(size, plan.backend) for size in self._sizes if (plan := self._nearest([size], layers))]
        changes = zip([(0, ""), *winners], winners, strict=False)
        return [now for before, now in changes if now[1] != before[1]]

    def with_plans(self, plans: Iterable[TunedPlan]) -> "TunedPlans":
        """The same with newer plans in the place of older ones."""
        merged = {(plan.size, plan.layers): plan for plan in (*self.plans, *plans)}
        return self.model_copy(update={"plans": tuple(merged[key] for key in sorted(merged))})


_tuned: WeakKeyDictionary[moderngl.Context, TunedPlans | None] = WeakKeyDictionary()
_source: Callable[[moderngl.Context], TunedPlans | None] | None = None


def ask_for_tuned(source: Callable[[moderngl.Context], TunedPlans | None] | None) -> None:
    """Ask for tuned plans when `auto` first picks on a context that none were given for; None asks nobody."""
    global _source
    _source = source


def use_tuned(ctx: moderngl.Context, plans: TunedPlans | None) -> bool:
    """Let `auto` pick from these plans on this context, or from the built-in table alone; whether they were tuned on
    such a GPU and driver, since others are left alone."""
    fits = plans is not None and plans.gpu == ctx.info["GL_RENDERER"] and plans.driver == ctx.info["GL_VERSION"]
    _tuned[ctx] = plans if fits else None
    return fits


def tuned_plans(ctx: moderngl.Context) -> TunedPlans | None:
    """What `auto` picks from on this context, beside the built-in table."""
    if ctx not in _tuned:
        use_tuned(ctx, _source(ctx) if _source else None)
    return _tuned[ctx]


def tuned_plan(ctx: moderngl.Context, size: int, layers: int) -> TunedPlan | None:
    """What tuning found on this context's GPU for such lines."""
    plans = tuned_plans(ctx)
    return plans.find(size, layers) if plans else None


class Auto:
    """The backend that chooses another one for each length of line, among `backends`."""

    summary = "Picks one: as tuned on this GPU, or by size in registers, four-step, a dispatch a stage, or Bluestein."
    Options = Parameters
    DOUBLE = True

    def __init__(self, backends: Mapping[str, Backend]) -> None:
        self._backends = backends

    def make(self, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> AxisTransform:
        backend, chosen = self.choose(fields, fields.length(axis))
        return backend.make(fields, axis, chosen, scale)

    def choose(self, fields: FieldStorage[Any], size: int) -> tuple[Backend, Parameters]:
        """Return the backend for lines of this size in such fields, and its options."""
        return self.tuned(fields, size) or built_in(limits(fields.ctx), size, fields.double)

    def tuned(self, fields: FieldStorage[Any], size: int) -> tuple[Backend, Parameters] | None:
        """Return the tuned backend and options if they were tuned for images and fit this GPU, else None."""
        if plan := plan_for(fields, size):
            with suppress(FFTError):
                return self.tuned_choice(fields.ctx, plan, size)
        return None

    def tuned_choice(self, ctx: moderngl.Context, choice: TunedChoice, size: int) -> tuple[Backend, Parameters]:
        """Return a tuned backend for lines of this size, and its options.

        Raises:
            FFTError: when this version of the program has no such backend or option, or this GPU can't run it.
        """
        options = options_of(self._backends, choice.backend, choice.options)
        backend = self._backends[choice.backend]
        if reason := backend.obstacle(limits(ctx), size, options):
            raise FFTError(f"{choice.backend}: {reason}")
        return backend, options

    def tuned_pair(self, ctx: moderngl.Context, pair: TunedPair, size: int) -> tuple[Backend, Parameters, Parameters]:
        """Return the backend of a tuned pair, its options for the second axis, and those for the first.

        Raises:
            FFTError: as `tuned_choice` does.
        """
        first = TunedChoice(backend=pair.backend, options=pair.first)
        return *self.tuned_choice(ctx, pair, size), self.tuned_choice(ctx, first, size)[1]

    def fusion(self, fields: FieldStorage[Any], options: Any) -> Fusion | None:
        # The fastest kernels of fused axes may be others than those of a transform alone: they are tuned separately.
        backend, *chosen = self.pair(fields)
        second, first = (backend.fusion(fields, one) for one in chosen)
        return second.with_first_axis_of(first) if second and first else None

    def pair(self, fields: FieldStorage[Any]) -> tuple[Backend, Parameters, Parameters]:
        """Return the backend for fused axes of such squares, and its options for the second axis and the first."""
        size, plan = fields.width, plan_for(fields, fields.width)
        if plan and plan.fused:
            with suppress(FFTError):
                return self.tuned_pair(fields.ctx, plan.fused, size)
        backend, options = built_in(limits(fields.ctx), size, fields.double)
        return backend, options, options

    def obstacle(self, limits: Limits, size: int, options: Parameters) -> str | None:
        return Bluestein.obstacle(limits, size, Bluestein.Options())  # which is the last resort

    def error_limit(self, size: int, options: Parameters, double: bool = False) -> float:
        backend = Bluestein if smooth_obstacle(size) else FourStep
        return backend.error_limit(size, backend.Options(), double)


def plan_for(fields: FieldStorage[Any], size: int) -> TunedPlan | None:
    """Return the tuned plan for lines of these fields, or None: plans are tuned in images."""
    return None if fields.BUFFER else tuned_plan(fields.ctx, size, fields.layers)


def built_in(there: Limits, size: int, double: bool = False) -> tuple[Backend, Parameters]:
    """Return the backend for lines of this size by the built-in table, and its options."""
    for longest, backend in BUILT_IN:
        options = backend.Options()
        if size <= longest and (backend.DOUBLE or not double) and not backend.obstacle(there, size, options):
            return backend, options
    raise FFTError(f"auto: no backend transforms {size} elements")
