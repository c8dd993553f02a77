"""Spectra in the text formats of buoys and wave models, each read as its manual describes it.

Each reader takes the text of a file, NDBC's the texts of several, and yields all of its spectra in the order of the
file.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ocean.waves.dispersion import Array

RAW_DIRECTIONS = np.arange(0.0, 360.0, 10.0)
"""Directions [degrees] of spreads that are computed from coefficients."""
SWAN_ENERGY = 1025 * 9.81  # J/m² of a variance of 1 m², with the density of water and the gravity of SWAN
MARKS = {
    "density": (99.0, 999.0, 9999.0),
    "direction": (999.0, 9999.0),
    "fraction": (9.99, 99.0, 999.0, 9999.0),
    "awac": (-9.0, -99.0, -999.0),
}
"""Numbers that stand for missing values: of NDBC's densities, directions, and r1 and r2, and of Nortek's AWAC."""
HUNDREDTHS = 1.5
"""Largest median of r1 and r2 as fractions; files with a larger one have hundredths. A single value up to here counts
as 1."""
AGREED = 0.1
"""Largest relative difference between a height that a file states and the height of its densities in the right unit."""


class TextError(ValueError):
    """A text without a spectrum that can be trusted; the message says why."""


class RawSpectrum(NamedTuple):
    """One spectrum as its file has it.

    frequency: (f,) [Hz], in the order of the file.
    density: (f, d) [m²/Hz/degree] with d directions, or (f, 1) [m²/Hz]; nan where it is missing.
    coming_from: (d,) directions that waves come from [degrees clockwise from north]; None without directions.
    spread: (f, 36) distribution over RAW_DIRECTIONS [1/degree], nan where the file has none; None without.
    time, station: as the file names them. place: latitude and longitude [degrees].
    stated: what the file itself says of this sea: `height` [m], `peak_period` [s], `direction` [degrees, from].
    refusal: why it can't be used; mostly nothing.
    """

    frequency: Array
    density: Array
    coming_from: Array | None = None
    spread: Array | None = None
    time: str = ""
    station: str = ""
    place: tuple[float, float] | None = None
    stated: Mapping[str, float] = {}
    refusal: str = ""


def unmarked(values: ArrayLike, kind: str) -> Array:
    """Return values as floats, with nan in place of the marks of missing ones; blanks and words are missing too."""
    found = np.array([number(value) for value in np.asarray(values).ravel()]).reshape(np.shape(values))
    return np.where(np.isin(found, MARKS[kind]), np.nan, found)


def number(value: Any) -> float:
    """Return a number of a file; nan for blanks, MM and other words. Fortran writes exponents with D, or large ones
    without a letter."""
    try:
        return float(value)
    except (TypeError, ValueError):
        text = re.fullmatch(r"\s*([-+]?[\d.]+)(?:[dD]([-+]?\d+)|([-+]\d{3}))\s*", str(value))
        return float(f"{text[1]}e{text[2] or text[3]}") if text else float("nan")


# -- Spreads -----------------------------------------------------------------------------------------------------------


def spread_of_coefficients(alpha1: Array, alpha2: Array, r1: Array, r2: Array) -> Array:
    """Return the distribution (f, 36) over RAW_DIRECTIONS [1/degree] of two pairs of Fourier coefficients: directions
    that waves come from [degrees], and fractions.

    Weights keep a spread with these coefficients from falling below 0 (Longuet-Higgins et al. 1963). Where measured
    coefficients contradict each other the spread still does, and is cut off at 0.
    """
    first, second = (np.radians(RAW_DIRECTIONS - alpha[:, None]) for alpha in (alpha1, alpha2))
    spread = 0.5 + 2 / 3 * r1[:, None] * np.cos(first) + 1 / 6 * r2[:, None] * np.cos(2 * second)
    spread = np.maximum(spread, 0.0)
    return np.asarray(spread / (spread.mean(axis=1, keepdims=True) * 360))


def spread_of_cone(direction: Array, width: Array) -> Array:
    """Return the distribution (f, 36) over RAW_DIRECTIONS [1/degree] of a mean direction and a circular standard
    deviation [degrees], as `cos^2s` of half the angle with `s = 2 / width² - 1` (Kuik et al. 1988)."""
    s = np.clip(2 / np.radians(np.maximum(width, 1.0)) ** 2 - 1, 0.0, 500.0)[:, None]
    half = np.radians(RAW_DIRECTIONS - direction[:, None]) / 2
    spread = np.abs(np.cos(half)) ** (2 * s)
    return np.asarray(spread / (spread.mean(axis=1, keepdims=True) * 360))


def as_fractions(r1: Array, r2: Array) -> Iterator[Array]:
    """Yield r1 and r2 as fractions from 0 to 1, nan where they are missing. Their median tells fractions from
    hundredths."""
    known = np.concatenate([r1, r2])
    known = known[np.isfinite(known)]
    scale = 0.01 if len(known) and np.median(known) > HUNDREDTHS else 1.0
    for values in (scale * r1, scale * r2):
        yield np.where((values >= 0) & (values <= HUNDREDTHS), np.minimum(values, 1.0), np.nan)


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
        raise TextError(f"its quantities {', '.join(names)[:80]} lack a density, VaDens or EnDens")
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
            (number(y), number(x)) if "LONLAT" in heads else None,
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
    found = where if np.isfinite(where).all() else None
    return RawSpectrum(frequency, density[:, None], None, spread, time, station, found, stated)


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
        TextError: when there are neither one nor five files, or one has the place of another.
    """
    order = f"a buoy has one file, or five in this order: {', '.join(ROLES)}"
    if len(texts) not in (1, 5):
        raise TextError(order)
    for text, name, wanted in zip(texts, names, ROLES, strict=False):
        head = next((line for line in text.splitlines() if re.match(HEADER, line)), "")
        found = [role for role, pattern in ROLES.items() if re.match(rf"\w*({pattern})", name)]
        role = (found or re.findall(r"\b(alpha1|alpha2|r1|r2)_1\b", head) or [wanted])[0]
        if role != wanted:
            raise TextError(f"{name[:40]!r} has {role} in the place of {wanted}; {order}")
    tables = [dict(reversed([*_ndbc_rows(text)])) for text in texts]  # of equal times, the first counts
    station = (re.match(r"[A-Za-z0-9]{5}(?=[._a-z])", names[0]) or [""])[0]
    for time, (frequency, density) in tables[0].items():
        spread = None
        if len(tables) > 1:
            rows = [table.get(time) for table in tables[1:]]
            alpha1, alpha2, r1, r2 = _ndbc_coefficients(rows, frequency)
            spread = spread_of_coefficients(alpha1, alpha2, *as_fractions(r1, r2))
        yield RawSpectrum(frequency, unmarked(density, "density")[:, None], None, spread, time, station)


def _ndbc_coefficients(rows: Sequence[tuple[Array, Array] | None], frequency: Array) -> Iterator[Array]:
    """Yield alpha1, alpha2, r1 and r2 of the bins of the densities, nan where they are missing."""
    for row, kind in zip(rows, ("direction", "direction", "fraction", "fraction"), strict=True):
        if row is None:
            yield np.full(len(frequency), np.nan)
            continue
        nearest = np.abs(row[0] - frequency[:, None]).argmin(axis=1)
        is_near = np.abs(row[0][nearest] - frequency) < np.abs(np.gradient(frequency)) / 2.001
        yield np.where(is_near, unmarked(row[1], kind)[nearest], np.nan)


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
                raise TextError(f"at {time} it has {len(values)} values for {len(own)} frequencies")
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
        TextError: when the table has other columns or units.
    """
    head, rows = _json_table(json.loads(text)) if text.lstrip()[:1] in ("{", "[") else _text_table(text)
    values = np.array(rows, np.float64)
    if values.ndim != 2 or values.shape[1] != 2:
        raise TextError("it needs two columns, frequency [Hz] and density [m²/Hz]")
    if head:
        kinds = [_kind(name) for name in head]
        if sorted(kinds) != ["density", "frequency"]:
            named = " and ".join(repr(name.strip(" #")[:40]) for name in head)
            raise TextError(f"its columns {named} are not frequency and density")
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
        raise TextError(f"its frequency {frequency.strip()[:40]!r} is neither in Hz nor in rad/s")
    unit = density.lower().replace("_", " ").strip(QUOTES).removeprefix(_first_word(density))
    unit = re.sub(r"[^\w/-]", "", re.sub(rf"\b({DESCRIBING})\b", "", unit))
    if not re.fullmatch(DENSITY_UNIT, unit) or (angular and "hz" in unit) or (not angular and "rad" in unit):
        raise TextError(f"its density {density.strip()[:40]!r} has another unit than m²/Hz, or m² s/rad over rad/s")
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
            raise TextError(f"{line[:40]!r} is no row of numbers")
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
        raise TextError(f"it needs two lists, frequency [Hz] and density [m²/Hz]; it has {', '.join(lists)[:80]}")
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
    "awac": lambda texts, names: awac(one_of(texts)),
    "ndbc_ascii": ndbc_ascii,
    "spotter": lambda texts, names: spotter(one_of(texts)),
    "swan": lambda texts, names: swan(one_of(texts)),
    "table": lambda texts, names: table(one_of(texts)),
    "ww3_station": lambda texts, names: ww3_station(one_of(texts)),
}
"""Readers by format: of the texts of all files, and their names."""


def one_of(texts: Sequence[str]) -> str:
    if len(texts) > 1:
        raise TextError("only a buoy of NDBC has several files")
    return texts[0]
