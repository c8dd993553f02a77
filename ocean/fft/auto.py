"""The automatic choice of a backend: the fastest one by tuning on this GPU, or else a choice by size.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section V. A line
that fits a work group is transformed there, a longer line in several passes, and a line with large prime factors as a
convolution. Tuned plans are cached in one file for each GPU in the user's cache directory.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import moderngl
from pydantic import PositiveInt, ValidationError

from ocean.common.errors import plain, read_own, reason, shown
from ocean.common.files import OutputError, write_text
from ocean.common.parameters import Parameters, nearest_or_all
from ocean.fft.bluestein import Bluestein
from ocean.fft.contract import AxisTransform, Backend, Fusion
from ocean.fft.four_step import FourStep
from ocean.fft.options import (
    REGISTERED,
    BluesteinOptions,
    FFTError,
    FourStepOptions,
    StockhamOptions,
    validated_options,
)
from ocean.fft.registers import StockhamRegisters, divide, smooth_obstacle
from ocean.fft.stockham import StockhamGlobal
from ocean.fft.storage import COLUMNS, ROWS, FieldStorage
from ocean.gpu.context import Limits, is_software, limits

TRANSFORMS: dict[str, Backend] = {}
"""Backends that run on the GPU, by name."""
for _name, (_home, _) in REGISTERED.items():
    _module, _class = _home.split(":")
    TRANSFORMS[_name] = getattr(import_module(f"ocean.fft.{_module}"), _class)

BUILT_IN: tuple[tuple[int, Backend], ...] = (
    (8192, StockhamRegisters),  # up to this length, if a work group can hold it
    (1 << 24, FourStep),
    (1 << 30, StockhamGlobal),
    (1 << 30, Bluestein),
)
SECTOR_BYTES = 32
"""Bytes that memory delivers at once. A group that uses fewer of each row of a buffer wastes the rest: on an H200
columns in registers took twice as long as four steps for an image of 4096 × 4096, and longer for columns of 1024."""
MOST_TUNED = 1 << 22  # maximum bytes in a file of tuned plans


class TunedChoice(Parameters):
    backend: str
    options: Mapping[str, Any] = {}


class TunedPair(TunedChoice):
    """The fastest backend for two fused axes; `first` are the options of the first axis, `options` of the second."""

    first: Mapping[str, Any] = {}


class TunedPlan(TunedChoice):
    """The fastest backend for one length of line and one number of layers of images, or for lines of a buffer."""

    size: PositiveInt
    layers: PositiveInt
    fused: TunedPair | None = None  # for axes fused with the source of their input, if tuned


class TunedPlans(Parameters):
    gpu: str  # GL_RENDERER
    driver: str  # GL_VERSION
    plans: tuple[TunedPlan, ...] = ()  # for images
    lines: tuple[TunedPlan, ...] = ()  # for lines of a buffer

    @classmethod
    def load(cls, path: Path | str) -> "TunedPlans":
        """Read a file of tuned plans. Raises FFTError when there is no such file, or it holds something else."""
        try:
            return cls.model_validate_json(read_own(Path(path), MOST_TUNED))
        except OSError as error:
            raise FFTError(f"can't read {path}: {reason(error)}") from None
        except ValidationError as error:
            raise FFTError(f"{path}: no tuned plans: {error.errors()[0]['msg'].lower()}") from None
        except ValueError as error:
            raise FFTError(f"{path}: no tuned plans: {error}") from None

    def find(self, size: int, layers: int) -> TunedPlan | None:
        """Return the plan for images of this length that was tuned for the nearest number of layers (by ratio)."""
        return between(self.plans, size, layers)

    def with_plans(self, plans: Iterable[TunedPlan] = (), lines: Iterable[TunedPlan] = ()) -> "TunedPlans":
        """Return these plans merged with newer ones, which replace older ones."""
        return self.model_copy(update={"plans": merged(self.plans, plans), "lines": merged(self.lines, lines)})


def between(plans: Sequence[TunedPlan], size: int, layers: int) -> TunedPlan | None:
    """Return the plan of the next shorter length for nearly as many layers, if its backend also won at the next longer
    length."""
    sizes = sorted({plan.size for plan in plans})
    below = nearest(plans, [n for n in sizes if n <= size][-1:], layers)
    above = nearest(plans, [n for n in sizes if n >= size][:1], layers)
    return below if below and above and below.backend == above.backend else None


def nearest(plans: Sequence[TunedPlan], sizes: Sequence[int], layers: int) -> TunedPlan | None:
    """Return the plan of one of these lengths for the nearest number of layers, by ratio."""
    fitting = [plan for plan in plans if plan.size in sizes]
    return min(fitting, key=lambda plan: max(plan.layers, layers) / min(plan.layers, layers), default=None)


def crossovers(plans: Sequence[TunedPlan], layers: int) -> list[tuple[int, str]]:
    """Return each length from which another backend wins, and that backend."""
    sizes = sorted({plan.size for plan in plans})
    winners = [(size, plan.backend) for size in sizes if (plan := nearest(plans, [size], layers))]
    changes = zip([(0, ""), *winners], winners, strict=False)
    return [now for before, now in changes if now[1] != before[1]]


def merged(plans: Iterable[TunedPlan], newer: Iterable[TunedPlan]) -> tuple[TunedPlan, ...]:
    """Return plans with newer ones in their place, by length and number of layers, in order."""
    found = {(plan.size, plan.layers): plan for plan in (*plans, *newer)}
    return tuple(found[key] for key in sorted(found))


_tuned: WeakKeyDictionary[moderngl.Context, TunedPlans | None] = WeakKeyDictionary()
_reads_cache = False


def use_cache(is_wanted: bool = True) -> None:
    """Let `auto` read the cache of tuned plans at its first choice on a context, or not at all. Forget all plans."""
    global _reads_cache
    _reads_cache = is_wanted
    _tuned.clear()


def use_tuned(ctx: moderngl.Context, plans: TunedPlans | None) -> bool:
    """Let `auto` choose from these plans on this context, or from the built-in table alone.

    Return whether the plans were tuned on this GPU and driver; other plans are ignored.

    Raises:
        TypeError: when `ctx` is not a context, or `plans` are not plans.
    """
    if not isinstance(ctx, moderngl.Context):
        raise TypeError(f"use_tuned takes a moderngl.Context, not {shown(ctx)}")
    if not isinstance(plans, TunedPlans | None):
        raise TypeError(f"use_tuned takes plans = TunedPlans or None, not {shown(plans)}")
    here = ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"]
    fits = plans is not None and (plans.gpu, plans.driver) == here
    _tuned[ctx] = plans if fits else None
    return fits


def tuned_plans(ctx: moderngl.Context) -> TunedPlans | None:
    """Return the plans that `auto` uses on this context before the built-in table."""
    if ctx not in _tuned:
        use_tuned(ctx, read(ctx) if _reads_cache else None)
    return _tuned[ctx]


class Auto(AxisTransform[Parameters]):
    """The backend that chooses another one for each length of line, among TRANSFORMS."""

    summary = "Picks one: as tuned on this GPU, or by size in registers, four-step, a dispatch per stage, or Bluestein."
    DOUBLE = True

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> AxisTransform[Any]:
        backend, chosen = cls.choose(fields, fields.length(axis), axis)
        return backend.make(fields, axis, chosen, scale)

    @classmethod
    def choose(cls, fields: FieldStorage[Any], size: int, axis: int = ROWS) -> tuple[Backend, Parameters]:
        """Return the backend for lines of this size along an axis of such fields, and its options."""
        backend, chosen, _ = resolved(fields.ctx, plan_for(fields, size), size, fields.double)
        steps = FourStepOptions()
        is_column = fields.BUFFER and axis != ROWS and not is_software(fields.ctx)
        if is_column and isinstance(chosen, StockhamOptions) and not FourStep.obstacle(limits(fields.ctx), size, steps):
            registers = StockhamRegisters.resolved(chosen, size, COLUMNS, fields)
            neighbours = divide(size, COLUMNS, registers, fields.element_bytes).lines
            if neighbours * fields.element_bytes < SECTOR_BYTES:
                return FourStep, steps
        return backend, chosen

    @classmethod
    def explain(cls, fields: FieldStorage[Any]) -> str:
        """Return a sentence on the backend that is chosen for the lines of such fields, and why."""
        size = fields.width
        chosen, _ = cls.choose(fields, size)
        name = next(name for name, backend in TRANSFORMS.items() if backend is chosen)
        if cls.tuned(fields, size):
            return f"auto takes {name}, the fastest for {size} points as tuned on this GPU"
        longest = next(longest for longest, backend in BUILT_IN if backend is chosen)
        return f"auto takes {name}, by the built-in table for lines up to {longest}: no tuning for {size} points here"

    @classmethod
    def tuned(cls, fields: FieldStorage[Any], size: int) -> bool:
        """Return whether a plan was tuned for such storage and fits this GPU."""
        plan = plan_for(fields, size)
        return plan is not None and problem_of(fields.ctx, plan, size=size) is None

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Parameters) -> Fusion | None:
        # Fused axes are tuned separately: other kernels may be fastest than for a transform alone.
        backend, *chosen = cls.pair(fields)
        second, first = (backend.fusion(fields, one) for one in chosen)
        return second.with_first_axis_of(first) if second and first else None

    @classmethod
    def pair(cls, fields: FieldStorage[Any]) -> tuple[Backend, Parameters, Parameters]:
        """Return the backend for fused axes of such squares, and its options for the second axis and the first."""
        plan = plan_for(fields, fields.width)
        return resolved(fields.ctx, plan and plan.fused, fields.width, fields.double)

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        return Bluestein.obstacle(limits, size, Bluestein.Options())  # the last resort

    @classmethod
    def error_limit(cls, size: int, options: Parameters, double: bool = False) -> float:
        if smooth_obstacle(size):
            return Bluestein.error_limit(size, BluesteinOptions(), double)
        return FourStep.error_limit(size, FourStepOptions(), double)


def plan_for(fields: FieldStorage[Any], size: int) -> TunedPlan | None:
    """Return the tuned plan for lines of these fields, or None. Plans exist for images and buffers of complex64."""
    plans = tuned_plans(fields.ctx)
    if plans is None or fields.double or (fields.BUFFER and fields.packed != 1):
        return None
    return between(plans.lines, size, 1) if fields.BUFFER else plans.find(size, fields.layers)


def tuned(ctx: moderngl.Context, choice: TunedChoice, size: int) -> tuple[Backend, Parameters, Parameters]:
    """Return a tuned backend for lines of this size, its options, and those of the first axis of a fused pair. Raises
    FFTError when this version of the program has no such backend or option, or this GPU can't run it."""
    if choice.backend not in TRANSFORMS:
        raise FFTError(f"there is no FFT backend {choice.backend!r}{nearest_or_all(choice.backend, list(TRANSFORMS))}")
    backend = TRANSFORMS[choice.backend]
    first = choice.first if isinstance(choice, TunedPair) else choice.options
    both = [validated_options(choice.backend, options) for options in (choice.options, first)]
    for options in both:
        if reason := backend.obstacle(limits(ctx), size, options):
            raise FFTError(f"{choice.backend}: {reason}")
    return backend, both[0], both[1]


def resolved(
    ctx: moderngl.Context, choice: TunedChoice | None, size: int, double: bool = False
) -> tuple[Backend, Parameters, Parameters]:
    """Return what `tuned` returns for a choice, or the built-in table's choice if there is none or it can't run."""
    with suppress(FFTError):
        if choice:
            return tuned(ctx, choice, size)
    backend, options = built_in(limits(ctx), size, double)
    return backend, options, options


def built_in(there: Limits, size: int, double: bool = False) -> tuple[Backend, Parameters]:
    """Return the backend for lines of this size by the built-in table, and its options."""
    for longest, backend in BUILT_IN:
        options = backend.Options()
        if size <= longest and (backend.DOUBLE or not double) and not backend.obstacle(there, size, options):
            return backend, options
    raise FFTError(f"auto: no backend transforms {size} elements")


def cache_file(gpu: str) -> Path:
    import platformdirs

    name = re.sub(r"[^a-z0-9]+", "-", gpu.lower()).strip("-") or "gpu"
    return Path(platformdirs.user_cache_dir("fft-ocean", appauthor=False)) / f"tuned-{name}.json"


def read(ctx: moderngl.Context) -> TunedPlans | None:
    """Return the tuned plans for this context's GPU and driver, or None.

    Plans that can't run are left out. A warning names them, or says why the file is ignored.
    """
    gpu, driver = ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"]
    path = cache_file(gpu)
    if not os.path.exists(path):
        return None
    try:
        plans = TunedPlans.load(path)
    except FFTError as error:
        warn(f"{error}; the cache is ignored")
        return None
    if (plans.gpu, plans.driver) != (gpu, driver):
        warn(f"{path}: tuned on {plans.gpu} with driver {plans.driver}; the cache is ignored")
        return None
    able, problems = {}, []
    for kind in ("plans", "lines"):
        found = [(plan, problem_of(ctx, plan, plan.fused, size=plan.size)) for plan in getattr(plans, kind)]
        able[kind] = tuple(plan for plan, problem in found if not problem)
        problems += [
            f"{plan.size} and {f'{plan.layers} layers' if kind == 'plans' else 'lines'}: {problem}"
            for plan, problem in found
            if problem
        ]
    if problems:
        count, every = len(problems), len(plans.plans) + len(plans.lines)
        warn(f"{path}: {count} of {every} plans {'is' if count == 1 else 'are'} ignored, the first for {problems[0]}")
    return plans.model_copy(update=able)


def problem_of(ctx: moderngl.Context, *choices: TunedChoice | None, size: int) -> str | None:
    """Return why one of the choices can't run lines of this size, or None if all can."""
    try:
        for choice in filter(None, choices):
            tuned(ctx, choice, size)
    except FFTError as error:
        return str(error)
    return None


def keep(ctx: moderngl.Context, plan: TunedPlan) -> None:
    """Let `auto` use a plan on this context, and save it for later runs if the cache is in use."""
    known = tuned_plans(ctx) or TunedPlans(gpu=ctx.info["GL_RENDERER"], driver=ctx.info["GL_VERSION"])
    use_tuned(ctx, plans := known.with_plans([plan]))
    try:
        if _reads_cache:
            save(ctx, plans)
    except OutputError as error:
        warn(str(error))


def warn(problem: str) -> None:
    print(plain(f"ocean: warning: {problem}; bench --tune makes a new one"), file=sys.stderr)


def save(ctx: moderngl.Context, plans: TunedPlans) -> Path:
    path = cache_file(ctx.info["GL_RENDERER"])
    write_text(path, plans.model_dump_json(indent=1) + "\n")
    return path
