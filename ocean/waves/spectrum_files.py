"""Files of spectra, read into plain arrays; runs in a separate process.

`spectrum_texts` reads the text formats of buoys and models. The extra wavespectra, imported when a file is read, opens
all others: it returns the density over frequency in Hz and over the directions in degrees that waves come *from*; only
this module reverses them.
"""

import gzip
import logging
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import SHOWN, clipped, shown
from ocean.waves.dispersion import Array
from ocean.waves.spectra import FORMATS, SpectrumRecord
from ocean.waves.spectrum_texts import (
    RAW_DIRECTIONS,
    TEXTS,
    RawSpectrum,
    TextError,
    as_fractions,
    spread_of_coefficients,
    unmarked,
)

MOST_DENSITY = 1e5
"""Largest density [m²/Hz], all directions together: waves of 30 m within 0.5 mHz. Larger values mark missing ones."""
MOST_HEIGHT = 100.0
"""Largest significant wave height [m]; the highest measured one is about 20 m."""
FREQUENCIES = 1e-6, 100.0
"""Lowest and highest frequency [Hz]: slower than tides, and capillary waves of 3 mm."""
STATED = 0.05
"""Largest relative difference between what a file states of its sea and what its densities give, without a warning."""
STATED_DIRECTION = 20.0
"""Largest such difference of directions [degrees]: files state the mean of all waves or that of the peak."""


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
    format = format_of(files[0], format)
    try:
        if format in TEXTS:
            raw, label = _pick_text(_read_texts(files, format), time, station)
        else:
            raw, label = _read_dataset(files, format, time, station, directional, name)
        return _record(raw, f"{name}{label}", directional)
    except SpectrumFileError:
        raise
    except TextError as error:
        raise SpectrumFileError(f"{name} can't be read as {format}: {error}") from None
    except Exception as error:  # readers raise many types for damaged files
        said = clipped(next(iter(str(error).splitlines()), "") or type(error).__name__, 160)
        if isinstance(error, LookupError):  # a key that is absent, or a list that ends too early
            said = f"it lacks {said}" if isinstance(error, KeyError) else "it ends too early, or its name lacks a time"
        elif format in TEXTS:
            said = "it is damaged, or ends too early"
        raise SpectrumFileError(f"{name} can't be read as {format}: {said}") from None


def _read_texts(files: Sequence[Path], format: str) -> list[RawSpectrum]:
    for file in files[1:]:
        detected_format(file)  # refuses a file that unpacks to too much
    found = [*TEXTS[format]([_text(file) for file in files], [file.name for file in files])]
    if not found:
        raise TextError("it has no spectrum")
    return found


def _text(file: Path) -> str:
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
        content = stream.read().removeprefix(BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _read_dataset(
    files: Sequence[Path], format: str, time: int, station: int, directional: bool, name: str
) -> tuple[RawSpectrum, str]:
    """Return the spectrum of one time and station of a file that wavespectra reads, and their label."""
    try:
        wavespectra = _wavespectra()
        if files[0].is_dir() and find_spec("zarr") is None:  # xarray reads folders through zarr
            raise ImportError(name="zarr")
    except ImportError as error:
        raise SpectrumFileError(
            f"{name}: reading {format} needs a package that is not installed ({error.name}); "
            f"`python -m pip install wavespectra netCDF4{' zarr' if error.name == 'zarr' else ''}` installs it"
        ) from None
    with ExitStack() as copies:
        dataset = _open(wavespectra, [_plain(file, copies) for file in files], format, directional)
        spectra = dataset[["efth", *(part for part in COEFFICIENTS if part in dataset)]]
        spectra, label = _pick(spectra, time, station)
        return _raw(spectra.load(), label.removeprefix(" at ").split(",")[0]), label


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
    r"(#[^\n]*\n)*?#?YY\S*\s+MM\s+DD\s+hh": "ndbc_ascii",
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

ROW = r"[-+.\d][-+.,\deE]*(\s*[,;]\s*|\s+)[-+.\d][-+.,\deE]*"
"""Regular expression for a row of a table of two columns."""
SUFFIXES = {".spt": "datawell", ".nc": "netcdf", ".nc4": "netcdf", ".cdf": "netcdf"}
"""Formats by suffix, for files that begin with numbers alone or are damaged."""
HEAD = 1 << 16
"""Bytes of a file that are searched; JSON, which may name its parts anywhere, is searched as a whole."""
MOST_TEXT = 1 << 26
"""Maximum number of bytes of JSON, and of an unpacked compressed file; a year of a buoy takes 3 MB."""
STATISTICS = r"(#[^\n]*\n)*?#?YY[^\n]*\bWVHT\b"
"""Header of NDBC's files of heights and periods."""


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
            is_json = head.startswith((b"{", b"["))
            rest = stream.read(MOST_TEXT + 1) if is_compressed or is_json else b""
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"{name} can't be read: {clipped(str(error).lower(), 2 * SHOWN)}") from None
    if len(rest) > MOST_TEXT:
        raise SpectrumFileError(f"{name} can't be read: it has more than {MOST_TEXT >> 20} MiB of text")
    text = (head + rest if is_json else head).decode("latin-1").replace("\r\n", "\n")
    if re.match(STATISTICS, text):
        said = "has heights and periods but no spectra; NDBC's spectra are in .data_spec files"
        raise SpectrumFileError(f"{name} {said}")
    format = next((format for pattern, format in HEADS.items() if re.match(pattern, text, re.DOTALL)), "")
    if format or file.suffix in SUFFIXES:
        return format
    return "table" if is_json or _is_table(text) else ""


def _is_table(text: str) -> bool:
    """Return whether a row of two numbers follows comments and headers, which have a letter before any number."""
    for line in filter(None, map(str.strip, text.split("\n"))):
        if len(line) < 100 and re.fullmatch(ROW, line):
            return True
        if not re.match(r"#|\D*[A-Za-z]", line[:100]):
            return False
    return False


def _is_netcdf(format: str) -> bool:
    """Return whether files of a format are NetCDF, or folders of zarr."""
    return format == "netcdf" or format in CONVENTIONS


def _open(wavespectra: Any, files: Sequence[Path], format: str, directional: bool) -> Any:
    """Return the dataset in wavespectra's conventions; a buoy's dataset has its coefficients."""
    if len(files) > 1:
        raise ValueError("only a buoy of NDBC has several files")
    if not _is_netcdf(format):
        options = {"dd": None} if format == "datawell" and not directional else {}
        return getattr(wavespectra, f"read_{format}")(str(files[0]), **options)
    import xarray

    dataset = xarray.open_dataset(files[0], engine="zarr" if files[0].is_dir() else None)
    names = {*dataset.variables, *dataset.dims}
    found = next((format for format, known in CONVENTIONS.items() if any(each <= names for each in known)), "")
    if not found:
        raise ValueError(f"its variables ({', '.join(sorted(map(str, names)))[:200]}) are of no known format")
    if format not in ("netcdf", found):
        raise ValueError(f"its variables are those of {found}")
    if found == "era5":
        return _open_era5(dataset)
    if found == "ndbc":
        return _open_buoy_netcdf(dataset)
    dataset = _as_assumed(dataset, *ASSUMED[found])
    if found == "wavespectra":
        return dataset
    return getattr(getattr(wavespectra.input, found), f"from_{found}")(dataset)


# -- What a NetCDF file says of itself ---------------------------------------------------------------------------------
# Readers trust the axes and units of a format. Programs that convert files change them, and say so in attributes.

ASSUMED = {
    "wavespectra": ("efth", "degree", "dir", "degree", "from"),
    "ww3": ("efth", "radian", "direction", "degree", "to"),
    "ncswan": ("density", "radian", "direction", "radian", "from"),
    "wwm": ("AC", "radian", "SPDIR", "radian", "from"),
}
"""Assumptions of wavespectra's readers: the variable of densities and the angle that these are per, the variable of
directions, its unit, and whether waves come from there or go there."""
UNITS = {"degree": r"deg(ree)?s?|degr", "radian": r"rad(ian)?s?"}
"""Regular expressions for the names of angles in attributes."""
KNOWN_WORDS = r"unk(nown)?|none|m|s|sec(ond)?s?|hz|hertz|log10|e|" + "|".join(UNITS.values())
"""Regular expression for the words in units of densities; of others, such as cm or J, the factor is unknown."""
HERTZ, ANGULAR = r"hz|hertz|s(\^|\*\*)?-1|1/s", r"rad(ian)?s?( ?/ ?s|[ .]?s(\^|\*\*)?-1)"
"""Regular expressions for units of frequencies."""
TO = r"\btowards?\b|\bto which\b|\bto direction\b"
FROM = r"\bfrom\b(?! (the )?((true|magnetic|geographic) )?(north|east)| -?\d)"
"""Regular expressions for the words of a long_name that say where waves go or come from."""
LOG_FLOOR = 1e-12  # added to densities before WAVEWATCH III takes their logarithm
ERA5_FREQUENCY, ERA5_RATIO, ERA5_STEP = 0.03453, 1.1, 15.0
"""First frequency [Hz] of ERA5's numbered axis, ratio of one frequency to the next, and step of directions [deg]."""


def _as_assumed(dataset: Any, densities: str, per: str, directions: str, unit: str, way: str) -> Any:
    """Return the dataset with the units and directions that its reader assumes, converted by the file's attributes.

    Raises:
        ValueError: when an attribute has an unknown unit.
    """
    variable = dataset[densities]
    units = str(variable.attrs.get("units", "")).lower()
    words = re.findall(r"[a-z]+(?:10)?", units)
    if unknown := [word for word in words if not re.fullmatch(KNOWN_WORDS, word)]:
        raise ValueError(f"{densities} has the units {units[:40]!r}, and {unknown[0]!r} is unknown")
    if "log10" in words:
        variable = np.maximum(10.0**variable - LOG_FLOOR, 0.0)
    if angles := [name for name, pattern in UNITS.items() if any(re.fullmatch(pattern, word) for word in words)]:
        variable = variable * _angle(angles[0], per)
    name = next((name for name in ("freq", "frequency") if name in dataset.variables), "")
    units = str(dataset[name].attrs.get("units", "")).lower().strip() if name else ""
    if is_angular := re.fullmatch(ANGULAR, units):
        variable = variable if {"hz", "hertz"} & set(words) else variable * (2 * np.pi)
    elif units and not re.fullmatch(HERTZ, units):
        raise ValueError(f"{name} has the units {units[:40]!r}, which are neither Hz nor rad/s")
    dataset = dataset.assign({densities: variable})
    if is_angular:
        dataset = dataset.assign_coords({name: (dataset[name].dims, (dataset[name] / (2 * np.pi)).data)})
    if directions not in dataset.variables:
        return dataset
    axis = dataset[directions]
    own, is_from, is_cartesian = unit, way == "from", False
    units = str(axis.attrs.get("units", "")).lower()
    named = [name for name, pattern in UNITS.items() if re.match(rf"({pattern})\b", units.replace("_", " "))]
    if units and not named and " " not in units:  # WWM describes the axis there, in words
        raise ValueError(f"{directions} has the unknown units {units[:40]!r}")
    own = (named or [unit])[0]
    if own == "degree" and not named and _is_like_radians(axis.values):
        raise ValueError(f"{directions} has no units, and values up to {axis.values.max():.3g} as if in radians")
    attributes = {name.lower(): value for name, value in (*dataset.attrs.items(), *axis.attrs.items())}
    convention = str(attributes.get("directional_convention", "")).lower()
    if convention:
        if convention not in ("nautical", "cartesian"):
            raise ValueError(f"Directional_convention = {convention[:40]!r} is neither nautical nor cartesian")
        is_cartesian = convention == "cartesian"
        is_from = not is_cartesian
    if said := re.search(r"_(from|to)_direction", str(axis.attrs.get("standard_name", ""))):
        is_from = said[1] == "from"
    elif re.search(f"{TO}|{FROM}", long_name := str(axis.attrs.get("long_name", "")).lower()):
        is_from = not re.search(TO, long_name)
    if (own, is_from, is_cartesian) == (unit, way == "from", False):
        return dataset
    degrees = axis * _angle("degree", own)
    degrees = 90 - degrees if is_cartesian else degrees
    degrees = degrees + (0 if is_from == (way == "from") else 180)
    return dataset.assign_coords({directions: (axis.dims, (degrees * _angle(unit, "degree")).data)})


def _is_like_radians(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "f" and bool(
        (np.abs(values) < 2 * np.pi + 0.01).all() and (values != np.rint(values)).any()
    )


def _angle(one: str, other: str) -> float:
    """Return the number of one unit of an angle in the other."""
    return 1.0 if one == other else np.pi / 180 if one == "radian" else 180 / np.pi


def _open_era5(dataset: Any) -> Any:
    """Return the dataset of ERA5's spectra: logarithms of densities per radian. Axes hold frequencies [Hz] and
    directions towards which waves travel [degrees], or ECMWF's numbers for them from 1, in any order.

    Raises:
        ValueError: when numbers begin at 0, or densities are no logarithms.
    """
    short = {"frequencyNumber": "frequency", "directionNumber": "direction", "valid_time": "time"}
    dataset = dataset.rename({long: name for long, name in short.items() if long in dataset.dims})
    frequency, direction = (  # an axis without a variable is counted from 0
        np.asarray(dataset[name].values, np.float64) + (name not in dataset.variables)
        for name in ("frequency", "direction")
    )
    if (frequency == np.rint(frequency)).all():
        _refuse_zero("frequency", frequency)
        frequency = ERA5_FREQUENCY * ERA5_RATIO ** (frequency - 1)
    if (direction == np.rint(direction)).all() and direction.max() <= 360 / ERA5_STEP:
        _refuse_zero("direction", direction)
        direction = ERA5_STEP * (direction - 0.5)
    axes = {"freq": frequency, "dir": (direction + 180) % 360}
    spectra = dataset.rename(frequency="freq", direction="dir", d2fd="efth").assign_coords(axes)
    known = spectra["efth"].notnull().any(("freq", "dir"))  # land has no values; elsewhere none is no energy
    if known.any() and not (spectra["efth"] < 0).any():
        raise ValueError("d2fd has no value below 0, so that its values are no logarithms")
    spectra["efth"] = (10.0 ** spectra["efth"] * np.pi / 180).fillna(0.0).where(known)
    return spectra


def _refuse_zero(name: str, numbers: Array) -> None:
    if numbers.min() < 1:
        raise ValueError(f"{name} has the number {numbers.min():g}; ECMWF counts from 1")


# -- Buoys of NDBC in NetCDF -------------------------------------------------------------------------------------------

COEFFICIENTS = {
    "alpha1": "mean_wave_dir",
    "alpha2": "principal_wave_dir",
    "r1": "wave_spectrum_r1",
    "r2": "wave_spectrum_r2",
}
"""Coefficients, and their names in NetCDF: directions [degrees] from which waves come, and fractions, as numbers or in
hundredths."""


def _open_buoy_netcdf(dataset: Any) -> Any:
    """Return the dataset (time, freq, ...) of a buoy's NetCDF file, with the coefficients if it has all four."""
    from wavespectra.input.ndbc import from_ndbc

    spectra = from_ndbc(dataset, directional=False)[["efth"]]
    if set(COEFFICIENTS.values()) <= set(dataset.data_vars):
        for name, variable in COEFFICIENTS.items():
            renamed = dataset.assign(spectral_wave_density=dataset[variable])
            spectra[name] = from_ndbc(renamed, directional=False)["efth"]
    return spectra


def _with_directions(frequency: Array, density: Array, spread: Array) -> tuple[Array | None, Array]:
    """Return the density (frequency, RAW_DIRECTIONS) [m²/Hz/degree], and the frequencies [Hz] that have waves but no
    directions. Those frequencies get the spread of the nearest frequency that has one. If they hold most of the energy,
    the directions say nothing of the sea, and the density is None."""
    known = np.isfinite(spread).all(axis=1)
    lacking = ~known & (density > 0)
    energy = density * np.gradient(frequency)
    if not known.any() or energy[lacking].sum() > energy.sum() / 2:
        return None, frequency[lacking]
    nearest = np.flatnonzero(known)[np.abs(np.flatnonzero(known) - np.arange(len(frequency))[:, None]).argmin(axis=1)]
    return density[:, None] * spread[nearest], frequency[lacking]


# -- From a file to a record -------------------------------------------------------------------------------------------


def _pick_text(spectra: Sequence[RawSpectrum], time: int, station: int) -> tuple[RawSpectrum, str]:
    """Return the spectrum of one time and station, and their label for messages."""
    label = ""
    times = sorted({one.time for one in spectra}, key=lambda time: [int(part) for part in re.findall(r"\d+", time)])
    if times != [""]:
        if not -len(times) <= time < len(times):
            said = f"the file has {len(times)} times, {times[0]} to {times[-1]}"
            raise SpectrumFileError(f"spectrum.time = {time}: {said}")
        spectra, label = [one for one in spectra if one.time == times[time]], f" at {times[time]}"
    if station >= len(spectra):
        count = f"{len(spectra)}, counted from 0" if len(spectra) > 1 else "one, which is 0"
        raise SpectrumFileError(f"spectrum.station = {station}: the file has {count}")
    if spectra[station].refusal:
        raise TextError(spectra[station].refusal)
    return spectra[station], label + (f", station {station}" if len(spectra) > 1 else "")


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


def _raw(spectra: Any, time: str) -> RawSpectrum:
    """Return the spectrum of a dataset of one time and place."""
    efth = spectra["efth"] if "dir" in spectra.dims else spectra["efth"].expand_dims("dir", -1)
    efth = efth.transpose("freq", "dir")
    values = np.asarray(efth.values, np.float64)
    spread = None
    if all(part in spectra for part in COEFFICIENTS):
        kinds = ("direction", "direction", "fraction", "fraction")
        alpha1, alpha2, r1, r2 = (
            unmarked(spectra[part].values, kind) for part, kind in zip(COEFFICIENTS, kinds, strict=True)
        )
        spread = spread_of_coefficients(alpha1, alpha2, *as_fractions(r1, r2))
        values = unmarked(values, "density")
    coming_from = efth["dir"].values if values.shape[1] > 1 else None
    return RawSpectrum(efth["freq"].values, values, coming_from, spread, time)


def _record(raw: RawSpectrum, name: str, directional: bool) -> SpectrumRecord:
    """Return plain arrays in ascending order; refuse values that are missing, negative, or of no sea."""
    used = np.flatnonzero(raw.frequency != 0)
    frequency = _axis(raw.frequency[used], f"{name} has a frequency", FREQUENCIES, "Hz")
    order = used[np.argsort(frequency)]
    frequency = np.sort(frequency)
    density = np.asarray(raw.density[order], np.float64)
    if len(frequency) < 2 or np.any(np.diff(frequency) == 0):
        raise SpectrumFileError(f"{name} has too few frequencies, or one of them twice")
    if density.shape[1] == 0:
        raise SpectrumFileError(f"{name} lacks values: it has 0 directions")
    coming_from = np.zeros(1) if raw.coming_from is None else raw.coming_from
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
    if directional and raw.spread is not None and density.shape[1] == 1:
        found, lacking = _with_directions(frequency, density[:, 0], raw.spread[order])
        if found is not None:
            density, coming_from = found, RAW_DIRECTIONS
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
    m0 = float(np.trapezoid(total, frequency))
    height = 4 * np.sqrt(m0 + total[-1] * frequency[-1] / 4)  # with a tail of f^-5
    if height > MOST_HEIGHT:
        raise SpectrumFileError(f"{name} has waves of Hs = {height:.3g} m; {MOST_HEIGHT:g} m are the most")
    source, warning = _compared(raw, record, (4 * m0**0.5, height))
    return replace(record, source=source, remark=" ".join(filter(None, (record.remark, warning))))


def _compared(raw: RawSpectrum, record: SpectrumRecord, heights: tuple[float, float]) -> tuple[str, str]:
    """Return where and when a spectrum was measured, with the file's own statistics, and a warning about statistics
    that the densities contradict. `heights` are Hs [m] without and with a tail: programs differ in this."""
    place = f"at {raw.place[0]:.4g}, {raw.place[1]:.4g} degrees (latitude, longitude)" if raw.place else ""
    total = record.over_frequency()
    peak = int(total.argmax())
    periods = 1 / record.frequency[[min(peak + 1, len(total) - 1), max(peak - 1, 0)]]
    said, doubts = [], []
    stated = {name: value for name, value in raw.stated.items() if np.isfinite(value) and value > 0}
    if (height := stated.get("height")) is not None:
        said.append(f"Hs = {height:.3g} m")
        if not (1 - STATED) * heights[0] <= height <= (1 + STATED) * heights[1]:
            doubts.append(f"Hs = {height:.3g} m, and its densities have {heights[0]:.3g} m")
    if (period := stated.get("peak_period")) is not None:
        said.append(f"Tp = {period:.3g} s")
        if not (1 - STATED) * periods[0] <= period <= (1 + STATED) * periods[1]:
            doubts.append(f"Tp = {period:.3g} s, and its densities have {1 / record.frequency[peak]:.3g} s")
    if (direction := stated.get("direction")) is not None and record.towards is not None:
        said.append(f"waves from {direction:.3g} degrees")
        weights = np.trapezoid(record.density, record.frequency, axis=0) * np.exp(1j * np.radians(record.towards))
        own = np.degrees(np.angle(weights.sum())) + 180
        if abs((own - direction + 180) % 360 - 180) > STATED_DIRECTION:
            doubts.append(f"waves from {direction:.3g} degrees, and its densities have {own % 360:.3g}")
    where = " ".join(filter(None, (raw.station, place)))
    source = ", ".join(filter(None, (where, raw.time)))
    source += f"{'; ' if source else ''}the file states {', '.join(said)}" if said else ""
    return source, f"The file states {'; '.join(doubts)}." if doubts else ""


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
