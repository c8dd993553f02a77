"""The measurement of export overhead, on a small export."""

import pytest

from tools.measure.export_overhead import Overhead, measure, sea_times

from .plans import plan


@pytest.mark.parametrize("form", ["exr", "npz", "zarr"])
def test_the_overhead_of_a_small_export_is_measured(tmp_path, form):
    found = measure(plan(format=form), tmp_path)
    assert min(found.frames_s, found.encoder_s, found.export_s) > 0
    assert len(list((tmp_path / "alone").iterdir())) >= 1
    assert (tmp_path / "export" / "SHA256SUMS").exists()


def test_overhead_is_the_whole_time_divided_by_the_time_of_its_parts():
    assert Overhead("npz", "cpu", 2.0, 1.0, 4.5).ratio == 1.5


def test_frames_of_the_sea_are_timed():
    times = sea_times(size=32, frames=3)
    assert len(times) == 3
    assert min(times) > 0
