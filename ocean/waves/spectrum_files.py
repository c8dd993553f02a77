"""Files of spectra, read into plain arrays; runs in a separate process.

`spectrum_texts` reads the text formats of buoys and models, `spectrum_tables` tables, `spectrum_datasets` NetCDF, and
the optional package wavespectra all others. They return densities over frequency [Hz] and over directions [degrees]
that waves come *from*; only this module turns directions to where waves go.
"""

import gzip
import logging
import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from json import JSONDecodeError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import SHOWN, clipped, shown
from ocean.waves.dispersion import GRAVITY, Array
from ocean.waves.spectra import FORMATS, SpectrumRecord, station_number
from ocean.waves.spectrum_datasets import CONVENTIONS, Spectra, open_dataset, spectra_of
from ocean.waves.spectrum_raw import (
    MARKS,
    RAW_DIRECTIONS,
    ContentError,
    RawSpectrum,
    comments_of,
    not_understood,
)
from ocean.waves.spectrum_tables import NO_HEIGHTS, is_table
from ocean.waves.spectrum_texts import TEXTS, directional_files

MOST_DENSITY = 1e5  # m²/Hz, all directions together: waves of 30 m within 0.5 mHz; larger values mark missing ones
MOST_HEIGHT = 100.0  # m of significant wave height; the highest measured one is about 20 m
ROUNDING = 1e-4  # largest negative density, relative to the largest: 16-bit integers round zeros
MOST_STEEPNESS = 0.15  # of 2 pi Hs / (g Tm01²); a single wave breaks at 0.14
MOST_MEAN = 1 / 3  # largest mean frequency of a sea whose file names no unit: 3 s in Hz, or 19 s in rad/s
FREQUENCIES = 1e-6, 100.0  # lowest and highest frequency [Hz]: slower than tides, and capillary waves of 3 mm
SPIKE, SPIKE_SHARE = 10.0, 0.02  # factor above all neighbours, and share of the sum, that a remark quotes
FAINT = 0.05  # largest density, relative to the highest, beside lowest frequencies that may be missing
STATED = 0.05  # largest relative difference between statements and densities of a file without a warning
STATED_DIRECTION = 20.0  # degrees: the same for the direction of all waves or of the peak


class SpectrumFileError(ValueError):
    """A file that can't drive the sea; the message says why."""


def read_spectrum(
    files: Sequence[Path], format: str, time: int, station: str | int, directional: bool = True
) -> SpectrumRecord:
    """Return the spectrum of one time and station of a file; a directional NDBC buoy has five files. Without
    `directional`, directions are not read, so that missing ones do not matter.

    Raises:
        SpectrumFileError: when a package is not installed, or the file has another format or lacks the time, the
            station or values; the message says which.
    """
    name = f"spectrum.path = {shown(','.join(map(str, files)))}"
    format = format_of(files[0], format)
    if len(files) > 1 and format != "ndbc_ascii":
        raise SpectrumFileError(f"{name}: only an NDBC buoy has several files, not {format}")
    if format == "table" and re.fullmatch(NO_HEIGHTS, files[0].stem):
        raise SpectrumFileError(f"{name}: {files[0].stem} is not a spectrum of the height; Szz is")
    try:
        if format in TEXTS:
            by_time = _read_texts(files if directional else files[:1], format)
            by_place = [[one.station for one in at_time] for at_time in by_time.values()]
            place, number, label = _picked([*by_time], by_place, time, str(station))
            raw, times, stations = [*by_time.values()][place][number], [*by_time], by_place[place]
        else:
            spectra = _open(files[0], format, directional, name)
            times, names = spectra.times or [""], spectra.stations
            place, number, label = _picked(times, [names] * len(times), time, str(station))
            raw, stations = spectra.at(place, number)._replace(station=names[number]), names
        if raw.refusal:
            raise ContentError(raw.refusal)
        record = _record(raw, f"{name}{label}", directional)
        said, others = "", format == "ndbc_ascii" and directional_files(files[0].name)
        if directional and len(files) == 1 and others:
            said = f" Directions, if the buoy measures them, are in {', '.join(others)}, beside this file."
        elif directional and format == "table" and files[0].stem == "Szz" and files[0].with_stem("a1").exists():
            said = " The directions in a1 to b2 beside this file are not used; Spotter's own CSV or JSON has them."
        elif record.towards is not None and format in ("awac", "datawell"):
            said = " Its directions may be from magnetic north, and are assumed to be from true north."
        return replace(record, remark=(record.remark + said).strip(), times=tuple(times), stations=tuple(stations))
    except SpectrumFileError:
        raise
    except Exception as error:  # readers raise many types for damaged files, and libraries word them for programmers
        said = "it is damaged, ends too early, or has another layout"
        said = f"it lacks {clipped(str(error), SHOWN)}" if isinstance(error, KeyError) and format in TEXTS else said
        said = f"its JSON is wrong in line {error.lineno}" if isinstance(error, JSONDecodeError) else said
        said += "; its name must end in }, a time and .spt" if format == "datawell" else ""
        said = str(error) if isinstance(error, ContentError) else said
        raise SpectrumFileError(f"{name} can't be read as {format}: {said}") from None


def _read_texts(files: Sequence[Path], format: str) -> dict[str, list[RawSpectrum]]:
    """Return the spectra of text files by time, ascending. Incomplete rows, and what follows the last complete spectrum
    of a damaged file, are left out with a remark."""
    for file in files[1:]:
        detected_format(file)  # refuses a file that unpacks to too much
    found, remark = list[RawSpectrum](), ""
    texts = [decoded(_content(file)) for file in files]
    comments = [line for text in texts for line in text.splitlines() if re.match(r"\s*([#%!*/;]|\$(?!P))", line)]
    is_own = format in ("table", "ndbc_ascii")  # their readers check comments with the headers
    said = not_understood(comments_of([] if is_own else comments), OBSCAPE_HEAD if format == "obscape" else "(?!)")
    try:
        found.extend(TEXTS[format](*([texts, [file.name for file in files]] if format == "ndbc_ascii" else texts)))
    except (ValueError, LookupError, RuntimeError) as error:  # RuntimeError: a generator asked for more than there is
        if not found or isinstance(error, ContentError):
            raise
        remark = f"The file is damaged or ends too early: its first {len(found)} spectra are read."
    whole = [one for one in found if len(one.frequency)]
    if not whole:
        raise ContentError("it has no complete spectrum")
    if len(whole) < len(found):
        cut = ", ".join(one.time for one in found if not len(one.frequency))
        remark = f"Incomplete rows are left out: {clipped(cut, SHOWN)}."
    by_time: dict[str, list[RawSpectrum]] = {}
    for one in sorted(whole, key=lambda one: [int(part) for part in re.findall(r"\d+", one.time)]):
        by_time.setdefault(one.time, []).append(one._replace(remark=" ".join(filter(None, (remark, said, one.remark)))))
    return by_time


def decoded(content: bytes) -> str:
    """Return the text of a file, with line feeds as line ends; without a byte order mark, encodings are tried."""
    try:
        text = content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\0\x1a")  # DOS ends files with ^Z
    return re.sub(r"\Asep=.\n", "", text)  # Excel writes it


def _content(file: Path) -> bytes:
    with gzip.open(file) if file.suffix.lower() == ".gz" else file.open("rb") as stream:
        return stream.read()


def _open(file: Path, format: str, directional: bool, name: str) -> Spectra:
    """Return the spectra of NetCDF, zarr, or a format that wavespectra reads."""
    is_netcdf = format in (*NETCDF, "json")
    needed = ("xarray", "zarr" if file.is_dir() else "netCDF4") if is_netcdf else ("wavespectra",)
    if absent := next((package for package in needed if find_spec(package) is None), ""):
        raise SpectrumFileError(
            f"{name}: reading {format} needs a package that is not installed ({absent}); "
            f"`python -m pip install wavespectra netCDF4{' zarr' if absent == 'zarr' else ''}` installs it"
        )
    original, text = file, "" if is_netcdf or format == "xwaves" else decoded(_content(file))
    with ExitStack() as copies:
        if file.suffix.lower() == ".gz" or not is_netcdf:  # wavespectra reads a byte order mark as text
            copy = Path(copies.enter_context(TemporaryDirectory())) / file.name.removesuffix(".gz")
            copy.write_bytes(_content(file).removeprefix(BOM_UTF8))
            file = copy
        if is_netcdf:
            spectra = open_dataset(file, format)
            return spectra._replace(dataset=spectra.dataset.load()) if file != original else spectra
        options = {"dd": None} if format == "datawell" and not directional else {}
        logging.getLogger().addHandler(logging.NullHandler())  # else wavespectra makes libraries log to the terminal
        found = getattr(import_module("wavespectra"), f"read_{format}")(str(file), **options).load()
    heads = re.findall(r"^[A-Za-z#%](?!.*(?:\d,\d.*){4}).*", text, re.MULTILINE)
    if format == "octopus":  # the library leaves out the height that each record states
        records = re.findall(r"^(\S*,HSig,.*)\n(.*)", text, re.MULTILINE)
        heights = [row.split(",")[names.split(",").index("HSig")] for names, row in records]
        if len(heights) != found.sizes["time"]:
            raise ContentError("it holds several stations; split it before each line nfreqs")
        found["hs"] = "time", np.array(heights, np.float64)
    found = found.drop_attrs()
    found["freq"].attrs["units"] = "Hz"
    ends = {("", end) for end in re.findall(r"^[-+.\deE ]+ - *([A-Za-z].*)", text, re.MULTILINE)}  # of FUNWAVE's lines
    remark = not_understood([*comments_of(heads), *ends], FUNWAVE_ENDS)
    return spectra_of(found, CONVENTIONS["wavespectra"][0])._replace(remark=remark)


# -- Formats -----------------------------------------------------------------------------------------------------------

HEADS = {
    r"CDF[\1\2\5]|\x89HDF": "netcdf",
    r"MATLAB 5": "xwaves",
    r"(#[^\n]*\n)*?#?YY\S*\s+MM\s+DD\s+hh": "ndbc_ascii",
    r"SWAN\b": "swan",
    r"'WAVEWATCH III SPECTRA": "ww3_station",
    r"[^\n]*TRIAXYS BUOY": "triaxys",
    r"([^\n$]*\$[^\n]*\n)*?[^\n$]*\$PNOR": "awac",
    r"[^\n]*\n'?nfreqs,": "octopus",
    r"(#[^\n]*\n)*# *Columns \[": "obscape",
    r"[^\n]*\bEpoch Time\b": "spotter",
    r"\d+ +\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave",
    r"\d+[^\n]*\n\s*\S+ *-? *PeakPeriod": "funwave_new",
    r'\{.*"data_vars"': "json",
    r'\{.*"frequencyData"': "spotter",
}
"""Regular expressions for the beginning of a file in each format, after blanks."""

FUNWAVE_ENDS = r"numfreq|numdir|peakperiod|\b(dire|amp|phase)\b"
OBSCAPE_HEAD = r"^# (timezone|magnetic declination|variance-density).*|magnetic north"
"""Regular expressions for what these formats write beside numbers."""
NETCDF = "netcdf", *CONVENTIONS  # or zarr folders
SUFFIXES = {".spt": "datawell", ".nc": "netcdf", ".nc4": "netcdf", ".cdf": "netcdf"}
"""Formats by suffix, for files that begin with numbers alone or are damaged."""
HEAD = 1 << 16  # bytes of a file that are searched; JSON, whose keys may be anywhere, is searched as a whole
MOST_TEXT = 1 << 26  # maximum bytes of JSON, and of an unpacked compressed file; a year of a buoy takes 3 MB
PACKED = rb"PK\x03\x04|\x1f\x8b|BZh|\xfd7zXZ|7z\xbc|\x28\xb5\x2f\xfd|\xd0\xcf\x11\xe0"
"""Regular expression for the beginning of archives and Excel workbooks."""
STATISTICS = r"(#[^\n]*\n)*?#?YY[^\n]*\bWVHT\b"  # the header of NDBC's files of heights and periods


def format_of(file: Path, wanted: str) -> str:
    """Return a file's format: as wanted, or, for `auto`, by its first bytes or else its name.

    Raises:
        SpectrumFileError: when the file can't be read, or its format is unknown or not as wanted.
    """
    found, name = detected_format(file), f"spectrum.path = {shown(str(file))}"
    if wanted != "auto":
        if found not in (("netcdf",) if wanted in NETCDF else (wanted, "")):
            kind = "is a folder" if file.is_dir() else f"has the format {found}" if found else "is not NetCDF"
            raise SpectrumFileError(f"{name} can't be read as {wanted}: it {kind}")
        return wanted
    if format := found or SUFFIXES.get(file.suffix.lower(), ""):
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
        is_compressed = file.suffix.lower() == ".gz"
        with gzip.open(file) if is_compressed else file.open("rb") as stream:
            head = stream.read(HEAD)
            is_json = head.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"["))
            rest = stream.read(MOST_TEXT + 1) if is_compressed or is_json else b""
    except (OSError, EOFError, zlib.error) as error:
        raise SpectrumFileError(f"{name} can't be read: {clipped(str(error).lower(), 2 * SHOWN)}") from None
    if len(rest) > MOST_TEXT:
        raise SpectrumFileError(f"{name} can't be read: it has more than {MOST_TEXT >> 20} MiB of text")
    if re.match(PACKED, head):
        raise SpectrumFileError(f"{name} is an archive or a workbook; unpack it, save it as CSV, or add gzip's .gz")
    text = decoded(head + rest if is_json else head).lstrip()
    if re.match(STATISTICS, text):
        said = "has heights and periods but no spectra; NDBC's spectra are in .data_spec files"
        raise SpectrumFileError(f"{name} {said}")
    format = next((format for pattern, format in HEADS.items() if re.match(pattern, text, re.DOTALL)), "")
    if format or file.suffix.lower() in SUFFIXES:
        return format
    return "table" if is_json or is_table(text) else ""


# -- From a file to a record -------------------------------------------------------------------------------------------


def _picked(times: Sequence[str], stations: Sequence[Sequence[str]], time: int, station: str) -> tuple[int, int, str]:
    """Return the indices of a time and of a station at this time, and a label of both for messages. `times` ascend; a
    file without times has an empty one. `stations` names those of each time."""
    if not -len(times) <= time < len(times) and times[0]:
        said = f"{len(times)} times, {times[0]} to {times[-1]}" if len(times) > 1 else f"one time, {times[0]}"
        raise SpectrumFileError(f"spectrum.time = {time}: the file has {said}")
    place = time % len(times)
    names = stations[place]
    count, number = len(names), station_number(station, names)
    if number < 0:
        said = f"{count}, counted from 0" if count > 1 else "one, which is 0"
        said += f": {clipped(', '.join(names), 2 * SHOWN)}" if any(names) else ""
        raise SpectrumFileError(f"spectrum.station = {shown(station)}: the file has {said}")
    label = f" at {times[place]}" if times[place] else ""
    return place, number, label + (f", station {station}" if count > 1 else "")


def _with_directions(frequency: Array, density: Array, spread: Array) -> tuple[Array | None, Array]:
    """Return the density (frequency, RAW_DIRECTIONS) [m²/Hz/degree], and the frequencies [Hz] that have waves but no
    directions. Those frequencies get the spread of the nearest frequency that has one. If they hold most of the energy,
    the directions say nothing about the sea, and the density is None."""
    known = np.isfinite(spread).all(axis=1)
    lacking = ~known & (density > 0)
    energy = density * np.gradient(frequency)
    share = energy[lacking].sum() / max(energy.sum(), 1e-30)
    if not known.any() or share > 0.5:
        return None, frequency[lacking]
    nearest = np.flatnonzero(known)[np.abs(np.flatnonzero(known) - np.arange(len(frequency))[:, None]).argmin(axis=1)]
    return density[:, None] * spread[nearest], frequency[lacking & (share > SPIKE_SHARE)]


def _record(raw: RawSpectrum, name: str, directional: bool) -> SpectrumRecord:
    """Return plain arrays in ascending order; refuse values that are missing, negative or impossible."""
    sizes = len(raw.frequency), 1 if raw.coming_from is None else len(raw.coming_from)
    if raw.density.shape != sizes or 0 in sizes:
        said = " x ".join(map(str, raw.density.shape))
        raise SpectrumFileError(f"{name} has {said} values for {sizes[0]} frequencies and {sizes[1]} directions")
    order, coming_from = _used(raw, name), _directions(raw, name)
    frequency = np.asarray(raw.frequency[order], np.float64)
    density, doubt = _whole(np.asarray(raw.density[order], np.float64), frequency, coming_from, name)
    remark = raw.remark + doubt
    if directional and raw.spread is not None and density.shape[1] == 1:
        spread = raw.spread() if callable(raw.spread) else raw.spread
        found, lacking = _with_directions(frequency, density[:, 0], spread[order])
        if found is not None:
            density, coming_from = found, RAW_DIRECTIONS
            if len(lacking):
                remark += f" The file lacks directions at {_listed(lacking)} Hz, which take those of their neighbours."
    if density.shape[1] == 1:
        why = "Its directions lack a spread, and are not used" if raw.is_directed else "The file has no directions"
        why = why if raw.spread is None else "Most of the energy has no directions, so the file's are not used"
        alone = f" {why}: its waves have the chosen direction and spreading."
        record = SpectrumRecord(frequency, None, density, (remark + alone if directional else remark).strip())
    else:
        towards, first = np.unique(np.round(coming_from + 180, 3) % 360, return_index=True)
        record = SpectrumRecord(frequency, *_around(towards, density[:, first]), remark.strip())
    source, warning = _compared(raw, record, _heights(raw, record, name))
    return replace(record, source=source, remark=" ".join(filter(None, (record.remark, warning))))


def _used(raw: RawSpectrum, name: str) -> NDArray[np.intp]:
    """Return the indices of frequencies with waves, ascending: without 0 at the ends, and without lowest ones that lack
    densities beside faint ones."""
    used: NDArray[np.intp] = np.arange(len(raw.frequency))
    used = used[(raw.frequency != 0) | ((used > 0) & (used < used[-1]))]
    frequency = _axis(raw.frequency[used], f"{name} has a frequency", FREQUENCIES, "Hz")
    steps = np.diff(frequency)
    order = used[np.argsort(frequency)]
    density = np.asarray(raw.density[order], np.float64)
    known, total = np.isfinite(density).any(axis=1), np.nansum(density, axis=1)
    if known.any() and total[start := int(known.argmax())] <= FAINT * total.max():
        order = order[start:]
    if len(order) < 2 or not ((steps > 0).all() or (steps < 0).all()):
        raise SpectrumFileError(f"{name} has fewer than two frequencies, or they neither rise nor fall")
    return order


def _directions(raw: RawSpectrum, name: str) -> Array:
    """Return the directions that waves come from [degrees], a zero without any; refuse those of no single circle."""
    if raw.coming_from is None:
        return np.zeros(1)
    degrees = _axis(raw.coming_from, f"{name} has a direction", (-360.0, 720.0), "degrees")
    unique = np.unique(degrees)
    if len(unique) < len(degrees):
        raise SpectrumFileError(f"{name} has a direction twice")
    if np.ptp(degrees) > 360.5:
        raise SpectrumFileError(f"{name} has directions over more than a circle, {np.ptp(degrees):.4g} degrees")
    if len(unique) > 2 and np.abs(np.ptp(unique) - 2 * np.pi + unique[:2] - unique[0]).min() < 0.02:
        raise SpectrumFileError(f"{name} has directions over {np.ptp(unique):.3g}, like a circle in radians")
    if len(np.unique(np.round(degrees, 3) % 360)) == 1:
        raise SpectrumFileError(f"{name} has a single direction, {degrees[0]:.4g} degrees")
    return degrees


def _whole(density: Array, frequency: Array, coming_from: Array, name: str) -> tuple[Array, str]:
    """Return densities (f, d) without small negative ones, and a remark on spikes; refuse missing and negative ones,
    and spikes that are marks."""

    def where(found: NDArray[np.bool_], always: bool) -> str:
        rows, columns = found.any(axis=1), found.any(axis=0)
        degrees = f", from {_listed(coming_from[columns] % 360)} degrees"
        return f"{_listed(frequency[rows])} Hz{degrees if always or not found[rows].all() else ''}"

    around = np.argsort(coming_from % 360)
    spikes = _spikes(np.nan_to_num(density[:, around]))[:, np.argsort(around)]
    marked = spikes & np.isin(np.round(density, 4), MARKS["density"])
    density = np.where(marked, np.nan, density)
    small = (density < 0) & (density > -ROUNDING * np.nanmax(density, initial=0))
    density = np.where(small, 0.0, density)
    for wrong, what in (~np.isfinite(density), "lacks values"), (density < 0, "has negative values"):
        if wrong.any():
            raise SpectrumFileError(f"{name} {what} at {where(wrong, False)}")
    if not (spikes := spikes & ~marked).any():
        return density, ""
    place = where(spikes, density.shape[1] > 1)
    return density, f" Densities at {place} are over {SPIKE:g} times all their neighbours, and may mark missing values."


def _heights(raw: RawSpectrum, record: SpectrumRecord, name: str) -> tuple[float, float]:
    """Return Hs [m] without and with a tail of f^-5; refuse seas that are too high or too steep to be true."""
    frequency = record.frequency
    with np.errstate(over="ignore"):
        total = record.over_frequency()
    if (wrong := total > MOST_DENSITY).any():
        what = f"has values beyond {MOST_DENSITY:g} m²/Hz, such as {total.max():.3g}"
        raise SpectrumFileError(f"{name} {what}, at {_listed(frequency[wrong])} Hz")
    m0 = float(np.trapezoid(total, frequency))
    m1 = float(np.trapezoid(total * frequency, frequency))
    if raw.is_unnamed and m1 > MOST_MEAN * m0:
        said = f"has frequencies without a unit and with a mean of {m1 / m0:.3g}; write Hz or rad/s into the file"
        raise SpectrumFileError(f"{name} {said}, as units of NetCDF, or in a header or comment")
    height = 4 * np.sqrt(m0 + total[-1] * frequency[-1] / 4)
    if height > MOST_HEIGHT:
        raise SpectrumFileError(f"{name} has waves of Hs = {height:.3g} m; the limit is {MOST_HEIGHT:g} m")
    if (steepness := 2 * np.pi * height / GRAVITY * (m1 / max(m0, 1e-30)) ** 2) > MOST_STEEPNESS:
        said = f"{steepness:.3g}; the limit is {MOST_STEEPNESS:g}: are the units of both axes right, is it one-sided"
        raise SpectrumFileError(f"{name} has waves with a steepness of {said}")
    return 4 * m0**0.5, height


def _spikes(density: Array) -> NDArray[np.bool_]:
    """Return which densities (f, d) are far above all neighbours that differ, and hold a share of the variance. The
    first and last frequency count as neighbours, and so do the first and last direction."""
    turned = [np.roll(density, shift, axis) for axis in (0, 1) for shift in (1, -1)]
    most = np.max([np.where(one == density, -1.0, one) for one in turned], axis=0)
    floor = np.maximum(most, min(density[density > 0], default=0.0))
    return np.asarray((most >= 0) & (density > SPIKE * floor) & (density > SPIKE_SHARE * density.sum()))


def _compared(raw: RawSpectrum, record: SpectrumRecord, heights: tuple[float, float]) -> tuple[str, str]:
    """Return where and when a spectrum was measured, with the file's own statistics, and a warning about statistics
    that the densities contradict. `heights` are Hs [m] without and with a tail: programs differ in this."""
    is_known = np.isfinite(raw.place).all() and abs(raw.place[0]) <= 90  # others are metres
    place = "at {:.4g}, {:.4g} degrees (latitude, longitude)".format(*raw.place) if is_known else ""
    total = record.over_frequency()
    peak = int(total.argmax())
    within = np.array([1 - STATED, 1 + STATED])
    tops = np.flatnonzero(total >= within[0] * total[peak])[[-1, 0]]  # two bins may be almost equally high
    ends, beside = record.frequency[tops], record.frequency[np.clip(tops + np.array([1, -1]), 0, len(total) - 1)]
    periods = np.stack([within / ends, 2 / (ends + beside)])  # and halfway to the bins beside them
    said, doubts = [], []
    stated = {name: value for name, value in raw.stated.items() if np.isfinite(value)}
    for name, form, (least, most), own in (
        ("height", "Hs = {:.3g} m", within * heights, heights[0]),
        ("peak_period", "Tp = {:.3g} s", (periods[:, 0].min(), periods[:, 1].max()), 1 / record.frequency[peak]),
    ):
        if (value := stated.get(name, 0.0)) > 0:
            said.append(form.format(value))
            if not least <= value <= most:
                doubts.append(f"{form.format(value)}, but its densities have {form.format(own).partition('= ')[2]}")
    if (direction := stated.get("direction")) is not None and record.towards is not None:
        said.append(f"waves from {direction:.3g} degrees")
        rows = np.stack([np.trapezoid(record.density, record.frequency, axis=0), record.density[peak]])
        own = np.degrees(np.angle(rows @ np.exp(1j * np.radians(record.towards)))) + 180
        if np.abs((own - direction + 180) % 360 - 180).min() > STATED_DIRECTION:
            doubts.append(f"waves from {direction:.3g} degrees, but its densities have {own[0] % 360:.3g}")
    where = " ".join(filter(None, (raw.station, place)))
    source = ", ".join(filter(None, (where, raw.time)))
    source += f"{'; ' if source else ''}the file states {', '.join(said)}" if said else ""
    return source, f"The file states {'; '.join(doubts)}." if doubts else ""


def _axis(values: NDArray[Any], what: str, within: tuple[float, float], unit: str) -> Array:
    """Return the values of an axis; refuse values that are not numbers, or outside a range."""
    if values.dtype.kind not in "iuf":
        raise SpectrumFileError(f"{what} that is not a number")
    low, high = within
    wrong = values[~((values >= low) & (values <= high))]
    if len(wrong):
        raise SpectrumFileError(f"{what} of {wrong[0]:.4g} {unit}; the range is {low:g} to {high:g} {unit}")
    return np.asarray(values, np.float64)


def _around(towards: Array, density: Array) -> tuple[Array, Array]:
    """Return directions that cover the circle: gaps over twice their neighbours get directions without waves."""
    gaps = np.diff(towards, append=towards[0] + 360)
    before, after = np.roll(gaps, 1), np.roll(gaps, -1)
    holes = gaps > 2 * np.maximum(before, after)
    ends = np.concatenate([(towards + before)[holes], (np.roll(towards, -1) - after)[holes]]) % 360
    towards = np.concatenate([towards, ends])
    order = np.argsort(towards)
    return towards[order], np.pad(density, ((0, 0), (0, len(ends))))[:, order]


def _listed(values: Array) -> str:
    shown = ", ".join(f"{value:.4g}" for value in values[:6])
    return shown + (f" and {len(values) - 6} more" if len(values) > 6 else "")
