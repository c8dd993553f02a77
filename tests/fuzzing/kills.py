"""Exports and captures that are killed at any moment: files are complete, and the next run makes the others, bit for
bit."""

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

from ocean.waves.nonlinear import HIDDEN

SEA = ("fft.size=32", "cascades.count=2", "foam.resolution=64")
EXPORT = ("export", "--duration", "1.667", "--fps", "24", "--resume")
MAPS = (*EXPORT, "--device", "cpu", "--maps", "displacement", "--format")
PICTURES = (*EXPORT, "--config", "configs/software.toml", "--resolution", "96x64", "--format")
SOLVED = ("--set", "sea.dynamics=nonlinear")
KINDS = {
    "npz": (*MAPS, "npz"),
    "zarr": (*MAPS, "zarr"),
    "png16": (*MAPS, "png16"),
    "swd": (*EXPORT, "--device", "cpu", "--format", "swd"),
    "png": (*PICTURES, "png"),
    "mp4": (*PICTURES, "mp4"),
    "workers": (*MAPS, "npz", "--workers", "2"),
    "nonlinear": (*MAPS, "npz", *SOLVED),
    "nonlinear workers": (*MAPS, "npz", "--workers", "2", *SOLVED),
    "nonlinear swd": (*EXPORT, "--device", "cpu", "--format", "swd", *SOLVED),
    "capture": ("capture", "--config", "configs/software.toml", "--frames", "6", "--resolution", "96x64"),
}
"""Command of each kind. All files except those with times are equal, bit for bit, from run to run."""
TIMES = ("frames.csv", "report.json", "timings.png")  # files of a capture that are never equal
ENDS = {".png": b"IEND\xaeB`\x82", ".csv": b"\n"}  # last bytes of complete files
SUMS = "SHA256SUMS"
LONGEST = 180.0  # s of one run; a longer run hangs. With 25 busy processes a cluster took 60 s
SERVER = multiprocessing.get_context("forkserver")  # imports the program once; each run is a fork of this process
SERVER.set_forkserver_preload(["ocean.cli", "ocean.export", "ocean.capture", "ocean.sea.host", "scipy.fft", "zarr"])


def run(words: list[str], said: Path, fault: Callable[[], None] | None) -> None:
    """Run a command as the program does, in its own process group, with its messages in a file."""
    os.setsid()
    with said.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    if fault:
        fault()
    from ocean.cli import main

    sys.argv = ["app.py", *words]
    main()


def kill(process: BaseProcess, is_group: bool = True) -> None:
    """Kill a process, and all processes that it started if `is_group`."""
    if is_group:
        with suppress(ProcessLookupError):  # it has no group of its own yet
            os.killpg(process.pid or 0, signal.SIGKILL)
    process.kill()
    process.join()


def contents(out: Path) -> dict[str, bytes]:
    """Return the checksums of all files that equal commands make equal, without the list of checksums."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    names = ((path.relative_to(out).as_posix(), path) for path in files)
    return {
        name: hashlib.sha256(path.read_bytes()).digest()
        for name, path in names
        if not name.startswith((".unfinished-", ".lock", f"{HIDDEN}/", SUMS)) and name not in TIMES
    }


def count_files(out: Path) -> int:
    """Count the files of a running command; `os.walk` tolerates folders that are removed meanwhile."""
    return sum(len(names) for *_, names in os.walk(out))


def listed(out: Path) -> dict[str, str]:
    """Return the checksums by name, without a truncated line."""
    text = (out / SUMS).read_text() if (out / SUMS).exists() else ""
    return {name: digest for digest, name in re.findall(r"^([0-9a-f]{64})  (.+)\n", text, re.MULTILINE)}


def lost(out: Path, wanted: dict[str, bytes]) -> str:
    """Return a fault of the files in the folder of a killed command; an empty text if all are complete."""
    for name, digest in contents(out).items():
        if wanted.get(name) != digest:
            return f"{name} is not whole"
    for name, sum_ in listed(out).items():
        if not (out / name).exists() or hashlib.sha256((out / name).read_bytes()).hexdigest() != sum_:
            return f"{name} is not what its checksum says"
    for path in (out / name for name in TIMES):
        if path.exists():
            data = path.read_bytes()
            try:
                whole = bool(json.loads(data)) if path.suffix == ".json" else data.endswith(ENDS[path.suffix])
            except ValueError:
                whole = False
            if not whole:
                return f"{path.name} is not whole"
    return ""


class Victim:
    """Runs of one kind into one folder, compared with an uninterrupted run."""

    def __init__(self, kind: str, folder: Path, fault: Callable[[], None] | None, longest: float) -> None:
        self.kind, self.fault, self.longest = kind, fault, longest
        self.out, self.said = folder / f"out-{kind}", folder / f"{kind}.log"
        self.faults = list[str]()
        self.runs = list[BaseProcess]()
        reference = folder / f"wanted-{kind}"
        self.whole(reference)
        self.wanted, self.sums = contents(reference), listed(reference)

    def start(self, out: Path) -> BaseProcess:
        settings = [word for setting in SEA for word in ("--set", setting)]
        process = SERVER.Process(
            target=run, args=([*KINDS[self.kind], *settings, "--out", str(out)], self.said, self.fault)
        )
        process.start()
        self.runs.append(process)
        return process

    def add(self, fault: str) -> None:
        self.faults.append(f"{self.kind}: {fault}")

    def whole(self, out: Path) -> None:
        """Run to the end, and compare the files with those of the uninterrupted run."""
        process = self.start(out)
        process.join(self.longest)
        if process.is_alive():
            self.add(f"hangs: no end after {self.longest:g} s")
        elif process.exitcode:
            self.add(f"status {process.exitcode}: {self.said.read_text()[-300:]!r}")
        kill(process)

    def finish(self) -> None:
        """Make the missing files, and remove the folder."""
        if not self.out.exists():
            return
        self.whole(self.out)
        left = [*self.out.rglob(".unfinished-*"), *self.out.rglob(HIDDEN)]
        if left or contents(self.out) != self.wanted:
            self.add("a finished folder is not that of a run that nobody killed")
        if listed(self.out) != self.sums:
            self.add("checksums of a finished folder are wrong")
        for process in self.runs:  # workers live a moment longer than the process that started them
            kill(process)
        self.runs.clear()
        shutil.rmtree(self.out)

    def attempt(self, rng: np.random.Generator) -> bool:
        """Start a run, and kill it after a random number of files and a random delay. Return whether it was killed."""
        moment = count_files(self.out) + int(rng.integers(0, 6))  # number of files to wait for
        process, limit = self.start(self.out), time.monotonic() + self.longest
        while process.is_alive() and time.monotonic() < limit and count_files(self.out) < moment:
            time.sleep(0.005)
        process.join(float(rng.uniform(0, 0.05)))
        hangs = time.monotonic() >= limit
        killed = process.is_alive() and not hangs
        kill(process, is_group=bool(rng.integers(2)))  # kills all processes of a cluster, or only the first one
        if hangs:
            self.add(f"hangs: {count_files(self.out)} files after {self.longest:g} s")
        elif process.exitcode not in (0, -signal.SIGKILL):
            self.add(f"status {process.exitcode}: {self.said.read_text()[-300:]!r}")
        if problem := lost(self.out, self.wanted):
            self.add(problem)
        if contents(self.out) == self.wanted:
            self.finish()
        return killed


def campaign(
    rng: np.random.Generator,
    folder: Path,
    count: int,
    until: float,
    kinds: tuple[str, ...] = tuple(KINDS),
    fault: Callable[[], None] | None = None,
    longest: float = LONGEST,
) -> tuple[dict[str, int], list[str]]:
    """Kill `count` runs of random kinds, or as many as fit until a time. Each has a planted `fault`, if any, and takes
    at most `longest` seconds. Return the kills by kind, and the faults."""
    victims, kills = dict[str, Victim](), dict[str, int]()
    while sum(kills.values()) < count and time.monotonic() < until:
        kind = str(rng.choice(kinds))
        if kind not in victims:
            victims[kind] = Victim(kind, folder, fault, longest)
            if victims[kind].faults:
                break
        kills[kind] = kills.get(kind, 0) + victims[kind].attempt(rng)
    for victim in victims.values():
        victim.finish()
    return kills, [problem for victim in victims.values() for problem in victim.faults]


# -- Faults that the campaign has to find ------------------------------------------------------------------------------


def in_place() -> None:
    """Make exports write each file under its final name, in two halves."""
    from ocean.export import run as folder

    def halves(path: Path, target: Path) -> None:
        data = path.read_bytes()
        with target.open("wb") as file:
            file.write(data[: len(data) // 2])
            file.flush()
            time.sleep(0.05)
            file.write(data[len(data) // 2 :])

    vars(folder)["os"] = _With(os, replace=halves)


def stuck() -> None:
    """Make exports wait without end at their first file."""
    from ocean.export import run as folder

    vars(folder)["os"] = _With(os, replace=lambda *_: time.sleep(1e6))


class _With:
    """Context in which some functions of a module are replaced."""

    def __init__(self, module: object, **functions: object) -> None:
        self._module = module
        vars(self).update(functions)

    def __getattr__(self, name: str) -> object:
        return getattr(self._module, name)
