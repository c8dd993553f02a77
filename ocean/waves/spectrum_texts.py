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
from itertools import compress, islice
from typing import Any

import numpy as np

from ocean.common.errors import clipped, plain
from ocean.waves.dispersion import Array
from ocean.waves.spectrum_raw import (
    ANGULAR,
    DENSITY_UNIT,
    SCALES,
    ContentError,
    RawSpectrum,
    at_bins,
    comments_of,
    density_factor,
    in_degrees,
    is_angular,
    not_understood,
    number,
    numbers,
    refuse_others,
    spread_of_buoy,
    spread_of_coefficients,
    spread_of_cone,
    to_true_north,
    units_beside,
    unmarked,
)

# -- SWAN --------------------------------------------------------------------------------------------------------------

SWAN_TIMES = "%Y%m%d.%H%M%S", "%d-%b-%y %H:%M:%S", "%m/%d/%y %H:%M:%S", "%H:%M:%S", "%y/%m/%d %H:%M:%S", "%y%m%d%H%M"
"""Time formats, in the order of SWAN's codes from 1; years may also have four digits."""


def swan(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a SWAN file (user manual, appendix D), with or without directions, of all times or
    iterations and of all locations. The header names the units."""
    lines = iter([line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("$")])
    next(lines)
    timing, code, heads = "", 1, dict[str, tuple[str, list[str]]]()
    while "QUANT" not in heads:
        line = next(lines)
        keyword, count = line.split()[0].upper(), int(next(lines).split()[0])
        if keyword in ("TIME", "ITER"):
            timing, code = keyword, count
        else:
            heads[keyword] = line, list(islice(lines, count * (3 if keyword == "QUANT" else 1)))
    is_lonlat = "LONLAT" in heads
    places = [line.split(maxsplit=2) for line in heads["LONLAT" if is_lonlat else "LOCATIONS"][1]]
    said, rows = heads["AFREQ" if "AFREQ" in heads else "RFREQ"]
    angular = bool(re.search(r"\brad", said.lower()))
    frequency = numbers(rows) / (2 * np.pi if angular else 1)
    names, marks = ([line.split()[0] for line in heads["QUANT"][1][start::3]] for start in (0, 2))
    units = [re.split(r"\s{2,}|\s+unit", line.strip())[0] for line in heads["QUANT"][1][1::3]]
    column = next((i for i, name in enumerate(names) if name.upper() in ("VADENS", "ENDENS")), None)
    if column is None:
        raise ContentError(f"its quantities {', '.join(names)[:80]} include no density, VaDens or EnDens")
    coming_from = None
    if directions := {"NDIR", "CDIR"} & {*heads}:
        said, rows = heads[min(directions)]
        degrees = numbers(rows) * (180 / np.pi if re.search(r"\brad", said.lower()) else 1)
        # CDIR: where waves go, counter-clockwise from the east
        coming_from = 270 - degrees if "CDIR" in directions else degrees
    factor = density_factor(units[column], names[column], coming_from is not None, angular, joules=True)

    described = [heads[name][0] for name in ("AFREQ", "RFREQ", "NDIR", "CDIR") if name in heads]
    described += [line for start in (0, 1) for line in heads["QUANT"][1][start::3]]
    pairs = map(" ".join, zip(heads["QUANT"][1][::3], heads["QUANT"][1][1::3], strict=True))
    if odd := [line for line in [*described, *pairs] if re.match(r"(?i)cdir.*(true|north)|ndir.*east", line)]:
        raise ContentError(f"its {' '.join(odd[0].split())[:60]!r} is not SWAN's: NDIR is from north, CDIR from east")
    turned = r"^cdir.*cartesian|^ndir.*nautical|relative freq\w*"
    remark = not_understood([(line.split()[0], line) for line in described], rf"{turned}|^[\w/]+")
    absent = numbers(marks if coming_from is None else marks[column : column + 1])
    absent[absent == 0] = np.nan  # test points mark nothing by it
    wanted, quantities = (0, 1) if coming_from is None else (column, len(names))  # test points have a table for each
    time, count, zone = "", 0, ""
    for line in lines:
        keyword = line.split()[0].upper()
        if keyword == "SWAN":
            raise ContentError("it holds two SWAN files; split it at the second line SWAN")
        if keyword not in ("FACTOR", "LOCATION", "ZERO", "NODATA"):
            time, count = _swan_time(line, timing, code), 0
            beside = line.split()[1:] if (timing, code) == ("TIME", 1) else []
            zone = not_understood([("", " ".join(beside))])
            continue
        table = np.full((len(frequency), len(names if coming_from is None else coming_from)), np.nan)
        if keyword == "ZERO":
            table[:, column if coming_from is None else slice(None)] = 0.0
        elif keyword != "NODATA":
            scale = number(next(lines)) if keyword == "FACTOR" else 1.0
            words: list[str] = []
            while len(words) < table.size:  # long rows take several lines
                words += next(lines).split()
            read = numbers(words).reshape(table.shape)
            table = np.where(read == absent, np.nan, scale * read)
        (station, quantity), count = divmod(count, quantities), count + 1
        if quantity != wanted:
            continue
        x, y, *name = places[station]
        yield RawSpectrum(
            frequency,
            factor * (table[:, [column]] if coming_from is None else table),
            coming_from,
            _swan_spread(names, units, table) if coming_from is None else None,
            time,
            name[0].strip("' ") if name else "" if is_lonlat else f"x={number(x):g},y={number(y):g}",
            (number(y), number(x)) if is_lonlat else (np.nan, np.nan),
            is_directed=bool({"NDIR", "CDIR"} & {*map(str.upper, names)}),
            remark=f"{remark} {zone}".strip(),
        )


def _swan_time(line: str, timing: str, code: int) -> str:
    if timing == "ITER":
        return f"iteration {re.sub(r'[^0-9]', '', line)}"
    text = re.sub(r"[ .']+", " ", line).strip() if code != 1 else line.split()[0][:15]
    text = " ".join(text.split()[: 2 if code in (2, 3, 5) else 1])
    form = SWAN_TIMES[code - 1].replace("%y", "%Y" if re.search(r"\d{4}[-/ ]|[-/]\d{4}", text) else "%y")
    return datetime.strptime(text, form).isoformat(timespec="seconds")


def _swan_spread(names: Sequence[str], units: Sequence[str], table: Array) -> Array | None:
    parts = zip(map(str.upper, names), table.T, units, strict=True)
    angles = "NDIR", "CDIR", "DSPR", "DSPRDEGR"
    columns = {name: in_degrees(values, unit) if name in angles else values for name, values, unit in parts}
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
    next(words)
    frequencies, directions, points = (int(next(words)) for _ in range(3))
    next(words)
    frequency = numbers(islice(words, frequencies))
    coming_from = np.degrees(numbers(islice(words, directions))) + 180
    for date in words:
        if not re.fullmatch(r"\d{8}", date):
            raise ContentError(f"{date[:40]!r} is not a date such as 20240115")
        time = datetime.strptime(date + next(words).zfill(6), "%Y%m%d%H%M%S").isoformat(timespec="seconds")
        for _ in range(points):
            name = next(words).strip("' ")
            latitude, longitude, *_ = (number(next(words)) for _ in range(7))  # depth, wind and current follow
            values = numbers(islice(words, frequencies * directions))
            density = values.reshape(directions, frequencies).T * np.pi / 180
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
    for moment, parts in moments.items():
        if "$PNORE" not in parts:
            continue
        time = datetime.strptime(moment, "%m%d%y%H%M%S").isoformat(timespec="seconds")
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
        said = unmarked([*parts.get("$PNORW", [])[:14], *[""] * 14][:14], "awac")
        height, period, direction = said[4], said[9], said[13]
        own = 4 * np.sqrt(np.nansum(density) * (frequency[1] - frequency[0]))
        unit = next((unit for unit in (1.0, 1e-4) if abs(own * unit**0.5 - height) <= AGREED * height), 0.0)
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
        time = _moment(entry["timestamp"]).isoformat()[:19]
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
        refusal = f"{entry['timestamp']} is not a time in seconds or milliseconds since 1970" if time < "1980" else ""
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
            refusal=refusal,
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
    for padded in csv.DictReader(StringIO(text), delimiter=delimiter):
        row = {name.strip(): value or "" for name, value in padded.items() if name}
        if delimiter != ",":
            row = {name: value.replace(",", ".") for name, value in row.items()}
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
    return _moment(part["timestamp"]), str(part.get("processing_source", ""))


def _moment(said: Any) -> datetime:
    """Return a time given in ISO 8601 (UTC unless it has a zone), or in seconds or milliseconds since 1970."""
    if np.isfinite(seconds := number(said)):
        return datetime.fromtimestamp(seconds / (1000 if seconds > 1e11 else 1), UTC)
    moment = datetime.fromisoformat(said)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


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
    units = next((name.partition("[")[2].rstrip("]") for name in said if name.startswith("Variance")), "m2/Hz/rad")
    density = np.array([numbers(row.split(",")) for row in rows if row.strip()])
    density *= density_factor(units, "Variance-density", True, False)
    time = datetime.fromtimestamp(number(said["Timestamp"]), UTC).isoformat()[:19]
    place = number(said.get("Latitude [deg]")), number(said.get("Longitude [deg]"))
    yield RawSpectrum(frequency, density, coming_from, time=time, station=said.get("Station name", ""), place=place)


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
    stations = [(re.match(r"[A-Za-z0-9]{5}(?=[._a-z])", name) or [""])[0] for name in names]
    if len({*stations}) > 1:
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


# -- Tables of frequency and density -----------------------------------------------------------------------------------

COLUMNS = {
    "frequency": r"f|fr|fr[eé][cq]\w*\.?|hz|omega|ω|w",
    "density": r"s(f|zz|xx)?|ef?|psd|pxx|densi\w*|[eé]nerg\w*|efth|spe[ck]\w*|variance\w*|power\w*|dichte",
}
"""Names of the two columns, as people write them, also in German, French and Spanish."""
OTHERS = {"directions": r"dir\w*|dm\w*|mwd|theta\w*|alpha\w*", "other": r"t|tp|period\w*|k|hs"}
"""Names of other columns, which may make a comment a header."""
SKIPPED = r"^(year|month|day|hour|min(ute)?|sec|m[il]+isec|dof|hs|hm0|tp|tz|lat\w*|lon\w*|station|depth|df|dt|fs|n\w*|"
SKIPPED += r"id|version|wmo\w*|buoy|dir\w*|spread\w*|place|location|source|author|institution|project|date\W?time|"
SKIPPED += r"file|timestamp|swh|vhm0|h1/3|wave.height|significant.*|duration|water\w*|f ?(min|max|low|high)|buoy id|"
SKIPPED += r"date|time)( ?[:=].*|$)|^hz +width .* factor$|^(sampling|peak.*period|mean.*(period|direct)|"
SKIPPED += r"number of freq|frequency (resol|step|spac|range)).*"
WITH_UNITS = rf"{SKIPPED}|{DENSITY_UNIT}|{ANGULAR}"
"""Regular expressions for columns, and for comments, that do not affect the spectrum; also for units that were read."""
NO_HEIGHTS = r"(?i)(s(xx|yy)|[cq](xy|xz|yz)|[ab][12])"
"""Names of files that Spotter's program writes beside Szz.csv: other spectra, and coefficients."""
DESCRIBING = r"densi\w*|[eé]nerg\w*|de|puissance|e?spe[ck]\w*|spett\w*|variance|wave|power|in|f|fr|freq\w*|omega|ω|w"
"""Words of a header that are not its unit."""
STATED = {
    "height": r"hs(?:ig)?|h_?m_?[0o]|h1/3|swh|vhm0|wvht|wave[ _]?height",
    "peak_period": r"tp|dpd|peak[ _]?period",
}
"""Names of statistics that a table may state."""
COLUMN = r"[^\s(\[]+(?:\s*[(\[].*?[)\]]+(?=\s|$))*"
"""Regular expression for one header in a line of headers without separators: a word, and brackets."""
DATED = "(?i:dat(e|um)|time|year|zeit)"
"""Regular expression for the names of time columns."""
QUOTES = " #%\"'\t"
GAPS = "", ".", "nan", "mm", "null", "none", "na", "-"


def table(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectrum of a table with the columns frequency [Hz] and density [m²/Hz], as text or JSON, or
    all spectra of a table of one row per time. If the frequency's header says rad/s or omega, both are angular."""
    if by_time := [*_by_time(text)]:
        yield from by_time
        return
    head, rows, texts = (_json_table if text.lstrip()[:1] in ("{", "[") else _text_table)(text)
    if any(isinstance(one, list | dict) for row in rows for one in row):
        raise ContentError("it needs a single density for each frequency")
    values = np.array([numbers(row) for row in rows])
    if not head and len(values) == 2 < values[0].size and (np.diff(values[0]) > 0).all():
        values = values.T
    if values.ndim != 2 or values.shape[1] != (len(head) or 2):
        raise ContentError("it needs two columns, frequency [Hz] and density [m²/Hz], or names of its columns")
    names = [name.strip(QUOTES)[:40] for name in head]
    chosen = [i for kind in COLUMNS for i, name in enumerate(head) if _kind(name) == kind]
    if len(head) > 2 and np.isfinite(numbers(names[1:])).all():
        raise ContentError("it needs a single density for each frequency; for densities by direction, use NetCDF")
    if head and [_kind(head[i]) for i in chosen] != [*COLUMNS]:
        raise ContentError(f"its columns {clipped(', '.join(names), 80)!r} are not frequency and density")
    others, head = [name for i, name in enumerate(names) if i not in chosen], [names[i] for i in chosen]
    values = values[:, chosen or [0, 1]]
    if others and len(np.unique(values[:, 0])) < len(values):
        raise ContentError("it needs a single density for each frequency")
    factors, told = (1.0, 1.0), ["", ""] if head and all(map(_unit, head)) else units_beside(texts)
    is_unnamed = not re.search(r"(?<![a-z/\d])(?<!per )(?<!\d )(hz|hertz|rad\w*)\b", f"{head[:1]} {texts}".lower())
    if head or any(told):
        head = head or [*COLUMNS]
        if "variance" in map(str.lower, head) and not told[1]:
            raise ContentError("its column 'variance' may be per bin or a density; name its unit, such as m2/Hz")
        units = [_unit(name) or unit for name, unit in zip(head, told, strict=True)]
        named = {"angular", "omega", "ω", "w"} & {*re.findall(r"[a-zω]+", head[0].lower())}
        angular = is_angular(units[0], repr(head[0]), bool(named))
        if "rad" in units[1] and not (units[0] or named):
            raise ContentError(f"its frequency {head[0]!r} does not say whether it is in Hz or in rad/s")
        over = re.search(r"\(f\)|(omega|ω|angular)", head[1].lower())
        if over and bool(over[1]) != angular and not re.search("hz|rad", units[1]):
            raise ContentError(f"its {head[0]!r} and {head[1]!r} are over Hz and rad/s; name the density's unit")
        is_unnamed = is_unnamed and not (named or units[0])
        factors = 1 / (2 * np.pi) if angular else 1.0, density_factor(units[1], head[1], False, angular)
    refuse_others(text)
    understood = SKIPPED if factors[0] == 1 else WITH_UNITS
    unnamed = "" if head or any(told) else "Its columns have no names, and are assumed to be in Hz and m²/Hz."
    unused = f"Its columns {clipped(', '.join(filter(None, others)), 80)} are not used." if any(others) else ""
    comments = comments_of(texts) if text.lstrip()[:1] not in ("{", "[") else [("", one) for one in texts]
    value = r'"?(?: *[(\[](\w+)[)\]])? *[:= ] *"?([\d.,]*\d) *(\w+)?'
    found = {key: re.search(rf"(?i)\b(?:{name}){value}", text) for key, name in STATED.items()}
    yield RawSpectrum(
        factors[0] * values[:, 0],
        factors[1] * values[:, 1:],
        station=clipped(plain("; ".join(one for one in texts if ("", one) not in comments)), 80),
        stated={
            key: number(one[2].replace(",", ".")) * SCALES.get((one[1] or one[3] or "").lower(), 1.0)
            for key, one in found.items()
            if one
        },
        remark=" ".join(filter(None, (unnamed, unused, not_understood(comments, understood)))),
        is_directed=re.search(r"(?i)\b(dir(ection)?s?|mwd|theta)\w*\"? *[:=]", text) is not None
        or "directions" in map(_kind, others),
        is_unnamed=is_unnamed,
    )


def _by_time(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of rows that begin with a time, below a header of frequencies [Hz], as in Spotter's Szz.csv."""
    lines = [line.strip("# ") for line in rows_of(text) if line.strip("# ")]
    start = next((i for i, line in enumerate(lines) if re.match(rf"\W*{DATED}|[;\t,]", line)), 0)
    beside, lines = lines[:start], lines[start:]
    lines = [line.replace(",", ".") if ";" in lines[0] else line for line in lines]
    head, *rows = [[cell.strip(QUOTES) for cell in _cells(line, ";\t,")] for line in lines]
    bins = numbers(head)
    first = int(np.isnan(bins).sum())
    if not head[0] and rows and np.isnan(number(rows[0][0])):  # as pandas writes an index
        head[0] = "time"
    if len(bins) < first + 3 or np.isnan(bins[first:]).any() or not re.match(DATED, head[0]):
        return
    refuse_others("\n".join(beside))
    told = units_beside(beside)
    is_named = any(told) or "milisec" in head  # a word of Spotter's program
    unnamed = "" if is_named else "Its columns have no units, and are assumed to be in Hz and m²/Hz."
    said = not_understood(
        [*comments_of(beside), *(("", name) for name in head[:first])], WITH_UNITS if told[0] else SKIPPED
    )
    factors = (1 / (2 * np.pi) if told[0] else 1.0), density_factor(told[1], "the table", False, bool(told[0]))
    for row in rows:
        if len(row) != len(bins):
            yield RawSpectrum(np.zeros(0), np.zeros((0, 1)), time=" ".join(row[:first]))
            continue
        if head[0].lower() == "year":
            year, month, day, hour, minute = (int(number(part)) for part in row[:5])
            time = datetime(year, month, day, hour, minute)
        else:
            stamp = " ".join(compress(row, (re.match(DATED, name) for name in head)))
            try:
                time = datetime.fromisoformat(stamp)
            except ValueError:
                raise ContentError(f"{stamp[:40]!r} is not a time such as 2024-01-15 12:00") from None
        yield RawSpectrum(
            factors[0] * bins[first:],
            factors[1] * numbers(row[first:])[:, None],
            time=(time.astimezone(UTC) if time.tzinfo else time).isoformat()[:16],
            station=clipped(plain("; ".join(one for one in beside if ("", one) not in comments_of(beside))), 80),
            remark=" ".join(filter(None, (unnamed, said))),
            is_unnamed=not told[0] and re.search(r"(?i)\bhz\b", " ".join(beside)) is None,
        )


def _unit(header: str) -> str:
    """Return the unit in a header: the rest after its first word and the words of DESCRIBING."""
    rest = header.lower().replace("_", " ").removeprefix("angular ").strip().removeprefix(_first_word(header))
    rest = re.sub(r"\b(m2(?= ?hz$)|rad(?= ?s$)) ?", r"\1/", rest)  # a name has no slash
    return re.sub(rf"\b({DESCRIBING})\b", "", re.sub(r"\bper\b", "/", rest)).strip(" /()[]\"'#")


def _cells(line: str, marks: str) -> list[str]:
    """Return the cells of a line, separated by the first of `marks` that it contains, or by blanks."""
    return [cell.strip() for cell in line.split(next((mark for mark in marks if mark in line), None))]


def rows_of(text: str) -> list[str]:
    """Return the lines of a table that contain more than separators. Numbers lose their quotation marks, within which
    commas are decimal."""
    lines = [line.strip() for line in text.split("\n") if line.strip(" ,;\t\r")]
    return [re.sub(r'"([-+.\d][-+.,\deE]*|)"', lambda quoted: quoted[1].replace(",", "."), line) for line in lines]


def _text_table(text: str) -> tuple[list[str], list[Any], list[str]]:
    """Return the headers (none, or one per column), the rows, and all other text. A second header line has units."""
    head, rows, beside = list[str](), list[list[float]](), list[str]()
    lines = rows_of(text)
    is_data = [bool(re.match(r"[-+.\d]", line)) for line in lines]
    decimal_comma = any(";" in line or re.search(r"\d,\d+\s+\d+,\d", line) for line in compress(lines, is_data))
    marks = ";" if decimal_comma else ",;"
    table = [_cells(line.partition("#")[0].strip(), marks) for line in lines]
    heads = [line for line, is_row in zip(lines, is_data, strict=True) if not is_row and line[0] not in "#%"]
    ends = [re.sub(r".*[^,;\s]|\s", "", line) for line in [*compress(lines, is_data), *heads[-1:]]]
    table = [cells[: len(cells) - len(min(ends, default=""))] for cells in table]  # separators that end every line
    width = len(next(compress(table, is_data), []))
    beside += {line.partition("#")[2].strip() for line in compress(lines, is_data)} - {""}
    for line, words, is_row in zip(lines, table, is_data, strict=True):
        is_comment = line[0] in "#%"
        found = [number(word.replace(",", ".") if decimal_comma else word) for word in words]
        gaps = [word.lower() for word, value in zip(words, found, strict=True) if np.isnan(value)]
        if is_row and len(words) != width:
            raise ContentError(f"{line[:40]!r} has {len(words)} columns, but the first row has {width}")
        if is_row and {*gaps} <= {*GAPS}:
            rows.append(found)
            continue
        if not is_comment and (rows or is_row):
            raise ContentError(f"{line[:40]!r} is not a row of numbers")
        said = line.strip("#% ").rstrip(",;\t")
        names = re.split(r"[,;\t]", said) if re.search(r"[,;\t]", said) else re.findall(COLUMN, said[:200])
        kinds = {_kind(name) for name in names}
        is_head = not rows and len(names) == max(width, 2)  # else a title, or a comment
        has_units = not is_comment or re.search(r"\b(rad|hz)\b", said.lower())
        if is_head and {*COLUMNS} <= {*map(_kind, head)} & kinds:
            head, beside = names, [*beside, ", ".join(head)]
        elif is_head and has_units and {*COLUMNS} <= {*map(_kind, head)}:
            head = [f"{one} {other}" for one, other in zip(head, names, strict=True)]
        elif is_head and (not is_comment or {*COLUMNS} <= kinds or (len(kinds) == 2 and "" not in kinds)):
            head = names
        else:
            beside.append(said)
    return head, rows, beside


def _json_table(text: str) -> tuple[list[str], list[Any], list[str]]:
    """Return the headers (none or two), the rows, and all other text. A text is a unit if its key is the name of a
    column, or contains *unit*."""
    document = json.loads(text)
    texts = [*_texts(document)]
    beside = [f"{key}: {said}" for key, said in texts]
    while isinstance(document, dict):
        groups = [value for value in document.values() if _listed(value)]
        keys = [one[0] if isinstance(one, list) and isinstance(one[0], dict) else one for one in groups]
        whole = [one for one, names in zip(groups, keys, strict=True) if {*COLUMNS} <= {*map(_kind, map(str, names))}]
        if len(groups := whole or groups) != 1:
            break
        document = groups[0]  # a spectrum beside its description
    if not isinstance(document, dict) and not (document and isinstance(document[0], dict)):
        names = [said for key, said in texts if re.match("col|field|head|name", key.lower()) and _kind(said)]
        if any("unit" in key.lower() for key, _ in texts):
            raise ContentError("it has units, but its lists have no names")
        rows = list(zip(*document, strict=True)) if len(document) == 2 < len(document[0]) else document
        return names if len(names) == 2 else [], rows, beside
    if isinstance(document, dict) and not np.isnan(numbers(document)).any():
        return [], [*document.items()], beside
    columns = document if isinstance(document, dict) else {key: [row[key] for row in document] for key in document[0]}
    columns = {key: _listed(value) for key, value in columns.items() if _listed(value)}
    chosen = [key for kind in COLUMNS for key in columns if _kind(key) == kind]
    if [_kind(key) for key in chosen] != [*COLUMNS]:
        raise ContentError(f"it needs two lists, frequency [Hz] and density [m²/Hz]; it has {', '.join(columns)[:80]}")
    head = dict(zip(COLUMNS, chosen, strict=True))
    for key, unit in [(key, unit) for key, said in texts for unit in re.split("[,;]", said)]:
        named = re.sub(r"units?|[_ ]", "", key.lower())
        kind = _kind(key) or (_kind(named) if named else "density" if re.search("m[2²^*]", unit) else "frequency")
        if (key in chosen or "unit" in key.lower()) and kind in COLUMNS:
            head[kind] += f" {unit}"
    if len({len(columns[key]) for key in chosen}) > 1:
        raise ContentError(f"its lists {' and '.join(chosen)[:80]} have different lengths")
    beside += [f"{key}: {len(columns[key])}" for key in columns if key not in chosen]  # lists that are not used
    return [*head.values()], list(zip(*(columns[key] for key in chosen), strict=True)), beside


def _listed(value: Any) -> list[Any]:
    """Return the values of a list, of an object's only list, or of a column with row numbers as keys; none of texts."""
    group = [*value.values()] if isinstance(value, dict) else [value]
    lists = [one for one in group if isinstance(one, list)]
    is_group = isinstance(value, dict) and (lists or not np.isnan(numbers(value)).any())
    found = lists[0] if len(lists) == 1 else group if is_group else []
    return [] if all(isinstance(one, str) and np.isnan(number(one)) for one in found) else found


def _texts(document: Any) -> Iterator[tuple[str, str]]:
    """Yield the keys and values, also of nested objects, as texts, but no numbers of lists."""
    for key, value in document.items() if isinstance(document, dict) else ():
        if isinstance(value, dict):
            yield from _texts(value)
        elif isinstance(value, list):
            yield from ((key, one) for one in value if isinstance(one, str) and np.isnan(number(one)))
        elif np.isnan(number(key)):
            yield key, str(value)


def _kind(name: str) -> str:
    """Return what a header names: frequency, density, another known column, or nothing."""
    kinds = COLUMNS | OTHERS
    return next((kind for kind in kinds if re.fullmatch(kinds[kind], _first_word(name))), "")


def _first_word(name: str) -> str:
    return re.split(r"[\s(\[_/]", re.sub(r"^((angular|wave|mean)[\s_]+)+", "", name.strip(QUOTES).lower()))[0]


READERS = awac, ndbc_ascii, obscape, spotter, swan, table, ww3_station
TEXTS: dict[str, Callable[..., Iterator[RawSpectrum]]] = {reader.__name__: reader for reader in READERS}
"""Readers by format; NDBC's takes the texts and the names of all files."""
