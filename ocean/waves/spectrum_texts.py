"""Spectra in the text formats of buoys and wave models, each read as its manual describes it.

Each reader takes the text of a file, NDBC's the texts of several, and yields all of its spectra in the order of the
file.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from itertools import islice
from typing import Any

import numpy as np

from ocean.waves.dispersion import Array
from ocean.waves.spectrum_raw import (
    AGREED,
    SWAN_ENERGY,
    ContentError,
    RawSpectrum,
    number,
    spread_of_buoy,
    spread_of_coefficients,
    spread_of_cone,
    unmarked,
)

# -- SWAN --------------------------------------------------------------------------------------------------------------

SWAN_TIMES = {
    1: "%Y%m%d.%H%M%S",
    2: "%d-%b-%Y %H:%M:%S",
    3: "%m/%d/%y %H:%M:%S",
    4: "%H:%M:%S",
    5: "%y/%m/%d %H:%M:%S",
    6: "%y%m%d%H%M",
}
"""Formats of times by SWAN's number for them."""


def swan(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a file of SWAN (user manual, appendix D), with or without directions; of several times or
    iterations, and of locations in the order of the file."""
    lines = iter([line for line in text.splitlines() if line.strip() and not line.startswith("$")])
    next(lines)
    timing, code, heads = "", 1, dict[str, list[str]]()
    for line in lines:
        keyword, count = line.split()[0].upper(), int(next(lines).split()[0])
        if keyword == "QUANT":
            heads[keyword] = list(islice(lines, 3 * count))
            break
        if keyword in ("TIME", "ITER"):
            timing, code = keyword, count
        else:
            heads[keyword] = list(islice(lines, count))
    places = [line.split(maxsplit=2) for line in heads.get("LONLAT") or heads["LOCATIONS"]]
    frequency = np.array([number(line) for line in heads.get("AFREQ") or heads["RFREQ"]])
    names, units, marks = (["".join(line.split()[:1]) for line in heads["QUANT"][start::3]] for start in range(3))
    column = next((i for i, name in enumerate(names) if name.upper() in ("VADENS", "ENDENS")), None)
    if column is None:
        raise ContentError(f"its quantities {', '.join(names)[:80]} lack a density, VaDens or EnDens")
    to_variance = 1 / SWAN_ENERGY if units[column].upper().startswith("J") else 1.0
    if "rad" in units[column].lower():
        to_variance *= np.pi / 180
    coming_from = None
    if "NDIR" in heads:
        coming_from = np.array([number(line) for line in heads["NDIR"]])
    elif "CDIR" in heads:
        coming_from = 270 - np.array([number(line) for line in heads["CDIR"]])

    time, station = "", 0
    for line in lines:
        keyword = line.split()[0].upper()
        if keyword not in ("FACTOR", "LOCATION", "ZERO", "NODATA"):
            time, station = _swan_time(line, timing, code), 0
            continue
        columns = len(names) if coming_from is None else len(coming_from)
        table = np.full((len(frequency), columns), 0.0 if keyword == "ZERO" else np.nan)
        if keyword in ("FACTOR", "LOCATION"):
            factor = number(next(lines)) if keyword == "FACTOR" else 1.0
            rows = [[number(word) for word in row.split()] for row in islice(lines, len(frequency))]
            table = np.array(rows).reshape(table.shape)
            missing = [number(mark) for mark in marks] if coming_from is None else number(marks[0])
            table = np.where(table == missing, np.nan, factor * table)
        x, y, *name = places[station]
        spectrum = RawSpectrum(
            frequency,
            to_variance * table if coming_from is not None else to_variance * table[:, [column]],
            coming_from,
            _swan_spread(names, table) if coming_from is None else None,
            time,
            name[0] if name else "",
            (number(y), number(x)) if "LONLAT" in heads else (math.nan, math.nan),
        )
        station += 1
        yield spectrum


def _swan_time(line: str, timing: str, code: int) -> str:
    if timing == "ITER":
        return f"iteration {re.sub(r'[^0-9]', '', line)}"
    text = " ".join(line.split()[: 2 if code in (2, 3, 5) else 1])[:20]
    return datetime.strptime(text[:15] if code == 1 else text, SWAN_TIMES[code]).isoformat(timespec="seconds")


def _swan_spread(names: Sequence[str], table: Array) -> Array | None:
    columns = dict(zip(map(str.upper, names), table.T, strict=True))
    width = columns.get("DSPRDEGR", columns.get("DSPR"))
    if width is None or not {"NDIR", "CDIR"} & set(columns):
        return None
    return spread_of_cone(columns["NDIR"] if "NDIR" in columns else 270 - columns["CDIR"], width)


# -- WAVEWATCH III -----------------------------------------------------------------------------------------------------


def ww3_station(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a text file of WAVEWATCH III (its program ww3_outp, type 1): of each time, all points.
    Directions are those towards which waves travel [rad, clockwise from north], densities are per radian."""
    text = re.sub(r"('[^'\n]*' *-?\d+\.\d+)-", r"\1 -", text)  # its format leaves no blank before -100 degrees
    words = iter(re.findall(r"'[^']*'|[^\s']+", text))
    next(words)
    frequencies, directions, points = (int(next(words)) for _ in range(3))
    next(words)
    frequency = np.array([number(next(words)) for _ in range(frequencies)])
    coming_from = np.degrees([number(next(words)) for _ in range(directions)]) + 180
    for date in words:
        time = datetime.strptime(date + next(words).zfill(6), "%Y%m%d%H%M%S").isoformat(timespec="seconds")
        for _ in range(points):
            name = next(words).strip("' ")
            latitude, longitude, *_ = (number(next(words)) for _ in range(7))  # depth, wind and current follow
            values = [number(word) for word in islice(words, frequencies * directions)]
            density = np.array(values).reshape(directions, frequencies).T * np.pi / 180
            yield RawSpectrum(frequency, density, coming_from, time=time, station=name, place=(latitude, longitude))


# -- AWAC --------------------------------------------------------------------------------------------------------------


def awac(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a file of sentences of Nortek's AWAC: densities ($PNORE), Fourier coefficients ($PNORF) and
    statistics ($PNORW). Firmwares write densities in m²/Hz or in cm²/Hz: the stated height tells which.
    Spectra are refused whose height is missing, or fits neither unit."""
    moments: dict[str, dict[str, list[str]]] = {}
    for line in text.splitlines():
        name, *words = line.split("*")[0].split(",")
        if name in ("$PNORE", "$PNORW", "$PNORF"):
            coefficient = words.pop(0) if name == "$PNORF" else ""
            moments.setdefault(words[0] + words[1][:6], {})[name + coefficient] = words
    for moment, parts in moments.items():
        if "$PNORE" not in parts:
            continue
        time = datetime.strptime(moment, "%m%d%y%H%M%S").isoformat(timespec="seconds")
        start, step, count = number(parts["$PNORE"][3]), number(parts["$PNORE"][4]), int(parts["$PNORE"][5])
        frequency = start + step * np.arange(count, dtype=np.float64)
        density = unmarked(parts["$PNORE"][6 : 6 + count], "awac")
        spread = None
        if all(f"$PNORF{name}" in parts for name in ("A1", "B1", "A2", "B2")):
            a1, b1, a2, b2 = (_awac_coefficient(parts[f"$PNORF{name}"], frequency) for name in ("A1", "B1", "A2", "B2"))
            angles = np.degrees(np.arctan2(b1, a1)), np.degrees(np.arctan2(b2, a2)) / 2
            spread = spread_of_coefficients(*angles, np.hypot(a1, b1), np.hypot(a2, b2))
        said = unmarked([*parts.get("$PNORW", [])[:14], *[""] * 14][:14], "awac")
        height, period, direction = said[4], said[9], said[13]
        own = 4 * np.sqrt(np.nansum(density) * step)
        unit = next((unit for unit in (1.0, 1e-4) if abs(own * unit**0.5 - height) <= AGREED * height), 0.0)
        refusal = ""
        if not unit:
            what = "lacks" if np.isnan(height) else f"has {height:g} m for"
            heights = f"in m²/Hz its densities give {own:.3g} m, in cm²/Hz {own / 100:.3g} m"
            refusal = f"at {time} it {what} the height that tells the unit of its densities; {heights}"
        stated = {"height": height, "peak_period": period, "direction": direction}
        yield RawSpectrum(frequency, unit * density[:, None], None, spread, time, stated=stated, refusal=refusal)


def _awac_coefficient(words: Sequence[str], frequency: Array) -> Array:
    """Return a coefficient at the frequencies of the densities; sentences of coefficients may have fewer."""
    own = number(words[3]) + number(words[4]) * np.arange(int(words[5]), dtype=np.float64)
    values = unmarked(words[6 : 6 + len(own)], "awac")
    nearest = np.abs(own - frequency[:, None]).argmin(axis=1)
    return np.where(np.abs(own[nearest] - frequency) < 1e-6, values[nearest], np.nan)


# -- Spotter -----------------------------------------------------------------------------------------------------------


def spotter(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of a Spotter buoy of Sofar, from JSON of its interface or from CSV of its card. Rows without a
    spectrum are left out."""
    yield from _spotter_json(json.loads(text)) if text.lstrip().startswith("{") else _spotter_csv(text)


def _spotter_json(document: Any) -> Iterator[RawSpectrum]:
    data = document.get("data", document)
    waves, spectra = data.get("waves", []), data["frequencyData"]
    by_time = {wave["timestamp"]: wave for wave in waves if "timestamp" in wave}
    if len(waves) == len(spectra):  # older files tell the time beside the spectrum
        spectra = [{"timestamp": wave.get("timestamp")} | one for wave, one in zip(waves, spectra, strict=True)]
    for spectrum in spectra:
        if "varianceDensity" in spectrum:
            moment = spectrum["timestamp"]
            wave = by_time.get(moment, {})
            stated = {name: number(wave.get(key)) for name, key in SPOTTER_STATED.items()}
            place = spectrum if "latitude" in spectrum else wave
            yield _spotter_spectrum(spectrum, moment[:19], str(data.get("spotterId", "")), stated, place)


def _spotter_csv(text: str) -> Iterator[RawSpectrum]:
    for padded in csv.DictReader(StringIO(text)):
        row = {name.strip(): value for name, value in padded.items() if name}
        parts: dict[str, list[float]] = {}
        for name, value in row.items():
            if numbered := re.fullmatch(r"(\w+?)_\d+", name):
                parts.setdefault(numbered[1], []).append(number(value))
        parts["frequency"] = parts.pop("f")
        used = np.flatnonzero(np.isfinite(parts["frequency"]) & np.isfinite(parts["varianceDensity"]))
        if len(used):
            spectrum = {name: [values[i] for i in used] for name, values in parts.items()}
            moment = datetime.fromtimestamp(number(row["Epoch Time"]), UTC).isoformat()[:19]
            stated = {name: number(row.get(column)) for name, column in SPOTTER_COLUMNS.items()}
            place = {"latitude": row.get("Latitude (deg)"), "longitude": row.get("Longitude (deg)")}
            yield _spotter_spectrum(spectrum, moment, "", stated, place)


SPOTTER_COLUMNS = {
    "height": "Significant Wave Height (m)",
    "peak_period": "Peak Period (s)",
    "direction": "Mean Direction (deg)",
}
SPOTTER_STATED = {"height": "significantWaveHeight", "peak_period": "peakPeriod", "direction": "meanDirection"}


def _spotter_spectrum(
    spectrum: Mapping[str, Any], time: str, station: str, stated: Mapping[str, float], place: Mapping[str, Any]
) -> RawSpectrum:
    frequency, density = (np.array(spectrum[name], np.float64) for name in ("frequency", "varianceDensity"))
    spread = None
    if {"direction", "directionalSpread"} <= set(spectrum):
        cone = (np.array([number(value) for value in spectrum[name]]) for name in ("direction", "directionalSpread"))
        spread = spread_of_cone(*cone)
    where = number(place.get("latitude")), number(place.get("longitude"))
    return RawSpectrum(frequency, density[:, None], None, spread, time, station, where, stated)


# -- NDBC --------------------------------------------------------------------------------------------------------------


ROLES = {
    "density": r"\.data_spec|\dw\d{4}\.",
    "alpha1": r"\.swdir\b|\dd\d{4}\.",
    "alpha2": r"\.swdir2|\di\d{4}\.",
    "r1": r"\.swr1|\dj\d{4}\.",
    "r2": r"\.swr2|\dk\d{4}\.",
}
"""Contents of a buoy's files in their order, and the parts of file names that tell them."""
HEADER = r"#?YY\S*\s+MM\b"


def ndbc_ascii(texts: Sequence[str], names: Sequence[str]) -> Iterator[RawSpectrum]:
    """Yield the spectra of a buoy of NDBC, from its file of densities, or from five: densities, alpha1, alpha2, r1, r2.

    Raises:
        ContentError: when there are neither one nor five files, or one has the place of another.
    """
    order = f"a buoy has one file, or five in this order: {', '.join(ROLES)}"
    if len(texts) not in (1, 5):
        raise ContentError(order)
    for text, name, wanted in zip(texts, names, ROLES, strict=False):
        head = next((line for line in text.splitlines() if re.match(HEADER, line)), "")
        found = [role for role, pattern in ROLES.items() if re.match(rf"\w*({pattern})", name)]
        role = (found or re.findall(r"\b(alpha1|alpha2|r1|r2)_1\b", head) or [wanted])[0]
        if role != wanted:
            raise ContentError(f"{name[:40]!r} has {role} in the place of {wanted}; {order}")
    tables = [dict(reversed([*_ndbc_rows(text)])) for text in texts]  # of equal times, the first counts
    station = (re.match(r"[A-Za-z0-9]{5}(?=[._a-z])", names[0]) or [""])[0]
    for time, (frequency, density) in tables[0].items():
        spread = None
        if len(tables) > 1:
            rows = [table.get(time) for table in tables[1:]]
            spread = spread_of_buoy(*(_ndbc_coefficients(row, frequency) for row in rows))
        yield RawSpectrum(frequency, unmarked(density, "density")[:, None], None, spread, time, station)


def _ndbc_coefficients(row: tuple[Array, Array] | None, frequency: Array) -> Array:
    """Return a coefficient of the bins of the densities, nan where it is missing."""
    if row is None:
        return np.full(len(frequency), np.nan)
    nearest = np.abs(row[0] - frequency[:, None]).argmin(axis=1)
    is_near = np.abs(row[0][nearest] - frequency) < np.abs(np.gradient(frequency)) / 2.001
    return np.where(is_near, row[1][nearest], np.nan)


def _ndbc_rows(text: str) -> Iterator[tuple[str, tuple[Array, Array]]]:
    """Yield the time of each row of a file, its frequencies and its values. A file that was put together may have
    headers in the middle, and other frequencies from there on. Files of before 1999 have two digits of the year."""
    frequency, parts = np.zeros(0), 4
    for line in text.splitlines():
        words = line.split()
        if re.match(HEADER, line):
            parts = 5 if len(words) > 4 and words[4] == "mm" else 4
            frequency = np.array([number(word) for word in words[parts:]]) if "(" not in line else np.zeros(0)
        elif len(words) > parts and not line.startswith("#"):
            year, month, day, hour, minute = [*(int(word) for word in words[:parts]), 0][:5]
            year += 1900 if 50 <= year < 100 else 2000 if year < 50 else 0
            pairs = re.findall(r"(\S+)\s+\(\s*([^)\s]+)\s*\)", line)
            values = np.array([number(value) for value, _ in pairs] if pairs else list(map(number, words[parts:])))
            own = np.array([number(each) for _, each in pairs]) if pairs else frequency
            time = datetime(year, month, day, hour, minute).isoformat(timespec="minutes")
            if len(values) != len(own):
                raise ContentError(f"at {time} it has {len(values)} values for {len(own)} frequencies")
            yield time, (own, values)


# -- Tables of frequency and density -----------------------------------------------------------------------------------

COLUMNS = {
    "frequency": r"f|fr|freq\w*|hz|omega|ω|w",
    "density": r"s|e|psd|density|energy\w*|efth|spec\w*|variance\w*|power\w*",
}
"""Names of the two columns, as people write them."""
OTHERS = {"other": r"t|tp|period\w*|k|dir\w*|hs"}
"""Names of columns by which a comment is a header too."""
DESCRIBING = r"density|energy|spec\w*|variance|wave|power|per|f|fr|freq\w*|omega|ω|w"
"""Words beside the unit of a density."""
COLUMN = r"[^\s(\[]+(?:\s*[(\[].*?[)\]]+(?=\s|$))*"
"""Regular expression for a header in a line without separators: a word, and brackets."""
DENSITY_UNIT = r"|/?m[2²](/?hz(-1)?|/?hertz|s|s/?rad(-1)?|/rad/?s(-1)?)"
"""Units of densities, without blanks and brackets; mostly there is none."""


def table(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectrum of a table of two columns, frequency [Hz] and density [m²/Hz], as text or JSON. If the header
    of the frequency says rad/s or omega, both are angular.

    Raises:
        ContentError: when the table has other columns or units.
    """
    head, rows = _json_table(json.loads(text)) if text.lstrip()[:1] in ("{", "[") else _text_table(text)
    values = np.array(rows, np.float64)
    if values.ndim != 2 or values.shape[1] != 2:
        raise ContentError("it needs two columns, frequency [Hz] and density [m²/Hz]")
    if head:
        kinds = [_kind(name) for name in head]
        if sorted(kinds) != ["density", "frequency"]:
            named = " and ".join(repr(name.strip(" #")[:40]) for name in head)
            raise ContentError(f"its columns {named} are not frequency and density")
        if kinds[0] == "density":
            head, values = head[::-1], values[:, ::-1]
        if _is_angular(*head):
            values = values * [1 / (2 * np.pi), 2 * np.pi]
    yield RawSpectrum(values[:, 0], values[:, 1:])


def _is_angular(frequency: str, density: str) -> bool:
    """Return whether the headers of the columns say rad/s; refuse other units than those, Hz and m²."""
    words = re.findall(r"[a-zω]+", frequency.lower())
    angular = bool({"rad", "radian", "radians", "angular", "omega", "ω", "w"} & set(words))
    if (angular and {"hz", "hertz"} & set(words)) or any(re.fullmatch(r"[mk]hz", word) for word in words):
        raise ContentError(f"its frequency {frequency.strip()[:40]!r} is neither in Hz nor in rad/s")
    unit = density.lower().replace("_", " ").strip(QUOTES).removeprefix(_first_word(density))
    unit = re.sub(r"[^\w/-]", "", re.sub(rf"\b({DESCRIBING})\b", "", unit))
    if not re.fullmatch(DENSITY_UNIT, unit) or (angular and "hz" in unit) or (not angular and "rad" in unit):
        raise ContentError(f"its density {density.strip()[:40]!r} has another unit than m²/Hz, or m² s/rad over rad/s")
    return angular


def _text_table(text: str) -> tuple[list[str], list[list[float]]]:
    """Return the headers, none or two, and the rows. A second line of headers has units."""
    head: list[str] = []
    rows: list[list[float]] = []
    decimal_comma = ";" in text or re.search(r"\d,\d+\s+\d+,\d", text)
    for line in filter(None, map(str.strip, text.splitlines())):
        words = re.split(r"[;\s]+" if decimal_comma else r"[,;\s]+", line)
        numbers = [number(word.replace(",", ".") if decimal_comma else word) for word in words if word]
        if not np.isnan(numbers).any():
            rows.append(numbers)
            continue
        if not line.startswith("#") and (rows or re.match(r"[-+.\d]", line)):
            raise ContentError(f"{line[:40]!r} is no row of numbers")
        said = line.strip("# ")
        names = re.split(r"[,;\t]", said) if re.search(r"[,;\t]", said) else re.findall(COLUMN, said[:200])
        if rows or len(names) != 2:  # a title, or a comment
            continue
        kinds = {_kind(name) for name in names}
        has_units = not line.startswith("#") or re.search(r"\b(rad|hz)\b", said.lower())
        if has_units and len({*map(_kind, head)} & set(COLUMNS)) == 2:
            head = [f"{one} {other}" for one, other in zip(head, names, strict=True)]
        elif not line.startswith("#") or (len(kinds) == 2 and "" not in kinds):
            head = names
    return head, rows


def _json_table(document: Any) -> tuple[list[str], Iterable[Any]]:
    """Return the headers, none or two, and the rows. Texts beside the lists are units."""
    if not isinstance(document, dict) and not (document and isinstance(document[0], dict)):
        return [], document
    columns = document if isinstance(document, dict) else {key: [row[key] for row in document] for key in document[0]}
    lists = [key for key, value in columns.items() if isinstance(value, list)]
    chosen = [key for kind in COLUMNS for key in lists if _kind(key) == kind]
    if [_kind(key) for key in chosen] != [*COLUMNS]:
        raise ContentError(f"it needs two lists, frequency [Hz] and density [m²/Hz]; it has {', '.join(lists)[:80]}")
    head = dict(zip(COLUMNS, chosen, strict=True))
    for key, unit in columns.items():
        if isinstance(unit, str) and "unit" in key.lower():
            head[_kind(key) or ("density" if re.search("m[2²^*]", unit) else "frequency")] += f" {unit}"
    return [*head.values()], list(zip(*(columns[key] for key in chosen), strict=True))


QUOTES = " #\"'\t"


def _kind(name: str) -> str:
    """Return what a header names: frequency, density, another known column, or nothing."""
    kinds = COLUMNS | OTHERS
    return next((kind for kind in kinds if re.fullmatch(kinds[kind], _first_word(name))), "")


def _first_word(name: str) -> str:
    return re.split(r"[\s(\[_/]", re.sub(r"^(angular|wave)[\s_]+", "", name.strip(QUOTES).lower()))[0]


TEXTS: dict[str, Callable[[Sequence[str], Sequence[str]], Iterator[RawSpectrum]]] = {
    "awac": lambda texts, names: awac(texts[0]),
    "ndbc_ascii": ndbc_ascii,
    "spotter": lambda texts, names: spotter(texts[0]),
    "swan": lambda texts, names: swan(texts[0]),
    "table": lambda texts, names: table(texts[0]),
    "ww3_station": lambda texts, names: ww3_station(texts[0]),
}
"""Readers by format: of the texts of all files, and their names."""
