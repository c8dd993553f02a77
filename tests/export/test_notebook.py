"""The notebook of docs/ runs, on an export as it says, and finds the height that the sea has."""

import json
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from ocean.export.run import export
from ocean.sea.host import HostSea

from .plans import plan

NOTEBOOK = Path(__file__).parent.parent.parent / "docs" / "wave-height.ipynb"


def test_the_notebook_finds_the_height_of_the_sea(tmp_path, monkeypatch, capsys):
    wanted = plan(format="zarr", fps=1.0, frames=4)
    export(wanted, tmp_path)
    monkeypatch.setenv("SEA", str(tmp_path))
    matplotlib.use("agg")
    names = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    sea, heights = HostSea(wanted.settings), []
    for index in range(4):
        sea.update(wanted.time(index))
        heights.append(4 * np.sqrt(sea.fields()["height"].var(axis=(1, 2), dtype="f8").sum()))
    np.testing.assert_allclose(names["hs"], heights, rtol=1e-5)
    assert names["hs"].attrs["units"] == "m"
    assert f"Hs = {np.mean(heights):.2f} m" in capsys.readouterr().out
    names["sea"].close()
    assert names["hs"].values == pytest.approx(heights, rel=1e-5)
