"""Reasons for the fastest candidate of a group, from counts: its work, and the work of the next."""

from collections.abc import Iterator, Sequence
from math import inf

from ocean.bench.rows import ALONE, Row

COUNTED = {
    "dispatches": ("dispatch", "dispatches"),
    "barriers": ("barrier", "barriers"),
    "real_flops": ("flop", "flop"),
}
"""Counts of a backend other than bytes, with their words in singular and plural."""


def reasons(rows: Sequence[Row], noise: float | None) -> Iterator[str]:
    """Yield sentences about the rows of a group: the fastest backend on the GPU beside the next with other counts, and
    the lead of a peer or numpy. If times differ by no more than the share `noise`, only state the tie. Without measured
    noise, yield nothing."""
    ran = sorted((row for row in rows if row.median_ms and row.is_right and row.kind not in ALONE), key=time)
    ours = [row for row in ran if row.kind == "backend" and row.bytes and row.dispatches]
    if noise is None or not ours:
        return
    best, first = ours[0], ran[0]
    if other := next((row for row in ours if counts(row) != counts(best)), None):
        slower = time(other) / time(best)
        sentence = f"{done(best)}; {named(other)} takes {digits(slower)} times as long: it {instead(other, best)}."
        yield sentence if slower - 1 > noise else alike(best, other, noise)
    if first not in ours:
        faster = time(best) / time(first)
        sentence = f"{named(first)} is {digits(faster)} times as fast as {named(best)}, the fastest of ours on the GPU."
        yield sentence if faster - 1 > noise else alike(first, best, noise)


def counts(row: Row) -> tuple[int | None, ...]:
    """Return the counts by which backends differ. `auto` has the counts of its choice."""
    return row.bytes, *(getattr(row, key) for key in COUNTED)


def done(row: Row) -> str:
    """Return the work of a backend in words, with its share of the copy bandwidth."""
    share = "" if row.copy_share is None else f" at {row.copy_share:.0%} of the copy bandwidth"
    return f"{named(row)} moves {amount(row.bytes, 'B')} in {amount(row.dispatches, *COUNTED['dispatches'])}{share}"


def instead(row: Row, best: Row) -> str:
    """Return the work of another backend in words, as far as it differs."""
    moves = "as much" if row.bytes == best.bytes else amount(row.bytes, "B")
    share = "" if row.copy_share is None else f" at {row.copy_share:.0%}"
    changes = [
        f"{amount(one, *words)} instead of {amount(there)}"
        for key, words in COUNTED.items()
        if (one := getattr(row, key)) != (there := getattr(best, key)) and None not in (one, there)
    ]
    return f"moves {moves}{share}" + (f", with {', '.join(changes)}" if changes else "")


def alike(first: Row, second: Row, noise: float) -> str:
    """Return a sentence for times that differ by no more than the noise."""
    return (
        f"{named(first)} and {named(second)} can't be told apart: their times differ by "
        f"{time(second) / time(first) - 1:.1%}, and those of the same work by up to {noise:.1%}."
    )


def named(row: Row) -> str:
    return " ".join(part for part in (row.name, row.options) if part)


def time(row: Row) -> float:
    """Return the time of a run [ms], or infinity if it did not run."""
    return row.median_ms or inf


def amount(count: int | None, *words: str) -> str:
    """Return a count in three digits with a prefix and a word, or an empty text for None."""
    if count is None:
        return ""
    power = (len(str(count)) - 1) // 3
    word = words[0 if count == 1 else -1] if words else ""
    return f"{digits(count / 1000**power)} {' kMGT'[power].strip()}{word}".strip()


def digits(value: float) -> str:
    """Return a number with three digits, or all before the point."""
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"
