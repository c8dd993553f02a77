"""A network as text: for each stage and thread, the elements that it takes, their roots, and the places that it
writes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TypeVar

from ocean.fft.stages import DataFlow, Factor, Node, Stage

T = TypeVar("T")
MOST_ENDS = 16  # most elements of a butterfly that are listed in full


def trace(flow: DataFlow, inverse: bool, most: int) -> Iterator[str]:
    """Yield the lines of a trace, with at most `most` threads of each stage.

    `0 4·w_8^1 -> 0 4` is a butterfly: it takes elements 0 and 4, multiplies the second by w_8^1, and writes places 0
    and 4. `5->3` moves an element.
    """
    sign = "+" if inverse else "-"
    yield (
        f"roots w_n^k = e^({sign}2πi k/n); a butterfly of R elements sums a_q e^({sign}2πi q r/R) for each result r; "
        "5->3 carries element 5 to place 3"
    )
    if any(
        factor and factor.symbol == "c" for stage in flow.stages for node in stage.nodes for factor in factors(node)
    ):
        yield (
            f"chirp c_j = e^({sign}πi j²/{flow.size}); B_k is the transform of its conjugate, wrapped around "
            "and divided by the padded length"
        )
    dispatch = 0
    for number, (stage, (source, target)) in enumerate(zip(flow.stages, pairwise(flow.memories), strict=True), start=1):
        begins = ""
        if stage.dispatches:
            first, dispatch = dispatch + 1, dispatch + stage.dispatches
            begins = f", dispatch {first}" if stage.dispatches == 1 else f", dispatches {first} to {dispatch}"
        elif stage.waits:
            begins = ", barrier"
        yield f"stage {number}: {stage.name}, {source} -> {target}{begins}"
        yield from stage_lines(stage, most)


def stage_lines(stage: Stage, most: int) -> Iterator[str]:
    """Yield a line for each thread of a stage, at most `most` lines."""
    ordered = sorted(stage.nodes, key=thread_of)
    groups = [(thread, list(nodes)) for thread, nodes in groupby(ordered, key=thread_of)]
    for thread, nodes in groups[:most]:
        moved = [node for node in nodes if len(node.reads) <= 1]
        parts = [", ".join(map(move, cut(moved)))] if moved else []
        parts += [butterfly(node) for node in nodes if len(node.reads) > 1]
        yield f"  {'all threads' if thread < 0 else f'thread {thread:<4}'}  {';  '.join(parts)}"
    if len(groups) > most:
        yield f"  … and {len(groups) - most} more threads"


def thread_of(node: Node) -> int:
    return -1 if node.thread is None else node.thread


def factors(node: Node) -> Iterable[Factor | None]:
    return (*node.before, *node.after)


def move(node: Node | None) -> str:
    if node is None:
        return "…"
    if not node.reads:
        return f"zero->{node.writes[0]}"
    return f"{ends(node.reads, node.before)}->{ends(node.writes, node.after)}"


def butterfly(node: Node) -> str:
    kind = " (with conjugate roots)" if node.backwards else ""
    return f"{ends(node.reads, node.before)} -> {ends(node.writes, node.after)}{kind}"


def ends(places: Sequence[int], turns: Sequence[Factor | None]) -> str:
    """Return the places as text, each with the factor of its element."""
    named = [f"{place}{turn(factor)}" for place, factor in zip(places, turns or [None] * len(places), strict=True)]
    return " ".join("…" if one is None else one for one in cut(named))


def cut(items: Sequence[T]) -> list[T | None]:
    """Return all items if they are few; else the first and the last items, with None in between."""
    return [*items] if len(items) <= MOST_ENDS else [*items[: MOST_ENDS - 2], None, items[-1]]


def turn(factor: Factor | None) -> str:
    if factor is None:
        return ""
    return f"·{factor.symbol}_{factor.below}" + ("" if factor.above is None else f"^{factor.above}")
