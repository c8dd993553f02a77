"""Exports whose folder or values become invalid during the export."""

import shutil

import numpy as np
import pytest

from ocean.common.files import OutputError
from ocean.export.plan import ExportError
from ocean.export.run import ExportFolder, export
from ocean.export.sources import MapSource
from ocean.sea.host import HostSea
from tests.marks import slow
from tests.messages import naming

from .plans import plan


@pytest.mark.parametrize(("format", "workers"), [("npz", None), slow("npz", 1), slow("zarr", 1), slow("zarr", None)])
def test_a_folder_that_is_removed_is_an_error(tmp_path, monkeypatch, format, workers):
    frame, out = MapSource.frame, tmp_path / "out"

    def remove(source, index):
        if index == 2:
            shutil.rmtree(out)
        return frame(source, index)

    if workers:
        gather = ExportFolder.gather
        monkeypatch.setattr(ExportFolder, "gather", lambda *a: (shutil.rmtree(out, ignore_errors=True), gather(*a)))
    else:
        monkeypatch.setattr(MapSource, "frame", remove)
    with pytest.raises(OutputError, match="no such file"):
        export(plan(format=format), out, workers=workers)


def test_an_export_with_values_that_are_not_finite_fails(tmp_path, monkeypatch):
    fields, calls = HostSea.fields, []

    def broken(sea):
        made = {name: values.copy() for name, values in fields(sea).items()}
        calls.append(made)
        if len(calls) == 4:
            made["height"][0, 1, 2] = np.nan
        return made

    monkeypatch.setattr(HostSea, "fields", broken)
    with pytest.raises(ExportError, match=naming("frame 3 height not finite")):
        export(plan(), tmp_path / "out")
    assert len(list((tmp_path / "out").glob("*.npz"))) == 3


def test_a_link_in_the_folder_is_not_followed(tmp_path):
    out = tmp_path / "out"
    assert export(plan(frames=1), out) == 0
    (tmp_path / "mine").write_text("mine")
    (out / "SHA256SUMS").unlink()
    (out / "SHA256SUMS").symlink_to(tmp_path / "mine")
    with pytest.raises(OutputError, match="link"):
        ExportFolder(out).note({"x": "0" * 64})
    assert (tmp_path / "mine").read_text() == "mine"
