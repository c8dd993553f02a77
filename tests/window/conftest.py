"""A virtual display with a window manager, and the real program on it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..fuzzing.window import MISSING
from ..fuzzing.window import display as virtual_display

APP = Path(__file__).parents[2] / "app.py"
SMALL = ("fft.size=64", "foam.resolution=64", "view.edge_pixels=20")
AT_SOFTWARE = ("--quality", "software", *(part for override in SMALL for part in ("--set", override)))
SESSION = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "PYGLFW_LIBRARY_VARIANT", "PYGLFW_LIBRARY")
"""Variables that choose display and library; imgui_bundle sets some of them."""


def wait_for(condition: Callable[[], object], what: str, limit: float = 120.0) -> object:
    """Wait until a condition returns a true value, and return the value."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    pytest.fail(f"no {what} after {limit:g} s")


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Yield the name of a virtual display with a window manager, at the first free number."""
    if MISSING:
        pytest.skip(f"needs {', '.join(MISSING)}")
    with virtual_display() as name:
        yield name


@pytest.fixture(scope="session")
def wayland(display: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Yield the variables of a session with Wayland alone: weston, in a window of the virtual display, because glfw
    crashes without a seat, which weston's headless backend lacks."""
    if shutil.which("weston") is None:
        pytest.skip("needs weston")
    folder = tmp_path_factory.mktemp("wayland")
    folder.chmod(0o700)
    environment = {**os.environ, "DISPLAY": display, "XDG_RUNTIME_DIR": str(folder)}
    command = [
        "weston",
        "--backend=x11-backend.so",
        "--width=1100",
        "--height=740",
        "--socket=session",
        "--idle-time=0",
    ]
    compositor = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for((folder / "session").exists, "Wayland")
    yield {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "session", "DISPLAY": ""}
    compositor.terminate()
    compositor.wait(10)


def run_window(folder: Path, *arguments: str, code: str = "", **session: str) -> "subprocess.CompletedProcess[str]":
    """Run the command `window`, or code that runs it, to its end, in a session with these variables alone."""
    others = {key: value for key, value in os.environ.items() if key not in SESSION}
    environment = others | {"XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(APP.parent)} | session
    command = [sys.executable, *(("-c", code) if code else (str(APP),)), "window", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


class Program:
    """The program in a window, with functions that move its mouse and press its keys."""

    def __init__(self, display: str, folder: Path, *arguments: str, plain: bool = False) -> None:
        self.state = folder / "state" / "fft-ocean" / "window.json"
        self.environment = {**os.environ, "DISPLAY": display, "XDG_STATE_HOME": str(folder / "state")}
        command = [sys.executable, str(APP), "window", *arguments]
        if not plain:
            command += AT_SOFTWARE
        self.process = subprocess.Popen(
            command, cwd=folder, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def xdotool(self, *arguments: str | int) -> str:
        """Run xdotool, and return its output."""
        command = ["xdotool", *map(str, arguments)]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=300).stdout

    def windows(self) -> list[str]:
        return self.xdotool("search", "--onlyvisible", "--name", "FFT ocean$").split()

    def window(self) -> str:
        """Return the visible window; full screen is another window."""
        found: list[str] = []

        def is_over() -> bool:
            found[:] = self.windows()  # none while one window replaces another
            return bool(found) or self.process.poll() is not None

        wait_for(is_over, "window")
        assert found, self.process.communicate()
        return found[-1]

    def size(self) -> tuple[int, int]:
        """Return width and height; 0 if the server returns none, for example while a window opens or closes."""
        lines = dict(line.split("=") for line in self.xdotool("getwindowgeometry", "--shell", self.window()).split())
        return int(lines.get("WIDTH", 0)), int(lines.get("HEIGHT", 0))

    def keys(self, *names: str) -> None:
        for name in names:
            self.xdotool("key", name)
            time.sleep(0.15)

    def drop(self, path: Path, types: int = 4) -> None:
        """Drop a file on the middle of the window, from a separate program that offers `types` types of data."""
        program = str(Path(__file__).with_name("xdnd.py"))
        command = [sys.executable, program, self.window(), "500", "400", str(path), str(types)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr

    def end(self) -> tuple[int, str]:
        """Wait for the end, and return the exit status and the text on stderr."""
        _, said = self.process.communicate(timeout=300)
        return self.process.returncode, said


@pytest.fixture
def start(display: str, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    started = []

    def run(*arguments: str, plain: bool = False) -> Program:
        started.append(Program(display, tmp_path, *arguments, plain=plain))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            program.process.kill()
            program.process.communicate()  # also closes its pipes
