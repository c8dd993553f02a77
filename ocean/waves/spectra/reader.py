"""Files of spectra, read by the library wavespectra into plain arrays. This module alone reverses directions.

wavespectra is an extra, imported when a file is read. For every format it returns the density over frequency in Hz and
over the directions in degrees that waves come *from*.
"""

import gzip
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ocean.common.resources import folder
from ocean.waves.dispersion import Array

FORMATS = (
    *("auto", "awac", "datawell", "era5", "funwave", "json", "ncswan", "ndbc", "ndbc_ascii", "netcdf", "obscape"),
    *("octopus", "spotter", "swan", "triaxys", "wavespectra", "ww3", "ww3_station", "wwm", "xwaves"),
)
"""Formats of files: the readers of wavespectra, and `auto`, which guesses."""

TEXTS = {
    "#YY": "ndbc_ascii",
    "YY": "ndbc_ascii",
    "SWAN": "swan",
    "'WAVEWATCH III": "ww3_station",
    "TRIAXYS": "triaxys",
}
"""First words of some text formats."""

SUFFIXES = {".json": "spotter", ".csv": "spotter", ".oct": "octopus", ".spt": "datawell"}
NDBC_MISSING = 999.0


class SpectrumFileError(ValueError):
    """A file that can't drive the sea; the message says why."""


@dataclass(frozen=True, eq=False)
class Record:
    """One spectrum of a file.

    frequency [Hz] ascends. Directions are those *towards* which waves run, in degrees clockwise from north, ascending
    in [0, 360); None if the file has none. The density is (frequency, direction) [m²/Hz/degree] or (frequency, 1)
    [m²/Hz].
    """

    frequency: Array
    towards: Array | None
    density: Array


def find(path: str) -> tuple[Path, ...]:
    """Return the files of a path, in which commas separate several; each as named, or else among the assets."""
    files = []
    for name in path.split(","):
        places = [place for place in (os.path.expanduser(name), folder("assets") / name) if os.path.isfile(place)]
        if not places:
            raise SpectrumFileError(f"spectrum.path = {path!r}: there is no file {name!r}")
        files.append(Path(places[0]))
    return tuple(files)


def read(files: Sequence[Path], format: str, time: int, station: int) -> Record:
    """Return the spectrum of one time and station of a file; a directional NDBC buoy has five files.

    Raises:
        SpectrumFileError: when wavespectra is not installed, or the file is of another format, or lacks the time, the
            station, or values; the message names them.
    """
    name = ",".join(str(file) for file in files)
    try:
        import wavespectra
    except ImportError as error:
        raise SpectrumFileError(
            f"spectrum.path = {name!r}: reading spectra needs a package that is not installed ({error.name}); "
            "`python -m pip install wavespectra netCDF4` installs it"
        ) from None
    format = guess(files[0]) if format == "auto" else format
    try:
        spectra = _open(wavespectra, files, format)["efth"]
    except Exception as error:  # readers raise many types for files of another format
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise SpectrumFileError(f"spectrum.path = {name!r} can't be read as {format}: {reason}") from None
    spectra, label = _pick(spectra, time, station)
    if format == "ndbc_ascii":
        _refuse_marks(files, label)
    return _record(spectra, f"spectrum.path = {name!r}{label}")


def guess(file: Path) -> str:
    """Return the format that the file's name or its first words show."""
    if file.suffix in (".nc", ".nc4", ".cdf"):
        return "netcdf"
    if file.suffix in SUFFIXES:
        return SUFFIXES[file.suffix]
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            head = stream.read(64).decode("ascii", "replace").lstrip()
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"spectrum.path = '{file}' can't be read: {str(error).lower()}") from None
    for text, format in TEXTS.items():
        if head.startswith(text):
            return format
    raise SpectrumFileError(
        f"spectrum.path = '{file}': unknown format; set spectrum.format to one of {', '.join(FORMATS[1:])}"
    )


def _open(wavespectra: Any, files: Sequence[Path], format: str) -> Any:
    """Return the dataset in wavespectra's conventions. NDBC's four moments are weighted so that no direction is
    negative (Longuet-Higgins et al. 1963)."""
    if format == "netcdf":  # wavespectra recognises the convention by the variables
        import xarray

        dataset = xarray.open_dataset(files[0])
        if "efth" in dataset and "freq" in dataset.dims:
            return dataset
        if "d2fd" in dataset:  # ERA5 has renamed its dimensions over the years
            return _open(wavespectra, files, "era5")
        is_ndbc = {"spectral_wave_density", "waveEnergyDensity"} & set(dataset.variables)
        return wavespectra.read_dataset(dataset, **({"weight_coeff": True} if is_ndbc else {}))
    names: Any = [str(file) for file in files] if len(files) > 1 else str(files[0])
    options = {"weight_coeff": True} if format in ("ndbc", "ndbc_ascii") else {}
    dataset = getattr(wavespectra, f"read_{format}")(names, **options)
    if format == "era5":  # all zeros mean land: the reader turns missing values into 0
        dataset["efth"] = dataset["efth"].where(dataset["efth"].any(("freq", "dir")))
    return dataset


def _pick(spectra: Any, time: int, station: int) -> tuple[Any, str]:
    """Return the spectra of one time and station, and a label for messages."""
    label = ""
    if "time" in spectra.dims:
        spectra = spectra.sortby("time")
        times = [str(moment)[:16] for moment in spectra["time"].values]
        if not -len(times) <= time < len(times):
            raise SpectrumFileError(
                f"spectrum.time = {time}: the file has {len(times)} times, {times[0]} to {times[-1]}"
            )
        spectra, label = spectra.isel(time=time), f" at {times[time]}"
    places = [dimension for dimension in spectra.dims if dimension not in ("freq", "dir")]
    if places:
        spectra = spectra.stack(place=places, create_index=False)
        count = spectra.sizes["place"]
        if station >= count:
            raise SpectrumFileError(f"spectrum.station = {station}: the file has {count}, counted from 0")
        return spectra.isel(place=station), label + (f", station {station}" if count > 1 else "")
    if station > 0:
        raise SpectrumFileError(f"spectrum.station = {station}: the file has one, which is 0")
    return spectra, label


def _record(spectra: Any, name: str) -> Record:
    """Return plain arrays in order; refuse values that are missing or negative."""
    if "dir" not in spectra.dims:
        spectra = spectra.expand_dims("dir", -1)
    spectra = spectra.transpose("freq", "dir")
    frequency = np.asarray(spectra["freq"].values, np.float64)
    density = np.asarray(spectra.values, np.float64)
    density, frequency = density[frequency > 0], frequency[frequency > 0]
    order = np.argsort(frequency)
    frequency, density = frequency[order], density[order]
    if len(frequency) < 2 or np.any(np.diff(frequency) == 0):
        raise SpectrumFileError(f"{name} has too few frequencies, or one of them twice")
    has_directions = density.shape[1] > 1
    coming_from = np.asarray(spectra["dir"].values, np.float64) if has_directions else np.zeros(1)
    for wrong, what in ((~np.isfinite(density), "lacks values"), (density < 0, "has negative values")):
        if wrong.any():
            where = f"{_listed(frequency[wrong.any(axis=1)])} Hz"
            if has_directions and not wrong[wrong.any(axis=1)].all():
                where += f", from {_listed(coming_from[wrong.any(axis=0)])} degrees"
            raise SpectrumFileError(f"{name} {what} at {where}")
    if not has_directions:
        return Record(frequency, None, density)
    towards, first = np.unique((coming_from + 180) % 360, return_index=True)
    return Record(frequency, *_around(towards, density[:, first]))


def _around(towards: Array, density: Array) -> tuple[Array, Array]:
    """Return directions that cover the circle: a sector gets a direction without waves beyond each end."""
    gaps = np.diff(towards, append=towards[0] + 360)
    step, widest = float(np.median(gaps)), int(gaps.argmax())
    if gaps[widest] <= 2 * step:
        return towards, density
    ends = np.array([towards[widest] + step, towards[(widest + 1) % len(towards)] - step]) % 360
    towards = np.concatenate([towards, ends])
    order = np.argsort(towards)
    return towards[order], np.pad(density, ((0, 0), (0, 2)))[:, order]


def _refuse_marks(files: Sequence[Path], label: str) -> None:
    """Refuse a record with the value 999, which marks a missing value in NDBC's files; the reader takes it for a
    density."""
    from wavespectra.input.ndbc_ascii import read_file

    moment = np.datetime64(label.removeprefix(" at "))
    for file in files:
        table = read_file(str(file)).sort_index().drop(columns="Sep_Freq", errors="ignore")
        row = table[table.index.values.astype("datetime64[m]") == moment]
        missing = (row.to_numpy(np.float64) == NDBC_MISSING).any(axis=0)
        if missing.any():
            where = _listed(row.columns.to_numpy().astype(np.float64)[missing])
            raise SpectrumFileError(f"spectrum.path = '{file}'{label} lacks values at {where} Hz")


def _listed(values: Array) -> str:
    """Return some numbers as words."""
    shown = ", ".join(f"{value:.4g}" for value in values[:6])
    return shown + (f" and {len(values) - 6} more" if len(values) > 6 else "")
