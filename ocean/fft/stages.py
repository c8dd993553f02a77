"""Stages of transforms: the operations of each stage on the elements of a line, and the memory it reads and writes.

A backend describes its stages once, in `AxisTransform.stages`. Counts of operations, barriers, dispatches and bytes,
the drawing of its data flow and its trace follow from that description.

An operation consists of nodes. A node reads positions, multiplies their values by roots of unity, transforms,
multiplies again and writes. With one output it is a sum, with one input a move, with no input a zero. Positions, roots
and invocations equal the shaders'. Values belong to the inverse transform, e^{+i}; forward has their conjugates.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby, pairwise
from typing import Self

import numpy as np

PRODUCT = 6
"""Operations on real numbers of a product of two complex numbers."""


class Memory(StrEnum):
    FRONT = "front"
    BACK = "back"
    SHARED = "shared"
    REGISTERS = "registers"
    PADDED = "padded"
    HOST = "CPU"


IMAGES = (Memory.FRONT, Memory.BACK)
MOST_ENDS = 16  # maximum number of positions of a butterfly, or moves of a thread, that a trace lists in full


@dataclass(frozen=True)
class Factor:
    """A number with a name: a symbol, a lower and an upper index."""

    value: complex
    symbol: str
    below: int
    above: int | None = None


def root(k: int, n: int) -> Factor | None:
    """Return w_n^k = e^{2 pi i k / n}, named by the arguments of `root` in the shaders, or None for 1."""
    return Factor(np.exp(2j * np.pi * k / n), "w", n, k) if k else None


@dataclass(frozen=True)
class Node:
    """A butterfly: y[writes[r]] = after[r] sum_q e^{2 pi i q r / len(reads)} before[q] x[reads[q]]."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    thread: int | None  # invocation along the line; None: several invocations
    before: tuple[Factor | None, ...] = ()
    after: tuple[Factor | None, ...] = ()
    backwards: bool = False  # the transform has e^{-i}

    def at(self, places: Callable[[int], int], thread: int) -> Self:
        """Return the node at other positions of the line, in another invocation."""
        return replace(
            self, reads=tuple(map(places, self.reads)), writes=tuple(map(places, self.writes)), thread=thread
        )


@dataclass(frozen=True)
class Operation:
    """The work of a stage on one line."""

    name: str
    make_nodes: Callable[[], Iterable[Node]]  # called for drawings and traces only: a long line has millions
    flops: int | None = 0
    """Additions and multiplications of real numbers, as the kernel executes them: in butterflies, and in products with
    roots, including roots of 1. They exclude the computation of roots, addresses and the scale. None: unknown."""


@dataclass(frozen=True)
class Stage:
    """An operation on a line, and where its results lie."""

    operation: Operation
    into: Memory
    dispatches: int = 0  # dispatches that begin here, each after the previous one
    waits: bool = False  # begins after a barrier of the work group
    more_barriers: int = 0  # barriers within the stage

    @property
    def name(self) -> str:
        return self.operation.name

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(self.operation.make_nodes())


@dataclass(frozen=True)
class DataFlow:
    """The stages that transform one line of the front half."""

    size: int
    stages: tuple[Stage, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        return (Memory.FRONT, *(stage.into for stage in self.stages))

    @property
    def dispatches(self) -> int:
        return sum(stage.dispatches for stage in self.stages)

    @property
    def barriers(self) -> int:
        """The barriers of the work group that transforms the line."""
        return sum(stage.waits + stage.more_barriers for stage in self.stages)

    @property
    def flops(self) -> int | None:
        """The operations on real numbers for one line of complex numbers, or None if unknown."""
        counts = [stage.operation.flops for stage in self.stages]
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    @property
    def transfers(self) -> int:
        """The number of times that the whole line is read from or written to a half of the storage."""
        return sum((source in IMAGES) + (target in IMAGES) for source, target in pairwise(self.memories))


def pingpong(stage: int) -> Memory:
    """Return the half of the storage that a stage writes if the stages alternate, from the front to the back first."""
    return IMAGES[(stage + 1) % 2]


def bit_reversed(bits: int, place: int) -> int:
    return int(f"{place:0{bits}b}"[::-1], 2)


# -- Operations --------------------------------------------------------------------------------------------------------


def butterfly_flops(radix: int) -> int:
    """Return the operations of a butterfly in `shaders/fft/butterflies`: primes fold q and R - q together. Radix 17
    is Rader's: two butterflies of 16, products between them, and two additions."""
    listed = {2: 4, 4: 16, 8: 56, 16: 168, 17: 2 * 168 + 16 * PRODUCT + 4}
    listed |= {9: 6 * 16 + 4 * PRODUCT, 15: 5 * 16 + 3 * 48}
    return listed.get(radix) or 2 * (radix**2 - 1)


def stage_flops(size: int, radix: int, products: int | None = None) -> int:
    """Return the operations of a stage whose butterflies multiply `products` elements by roots: by default R - 1."""
    return size // radix * (butterfly_flops(radix) + PRODUCT * (radix - 1 if products is None else products))


def moves(
    name: str, size: int, thread: Callable[[int], int | None], source: Callable[[int], int] = lambda place: place
) -> Operation:
    """Return the operation in which the invocation `thread` of each position fills it from its `source`."""
    return Operation(name, lambda: (Node((source(place),), (place,), thread(place)) for place in range(size)))


def load(size: int, threads: int, butterflies: int = 0) -> Operation:
    """Return the load of a line: `threads` invocations take elements in turn, beginning again at each multiple of
    `butterflies`."""
    return moves("load", size, lambda place: place % (butterflies or size) % threads)


def whole(name: str, size: int, flops: int | None = None, backwards: bool = False) -> Operation:
    """Return the transform of a whole line as one node, which is not the work of a single invocation."""
    line = tuple(range(size))
    return Operation(name, lambda: (Node(line, line, None, backwards=backwards),), flops)


def in_place(
    size: int,
    radix: int,
    span: int,
    *,
    in_frequency: bool = False,
    products: int | None = None,
    each: int = 1,
    source: Callable[[int], int] | None = None,
) -> Operation:
    """Return a stage of butterflies whose results replace their inputs, `span` positions apart.

    Roots multiply before the butterflies, or after them with decimation in frequency. An invocation does `each`
    neighbouring butterflies. A `source` maps each position to the position from which its element is read.
    """

    def nodes() -> Iterator[Node]:
        for j in range(size // radix):
            p = j % span
            line = tuple((j - p) * radix + p + i * span for i in range(radix))
            roots = tuple(root(i * p, radix * span) for i in range(radix))
            reads = tuple(map(source, line)) if source else line
            yield Node(reads, line, j // each, *(((), roots) if in_frequency else (roots, ())))

    return Operation(f"radix {radix}", nodes, stage_flops(size, radix, products))


def stockham(
    size: int,
    radix: int,
    stride: int,
    threads: int,
    *,
    in_frequency: bool = False,
    products: int | None = None,
    is_sorting: bool = True,
) -> Operation:
    """Return a Stockham stage, decimation in time or in frequency, whose butterflies `threads` invocations take in
    turn. `stride` is the product of the radices before it. A stage that is not sorting leaves the results of a
    butterfly where its inputs were."""

    def nodes() -> Iterator[Node]:
        for j in range(size // radix):
            p, k = divmod(j, stride)
            reads = tuple(j + q * (size // radix) for q in range(radix))
            writes = tuple(p * stride * radix + k + r * stride for r in range(radix)) if is_sorting else reads
            if in_frequency:
                yield Node(reads, writes, j % threads, after=tuple(root(r * p, size // stride) for r in range(radix)))
            else:
                yield Node(reads, writes, j % threads, before=tuple(root(q * k, stride * radix) for q in range(radix)))

    return Operation(f"radix {radix}", nodes, stage_flops(size, radix, products))


# -- The trace -------------------------------------------------------------------------------------------------------


def trace(flow: DataFlow, inverse: bool, most: int) -> Iterator[str]:
    """Yield the lines of a trace, with at most `most` threads of each stage.

    `0 4·w_8^1 -> 0 4` is a butterfly of elements 0 and 4, the second times w_8^1, in place. `5->3` moves an element.
    """
    sign = "+" if inverse else "-"
    yield (
        f"roots w_n^k = e^({sign}2πi k/n); a butterfly of R elements sums a_q e^({sign}2πi q r/R) for each result r; "
        "5->3 carries element 5 to place 3"
    )
    nodes = (node for stage in flow.stages for node in stage.nodes)
    symbols = {factor.symbol for node in nodes for factor in (*node.before, *node.after) if factor}
    if "c" in symbols:
        yield (
            f"chirp c_j = e^({sign}πi j²/{flow.size}); B_k is the transform of its conjugate, wrapped around "
            "and divided by the padded length"
        )
    elif "B" in symbols:
        yield (
            f"B_k is the transform of e^({sign}2πi g^-j/{flow.size}), divided by {flow.size - 1}; g is the least "
            f"generator of the integers modulo {flow.size}"
        )
    dispatch = 0
    for number, (stage, (source, target)) in enumerate(zip(flow.stages, pairwise(flow.memories), strict=True), start=1):
        begins = ", barrier" if stage.waits else ""
        if stage.dispatches:
            first, dispatch = dispatch + 1, dispatch + stage.dispatches
            begins = f", dispatch {first}" if stage.dispatches == 1 else f", dispatches {first} to {dispatch}"
        yield f"stage {number}: {stage.name}, {source} -> {target}{begins}"
        yield from _threads(stage, most)


def _threads(stage: Stage, most: int) -> Iterator[str]:
    """Yield a line for each thread of a stage, at most `most` lines."""

    def thread_of(node: Node) -> int:
        return -1 if node.thread is None else node.thread

    groups = [(thread, list(nodes)) for thread, nodes in groupby(sorted(stage.nodes, key=thread_of), key=thread_of)]
    for thread, nodes in groups[:most]:
        moved = [
            f"{_ends(node.reads, node.before) or 'zero'}->{_ends(node.writes, node.after)}"
            for node in nodes
            if len(node.reads) <= 1
        ]
        parts = [", ".join(_cut(moved))] if moved else []
        for node in nodes:
            if len(node.reads) > 1:
                kind = " (with conjugate roots)" if node.backwards else ""
                parts.append(f"{_ends(node.reads, node.before)} -> {_ends(node.writes, node.after)}{kind}")
        yield f"  {'all threads' if thread < 0 else f'thread {thread:<4}'}  {';  '.join(parts)}"
    if len(groups) > most:
        yield f"  … and {len(groups) - most} more threads"


def _ends(places: Sequence[int], factors: Sequence[Factor | None]) -> str:
    """Return positions as text, each with the factor of its element: `4·w_8^1`."""
    words = []
    for place, factor in zip(places, factors or [None] * len(places), strict=True):
        above = f"^{factor.above}" if factor and factor.above is not None else ""
        words.append(f"{place}·{factor.symbol}_{factor.below}{above}" if factor else str(place))
    return " ".join(_cut(words))


def _cut(words: list[str]) -> list[str]:
    """Return all words if they are few; else the first and the last ones."""
    return words if len(words) <= MOST_ENDS else [*words[: MOST_ENDS - 2], "…", words[-1]]
