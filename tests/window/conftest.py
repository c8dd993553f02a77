"""A display of our own with a window manager, and the real program on it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

APP = Path(__file__).parents[2] / "app.py"
SMALL = ("fft.size=64", "foam.resolution=64", "view.edge_pixels=20")


def wait_for(condition: Callable[[], object], what: str, limit: float = 30.0) -> object:
    """Wait until a condition gives something; returns it."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    pytest.fail(f"no {what} after {limit:g} s")


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual display with a window manager, at the first number that is free."""
    missing = [name for name in ("Xvfb", "xdotool", "openbox") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "+extension", "GLX", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = f":{pipe.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": number}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield number
    for process in (manager, server):
        process.terminate()
        process.wait(10)


class Program:
    """The program in a window, and hands on its mouse and keyboard."""

    def __init__(self, display: str, folder: Path, *arguments: str) -> None:
        self.environment = {**os.environ, "DISPLAY": display}
        command = [sys.executable, str(APP), "window", "--quality", "software", *arguments]
        for override in SMALL:
            command += ["--set", override]
        self.process = subprocess.Popen(
            command, cwd=folder, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def xdotool(self, *arguments: str | int) -> str:
        """Run xdotool; what it said."""
        command = ["xdotool", *map(str, arguments)]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def windows(self) -> list[str]:
        return self.xdotool("search", "--onlyvisible", "--name", "^FFT ocean$").split()

    def window(self) -> str:
        """The window that is shown; full screen is another one."""
        wait_for(lambda: self.windows() or self.process.poll() is not None, "window")
        assert self.windows(), self.process.communicate()
        return self.windows()[-1]

    def size(self) -> tuple[int, int]:
        lines = dict(line.split("=") for line in self.xdotool("getwindowgeometry", "--shell", self.window()).split())
        return int(lines["WIDTH"]), int(lines["HEIGHT"])

    def keys(self, *names: str) -> None:
        for name in names:
            self.xdotool("key", name)
            time.sleep(0.3)

    def click(self, x: int, y: int) -> None:
        self.xdotool("mousemove", "--window", self.window(), x, y)
        time.sleep(0.4)
        self.xdotool("mousedown", 1)
        time.sleep(0.3)
        self.xdotool("mouseup", 1)
        time.sleep(0.4)

    def end(self) -> tuple[int, str]:
        """Wait for the end; the exit status and what was said on stderr."""
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said


@pytest.fixture
def start(display: str, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    started = []

    def run(*arguments: str) -> Program:
        started.append(Program(display, tmp_path, *arguments))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            program.process.kill()
            program.process.wait()
