"""A folder of measurements of one commit without a GPU: a bench of every workload, and the papers' figures and claims.

python -m tools.measure.every_workload out/llvmpipe

`--quick` does every step in tiny sizes, to check that it works. Tuned plans of this machine are neither used nor
changed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOTA = "cooley-tukey-stages,stockham-radix2,stockham-radix4"
STEPS: dict[str, tuple[str, ...]] = {
    "ocean": ("-w", "ocean", "--sizes", "64,128,256"),
    "image": ("-w", "image", "--sizes", "64,128,256,512", "--seconds", "150"),
    "rectangle": ("-w", "rectangle"),
    "line": (
        *("-w", "line", "--sizes", "8,16,64,256,512,1024,4096,16384"),
        *("--backends", "auto,stockham-global,four-step,stockham-radix4"),
    ),
    "mixed": ("-w", "mixed"),
    "prime": ("-w", "prime"),
    "prime-sweep": ("-w", "prime-sweep", "--backends", "auto"),
    "single": ("-w", "single", "--sizes", "4,16,64,256,1024,4096,16384,65536,262144"),
    "variants": ("-w", "guide,exchange,reads,flight,roots,cube,cascades"),
    "frame": ("-w", "frame", "--sizes", "64,128", "--backends", f"{MOTA},cooley-tukey,stockham-shared,auto"),
    "frame-mota": ("-w", "frame", "--sizes", "512,1024", "--backends", MOTA),
    "scene": ("-w", "scene"),
    "cpu": ("-w", "cpu"),
    "precision": ("-w", "precision"),
    "tune": ("--tune", "--sizes", "64"),
    "tune-lines": ("--tune", "-w", "line"),
}
"""Arguments of the bench, by folder."""
QUICK: dict[str, tuple[str, ...]] = {
    "mixed": ("--sizes", "9,25,30", "--backends", "auto"),
    "prime": ("--sizes", "13", "--backends", "auto,bluestein"),
    "prime-sweep": ("--sizes", "37", "--backends", "auto"),
    "variants": ("-w", "roots,flight", "--sizes", "2"),
    "scene": (),
    "cpu": ("--sizes", "16"),
    "precision": ("--sizes", "16"),
    "tune": ("--sizes", "16", "--backends", "stockham-shared"),
    "tune-lines": ("--sizes", "16", "--backends", "stockham-shared"),
}
"""Arguments with `--quick`, for steps in which `--sizes 16` and two backends take too long."""
ROUNDS = "6"


def command(step: str, quick: bool) -> list[str]:
    """Return the command of the bench, without the folder. Later options win."""
    short = QUICK.get(step, ("--sizes", "16", "--backends", "auto,stockham-radix2")) if quick else ()
    return [sys.executable, "-m", "tools.bench", *STEPS[step], "--rounds", ROUNDS, "--no-cache", *short]


def run(arguments: Sequence[str]) -> float:
    """Run a command of the program without its output; return the seconds it took.

    Raises: SystemExit: with the command's error output, if it fails.
    """
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as cache:  # holds the plans of the step that tunes
        environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if "--tune" in arguments else {})}
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments[1:])}:\n{done.stderr}")
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a folder of measurements without a GPU again.")
    parser.add_argument("out", type=Path, help="new folder")
    parser.add_argument("--quick", action="store_true", help="tiny sizes")
    chosen = parser.parse_args()
    if chosen.out.exists():
        parser.error(f"{chosen.out} exists already; name a new folder")
    for step in STEPS:
        seconds = run([*command(step, chosen.quick), "--out", str(chosen.out.resolve() / step)])
        print(f"{step}: {seconds:.0f} s", flush=True)
    figures = [sys.executable, "-m", "tools.bench"]
    run([*figures, "--from", str(chosen.out.resolve()), "--out", str(chosen.out.resolve())])


if __name__ == "__main__":
    main()
