"""Formats that wavespectra reads, and its spectral models compared with ours."""

import math

import numpy as np
import pytest

from ocean.waves.spectra import FORMATS, JonswapShape
from ocean.waves.statistics import predicted_height
from tests.messages import naming

from . import foreign_files
from .foreign_files import STEPS
from .spectrum_files import FREQUENCY, PEAK, energy, file_sea

wavespectra = pytest.importorskip("wavespectra", reason="the extra `spectra` is not installed")
xarray = pytest.importorskip("xarray")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its SWAN reader leaves a file open
@pytest.mark.parametrize("write", foreign_files.FILES, ids=lambda write: write.__name__)
def test_each_format_is_recognised_and_read(tmp_path, write):
    sea = file_sea(write(tmp_path))
    east, west = sea.wave_vector_density(np.array([0.05, -0.05]), 0.0)
    assert east > 5 * west >= 0
    frequency = STEPS if write in (foreign_files.awac, foreign_files.triaxys) else FREQUENCY
    density = energy(frequency)
    variance = np.trapezoid(density, frequency) + frequency[-1] * density[-1] / 4
    assert predicted_height([sea]) == pytest.approx(4 * math.sqrt(variance), rel=1e-3)


@pytest.mark.parametrize(
    "names", [("time", "frequency", "direction"), ("valid_time", "frequencyNumber", "directionNumber")]
)
def test_era5_files_are_read_and_have_no_waves_on_land(tmp_path, names):
    """Files hold logarithms by number of frequency and of direction; the values of frequencies and directions are not
    in the file. Values on land and below a limit are missing."""
    frequency, degrees = 0.03453 * 1.1 ** np.arange(30), 7.5 + 15.0 * np.arange(24)
    lobe = np.cos(np.radians(degrees - 90) / 2) ** 16
    density = np.outer(energy(frequency), lobe / (lobe.sum() * math.radians(15)))  # towards the east
    logarithm = np.log10(np.where(density > 1e-9, density, np.nan))
    places = np.stack([logarithm, np.full_like(logarithm, np.nan)], -1)[None, :, :, None]
    dimensions = (*names, "latitude", "longitude")
    coordinates = {dimensions[0]: np.array(["2024-01-15T12:00"], "datetime64[ns]")}
    coordinates |= {name: np.arange(1.0, 1 + n) for name, n in zip(dimensions[1:], places.shape[1:], strict=True)}
    xarray.Dataset({"d2fd": (dimensions, places)}, coordinates).to_netcdf(tmp_path / "era5.nc")
    sea = file_sea(tmp_path / "era5.nc")
    east, west = sea.wave_vector_density(np.array([0.05, -0.05]), 0.0)
    assert east > 5 * west >= 0
    expected = 4 * math.sqrt(np.trapezoid(energy(frequency), frequency) + frequency[-1] * energy(frequency)[-1] / 4)
    assert predicted_height([sea]) == pytest.approx(expected, rel=0.01)
    with pytest.raises(ValueError, match=naming("2024-01-15T12:00 station 1 0.03453 24 more Hz")):
        file_sea(tmp_path / "era5.nc", station=1)


def test_every_reader_of_the_library_has_a_format():
    """The reader of datasets is left out, because it reads no file; tables of two columns have a reader of ours."""
    readers = {name.removeprefix("read_") for name in dir(wavespectra) if name.startswith("read_")}
    assert set(FORMATS[1:]) == readers - {"dataset"} | {"table"}


# -- The library's models ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [1.0, 3.3, 6.0])
def test_jonswap_agrees_with_the_library(gamma):
    from wavespectra.construct.frequency import jonswap

    theirs = jonswap(FREQUENCY, fp=PEAK, alpha=0.01, gamma=gamma).values
    ours = JonswapShape(0.01, 2 * math.pi * PEAK, gamma).density(2 * math.pi * FREQUENCY) * 2 * math.pi
    assert ours == pytest.approx(theirs * (9.81 / 9.80665) ** 2, rel=1e-9)  # the library uses standard gravity


@pytest.mark.parametrize("depth", [4.0, 15.0, 60.0])
def test_tma_agrees_with_the_library(depth):
    from wavespectra.construct.frequency import tma

    theirs = tma(FREQUENCY, fp=PEAK, dep=depth, alpha=0.01, gamma=3.3).values
    ours = JonswapShape(0.01, 2 * math.pi * PEAK, 3.3).frequency_density(2 * math.pi * FREQUENCY, depth, "finite-depth")
    # The library's wave number is a polynomial, good to about 0.1 %, and the factor has its third power.
    assert ours * 2 * math.pi == pytest.approx(theirs, rel=5e-3)
