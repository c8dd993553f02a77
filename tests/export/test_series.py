"""Time series of the surface: against sums over the waves, their statistics, and both formats as others read them."""

import math
import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from ocean.common.files import OutputError, whole_files
from ocean.export.series import positions, statistics, summary, write, write_series
from ocean.sea.base import Series
from ocean.sea.blend import make_spectrum
from ocean.sea.sea import make_sea
from ocean.settings import load_settings
from ocean.waves.surface import WaveSum
from tests.messages import assert_refused, unnamed

SMALL = "fft.size=64", "cascades.count=2", "sea.wind.speed=0", "sea.swell.height=2", "sea.swell.period=8"


def exact(settings, x, z, time):
    spectrum = make_spectrum(settings)
    return WaveSum(spectrum.waves, time, settings.sea.choppiness, spectrum.lifts).surface(x, z)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_a_series_is_the_surface_at_each_time(ctx, releasing, on_gpu):
    """Points move at (4, -2) m/s. Sums over the waves agree in height but for the interpolation of maps of 64
    texels, which hardly matters for swell."""
    settings = load_settings(overrides=SMALL)
    sea = releasing(make_sea(settings, ctx if on_gpu else None))
    times = 10 + np.arange(8) * 0.5
    found = sea.series([0.0, 30.0, -7.0], [0.0, 4.0, 9.0], times, moving=(4.0, -2.0))
    for i in (0, 5):
        x, z = np.array([0.0, 30.0, -7.0]) + 2.0 * i, np.array([0.0, 4.0, 9.0]) - 1.0 * i
        np.testing.assert_allclose([found.x[i], found.z[i]], [x, z])
        sea.update(times[i])
        now = sea.surface(x, z)
        slope = -now.normal[:, [0, 2]] / now.normal[:, 1:2]
        np.testing.assert_allclose(found.elevation[i], now.height, rtol=1e-5)
        np.testing.assert_allclose(found.velocity[i], now.velocity, rtol=1e-5)
        np.testing.assert_allclose(found.slope[i], slope, rtol=1e-5)
        wanted = exact(settings, x, z, times[i]).height
        np.testing.assert_allclose(found.elevation[i], wanted, atol=0.02)


def made(elevation, step=0.25):
    times = np.arange(len(elevation)) * step
    shape = elevation.shape
    still = np.zeros(shape)
    return Series(times, still, still, elevation, np.zeros((*shape, 3)), np.zeros((*shape, 2)))


def test_statistics_of_two_sines_and_of_a_gap():
    t = np.arange(2400) * 0.25  # 600 s
    heights = 2.0 * np.sin(2 * np.pi * t / 10) + 1.0 * np.sin(2 * np.pi * t / 5)
    found = statistics(made(heights[:, None]))
    m0, m2 = (4 + 1) / 2, (4 / 100 + 1 / 25) / 2
    assert found.hs == pytest.approx(4 * math.sqrt(m0), rel=1e-6)
    assert found.tm02 == pytest.approx(math.sqrt(m0 / m2), rel=1e-4)
    assert found.crossings in (59, 60)
    assert found.skewness == pytest.approx(0.0, abs=1e-6)
    heights[100:103] = np.nan
    gaps = made(heights[:, None])
    assert unnamed(" ".join(summary(gaps)), "hs 3 of 2400 missing") == []
    assert np.isnan(gaps.elevation).sum() == 3
    assert statistics(made(heights[:, None])).hs == pytest.approx(found.hs, rel=0.01)
    assert math.isnan(statistics(made(heights[:1, None])).tm02)


@pytest.mark.parametrize("rate", [4, 100])
def test_the_period_does_not_depend_on_the_rate(rate):
    """The last height differs from the first by 1.7 m; this step adds short waves that the sea does not have."""
    heights = np.sin(2 * np.pi * (np.arange(55 * rate) / rate / 14 + 0.25))
    assert statistics(made(heights[:, None], 1 / rate)).tm02 == pytest.approx(14, rel=0.02)


def test_the_height_of_a_short_series_is_that_of_its_field():
    """Waves hardly move within 0.2 s, but differ from point to point."""
    heights = np.sin(np.arange(100) * 2 * np.pi / 10) + 0.01 * np.arange(3)[:, None]
    assert statistics(made(heights, 0.1)).hs == pytest.approx(4 * math.sqrt(0.5), rel=1e-3)


@pytest.mark.parametrize(
    ("step", "duration", "named"),
    [(0.5, 720, ""), (8.0, 720, "tm02 crossings 16 --rate"), (0.5, 36, "35.5 9 hs tm02 --duration")],
)
def test_a_series_that_is_too_coarse_or_short_is_remarked(step, duration, named):
    """Every 8 s, waves of 9 s look like waves of 72 s."""
    turns = 2 * np.pi * np.arange(0, duration, step)[:, None] / 9
    velocity = np.stack([np.zeros(turns.shape), 2 * np.pi / 9 * np.cos(turns), np.zeros(turns.shape)], axis=-1)
    said = [*summary(replace(made(np.sin(turns), step), velocity=velocity))]
    assert len(said) == 1 + bool(named)
    assert unnamed(said[-1], named) == []


def test_times_far_from_the_start_stay_apart(tmp_path):
    field = made(np.zeros((3, 1)), 0.25)
    write_series(tmp_path / "f.csv", replace(field, time=field.time + 1e8), load_settings(overrides=SMALL))
    table = np.genfromtxt(tmp_path / "f.csv", delimiter=",", names=True)
    assert np.diff(table["time_s"]).tolist() == [0.25, 0.25]


def test_both_formats_hold_the_series(tmp_path):
    pytest.importorskip("netCDF4")
    xarray = pytest.importorskip("xarray")
    rng = np.random.default_rng(5)
    x, z = positions([], None, "40x30", 10.0)
    shape = 3, *x.shape
    field = Series(np.arange(3.0), np.broadcast_to(x, shape), np.broadcast_to(z, shape), rng.normal(size=shape),
                   rng.normal(size=(*shape, 3)), rng.normal(size=(*shape, 2)))  # fmt: skip
    settings = load_settings(overrides=SMALL)
    for name in ("f.nc", "f.csv"):
        write_series(tmp_path / name, field, settings)
    with xarray.open_dataset(tmp_path / "f.nc", decode_times=False) as found:
        assert found["elevation"].attrs["standard_name"] == "sea_surface_height_above_mean_sea_level"
        assert not any("_FillValue" in found[axis].encoding for axis in ("time", "x", "y"))
        at = found.sel(x=float(x[1, 2]), y=float(-z[1, 2])).isel(time=2)
        assert float(at["elevation"]) == pytest.approx(field.elevation[2, 1, 2], rel=1e-6)
        assert float(at["velocity_north"]) == pytest.approx(-field.velocity[2, 1, 2, 2], rel=1e-6)
        assert float(at["slope_north"]) == pytest.approx(-field.slope[2, 1, 2, 1], rel=1e-6)
    table = np.genfromtxt(tmp_path / "f.csv", delimiter=",", names=True)
    assert len(table) == field.elevation.size
    np.testing.assert_allclose(table["elevation_m"].reshape(shape), field.elevation, rtol=1e-5)
    np.testing.assert_allclose(table["velocity_up_m_per_s"].reshape(shape), field.velocity[..., 1], rtol=1e-5)


def test_a_field_that_moves_has_its_places_at_each_time(tmp_path):
    pytest.importorskip("netCDF4")
    xarray = pytest.importorskip("xarray")
    x, z = positions([], None, "40x30", 10.0)
    moved = np.arange(3.0)[:, None, None]
    still = np.zeros((3, *x.shape))
    field = Series(
        np.arange(3.0), x + 5 * moved, z - moved, x + moved, np.zeros((*still.shape, 3)), np.zeros((*still.shape, 2))
    )
    write_series(tmp_path / "f.nc", field, load_settings(overrides=SMALL))
    with xarray.open_dataset(tmp_path / "f.nc", decode_times=False) as found:
        np.testing.assert_allclose(found["x"], field.x)
        np.testing.assert_allclose(found["y"], -field.z)
        np.testing.assert_allclose(found["elevation"], field.elevation)


def test_the_command_writes_a_file_and_says_its_statistics(tmp_path, ocean_here):
    (tmp_path / "points.txt").write_text("# east, south\n0,0\n\n12.5 -3  # a buoy\n")
    small = [word for value in SMALL for word in ("--set", value)]
    words = ["--points", tmp_path / "points.txt", "--duration", "2", "--rate", "2", "--device", "cpu", *small]
    done = ocean_here("series", *words, "--out", tmp_path / "s.csv")
    assert done.returncode == 0
    assert unnamed(done.stdout, "hs m tm02 s crossings skewness s.csv") == []
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 1 + 5 * 2


def test_an_unwritable_file_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr("ocean.export.series.make_sea", lambda *_: pytest.fail("too late"))
    settings, where = load_settings(overrides=SMALL), positions([], None, None, 1.0)
    times = {"moving": (0.0, 0.0), "start": 0.0, "duration": 1.0, "rate": 1.0, "device": "cpu"}
    run = partial(write, settings, tmp_path / "s.csv", where, **times)
    with whole_files(tmp_path, ["s.csv"], alone=True), pytest.raises(OutputError, match="another process"):
        run()
    (tmp_path / "s.csv").mkdir()
    with pytest.raises(OutputError, match="folder"):
        run()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--out", "s.txt"], "--out s.txt .csv .nc"),
        (["--out", "s.csv", "--at", "1"], "--at 1"),
        (["--out", "s.csv", "--moving", "north"], "--moving north"),
        (["--out", "s.csv", "--points", "absent.txt"], "--points absent.txt"),
        (["--out", "s.csv", "--points", os.devnull], "--points device"),
        (["--out", "s.csv", "--patch", "9x9", "--at", "0,0", "--at", "1,1"], "--patch one centre"),
        (["--out", "s.csv", "--duration", "1e7"], "rows most"),
        (["--out", "s.csv", "--duration", "inf"], "--duration inf"),
        (["--out", "s.csv", "--start", "nan"], "--start nan"),
        (["--out", "s.csv", "--at", "nan,0"], "points"),
        (["--out", "s.csv", "--moving", "inf,0"], "points --moving"),
        (["--out", "s.csv", "--moving", "1e200,0"], "points --moving"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(words, named, ocean_here):
    done = ocean_here("series", *words, "--device", "cpu")
    assert_refused(done, named)
