"""The rows of a bench as tables: on the terminal, and in Markdown for a README or a pull request."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ocean.bench.rows import Bench, Row, group_of
from ocean.console import print_table

HEADINGS = ("", "ms", "p5", "p95", "GFLOP/s", "GB/s", "of copy", "calls", "submit µs", "with transfers", "error")


def groups(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Rows that compete, with a title for them."""
    for _, found in groupby(rows, group_of):
        competing = list(found)
        yield title(competing[0]), competing


def title(row: Row) -> str:
    """What the rows of a group have in common."""
    shape = f"{row.size} × {row.size}" if row.dimensions == 2 else f"{row.size}"
    what = f"{row.batch} transforms of {shape}" if row.batch > 1 else f"a transform of {shape}"
    part = "" if row.part == "transform" else f", {row.part}"
    return f"{row.workload}{part}: {what}, {row.direction}, {row.storage}"


def cells(row: Row) -> tuple[str, ...]:
    """A row as text, the columns of HEADINGS."""
    name = f"{row.name} {row.options}".strip()
    if row.obstacle is not None:
        return (name, row.obstacle, *[""] * (len(HEADINGS) - 2))
    error = "not finite" if row.relative_l2 is None and row.is_right is False else number(row.relative_l2, "{:.1e}")
    return (
        name,
        milliseconds(row.median_ms),
        milliseconds(row.p5_ms),
        milliseconds(row.p95_ms),
        number(row.gflops, "{:.1f}"),
        number(row.gb_per_s, "{:.1f}"),
        number(row.copy_share, "{:.0%}"),
        number(row.dispatches, "{}"),
        number(row.submit_us, "{:.1f}"),
        milliseconds(row.transfers_ms),
        error if row.is_right is not False else f"WRONG {error}",
    )


def number(value: float | int | None, form: str) -> str:
    return "" if value is None else form.format(value)


def milliseconds(value: float | None) -> str:
    """Four digits, whatever the size."""
    return "" if value is None else f"{value:.4f}" if value < 10 else f"{value:.4g}"


def show(bench: Bench) -> None:
    """Print one table a group, the winner marked."""
    from rich.table import Table

    for heading, rows in groups(bench.rows):
        table = Table(*HEADINGS, title=heading, title_justify="left", box=None)
        table.columns[0].no_wrap = True
        for column in table.columns[1:]:
            column.justify = "right"
        for row in rows:
            if row.obstacle is None:
                name, *rest = cells(row)
                table.add_row(f"★ {name}" if row.winner else f"  {name}", *rest, style="bold" if row.winner else None)
        print_table(table)
        for row in rows:
            if row.obstacle is not None:
                print(f"  {row.name}: {row.obstacle}")
        print()
    for peer in bench.peers:
        if peer.obstacle is not None:
            print(f"{peer.name} was not measured: {peer.obstacle}")
    print(bench.noise_statement)


def markdown(bench: Bench) -> str:
    """All groups as Markdown, with what they were measured on."""
    device = bench.host.cpu if bench.gl is None else f"{bench.gl.renderer} (OpenGL {bench.gl.version})"
    lines = [
        f"## Bench on {device}",
        "",
        f"`{bench.command}`, ocean {bench.program.version}, {bench.created:%Y-%m-%d}; times are medians in ms by the "
        f"clock `{bench.clock}`. {bench.noise_statement}",
    ]
    for heading, rows in groups(bench.rows):
        lines += ["", f"### {heading}", "", "| " + " | ".join(HEADINGS) + " |", "|" + " --- |" + " ---: |" * 10]
        for row in rows:
            name, *rest = cells(row)
            lines.append("| " + " | ".join([f"**{name}**" if row.winner else name, *rest]) + " |")
    lines += ["", *(f"{peer.name} was not measured: {peer.obstacle}." for peer in bench.peers if peer.obstacle)]
    return "\n".join(lines).rstrip() + "\n"
