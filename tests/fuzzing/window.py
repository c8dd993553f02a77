"""A random walk over the real window: keys, clicks, drags, typed paths, and other sizes, on a display of its own."""

import os
import shutil
import signal
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

APP = Path(__file__).parents[2] / "app.py"
PROGRAM = sys.executable, str(APP)
MISSING = [name for name in ("Xvfb", "xdotool", "openbox") if shutil.which(name) is None]
SMALL = "fft.size=32", "cascades.count=2", "foam.resolution=64", "view.edge_pixels=40", "view.scale=0.5"
SIZE = 1024, 640
PLAIN = (*string.ascii_lowercase, *string.digits, *(f"F{number}" for number in range(1, 13)))
KEYS = (
    *(*PLAIN, "Escape", "Return", "Tab", "space", "Up", "Down", "Left", "Right", "BackSpace", "Delete", "Page_Down"),
    *(f"ctrl+{key}" for key in "acflmopsvxyz1234"),
    *(f"shift+{key}" for key in "o34"),
    *(f"ctrl+shift+{key}" for key in "s1234"),
)
LETTERS = "/.~-=0123456789abxyz "
KINDS = {"key": 0.4, "click": 0.3, "drag": 0.1, "wheel": 0.06, "type": 0.08, "size": 0.04, "hide": 0.02}
"""Kinds of steps and their shares."""
STEPS = 12  # in a row, before the log is read
LONGEST = 180.0  # s until a window appears, or ends when it is asked to
ANSWERS = 60.0  # s in which a program handles all events
STILL = 0.05  # s after a step


@contextmanager
def display() -> Iterator[str]:
    """Yield the name of a display with a window manager."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, pass_fds=[write], **quiet)
    os.close(write)
    with os.fdopen(read) as pipe:
        name = f":{pipe.readline().strip()}"
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": name}, **quiet)
    try:
        yield name
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(10)


def step(rng: np.random.Generator, window: str) -> list[str]:
    """Return the words of a random step for xdotool."""
    x, y = (str(rng.integers(0, side)) for side in SIZE)
    kind = rng.choice(list(KINDS), p=list(KINDS.values()))
    move = ["mousemove", "--window", window, x, y]
    if kind == "key":
        return ["key", str(rng.choice(KEYS))]
    if kind == "click":
        return [*move, "click", str(rng.choice([1, 1, 1, 3]))]
    if kind == "drag":
        return [
            *move,
            "mousedown",
            "1",
            "mousemove_relative",
            "--",
            *map(str, rng.integers(-90, 90, 2)),
            "mouseup",
            "1",
        ]
    if kind == "wheel":
        return [*move, "click", str(rng.integers(4, 6))]
    if kind == "type":
        return ["type", "--delay", "5", "".join(rng.choice(list(LETTERS), rng.integers(1, 8)))]
    if kind == "size":
        small = map(str, rng.choice([1, 90, 500], 2))
        return ["windowsize", window, *small, "sleep", "0.3", "windowsize", window, *map(str, SIZE)]
    return ["windowminimize", window, "sleep", "0.3", "windowmap", window]


class Walk:
    """A program on a display, and its state and log in a folder."""

    def __init__(self, name: str, place: Path, program: tuple[str, ...]) -> None:
        tools, self.place = place / "tools", place
        tools.mkdir(parents=True, exist_ok=True)
        for opener in ("xdg-open", "zenity", "kdialog"):  # open no other program
            (tools / opener).write_text("#!/bin/sh\nexit 1\n")
            (tools / opener).chmod(0o755)
        path = os.pathsep.join((str(tools), os.environ.get("PATH", "")))
        threads = {"LP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        own = {"DISPLAY": name, "PATH": path, "PYTHONPATH": str(APP.parent), "XDG_STATE_HOME": str(place / "state")}
        self.environment = {**os.environ, **threads, **own}
        overrides = [part for override in SMALL for part in ("--set", override)]
        command = [*program, "window", "--quality", "software", *overrides]
        self.said = (place / "said").open("ab")
        self.process = subprocess.Popen(command, cwd=place, env=self.environment, stdout=self.said, stderr=self.said)
        self.window = ""

    def xdotool(self, *words: str) -> str:
        command = ["xdotool", *words]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
        return done.stdout

    def is_open(self) -> bool:
        """Wait for the window, and return whether it has appeared."""
        end = time.monotonic() + LONGEST
        while not self.window and self.process.poll() is None and time.monotonic() < end:
            found = self.xdotool("search", "--onlyvisible", "--pid", str(self.process.pid)).split()
            self.window = found[-1] if found else ""
            time.sleep(0.2)
        if self.window:
            self.xdotool("windowfocus", self.window)
        return bool(self.window)

    def faults(self) -> list[str]:
        """Return the last lines of the tracebacks, and a status that is not 0."""
        logs = (path.read_text(errors="replace") for path in self.place.glob("state/*/log/*.log"))
        lines = [line for log in logs for line in log.splitlines()]
        found = [line for line in lines if line[:1].isalpha() and "Error" in line.partition(":")[0]]
        status = self.process.poll()
        ended = [f"status {status}: {(self.place / 'said').read_text(errors='replace')[-300:]}"] if status else []
        return found or ended

    def close(self) -> None:
        """Ask the program to end, and wait until it has handled the events before that: it ends, shows a fault, or asks
        what becomes of a movie."""
        end = time.monotonic() + ANSWERS
        self.xdotool("key", "alt+F4")
        while self.process.poll() is None and not self.faults() and time.monotonic() < end:
            time.sleep(0.2)

    def end(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(LONGEST)
        self.said.close()


def campaign(
    rng: np.random.Generator,
    place: Path,
    count: int,
    until: float,
    program: tuple[str, ...] = PROGRAM,
) -> tuple[Counter[str], list[str]]:
    """Take `count` random steps, or as many as fit until a time, in one window after another: a fault or *Quit* ends
    one. Return the numbers of steps and windows, and the faults, each with the steps before it."""
    outcomes, faults = Counter[str](), list[str]()
    with display() as name:
        while outcomes["steps"] < count and time.monotonic() < until:
            folder = place / f"window {outcomes['windows']}"
            walk, before = Walk(name, folder, program), list[str]()
            outcomes["windows"] += 1
            try:
                while outcomes["steps"] < count and time.monotonic() < until and walk.is_open():
                    steps = [step(rng, walk.window) for _ in range(STEPS)]
                    before = [" ".join(words) for words in steps]
                    walk.xdotool(*(word for words in steps for word in (*words, "sleep", str(STILL))))
                    outcomes["steps"] += STEPS
                    if walk.faults() or walk.process.poll() is not None:
                        break
                walk.close()
                faults += [f"{fault} after {'; '.join(before)}" for fault in walk.faults()[:1]]
            finally:
                walk.end()
    return outcomes, faults
