"""Exports to disks that are full or may not be written: finished files are neither lost nor damaged."""

import errno
import os
import resource
import subprocess
import sys

import pytest

from ocean.common.files import UNFINISHED, OutputError
from ocean.export.formats.arrays import NumpyFormat
from ocean.export.plan import Patch
from ocean.export.run import export
from tests.messages import naming, unnamed

from .exports import MANY, ROOT, assert_whole, contents, many, start
from .plans import plan


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting takes root")
def test_a_full_disk_loses_nothing(tmp_path, finished):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", disk], check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        process = start(disk / "out", "--format", "npz")
        _, errors = process.communicate(timeout=300)
        done = len(list((disk / "out").glob("*.npz")))
        assert process.returncode == 2
        assert errors.count("\n") == 1
        assert unnamed(errors, f"no space {done} of {MANY} frames --resume") == []
        assert 0 < done < MANY
        assert_whole(disk / "out")
        assert not list((disk / "out").glob(UNFINISHED + "*"))
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        assert export(many("npz"), disk / "out", resume=True) == 0
        assert contents(disk / "out") == finished("npz")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_disk_that_fills_within_a_frame_keeps_earlier_frames(tmp_path, monkeypatch):
    """The error is injected after a part of a file was written. Earlier frames stay, and the next attempt makes the
    others."""
    write, calls = NumpyFormat.write, []

    def fill(self, frame, aside):
        calls.append(frame.index)
        if frame.index == 2 and len(calls) == 3:
            (aside / self.names(2)[0]).write_bytes(b"half of a frame")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, frame, aside)

    monkeypatch.setattr(NumpyFormat, "write", fill)
    with pytest.raises(OutputError, match=naming("no space 2 of 5 frames --resume")):
        export(plan(), tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == ["frame.000000.npz", "frame.000001.npz"]
    assert export(plan(), tmp_path, resume=True) == 0
    assert calls == [0, 1, 2, 2, 3, 4]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_openexr_errors_contain_the_error_of_the_system(tmp_path, monkeypatch, code):
    def fail(*_):
        raise RuntimeError(f'Failed to write pixel data to image file "x.exr". {os.strerror(code)}.')

    monkeypatch.setattr("OpenEXR.File.write", fail)
    with pytest.raises(OutputError, match=os.strerror(code).lower()):
        export(plan(format="exr"), tmp_path)


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("usd", {"maps": (), "patch": Patch(20.0, 20.0, 1.0)}),
        ("swd", {"maps": ()}),
        *((form, {}) for form in ("exr", "npz", "zarr", "raw", "dds")),
    ],
)
def test_a_file_that_may_not_grow_is_reported_by_each_library(tmp_path, monkeypatch, form, options):
    if form == "usd":
        pytest.importorskip("pxr")
    wanted = plan(format=form, frames=2, **options)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python would keep the first bytes of a compiled module
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))  # Python ignores its signal
    try:
        with pytest.raises(OutputError, match=naming("file too large 0 of 2 frames")):
            export(wanted, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert export(wanted, tmp_path, resume=True) == 0


@pytest.mark.parametrize("options", [{"format": "exr"}, {"format": "usd", "maps": (), "patch": Patch(4.0, 4.0, 1.0)}])
def test_a_file_name_that_a_library_refuses_is_reported(tmp_path, options):
    pytest.importorskip("pxr")
    with pytest.raises(OutputError, match=naming("name utf-8")):
        export(plan(frames=1, **options), tmp_path / "e\udcff")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    """Permissions do not stop root, so a file stands where the folder should be; the second case runs as nobody."""
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=naming(tmp_path / "file" / "out")):
        export(plan(), tmp_path / "file" / "out")


def test_a_read_only_folder_is_refused(tmp_path):
    """The error is that of a read-only mount or of somebody else's folder, whichever user runs the test."""
    code = """
import os, sys
from pathlib import Path
from ocean.export import run
from ocean.export.formats import arrays
from ocean.export.plan import Plan
from ocean.common.files import OutputError
from ocean.settings import load_settings
from ocean.settings import load_settings
plan = Plan(load_settings(overrides=["fft.size=32"]), 1, "npz", ("displacement",), device="cpu")
if os.geteuid() == 0: os.seteuid(65534)
try: run.export(plan, Path(sys.argv[1]))
except OutputError as error: print(error)
"""
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents[:3]):
        if parent.stat().st_uid == os.geteuid() and "pytest" in str(parent):
            parent.chmod(0o755)
    command = [sys.executable, "-c", code, str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    assert unnamed(done.stdout, out, "permission denied") == []
    assert list(out.iterdir()) == []
