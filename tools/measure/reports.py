"""The command line of a measurement, and its file: common facts of all reports, and the values."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ocean.common.facts import command_line, gl_facts, host_facts, program_facts, utc_now


def report_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the option of all measurements, described by the docstring of their module."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    return parser


def write_report(out: Path, gl: Mapping[str, Any] | None, **values: Any) -> None:
    """Write a report of the running script. `gl` is the `info` of its context, or None without a GPU."""
    report = {
        "created": utc_now().isoformat(),
        "program": program_facts().model_dump(),
        "gl": gl_facts(gl).model_dump() if gl else None,
        "host": host_facts().model_dump(),
        "command": command_line(),
        **values,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
