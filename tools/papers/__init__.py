"""The papers' figures, drawn from the rows of a bench, and their claims checked with them."""

from dataclasses import replace
from pathlib import Path

from ocean.common.files import whole_files, writing
from tools.papers import beechwood, govindaraju, mota, rao
from tools.papers.benches import CLOCKS, Benches
from tools.papers.claims import markdown, read_claims, read_figures
from tools.papers.drawing import Figure, draw

TEXTS = {"mota": mota, "beechwood": beechwood, "govindaraju": govindaraju, "rao": rao, "davis": rao}
CLAIMS, FIGURES = read_claims(TEXTS), read_figures(TEXTS)
LIST, VERDICTS = "figures.md", "claims.md"


def figures(measured: Benches) -> list[Figure]:
    """Return the figures of all papers. Each is drawn from one report for each workload, chosen as `judge` does, and
    names the clocks of its times."""
    found = []
    for make in FIGURES:
        figure, asked = max(measured.by_report(make), key=lambda one: (one[0].obstacle is None, one[1].weight))
        found.append(replace(figure, clocks=tuple(name for clock, name in CLOCKS.items() if clock in asked.clocks)))
    return found


def write_papers(measured: Benches, folder: Path) -> list[str]:
    """Draw the figures, write a list of them and the claims, and return the lines of the list."""
    lines = []
    for figure in figures(measured):
        what = f"{figure.title}, after {figure.source}"
        if figure.obstacle:
            lines.append(f"- {what}: not drawn, {figure.obstacle}")
            continue
        picture, drawing = draw(figure, folder, " · ".join([measured.device, *figure.clocks]))
        by = f", by {', '.join(figure.clocks)}" if figure.clocks else ""
        without = f"; without {', '.join(figure.missing)}, which was not measured" if figure.missing else ""
        lines.append(f"- [{what}]({picture}) ([SVG]({drawing})){by}{without}")
    text = "\n".join(["# The papers' figures with this machine's data", "", f"{measured.device}.", "", *lines]) + "\n"
    (folder / LIST).write_text(text, encoding="utf-8")
    (folder / VERDICTS).write_text(markdown(measured, CLAIMS), encoding="utf-8")
    return lines


def redraw(source: Path, out: Path) -> None:
    """Draw the papers' figures and check their claims, from reports in a folder and its subfolders.

    Raises:
        BenchError: when there is none, or they are of different machines.
        OutputError: when the folder can't be written.
    """
    measured = Benches.read(source)
    with whole_files(out, (LIST, VERDICTS)) as folder, writing(out):
        lines = write_papers(measured, folder)
    with writing(out):  # an earlier run may have left figures that can't be drawn from these rows
        for figure in figures(measured):
            for suffix in ("png", "svg") if figure.obstacle else ():
                (out / f"{figure.name}.{suffix}").unlink(missing_ok=True)
    print(*lines, out / LIST, out / VERDICTS, sep="\n")
