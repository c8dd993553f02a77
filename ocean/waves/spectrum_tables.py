"""Spectra in tables, as people write them in text, CSV and JSON.

A table has the columns frequency and density, or frequencies as the names of its columns and one row per time, or times
as the names of its columns and one row per frequency.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from statistics import mode
from textwrap import dedent
from typing import Any, NamedTuple

import numpy as np

from ocean.common.errors import clipped, plain
from ocean.waves.dispersion import Array
from ocean.waves.spectrum_raw import (
    ANGULAR,
    DENSITY_UNIT,
    HERTZ,
    SCALES,
    SYMBOLS,
    ContentError,
    RawSpectrum,
    comments_of,
    density_factor,
    is_angular,
    not_understood,
    number,
    numbers,
    refuse_others,
    units_beside,
)

COLUMNS = {
    "frequency": r"f|fr|fr[eé][cq]\w*\.?|frq|hz|omega|ω|w",
    "density": r"s(f|w|zz|xx|η+)?|ef?|psd|pxx|(va)?densi?\w*|[eé]nerg\w*|efth|spe[ck]\w*|variance\w*|power\w*|dichte",
}
"""Names of the two columns, as people write them, also in German, French and Spanish."""
OTHERS = {
    "directions": r"dir\w*|dm\w*|mwd|theta\w*|alpha\w*",
    "other": r"t|tp|period\w*|k|hs|df|band\w*|width|noise|err\w*|std|conf\w*|f?(min|max)|upper|lower|[cqs](x?y|[xy]z)|"
    r"pressure|horiz\w*|east\w*|north\w*|[xy]|surge|sway|model\w*|resid\w*|swell|wind\w*",
}
"""Names of other columns, which may make a comment a header."""
ADJECTIVES = r"^((angular|circular|radian|wave|mean|ocean|sea|surface|elevation|height|bin|band|cent(er|re))[\s_]+)+"
DESCRIBING = r"densi\w*|[eé]nerg\w*|de|puissance|e?spe[ck]\w*|spett\w*|variance|wave|power|in|f|fr|freq\w*|omega|ω|w|"
DESCRIBING += r"dichte|η+|ζ+|(eta)+|zeta|measured|observed|target|jonswap|cent(er|re)"
"""Words before the name of a column, and words of a header that are not its unit."""
SKIPPED = r"^(year|month|day|hour|min(ute)?|sec|m[il]+isec|dof|hs|hm0|tp|tz|lat\w*|lon\w*|station|depth|df|dt|fs|n\w*|"
SKIPPED += r"id|version|wmo\w*|buoy|dir( u10|\w*)|spread\w*|place|location|source|author|institution|project|m0|date|"
SKIPPED += r"date\W?time|file|timestamp|swh|vhm0|h1/3|wave.height|significant.*|duration|water\w*|buoy id|time|type: "
SKIPPED += (
    r"feature\w*|f ?(min|max|low|high))( ?[:=].*|$)|^hz +width .* factor$|^(sampling|mean.*(period|direct)|peak.*"
)
SKIPPED += r"period|number of freq|frequency (resol|step|spac|range)|.*frequency cut-?off|sides: one-sided).*|.*: none$"
"""Regular expression for columns, and for comments, that do not affect the spectrum."""
QUANTITIES = r"veloc|speed|motion|moment|force|stra?in|stress|slope|tide|curvature|roll\b|pitch|s(way|urge)\b|horizont|"
QUANTITIES += (
    r"magnitude|\bfft|octave|dimension|wave ?numbers?\b|\bf(ee|oo)t\b|imperial|confiden|coheren|transfer|\bpi\b|"
)
QUANTITIES += r"partition|noise|error|ratio\b|thousand|\brho|[kμ]hz|\bln\b|double|\bhalf|drift|gust|\bcurrent|j/m|kn\b|"
QUANTITIES += r"s\(t\)|displacement|sxx|\brao"
"""Regular expression for other topics of comments, which may be about another quantity than the height."""
NO_HEIGHTS = r"(?i)(s(xx|yy)|[cq](xy|xz|yz)|[ab][12])"
"""Names of files that Spotter's program writes beside Szz.csv: other spectra, and coefficients."""
STATED = {
    "height": r"hs(?:ig)?|h_?m_?[0o]|h1/3|swh|vhm0|wvht|wave[ _]?height",
    "peak_period": r"tp|dpd|peak[ _]?period",
}
"""Names of statistics that a table may state."""
COLUMN = r"[^\s(\[]+(?:\s*[(\[].*?[)\]]+(?=\s|$))*"
"""Regular expression for one header in a line of headers without separators: a word, and brackets."""
DATED, PLACED = r"(?i:dat(e|um)|\w*time|year|zeit|epoch)", "(?i:station|buoy|site|platform|wmo)"
"""Regular expressions for the names of columns of times and of stations."""
BIN = rf"(?:(?:f|freq|frequency|s|e|w)[ _(=]+)?((?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)[)_ ]*({HERTZ}|{ANGULAR})?"
"""Regular expression for the name of a column of densities at one frequency, and its unit."""
ISO = r"\d{4}[-/]\d\d[-/]\d\d"
CELL = r"(?i)[-+.\d][-+.:\dedtz]*|nan"  # a number or a date of a table
DECIMAL_COMMA = r"(?i)(?<!\S)[-+]?\d+,\d+(?:e[-+]?\d+)?(?!\S)"
COMMENT = r"[#%!*/]|; |--|=="
QUOTES = " #%\"'\t$\\"
GAPS = "", ".", "nan", "mm", "null", "none", "na", "-"


class Table(NamedTuple):
    """Names of columns (empty without), rows, and all other texts; and the time and station beside it in JSON."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    texts: Sequence[Any]
    time: str = ""
    station: str = ""


def table(text: str) -> Iterator[RawSpectrum]:
    """Yield the spectra of tables of frequency [Hz] and density [m²/Hz], as text or JSON. If the frequency's header
    says rad/s or omega, both are angular."""
    is_json = text.lstrip()[:1] in ("{", "[")
    tables = _json_tables(json.loads(text)) if is_json else [_text_table(text)]
    if len({(one.time, one.station) for one in tables}) < len(tables):
        said = f"or a time or a station for each of its {len(tables)} tables"
        raise ContentError(f"it needs a single density for each frequency, {said}")
    for one in tables:
        yield from _spectra(one, is_json)


class _Parts(NamedTuple):
    """Spectra of a table in the units of the file; the names of frequency and density, empty without; those of columns
    that are not used, and of columns beside rows of times; and what is lacking without units in names or texts."""

    spectra: Sequence[RawSpectrum]
    head: Sequence[str]
    others: Sequence[str] = ()
    beside: Sequence[str] = ()
    lacking: str = "units"


def _spectra(table: Table, is_json: bool) -> Iterator[RawSpectrum]:
    """Yield the spectra of a table."""
    names, texts = [name.strip(QUOTES)[:40] for name in table.head], table.texts
    if any(isinstance(one, list | dict) for row in table.rows for one in row):
        raise ContentError("it needs a single density for each frequency")
    parts = _parts(names, table.rows)
    refuse_others("\n".join([*parts.head, *(one for one in texts if not one.endswith(": False"))]))
    factors, is_unnamed, remarks = _factors(parts, texts)
    others = [name for name in parts.others if name]
    if others:
        remarks.append(f"Its columns {clipped(', '.join(others), 80)} are not used.")
    comments = [("", one) for one in texts] if is_json else comments_of(texts, QUANTITIES)
    understood = rf"{SKIPPED}|{DENSITY_UNIT}" + (rf"|{ANGULAR}|^(w|ω|omega)\b" if factors[0] < 1 else "")
    remarks.append(not_understood([*comments, *(("", name) for name in parts.beside)], understood))
    title = clipped(plain("; ".join(one for one in texts if ("", one) not in comments)), 80)
    directed = re.search(r"(?i)\b(dir(ection)?s?|mwd|theta)\w* *[:=]", "\n".join(texts))
    for part in parts.spectra:
        yield part._replace(
            frequency=factors[0] * part.frequency,
            density=factors[1] * part.density[:, None],
            time=(part.time or table.time).removesuffix(":00"),  # seconds
            station=part.station or table.station or title,
            stated=_stated(texts) if len(parts.spectra) == 1 else {},
            remark=" ".join(filter(None, remarks)),
            is_directed=directed is not None or "directions" in map(_kind, others),
            is_unnamed=is_unnamed,
        )


def _parts(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> _Parts:
    """Return the spectra of a table of two columns, of a row for each time, or of a column for each time."""
    bins = _bins(names)
    if len(bins) > 2 and _kind(names[0]) == "frequency" and np.isnan(number(rows[0][0])):  # names before numbers
        turned = zip(names[1:], *(row[1:] for row in rows), strict=True)
        names, rows, bins = [names[0], *(row[0] for row in rows)], [*turned], {}
    if len(bins) > 2:
        unit = " ".join({unit for _, unit in bins.values()})
        head = ["f Hz", "S m2/Hz"] if "milisec" in names else [f"f {unit}", "S"]  # a word of Spotter's program
        beside = [name for i, name in enumerate(names) if i not in bins]
        return _Parts(_rows_of_times(names, rows, bins), head, beside=beside)
    if names[1:] and all(re.match(ISO, name) for name in names[1:]):
        frequency, *densities = (_values(column) for column in zip(*rows, strict=True))
        columns = zip(names[1:], densities, strict=True)
        return _Parts([RawSpectrum(frequency, one, time=moment(name)) for name, one in columns], [names[0] or "f", "S"])
    spectra, head, others = _columns(names, rows)
    return _Parts(spectra, head, others, lacking="" if head else "names")


def _factors(parts: _Parts, texts: Sequence[str]) -> tuple[tuple[float, float], bool, list[str]]:
    """Return the factors that convert frequencies to Hz and densities to m²/Hz, whether nothing says that frequencies
    are in Hz, and remarks on what is assumed."""
    head = parts.head
    told = ["", ""] if head and all(map(_unit, head)) else units_beside(texts)
    is_unnamed = not re.search(r"(?<![a-z/\d])(?<!per )(?<!\d )(hz|hertz|rad\w*)\b", f"{head[:1]} {texts}".lower())
    lacking = "" if any(told) or any(map(_unit, head)) else parts.lacking
    remarks = [f"Its columns have no {lacking}, and are assumed to be in Hz and m²/Hz."] if lacking else []
    head = head or [*COLUMNS]
    if head[1].lower() == "variance" and not told[1]:
        raise ContentError("its column 'variance' may be per bin or a density; name its unit, such as m2/Hz")
    units = [_unit(name) or unit for name, unit in zip(head, told, strict=True)]
    named = re.search(r"(?i)angular|circular|radian|omega|ω|(?<![a-z])w(?![a-z])", head[0]) is not None
    angular = is_angular(units[0], repr(head[0]), named)
    if "rad" in units[1] and not (units[0] or named):
        raise ContentError(f"its frequency {head[0]!r} does not say whether it is in Hz or in rad/s")
    over = re.search(r"^[es][ _]?\(?(f|w|ω|omega)\b|\((f|w|ω|omega)\)|(angular|omega|ω)", head[1].lower())
    if over and ("f" not in over.groups()) != angular and not re.search("hz|rad", units[1]):
        raise ContentError(f"its {head[0]!r} and {head[1]!r} are over Hz and rad/s; name the density's unit")
    if re.match(r"(?i)(?!.*dens)([eé]nerg|power)\w*$", head[1]) and not units[1]:
        remarks.append(f"Its column {head[1]!r} has no unit, and is assumed to be in m²/Hz.")
    factors = 1 / (2 * np.pi) if angular else 1.0, density_factor(units[1], head[1], False, angular)
    return factors, is_unnamed and not (named or units[0]), remarks


def _stated(texts: Sequence[str]) -> dict[str, float]:
    """Return the statistics that texts beside a table state."""
    stated, value = dict[str, float](), r"(?: *[(\[](\w+)[)\]])? *[:= ] *([\d.,]*\d) *(\w+)?"
    for key, name in STATED.items():
        if one := re.search(rf"(?i)\b(?:{name}){value}", "\n".join(texts)):
            stated[key] = number(one[2].replace(",", ".")) * SCALES.get((one[1] or one[3] or "").lower(), 1.0)
    return stated


def _rows_of_times(
    names: Sequence[str], rows: Sequence[Sequence[str]], bins: Mapping[int, tuple[float, str]]
) -> list[RawSpectrum]:
    """Return the spectra of a table whose columns are frequencies; those of incomplete rows have no frequencies."""
    dated, placed = _beside(names)
    if not dated and (names[0] or not np.isnan(number(rows[0][0]))):  # pandas writes an index without a name
        raise ContentError("it needs a single density for each frequency; for densities by direction, use NetCDF")
    if "" in names[min(bins) :]:
        raise ContentError("a column beside its frequencies has no name")
    frequency, parts = np.array([value for value, _ in bins.values()]), list[RawSpectrum]()
    for row in rows:
        if is_whole := len(row) == len(names):
            time, values = _time(names, row, dated or [0]), _values([row[i] for i in bins])
        else:
            time, values = " ".join(row[: len(names) - len(bins)]), np.zeros(0)
        station = "".join(row[i] for i in placed if is_whole)
        parts.append(RawSpectrum(frequency[: len(values)], values, time=time, station=station))
    return parts


def _columns(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[list[RawSpectrum], list[str], list[str]]:
    """Return the spectra of a table with columns of frequency and density, for each time and station; the names of
    the two columns; and those of unused columns."""
    if not names and len(rows) == 2 < len(rows[0]) and (np.diff(numbers(rows[0])) > 0).all():
        rows = [*zip(*rows, strict=True)]
    if not rows or {len(row) for row in rows} != {len(names) or 2}:
        raise ContentError("it needs two columns, frequency [Hz] and density [m²/Hz], or names of its columns")
    names = ["f", names[1]] if len(names) == 2 and not names[0] else names  # as pandas writes an index
    chosen = [_chosen(kind, names) for kind in COLUMNS] if names else [0, 1]
    dated, placed = _beside(names)
    if dated and len({row[dated[0]] for row in rows}) == 1 and not re.match(ISO, str(rows[0][dated[0]])):
        dated = []  # such as an hour that all rows have
    groups = dict[tuple[str, str], list[Sequence[Any]]]()
    for row in rows:
        key = _time(names, row, dated) if dated else "", "".join(str(row[i]) for i in placed)
        groups.setdefault(key, []).append([row[i] for i in chosen])
    parts = list[RawSpectrum]()
    for (time, station), group in groups.items():
        frequency, density = (_values(column) for column in zip(*group, strict=True))
        parts.append(RawSpectrum(frequency, density, time=time, station=station))
    others = [name for i, name in enumerate(names) if i not in (*chosen, *dated, *placed)]
    if others and any(len(np.unique(part.frequency)) < len(part.frequency) for part in parts):
        raise ContentError("it needs a single density for each frequency")
    return parts, [names[i] for i in chosen] if names else [], others


def _chosen(kind: str, names: Sequence[str]) -> int:
    """Return the number of the column of a kind: the only one with such a name, or else with such a unit."""
    unit = {"frequency": f"{HERTZ}|{ANGULAR}", "density": DENSITY_UNIT}[kind]
    units = {i: _unit(name).translate(SYMBOLS) for i, name in enumerate(names) if not _kind(name)}
    found = [i for i, name in enumerate(names) if _kind(name) == kind]
    found = found or [i for i, said in units.items() if re.fullmatch(unit, said)]
    if len(found) != 1:
        raise ContentError(f"its columns {clipped(', '.join(names), 80)!r} must include one frequency and one density")
    return found[0]


def _bins(names: Sequence[str]) -> dict[int, tuple[float, str]]:
    """Return the frequencies, and their units, in the names of columns."""
    found = {i: re.fullmatch(BIN, name.lower()) for i, name in enumerate(names)}
    return {i: (float(one[1]), one[2] or "") for i, one in found.items() if one}


def _beside(names: Sequence[str]) -> list[list[int]]:
    """Return the columns of times, and that of stations."""
    dated, placed = ([i for i, name in enumerate(names) if re.match(what, name)] for what in (DATED, PLACED))
    return [dated, placed[:1]]


def _values(cells: Sequence[Any]) -> Array:
    """Return numbers, with nan for gaps; refuse other words."""
    values = numbers(cells)
    for i in np.flatnonzero(np.isnan(values)).tolist():
        if str(cells[i]).strip().lower() not in GAPS:
            raise ContentError(f"{str(cells[i])[:40]!r} is not a number")
    return values


def _time(names: Sequence[str], row: Sequence[str], dated: Sequence[int]) -> str:
    """Return the time in the columns `dated` of a row, or in those of year, month, day, hour and minute."""
    if names[dated[0]].lower() != "year":
        date, *times = sorted((str(row[i]) for i in dated), key=lambda cell: not re.match(ISO, cell))
        return moment(date if ":" in date else " ".join([date, *times]))
    parts = [cell for name, cell in zip(names, row, strict=True) if re.match("(?i)year|month|day|hour|min", name)]
    year, month, day, hour, minute = [*(int(number(part)) for part in parts), 0, 0][:5]
    return datetime(year, month, day, hour, minute).isoformat()


def moment(said: Any) -> str:
    """Return the UTC in ISO 8601 of a time that is in ISO 8601 (UTC unless it has a zone), has only digits, or is in
    seconds or milliseconds since 1970.

    Raises:
        ContentError: when it has another form.
    """
    text = re.sub(r"^(\d{8})(\d{4}(\d\d)?)$", r"\1T\2", re.sub(r"^(\d{4})/(\d\d)/", r"\1-\2-", str(said).strip()))
    try:
        if len(text) != 8 and (seconds := number(text)) > 3e8:
            found = datetime.fromtimestamp(seconds / (1000 if seconds > 1e11 else 1), UTC)
        else:
            found = datetime.fromisoformat(text)
    except ValueError:
        raise ContentError(
            f"{text[:40]!r} is not a time such as 2024-01-15 12:00, or seconds or milliseconds since 1970"
        ) from None
    found = found.astimezone(UTC) if found.tzinfo else found
    return found.replace(tzinfo=None).isoformat(timespec="seconds")


# -- Names of columns --------------------------------------------------------------------------------------------------


def _plain(header: str) -> str:
    """Return a header in lower case, without the words of ADJECTIVES and without TeX."""
    spaced = re.sub(r"(?<=[a-z]{3})(?=[A-Z])", " ", header.strip(QUOTES)).lower().replace("_", " ")
    return re.sub(ADJECTIVES, "", re.sub(r"[$\\{}]", "", spaced))


def _first_word(header: str) -> str:
    return re.split(r"[\s(\[/]", _plain(header))[0]


def _kind(header: str) -> str:
    """Return what a header names: frequency, density, another known column, or nothing."""
    if found := re.match(r"(f/f)|[efgs]\((f|w|ω|omega)\)", _plain(header)):
        return "other" if found[1] else "density"
    kinds = COLUMNS | OTHERS
    return next((kind for kind in kinds if re.fullmatch(kinds[kind], _first_word(header))), "")


def _unit(header: str) -> str:
    """Return the unit in a header: the rest after its first word and the words of DESCRIBING."""
    rest = _plain(header).removeprefix(_first_word(header))
    rest = re.sub(r"\b(m2(?= ?hz$)|rad(?= ?s$)) ?", r"\1/", rest)  # a name has no slash
    return re.sub(rf"\b({DESCRIBING})\b", "", re.sub(r"\bper\b", "/", rest)).strip(" /()[]\"'#")


# -- Text --------------------------------------------------------------------------------------------------------------


def is_table(text: str) -> bool:
    """Return whether a line has at least two numbers or dates, and not more words."""
    for line in rows_of(text):
        cells = [cell for cell in re.split(r"[,;|\s]+", line.partition("#")[0]) if cell]
        known = sum(re.fullmatch(CELL, cell) is not None for cell in cells)
        if known > 1 and 2 * known >= len(cells):
            return True
    return False


def rows_of(text: str) -> list[str]:
    """Return the lines of a table that contain more than separators. Numbers lose their quotation marks, within which
    commas are decimal."""
    lines = [line.strip(" \r") for line in dedent(text).split("\n") if line.strip(" ,;\t\r")]
    return [re.sub(r'"([-+.\d][-+.,\deE]*|)"', lambda quoted: quoted[1].replace(",", "."), line) for line in lines]


def _text_table(text: str) -> Table:
    """Return the table in a text. A second header line has units."""
    head, rows, beside, is_wide = list[str](), list[list[str]](), list[str](), False
    lines = rows_of(text)
    own = [line for line in lines if not re.match(COMMENT, line)]
    data = [line for line in own if re.match(r"[-+.\d]", line)] or own[-1:]
    decimal_comma = any(";" in line or len(re.findall(DECIMAL_COMMA, line)) > 1 for line in data)
    marks = ";\t|" if decimal_comma else ",;\t|"
    mark = next((mark for mark in marks if any(mark in line for line in data)), None)
    known = {*data}
    ends = [re.sub(r".*[^,;\s]|\s", "", line) for line in data + [line for line in own if line not in known][-1:]]
    end = len(min(ends, default=""))  # separators that end every line
    table = [[cell.strip(" \t\"'") for cell in line.partition("#")[0].strip(" ").split(mark)] for line in lines]
    table = [cells[: len(cells) - end] for cells in table]
    table = [[cell.replace(",", ".") for cell in cells] if decimal_comma else cells for cells in table]
    width = mode([len(cells) for line, cells in zip(lines, table, strict=True) if line in known] or [0])
    for line, words in zip(lines, table, strict=True):
        is_comment, is_number = re.match(COMMENT, line) is not None, np.isfinite(numbers(words))
        starts = not is_comment and re.match(r"[-+.\d]", line) is not None
        is_gap = [not word or word.lower() in GAPS for word in words]
        if head:  # the last row of times may be incomplete
            is_row = starts or is_number.sum() > 1 or (is_wide and rows and line is lines[-1])
        else:
            is_row = starts and (is_number | is_gap).all()
        if is_row and not is_comment:
            if len(words) != width and not is_wide:
                raise ContentError(f"{line[:40]!r} has {len(words)} columns, but the first row has {width}")
            beside += [line.partition("#")[2].strip()] * ("#" in line)
            rows.append(words)
            continue
        if not is_comment and (rows or (starts and (len(words) == width or is_number.sum() > 1))):
            raise ContentError(f"{line[:40]!r} is not a row of numbers")
        said = re.sub(rf"^({COMMENT})+", "", line).strip("#% ").rstrip(",;\t")
        cuts = f"[{marks}]" + (r"(?![^(\[]*[)\]])" if re.search(r"[)\]]", said) else "")  # not within brackets
        names = re.split(cuts, said) if re.search(cuts, said) else re.findall(COLUMN, said[:200])
        names = [name.replace(",", ".") for name in names] if decimal_comma else names
        kinds = {_kind(name) for name in names}
        is_times = len(_bins(names)) > 2 and (not names[0] or re.match(f"{DATED}|{PLACED}", names[0].strip(QUOTES)))
        is_head = not rows and (len(names) == max(width, 2) or is_times)  # else a title, or a comment
        if mark and not (is_comment or is_head) and {*COLUMNS} <= kinds:
            raise ContentError(f"{said[:40]!r} has {len(names)} columns, but the first row has {width}")
        has_units = re.search(r"\b(rad|hz|s-1)\b|1/s", said.lower())
        if is_head and has_units and {*COLUMNS} <= {*map(_kind, head)} and not {*COLUMNS} <= kinds:
            head = [f"{one} {other}" for one, other in zip(head, names, strict=True)]
        elif is_head and (not is_comment or is_times or {*COLUMNS} <= kinds or (len(kinds) == 2 and "" not in kinds)):
            head, beside, is_wide = names, [*beside, ", ".join(head)], len(_bins(names)) > 2  # a head may be a title
        else:
            beside.append(said)
    return Table(head, rows, [*dict.fromkeys(filter(None, beside))])


# -- JSON --------------------------------------------------------------------------------------------------------------


def _json_tables(document: Any) -> list[Table]:
    """Return the tables in a document. A text is a unit if its key is the name of a column, or contains *unit*."""
    found = _tables_in(document)
    tables = [one for one in found if one.head] or found
    if not tables:
        keys = document[0] if isinstance(document, list) and document else document
        said = clipped(", ".join(map(str, keys if isinstance(keys, dict) else ())), 80)
        raise ContentError(f"it needs two lists, frequency [Hz] and density [m²/Hz]; it has {said or 'none'}")
    for i, table in enumerate(tables):
        head, texts = [*table.head], table.texts
        if not head and any("unit" in key.lower() for key, _ in texts):
            raise ContentError("it has units, but its lists have no names")
        chosen = {kind: _chosen(kind, head) for kind in COLUMNS if head}
        for key, unit in ((key, unit) for key, said in texts for unit in re.split("[,;]", said)):
            named = re.sub(r"units?|[_ ]", "", key.lower())
            kind = _kind(key) or (_kind(named) if named else "density" if re.search("m[2²^*]", unit) else "frequency")
            if (key in table.head or "unit" in key.lower()) and kind in chosen:
                head[chosen[kind]] += f" {unit}"
        tables[i] = table._replace(head=head, texts=[f"{key}: {said}" for key, said in texts])
    return tables


def _tables_in(value: Any) -> list[Table]:
    """Return all tables in a value of JSON, with the texts beside and around them, as pairs of key and text."""
    own = _table_of(value)
    found, texts = [own] if own else [], list[tuple[str, str]]()
    if isinstance(value, dict):
        is_own = own and not {*own.head} <= {*value}  # its columns have other names than the keys
        for key, part in value.items():
            is_column = own and key in own.head
            if is_column and isinstance(part, list):
                continue
            inner = [] if is_own or is_column else _tables_in(part)
            found += [one._replace(time=one.time or (moment(key) if re.match(ISO, key) else "")) for one in inner]
            texts += [] if inner else [one for one in _texts(key, part) if not own or one[1] not in own.head]
    elif isinstance(value, list) and not own:
        found = [one for part in value if isinstance(part, dict | list) for one in _tables_in(part)]
    time = next((moment(said) for key, said in texts if re.match(DATED, key) and re.match(ISO, said)), "")
    station = next((said for key, said in texts if re.match(PLACED, key)), "")
    return [
        one._replace(texts=[*one.texts, *texts], time=one.time or time, station=one.station or station) for one in found
    ]


def _table_of(value: Any) -> Table | None:
    """Return the table that a value of JSON is; None for others."""
    parts = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    columns = dict[str, Sequence[Any]]()
    if isinstance(value, dict) and parts and not np.isnan(numbers(value)).any():
        return _table_of(parts) or Table([], [*value.items()], [])  # rows by number, or densities by frequency
    if isinstance(value, dict):
        columns = {key: _listed(part) for key, part in value.items() if _listed(part)}
        lists = [(key, part) for key, part in value.items() if isinstance(part, list) and part]
        names = [part for key, part in lists if re.match("col|field|head|name", key.lower())]
        rows = [part for _, part in lists if isinstance(part[0], list)]
        if len(rows) == 1 and names and len(names[0]) == len(rows[0][0]):
            columns = dict(zip(map(str, names[0]), zip(*rows[0], strict=True), strict=True))
    elif parts and all(isinstance(part, dict) for part in parts):
        columns = {key: [row.get(key) for row in parts] for key in parts[0]}
    elif len(parts) > 1 and all(isinstance(part, list) and len(part) > 1 for part in parts):
        return Table([], [*zip(*parts, strict=True)] if len(parts) == 2 < len(parts[0]) else parts, [])
    if not {*COLUMNS} <= {*map(_kind, columns)}:
        return None
    chosen = [key for key in columns if _kind(key) in COLUMNS]
    if isinstance(value, list) and any(isinstance(one, dict | list) for key in chosen for one in columns[key]):
        return None  # a list of tables
    size = len(columns[chosen[0]])
    if any(len(columns[key]) != size for key in chosen):
        raise ContentError(f"its lists {' and '.join(chosen)[:80]} have different lengths")
    head = [key for key in columns if len(columns[key]) == size and key != "index"]
    return Table(head, [*zip(*(columns[key] for key in head), strict=True)], [])


def _listed(value: Any) -> list[Any]:
    """Return the values of a list, of an object's only list, or of a column with row numbers as keys; none of texts."""
    group = [*value.values()] if isinstance(value, dict) else [value]
    lists = [one for one in group if isinstance(one, list)]
    is_column = isinstance(value, dict) and not np.isnan(numbers(value)).any()
    found = lists[0] if len(lists) == 1 else group if is_column else []
    return [] if all(isinstance(one, str) and np.isnan(number(one)) for one in found) else found


def _texts(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield keys and values, also of nested objects, as texts, but no numbers of lists."""
    if not np.isnan(number(key)):
        return
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(name, part)
    elif isinstance(value, list):
        yield from ((key, one) for one in value if isinstance(one, str) and np.isnan(number(one)))
    else:
        yield key, str(value)
