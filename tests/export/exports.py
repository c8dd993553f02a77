"""Exports in separate processes, and the files that they leave."""

import subprocess
import sys
from pathlib import Path

from ocean.export import run as folders
from ocean.export.plan import Plan
from ocean.settings import load_settings

ROOT = Path(__file__).parent.parent.parent
MANY = 36
COMMAND = ("--device", "cpu", "--maps", "displacement,derivatives", "--fps", "30", "--duration", str(MANY / 30))
COMMAND += ("--set", "fft.size=32", "--set", "cascades.count=1")


def many(form):
    """Return the plan of COMMAND."""
    settings = load_settings(overrides=["fft.size=32", "cascades.count=1"])
    return Plan(settings, MANY, form, ("displacement", "derivatives"), fps=30.0, device="cpu")


def start(out, *arguments, **options):
    """Start an export in a separate process."""
    command = [sys.executable, "app.py", "export", *COMMAND, *arguments, "--out", str(out)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, **{**pipes, **options})


def contents(path):
    """Return all files but the lock. The lines of the list of checksums are sorted, because their order may differ."""
    files = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    files.pop(folders.LOCK, None)
    files[folders.SUMS] = sorted(files[folders.SUMS].splitlines())
    return files


def sums_in(path):
    try:
        return len((path / folders.SUMS).read_bytes().splitlines())
    except FileNotFoundError:
        return 0


def assert_whole(path):
    """Check each listed file against the checksum of its line, with an external program."""
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", folders.SUMS], cwd=path, check=True)
