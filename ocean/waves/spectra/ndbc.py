"""Spectra of NDBC's buoys: densities, and directions as two pairs of Fourier coefficients, each an angle and a share.

Where a buoy measured no waves it has no directions, and marks them; wavespectra, which opens the files, takes the marks
for angles.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ocean.waves.dispersion import Array

MISSING = 999.0
"""Mark of a missing value."""

HUNDREDTHS = 1.5
"""Largest r1 and r2 as numbers, with their errors; files with larger ones have hundredths."""

COEFFICIENTS = {
    "alpha1": "mean_wave_dir",
    "alpha2": "principal_wave_dir",
    "r1": "wave_spectrum_r1",
    "r2": "wave_spectrum_r2",
}
"""Coefficients in the order of a buoy's files, and their names in NetCDF: directions [degrees] from which waves come,
and shares, as numbers or in hundredths."""

DIRECTIONS = np.arange(0.0, 360.0, 10.0)
"""Directions [degrees] of a spectrum that is made from coefficients."""


def open_texts(files: Sequence[Path]) -> Any:
    """Return the dataset (time, freq) of one file of densities, or of five, with the coefficients where they were
    measured.

    Raises:
        ValueError: when there are neither one nor five files.
    """
    import xarray
    from wavespectra.input.ndbc_ascii import read_file

    if len(files) not in (1, 1 + len(COEFFICIENTS)):
        raise ValueError("a buoy has one file, or five in this order: density, alpha1, alpha2, r1, r2")
    tables: list[Any] = []
    for file in files:
        table = read_file(str(file)).drop(columns="Sep_Freq", errors="ignore").astype(np.float64)
        table.columns = table.columns.astype(np.float64)
        table = table[~table.index.duplicated()]
        tables.append(table.reindex_like(tables[0]) if tables else table)
    names = ("efth", *COEFFICIENTS)[: len(tables)]
    coordinates = {"time": tables[0].index, "freq": tables[0].columns}
    parts = {name: (("time", "freq"), table.to_numpy()) for name, table in zip(names, tables, strict=True)}
    return _unmarked(xarray.Dataset(parts, coordinates))


def open_netcdf(dataset: Any) -> Any:
    """Return the dataset (time, freq, ...) of a buoy's NetCDF file, with the coefficients if it has all four."""
    from wavespectra.input.ndbc import from_ndbc

    spectra = from_ndbc(dataset, directional=False)[["efth"]]
    if set(COEFFICIENTS.values()) <= set(dataset.data_vars):
        for name, variable in COEFFICIENTS.items():
            renamed = dataset.assign(spectral_wave_density=dataset[variable])
            spectra[name] = from_ndbc(renamed, directional=False)["efth"]
    return _unmarked(spectra)


def _unmarked(spectra: Any) -> Any:
    """Return a dataset without marks, and with r1 and r2 as numbers from 0 to 1; below 0 they are missing."""
    spectra = spectra.where(spectra != MISSING)
    for name in ("r1", "r2"):
        if name in spectra:
            share = spectra[name] / (100 if float(spectra[name].max()) > HUNDREDTHS else 1)
            spectra[name] = share.where((share >= 0) & (share <= HUNDREDTHS)).clip(max=1)
    return spectra


def directional(frequency: Array, density: Array, coefficients: Sequence[Array]) -> tuple[Array | None, Array]:
    """Return the density (frequency, DIRECTIONS) [m²/Hz/degree], and the frequencies [Hz] that have waves but no
    directions. Those frequencies get the spread of the nearest frequency that has one. If they hold most of the
    energy, the directions say nothing of the sea, and the density is None.

    Weights keep a spread with these coefficients from falling below 0 (Longuet-Higgins et al. 1963); where measured
    coefficients contradict each other the spread still does, and is cut off at 0.
    """
    known = np.isfinite(coefficients).all(axis=0)
    lacking = ~known & (density > 0)
    energy = density * np.gradient(frequency)
    if not known.any() or energy[lacking].sum() > energy.sum() / 2:
        return None, frequency[lacking]
    mean, principal, r1, r2 = (values[known, None] for values in coefficients)
    angles = [np.radians(DIRECTIONS - direction) for direction in (mean, principal)]
    spread = np.maximum(0.5 + 2 / 3 * r1 * np.cos(angles[0]) + 1 / 6 * r2 * np.cos(2 * angles[1]), 0.0)
    spread /= spread.mean(axis=1, keepdims=True) * 360
    nearest = np.abs(np.flatnonzero(known) - np.arange(len(frequency))[:, None]).argmin(axis=1)
    return density[:, None] * spread[nearest], frequency[lacking]
