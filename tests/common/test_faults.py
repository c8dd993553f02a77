"""Folders, streams and leftovers that the program meets, and what it leaves behind."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ocean.common.facts import program_facts
from ocean.common.files import OutputError, whole_files
from tests.messages import assert_refused

ROOT = Path(__file__).parents[2]


def test_the_next_run_removes_the_unfinished_files_of_a_killed_run(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from ocean.common.files import whole_files\n"
        "with whole_files(Path(sys.argv[1]), ['x']): print('in', flush=True); time.sleep(60)"
    )

    def begin():
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout.readline() == b"in\n"
        return process

    with begin() as killed, begin() as running:
        assert len([path for path in tmp_path.iterdir() if path.is_dir()]) == 2
        killed.kill()
        killed.wait()
        with whole_files(tmp_path, ["y"]) as folder:
            (folder / "y").touch()
        assert [path.is_dir() for path in sorted(tmp_path.glob(".unfinished-*"))] == [True, False]  # with its lock
        running.kill()


def test_a_link_inside_the_folder_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/frames").symlink_to(tmp_path / "elsewhere")

    def write():
        with whole_files(tmp_path / "out", ["frames/0"]) as folder:
            (folder / "frames").mkdir()
            (folder / "frames/0").touch()

    with pytest.raises(OutputError, match="leads out"):
        write()
    assert not list((tmp_path / "elsewhere").iterdir())


def shown(redirection, command="--version", **environment):
    """Run a command with a shell's redirection."""
    words = f"{sys.executable} {ROOT}/app.py {command} {redirection}"
    return subprocess.run(words, shell=True, capture_output=True, cwd=ROOT, env=os.environ | environment, text=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
def test_standard_output_may_be_full_or_closed():
    full = shown(">/dev/full")
    assert_refused(full, "standard output no space")
    closed = shown(">&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    both = shown(">/dev/full 2>/dev/full", "--nope")
    assert both.returncode == 2


def test_an_encoding_that_replaces_nothing_is_not_used():
    strange = shown("", PYTHONIOENCODING="idna")
    assert (strange.returncode, strange.stderr) == (0, "")
    assert strange.stdout


def test_a_command_finishes_without_standard_output(tmp_path):
    code = (
        "import time; from ocean.cli import streams\n"
        "with streams.lasting():\n"
        "    print('16 × 9 …', flush=True); time.sleep(0.5); print('on', flush=True); print('on', flush=True)\n"
        "    open('done', 'w').close()"
    )
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment
    ) as process:
        assert process.stdout.readline() == b"16 ? 9 ?\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    assert (tmp_path / "done").exists()


def test_git_is_asked_without_its_lock(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=b", *words], check=True)

    git("init", "-q")
    (tmp_path / "x").touch()
    git("add", "x")
    git("commit", "-qm", "x")
    time.sleep(0.01)
    (tmp_path / "x").touch()  # a status with the lock writes the index again
    before = (tmp_path / ".git/index").stat().st_mtime_ns
    assert program_facts(tmp_path).git_modified is False
    assert (tmp_path / ".git/index").stat().st_mtime_ns == before
