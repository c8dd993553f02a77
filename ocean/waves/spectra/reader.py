"""Files of spectra, read by the library wavespectra into plain arrays. This module alone reverses directions.

wavespectra is an extra, imported when a file is read. For every format it returns the density over frequency in Hz and
over the directions in degrees that waves come *from*.
"""

import hashlib
import logging
import os
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import clipped, shown
from ocean.common.resources import folder
from ocean.waves.dispersion import Array
from ocean.waves.spectra import ndbc
from ocean.waves.spectra.formats import CONVENTIONS, SpectrumFileError, detected_format, format_of, is_netcdf

CONES = "datawell", "spotter"
"""Formats of a mean direction and a spread, which wavespectra turns into densities over directions on request."""

LONGEST = 160
"""Characters of a library's own message."""

ZARR_MARKS = ".zgroup", ".zmetadata", "zarr.json"
"""Names of files; a folder of zarr has at least one of them."""

MOST_DENSITY = 1e5
"""Largest density [m²/Hz], all directions together: waves of 30 m within 0.5 mHz. Larger values mark missing ones."""

MOST_HEIGHT = 100.0
"""Largest significant wave height [m]; the highest measured one is about 20 m."""

FREQUENCIES = 1e-6, 100.0
"""Lowest and highest frequency [Hz]: slower than tides, and capillary waves of 3 mm."""


@dataclass(frozen=True, eq=False)
class SpectrumRecord:
    """One spectrum of a file.

    frequency [Hz] ascends. Directions of propagation (*towards*), in degrees clockwise from north, ascend
    in [0, 360); None if there are none. The density is (frequency, direction) [m²/Hz/degree] or (frequency, 1) [m²/Hz].
    The remark says which directions the file lacks, or nothing. Records with equal values are equal.
    """

    frequency: Array
    towards: Array | None
    density: Array
    remark: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpectrumRecord) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """Checksum of all values."""
        axes = self.frequency, () if self.towards is None else self.towards, self.density.ravel()
        values = np.concatenate(axes).tobytes() + self.remark.encode()
        return hashlib.sha256(values).hexdigest()

    def over_frequency(self) -> Array:
        """Return the density of all directions together (frequency,) [m²/Hz]."""
        if self.towards is None:
            return self.density[:, 0]
        gaps = np.diff(self.towards, append=self.towards[0] + 360)
        return np.asarray(self.density @ ((gaps + np.roll(gaps, 1)) / 2))


def find(path: str) -> tuple[Path, ...]:
    """Return the files of a path, in which commas separate several; each as named, or else among the assets. A folder
    of zarr is one file."""
    files = []
    for name in path.split(","):
        places = [
            Path(place)
            for place in (os.path.expanduser(name), folder("assets") / name)
            if name and (os.path.isfile(place) or os.path.isdir(place))
        ]
        if not places:
            raise SpectrumFileError(f"spectrum.path = {shown(path)}: there is no file {shown(name)}")
        if places[0].is_dir() and not any((places[0] / mark).is_file() for mark in ZARR_MARKS):
            raise SpectrumFileError(f"spectrum.path = {shown(path)}: {shown(name)} is a folder, and not one of zarr")
        files.append(places[0])
    return tuple(files)


def _plain(file: Path, copies: ExitStack) -> Path:
    """Return the file, or a copy without its byte order mark, which readers take for text."""
    if file.is_dir():
        return file
    with file.open("rb") as stream:
        if stream.read(len(BOM_UTF8)) != BOM_UTF8:
            return file
        copy = Path(copies.enter_context(TemporaryDirectory())) / file.name  # a name may hold a time
        copy.write_bytes(stream.read())
    return copy


def stamp(file: Path) -> int:
    """Return a number that changes when a file does, or a file of a folder.

    Raises:
        SpectrumFileError: when a file is gone, or a link leads nowhere.
    """
    try:
        return max(each.stat().st_mtime_ns for each in [file, *file.rglob("*")])
    except OSError as error:
        said = f"{shown(str(error.filename))}: {(error.strerror or str(error)).lower()}"
        raise SpectrumFileError(f"spectrum.path = {shown(str(file))} can't be read: {said}") from None


def _wavespectra() -> Any:
    """Import wavespectra, and undo its logging set-up, which lets all libraries log to the terminal."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        import wavespectra
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    return wavespectra


def read(files: Sequence[Path], format: str, time: int, station: int, directional: bool = True) -> SpectrumRecord:
    """Return the spectrum of one time and station of a file; a directional NDBC buoy has five files. Without
    `directional`, directions are not read, so that missing ones do not matter.

    Raises:
        SpectrumFileError: when wavespectra is not installed, or the file is of another format, or lacks the time, the
            station, or values; the message names them.
    """
    name = f"spectrum.path = {shown(','.join(map(str, files)))}"
    try:
        wavespectra = _wavespectra()
        if files[0].is_dir() and find_spec("zarr") is None:  # xarray reads folders through zarr
            raise ImportError(name="zarr")
    except ImportError as error:
        raise SpectrumFileError(
            f"{name}: reading spectra needs a package that is not installed ({error.name}); "
            f"`python -m pip install wavespectra netCDF4{' zarr' if error.name == 'zarr' else ''}` installs it"
        ) from None
    format = format_of(files[0], format)
    for file in files[1:]:
        detected_format(file)  # also refuses a file that unpacks to too much
    try:
        with ExitStack() as copies:
            dataset = _open(wavespectra, [_plain(file, copies) for file in files], format, directional)
            spectra = dataset[["efth", *(part for part in ndbc.COEFFICIENTS if part in dataset)]]
            spectra, label = _pick(spectra, time, station)
            return _record(spectra.load(), f"{name}{label}", directional)
    except SpectrumFileError:
        raise
    except Exception as error:  # readers raise many types for damaged files
        raise SpectrumFileError(f"{name} can't be read as {format}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """Return a reader's error, in at most a line."""
    first = clipped(next(iter(str(error).splitlines()), "") or type(error).__name__, LONGEST)
    if isinstance(error, LookupError):  # a key that is absent, or a list that ends too early
        return f"it lacks {first}" if isinstance(error, KeyError) else "it ends too early, or its name lacks a time"
    return first


def _open(wavespectra: Any, files: Sequence[Path], format: str, directional: bool) -> Any:
    """Return the dataset in wavespectra's conventions; a buoy's dataset has its coefficients."""
    if format == "ndbc_ascii":
        return ndbc.open_texts(files if directional else files[:1])
    if len(files) > 1:
        raise ValueError("only a buoy of NDBC has several files")
    if is_netcdf(format):
        import xarray

        engine = "zarr" if files[0].is_dir() else None
        return _by_convention(wavespectra, xarray.open_dataset(files[0], engine=engine), format)
    options = {"dd": None} if format in CONES and not directional else {}
    return getattr(wavespectra, f"read_{format}")(str(files[0]), **options)


def _by_convention(wavespectra: Any, dataset: Any, format: str) -> Any:
    """Return a dataset of NetCDF or zarr in wavespectra's conventions."""
    names = {*dataset.variables, *dataset.dims}
    found = next((format for format, known in CONVENTIONS.items() if any(each <= names for each in known)), "")
    if not found:
        raise ValueError(f"its variables ({', '.join(sorted(map(str, names)))[:200]}) are of no known format")
    if format not in ("netcdf", found):
        raise ValueError(f"its variables are those of {found}")
    if found == "wavespectra":
        return dataset
    if found == "ndbc":
        return ndbc.open_netcdf(dataset)
    reader = getattr(wavespectra.input, found)
    spectra = getattr(reader, f"from_{found}")(dataset)
    if found == "era5":  # its reader turns the missing values of land into densities of 0
        spectra["efth"] = spectra["efth"].where(spectra["efth"].any(("freq", "dir")))
    return spectra


def _pick(spectra: Any, time: int, station: int) -> tuple[Any, str]:
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


def _record(spectra: Any, name: str, directional: bool) -> SpectrumRecord:
    """Return plain arrays in order; refuse values that are missing, negative, or of no sea."""
    record = _in_order(spectra, name, directional)
    frequency = record.frequency
    with np.errstate(over="ignore"):
        total = record.over_frequency()
    if (wrong := total > MOST_DENSITY).any():
        what = f"has values beyond {MOST_DENSITY:g} m²/Hz, such as {total.max():.3g}"
        raise SpectrumFileError(f"{name} {what}, at {_listed(frequency[wrong])} Hz")
    height = 4 * np.sqrt(np.trapezoid(total, frequency) + total[-1] * frequency[-1] / 4)  # with a tail of f^-5
    if height > MOST_HEIGHT:
        raise SpectrumFileError(f"{name} has waves of Hs = {height:.3g} m; {MOST_HEIGHT:g} m are the most")
    return record


def _in_order(spectra: Any, name: str, directional: bool) -> SpectrumRecord:
    """Return plain arrays in ascending order; refuse invalid frequencies, directions and densities."""
    is_buoy = all(part in spectra for part in ndbc.COEFFICIENTS)
    efth = spectra["efth"] if "dir" in spectra.dims else spectra["efth"].expand_dims("dir", -1)
    efth = efth.transpose("freq", "dir").sortby("freq")
    efth = efth[efth["freq"].values != 0]
    frequency = _axis(efth["freq"].values, f"{name} has a frequency", FREQUENCIES, "Hz")
    density = np.asarray(efth.values, np.float64)
    if len(frequency) < 2 or np.any(np.diff(frequency) == 0):
        raise SpectrumFileError(f"{name} has too few frequencies, or one of them twice")
    if density.shape[1] == 0:
        raise SpectrumFileError(f"{name} lacks values: it has 0 directions")
    has_directions = density.shape[1] > 1
    coming_from = efth["dir"].values if has_directions else np.zeros(1)
    coming_from = _axis(coming_from, f"{name} has a direction", (-360.0, 720.0), "degrees")
    if len(np.unique(coming_from)) < len(coming_from):
        raise SpectrumFileError(f"{name} has a direction twice")
    wrongs = (
        (~np.isfinite(density), "lacks values"),
        (density < 0, "has negative values"),
    )
    for wrong, what in wrongs:
        if wrong.any():
            where = f"{_listed(frequency[wrong.any(axis=1)])} Hz"
            if has_directions and not wrong[wrong.any(axis=1)].all():
                where += f", from {_listed(coming_from[wrong.any(axis=0)])} degrees"
            raise SpectrumFileError(f"{name} {what} at {where}")
    remark = ""
    if is_buoy and directional:
        at = spectra.sel(freq=efth["freq"])
        found, lacking = ndbc.directional(
            frequency, density[:, 0], [np.asarray(at[part].values, np.float64) for part in ndbc.COEFFICIENTS]
        )
        if found is not None:
            density, coming_from, has_directions = found, ndbc.DIRECTIONS, True
            if len(lacking):
                remark = f"The file lacks directions at {_listed(lacking)} Hz, which take those of their neighbours."
    if not has_directions:
        alone = "The file has no directions: its waves run with the wind, and the spreading is the chosen one."
        return SpectrumRecord(frequency, None, density, alone if directional else "")
    towards, first = np.unique((coming_from + 180) % 360, return_index=True)
    if len(towards) < 2:
        raise SpectrumFileError(f"{name} has directions that are all {coming_from[0]:.4g} degrees")
    return SpectrumRecord(frequency, *_around(towards, density[:, first]), remark)


def _axis(values: NDArray[Any], what: str, within: tuple[float, float], unit: str) -> Array:
    """Return the values of an axis; refuse values that are not numbers, or outside a range."""
    if values.dtype.kind not in "iuf":
        raise SpectrumFileError(f"{what} that is no number")
    low, high = within
    wrong = values[~((values >= low) & (values <= high))]
    if len(wrong):
        raise SpectrumFileError(f"{what} of {wrong[0]:.4g} {unit}; {low:g} to {high:g} {unit} are possible")
    return np.asarray(values, np.float64)


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


def _listed(values: Array) -> str:
    shown = ", ".join(f"{value:.4g}" for value in values[:6])
    return shown + (f" and {len(values) - 6} more" if len(values) > 6 else "")
