"""Files of spectra, read by the library wavespectra into plain arrays; runs in a separate process.

wavespectra is an extra, imported when a file is read. For every format it returns the density over frequency in Hz and
over the directions in degrees that waves come *from*; only this module reverses them.
"""

import gzip
import logging
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import SHOWN, clipped, shown
from ocean.waves.dispersion import Array
from ocean.waves.spectra import FORMATS, SpectrumRecord

MOST_DENSITY = 1e5
"""Largest density [m²/Hz], all directions together: waves of 30 m within 0.5 mHz. Larger values mark missing ones."""
MOST_HEIGHT = 100.0
"""Largest significant wave height [m]; the highest measured one is about 20 m."""
FREQUENCIES = 1e-6, 100.0
"""Lowest and highest frequency [Hz]: slower than tides, and capillary waves of 3 mm."""
CONES = "datawell", "spotter"
"""Formats of a mean direction and a spread, which wavespectra turns into densities over directions on request."""


class SpectrumFileError(ValueError):
    """A file that can't drive the sea; the message says why."""


def read_spectrum(
    files: Sequence[Path], format: str, time: int, station: int, directional: bool = True
) -> SpectrumRecord:
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
            spectra = dataset[["efth", *(part for part in COEFFICIENTS if part in dataset)]]
            spectra, label = _pick(spectra, time, station)
            return _record(spectra.load(), f"{name}{label}", directional)
    except SpectrumFileError:
        raise
    except Exception as error:  # readers raise many types for damaged files
        said = clipped(next(iter(str(error).splitlines()), "") or type(error).__name__, 160)
        if isinstance(error, LookupError):  # a key that is absent, or a list that ends too early
            said = f"it lacks {said}" if isinstance(error, KeyError) else "it ends too early, or its name lacks a time"
        raise SpectrumFileError(f"{name} can't be read as {format}: {said}") from None


def _wavespectra() -> Any:
    """Import wavespectra, and undo its logging set-up, by which all libraries log to the terminal."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        import wavespectra
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    return wavespectra


def _plain(file: Path, copies: ExitStack) -> Path:
    """Return the file, or a copy without its byte order mark: readers take the mark for text."""
    if file.is_dir():
        return file
    with file.open("rb") as stream:
        if stream.read(len(BOM_UTF8)) != BOM_UTF8:
            return file
        copy = Path(copies.enter_context(TemporaryDirectory())) / file.name  # a name may hold a time
        copy.write_bytes(stream.read())
    return copy


# -- Formats -----------------------------------------------------------------------------------------------------------

CONVENTIONS = {
    "wavespectra": ({"efth", "freq"},),
    "ww3": ({"efth", "frequency"},),
    "ncswan": ({"density", "frequency"},),
    "wwm": ({"AC", "nfreq"},),
    "era5": ({"d2fd"},),
    "ndbc": ({"spectral_wave_density"}, {"waveEnergyDensity"}),
}
"""Formats of NetCDF and zarr, and the variables and dimensions by which each is known."""

HEADS = {
    r"CDF[\1\2\5]|\x89HDF": "netcdf",
    r"MATLAB 5": "xwaves",
    r"#?YY\S*\s+MM\s+DD\s+hh": "ndbc_ascii",
    r"SWAN\b": "swan",
    r"'WAVEWATCH III SPECTRA": "ww3_station",
    r"[^\n]*TRIAXYS BUOY": "triaxys",
    r"\$PNOR": "awac",
    r"[^\n]*\n'?nfreqs,": "octopus",
    r"(#[^\n]*\n)*# *Columns \[deg\]": "obscape",
    r"[^\n]*\bEpoch Time\b": "spotter",
    r"\d+ +\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave",
    r"\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave_new",
    r'\{.*"data_vars"': "json",
    r'\{.*"frequencyData"': "spotter",
}
"""Regular expressions for the beginning of a file in each format, blanks left out."""

SUFFIXES = {".spt": "datawell", ".nc": "netcdf", ".nc4": "netcdf", ".cdf": "netcdf"}
"""Formats by suffix, for files that begin with numbers alone or are damaged."""
HEAD = 1 << 16
"""Bytes of a file that are searched; JSON, which may name its parts anywhere, is searched as a whole."""
MOST_TEXT = 1 << 26
"""Maximum number of bytes of JSON, and of an unpacked compressed file; a year of a buoy takes 3 MB."""
STATISTICS = r"#?YY[^\n]*\bWVHT\b"
"""First line of NDBC's files of heights and periods."""


def format_of(file: Path, wanted: str) -> str:
    """Return the format of a file: as wanted, or for `auto` by its beginning, or else its name.

    Raises:
        SpectrumFileError: when the file can't be read, is of another format than wanted, or unknown.
    """
    found, name = detected_format(file), f"spectrum.path = {shown(str(file))}"
    if wanted != "auto":
        if found not in (("netcdf",) if _is_netcdf(wanted) else (wanted, "")):
            kind = "is a folder" if file.is_dir() else f"is of the format {found}" if found else "is not NetCDF"
            raise SpectrumFileError(f"{name} can't be read as {wanted}: it {kind}")
        return wanted
    if format := found or SUFFIXES.get(file.suffix, ""):
        return format
    raise SpectrumFileError(f"{name}: unknown format; set spectrum.format to one of {', '.join(FORMATS[1:])}")


def detected_format(file: Path) -> str:
    """Return the format that the beginning of a file shows; nothing if it is unknown.

    Raises:
        SpectrumFileError: when the file can't be read, or holds no spectra.
    """
    name = f"spectrum.path = {shown(str(file))}"
    if file.is_dir():  # a zarr store, with the same variables as NetCDF
        return "netcdf"
    try:
        is_compressed = file.suffix == ".gz"
        with gzip.open(file) if is_compressed else file.open("rb") as stream:
            head = stream.read(HEAD).removeprefix(BOM_UTF8).lstrip()
            is_json = head.startswith(b"{")
            rest = stream.read(MOST_TEXT + 1) if is_compressed or is_json else b""
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"{name} can't be read: {clipped(str(error).lower(), 2 * SHOWN)}") from None
    if len(rest) > MOST_TEXT:
        raise SpectrumFileError(f"{name} can't be read: it has more than {MOST_TEXT >> 20} MiB of text")
    text = (head + rest if is_json else head).decode("latin-1").replace("\r\n", "\n")
    if re.match(STATISTICS, text):
        said = "has heights and periods but no spectra; NDBC's spectra are in .data_spec files"
        raise SpectrumFileError(f"{name} {said}")
    return next((format for pattern, format in HEADS.items() if re.match(pattern, text, re.DOTALL)), "")


def _is_netcdf(format: str) -> bool:
    """Return whether files of a format are NetCDF, or folders of zarr."""
    return format == "netcdf" or format in CONVENTIONS


def _open(wavespectra: Any, files: Sequence[Path], format: str, directional: bool) -> Any:
    """Return the dataset in wavespectra's conventions; a buoy's dataset has its coefficients."""
    if format == "ndbc_ascii":
        return _open_buoy(files if directional else files[:1])
    if len(files) > 1:
        raise ValueError("only a buoy of NDBC has several files")
    if not _is_netcdf(format):
        options = {"dd": None} if format in CONES and not directional else {}
        return getattr(wavespectra, f"read_{format}")(str(files[0]), **options)
    import xarray

    dataset = xarray.open_dataset(files[0], engine="zarr" if files[0].is_dir() else None)
    names = {*dataset.variables, *dataset.dims}
    found = next((format for format, known in CONVENTIONS.items() if any(each <= names for each in known)), "")
    if not found:
        raise ValueError(f"its variables ({', '.join(sorted(map(str, names)))[:200]}) are of no known format")
    if format not in ("netcdf", found):
        raise ValueError(f"its variables are those of {found}")
    if found == "wavespectra":
        return dataset
    if found == "ndbc":
        return _open_buoy_netcdf(dataset)
    spectra = getattr(getattr(wavespectra.input, found), f"from_{found}")(dataset)
    if found == "era5":  # its reader turns the missing values of land into densities of 0
        spectra["efth"] = spectra["efth"].where(spectra["efth"].any(("freq", "dir")))
    return spectra


# -- Buoys of NDBC -----------------------------------------------------------------------------------------------------
# They have densities, and directions as two pairs of Fourier coefficients, each an angle and a fraction. Where a buoy
# measured no waves it has no directions, and marks them. wavespectra, which opens the files, takes marks for angles.

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
and fractions, as numbers or in hundredths."""
DIRECTIONS = np.arange(0.0, 360.0, 10.0)
"""Directions [degrees] of spectra from coefficients."""


def _open_buoy(files: Sequence[Path]) -> Any:
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


def _open_buoy_netcdf(dataset: Any) -> Any:
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


def _directional_density(frequency: Array, density: Array, coefficients: Sequence[Array]) -> tuple[Array | None, Array]:
    """Return the density (frequency, DIRECTIONS) [m²/Hz/degree], and the frequencies [Hz] that have waves but no
    directions. Those frequencies get the spread of the nearest frequency that has one. If they hold most of the
    energy, the directions say nothing of the sea, and the density is None.

    Weights keep a spread with these coefficients from falling below 0 (Longuet-Higgins et al. 1963). Where measured
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


# -- From a dataset to a record ----------------------------------------------------------------------------------------


def _pick(spectra: Any, time: int, station: int) -> tuple[Any, str]:
    """Return the spectrum of one time and station, and their label for messages."""
    label = ""
    if "time" in spectra.dims:
        spectra = spectra.sortby("time")
        times = [str(moment)[:16] for moment in spectra["time"].values]
        if not -len(times) <= time < len(times):
            said = f"the file has {len(times)} times, {times[0]} to {times[-1]}"
            raise SpectrumFileError(f"spectrum.time = {time}: {said}")
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
    """Return plain arrays in ascending order; refuse values that are missing, negative, or of no sea."""
    efth = spectra["efth"] if "dir" in spectra.dims else spectra["efth"].expand_dims("dir", -1)
    efth = efth.transpose("freq", "dir").sortby("freq")
    efth = efth[efth["freq"].values != 0]
    frequency = _axis(efth["freq"].values, f"{name} has a frequency", FREQUENCIES, "Hz")
    density = np.asarray(efth.values, np.float64)
    if len(frequency) < 2 or np.any(np.diff(frequency) == 0):
        raise SpectrumFileError(f"{name} has too few frequencies, or one of them twice")
    if density.shape[1] == 0:
        raise SpectrumFileError(f"{name} lacks values: it has 0 directions")
    coming_from = efth["dir"].values if density.shape[1] > 1 else np.zeros(1)
    coming_from = _axis(coming_from, f"{name} has a direction", (-360.0, 720.0), "degrees")
    if len(np.unique(coming_from)) < len(coming_from):
        raise SpectrumFileError(f"{name} has a direction twice")
    for wrong, what in (~np.isfinite(density), "lacks values"), (density < 0, "has negative values"):
        if wrong.any():
            where = f"{_listed(frequency[wrong.any(axis=1)])} Hz"
            if not wrong[wrong.any(axis=1)].all():
                where += f", from {_listed(coming_from[wrong.any(axis=0)])} degrees"
            raise SpectrumFileError(f"{name} {what} at {where}")
    remark = ""
    if directional and all(part in spectra for part in COEFFICIENTS):
        at = spectra.sel(freq=efth["freq"])
        coefficients = [np.asarray(at[part].values, np.float64) for part in COEFFICIENTS]
        found, lacking = _directional_density(frequency, density[:, 0], coefficients)
        if found is not None:
            density, coming_from = found, DIRECTIONS
            if len(lacking):
                remark = f"The file lacks directions at {_listed(lacking)} Hz, which take those of their neighbours."
    if density.shape[1] == 1:
        alone = "The file has no directions: its waves run with the wind, and the spreading is the chosen one."
        record = SpectrumRecord(frequency, None, density, alone if directional else "")
    else:
        towards, first = np.unique((coming_from + 180) % 360, return_index=True)
        if len(towards) < 2:
            raise SpectrumFileError(f"{name} has directions that are all {coming_from[0]:.4g} degrees")
        record = SpectrumRecord(frequency, *_around(towards, density[:, first]), remark)
    with np.errstate(over="ignore"):
        total = record.over_frequency()
    if (wrong := total > MOST_DENSITY).any():
        what = f"has values beyond {MOST_DENSITY:g} m²/Hz, such as {total.max():.3g}"
        raise SpectrumFileError(f"{name} {what}, at {_listed(frequency[wrong])} Hz")
    height = 4 * np.sqrt(np.trapezoid(total, frequency) + total[-1] * frequency[-1] / 4)  # with a tail of f^-5
    if height > MOST_HEIGHT:
        raise SpectrumFileError(f"{name} has waves of Hs = {height:.3g} m; {MOST_HEIGHT:g} m are the most")
    return record


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
