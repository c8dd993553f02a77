"""The hook that checks messages of commits."""

import shutil
import subprocess
from pathlib import Path

import pytest

HOOKS = Path(__file__).parents[1] / ".githooks"


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        ("é" * 72 + "\n\n" + "x" * 100, None),
        ("Merge branch " + "x" * 72, None),
        ("x" * 73, "73"),
        ("# a comment\n\n", "empty"),
    ],
)
def test_subjects_of_commits_are_short(tmp_path, message, wrong):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    git = ["git", "-C", tmp_path, "-c", "user.name=A", "-c", "user.email=a@b", "-c", f"core.hooksPath={HOOKS}"]
    done = subprocess.run([*git, "commit", "--allow-empty", "-m", message], capture_output=True, text=True)
    assert (done.returncode == 0) == (wrong is None)
    assert not wrong or (wrong in done.stderr and done.stderr.count("\n") == 1)
