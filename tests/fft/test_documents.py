"""What the documentation says to type about transforms works."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ocean.fft import BACKENDS

from .samples import relative_error

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs/tutorials/add-a-backend.md").read_text(encoding="utf-8")


def test_functions(ctx):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.DOTALL)
    names = {"ctx": ctx}
    exec(next(block for block in blocks if "fft.rfft2" in block), names)
    picture, spectrum = names["picture"], np.fft.rfft2(names["picture"])
    spectrum[..., 40:, :] = 0
    assert names["smooth"].shape == picture.shape
    assert names["smooth"].dtype == np.float32
    assert relative_error(names["smooth"], np.fft.irfft2(spectrum, picture.shape[1:])) < 4e-6  # there and back
    assert names["tone"].dtype == np.complex128
    assert relative_error(names["tone"], np.fft.fft(np.sin(np.arange(4096) / 10), norm="ortho")) < 1e-13


@pytest.fixture(scope="module")
def follower(tmp_path_factory):
    """A checkout in which someone has followed the tutorial to the letter."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("ocean", "configs", "assets", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    for path, code in re.findall(r"Write `(\S+)`:\n\n```\w+\n(.*?)```", TUTORIAL, re.DOTALL):
        assert not (folder / path).exists()
        (folder / path).write_text(code, encoding="utf-8")
    (path,) = re.findall(r"In `(\S+)` import it", TUTORIAL)
    text = (folder / path).read_text(encoding="utf-8")
    for line, added in re.findall(r"```diff\n (.*\n)\+(.*\n)```", TUTORIAL):
        assert text.count(f"{line}") == 1
        text = text.replace(line, line + added)
    (folder / path).write_text(text, encoding="utf-8")
    return folder


def run(folder, *command):
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=240)


def test_a_backend_by_the_tutorial(follower):
    """Its own commands, and numpy on numbers that it does not know."""
    commands = re.findall(r"^python (app\.py transform samples.*)$", TUTORIAL, re.MULTILINE)
    x = np.random.default_rng().standard_normal((64, 2)) @ (1, 1j)
    np.savetxt(follower / "samples.txt", x.view("f8").reshape(-1, 2))
    (command,) = commands
    done = run(follower, *command.split(), "--out", "spectrum.txt")
    assert done.returncode == 0, done.stderr
    assert "wrong: 0 of 64 values" in done.stdout
    assert "by gentleman-sande, in single precision" in done.stdout
    result = np.loadtxt(follower / "spectrum.txt") @ (1, 1j)
    assert relative_error(result, np.fft.fft(x)) < 1e-6
    assert "gentleman-sande" not in BACKENDS


@pytest.mark.slow
def test_the_tests_of_the_tutorial(follower):
    """Those that it says to run find the new backend, and pass."""
    (paths,) = re.findall(r'make test ARGS="(tests.*?) -k gentleman"', TUTORIAL)
    done = run(follower, "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths.split(), "-k", "gentleman")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 10
