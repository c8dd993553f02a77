"""The backend that picks one: what tuning found best on this GPU, or else a choice by size.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section V: a line
that fits a work group is transformed there, a longer one in several passes, and one of awkward length as a convolution.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import moderngl
from pydantic import PositiveInt, ValidationError

from ocean.common.parameters import Parameters
from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import AxisTransform, FFTError, Fusion, options_of
from ocean.fft.four_step import FourStep
from ocean.fft.registers import smooth_obstacle
from ocean.fft.stockham_global import StockhamGlobal
from ocean.fft.stockham_registers import StockhamRegisters
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import Limits, limits

BUILT_IN: tuple[tuple[int, type[AxisTransform]], ...] = (
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


def choice_of(ctx: moderngl.Context, choice: TunedChoice, size: int) -> tuple[type[AxisTransform], Parameters]:
    """A tuned backend for lines of this size, and its options.

    Raises:
        FFTError: when the program has no such backend or option, as another version of it may have had, or they can't
            run here.
    """
    options = options_of(Auto.backends, choice.backend, choice.options)
    backend = Auto.backends[choice.backend]
    if backend is Auto:
        raise FFTError(f"{choice.backend}: picks a backend and is none")
    if reason := backend.obstacle(limits(ctx), size, options):
        raise FFTError(f"{choice.backend}: {reason}")
    return backend, options


def pair_of(ctx: moderngl.Context, pair: TunedPair, size: int) -> tuple[type[AxisTransform], Parameters, Parameters]:
    """The same of a pair; the first axis' options come last.

    Raises:
        FFTError: as `choice_of` does.
    """
    first = TunedChoice(backend=pair.backend, options=pair.first)
    return *choice_of(ctx, pair, size), choice_of(ctx, first, size)[1]


class Auto(AxisTransform):
    """Never made itself: `make` makes what it picks."""

    summary = "Picks one: as tuned on this GPU, or by size in registers, four-step, a dispatch a stage, or Bluestein."
    DOUBLE = True
    backends: ClassVar[Mapping[str, type[AxisTransform]]] = {}
    """Those that a tuned plan may name; `ocean.fft.backends`, which lists this one too, fills it in."""

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> AxisTransform:
        backend, chosen = cls.choose(fields, fields.length(axis))
        return backend.make(fields, axis, chosen, scale)

    @classmethod
    def choose(cls, fields: FieldStorage[Any], size: int) -> tuple[type[AxisTransform], Parameters]:
        """The backend for lines of this size in such fields, and its options."""
        return cls.tuned(fields, size) or cls.built_in(limits(fields.ctx), size, fields.double)

    @classmethod
    def tuned(cls, fields: FieldStorage[Any], size: int) -> tuple[type[AxisTransform], Parameters] | None:
        """The same as far as tuning found it, which was in images, and it can run."""
        if plan := cls.plan_for(fields, size):
            with suppress(FFTError):
                return choice_of(fields.ctx, plan, size)
        return None

    @staticmethod
    def plan_for(fields: FieldStorage[Any], size: int) -> TunedPlan | None:
        return None if fields.BUFFER else tuned_plan(fields.ctx, size, fields.layers)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Any) -> Fusion | None:
        """Return how its axes are fused with what makes their input. The best kernels for that may be others than for a
        transform alone, so they are tuned by themselves."""
        backend, *chosen = cls.pair(fields)
        second, first = (backend.fusion(fields, options) for options in chosen)
        return second.beginning_as(first) if second and first else None

    @classmethod
    def pair(cls, fields: FieldStorage[Any]) -> tuple[type[AxisTransform], Parameters, Parameters]:
        """The backend for such squares, where they are fused with what makes their input, its options, and those of
        their first axis."""
        size, plan = fields.width, cls.plan_for(fields, fields.width)
        if plan and plan.fused:
            with suppress(FFTError):
                return pair_of(fields.ctx, plan.fused, size)
        backend, options = cls.built_in(limits(fields.ctx), size, fields.double)
        return backend, options, options

    @classmethod
    def built_in(cls, there: Limits, size: int, double: bool = False) -> tuple[type[AxisTransform], Parameters]:
        """The backend for lines of this size by the table, and its options."""
        for longest, backend in BUILT_IN:
            options = backend.Options()
            if size <= longest and (backend.DOUBLE or not double) and not backend.obstacle(there, size, options):
                return backend, options
        raise FFTError(f"auto: knows no backend for {size} elements")

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return Bluestein.obstacle(limits, size, Bluestein.Options())  # which is the last resort

    @classmethod
    def error_limit(cls, size: int, options: Parameters, double: bool = False) -> float:
        backend = Bluestein if smooth_obstacle(size) else FourStep
        return backend.error_limit(size, backend.Options(), double)

    def run(self, inverse: bool) -> None:
        """Nobody calls it: `make` returns an instance of the class that it picked, and there is none of this one."""
        raise NotImplementedError("make() makes another class")
