"""Captures, and what they leave."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ocean.capture.report import CaseRecord, Report
from ocean.capture.run import REPORT

ROOT = Path(__file__).parent.parent
WARMUP, COUNT = 2, 6
SMALL = ("--config", "configs/ci.toml", "--resolution", "96x54", "--set", "capture.start=20")
Command = Callable[..., "subprocess.CompletedProcess[str]"]  # type of the fixture `ocean_here`
RUN = (*SMALL, "--frames", str(COUNT), "--warmup", str(WARMUP))


def start(*arguments: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a capture in a process of its own, without a display."""
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "app.py", "capture", *map(str, arguments)]
    options = {"stdout": subprocess.PIPE, "env": environment} | options
    return subprocess.run(command, cwd=ROOT, text=True, stderr=subprocess.PIPE, timeout=300, check=False, **options)


def lone(out: Path) -> tuple[Report, CaseRecord]:
    """Return the report of a capture without a matrix, and its case."""
    report = Report.read(out / REPORT)
    assert list(report.cases) == [""]
    return report, report.cases[""]
