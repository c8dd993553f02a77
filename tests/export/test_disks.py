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

from .exports import MANY, assert_whole, contents, many, start
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
