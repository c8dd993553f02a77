"""Files of spectra that are damaged or hold numbers that no sea has."""

import gzip
import json
import pickle

import numpy as np
import pytest

from ocean.common.isolated import Cancelled
from ocean.common.parameters import UnreadError
from ocean.settings import SettingsError, load_settings, with_values
from ocean.settings.files import Resolution, contents, resolve
from ocean.waves import spectrum_files
from ocean.waves.statistics import predicted_height
from ocean.waves.systems import swell
from tests.messages import naming, unnamed

from .spectrum_files import file_sea, file_spectrum

xarray = pytest.importorskip("xarray")
ENDLESS = "SWAN 1\nLONLAT\n 99999999999999999999 number of locations\n 1.0 2.0\n"
"""A file that wavespectra reads until memory is exhausted."""


def netcdf(path, density, **options):
    frequency = np.linspace(0.05, 0.4, 24)
    values = np.broadcast_to(density, (40, 24, 36)).astype("f4")
    axes = {"time": np.arange(40).astype("M8[h]").astype("M8[ns]"), "freq": frequency, "dir": np.arange(36) * 10.0}
    sea = xarray.Dataset({"efth": (("time", "freq", "dir"), values)}, axes)
    sea.to_netcdf(path, encoding={"efth": {"zlib": True, "chunksizes": (1, 24, 36), **options}})


def named(path):
    return load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"])


def refusal(path):
    """Return the message that refuses a file, read in this process."""
    with pytest.raises(ValueError, match=r"spectrum\.") as error:
        file_spectrum(path)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_damaged_chunk_is_refused_in_one_sentence(tmp_path, rng):
    netcdf(tmp_path / "x.nc", rng.random((40, 24, 36)) * 1e-3)
    data = bytearray((tmp_path / "x.nc").read_bytes())
    data[len(data) // 3 :: 97] = bytes(len(data[len(data) // 3 :: 97]))
    (tmp_path / "x.nc").write_bytes(data)
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path x.nc can't be read")) as error:
        resolve(named(tmp_path / "x.nc"))
    assert "\n" not in str(error.value)


def test_resolved_settings_keep_the_file_that_they_read(tmp_path):
    """Settings are equal as long as their file has the same content; resolving reads a file that has changed."""
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert named(path) == named(path)
    first, same = resolve(named(path)), resolve(named(path))
    assert resolve(first) is first
    assert pickle.loads(pickle.dumps(first)) == first
    buoy(path, [0.4, 0.8], [0.1, 0.2])
    other = resolve(named(path))
    path.unlink()
    assert first == same != other
    assert contents(first) == contents(same) != contents(other)
    heights = [predicted_height(one.sea.systems) for one in (first, other, with_values(first, {"view.x": 1.0}))]
    assert heights[1] == pytest.approx(2 * heights[0], rel=1e-6)
    assert heights[2] == heights[0]
    assert resolve(with_values(first, {"sea.wind.spectrum.tail": False})).sea.systems
    assert with_values(first, {"sea.wind.spectrum": "jonswap"}).sea.wind.spectrum.kind == "jonswap"
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path no file")):
        resolve(with_values(first, {"sea.wind.spectrum.path": str(path)}))


def test_settings_name_files_without_opening_them(tmp_path):
    settings = named(tmp_path / "absent.nc")
    assert with_values(settings, {"sea.seed": 3}).sea.seed == 3
    with pytest.raises(UnreadError, match="absent"):
        settings.sea.systems  # noqa: B018
    with pytest.raises(SettingsError, match=naming("sea.wind height 0")):
        with_values(settings, {"sea.wind.height": 2.0})


def test_a_sea_is_checked_when_its_file_has_been_read(tmp_path):
    settings = with_values(named(buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])), {"sea.loop_period": 9.0})
    with pytest.raises(SettingsError, match=naming("sea.loop_period 9 20 s")):
        resolve(settings)


@pytest.mark.parametrize("value", [9.97e36, 1e30, 1e6])
def test_fill_values_without_a_mark_are_refused(tmp_path, value):
    density = np.full((40, 24, 36), 1e-4)
    density[-1, 3, 5] = value
    netcdf(tmp_path / "x.nc", density, _FillValue=None)
    assert "beyond 100000 m²/Hz" in refusal(tmp_path / "x.nc")


def buoy(path, densities, frequencies):
    head = "#YY MM DD hh mm Sep_Freq < spec_1 (freq_1) spec_2 (freq_2) >"
    values = " ".join(f"{density} ({frequency})" for density, frequency in zip(densities, frequencies, strict=True))
    path.write_text(f"{head}\n2024 01 01 00 00 9.999 {values}\n")
    return path


@pytest.mark.parametrize(
    ("densities", "frequencies", "named"),
    [
        ([0.1, 1e30, 0.3], [0.033, 0.038, 0.043], "100000 m²/Hz 1e+30 0.038"),
        ([0.1, 1e300, 0.3], [0.033, 0.038, 0.043], "100000 m²/Hz 1e+300 0.038"),
        ([0.1, 9e4, 0.3], [0.03, 0.1, 0.2], "Hs 350 100"),
        ([0.0, 9e4], [99.999, 100.0], "Hs 6e+03 100"),
        *(
            ([0.1, 0.2, 0.3], [0.033, 0.038, value], f"frequency {value:g} 1e-06 100")
            for value in (np.inf, 1e30, 1e300, -0.1, 1e-300)
        ),
    ],
)
def test_a_buoy_that_writes_no_sea_is_refused(tmp_path, densities, frequencies, named):
    assert unnamed(refusal(buoy(tmp_path / "x.data_spec", densities, frequencies)), named) == []


@pytest.mark.parametrize("value", [1e-100, 1e-300, 5e-324])
def test_waves_whose_squares_underflow_are_ignored(tmp_path, value):
    path = buoy(tmp_path / "x.data_spec", [value] * 3, [0.05, 0.1, 0.2])
    assert file_spectrum(path).shape(0, 0).is_flat
    assert swell(value, 9.0, 0.0, 40.0).is_flat


@pytest.mark.parametrize(
    ("directions", "density", "named"),
    [
        ([0.0, np.nan, 180.0], 1e-3, "direction nan degrees -360 720"),
        ([0.0, 90.0, np.inf], 1e-3, "direction inf degrees"),
        ([0.0, 90.0, 1e300], 1e-3, "direction 1e+300 degrees"),
        ([30.0, 30.0, 30.0], 1e-3, "direction twice"),
        (["a", "b"], 1e-3, "direction no number"),
        ([], 1e-3, "0 directions"),
        ([0.0, 360.0], 1e-3, "directions all 0"),
        ([0.0, 120.0, 240.0], 5e4, "100000 1.8e+07"),
    ],
)
def test_invalid_directions_are_refused(tmp_path, directions, density, named):
    axes = {"freq": [0.05, 0.1, 0.2], "dir": directions}
    efth = xarray.DataArray(np.full((3, len(directions)), density), axes, ("freq", "dir"), "efth")
    efth.to_dataset().to_netcdf(tmp_path / "x.nc")
    assert unnamed(refusal(tmp_path / "x.nc"), named) == []


def test_a_closed_circle_has_its_first_direction_at_both_ends(tmp_path):
    axes = {"freq": [0.05, 0.1, 0.2], "dir": [0.0, 120.0, 240.0, 360.0]}
    whole = xarray.DataArray(np.full((3, 4), 1e-3), axes, ("freq", "dir"), "efth").to_dataset()
    found = []
    for name, sea in ("closed", whole), ("open", whole.isel(dir=slice(3))):
        sea.to_netcdf(tmp_path / f"{name}.nc")
        found.append(predicted_height([file_sea(tmp_path / f"{name}.nc")]))
    assert found[0] == found[1] > 0


def test_a_file_that_unpacks_beyond_its_bound_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(spectrum_files, "MOST_TEXT", 1 << 20)
    for start in ("{", "#YY MM DD hh mm\n"):
        (tmp_path / "x.gz").write_bytes(gzip.compress(start.encode() + bytes(2 << 20)))
        assert unnamed(refusal(tmp_path / "x.gz"), "1 MiB") == []
    first = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert unnamed(refusal(f"{first},{','.join([f'{tmp_path}/x.gz'] * 4)}"), "x.gz 1 MiB") == []
    (tmp_path / "x.json").write_text(json.dumps({"a": "b" * (2 << 20)}))
    assert unnamed(refusal(tmp_path / "x.json"), "1 MiB") == []


def test_a_broken_link_is_refused_in_one_sentence(tmp_path):
    pytest.importorskip("zarr")
    (tmp_path / "zarr.json").write_text("{}")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path link no such file")):
        resolve(named(tmp_path))


# -- Reading without end: the process ends, and starts again for the next file -----------------------------------------


def test_a_file_that_is_read_without_end_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "x.swn").write_text(ENDLESS)
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path x.swn longer 0.1 s")):
        resolve(named(tmp_path / "x.swn"), longest=0.1)


def test_reading_tells_the_file_and_can_be_cancelled(tmp_path):
    (tmp_path / "x.swn").write_text(ENDLESS)
    read = []
    with pytest.raises(Cancelled):
        resolve(named(tmp_path / "x.swn"), read.append, lambda: bool(read))
    assert read == ["x.swn"]
    Resolution(named(tmp_path / "x.swn")).cancel()
    (tmp_path / "x.hdr").write_bytes(b"#?RADIANCE\n\n-Y 4 +X 8\n" + bytes([9, 9, 9, 128]) * 32)
    settings = load_settings(overrides=[f"sky.panorama={tmp_path}/x.hdr"])
    assert (resolution := Resolution(settings)).result(60.0) == resolve(settings)
    assert resolution.file == "x.hdr"
