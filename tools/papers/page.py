"""The tables of statements in docs/papers.md, made from the reports of several machines:

python -m tools.papers.page
"""

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path

from tools.papers import CLAIMS
from tools.papers.benches import Benches
from tools.papers.claims import Claim, Finding, judge, preference, verdict, without_rows

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = DOCS / "papers.md"
MACHINES = {"H100": "h100", "H200": "h200", "EPYC": "software"}
"""Folders of reports in `measurements`, by name."""
ENOUGH = 30  # samples of a time that decides a claim
MARKS = re.compile(r"<!-- statements of (.+?) -->\n.*?<!-- /statements -->", re.DOTALL)
HEADINGS = ("where", "statement", "shown by", "what came out", "rule", "verdict")


def statements(claims: Sequence[Claim], machines: dict[str, Benches]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield f"| {' | '.join('---' for _ in HEADINGS)} |"
    for claim in claims:
        found = [judge(claim, one) for one in machines.values()]
        finding, measured = max(found, key=preference)
        command = command_of(measured)
        if isinstance(finding, Finding):
            where = sources(measured, machines)
            parts = [(f"{finding.number} ({where})", f"{finding.rule}{samples(finding, measured)}", verdict(finding))]
            for other, rows in found:
                if isinstance(other, Finding) and rows is not measured and is_news(other, rows, finding, measured):
                    where = sources(rows, machines)
                    machine, noise = where.partition(",")[0], other.rule.partition("; ")[2]
                    rule = f"{machine}: {noise}{samples(other, rows)}" if noise else ""
                    parts.append((f"{other.number} ({where})", rule, f"{machine}: {verdict(other)}"))
            cells = [command, *("; ".join(filter(None, cell)) for cell in zip(*parts, strict=True))]
        else:
            cells = [command, "", "", without_rows(finding)]
        yield f"| {claim.where} | {claim.statement} | {' | '.join(cells)} |"


def samples(finding: Finding, measured: Benches) -> str:
    """Return the numbers of samples where noise counts and any row has fewer than ENOUGH."""
    counts = sorted({row.samples for row in measured.returned if row.samples})
    if "noise" not in finding.rule or not counts or counts[0] >= ENOUGH:
        return ""
    return f", {' to '.join(map(str, dict.fromkeys((counts[0], counts[-1]))))} samples"


def is_news(other: Finding, rows: Benches, finding: Finding, measured: Benches) -> bool:
    """Return whether another machine's finding is listed next to the first: its verdict differs, or it is newer."""
    return (other.holds, other.exceeds) != (finding.holds, finding.exceeds) or rows.weight[1] > measured.weight[1]


def command_of(measured: Benches) -> str:
    """Return the command that measures these workloads, at the reports' sizes if there is one workload."""
    if not measured.workloads:
        return ""
    used = [*compress(measured.benches, measured.used)]
    sizes = sorted({row.size for one in used for row in one.rows if row.workload in measured.workloads})
    is_chosen = len(measured.workloads) == 1 and all(" --sizes " in one.command for one in used)
    chosen = ",".join(map(str, sizes)) if is_chosen else ""
    return f"`bench -w {','.join(sorted(measured.workloads))}{f' --sizes {chosen}' if chosen else ''}`"


def sources(measured: Benches, machines: dict[str, Benches]) -> str:
    name = next(name for name, one in machines.items() if {*measured.folders} <= {*one.folders})
    folders = [Path(folder).relative_to(DOCS) for folder in compress(measured.folders, measured.used)]
    return ", ".join([name, *(f"[{folder.name}]({folder.as_posix()}/bench.json)" for folder in folders)])


def with_statements(text: str, machines: dict[str, Benches]) -> str:
    """Return the text of a page with all tables of statements updated."""

    def table(found: re.Match[str]) -> str:
        claims = [claim for claim in CLAIMS if claim.source == found[1]]
        return "\n".join([f"<!-- statements of {found[1]} -->", *statements(claims, machines), "<!-- /statements -->"])

    return MARKS.sub(table, text)


def reports() -> dict[str, Benches]:
    return {name: Benches.read(DOCS / "measurements" / folder) for name, folder in MACHINES.items()}


if __name__ == "__main__":
    PAGE.write_text(with_statements(PAGE.read_text(encoding="utf-8"), reports()), encoding="utf-8")
