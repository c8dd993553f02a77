"""The measurement of what exports cost, on a small one; and that what was measured keeps what exports promise."""

import json
from pathlib import Path

import pytest

from .overhead import FRAMES, Overhead, measure, sea_times
from .plans import plan

REPORTS = sorted((Path(__file__).parent.parent.parent / "docs" / "measurements").glob("*/export.json"))


@pytest.mark.parametrize("form", ["exr", "npz", "zarr"])
def test_a_small_export(tmp_path, form):
    found = measure(plan(format=form), tmp_path)
    assert min(found.frames_s, found.encoder_s, found.export_s) > 0
    assert len(list((tmp_path / "alone").iterdir())) >= 1
    assert (tmp_path / "export" / "SHA256SUMS").exists()


def test_the_ratio_is_of_the_whole_to_its_parts():
    assert Overhead("npz", "cpu", 2.0, 1.0, 4.5).ratio == 1.5


def test_frames_of_the_sea_are_timed():
    times = sea_times(size=32, frames=3)
    assert len(times) == 3
    assert min(times) > 0


def test_no_export_takes_twice_its_frames_and_encoder():
    """As it was measured; and a frame of the sea at N = 512 takes at most 25 ms without a GPU."""
    assert REPORTS
    for report in (json.loads(path.read_text()) for path in REPORTS):
        assert report["frames"] == FRAMES == 240
        assert {row["format"] for row in report["exports"]} >= {"exr", "npz", "zarr"}
        assert all(row["ratio"] <= 2 for row in report["exports"])
        assert report["sea_of_512_ms"]["median"] <= 25
