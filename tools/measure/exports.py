"""Costs of the exports of README and docs on this machine: frames, megabytes and minutes of CPU time.

    python -m tools.measure.exports --out docs/measurements/software/exports.json

Each command runs twice, for a few frames and for some more. The times of a frame and of the start, where foam grows,
follow. CPU time hardly depends on what else the machine does. Pictures without ground truth are left out, and so is
`--config` of a file that a page writes.
"""

import json
import re
import resource
import shlex
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.measure.reports import report_parser, write_report

ROOT = Path(__file__).parents[2]
FEW, MORE = 3, 23  # frames
LINE = re.compile(r"^python -m ocean (export .*)$", re.M)


@dataclass(frozen=True)
class Cost:
    page: str
    command: str
    frames: int
    megabytes: float
    minutes: float
    """Minutes of CPU time."""
    start: float
    """Minutes of CPU time until the first frame."""


def commands() -> dict[str, str]:
    """Return the pages of all commands, each once."""
    found: dict[str, str] = {}
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for command in LINE.findall(path.read_text(encoding="utf-8")):
            if not re.search(r"--scheduler|--format (mp4|html|png(?!.*--layers))\b", command):
                found.setdefault(re.sub(r" --(config|out) \S+", "", command), str(path.relative_to(ROOT)))
    return found


def children_time() -> float:
    """Return the CPU time [s] of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command: str, *more: str) -> tuple[float, int, float]:
    """Return the CPU time [s], the number of frames, and the megabytes of an export."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        words = [sys.executable, "-m", "ocean", *shlex.split(command), *more, "--out", str(out)]
        begun = children_time()
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        took = children_time() - begun
        size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
        return took, json.loads((out / "export.json").read_text(encoding="utf-8"))["frames"], size / 1e6


def cost(page: str, command: str) -> Cost:
    options = dict(zip(words := shlex.split(command), words[1:], strict=False))
    fps = float(options.get("--fps", 24))
    length = options.get("--duration") or options.get("--loop")
    frames = round(float(length) * fps) if length else 1
    if frames == 1:
        took, _, size = run(command)
        return Cost(page, command, 1, size, took / 60, took / 60)
    (short, few, small), (long, more, large) = (run(command, "--duration", str(n / fps)) for n in (FEW, MORE))
    each, size = max(long - short, 0.0) / (more - few), (large - small) / (more - few)
    start = max(short - few * each, 0.0)
    return Cost(page, command, frames, frames * size, (start + frames * each) / 60, start / 60)


def main() -> None:
    out = report_parser(__doc__).parse_args().out
    rows: list[Cost] = []
    for command, page in commands().items():
        rows.append(cost(page, command))
        print(f"{page}: {rows[-1].frames} frames, {rows[-1].megabytes:.3g} MB, {rows[-1].minutes:.2g} min", flush=True)
    note = "without a GPU; OpenGL by llvmpipe"
    write_report(out, None, device=note, frames=(FEW, MORE), exports=[asdict(row) for row in rows])


if __name__ == "__main__":
    main()
