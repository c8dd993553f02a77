"""Public files of buoys and models, which the repository does not keep: the samples of wavespectra's tests.

`.github/workflows/spectra.yml` fetches them and names their folder in OCEAN_SPECTRUM_SAMPLES.
"""

import math
import os
from pathlib import Path

import numpy as np
import pytest

from .spectrum_files import file_spectrum

if (FOLDER := os.environ.get("OCEAN_SPECTRUM_SAMPLES")) is None:
    pytest.skip("OCEAN_SPECTRUM_SAMPLES names no folder of samples", allow_module_level=True)

SAMPLES = {
    "era5file.nc": (4.599, 195.4),
    "funwavefile.txt": (3.075, 97.4),
    "jsonfile.json": (0.180, 108.8),
    "ndbc/41010.data_spec": (1.119, math.nan),
    "ndbc/44004w2000.txt": (1.725, math.nan),
    "nortec_awac.nmea": (2.421, 334.6),
    "octopusfile.oct": (2.016, 68.3),
    "spotter_20180214.json": (2.325, 107.9),
    "spotter_20210929.csv": (1.753, 110.4),
    "spotter_20210929b.csv": (0.878, 107.3),
    "swanfile.nc": (0.180, 108.8),
    "swanfile.spec": (4.259, 74.1),
    "swanhot.spec": (3.254, 58.7),
    "triaxys.DIRSPEC": (3.414, 50.9),
    "wavespectra.nc": (0.703, 23.3),
    "ww3file.nc": (0.703, 23.3),
    "ww3station.spec": (1.081, 293.1),
    "wwmfile.nc": (2.351, 253.8),
}
"""Hs [m] and mean direction of travel [degrees] of the last time and first station: sums over wavespectra's reading, or
what the file states of itself; for `ww3station.spec` a sum over 36 equal sectors, because its axis is rounded."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_public_file_is_the_sea_that_others_read(name):
    record = file_spectrum(Path(FOLDER) / name).read_content()
    height, direction = SAMPLES[name]
    assert 4 * math.sqrt(np.trapezoid(record.over_frequency(), record.frequency)) == pytest.approx(height, rel=5e-3)
    if record.towards is not None:
        weights = np.trapezoid(record.density, record.frequency, axis=0) * np.exp(1j * np.radians(record.towards))
        turn = math.degrees(np.angle(weights.sum())) - direction
        assert abs((turn + 180) % 360 - 180) < 1.0
