"""The tables of statements in docs/papers.md, made from the reports of several machines:

python -m tools.papers.page
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.papers import CLAIMS
from tools.papers.claims import Claim, Finding, judge, verdict
from tools.papers.measured import Measured

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = DOCS / "papers.md"
MACHINES = {"H200": "h200", "H100": "h100"}
"""Folders of reports by name. Of several that can judge a statement, the first counts that noise does not hinder."""
MARKS = re.compile(r"<!-- statements of (.+?) -->\n.*?<!-- /statements -->", re.DOTALL)
HEADINGS = ("where", "statement", "shown by", "what came out", "verdict")


def certainty(finding: Finding | str) -> int:
    """Return 2 for a verdict, 1 for one that noise hides, and 0 for what was not measured."""
    return 0 if isinstance(finding, str) else 1 if finding.holds is None else 2


def statements(claims: Sequence[Claim], machines: dict[str, Measured]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield f"| {' | '.join('---' for _ in HEADINGS)} |"
    for claim in claims:
        judged = {name: judge(claim, measured) for name, measured in machines.items()}
        name = max(judged, key=lambda name: certainty(judged[name][0]))
        finding, workloads = judged[name]
        command = f"`bench -w {','.join(workloads)}`" if workloads else ""
        if isinstance(finding, Finding):
            machine = "" if name == next(iter(machines)) else f" ({name})"
            cells = [command, f"{finding.number}{machine}", verdict(finding)]
        else:
            cells = [command, "", f"not measured: {finding}"]
        yield f"| {claim.where} | {claim.statement} | {' | '.join(cells)} |"


def with_statements(text: str, machines: dict[str, Measured]) -> str:
    """Return the page with all tables of statements."""

    def table(found: re.Match[str]) -> str:
        claims = [claim for claim in CLAIMS if claim.source == found[1]]
        return "\n".join([f"<!-- statements of {found[1]} -->", *statements(claims, machines), "<!-- /statements -->"])

    return MARKS.sub(table, text)


def reports() -> dict[str, Measured]:
    """Read the reports of all machines."""
    return {name: Measured.read(DOCS / "measurements" / folder) for name, folder in MACHINES.items()}


if __name__ == "__main__":
    PAGE.write_text(with_statements(PAGE.read_text(encoding="utf-8"), reports()), encoding="utf-8")
