"""Files of spectra, as buoys and models write them, and seas made from these files."""

import math

import numpy as np
import pytest

from ocean.settings.files import find
from ocean.waves.spectra import FileSpectrum, JonswapShape
from ocean.waves.spectrum_files import read_spectrum
from ocean.waves.spreading import Hasselmann
from ocean.waves.systems import wind_sea

wavespectra = pytest.importorskip("wavespectra", reason="the extra `spectra` is not installed")
xarray = pytest.importorskip("xarray")

FREQUENCY = np.round(np.geomspace(0.04, 0.5, 30), 4)
PEAK = 0.1  # Hz
NDBC = "#YY  MM DD hh mm Sep_Freq  < spec_1 (freq_1) spec_2 (freq_2) spec_3 (freq_3) ... >"
NDBC_DIRECTION = "#YY  MM DD hh mm alpha1_1 (freq_1) alpha1_2 (freq_2) alpha1_3 (freq_3) ... >"


def energy(frequency=FREQUENCY):
    """Return a spectrum [m²/Hz] of about Hs = 2 m."""
    shape = JonswapShape(0.008, 2 * math.pi * PEAK, 2.0)
    return shape.density(2 * math.pi * frequency) * 2 * math.pi


def ndbc(path, rows, header=NDBC):
    """Write a file in the realtime format of NDBC; files of densities have a separation frequency."""
    extra = ["0.100"] if header is NDBC else []
    lines = [
        " ".join([moment, *extra, *(f"{value:.3f} ({f:.4f})" for value, f in zip(values, FREQUENCY, strict=True))])
        for moment, values in rows
    ]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def netcdf(path, coming_from, degrees=None, spread=8):
    """Write a file in wavespectra's own conventions. Its waves come from a direction [degrees]."""
    degrees = np.arange(0.0, 360.0, 15.0) if degrees is None else np.asarray(degrees, np.float64)
    lobe = np.cos(np.radians(degrees - coming_from) / 2) ** (2 * spread)
    density = energy()[:, None] * lobe / (lobe.sum() * 15.0)
    dataset = xarray.DataArray(density, {"freq": FREQUENCY, "dir": degrees}, ("freq", "dir"), "efth").to_dataset()
    dataset.to_netcdf(path)
    return path


def file_spectrum(path, **options):
    """Return a spectrum with the content of its file, read in this process."""
    named = FileSpectrum(path=str(path), **options)
    return named.with_content(
        read_spectrum(find(named.path), named.format, named.time, named.station, named.directional)
    )


def file_sea(path, spreading=None, direction=75.0, **options):
    return wind_sea(9.0, direction, 1e5, 40.0, file_spectrum(path, **options), spreading or Hasselmann())


def buoy_of(path, densities, frequencies):
    """Write a file of a buoy with one spectrum, and return its path."""
    head = "#YY MM DD hh mm Sep_Freq < spec_1 (freq_1) spec_2 (freq_2) >"
    values = " ".join(f"{density} ({frequency})" for density, frequency in zip(densities, frequencies, strict=True))
    path.write_text(f"{head}\n2024 01 01 00 00 9.999 {values}\n")
    return path


def netcdf_of(path, density, **options):
    """Write a NetCDF file of 40 times, 24 frequencies and 36 directions, in compressed chunks of one time."""
    frequency = np.linspace(0.05, 0.4, 24)
    values = np.broadcast_to(density, (40, 24, 36)).astype("f4")
    axes = {"time": np.arange(40).astype("M8[h]").astype("M8[ns]"), "freq": frequency, "dir": np.arange(36) * 10.0}
    sea = xarray.Dataset({"efth": (("time", "freq", "dir"), values)}, axes)
    sea.to_netcdf(path, encoding={"efth": {"zlib": True, "chunksizes": (1, 24, 36), **options}})
