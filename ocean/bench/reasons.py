"""Why the fastest of a group is the fastest, as far as counts say it: what it does, and what the next does instead."""

from collections.abc import Iterator, Sequence
from math import inf

from ocean.bench.rows import ALONE, Row

COUNTED = {
    "dispatches": ("dispatch", "dispatches"),
    "barriers": ("barrier", "barriers"),
    "real_flops": ("flop", "flop"),
}
"""What is counted of a backend beside the bytes that it moves, and the words for one and for several."""


def reasons(rows: Sequence[Row], noise: float | None) -> Iterator[str]:
    """Sentences about the rows of a group: the fastest of the GPU's backends beside the next whose counts differ, and
    how far a peer or numpy is ahead of it. Of times that differ by no more than `noise`, a share, they say only that;
    where nobody measured it, nothing."""
    ran = sorted((row for row in rows if row.median_ms and row.is_right and row.kind not in ALONE), key=time)
    ours = [row for row in ran if row.kind == "backend" and row.bytes and row.dispatches]
    if noise is None or not ours:
        return
    best, first = ours[0], ran[0]
    if other := next((row for row in ours if counts(row) != counts(best)), None):
        slower = time(other) / time(best)
        told = f"{done(best)}; {named(other)} takes {digits(slower)} times as long: it {instead(other, best)}."
        yield told if slower - 1 > noise else alike(best, other, noise)
    if first not in ours:
        faster = time(best) / time(first)
        told = f"{named(first)} is {digits(faster)} times as fast as {named(best)}, the fastest of ours on the GPU."
        yield told if faster - 1 > noise else alike(first, best, noise)


def counts(row: Row) -> tuple[int | None, ...]:
    """By what backends differ; `auto` has the counts of what it took."""
    return row.bytes, *(getattr(row, key) for key in COUNTED)


def done(row: Row) -> str:
    """What a backend does, and how close to the copy bandwidth it comes."""
    share = "" if row.copy_share is None else f" at {row.copy_share:.0%} of the copy bandwidth"
    return f"{named(row)} moves {amount(row.bytes, 'B')} in {amount(row.dispatches, *COUNTED['dispatches'])}{share}"


def instead(row: Row, best: Row) -> str:
    """The same of another, as far as it differs."""
    moves = "as much" if row.bytes == best.bytes else amount(row.bytes, "B")
    share = "" if row.copy_share is None else f" at {row.copy_share:.0%}"
    changes = [
        f"{amount(one, *words)} instead of {amount(there)}"
        for key, words in COUNTED.items()
        if (one := getattr(row, key)) != (there := getattr(best, key)) and None not in (one, there)
    ]
    return f"moves {moves}{share}" + (f", with {', '.join(changes)}" if changes else "")


def alike(first: Row, second: Row, noise: float) -> str:
    """That times are too close for this machine."""
    return (
        f"{named(first)} and {named(second)} can't be told apart: their times differ by "
        f"{time(second) / time(first) - 1:.1%}, and those of the same work by up to {noise:.1%}."
    )


def named(row: Row) -> str:
    """Name and options."""
    return " ".join(part for part in (row.name, row.options) if part)


def time(row: Row) -> float:
    """Of a run [ms]; without end where it did not run."""
    return row.median_ms or inf


def amount(count: int | None, *words: str) -> str:
    """A count in three digits, with a prefix before the word for one or for several; empty where nobody counted."""
    if count is None:
        return ""
    power = (len(str(count)) - 1) // 3
    word = words[0 if count == 1 else -1] if words else ""
    return f"{digits(count / 1000**power)} {' kMGT'[power].strip()}{word}".strip()


def digits(value: float) -> str:
    """Three digits, or all of those before the point."""
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"
