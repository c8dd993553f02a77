"""The backend that picks one: what tuning found best on this GPU, or else a choice by size.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section V: a line
that fits a work group is transformed there, a longer one in several passes, and one of awkward length as a convolution.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import moderngl
from pydantic import PositiveInt, ValidationError

from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import AxisTransform, FFTError, Fusion
from ocean.fft.four_step import FourStep
from ocean.fft.registers import smooth_obstacle
from ocean.fft.stockham_global import StockhamGlobal
from ocean.fft.stockham_registers import StockhamRegisters
from ocean.fft.storage import FieldStorage
from ocean.gpu.context import Limits, limits
from ocean.parameters import Parameters

BUILT_IN: tuple[tuple[int, type[AxisTransform]], ...] = (
    (8192, StockhamRegisters),  # up to this length, where a work group can hold it
    (1 << 24, FourStep),
    (1 << 30, StockhamGlobal),
    (1 << 30, Bluestein),
)


class TunedPlan(Parameters):
    """What was fastest for one length of line and so many layers."""

    size: PositiveInt
    layers: PositiveInt
    backend: str
    options: Mapping[str, Any] = {}


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
        """The plan for this length, tuned for the nearest number of layers (by ratio)."""
        fitting = [plan for plan in self.plans if plan.size == size]
        return min(fitting, key=lambda plan: max(plan.layers, layers) / min(plan.layers, layers), default=None)


_tuned: WeakKeyDictionary[moderngl.Context, TunedPlans] = WeakKeyDictionary()


def use_tuned(ctx: moderngl.Context, plans: TunedPlans | None) -> bool:
    """Let `auto` pick from these plans on this context, or from the built-in table alone; whether they were tuned on
    such a GPU and driver, since others are left alone."""
    _tuned.pop(ctx, None)
    if plans is None or (plans.gpu, plans.driver) != (ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"]):
        return False
    _tuned[ctx] = plans
    return True


class Auto(AxisTransform):
    """Never made itself: `make` makes what it picks."""

    summary = "Whichever is fastest: as tuned on this GPU, or in registers, four-step, or Bluestein by size."
    DOUBLE = True

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> AxisTransform:
        backend, chosen = cls.choose(fields, fields.length(axis))
        return backend.make(fields, axis, chosen, scale)

    @classmethod
    def choose(cls, fields: FieldStorage[Any], size: int) -> tuple[type[AxisTransform], Parameters]:
        """The backend for lines of this size in such fields, and its options."""
        from ocean.fft.backends import BACKENDS  # which lists this class too

        there = limits(fields.ctx)
        tuned = _tuned[fields.ctx].find(size, fields.layers) if fields.ctx in _tuned else None
        backend = BACKENDS.get(tuned.backend, cls) if tuned and not fields.double else cls
        if tuned and backend is not cls:
            with suppress(ValidationError):  # options of another version of the program
                options = backend.Options.model_validate(dict(tuned.options))
                if not backend.obstacle(there, size, options):
                    return backend, options
        return cls._built_in(there, size, fields.double)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Any) -> Fusion | None:
        backend, chosen = cls.choose(fields, fields.width)
        return backend.fusion(fields, chosen)

    @classmethod
    def _built_in(cls, there: Limits, size: int, double: bool) -> tuple[type[AxisTransform], Parameters]:
        for longest, backend in BUILT_IN:
            options = backend.Options()
            if size <= longest and (backend.DOUBLE or not double) and not backend.obstacle(there, size, options):
                return backend, options
        raise FFTError(f"auto: knows no backend for {size} elements")

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return Bluestein.obstacle(limits, size, Bluestein.Options())  # which is the last resort

    @classmethod
    def error_limit(cls, size: int, options: Parameters) -> float:
        backend = Bluestein if smooth_obstacle(size) else FourStep
        return backend.error_limit(size, backend.Options())

    def run(self, inverse: bool) -> None:
        raise NotImplementedError("make() makes another class")
