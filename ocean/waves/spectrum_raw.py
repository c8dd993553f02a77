"""Spectra as files store them, and what all readers share: marks of missing values, units, spreads of coefficients."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ocean.common.errors import clipped, plain
from ocean.waves.dispersion import Array

RAW_DIRECTIONS = np.arange(0.0, 360.0, 10.0)
"""Directions [degrees] of spreads that are computed from coefficients."""
SWAN_ENERGY = 1025 * 9.81  # J/m² of a variance of 1 m², with SWAN's density of water and gravity
MARKS = {
    "density": (9.999, 99.99, 999.9, 99.0, 999.0, 9999.0),
    "fraction": (9.99, 99.0, 999.0, 9999.0),
    "awac": (-9.0, -99.0, -999.0),
}
"""Numbers that mark missing values: in NDBC's densities, in its r1 and r2, and in Nortek's AWAC."""
MOST_TURN = 720.0  # degrees; directions beyond it mark missing ones, such as 999
MOST_R1 = 0.99  # r1 of a spread of 8 degrees
COMPATIBLE = 0.9  # largest distance of the second coefficient from the first's square, relative to the possible one
NEWTON_STEPS, NEWTON_LENGTH = 40, 4.0  # number and largest length of steps of Newton's method
HUNDREDTHS = 1.5  # largest median of r1 and r2 as fractions; single values from 1 up to it count as 1


class ContentError(ValueError):
    """A file without a spectrum that can be trusted; the message says why."""


class RawSpectrum(NamedTuple):
    """One spectrum as its file stores it.

    frequency: (f,) [Hz], in the order of the file.
    density: (f, d) [m²/Hz/degree] with d directions, or (f, 1) [m²/Hz]; nan where it is missing.
    coming_from: (d,) directions that waves come from [degrees clockwise from north]; None without directions.
    spread: (f, 36) distribution over RAW_DIRECTIONS [1/degree], nan where the file has none; a function of it; or None.
    time, station: as the file names them. place: latitude and longitude [degrees], or nan.
    stated: what the file itself says about this sea: `height` [m], `peak_period` [s], `direction` [degrees, from].
    remark: what was left out; refusal: why it can't be used; usually empty.
    is_directed: whether it has directions, also without a spread.
    is_unnamed: whether nothing says that its frequencies are in Hz, and not in rad/s.
    """

    frequency: Array
    density: Array
    coming_from: Array | None = None
    spread: Array | Callable[[], Array] | None = None
    time: str = ""
    station: str = ""
    place: tuple[float, float] = (math.nan, math.nan)
    stated: Mapping[str, float] = {}
    remark: str = ""
    refusal: str = ""
    is_directed: bool = False
    is_unnamed: bool = False


def unmarked(values: ArrayLike, kind: str) -> Array:
    """Return values as floats, with nan for the marks of missing ones, for blanks and for words."""
    found = numbers(np.asarray(values).ravel()).reshape(np.shape(values))
    if kind == "direction":
        return np.where(np.abs(found) <= MOST_TURN, found, np.nan)
    rounded = np.round(np.clip(found, -1e6, 1e6), 4)  # 9.999 may come from a float32
    return np.where(np.isin(rounded, MARKS[kind]), np.nan, found)


def numbers(values: Iterable[Any]) -> Array:
    words = [*values]
    try:
        return np.array(words, np.float64)  # ten times as fast
    except (TypeError, ValueError):
        return np.array([number(word) for word in words], np.float64)


def number(value: Any) -> float:
    """Return a number of a file; nan for blanks, MM and other words. Fortran writes exponents with D, those of
    three digits without a letter."""
    try:
        return float(value)
    except (TypeError, ValueError):
        text = re.fullmatch(r"\s*([-+]?[\d.]+)(?:[dD]([-+]?\d+)|([-+]\d{3}))\s*", str(value))
        return float(f"{text[1]}e{text[2] or text[3]}") if text else float("nan")


# -- Units -------------------------------------------------------------------------------------------------------------

ANGLES = {"degree": r"deg(ree)?s?|degr", "radian": r"rad(ian)?s?"}
"""Regular expressions for the names of angles in units."""
WORDS = {"m": r"m(et(er|re)s?)?", "s": r"s(ec(ond)?s?)?", "hz": r"hz|hertz", "j": r"j(oules?)?"} | ANGLES
"""Regular expressions for the words in units of densities; other words, such as cm, are refused."""
SCALES = dict.fromkeys(["", "m", "meter", "meters", "metre", "metres", "s", "sec", "second", "seconds"], 1.0)
SCALES |= {"hz": 1.0, "s-1": 1.0, "1/s": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "feet": 0.3048}
"""Factors that convert stated heights, periods and frequencies to metres, seconds and Hz."""
UNSTATED = "", "unk", "unknown", "none"
SYMBOLS = str.maketrans({"¹": "1", "²": "2", "³": "3", "⁻": "-", "°": "deg", "^": "", "{": "", "}": ""})
LENGTHS = "[a-z]{0,2}(?:m|ft)"
DENSITY_UNIT = rf"\b(?:j *[/ ] *)?{LENGTHS}(?:2| ?\* ?{LENGTHS})"
DENSITY_UNIT += rf"(?:(?!  )[ /*.·(]*(?:{'|'.join(WORDS.values())})(?:-?\d+)?\b\)?)+"
HERTZ = r"hz|hertz|cps|(cycles? ?)?s(ec(ond)?)?(\*\*)?-1|1/s(ec)?|cycles?( per |/)s(ec(ond)?)?"
ANGULAR = r"rad(ian)?s?( ?(/|per) ?s(ec(ond)?)?|[ .·]?s(ec(ond)?)?(\*\*)?-1)"
"""Regular expressions for units of frequencies."""
OTHERS = r"(?<!not )(?<!un-)(?<!from )\b((two|double|zwei)[-_ ]?(sided|seitig)\w*|normali[sz]ed\b|normiert\w*|"
OTHERS += r"encounter (freq\w*|spectr\w*)|cumulative (spectr\w*|energy|density|variance)|sqrt\(? ?hz\)?|"
OTHERS += r"amplitudenspe\w+|spectre d.amplitude|amplitudes? ?[(\[]m?m[)\]]|action densit\w+|anomal(y|ies)\b|(energy|"
OTHERS += r"variance|height) (per|in each) (bin|band)\b|logarithm\b|"
OTHERS += r"log(10)? ?of(?= (\w+ ){0,2}(densit|spectr|energ|varianc|[se]\b))|log10? ?\((?!v\d)|"
OTHERS += r"wave power\b(?! (spectr|dens))|decibel|db[])/]|in db\b|square root|"
OTHERS += r"(accelerat\w+|velocity|amplitude|pressure|slope|wave ?number|period)[- _]spectr\w+)"
MAGNETIC = r"\bmagnetic\b|\bdeg(ree)?s?[ _]?m\b"


def density_factor(
    units: str, name: str, has_directions: bool, angular: bool, per: str = "degree", joules: bool = False
) -> float:
    """Return the factor that converts densities in `units` to m²/Hz, or, with directions, to m²/Hz/degree.

    Units without an angle are per `per`; without Hz, per the unit of the frequencies, which is rad/s if `angular`.
    `joules` allows J, with SWAN's density of water and gravity.

    Raises:
        ContentError: when the units have unknown words or another dimension, or angles without directions.
    """
    said, units = f"{name} has the units {units.lower().strip()[:40]!r}", units.lower().strip().translate(SYMBOLS)
    is_stated = units not in UNSTATED
    powers = _powers(units, said) if is_stated else Counter(m=2, s=1)
    energy, angles = (powers["m"], powers["j"]), [angle for angle in ANGLES for _ in range(-powers[angle])]
    is_energy = energy == (2, 0) or (joules and energy == (-2, 1))
    if not is_energy or powers["s"] - powers["hz"] != 1 or any(powers[angle] > 0 for angle in ANGLES):
        raise ContentError(f"{said}, which are not those of a variance density, such as m2/Hz")
    if has_directions and angles:
        per = angles.pop(0)
    if "degree" in angles or len(angles) > 1 or (angles and powers["hz"]):
        raise ContentError(
            f"{said}, which do not fit its axes" + ("" if has_directions else "; if it is per Hz alone, write m2/Hz")
        )
    if has_directions and angular and is_stated and not powers["hz"] and not angles:
        raise ContentError(f"{said}: over rad/s, these may be per Hz or per rad/s")
    factor = 2 * np.pi if angles or (angular and not powers["hz"]) else 1.0
    factor *= np.pi / 180 if has_directions and per == "radian" else 1.0
    return factor / (SWAN_ENERGY if powers["j"] else 1.0)


def _powers(units: str, said: str) -> Counter[str]:
    """Return the power of each word in units; all words after a slash are divisors."""
    units = re.sub(r"\bper\b", "/", units.replace("**", ""))
    units = re.sub(r"(rad\w*) */ *s(ec\w*)?\b", r"\1 s-1", units)  # within m2/(rad/s), and SWAN's m2/rad/s
    powers = Counter[str]()
    for sign, side in zip((1, -1), units.partition("/")[::2], strict=True):
        for word, power in re.findall(r"([^\W\d_]+|(?<![-+.\w])\d[\d.e+-]*)([-+]?\d+)?", side):
            unit = next((unit for unit, pattern in WORDS.items() if re.fullmatch(pattern, word)), "")
            if not unit and word != "1":
                raise ContentError(f"{said}, and {word!r} is unknown")
            powers[unit] += sign * int(power or 1)
    return powers


def units_beside(texts: Iterable[str]) -> list[str]:
    """Return the units of frequency, if rad/s, and density that comments beside a header name; empty without. Units of
    values, as in "peak at 0.6 rad/s", do not count."""
    frequency = density = ""
    for text in texts:
        line = text.lower().translate(SYMBOLS)
        found = re.search(rf"(?<!\d)(?<!\d ){DENSITY_UNIT}", line)
        line = re.sub(DENSITY_UNIT, " ", line)
        angular = re.search(rf"(?<![\d.])(?<!\d )\b{ANGULAR}\b", line)
        if angular and re.search(r"freq|omega|ω|\bunits?\b|^\W*\w?\W*rad", line) and not re.search("hz|hertz", line):
            frequency = frequency or angular[0].strip()
        density = density or (found[0].strip() if found else "")
    return [frequency, density]


def refuse_others(text: str) -> None:
    """Refuse a text that names another spectrum than that of the height, or a two-sided one (half the variance)."""
    if said := re.search(OTHERS, text.lower()):
        raise ContentError(f"it says {said[0]!r}; it must be the one-sided variance density of the height")


KNOWN = """
a absolute abstract an and are around arrive as at average axis azimuth be bearing been buoy by center centered centers
central centre centred centres circular clockwise coefficient coefficients come comes coming comment comments compass
computed convention conventions coordinate coordinates cw cycle cycles d data date day days decimal deg degr degree
degrees degreet degt densities density description deviation dimension dimensional dimensions dir direction directional
directions dirs discrete discretized e each ef efth elevation energy epoch estimated f first for fourier freq
frequencies frequency full function g gmt has have height hertz hindcast hz in info is it its j joule joules julian
list long m main mean measured meter meters metre metres model modelled moment moments n name names nan note notes
observed ocean of on one or parameter part parts peak point principal quantity reference remarks resolution s sample
scalar sea sec second seconds sigma since single specified spectra spectral spectrum spread spreading standard start
station summary surface t that the there these theta they this time times title total true two type unit units ut utc
value values variable variance vector was water wave waves what where which who width with integrated over θ
"""
"""Words that do not change the meaning of numbers."""
NORTH = r"((clockwise|positive|relative|with respect|measured) )*\b(from|to|of) (the )?(true|geographic\w*)? ?north\b|"
NORTH += r"\b(true|degrees) north\b|relative (julian|to current = \w+)|one-sided|(band|bin)s? cent\w+|"
for degrees, side in ("(0|360)", "north"), ("90", "east"), ("180", "south"), ("270", "west"):
    NORTH += rf"\b{degrees}\W*((deg\w*|is|for|means|to|from|due|true|the|waves?)\W+)*({side}(ward)?|{side[0]})\b|"
NORTH += r"\b0 ?(-|to|\.\.) ?3[56]\d|-\d\b|\b\d+ (directions|frequencies|bins|bands)\b|time ?zone\W+(utc|gmt)\b|"
NORTH += r"sampling (rate|frequency)\W+[\d.]+( hz)?|(frequency|direction) number"
TOKEN = r"\b[12]-?d\b|[^\W\d]+|(?<![a-z-])\d[\d.]*|/(?! ?\(?(?:s|sec\w*|hz|hertz|deg|rad|dir|m2))|[×÷]"
TOPIC = r"\b(dir|freq|directions?|angles?|azimuths?|bearings?|convention|scale[ds]?|scaling|units?|frequenc\w+|local|"
TOPIC += r"rad|bins?|swell|k?j|d?b|[dcm]m2?|power|action|wave ?number|encounter|gain)\b|side[ds]|seitig|factor|multipl|"
TOPIC += r"divid|densit|radian|calibrat|norm(al|iert)|offset|exponent|correct|sqrt|\blog|period|ampli|accelerat|flux|"
TOPIC += r"pressure|hz-1|per deg|/ ?hz|rotat|\breference|coordinates|time ?zone|relative|magnetic|cumul|angular|kreis|"
TOPIC += r"pulsa|\s[*x×] ?\.?\d"
"""Regular expressions for phrases that say what all readers assume; for tokens of texts; and for topics of sentences
that may change the meaning of numbers."""


def comments_of(lines: Iterable[str], more: str = "(?!)") -> list[tuple[str, str]]:
    """Return the lines that may concern the numbers, or have the topic `more`, each with an empty name."""
    topic = f"{TOPIC}|{more}"
    return [("", line) for line in lines if re.search(topic, f" {line.lower()}".replace("_", " ").translate(SYMBOLS))]


def not_understood(said: Iterable[tuple[str, str]], understood: str = "(?!)") -> str:
    """Return a remark that quotes each text, after its name, that has a word or number neither known nor part of an
    `understood` phrase; empty without."""
    quotes, known = dict[str, None](), {*KNOWN.split(), "1d", "2d", "1-d", "2-d"}
    for name, text in said:
        rest = re.sub(f"{understood}|{NORTH}", " ", text.lower().replace("_", " ").replace("**", "").translate(SYMBOLS))
        if not {*re.findall(TOKEN, rest)} <= known:
            quotes[f"{name} {clipped(plain(text.strip()), 90)!r}".strip()] = None
    more = f" and {len(quotes) - 4} more" if len(quotes) > 4 else ""
    return f"Not fully understood: {'; '.join([*quotes][:4])}{more}." if quotes else ""


def to_true_north(degrees: Array, said: Iterable[str], declination: float, name: str) -> Array:
    """Return directions from true north [degrees]. Those that a text calls magnetic are turned by the declination
    (positive to the east), or refused without it."""
    texts = [text for text in said if "true" not in text.lower()]
    told = [text for text in texts if re.search(MAGNETIC, text.lower().replace("_", " ").translate(SYMBOLS))]
    if told and math.isnan(declination):
        raise ContentError(f"{name} says {told[0][:60]!r}, but there is no magnetic_declination")
    return degrees + declination if told else degrees


def refuse_radians(values: Array, name: str) -> None:
    """Refuse directions in degrees whose values are all as small as radians."""
    if values.size > 2 and np.nanmax(np.abs(values), initial=0) < 2.25 * np.pi and (values % 1 > 0).any():
        raise ContentError(f"{name} has directions up to {np.nanmax(values):.3g}, as if in radians; check their units")


def in_degrees(values: Array, units: str) -> Array:
    if not re.match(rf"({'|'.join(ANGLES.values())})|$", said := units.lower().strip().translate(SYMBOLS)):
        raise ContentError(f"its directions have widths in the unknown units {units[:40]!r}")
    return np.degrees(values) if said.startswith("rad") else values


def is_angular(units: str, name: str, otherwise: object = False) -> bool:
    """Return whether frequencies are in rad/s, not in Hz. Units with "of" are descriptions, and ignored."""
    units = units.translate(SYMBOLS)
    if re.fullmatch(ANGULAR, units):
        return True
    if units and not re.fullmatch(HERTZ, units) and " of " not in units:
        raise ContentError(f"{name} has the units {units[:40]!r}, which are neither Hz nor rad/s")
    if otherwise and re.match("hz|hertz|c", units):  # 1/s may be rad/s
        raise ContentError(f"{name} has the units {units[:40]!r}, but is called angular")
    return bool(otherwise)


# -- Spreads -----------------------------------------------------------------------------------------------------------


def spread_of_coefficients(first: Array, second: Array) -> Array:
    """Return the distribution (f, 36) over RAW_DIRECTIONS [1/degree] that has these complex Fourier coefficients: the
    means of `exp(i theta)` and of `exp(2 i theta)` over directions theta that waves come from.

    Of all such distributions it has the maximum Shannon entropy (Simanesew et al. 2018). If measured coefficients
    contradict each other, the second one is changed.
    """
    is_missing = ~(np.maximum(np.abs(first), np.abs(second)) <= HUNDREDTHS)
    first, second = (np.where(is_missing, 0.0, one) for one in (first, second))
    first = first * MOST_R1 / np.maximum(np.abs(first), MOST_R1)
    beyond = second - first**2
    second = first**2 + beyond / np.maximum(np.abs(beyond) / (COMPATIBLE * (1 - np.abs(first) ** 2)), 1.0)
    angles = np.radians(np.arange(-4.5, 355.0))  # ten for each of RAW_DIRECTIONS
    basis = np.stack([part(n * angles) for n in (1, 2) for part in (np.cos, np.sin)])
    wanted = np.stack([first.real, first.imag, second.real, second.imag], axis=1)
    factors = np.zeros_like(wanted)
    for _ in range(NEWTON_STEPS):  # the logarithm of the distribution is `factors @ basis`, apart from a constant
        exponent = factors @ basis
        share = np.exp(exponent - exponent.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        found = share @ basis.T
        slope = np.einsum("fn,in,jn->fij", share, basis, basis) - found[:, :, None] * found[:, None]
        step = np.linalg.solve(slope + 1e-7 * np.eye(4), (wanted - found)[:, :, None])[:, :, 0]
        factors += step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True) / NEWTON_LENGTH, 1.0)
    return np.where(is_missing[:, None], np.nan, share.reshape(len(share), len(RAW_DIRECTIONS), -1).mean(axis=2))


def spread_of_cone(direction: Array, width: Array) -> Array:
    """Return the distribution (f, 36) over RAW_DIRECTIONS [1/degree] of a mean direction and a circular standard
    deviation [degrees], as `cos^2s` of half the angle with `s = 2 / width² - 1` (Kuik et al. 1988)."""
    if (known := width[width > 0]).size and (usual := np.median(known)) <= math.sqrt(2):  # a sea has more degrees
        raise ContentError(f"its directions have widths of about {usual:.3g}, as if in radians, but no units say so")
    if (most := known.max(initial=0.0)) > 360:
        raise ContentError(f"its directions have widths up to {most:.3g} degrees")
    s = np.clip(2 / np.radians(np.maximum(width, 1.0)) ** 2 - 1, 0.0, 500.0)[:, None]
    half = np.radians(RAW_DIRECTIONS - unmarked(direction, "direction")[:, None]) / 2
    spread = np.abs(np.cos(half)) ** (2 * s)
    return np.asarray(spread / (spread.mean(axis=1, keepdims=True) * 360))


def spread_of_buoy(alpha1: Array, alpha2: Array, r1: Array, r2: Array) -> Array:
    """Return `spread_of_coefficients` of NDBC's values, with marks for missing ones. The median of positive r1 and r2
    tells fractions from hundredths."""
    first, second = (unmarked(values, "direction") for values in (alpha1, alpha2))
    refuse_radians(np.append(first, second), "it")
    fractions = np.stack([unmarked(values, "fraction") for values in (r1, r2)])
    known = fractions[fractions > 0]  # bins without energy have zeros
    fractions *= 0.01 if len(known) and np.median(known) > HUNDREDTHS else 1.0
    fractions[(fractions < 0) | (fractions > HUNDREDTHS)] = np.nan
    turns = np.exp(1j * np.radians([first, 2 * second]))
    return spread_of_coefficients(*(np.minimum(fractions, 1.0) * turns))


def at_bins(frequency: Array, own: Array, values: Array) -> Array:
    """Return values from their `own` bins at the nearest bins of the densities; nan where none is near."""
    if np.array_equal(own, frequency):
        return values
    if not len(own) or len(frequency) < 2:
        return np.full(len(frequency), np.nan)
    nearest = np.abs(own - frequency[:, None]).argmin(axis=1)
    is_near = np.abs(own[nearest] - frequency) < np.abs(np.gradient(frequency)) / 2.001
    return np.where(is_near, values[nearest], np.nan)
