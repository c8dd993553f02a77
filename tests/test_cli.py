"""The command line as a person types it: help, errors in one sentence, exit statuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def ocean(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "app.py", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "120", **environment},
    )


@pytest.mark.parametrize(
    "command", [[], ["window"], ["capture"], ["export"], ["sea"], ["transform"], ["image"], ["doctor"]]
)
def test_help_says_what_a_command_does(command):
    result = ocean(*command, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout
    assert result.stderr == ""


def test_version():
    assert ocean("--version").stdout.startswith("ocean ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "fft.size=101"], "fft.size = 101 is not an even number from 16 to 4096"),
        (
            ["--set", "fft.size=94", "--set", "fft.backend=stockham-shared"],
            "stockham-shared: needs a power of two from 16 up, not 94; 94 runs with ",
        ),
        (["--set", "sea.wind.sped=1"], "did you mean sea.wind.speed?"),
        (["--set", "sea.wind.speed=1e9"], "is outside 0 to 40 m/s"),
        (["--set", "sea.beaufort=13"], "sea.beaufort = 13 is outside 0 to 12"),
        (["--config", "gail"], "did you mean gale?"),
        (["--frames", "0"], "capture.frames = 0 is outside 1 to"),
        (["--resolution", "big"], "is not of the form 1280x720"),
        (["--tolerance", "-1"], "--tolerance"),
    ],
)
@pytest.mark.parametrize("command", ["capture"])
def test_bad_input_is_one_sentence_and_status_2(tmp_path, command, arguments, message):
    out = tmp_path / "out"
    result = ocean(command, "--out", str(out), *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not out.exists()


def test_bad_settings_stop_the_window_before_it_opens():
    result = ocean("window", "--set", "view.samples=3")
    assert result.returncode == 2
    assert "view.samples = 3 is not one of 1, 2, 4, 8" in result.stderr


def test_doctor_says_every_fact():
    result = ocean("doctor")
    assert result.returncode == 0
    for word in (
        "context: egl",
        "vendor:",
        "renderer:",
        "version:",
        "limits:",
        "timers:",
        "clock",
        "stockham-shared: 16, 32, 64, 128, 256",
        "  not 96, 240, 360, 480, 1000: needs a power of two from 16 up\n",
        "stockham-registers: 16, 32, 64, 96, 128, 240, 256, 360, 480, 512, 1000, 1024",
    ):
        assert word in result.stdout


@pytest.mark.parametrize("command", [["doctor"], ["capture", "--out", "nowhere"]])
def test_without_opengl_one_sentence_and_status_4(command, tmp_path):
    """A Mesa that finds no driver, and no display to fall back to."""
    result = ocean(
        *command,
        LIBGL_DRIVERS_PATH=str(tmp_path),
        __EGL_VENDOR_LIBRARY_DIRS=str(tmp_path),
        DISPLAY="",
    )
    assert result.returncode == 4
    assert "No OpenGL 4.3 context could be made" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (ROOT / "nowhere").exists()


def test_sea_says_what_a_sea_must_measure_without_opengl(tmp_path):
    nothing = {"LIBGL_DRIVERS_PATH": str(tmp_path), "__EGL_VENDOR_LIBRARY_DIRS": str(tmp_path), "DISPLAY": ""}
    arguments = ("sea", "--config", "gale", "--set", "fft.size=128")
    result = ocean(*arguments, **nothing)
    assert (result.returncode, result.stderr) == (0, "")
    for word in ("significant wave height", "6.637", "3 x 128²", "Beaufort 8 (gale)", "WMO sea state 7", "Cox"):
        assert word in result.stdout
    tree = json.loads(ocean(*arguments, "--json", **nothing).stdout)
    rows = {row["name"]: row for row in tree["quantities"]}
    assert rows["significant wave height"]["integral"] == pytest.approx(6.637, abs=1e-3)
    assert rows["foam coverage"]["expected"] == pytest.approx(3.84e-6 * 18**3.41, rel=1e-6)
    assert all({"integral", "expected", "deviation", "unit", "help"} <= set(row) for row in rows.values())


def test_a_sea_that_makes_no_sense_is_refused():
    result = ocean("sea", "--set", "sea.wind.spectrum=tma", "--set", "sea.dispersion=deep")
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
