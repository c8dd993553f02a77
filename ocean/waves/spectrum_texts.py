"""Spectra in the text formats of buoys and wave models, each read as its manual describes it.

Each reader takes the text of a file (NDBC's, the texts of several) and yields its spectra in the order of the file. An
incomplete row yields a spectrum without frequencies. Readers raise ContentError for what they do not read.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any

import numpy as np

from ocean.waves.dispersion import Array
from ocean.waves.spectrum_raw import (
    ANGULAR,
    DENSITY_UNIT,
    RAW_DIRECTIONS,
    ContentError,
    RawSpectrum,
    at_bins,
    comments_of,
    density_factor,
    in_degrees,
    not_understood,
    number,
    numbers,
    spread_of_buoy,
    spread_of_coefficients,
    spread_of_cone,
    to_true_north,
    unmarked,
)
from ocean.waves.spectrum_tables import moment, table

# -- SWAN --------------------------------------------------------------------------------------------------------------

SWAN_TIMES = "%Y%m%d.%H%M%S", "%d-%b-%y %H:%M:%S", "%m/%d/%y %H:%M:%S", "%H:%M:%S", "%y/%m/%d %H:%M:%S", "%y%m%d%H%M"
SWAN_AXES = "AFREQ", "RFREQ", "NDIR", "CDIR"
SWAN_MEANS = "NDIR", "CDIR", "DSPR", "DSPRDEGR", "DSPRP"
"""Time formats, in the order of SWAN's codes from 1; years may also have four digits. Keywords of axes. Quantities that
are mean directions and widths."""


def swan(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a SWAN file (user manual, appendix D), with or without directions, of all times or
    iterations and of all locations. The header names the units."""
    lines = iter([line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("$")])
    next(lines)
    head = _SwanHead(lines)
    is_2d = head.coming_from is not None
    wanted, quantities = (head.column, len(head.names)) if is_2d else (0, 1)  # test points have a table for each
    time, count, zone = "", 0, ""
    for line in lines:
        keyword = line.split()[0].upper()
        if keyword == "SWAN":
            raise ContentError("it holds two SWAN files; split it at the second line SWAN")
        if keyword not in ("FACTOR", "LOCATION", "ZERO", "NODATA"):
            time, count = _swan_time(line, head.timing, head.code), 0
            beside = line.split()[1:] if (head.timing, head.code) == ("TIME", 1) else []
            zone = not_understood([("", " ".join(beside))])
            continue
        table = head.table(keyword, lines)
        (station, quantity), count = divmod(count, quantities), count + 1
        if quantity == wanted:
            name, place = head.station(station)
            yield RawSpectrum(
                head.frequency,
                head.factor * (table if is_2d else table[:, [head.column]]),
                head.coming_from,
                None if is_2d else _swan_spread(head.names, head.units, table),
                time,
                name,
                place,
                is_directed=bool({"NDIR", "CDIR"} & {*map(str.upper, head.names)}),
                remark=f"{head.remark} {zone}".strip(),
            )


class _SwanHead:
    """The header of a SWAN file, read from its lines after the first."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.timing, self.code, heads = "", 1, dict[str, tuple[str, list[str]]]()
        while "QUANT" not in heads:
            line = next(lines)
            keyword, count = line.split()[0].upper(), int(next(lines).split()[0])
            if keyword in ("TIME", "ITER"):
                self.timing, self.code = keyword, count
            else:
                heads[keyword] = line, list(islice(lines, count * (3 if keyword == "QUANT" else 1)))
        self.is_lonlat = "LONLAT" in heads
        self.places = [line.split(maxsplit=2) for line in heads["LONLAT" if self.is_lonlat else "LOCATIONS"][1]]
        said, rows = heads["AFREQ" if "AFREQ" in heads else "RFREQ"]
        angular = bool(re.search(r"\brad", said.lower()))
        self.frequency = numbers(rows) / (2 * np.pi if angular else 1)
        quantities = heads["QUANT"][1]
        self.names, marks = ([line.split()[0] for line in quantities[start::3]] for start in (0, 2))
        self.units = [re.split(r"\s{2,}|\s+unit", line.strip())[0] for line in quantities[1::3]]
        densities = [i for i, name in enumerate(self.names) if name.upper() in ("VADENS", "ENDENS")]
        if not densities:
            raise ContentError(f"its quantities {', '.join(self.names)[:80]} include no density, VaDens or EnDens")
        self.column = column = densities[0]
        self.coming_from: Array | None = None
        if directions := {"NDIR", "CDIR"} & {*heads}:
            said, rows = heads[min(directions)]
            degrees = numbers(rows) * (180 / np.pi if re.search(r"\brad", said.lower()) else 1)
            # CDIR: where waves go, counter-clockwise from the east
            self.coming_from = 270 - degrees if "CDIR" in directions else degrees
        has_directions = self.coming_from is not None
        self.factor = density_factor(self.units[column], self.names[column], has_directions, angular, joules=True)
        self.absent = numbers(marks[column : column + 1] if has_directions else marks)
        self.absent[self.absent == 0] = np.nan  # test points mark nothing by it
        self.remark = self._remark([heads[name][0] for name in heads if name in SWAN_AXES], quantities)

    def _remark(self, axes: Sequence[str], quantities: Sequence[str]) -> str:
        """Return a remark on what is not understood; refuse axes that SWAN does not write."""
        used = [i for i, name in enumerate(self.names) if i == self.column or name.upper() in SWAN_MEANS]
        described = [*axes, *(line for i in used for line in quantities[3 * i : 3 * i + 2])]
        pairs = map(" ".join, zip(quantities[::3], quantities[1::3], strict=True))
        if odd := [line for line in [*described, *pairs] if re.match(r"(?i)cdir.*(true|north)|ndir.*east", line)]:
            said = f"its {' '.join(odd[0].split())[:60]!r} is not SWAN's"
            raise ContentError(f"{said}: NDIR is from north, CDIR from east")
        turned = r"^cdir.*cartesian|^ndir.*nautical|relative freq\w*|in rad\b|power"
        understood = rf"{turned}|{DENSITY_UNIT}|{ANGULAR}|^[\w/]+"
        return not_understood([(line.split()[0], line) for line in described], understood)

    def table(self, keyword: str, lines: Iterator[str]) -> Array:
        """Return the values of a location: a row for each frequency, with a column for each direction or quantity."""
        is_2d = self.coming_from is not None
        columns = self.names if self.coming_from is None else self.coming_from
        table = np.full((len(self.frequency), len(columns)), np.nan)
        if keyword == "ZERO":
            table[:, slice(None) if is_2d else self.column] = 0.0
        elif keyword != "NODATA":
            scale = number(next(lines)) if keyword == "FACTOR" else 1.0
            words: list[str] = []
            while len(words) < table.size:  # long rows take several lines
                words += next(lines).split()
            read = numbers(words).reshape(table.shape)
            table = np.where(read == self.absent, np.nan, scale * read)
        return table

    def station(self, number_of_place: int) -> tuple[str, tuple[float, float]]:
        """Return the name of a place, and its latitude and longitude."""
        x, y, *name = self.places[number_of_place]
        if self.is_lonlat:
            return name[0].strip("' ") if name else "", (number(y), number(x))
        return name[0].strip("' ") if name else f"x={number(x):g},y={number(y):g}", (np.nan, np.nan)


def _swan_time(line: str, timing: str, code: int) -> str:
    if timing == "ITER":
        return f"iteration {re.sub(r'[^0-9]', '', line)}"
    text = re.sub(r"[ .']+", " ", line).strip() if code != 1 else line.split()[0][:15]
    text = " ".join(text.split()[: 2 if code in (2, 3, 5) else 1])
    form = SWAN_TIMES[code - 1].replace("%y", "%Y" if re.search(r"\d{4}[-/ ]|[-/]\d{4}", text) else "%y")
    return datetime.strptime(text, form).isoformat(timespec="seconds")


def _swan_spread(names: Sequence[str], units: Sequence[str], table: Array) -> Array | None:
    parts = zip(map(str.upper, names), table.T, units, strict=True)
    columns = {name: in_degrees(values, unit) if name in SWAN_MEANS[:4] else values for name, values, unit in parts}
    if "DSPRP" in columns:  # power of a cosine, in SWAN's relation to the width
        columns["DSPR"] = np.degrees(1 / np.sqrt(columns["DSPRP"] + 2))
    width = columns.get("DSPRDEGR", columns.get("DSPR"))
    coming_from = 270 - columns["CDIR"] if "CDIR" in columns else columns.get("NDIR")
    return None if width is None or coming_from is None else spread_of_cone(coming_from, width)


# -- WAVEWATCH III -----------------------------------------------------------------------------------------------------


WW3_NAME = r"'(?:[^'\n]|'(?=\w))*'"  # of a point; an apostrophe before a letter belongs to it


def ww3_station(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a WAVEWATCH III text file (from its program ww3_outp, type 1): for each time, all points.
    Directions are where waves go [rad, clockwise from north]; densities are per radian."""
    text = re.sub(rf"({WW3_NAME} *-?\d+\.\d+)-", r"\1 -", text)  # its format leaves no blank before -100 degrees
    words = iter(re.findall(rf"{WW3_NAME}|[^\s']+", text))
    for word in words:
        if "SPECTRA" in word:  # files may be joined
            frequencies, directions, points = (int(next(words)) for _ in range(3))
            next(words)
            frequency = numbers(islice(words, frequencies))
            coming_from = np.degrees(numbers(islice(words, directions))) + 180
            continue
        if not re.fullmatch(r"\d{8}", word):
            raise ContentError(f"{word[:40]!r} is not a date such as 20240115")
        time = datetime.strptime(word + next(words).zfill(6), "%Y%m%d%H%M%S").isoformat(timespec="seconds")
        for _ in range(points):
            name = next(words).strip("' ")
            latitude, longitude, *_ = (number(next(words)) for _ in range(7))  # depth, wind and current follow
            density = numbers(islice(words, frequencies * directions)).reshape(directions, frequencies).T * np.pi / 180
            yield RawSpectrum(frequency, density, coming_from, time=time, station=name, place=(latitude, longitude))


# -- AWAC --------------------------------------------------------------------------------------------------------------

AWAC_FOURIER = "$PNORFA1", "$PNORFB1", "$PNORFA2", "$PNORFB2"
AGREED = 0.1  # largest relative difference between a stated height and that of the densities in the right unit


def awac(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra in sentences of a Nortek AWAC: densities ($PNORE), Fourier coefficients ($PNORF) or directions
    and widths ($PNORWD), and statistics ($PNORW). Densities are in m²/Hz or, by other firmware, in cm²/Hz: the stated
    height tells which. Spectra whose height is missing or fits neither unit are refused."""
    moments: dict[str, dict[str, list[str]]] = {}
    for line in text.splitlines():
        name, *words = line[line.find("$") :].split("*")[0].split(",")  # loggers write a time before it
        if name in ("$PNORE", "$PNORW", "$PNORF", "$PNORWD"):
            kind = words.pop(0) if name in ("$PNORF", "$PNORWD") else ""
            moments.setdefault(words[0] + words[1][:6], {})[name + kind] = words
    for date, parts in moments.items():
        if "$PNORE" not in parts:
            continue
        time = datetime.strptime(date, "%m%d%y%H%M%S").isoformat(timespec="seconds")
        frequency, density = _awac_bins(parts["$PNORE"])
        if len(frequency) < int(parts["$PNORE"][5]):
            yield RawSpectrum(np.zeros(0), np.zeros((0, 1)), time=time)
            continue
        spread: Array | Callable[[], Array] | None = None
        if len(fourier := [parts[name] for name in AWAC_FOURIER if name in parts]) == 4:
            a1, b1, a2, b2 = (at_bins(frequency, *_awac_bins(words)) for words in fourier)
            spread = partial(spread_of_coefficients, a1 + 1j * b1, a2 + 1j * b2)
        elif len(cone := [parts[name] for name in ("$PNORWDMD", "$PNORWDDS") if name in parts]) == 2:
            spread = spread_of_cone(*(at_bins(frequency, *_awac_bins(words)) for words in cone))
        height, period, direction = unmarked([*parts.get("$PNORW", [])[:14], *[""] * 14][:14], "awac")[[4, 9, 13]]
        agreed = AGREED if np.isfinite(density).all() else 0.9  # spectra without densities are refused later
        own = 4 * np.sqrt(np.nansum(density) * (frequency[1] - frequency[0]))
        unit = next((unit for unit in (1.0, 1e-4) if abs(own * unit**0.5 - height) <= agreed * height), 0.0)
        what = "is missing" if np.isnan(height) else f"is {height:g} m"
        heights = f"in m²/Hz its densities give {own:.3g} m, in cm²/Hz {own / 100:.3g} m"
        refusal = f"at {time} the height, which tells the unit of the densities, {what}; {heights}" if not unit else ""
        stated = {"height": height, "peak_period": period, "direction": direction}
        yield RawSpectrum(frequency, unit * density[:, None], None, spread, time, stated=stated, refusal=refusal)


def _awac_bins(words: Sequence[str]) -> tuple[Array, Array]:
    """Return the frequencies and the values of a sentence; an incomplete one has fewer."""
    values = unmarked(words[6 : 6 + int(words[5])], "awac")
    return number(words[3]) + number(words[4]) * np.arange(len(values), dtype=np.float64), values


# -- Spotter -----------------------------------------------------------------------------------------------------------


SPOTTER_KEYS = "frequency|df|[ab][12]|varianceDensity|direction(alSpread)?|timestamp|l(at|ong)itude|processing_source"
SPOTTER_COLUMNS = "Battery|Power|Partition|Solar|Humidity|Wind|Surface|Peak|Mean|Signif|Latitude|Longitude|Epoch Time$"
"""Regular expressions for a Spotter's keys of a spectrum, and for its columns that are not those of a bin."""


def spotter(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a Sofar Spotter buoy, from the JSON of Sofar's API or the CSV of its memory card. Entries
    without a spectrum are left out."""
    entries = _spotter_json(json.loads(text)) if text.lstrip().startswith("{") else _spotter_csv(text)
    for entry in entries:
        time = moment(entry["timestamp"])
        frequency = numbers(entry["frequency"])
        density = numbers(entry["varianceDensity"])
        used = np.isfinite(frequency)
        if entry.get("is_short") and np.isnan(density[used]).any():
            used[:] = False
        elif np.isnan(density[used]).all():
            continue
        spread, cone = None, ("direction", "directionalSpread")
        if all(map(entry.get, cone)):
            spread = spread_of_cone(*(numbers(entry[name])[used] for name in cone))
        elif all(map(entry.get, ("a1", "b1"))):  # where waves go, counter-clockwise from the east
            first = numbers(entry["a1"])[used] + 1j * numbers(entry["b1"])[used]
            first[first == 0] = np.nan
            width = np.degrees(np.sqrt(2 * np.maximum(1 - np.abs(first), 0)))
            spread = spread_of_cone(270 - np.degrees(np.angle(first)), width)
        names = {"height": "significantWaveHeight", "peak_period": "peakPeriod", "direction": "meanDirection"}
        yield RawSpectrum(
            frequency[used],
            density[used, None],
            None,
            spread,
            time,
            str(entry.get("spotterId", "")),
            (number(entry.get("latitude")), number(entry.get("longitude"))),
            {name: number(entry.get(key)) for name, key in names.items()},
            remark=not_understood(entry.get("comments", ())),
            is_directed=bool(entry.get("direction")),
        )


def _spotter_json(document: Any) -> Iterator[Mapping[str, Any]]:
    """Yield each spectrum with the statistics of its time."""
    data = document.get("data", document)
    for part in data if isinstance(data, list) else [data]:
        waves, spectra = part.get("waves") or [], [one or {} for one in part["frequencyData"] or []]
        if len(waves) == len(spectra):  # older files have the time beside the spectrum
            spectra = [{"timestamp": wave.get("timestamp")} | one for wave, one in zip(waves, spectra, strict=True)]
        spectra = [one for one in spectra if one.get("varianceDensity")]
        times, named = [*map(_own_time, spectra)], [wave for wave in waves if "timestamp" in wave]
        by_time = dict(zip(map(_own_time, named), named, strict=True))
        if len(times) == len(by_time) and not by_time.keys() & {*times}:  # else they may be up to an hour apart
            pairs = [*zip(sorted(times), sorted(by_time), strict=True)]
            by_time = {one: by_time[other] for one, other in pairs if abs((other[0] - one[0]).total_seconds()) <= 3600}
        for one, time in zip(spectra, times, strict=True):
            said = [("", f"{key}: {value}") for key, value in one.items() if not re.fullmatch(SPOTTER_KEYS, key)]
            beside = [f"{key}: {value}" for key, value in part.items() if not isinstance(value, list)]
            said += comments_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one) for one in beside)
            yield {"spotterId": part.get("spotterId", ""), "comments": said} | by_time.get(time, {}) | one


def _spotter_csv(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield each row, with lists as in JSON. Columns are separated by commas, or by semicolons or tabs if commas are
    decimal."""
    delimiter = max(",;\t", key=text.lstrip().split("\n")[0].count)
    for padded in csv.DictReader(StringIO(text.lstrip()), delimiter=delimiter):
        row = {name.strip(): (value or "").replace(",", ".") for name, value in padded.items() if name}
        lists, stated = dict[str, list[str]](), {}
        for name, value in row.items():
            if numbered := re.fullmatch(r"(\w+?)_\d+", name):
                lists.setdefault(numbered[1], []).append(value)
            words = name.partition(" (")[0].replace(" ", "")
            stated[words[:1].lower() + words[1:]] = value  # as in JSON
        lists["frequency"] = lists.pop("f")
        if np.isfinite(number(row["Epoch Time"])):  # else a repeated header, or a blank row
            others = comments_of(name for name in row if not re.match(rf"\w+_\d+$|{SPOTTER_COLUMNS}", name))
            read = {"timestamp": row["Epoch Time"], "is_short": None in padded.values(), "comments": others}
            yield stated | lists | read


def _own_time(part: Mapping[str, Any]) -> tuple[datetime, str]:
    """Return the time of a spectrum or of statistics, and the buoy's program that computed them."""
    return datetime.fromisoformat(moment(part["timestamp"])), str(part.get("processing_source", ""))


# -- Obscape -----------------------------------------------------------------------------------------------------------


def obscape(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectrum of an Obscape buoy. Lines that begin with `#` give the frequencies, the directions that waves
    come from (as `0,3,6,... 357`), and the unit of the densities."""
    head, rows = ([line for line in text.splitlines() if line.startswith("#") == flag] for flag in (True, False))
    said = {name.strip(" #"): value.strip() for name, _, value in (line.partition("=") for line in head)}
    frequency = numbers(said["Rows [Hz]"].split(","))
    first, second, *_, last = numbers(re.findall(r"[-\d.]*\d", said["Columns [deg]"]))
    turn = number(next((value for name, value in said.items() if "declination" in name), ""))
    coming_from = np.arange(first, last + 0.5 * (second - first), second - first)
    coming_from = to_true_north(coming_from, [said.get("Directions", "")], turn, "Directions")
    units = next((name.partition("[")[2].rstrip("]") for name in said if name.startswith("Variance")), "")
    density = np.array([numbers(row.split(",")) for row in rows if row.strip()])
    density *= density_factor(units, "Variance-density", True, False, "radian")
    time = datetime.fromtimestamp(number(said["Timestamp"]), UTC).isoformat()[:19]
    place = number(said.get("Latitude [deg]")), number(said.get("Longitude [deg]"))
    yield RawSpectrum(frequency, density, coming_from, time=time, station=said.get("Station name", ""), place=place)


# -- TRIAXYS -----------------------------------------------------------------------------------------------------------

TRIAXYS_HEAD = r"number of [\w ]+=.*|(initial|resolvable) frequency( range)? \(hz\) *=.*|(frequency|direction) spacing "
TRIAXYS_HEAD += r"\((hz|deg)\) *=.*|type *= *(non-|mean )?directional|rows *= *frequenc\w+,? *columns *= *direction\w*|"
TRIAXYS_HEAD += r"column \d *=|coordinates = (true|magnetic).*|date *=[^(]*(\((utc|gmt)\)|$)"
TRIAXYS_PLACE = r"REPORT - (\S+).* (\d+)(\d\d\.\d+)([NS]) ?(\d+)(\d\d\.\d+)([EW])"  # degrees and minutes
"""Regular expressions for lines of a header, and for the name and place in its first line."""


def triaxys(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectrum of a TRIAXYS report: densities per degree over directions that waves come from, or densities
    over frequency, alone or with mean directions and widths."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heads = [line for line in lines if re.match("[A-Z]", line)]
    said = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in heads)}
    kinds = [line.partition("=")[2].strip() for line in heads if line.startswith("TYPE")]
    if len(kinds) != 1 or not re.search("SPECTRUM|MEAN DIR", kinds[0]):
        raise ContentError(f"its TYPE is {' and '.join(kinds)[:60]}, not a single spectrum")
    to_true_north(RAW_DIRECTIONS, [line for line in heads if line.startswith("COORDINATES")], np.nan, "it")
    values = np.stack([numbers(re.split(r"[\s,]+", line)) for line in lines if re.match(r"[-+.\d]", line)])
    if len(values) != (count := number(said["NUMBER OF FREQUENCIES"])):
        raise ContentError(f"it has {len(values)} rows for {count:g} frequencies")
    frequency, density = values[:, 0], values[:, 1:2]
    coming_from: Array | None = None
    if kinds[0].startswith("DIRECTIONAL"):
        first, step = (number(said[f"{name} (Hz)"]) for name in ("INITIAL FREQUENCY", "FREQUENCY SPACING"))
        frequency, density = np.linspace(first, first + step * (len(values) - 1), len(values)), values
        last = number(said["DIRECTION SPACING (DEG)"]) * (values.shape[1] - 1)
        coming_from = np.linspace(0.0, last, values.shape[1])
    spread = spread_of_cone(*values.T[2:]) if coming_from is None and values.shape[1] == 4 else None
    date = said["DATE"].partition("(")[0].strip()
    time = datetime.strptime(date, "%Y-%m-%d %H:%M" if "-" in date else "%Y %b %d %H:%M").isoformat(timespec="minutes")
    place, station = (np.nan, np.nan), ""
    if found := re.search(TRIAXYS_PLACE, lines[0]):
        parts = (found[2], found[3], found[4]), (found[5], found[6], found[7])
        latitude, longitude = ((int(d) + float(m) / 60) * (-1 if side in "SW" else 1) for d, m, side in parts)
        place, station = (latitude, longitude), found[1]
    remark = not_understood([*comments_of(heads), ("", f"DATE = {said['DATE']}")], TRIAXYS_HEAD)
    yield RawSpectrum(frequency, density, coming_from, spread, time, station, place, remark=remark)


# -- NDBC --------------------------------------------------------------------------------------------------------------

ROLES = {
    "density": r"\.data_spec|\dw\d{4}\w*\.",
    "alpha1": r"\.swdir\b|\dd\d{4}\w*\.",
    "alpha2": r"\.swdir2|\di\d{4}\w*\.",
    "r1": r"\.swr1|\dj\d{4}\w*\.",
    "r2": r"\.swr2|\dk\d{4}\w*\.",
}
"""Contents of a buoy's files in their order, and the parts of file names that identify them."""
HEADER = r"#?YY\S*\s+MM\b"
NDBC_HEAD = r"\b(#?y+|mm|dd|hh|yr|mo|dy|hr|mn|sep freq|(spec|alpha[12]|r[12]|freq) \d+)\b|(?<!\S)\d*\.\d+"
"""Regular expressions for the header of a buoy's file, and for the words of such headers."""
MOST_MEDIAN = 5.0  # m²/Hz, largest median over a buoy's bins: ten times that of a storm


def directional_files(name: str) -> list[str]:
    """Return the names of the four direction files that belong to an NDBC density file; none for other files."""
    parts = re.fullmatch(r"(.+)(\.data_spec|(?<=\d)w(?=\d{4}\w*\.))(.*)", name)
    kinds = (".swdir", ".swdir2", ".swr1", ".swr2") if parts and parts[2] != "w" else "dijk"
    return [f"{parts[1]}{kind}{parts[3]}" for kind in kinds] if parts else []


def ndbc_ascii(texts: Sequence[str], names: Sequence[str]) -> Iterator[RawSpectrum]:
    """Yield the spectra of an NDBC buoy, from the density file alone or with those of alpha1, alpha2, r1 and r2."""
    order = f"a buoy has one file, or five in this order: {', '.join(ROLES)}"
    if len(texts) not in (1, 5):
        raise ContentError(order)
    for text, name, wanted in zip(texts, names, ROLES, strict=False):
        head = next((line for line in text.splitlines() if re.match(HEADER, line)), "")
        found = [role for role, pattern in ROLES.items() if re.match(rf"\w*({pattern})", name)]
        role = (found or re.findall(r"\b(alpha1|alpha2|r1|r2)_1\b", head) or [wanted])[0]
        if role != wanted:
            raise ContentError(f"{name[:40]!r} has {role} instead of {wanted}; {order}")
    heads = [line for text in texts for line in text.splitlines() if re.match(f"#|{HEADER}", line)]
    remark = not_understood((("", line) for line in heads), NDBC_HEAD)
    tables = [dict(reversed([*_ndbc_rows(text)])) for text in texts]  # the first of equal times counts
    stations = [(re.match(r"(?=\w*\d)[A-Za-z0-9]{5}(?=[._a-z])", name) or [""])[0] for name in names]
    if len({*stations} - {""}) > 1:
        raise ContentError(f"its files are from several stations: {', '.join(stations)}")
    for time, (frequency, density) in tables[0].items():
        spread = None
        if len(tables) > 1:
            rows = (table.get(time, (np.zeros(0), np.zeros(0))) for table in tables[1:])
            spread = partial(spread_of_buoy, *(at_bins(frequency, *row) for row in rows))
        density = unmarked(density, "density")
        known = density[np.isfinite(density)]
        if len(known) or not len(density):
            half = np.median(known) if len(known) >= 10 else 0.0
            refusal = f"half of its values are above {half:.3g}, like directions or r1" if half >= MOST_MEDIAN else ""
            own = frequency, density[:, None], None, spread, time, stations[0]
            yield RawSpectrum(*own, remark=remark, refusal=refusal)


def _ndbc_rows(text: str) -> Iterator[tuple[str, tuple[Array, Array]]]:
    """Yield the time, frequencies and values of each row; an incomplete row has no frequencies and values. Concatenated
    files have headers in the middle, and may have other frequencies from there on. Before 1999, years have two
    digits."""
    bins, parts, latest = np.zeros(0), 4, 0
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        words = line.split()
        if re.match(HEADER, line):
            parts = 5 if len(words) > 4 and words[4] == "mm" else 4
            bins = numbers(words[parts:]) if "(" not in line else np.zeros(0)
            if np.isnan(bins).any():
                raise ContentError(f"its columns {' '.join(words[parts:])[:60]} are not frequencies")
        elif len(words) >= parts and not line.startswith("#"):
            year, month, day, hour, minute = [*(int(word) for word in words[:parts]), 0][:5]
            year += 1900 if 50 <= year < 100 else 2000 if year < 50 else 0
            time = datetime(year, month, day, hour, minute).isoformat(timespec="minutes")
            pairs = re.findall(r"(\S+)\s+\(\s*([^)\s]+)\s*\)", line)
            values = numbers([value for value, _ in pairs] if pairs else words[parts:])
            own = numbers(each for _, each in pairs) if pairs else bins
            is_cut = len(values) != len(own) or (pairs and line.rstrip()[-1] != ")")
            is_cut = is_cut or (pairs and len(own) < latest and line is lines[-1])
            latest = len(own)
            yield time, (own[:0], values[:0]) if is_cut else (own, values)


READERS = awac, ndbc_ascii, obscape, spotter, swan, table, triaxys, ww3_station
TEXTS: dict[str, Callable[..., Iterator[RawSpectrum]]] = {reader.__name__: reader for reader in READERS}
"""Readers by format; NDBC's takes the texts and the names of all files."""
