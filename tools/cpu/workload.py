"""Transforms on the CPU: algorithms of the texts, libraries, and the speed-up of both by threads.

Mota 2022, table 2; Govindaraju et al. 2008, figures 8, 11 to 16 and 18; Rao 2019, figures 1 to 6; both curves of Davis
and Dharma. All data are complex64, as on the GPU; times are by the wall clock.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from math import log2, prod
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from ocean.bench.cases import powers
from ocean.bench.contest import Found, Request, Task, add_twin, noise_of
from ocean.bench.rows import Row, conventional_flops
from ocean.common.facts import usable
from ocean.fft.contract import AxisTransform
from ocean.fft.measure import Candidate, Measurement, measure
from ocean.gpu.timing import BATCH_MS
from tools.cpu.host_timer import HostTimer, no_rate, visited_processors
from tools.cpu.transforms import IN_C, OWN, FourStep, GroupLoops, NoCompilerError, in_c, library
from tools.papers.cases import MIXED, PRIME_SWEEP, PRIMES, SWEEP_ELEMENTS

Array = NDArray[np.complex64]
Transform = Callable[[Any], Any]

ELEMENTS = 1 << 20  # elements of a batch of lines, and of a line shared by threads
WEAK_ELEMENTS = 1 << 18  # elements for each thread of a line that grows with the threads
LONG_MS = 25.0  # smallest time of a sample for growth with size or threads: of many batches, at least one runs alone
FFTW_PLANNER = "FFTW_ESTIMATE"
MOST_DIRECT, MOST_RECURSIVE = 1 << 11, 1 << 14
"""The longest lines of transforms whose time grows with N², or that need 2N calls of Python functions."""
MOST_IMAGE = 1 << 13
"""Sides of an image. The expected result in double precision takes 1 GiB."""


@dataclass
class Group:
    """Transforms of the same numbers, along the last axis or the last two, that are compared."""

    part: str
    size: int
    batch: int = 1
    dimensions: int = 1
    lines: int | None = None  # row length of a rectangle; None for a square
    round_trip: bool = False  # forward and inverse
    twins: tuple[str, ...] = ("scipy",)  # contestants measured twice, for the noise
    sample_ms: float = BATCH_MS["wall"]  # smallest time of a sample
    contestants: list["Contestant"] = field(default_factory=list)

    def add(self, name: str, forward: Transform, inverse: Transform | None = None, workers: int = 1) -> None:
        run = forward
        if self.round_trip and inverse:

            def run(x: Array) -> Any:
                return inverse(forward(x))

        self.contestants.append(Contestant(name, run, workers))

    @property
    def lengths(self) -> tuple[int, ...]:
        return (self.lines or self.size, self.size) if self.dimensions == 2 else (self.size,)

    def input(self, seed: int) -> Array:
        values = np.random.default_rng(seed).standard_normal((self.batch, *self.lengths, 2), np.float32)
        found: Array = values.view(np.complex64)[..., 0]
        return found

    def expected(self, x: Array) -> NDArray[np.complex128]:
        if self.round_trip:
            return x.astype(np.complex128) * np.float64(prod(self.lengths))
        found: NDArray[np.complex128] = np.fft.fftn(x.astype(np.complex128), axes=tuple(range(-self.dimensions, 0)))
        return found


@dataclass
class Contestant:
    """Transform of a group, or the reason why it can't run."""

    name: str
    run: Transform | None
    workers: int
    obstacle: str | None = None


def threads() -> list[int]:
    """Return the numbers of threads: 1, 2, 4 and so on, and the number of processors of this process."""
    cores = usable()
    return sorted({*powers(0, int(log2(cores))), cores})


PARTS = (
    *("there-and-back", "single", "four-step", "strong", "weak", "images", "rectangles"),
    *("lines", "mixed", "primes", "line-a-thread", "prime-sweep"),
)


def steps(request: Request, parts: Sequence[str] = PARTS) -> list[Task]:
    """Return a step for each group of these parts. Requested sizes replace all sizes except those for the scaling of
    threads."""
    return [partial(measure_group, request, make) for make in groups(request.sizes) if make.args[0] in parts]


def groups(sizes: Sequence[int]) -> Iterator[partial[Group]]:
    whole = [size for size in sizes if size & (size - 1) == 0]
    for size in whole if sizes else powers(7, 11):
        yield partial(written, "there-and-back", size, round_trip=True, twins=("direct-c", "scipy"))
    for size in whole if sizes else powers(1, 20):
        yield partial(written, "single", size)
    for size in whole if sizes else powers(10, 20, 2):
        if size >= 4:
            yield partial(shared, "four-step", size, sorted({1, threads()[-1]}))
    yield partial(shared, "strong", ELEMENTS, threads())
    for workers in threads():
        if workers & (workers - 1) == 0:
            yield partial(shared, "weak", WEAK_ELEMENTS * workers, [workers])
    for size in (size for size in sizes or powers(7, 11) if size <= MOST_IMAGE):
        yield partial(batches, "images", size, 1, [threads()[-1]], dimensions=2)
    for size in sizes or powers(4, 16, 2):
        if size < ELEMENTS:
            rows = ELEMENTS // size
            yield partial(batches, "rectangles", size, 1, [threads()[-1]], dimensions=2, lines=rows)
    for size in sizes or powers(1, 20):
        if size <= ELEMENTS:
            yield partial(batches, kind_of(size), size, ELEMENTS // size, threads())
    for size in sizes or powers(4, 20, 2):
        for count in threads():
            yield partial(batches, "line-a-thread", size, count, [count], with_numpy=False)
    for size in () if sizes else (*MIXED, *PRIMES):
        if size <= ELEMENTS:
            yield partial(batches, kind_of(size), size, ELEMENTS // size, threads())
    for size in () if sizes else PRIME_SWEEP:
        yield partial(batches, "prime-sweep", size, SWEEP_ELEMENTS // size, [threads()[-1]], with_numpy=False)


def kind_of(size: int) -> str:
    if size & (size - 1) == 0:
        return "lines"
    return "primes" if all(size % factor for factor in range(2, int(size**0.5) + 1)) else "mixed"


def written(part: str, size: int, **values: Any) -> Group:
    """Return the algorithms in numpy and in C, and libraries, for one line; `values` are other fields of the group."""
    group = Group(part, size, sample_ms=LONG_MS, **values)
    longest = {"direct": MOST_DIRECT, "matrix": MOST_DIRECT, "recursive": MOST_RECURSIVE}
    for name, transform in OWN.items():
        if size <= longest.get(name, size):
            group.add(name, each(transform, False), each(transform, True))
    for name in IN_C:
        if size <= longest.get(name, size):
            try:
                transform = partial(in_c, library(), name.replace("-", "_"))
                group.add(f"{name}-c", each(transform, False), each(transform, True))
            except NoCompilerError as error:
                group.contestants.append(Contestant(f"{name}-c", None, 1, str(error)))
    add_libraries(group, [1])
    return group


def each(transform: Callable[[Any, bool], Any], inverse: bool) -> Transform:
    """Return a transform of a batch by a function for one line."""
    return lambda x: transform(x[0], inverse)[None]


def batches(part: str, size: int, batch: int, workers: Sequence[int], with_numpy: bool = True, **values: Any) -> Group:
    """Return libraries with these numbers of threads, for a batch of lines; `values` are other fields of the group."""
    group = Group(part, size, batch, **values)
    add_libraries(group, workers, with_numpy)
    return group


def shared(part: str, size: int, workers: Sequence[int]) -> Group:
    group = Group(part, size, twins=("four-step", "group-loops"), sample_ms=LONG_MS)
    for count in workers:
        group.add("four-step", each(FourStep(count), False), workers=count)
        for name, inner in (("group-loops", False), ("all-loops", True)):
            try:
                group.add(name, each(GroupLoops(count, inner), False), workers=count)
            except NoCompilerError as error:
                group.contestants.append(Contestant(name, None, count, str(error)))
    return group


def add_libraries(group: Group, workers: Sequence[int], with_numpy: bool = True) -> None:
    """Add numpy, which has one thread, and scipy and FFTW with these numbers of threads."""
    axes = tuple(range(-group.dimensions, 0))
    if with_numpy:
        group.add("numpy", lambda x: np.fft.fftn(x, axes=axes), lambda x: np.fft.ifftn(x, axes=axes, norm="forward"))
    for count in workers:
        forward: Transform = partial(scipy.fft.fftn, axes=axes, workers=count)
        inverse: Transform = partial(scipy.fft.ifftn, axes=axes, workers=count, norm="forward")
        group.add("scipy", forward, inverse, count)
    try:
        library = importlib.import_module("pyfftw")
    except ImportError:
        said = "pyfftw is missing; `python -m pip install pyfftw` installs it"
        group.contestants.append(Contestant("pyfftw", None, 1, said))
        return
    for count in workers:
        group.add("pyfftw", *fftw(library, (group.batch, *group.lengths), axes, count), count)


def fftw(library: Any, shape: tuple[int, ...], axes: tuple[int, ...], workers: int) -> tuple[Transform, Transform]:
    """Return plans with FFTW's estimate, from one array into another; they hold an aligned copy of the input. Measured
    plans are faster, but planning takes seconds for each of hundreds."""
    arrays = [library.empty_aligned(shape, "complex64") for _ in range(3)]
    common = {"axes": axes, "threads": workers, "flags": (FFTW_PLANNER,)}
    there = library.FFTW(arrays[0], arrays[1], direction="FFTW_FORWARD", **common)
    back = library.FFTW(arrays[1], arrays[2], direction="FFTW_BACKWARD", **common)
    held: Array | None = None

    def forward(x: Array) -> Any:
        nonlocal held
        if x is not held:  # the first run
            np.copyto(arrays[0], x)
            held = x
        return there()

    return forward, lambda _: back(normalise_idft=False)


def measure_group(request: Request, make: Callable[[], Group]) -> Found:
    """Measure all transforms of a group in turn; those of one thread on processors that work at their best rate."""
    group = make()
    x = group.input(request.seed)
    expected = group.expected(x)
    limit = 2 * AxisTransform.error_limit(max(group.lengths), AxisTransform.Options())  # forward and inverse
    results = [Measurement(one.name, one.obstacle, error_limit=limit) for one in group.contestants]
    alone = all(one.workers == 1 for one in group.contestants)
    with visited_processors() if alone else nullcontext(no_rate) as rate:
        candidates: list[Candidate] = []
        for one, result in zip(group.contestants, results, strict=True):
            if one.run:
                run, timer = partial(one.run, x), HostTimer(group.sample_ms, rate)
                candidates.append(Candidate(result, timer, lambda: None, run, run, lambda: expected))
        present = {one.result.name for one in candidates}
        twins = [pair for name in group.twins if name in present for pair in add_twin(candidates, name)]
        for _ in measure(candidates, request.rounds):
            pass
    rows = [row(group, *one) for one in zip(group.contestants, results, strict=True)]
    noise = [one.model_copy(update={"part": group.part}) for one in noise_of("cpu", group.size, twins)]
    return Found(rows, noise)


def row(group: Group, contestant: Contestant, result: Measurement) -> Row:
    """Return a row of a group, without fields for GPUs."""
    values = result.row("wall") | {"submit_us": None}
    if result.median_ms:
        runs = 2 if group.round_trip else 1
        values["gflops"] = runs * conventional_flops(prod(group.lengths), group.batch) / (result.median_ms * 1e6)
    return Row(
        workload="cpu",
        part=group.part,
        name=contestant.name,
        kind="cpu",
        options=f"{contestant.workers} threads" if contestant.workers > 1 else "",
        dimensions=2 if group.dimensions == 2 else 1,
        size=group.size,
        lines=group.lines,
        batch=group.batch,
        storage="complex64",
        plan=FFTW_PLANNER if contestant.name == "pyfftw" and contestant.run else "",
        direction="both" if group.round_trip else "forward",
        workers=contestant.workers,
        **values,
    )
