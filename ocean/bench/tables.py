"""Tables of rows for terminals and Markdown, with sentences on why the fastest candidate of a group is the fastest."""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from ocean.bench.rows import ALONE, Bench, Row, group_of
from ocean.common.console import print_table, say, terminal_width
from ocean.common.records import markdown_lines, milliseconds


def amount(count: int | None, *words: str) -> str:
    """Return a count in three digits with a prefix and a word, in singular or plural; an empty text for None."""
    if count is None:
        return ""
    power = (len(str(count)) - 1) // 3
    word = words[0 if count == 1 else -1] if words else ""
    return f"{digits(count / 1000**power)} {' kMGT'[power].strip()}{word}".strip()


def digits(value: float) -> str:
    """Return a number with three digits, or all before the point."""
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"


COLUMNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "ms": ("median_ms", milliseconds),
    "p5": ("p5_ms", milliseconds),
    "p95": ("p95_ms", milliseconds),
    "speed-up": ("speedup", "{:.2f}".format),
    "frames/s": ("frames_per_second", "{:.1f}".format),
    "gain": ("gain", "{:+.0%}".format),
    "GFLOP/s": ("gflops", "{:.1f}".format),
    "GB/s": ("gb_per_s", "{:.1f}".format),
    "of copy": ("copy_share", "{:.0%}".format),
    "dispatches": ("dispatches", str),
    "barriers": ("barriers", str),
    "real flops": ("real_flops", amount),
    "program bytes": ("program_bytes", str),
    "SPIR-V bytes": ("spirv_bytes", str),
    "storage MiB": ("storage_mib", "{:.4g}".format),
    "submit µs": ("submit_us", "{:.1f}".format),
    "triangles": ("triangles", amount),
    "samples": ("picture_samples", amount),
    "shadings": ("shadings", amount),
    "whole": ("transfers_ms", milliseconds),
    "error": ("relative_l2", "{:.1e}".format),
    "largest error": ("largest_error", "{:.1e}".format),
    "off": ("off_values", str),
}
"""Columns of tables, with their fields and forms, shown if a row has a value. `whole` is with transfers."""
UNTIMED = "largest error", "off"  # columns of rows that were checked but not timed
MINOR = (
    *("SPIR-V bytes", "program bytes", "storage MiB", "real flops", "barriers"),  # summed up in a sentence below
    *("p5", "p95", "dispatches", "whole", "GB/s", "submit µs", "of copy", "GFLOP/s", "gain", "speed-up", "frames/s"),
)
"""Columns that a narrow terminal drops, in this order."""
NAME, GAP = 24, 2  # fewest characters of the column of names, which folds longer names; and characters between columns


def show(bench: Bench) -> None:
    """Print the tables of all groups, as wide as the terminal allows."""
    width, dropped = terminal_width(), dict[str, None]()
    for heading, rows in groups(bench.rows):
        headings, lines = table(rows)
        cells = [[f"{'★' if row.winner else ' '} {name}", *rest] for row, (name, *rest) in lines]
        kept = fitting(headings, cells, width)
        dropped.update((name, None) for place, name in enumerate(headings) if place not in kept)
        print_table(
            [headings[column] for column in kept],
            [[line[column] for column in kept] for line in cells],
            title=heading,
            bold=[row.winner for row, _ in lines],
            fits=True,
            width=sum(GAP + max(map(len, column)) for column in zip(headings, *cells, strict=True)),
        )
        for said in remarks(rows, bench.worst_noise):
            say(f"  {said}")
        print()
    if dropped:
        print(f"This terminal has no room for {', '.join(dropped)}; bench.md has them.")
    for said in (*missing(bench), *bandwidth(bench), bench.noise_statement):
        say(said)


def markdown(bench: Bench) -> str:
    """Return the tables of all groups as Markdown, with the machine and the clock."""
    device = bench.host.cpu if bench.gl is None else f"{bench.gl.renderer} (OpenGL {bench.gl.version})"
    lines = [
        f"## Bench on {device}",
        "",
        f"`{bench.command}`, ocean {bench.program.version}, {bench.created:%Y-%m-%d}. Times are medians in ms by "
        "the clock that a title, or else a row, names; `whole` is with transfers, by the wall clock. "
        f"{' '.join([*bandwidth(bench), bench.noise_statement])}",
    ]
    for heading, rows in groups(bench.rows):
        headings, body = table(rows)
        cells = [[f"**{name}**" if row.winner else name, *rest] for row, (name, *rest) in body]
        lines += ["", f"### {heading}", "", *markdown_lines(headings, cells)]
        if said := remarks(rows, bench.worst_noise):
            lines += ["", *(f"- {one}" for one in said)]
    if absent := missing(bench):
        lines += ["", *(f"- {reason}" for reason in absent)]
    return "\n".join(lines) + "\n"


def groups(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows that compete, with a title: common properties, and the first row's storage and clock."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(group_of(row), []).append(row)
    for competing in found.values():
        row, clock = competing[0], first_clock(competing)
        if row.kind in ("frame", "pass"):
            yield f"{row.workload}: {row.part}, {row.size} × {row.lines} pixels, {clock} clock", competing
            continue
        shape = " × ".join([f"{row.lines or row.size}", *[f"{row.size}"] * (row.dimensions - 1)])
        what = f"{row.batch} transforms of {shape}" if row.batch > 1 else f"a transform of {shape}"
        part = "" if row.part == "transform" else f", {row.part}"
        where = f", {row.storage}" if row.storage else ""
        direction = "forward and inverse" if row.direction == "both" else row.direction
        by = f", {clock} clock" if clock else ""
        yield f"{row.workload}{part}: {what}, {direction}{where}{by}", competing


def first_clock(rows: Sequence[Row]) -> str | None:
    return next((row.clock for row in rows if row.clock), None)


def table(rows: Sequence[Row]) -> tuple[list[str], list[tuple[Row, list[str]]]]:
    """Return headings, and the cells of the rows that ran, the name first."""
    ran = [row for row in rows if row.obstacle is None]
    headings = [heading for heading in COLUMNS if any(cell(row, heading) for row in ran)]
    lines = [(row, [label(row, rows), *(cell(row, heading) for heading in headings)]) for row in ran]
    return ["", *headings], lines


def cell(row: Row, heading: str) -> str:
    field, form = COLUMNS[heading]
    value = getattr(row, field)
    text = "" if value is None or (heading in UNTIMED and row.median_ms is not None) else form(value)
    return f"WRONG {text or 'not finite'}" if heading == "error" and row.is_right is False else text


def label(row: Row, rows: Sequence[Row]) -> str:
    """Return name and options, and storage and clock if they differ from the title's."""
    own = [row.storage] if row.storage != rows[0].storage else []
    own += [f"{row.clock} clock"] if row.clock != first_clock(rows) else []
    return f"{named(row)} ({', '.join(own)})" if own else named(row)


def remarks(rows: Sequence[Row], noise: float | None) -> list[str]:
    """Return the reasons for the fastest, the choice of `auto`, and the reasons why others did not run."""
    taken = [f"auto took {row.plan}" for row in rows if row.name == "auto" and row.plan]
    return [*reasons(rows, noise), *taken, *(f"{row.name}: {row.obstacle}" for row in rows if row.obstacle is not None)]


def missing(bench: Bench) -> list[str]:
    return [f"{peer.name} was not measured: {peer.obstacle}." for peer in bench.peers if peer.obstacle is not None]


def bandwidth(bench: Bench) -> list[str]:
    """Return a sentence about the bandwidth behind the column `of copy`."""
    return [f"The copy bandwidth is {digits(bench.copy_gb_per_s)} GB/s."] if bench.copy_gb_per_s else []


def fitting(headings: Sequence[str], cells: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Return the columns that fit into `width` characters (None: all) with all digits. The first, a name, folds."""
    wide = [max(len(cell) for cell in column) + GAP for column in zip(headings, *cells, strict=True)]
    kept = list(range(len(headings)))
    for heading in MINOR if width is not None else ():
        if min(wide[0], NAME) + sum(wide[column] for column in kept[1:]) <= (width or 0):
            break
        kept = [column for column in kept if headings[column] != heading]
    return kept


COUNTED = {
    "dispatches": ("dispatch", "dispatches"),
    "barriers": ("barrier", "barriers"),
    "real_flops": ("flop", "flop"),
}
"""Counts of a backend other than bytes, with their words in singular and plural."""


def reasons(rows: Sequence[Row], noise: float | None) -> Iterator[str]:
    """Yield sentences about a group: the fastest backend on the GPU beside the next with other counts, and the lead of
    a peer or numpy. Times within the fraction `noise`, or within the uncertainty of their rows, are a tie. Without
    measured noise, there is no sentence."""
    ran = sorted((row for row in rows if row.median_ms and row.is_right and row.kind not in ALONE), key=time)
    ours = [row for row in ran if row.kind == "backend" and row.bytes and row.dispatches]
    if noise is None or not ours:
        return
    best, first = ours[0], ran[0]
    if other := next((row for row in ours if counts(row) != counts(best)), None):
        share = "" if best.copy_share is None else f" at {best.copy_share:.0%} of the copy bandwidth"
        done = f"{amount(best.bytes, 'B')} in {amount(best.dispatches, *COUNTED['dispatches'])}{share}"
        slower = time(other) / time(best)
        sentence = f"{named(other)} takes {digits(slower)} times as long: it {instead(other, best)}."
        limit = tie(noise, best, other)
        yield f"{named(best)} moves {done}; {sentence}" if slower - 1 > limit else alike(best, other, limit)
    if first not in ours:
        faster = time(best) / time(first)
        sentence = f"{named(first)} is {digits(faster)} times as fast as {named(best)}, the fastest of ours on the GPU."
        limit = tie(noise, first, best)
        yield sentence if faster - 1 > limit else alike(first, best, limit)


def tie(noise: float, first: Row, second: Row) -> float:
    """Return the fraction within which the times of two rows are a tie."""
    return max(noise, first.uncertainty, second.uncertainty)


def counts(row: Row) -> tuple[int | None, ...]:
    """Return the counts by which backends differ. `auto` has the counts of its choice."""
    return row.bytes, *(getattr(row, key) for key in COUNTED)


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
    """Return a sentence for times that differ by no more than their uncertainty `noise`."""
    return (
        f"{named(first)} and {named(second)} can't be told apart: their times differ by "
        f"{time(second) / time(first) - 1:.1%}, and are uncertain by up to {noise:.1%}."
    )


def named(row: Row) -> str:
    return f"{row.name} {row.options}".strip()


def time(row: Row) -> float:
    """Return the time of a run [ms], or infinity if it did not run."""
    return row.median_ms or inf
