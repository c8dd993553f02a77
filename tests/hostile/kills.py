"""Exports that are killed at any moment: what is there is whole, and the next run makes the rest, byte for byte."""

import hashlib
import multiprocessing
import os
import shutil
import signal
import sys
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

SETTINGS = ("fft.size=32", "cascades.count=2", "foam.resolution=64")
WORDS = ("export", "--device", "cpu", "--duration", "1.667", "--fps", "24", "--maps", "displacement")
FORMATS = ("npz", "zarr", "png16")
SUMS = "SHA256SUMS"
LONGEST = 60.0  # s of one export
SERVER = multiprocessing.get_context("forkserver")  # imports the program once; each export is a fork of it
SERVER.set_forkserver_preload(["ocean.cli", "ocean.export", "ocean.sea.host", "scipy.fft", "zarr"])


def exported(words: list[str], said: Path) -> None:
    """Run an export as the program does, in a process group of its own, with its messages in a file."""
    os.setsid()
    with said.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    from ocean.cli import main

    sys.argv = ["app.py", *words]
    main()


def start(out: Path, format: str, *more: str) -> BaseProcess:
    single = [word for setting in SETTINGS for word in ("--set", setting)]
    words = [*WORDS, *single, "--format", format, "--out", str(out), *more]
    process = SERVER.Process(target=exported, args=(words, said(out)))
    process.start()
    return process


def said(out: Path) -> Path:
    return out.with_suffix(".log")


def whole(out: Path, format: str, *more: str) -> str:
    """Run an export to its end; return what it said if it failed."""
    process = start(out, format, *more)
    process.join()
    return "" if process.exitcode == 0 else f"{format}: status {process.exitcode}: {said(out).read_text()[-300:]!r}"


def contents(out: Path) -> dict[str, bytes]:
    """Return the checksums of an export's data: frames, or the chunks of an array."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    names = ((path.relative_to(out).as_posix(), path) for path in files)
    return {
        name: hashlib.sha256(path.read_bytes()).digest()
        for name, path in names
        if not any(part.startswith(".unfinished-") for part in name.split("/")) and not name.endswith((SUMS, ".json"))
    }


def count_files(out: Path) -> int:
    """Count the files of an export that runs; `os.walk` bears folders that go meanwhile."""
    return sum(len(names) for *_, names in os.walk(out))


def lost(out: Path, wanted: dict[str, bytes]) -> str:
    """Return what is not as it should be in the folder of a killed export; nothing where all is well."""
    for name, digest in contents(out).items():
        if wanted.get(name) != digest:
            return f"{name} is not whole"
    if (out / SUMS).exists():
        for line in (out / SUMS).read_text().splitlines():
            if len(line) > 66 and hashlib.sha256((out / line[66:]).read_bytes()).hexdigest() != line[:64]:
                return f"{line[66:]} is not what its checksum says"
    return ""


def campaign(rng: np.random.Generator, folder: Path, count: int, until: float) -> tuple[int, list[str]]:
    """Kill `count` exports, or as many as fit until a time; return how many, and what was lost."""
    wanted, faults, kills = dict[str, dict[str, bytes]](), list[str](), 0
    while kills < count and time.monotonic() < until:
        format = str(rng.choice(FORMATS))
        if format not in wanted:
            if problem := whole(folder / f"wanted-{format}", format):
                return kills, [problem]
            wanted[format] = contents(folder / f"wanted-{format}")
        out = folder / f"out-{format}"
        begun = count_files(out)
        process, limit = start(out, format, "--resume"), time.monotonic() + LONGEST
        moment = begun + int(rng.integers(0, 6))  # as many files as there have to be
        while process.is_alive() and time.monotonic() < limit and count_files(out) < moment:
            time.sleep(0.005)
        process.join(float(rng.uniform(0, 0.05)))
        if process.is_alive():
            os.kill(process.pid or 0, signal.SIGKILL)
            kills += 1
        process.join()
        if process.exitcode not in (0, -signal.SIGKILL):
            faults.append(f"{format}: status {process.exitcode}: {said(out).read_text()[-300:]!r}")
        if problem := lost(out, wanted[format]):
            faults.append(f"{format}: {problem}")
        if contents(out) == wanted[format]:
            if problem := whole(out, format, "--resume"):
                faults.append(problem)
            if list(out.rglob(".unfinished-*")) or contents(out) != wanted[format]:
                faults.append(f"{format}: leftovers of a whole export")
            sums = out / SUMS
            if format != "zarr" and len(sums.read_text().splitlines()) != len(
                (folder / f"wanted-{format}" / SUMS).read_text().splitlines()
            ):
                faults.append(f"{format}: checksums of a whole export are wrong")
            shutil.rmtree(out)
    return kills, faults
