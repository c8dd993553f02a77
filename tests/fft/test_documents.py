"""The tutorial that adds a backend can be followed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from .samples import relative_error

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs/tutorials/add-a-backend.md").read_text(encoding="utf-8")


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


@pytest.mark.slow
def test_the_tutorials_backend_transforms_and_passes_its_tests(follower):
    (command,) = re.findall(r"^python (app\.py transform samples.*)$", TUTORIAL, re.MULTILINE)
    x = np.random.default_rng().standard_normal((64, 2)) @ (1, 1j)
    np.savetxt(follower / "samples.txt", x.view("f8").reshape(-1, 2))
    done = run(follower, *command.split(), "--out", "spectrum.txt")
    assert done.returncode == 0, done.stderr
    assert relative_error(np.loadtxt(follower / "spectrum.txt") @ (1, 1j), np.fft.fft(x)) < 1e-6
    done = run(follower, *command.split(), "--trace")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--trace" in done.stderr
    assert "gentleman-sande" in done.stderr
    (paths,) = re.findall(r'make test ARGS="(tests.*?) -k gentleman"', TUTORIAL)
    done = run(follower, "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths.split(), "-k", "gentleman")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 10
