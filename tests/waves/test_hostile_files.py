"""Files of spectra that are damaged, or hold numbers that no sea has."""

import numpy as np
import pytest

from ocean.settings import SettingsError, load_settings
from ocean.waves.spectra import child

xarray = pytest.importorskip("xarray")


def netcdf(path, density, **options):
    frequency = np.linspace(0.05, 0.4, 24)
    values = np.broadcast_to(density, (40, 24, 36)).astype("f4")
    axes = {"time": np.arange(40).astype("M8[h]").astype("M8[ns]"), "freq": frequency, "dir": np.arange(36) * 10.0}
    sea = xarray.Dataset({"efth": (("time", "freq", "dir"), values)}, axes)
    sea.to_netcdf(path, encoding={"efth": {"zlib": True, "chunksizes": (1, 24, 36), **options}})


def refusal(path):
    with pytest.raises(SettingsError) as error:
        load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"])
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_damaged_chunk_is_a_sentence(tmp_path, rng):
    netcdf(tmp_path / "x.nc", rng.random((40, 24, 36)) * 1e-3)
    data = bytearray((tmp_path / "x.nc").read_bytes())
    data[len(data) // 3 :: 97] = bytes(len(data[len(data) // 3 :: 97]))
    (tmp_path / "x.nc").write_bytes(data)
    assert "can't be read" in refusal(tmp_path / "x.nc")


def test_a_crash_of_the_library_is_a_sentence(tmp_path, monkeypatch):
    """The process is killed by a signal while it reads."""
    netcdf(tmp_path / "x.nc", np.full((40, 24, 36), 1e-4))
    start = child.start

    def crash():
        process = start()
        process.kill()
        process.wait()
        return process

    with monkeypatch.context() as patch:
        patch.setattr(child, "running", None)
        patch.setattr(child, "start", crash)
        assert "crashes on it (status -9)" in refusal(tmp_path / "x.nc")
    assert load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={tmp_path}/x.nc"])


@pytest.mark.parametrize("value", [9.97e36, 1e30, 1e6])
def test_fill_values_without_a_mark_are_refused(tmp_path, value):
    density = np.full((40, 24, 36), 1e-4)
    density[-1, 3, 5] = value
    netcdf(tmp_path / "x.nc", density, _FillValue=None)
    assert "beyond 100000 m²/Hz" in refusal(tmp_path / "x.nc")


@pytest.mark.parametrize("value", ["1e30", "1e300"])
def test_a_buoy_that_writes_no_sea_is_refused(tmp_path, value):
    head = "#YY MM DD hh mm Sep_Freq < spec_1 (freq_1) spec_2 (freq_2) >"
    line = f"2024 01 01 00 00 9.999 0.100 (0.033) {value} (0.038) 0.300 (0.043)"
    (tmp_path / "x.data_spec").write_text(f"{head}\n{line}\n")
    assert "beyond 100000 m²/Hz" in refusal(tmp_path / "x.data_spec")
