"""The papers' figures, drawn again with what a bench measured, and their claims held against it."""

from pathlib import Path

from ocean.bench.papers import govindaraju, kernel_claims, line_claims, mota, rao
from ocean.bench.papers.claims import Claim, markdown
from ocean.bench.papers.drawing import Figure, draw
from ocean.bench.papers.measured import Measured

CLAIMS: tuple[Claim, ...] = (*kernel_claims.CLAIMS, *line_claims.CLAIMS)
LIST, VERDICTS = "figures.md", "claims.md"


def figures(measured: Measured) -> list[Figure]:
    """Those of all papers."""
    return [*mota.figures(measured), *govindaraju.figures(measured), *rao.figures(measured)]


def write_papers(measured: Measured, folder: Path) -> list[str]:
    """Draw the figures and write a list of them, and the claims; the list's lines."""
    device = f"{measured.device} · {measured.clock}"
    lines = []
    for figure in figures(measured):
        what = f"{figure.title}, after {figure.source}"
        if figure.obstacle:
            lines.append(f"- {what}: not drawn, {figure.obstacle}")
            continue
        picture, drawing = draw(figure, folder, device)
        without = f"; without {', '.join(figure.missing)}, which was not measured" if figure.missing else ""
        lines.append(f"- [{what}]({picture}) ([SVG]({drawing})){without}")
    text = "\n".join(["# The papers' figures with this machine's data", "", f"{device}.", "", *lines]) + "\n"
    (folder / LIST).write_text(text, encoding="utf-8")
    (folder / VERDICTS).write_text(markdown(measured, CLAIMS), encoding="utf-8")
    return lines
