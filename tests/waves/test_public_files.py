"""Public files of buoys and models, which the repository does not keep: the samples of wavespectra and of MHKiT.

`.github/workflows/spectra.yml` fetches them and names their folders in OCEAN_SPECTRUM_SAMPLES.
"""

import gzip
import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from .spectrum_files import file_spectrum

if (FOLDERS := os.environ.get("OCEAN_SPECTRUM_SAMPLES")) is None:
    pytest.skip("OCEAN_SPECTRUM_SAMPLES names no folders of samples", allow_module_level=True)


def sample(name):
    """Return the path of a sample in one of the folders; a folder that is not given has none."""
    found = [Path(folder) / name for folder in FOLDERS.split(os.pathsep) if (Path(folder) / name).exists()]
    if not found:
        pytest.skip(f"no folder of OCEAN_SPECTRUM_SAMPLES has {name}")
    return found[0]


def height_of(record):
    return 4 * math.sqrt(np.trapezoid(record.over_frequency(), record.frequency))


SAMPLES = {
    "era5file.nc": (4.599, 195.4),
    "funwavefile.txt": (3.075, 97.4),
    "jsonfile.json": (0.180, 108.8),
    "ndbc/41010.data_spec": (1.119, 338.6),
    "ndbc/44004w2000.txt": (1.725, math.nan),
    "obscape/19900102_123456_Obscape2d_fine.csv": (1.732, 259.0),
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
    record = file_spectrum(sample(name)).read_content()
    height, direction = SAMPLES[name]
    assert height_of(record) == pytest.approx(height, rel=5e-3)
    assert "understood" not in record.remark
    if record.towards is not None:
        weights = np.trapezoid(record.density, record.frequency, axis=0) * np.exp(1j * np.radians(record.towards))
        turn = math.degrees(np.angle(weights.sum())) - direction
        assert abs((turn + 180) % 360 - 180) < 1.0


@pytest.mark.parametrize("name", ["data.txt", "46042w1996.txt.gz"])
def test_a_year_of_a_buoy_is_the_sum_of_its_rows(name):
    """MHKiT's files of NDBC: 46022 in 2018, and 46042 in 1996 with years of two digits and without minutes."""
    path = sample(name)
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as stream:
        head, *rows = [line.split() for line in stream if "999.00" not in line]  # which marks missing rows
    frequency = np.array(head[5 if "mm" in head else 4 :], np.float64)
    for time in (0, len(rows) // 2, len(rows) - 1):
        density = np.array(rows[time][-len(frequency) :], np.float64)
        record = file_spectrum(path, time=time).read_content()
        assert height_of(record) == pytest.approx(4 * math.sqrt(np.trapezoid(density, frequency)), rel=1e-6)
        assert f"-{rows[time][1]}-{rows[time][2]}T{rows[time][3]}" in record.source


@pytest.mark.parametrize("name", ["CDiP1", "CDiP6"])
def test_the_heights_of_cdip_are_found(tmp_path, name):
    """MHKiT keeps two spectra of CDIP with heights by CDIP's bins; ours is a trapezoidal sum."""
    stored = json.loads(sample("ValData2_CDiP.json").read_text())[name]
    (tmp_path / "sea.json").write_text(json.dumps(stored["S"]))
    assert height_of(file_spectrum(tmp_path / "sea.json").read_content()) == pytest.approx(
        stored["metrics"]["Hm0"], rel=0.02
    )


@pytest.mark.parametrize(
    "name", ["42a01c2003.txt", "46002c2016.txt", "46097.txt", "46097h201908qc.txt", "swan/SWANOUT.DAT"]
)
def test_files_without_spectra_are_refused(name):
    with pytest.raises(ValueError, match=r"spectra|frequencies|unknown format"):
        file_spectrum(sample(name))
