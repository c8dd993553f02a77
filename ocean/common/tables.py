"""Tables as text: CSV, Markdown, and times in their cells."""

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV, the names first. None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(names)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def markdown_lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table in Markdown. The first column and columns without a name are words, the others
    numbers, at the right."""
    rule = ["---:" if name and place else "---" for place, name in enumerate(names)]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in (names, rule, *rows)]


def milliseconds(value: float) -> str:
    return f"{value:.4f}" if value < 10 else f"{value:.4g}"
