"""Exports that are killed at any moment: what is there is whole, and the next run makes the rest, byte for byte."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
SETTINGS = ("fft.size=32", "cascades.count=2", "foam.resolution=64")
WORDS = ("export", "--device", "cpu", "--duration", "1.667", "--fps", "24", "--format", "npz", "--maps", "displacement")
SUMS = "SHA256SUMS"


def command(out: Path, *more: str) -> list[str]:
    single = [word for setting in SETTINGS for word in ("--set", setting)]
    return [sys.executable, str(ROOT / "app.py"), *WORDS, *single, "--out", str(out), *more]


def contents(out: Path) -> dict[str, bytes]:
    """Return the checksums of an export's frames."""
    return {path.name: hashlib.sha256(path.read_bytes()).digest() for path in sorted(out.glob("*.npz"))}


def lost(out: Path, wanted: dict[str, bytes]) -> str:
    """Return what is not as it should be in the folder of a killed export; nothing where all is well."""
    for name, digest in contents(out).items():
        if wanted[name] != digest:
            return f"{name} is not whole"
    if (out / SUMS).exists():
        for line in (out / SUMS).read_text().splitlines():
            if len(line) > 66 and hashlib.sha256((out / line[66:]).read_bytes()).hexdigest() != line[:64]:
                return f"{line[66:]} is not what its checksum says"
    return ""


def campaign(rng: np.random.Generator, folder: Path, count: int, until: float) -> tuple[int, list[str]]:
    """Kill `count` exports, or as many as fit until a time; return how many, and what was lost."""
    subprocess.run(command(folder / "wanted"), check=True, capture_output=True)
    wanted, faults, kills, out = contents(folder / "wanted"), [], 0, folder / "out"
    while kills < count and time.monotonic() < until:
        process = subprocess.Popen(
            command(out, "--resume"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        begun = contents(out) if out.exists() else {}
        limit = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < limit:  # from the first new frame on, at any moment
            if out.exists() and len(list(out.glob("*.npz"))) > len(begun) % 40:
                break
            time.sleep(0.005)
        time.sleep(float(rng.uniform(0, 0.05)))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        _, said = process.communicate()
        if process.returncode not in (0, -signal.SIGKILL):
            faults.append(f"status {process.returncode}: {said[-300:]!r}")
        if problem := lost(out, wanted):
            faults.append(problem)
        if contents(out) == wanted:
            subprocess.run(command(out, "--resume"), check=True, capture_output=True)
            if len((out / SUMS).read_text().splitlines()) != len(wanted) or list(out.glob(".unfinished-*")):
                faults.append("checksums or leftovers of a whole export are wrong")
            subprocess.run(["rm", "-rf", str(out)], check=True)
    return kills, faults
