"""Files of spectra that are damaged or hold numbers that no sea has."""

import gzip
import json

import numpy as np
import pytest

from ocean.waves import spectrum_files
from ocean.waves.statistics import predicted_height
from ocean.waves.systems import swell
from tests.messages import unnamed

from .spectrum_files import buoy_of, file_sea, file_spectrum, netcdf_of

xarray = pytest.importorskip("xarray")


def refusal(path):
    """Return the message that refuses a file, read in this process."""
    with pytest.raises(ValueError, match=r"spectrum\.") as error:
        file_spectrum(path)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("value", [9.97e36, 1e30, 1e6])
def test_fill_values_without_a_mark_are_refused(tmp_path, value):
    density = np.full((40, 24, 36), 1e-4)
    density[-1, 3, 5] = value
    netcdf_of(tmp_path / "x.nc", density, _FillValue=None)
    assert "beyond 100000 m²/Hz" in refusal(tmp_path / "x.nc")


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
    assert unnamed(refusal(buoy_of(tmp_path / "x.data_spec", densities, frequencies)), named) == []


@pytest.mark.parametrize("value", [1e-100, 1e-300, 5e-324])
def test_waves_whose_squares_underflow_are_ignored(tmp_path, value):
    path = buoy_of(tmp_path / "x.data_spec", [value] * 3, [0.05, 0.1, 0.2])
    assert file_spectrum(path).shape(0, 0).is_flat
    assert swell(value, 9.0, 0.0, 40.0).is_flat


@pytest.mark.parametrize(
    ("directions", "density", "named"),
    [
        ([0.0, np.nan, 180.0], 1e-3, "direction nan degrees -360 720"),
        ([0.0, 90.0, np.inf], 1e-3, "direction inf degrees"),
        ([0.0, 90.0, 1e300], 1e-3, "direction 1e+300 degrees"),
        ([30.0, 30.0, 30.0], 1e-3, "direction twice"),
        (["a", "b"], 1e-3, "direction not number"),
        ([], 1e-3, "0 directions"),
        ([0.0, 360.0], 1e-3, "single direction 0"),
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
    first = buoy_of(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert unnamed(refusal(f"{first},{','.join([f'{tmp_path}/x.gz'] * 4)}"), "x.gz 1 MiB") == []
    (tmp_path / "x.json").write_text(json.dumps({"a": "b" * (2 << 20)}))
    assert unnamed(refusal(tmp_path / "x.json"), "1 MiB") == []
