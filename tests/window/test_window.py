"""The real program in a real window, driven by a real mouse and keyboard."""

import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from .conftest import APP, wait_for

pytestmark = pytest.mark.window
SCREENSHOT_BUTTON = 145, 66  # in a window of 640 x 360
OPEN_WATER = 330, 300


def picture(path):
    return np.asarray(Image.open(path)).astype(int)


def test_it_quits_after_its_frames_and_leaves_a_picture(start, tmp_path):
    program = start("--quit-after", "5", "--screenshot", "shots/last.png")
    assert program.end() == (0, "")
    shown = picture(tmp_path / "shots" / "last.png")
    assert shown.shape == (360, 640, 3)
    assert shown[20:300, 30:200].mean() < shown[20:60, 300:340].mean() - 30  # the panel is darker than the sky


def test_it_survives_whatever_is_done_to_its_window(start, tmp_path):
    program = start("--quit-after", "5000", "--screenshot", "last.png")
    window = program.window()
    program.xdotool("windowfocus", "--sync", window)
    pictures = tmp_path / "out"

    def saved(count):
        wait_for(lambda: pictures.exists() and len(list(pictures.glob("*.png"))) == count, f"picture {count}")

    wait_for(lambda: program.size() == (640, 360), "window of the software profile")
    program.keys("p")
    saved(1)
    program.click(*SCREENSHOT_BUTTON)
    saved(2)
    program.keys("F1", "F1", "c", "f", "f", "Tab", "Tab", "space", "space")
    program.xdotool("mousemove", "--window", window, *OPEN_WATER)
    program.xdotool("mousedown", 1, "mousemove_relative", 60, 10, "mouseup", 1, "click", 4, "click", 5)
    program.xdotool("keydown", "w", "sleep", 0.3, "keyup", "w")
    for width, height in ((900, 500), (200, 120), (640, 360)):
        program.xdotool("windowsize", "--sync", window, width, height)
        assert program.size() == (width, height)
    program.xdotool("windowminimize", "--sync", window)
    wait_for(lambda: not program.windows(), "minimised window")
    program.xdotool("windowmap", "--sync", window)
    program.xdotool("windowfocus", "--sync", program.window())
    program.keys("F11")
    wait_for(lambda: program.size() == (1280, 800), "full screen")
    program.keys("F11")
    wait_for(lambda: program.size() == (640, 360), "window as it was")
    program.keys("F12")
    saved(3)
    program.keys("Escape")
    assert program.end() == (0, "")
    first, last = sorted(pictures.glob("*.png"))[0], tmp_path / "last.png"
    assert picture(first).shape == picture(last).shape == (360, 640, 3)
    assert picture(last).std() > 10


def test_closing_the_window_ends_the_program(start):
    program = start()
    program.xdotool("windowfocus", "--sync", program.window())
    wait_for(lambda: program.size() == (640, 360), "window of the software profile")
    program.keys("alt+F4")
    assert program.end() == (0, "")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [((), 4, "ocean: No window with OpenGL 4.3 could be made."), (("--window", "glwf"), 2, "no window library 'glwf'")],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(arguments, status, said, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, str(APP), "window", *arguments]
    result = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert said in result.stderr
    assert "Traceback" not in result.stderr
