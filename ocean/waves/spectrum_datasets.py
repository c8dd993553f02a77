"""Spectra in NetCDF files and zarr folders, read by what the files say about units, axes and directions.

Programs that convert files change axes and units, and say so in attributes: these overrule the conventions of a format.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ocean.common.errors import clipped
from ocean.waves.dispersion import Array
from ocean.waves.spectrum_raw import (
    ANGLES,
    ANGULAR,
    DENSITY_UNIT,
    HERTZ,
    MAGNETIC,
    SCALES,
    SYMBOLS,
    TOPIC,
    UNSTATED,
    ContentError,
    RawSpectrum,
    comments_of,
    density_factor,
    in_degrees,
    is_angular,
    not_understood,
    number,
    numbers,
    refuse_others,
    refuse_radians,
    spread_of_buoy,
    spread_of_coefficients,
    spread_of_cone,
    to_true_north,
    unmarked,
)


class Convention(NamedTuple):
    """Variables of a format; the angle in the unit of densities; the unit of directions; whether waves come `from` them
    or go `to` them."""

    density: str
    frequency: str
    direction: str = ""
    per: str = "degree"
    unit: str = "degree"
    way: str = "from"


CONVENTIONS = {
    "wavespectra": (Convention("efth", "freq", "dir"),),
    "ww3": (
        Convention("efth", "frequency", "direction", "radian", "degree", "to"),
        Convention("SPEC", "freq", "direction", "radian", "degree", "to"),  # of MET Norway's WAM, as NORA3
        Convention("ef", "frequency"),
        Convention("ef", "f"),  # on a grid
    ),
    "ncswan": (
        Convention("density", "frequency", "direction", "radian", "radian"),
        Convention("energy_1d", "frequency"),
    ),
    "wwm": (Convention("AC", "SPSIG", "SPDIR", "radian", "radian"),),
    "era5": (
        Convention("d2fd", "frequency", "direction", "radian", "degree", "to"),
        Convention("d2fd", "frequencyNumber", "directionNumber", "radian", "degree", "to"),
    ),
    "ndbc": (
        Convention("spectral_wave_density", "frequency"),
        Convention("directionalWaveEnergyDensity", "waveFrequency", "waveDirectionBins"),  # of the USACE
        Convention("waveEnergyDensity", "waveFrequency"),  # of CDIP
        Convention("VSPEC1D", "FREQUENCY"),  # of Copernicus
    ),
}
"""Formats; a file has the first one whose variables for density and frequency it has."""
TIMES = "valid_time", "time", "ocean_time", "waveTime", "TIME"
PLACES = (
    ("latitude", "lat", "gpslatitude", "metastationlatitude", "metadeploylatitude"),
    ("longitude", "lon", "gpslongitude", "metastationlongitude", "metadeploylongitude"),
)
PARTS = r"(wave|spectral)?_?(part(ition)?|system|component)s?(_?(number|index|id))?"
POINTS = r"^(lat|lon)|station|site|point"
PLACED = rf"{POINTS}|buoy|platform|^[xy]$|^(r|grid_)?l(at|on)|node|location|^(ensemble_)?(member|number)$|realiz|step|"
PLACED += r"lead|obs|depth|^run$"
"""Regular expressions for axes of partitions, whose sum is the sea; of places with names or coordinates; and of all
places, each with a sea of its own."""
FLAGS, DOUBTED = ("waveFlagPrimary", "{}_QC"), (3, 4)
"""Names of quality flags of CDIP and Copernicus; their values for questionable and bad."""
PLATFORMS = "station", "platform_code", "wmo_platform_code"
STATIONS = "station_name", "station_id", "metaStationName"
HEIGHTS = (
    *("hs", "hm0", "vhm0", "wavehs", "swh", "wvht", "wave_height", "significant_wave_height"),
    "sea_surface_wave_significant_height",
)
PERIODS = (
    *("tp", "vtpk", "wavetp", "pp1d", "dpd", "dominant_wpd"),
    "sea_surface_wave_period_at_variance_spectral_density_maximum",
)
PEAKS = "fp", "peak_frequency", "sea_surface_wave_frequency_at_variance_spectral_density_maximum"
MEANS = "vmdr", "mwd", "thm", "th1m", "dm", "dir", "wavedp", "mean_direction", "sea_surface_wave_from_direction"
"""Names of times and stations; and, in lower case or as standard names, of latitudes, longitudes, significant
heights [m], peak periods [s], peak frequencies [Hz] and directions [degrees] of the sea."""
COEFFICIENTS = "mean_wave_dir", "principal_wave_dir", "wave_spectrum_r1", "wave_spectrum_r2"
"""NDBC's coefficients: directions [degrees] that waves come from; r1 and r2, as fractions or in hundredths."""
CONES = ("waveMeanDirection", "waveSpread"), ("theta_1d", "spread_1d"), ("th1m", "sth1m"), ("THETA1", "STHETA1")
FOURIER, SOFAR = ("waveA1Value", "waveB1Value", "waveA2Value", "waveB2Value"), ("a1", "b1", "a2", "b2")
"""Mean direction and circular spread [degrees] of CDIP, SWAN, WAVEWATCH III and Copernicus; coefficients of CDIP, and
of Sofar's library: where waves go, counter-clockwise from east."""
ALONE = r"(^|[;([,:=] *|\bdir\w*[ ,:([=-]*|\bwaves?[ (]*|\bdeg\w* )({})(?! *\w)"  # not as in "clockwise from north"
FROM = r"\b((com[ei]|propag|travel|arriv|appro)\w*|waves?|are|is)[- ]from\b(?! *\d)|= *from\b|"
FROM += r"\bfrom( wh|[- ]dir(?!ectional))|"
FROM += r"\borigin\b|einfall|herkunft|kommen|proven(anc|ienz)|proceden|\b(vien(t|nent|en?)|venant|vengono)\b|whence|"
TO = r"(?<!positive )\btowards?\b(?! (the )?(\w+ (is )?positive|east))|"  # not as in "towards east positive"
TO += r"\bto wh|\b(waves?|go|going|travel\w*)[- ]to\b|= *to\b|\bto[- ]direction\b|"
TO += r"(?<!buoy )(?<!ship )\bheading(?! sensor)|"
TO += r"\bwohin\b|\bvers (où|l[ae]quel)|\bhacia (donde|(el|la) (cual|que))|\bverso (cui|(il|la) quale)|"
WAYS = {"from": FROM + ALONE.format("from"), "to": TO + ALONE.format("to")}
CONVENTIONAL = {"from": r"\bnautical|meteorologic|\bincoming", "to": r"oceanographic|\boutgoing"}
ABOUT_DIRECTIONS = r"^(convention|directions?)$|^(?!.*(wind|current|drift|ship|sensor)).*dir.*"
ABOUT_DIRECTIONS += r"(convention|reference|type|sense)"  # names of attributes
MOVING = r"propagat|travel|waves? (are )?(mov|head)|energy flux|flow conv|downwave|"
MOVING += r"wave vector|ausbreit|laufen|= *northw"
CARTESIAN = r"\b(counter|anti)[- ]?clockwise|\bccw\b|cartesian|\bmath|trigonometric|\b0\W*(deg\w*|is)?\W*east"
"""Regular expressions for the words of attributes that say where waves come from or go, and how angles are measured."""
TURNING = rf"({FROM}{TO}{ALONE.format('from|to')}|{MOVING}|{CARTESIAN}|{'|'.join(CONVENTIONAL.values())}|{MAGNETIC})"
TURNING += r"\w*( (from )?(the )?(east))?"
UNDERSTOOD = rf"(from (spectral )?moments|angular|per (deg|rad|hz|hertz)|{ANGULAR}|significant wave height|wave period|"
UNDERSTOOD += r"base ten logarithm( of)?|multiply with scale (density|energy 1d)|"
UNDERSTOOD += r"longuet-higgins short-crestedness parameter \(s in cos\(theta/2\)2s\))\w*"
WITHOUT_MEANING = r".*(fill_?value|missing_?value|valid_|range|qc|quality|flag|grib|ioos|ncei|nodc|sdn|colorbar|table|"
WITHOUT_MEANING += r"bounds|accuracy|resolution|uncertain|precision|digit|instrument|sensor|indicator|type_of_an|"
WITHOUT_MEANING += r"platform|globwave|keyword|geospatial|time_cover|vocabulary|licen|acknowledg|creator|publish|"
WITHOUT_MEANING += r"contribut|code|typeoflevel|short_?name).*|_.*|area|axis|content|associates|coordinates|"
WITHOUT_MEANING += r"grid_(mapping|type)|cell_methods|cf_role|history|citation|references|source|data_mode|institution|"
WITHOUT_MEANING += r"calendar|param\w*|magnetic_decl\w*|ancillary\w*|fl?high|flow|m[sd]c|part\d.*|dt|delta_t|swan_name"
"""Regular expressions for phrases that are understood, and for names of attributes that do not concern the numbers."""
FACTORS = r"(?i)^(?!meta|.*check|scale_(density|energy_1d)$).*"
FACTORS += r"(scale|factor|offset|rotat|declin|correct|gain|normal|calibrat|heading|yaw|encount)"
"""Regular expression for variables that may change densities or directions."""
TURNED = r"((counter|anti)[- ]?clockwise|\bccw)( from| of|.*\b0\W*(deg\w*)?\W*(is|at)?) ?(the )?(\w+ )?north|"
TURNED += r"rotated .*north"
"""Regular expression for angles counter-clockwise from the north, which no format has, or from that of a grid."""
DENSITIES = r"sea_surface_wave_(directional_)?variance_spectral_density"  # standard names, not those of swell alone
MOST_NUMBERS = 90  # largest number of directions 1, 2, ... that may be indices
LOG_FLOOR = 1e-12  # added to densities before WAVEWATCH III takes their logarithm
ERA5_FREQUENCY, ERA5_RATIO, CIRCLES, BINS = 0.03453, 1.1, (24, 36), (29, 30, 36)
"""First frequency [Hz] of ECMWF's numbered axis, ratio of each frequency to the one before it, and how many directions
and frequencies ERA5 and the forecasts have."""


class Spectra(NamedTuple):
    """Spectra of all times and places of a file, not loaded yet; times ascend.

    dataset: an `xarray.Dataset` with the variable `density`; `axes` names its axes of frequency and direction, and
        `time_axis` that of time, or else the only time; empty without times.
    convert: returns the density (f, d) [m²/Hz/degree] or (f, 1) [m²/Hz] of stored values of the same shape.
    is_unnamed, remark: as in RawSpectrum.
    """

    dataset: Any
    density: str
    axes: tuple[str, ...]
    time_axis: str
    frequency: Array
    coming_from: Array | None
    convert: Callable[[Array], Array]
    is_unnamed: bool
    remark: str

    @property
    def times(self) -> list[str]:
        axis = self.time_axis
        return [_text(time)[:16] for time in np.ravel(self.dataset[axis].values)] if axis else []

    @property
    def places(self) -> dict[str, int]:
        """Sizes of the axes of places."""
        sizes = self.dataset[self.density].sizes
        return {str(name): size for name, size in sizes.items() if name not in (*self.axes, self.time_axis)}

    @property
    def stations(self) -> list[str]:
        """The names of all stations, in the order of the axes of places; empty without names."""
        numbers = range(math.prod(self.places.values()))
        names = [name for name in (*STATIONS, *self.places) if name in self.dataset.variables]
        name = next((name for name in names if self.dataset[name].dtype.kind in "SUO"), "")
        if name or len(numbers) == 1:
            whole = next((str(self.dataset.attrs[key]) for key in PLATFORMS if key in self.dataset.attrs), "")
            return [_text(self._part(name, 0, number)) if name else whole for number in numbers]
        axes = [axis for axis in self.places if not re.match("lat|lon", axis)]  # shown beside the name
        index = dict(zip(self.places, np.unravel_index(numbers, [*self.places.values()]), strict=True))
        values = [[f"{axis}={value}" for value in self.dataset[axis].values[index[axis]]] for axis in axes]
        return [",".join(names) for names in zip(*values, strict=True)] or [""] * len(numbers)

    def _part(self, name: str, time: int, station: int) -> Any:
        """Return the values of a variable at a time and a station, in the order of the axes."""
        places = np.unravel_index(station, [*self.places.values()] or [1])
        chosen = {axis: int(i) for axis, i in zip(self.places, places, strict=False)} | {self.time_axis: time}
        variable = self.dataset[name]
        one = variable.isel({axis: i for axis, i in chosen.items() if axis in variable.dims})
        return one.transpose(*(axis for axis in self.axes if axis in one.dims), ...).values

    def at(self, time: int, station: int) -> RawSpectrum:
        """Return the spectrum at the indices of a time and a station (in the order of the axes), without its name."""
        variables, part = self.dataset.variables, partial(self._part, time=time, station=station)

        def first(names: Iterable[str]) -> str:
            chosen, sizes = {self.time_axis, *self.places}, self.dataset.sizes
            rest = [each for each in variables.items() if all(sizes[axis] == 1 for axis in {*each[1].dims} - chosen)]
            keys = (key for name in names for key, one in rest if name in (key.lower(), one.attrs.get("standard_name")))
            return str(next(keys, ""))

        def value(names: Iterable[str]) -> float:
            if not (name := first(names)):
                return math.nan
            scale = 1.0 if names in PLACES else SCALES.get(_units(self.dataset[name]), math.nan)
            return number(np.squeeze(part(name))) * scale

        density = np.asarray(part(self.density), np.float64)
        if (scale := f"scale_{self.density}") in variables:  # of SWAN's 16-bit integers
            stored = variables[self.density]
            if np.dtype(stored.encoding.get("dtype", int)).kind == "f" and "scale" not in str(stored.attrs):
                raise ContentError(f"{self.density} does not say whether it is already multiplied by {scale}")
            density = density * part(scale)
        density = density.reshape(len(self.frequency), -1)
        if self.density == "spectral_wave_density":
            density = unmarked(density, "density")
        stated = {"height": value(HEIGHTS), "peak_period": value(PERIODS)}
        if (peak := value(PEAKS)) > 0 and math.isnan(stated["peak_period"]):
            stated["peak_period"] = 1 / peak
        flags = {name.format(self.density) for name in FLAGS} & {*variables}
        if mean := first(MEANS):
            with suppress(ContentError):  # a statement only
                stated["direction"] = number((self._directions(mean, part) % 360).squeeze())
        return RawSpectrum(
            self.frequency,
            self.convert(density),
            self.coming_from,
            self._spread(part),
            (self.times or [""])[time],
            place=(value(PLACES[0]), value(PLACES[1])),
            stated=stated,
            remark=" ".join(
                [self.remark]
                + [f"{one} marks it as questionable or bad." for one in flags if np.isin(part(one), DOUBTED).any()]
            ),
            is_directed=bool(mean or {COEFFICIENTS[0], *(each for each, _ in CONES)} & {*variables}),
            is_unnamed=self.is_unnamed,
        )

    def _directions(self, name: str, part: Callable[[str], Any]) -> Array:
        """Return the directions in a variable that waves come from [degrees], nan where they are missing."""
        values = unmarked(part(name), "direction").ravel()
        return _coming_from(self.dataset[name], values, self.dataset.attrs, "degree", "from")

    def _spread(self, part: Callable[[str], Any]) -> Array | None:
        """Return the spread (f, 36) [1/degree] of the coefficients or widths of a spectrum; None without them."""
        variables = self.dataset.variables
        known, directions = {name for name, one in variables.items() if self.axes[0] in one.dims}, self._directions
        if self.density == "variance_density" and {*SOFAR} <= known:
            a1, b1, a2, b2 = map(numbers, map(part, SOFAR))
            from_east: Any = -1j
            return spread_of_coefficients(from_east * (a1 - 1j * b1), from_east**2 * (a2 - 1j * b2))
        for mean, cone in reversed(CONES):
            if {mean, cone} <= known:
                width = in_degrees(numbers(part(cone)), _units(self.dataset[cone]))
                return spread_of_cone(directions(mean, part), width)
        if {*COEFFICIENTS} <= known:
            turns = (directions(name, part) for name in COEFFICIENTS[:2])
            return spread_of_buoy(*turns, *map(part, COEFFICIENTS[2:]))
        if {CONES[0][0], *FOURIER} <= known:
            a1, b1, a2, b2 = map(numbers, map(part, FOURIER))
            turn = np.exp(1j * np.radians(directions(CONES[0][0], part)))
            return spread_of_coefficients(np.hypot(a1, b1) * turn, a2 + 1j * b2)
        return None


def open_dataset(path: Path, format: str) -> Spectra:
    """Return the spectra of a file or folder, whose variables tell the format if it is `netcdf`. A `json` file
    has wavespectra's conventions.

    Raises:
        ContentError: when variables are of another format, or attributes contradict it or have unknown units.
    """
    import xarray

    if format == "json":
        return spectra_of(xarray.Dataset.from_dict(json.loads(path.read_bytes())), CONVENTIONS["wavespectra"][0])
    dataset = xarray.open_dataset(path, engine="zarr" if path.is_dir() else None, decode_times=False)
    with suppress(ValueError):  # times in units of varying length, such as months, stay numbers
        dataset = xarray.decode_cf(dataset, decode_timedelta=False)
    names = {*map(str, dataset.variables), *map(str, dataset.dims)}
    kinds = [(kind, one) for kind, each in CONVENTIONS.items() for one in each if {one.density, one.frequency} <= names]
    found, convention = next(iter([*kinds, *(("netcdf", one) for one in _by_standard_names(dataset))]), ("", None))
    if convention is None:
        named = ", ".join(sorted(names))[:200] or "none outside of groups"
        raise ContentError(f"its variables ({named}) are not those of a known format")
    if format not in ("netcdf", found):
        raise ContentError(f"its variables are those of {found}")
    numbered, remark = _numbered(dataset, convention) if found == "era5" else (dataset, "")
    spectra = spectra_of(numbered, convention)
    return spectra._replace(remark=f"{spectra.remark}{remark}".strip())


def _by_standard_names(dataset: Any) -> Iterator[Convention]:
    """Yield conventions of densities with units that standard names of CF tell, with their axes, directional ones
    first. Sofar's library leaves out the name of directions."""
    names = {str(name): str(one.attrs.get("standard_name", "")) for name, one in dataset.variables.items()}
    for density in sorted(names, key=lambda name: "directional" not in names[name]):
        if re.fullmatch(DENSITIES, names[density]) and _units(dataset[density]):
            axes = [str(axis) for axis in dataset[density].dims]
            frequency = next((axis for axis in axes if re.search("wave_frequency$", names.get(axis, ""))), "")
            direction = next((axis for axis in axes if re.search("direction$", names.get(axis) or axis)), "")
            if frequency and bool(direction) == ("directional" in names[density]):
                yield Convention(density, frequency, direction, "radian")


def spectra_of(dataset: Any, convention: Convention) -> Spectra:
    """Return the spectra of a dataset, whose attributes overrule a convention.

    Raises:
        ContentError: when an attribute contradicts others, or has an unknown unit.
    """
    density, frequency, direction, _, unit, way = convention
    if frequency not in dataset.variables or dataset[frequency].ndim != 1:
        raise ContentError(f"its axis {frequency} has no values, or not one for each frequency")
    dataset, time_axis = _in_order_of_time(_without_parts(dataset, convention), density)
    called = [str(name) for name in dataset[density].dims if re.search("dir|theta|angle", str(name).lower())]
    direction = next((name for name in (direction, *called) if name in dataset.variables), "")
    axis, said = dataset[frequency], _units(dataset[density])
    angular, is_unnamed = _is_angular(axis, frequency)
    values = np.asarray(axis.values, np.float64) / (2 * np.pi if angular else 1)
    measure = _measure_of(dataset[density], density, convention.per)
    factor = density_factor(measure.units, density, direction != "", angular, measure.per)
    if density == "AC":  # action density
        dataset = dataset.assign(AC=dataset["AC"] * axis)

    def convert(read: Array) -> Array:
        if density == "d2fd" and not np.isnan(read).all():  # land has no values; elsewhere, nan means no energy
            if not (read < 0).any():
                raise ContentError("d2fd has no value below 0, so its values are not logarithms")
            read = np.nan_to_num(read, nan=-np.inf)
        return factor * (np.maximum(10.0**read - LOG_FLOOR, 0.0) if "log10" in said else read)

    wanted = density, frequency, direction, time_axis, *COEFFICIENTS[:2], *np.ravel(CONES)
    names = [str(name) for name in wanted if name in dataset.variables]
    remark, is_swan = _remark(dataset, density, frequency, names), convention in CONVENTIONS["ncswan"]
    if is_swan:
        dataset, assumed = _with_swan_directions(dataset, convention, {direction, "theta_1d"} & {*names})
        remark += assumed
    # WAM and wavespectra describe their densities, and WWM and ECMWF have one convention
    is_own = density == "SPEC" or (direction == "dir" and "deg" in measure.units)
    is_own = density in ("AC", "d2fd") or (is_own and "standard_name" in dataset[density].attrs)
    remark += _assumptions(dataset, convention, direction, time_axis, names)
    if direction and not (measure.names_angle or (is_own and measure.units)):
        lacking = "units" if measure.units in UNSTATED else "angle in its units"
        remark += f" {density} has no {lacking}, and is assumed to be per Hz and {measure.per}."
    if not direction:
        if not angular and re.search(r"\brad", said):
            raise ContentError(f"{density} has the units {said[:40]!r}, but {frequency} is in Hz")
        if called:
            raise ContentError(f"its axis {called[0]} has no values")
        return Spectra(dataset, density, axis.dims, time_axis, values, None, convert, is_unnamed, remark)
    turns, attributes = dataset[direction], dataset.attrs | dataset[density].attrs
    _check_directions(turns, unit, measure)
    if not (is_own or is_swan):
        remark += _unsaid(turns, attributes, way)
    comes = _coming_from(turns, turns.values.astype(np.float64), attributes, unit, way)
    axes = *axis.dims, *turns.dims
    return Spectra(dataset, density, axes, time_axis, values, comes, convert, is_unnamed, remark)


def _without_parts(dataset: Any, convention: Convention) -> Any:
    """Return a dataset with the sum of partitions, or their total if they hold it."""
    density, frequency, direction, *_ = convention
    for axis in [axis for axis in dataset[density].dims if re.fullmatch(PARTS, str(axis))]:
        if "log" in _units(dataset[density]):
            raise ContentError(f"its {axis} has logarithms, which can't be summed")
        total = added = dataset[density].sum(axis, min_count=1, keep_attrs=True)
        for place in (0, -1):  # one that is nowhere below the rest may be the total
            part = dataset[density].isel({axis: place}, drop=True).fillna(0)
            rest = added.fillna(0) - part
            small = 1e-3 * part.max([name for name in (frequency, direction) if name in part.dims])
            if not (part < 0.9 * rest - small).any():
                if rest.where(rest > small).sum() < 0.9 * part.where(rest > small).sum():
                    said = "which may be the total or a part: leave out the total, or all others"
                    raise ContentError(f"its {axis} has an entry nowhere below the sum of the others, {said}")
                total = part.where(added.notnull())
        dataset = dataset.assign({density: total})
    return dataset


def _in_order_of_time(dataset: Any, density: str) -> tuple[Any, str]:
    """Return a dataset whose times ascend, and the name of the time axis or else of the only time; empty without."""
    dataset = dataset.set_coords([name for name in TIMES if name in dataset.variables])
    for name in [name for name in TIMES if name in dataset.variables and dataset[name].dtype.kind in "SUO"]:
        dataset = dataset.assign_coords({name: (dataset[name].dims, _moments(dataset[name].values, name))})
    dated = [(dataset[name].dims, name) for name in _dated(dataset[density]) if name in dataset[density].coords]
    along = [(axes[0], name) for axes, name in dated if len(axes) == 1 and not re.search(POINTS, str(axes[0]))]
    dataset = dataset.swap_dims(dict(along[:1]))  # dates replace the counter of a track, and the start of a forecast
    times = [name for name in _dated(dataset[density]) if name in dataset[density].dims]
    time_axis = next(iter([*times, *(name for axes, name in dated if not axes)]), "")
    if time_axis in dataset.indexes:
        dataset = dataset.isel({time_axis: np.flatnonzero(dataset[time_axis].notnull())}).sortby(time_axis)
    return dataset, time_axis


def _moments(values: Any, name: str) -> Any:
    """Return times that a file has as texts; a single one may be of any form."""
    import pandas

    texts = [_text(one).removesuffix("UTC").strip().replace("_", "T") for one in np.ravel(values)]
    try:
        moments = pandas.to_datetime(texts, format="ISO8601", utc=True).tz_localize(None)
    except ValueError:
        if len(texts) == 1:
            return values
        raise ContentError(f"{name} has {clipped(texts[0], 40)!r}, not a time such as 2024-01-15 12:00") from None
    return moments.to_numpy().reshape(np.shape(values))


def _is_angular(axis: Any, name: str) -> tuple[bool, bool]:
    """Return whether frequencies are in rad/s, and whether nothing says that they are in Hz."""
    texts = [value for key, value in axis.attrs.items() if "name" in key or not (_units(axis) or "unit" in key.lower())]
    named = re.search(r"(?i)(?<!not )(angular|radian|omega|spsig|\brad ?/ ?s)", str([name, *texts]))
    angular = is_angular(_units(axis), name, named)
    return angular, not (angular or _units(axis) or re.search(r"(?i)\bhz\b|hertz", str(axis.attrs)))


class _Measure(NamedTuple):
    """Name of a density, its units without logarithms, the angle that they are per, and whether anything names this
    angle."""

    density: str
    units: str
    per: str
    names_angle: bool


def _measure_of(variable: Any, name: str, per: str) -> _Measure:
    """Return the measure of a density, which is `per` an angle if its attributes name none."""
    units = re.sub(r"log10|\+ *1?e-?\d+|[()]", " ", _units(variable)).strip()
    texts = [str(value) for key, value in variable.attrs.items() if not re.match("units?$|_", key)]
    words = "; ".join(texts).lower().replace("_", " ")
    refuse_others("" if "log10" in _units(variable) else words)
    told = [one[0] for one in re.finditer(rf"{DENSITY_UNIT}|per (deg|rad)", words.translate(SYMBOLS))]
    if told and len({angle for one in (units, *told) for angle in re.findall(r"deg|rad(?!\w*[ /]+s\b)", one)}) > 1:
        raise ContentError(f"{name} says both per degree and per radian: {', '.join((units, *told))[:80]!r}")
    if word := re.search(r"per (deg|rad)", words):
        return _Measure(name, units, {"deg": "degree", "rad": "radian"}[word[1]], True)
    if not re.search("deg|rad|°", units) and (found := re.search(DENSITY_UNIT, words.translate(SYMBOLS))):
        units = found[0]
    return _Measure(name, units, per, re.search("deg|rad", units) is not None)


def _with_swan_directions(dataset: Any, convention: Convention, means: Iterable[str]) -> tuple[Any, str]:
    """Return SWAN's dataset, whose directions are Cartesian if they were and lost their convention; and a remark."""
    remark = ""
    if any(re.search(ABOUT_DIRECTIONS, key.lower()) for key in dataset.attrs):
        return dataset, remark
    for mean in means:
        named = dataset[mean].attrs.get("standard_name", "")
        if "to_direction" in named and (mean == "theta_1d" or re.match("rad", _units(dataset[mean]))):
            dataset = dataset.assign_attrs(Directional_convention="cartesian")
            remark += f" {mean} is assumed to be counter-clockwise from east, as SWAN writes {named}."
        remark += _unsaid(dataset[mean], dataset.attrs | dataset[convention.density].attrs, convention.way)
    return dataset, remark


def _assumptions(dataset: Any, convention: Convention, direction: str, time_axis: str, names: Iterable[str]) -> str:
    """Return remarks on variables that are not used, and on axes whose meaning is assumed."""
    density, axis = convention.density, dataset[convention.frequency]
    others = {*axis.dims} if convention not in sum(CONVENTIONS.values(), ()) else set()
    used, remark = {*names, *(SOFAR if density == "variance_density" else ())}, ""
    unused = [str(name) for name in {*dataset.variables} - used if others & {*dataset[name].dims}]
    if unused := [name for name in map(str, dataset.variables) if re.search(FACTORS, name) or name in unused]:
        remark = f" Its variables {clipped(', '.join(unused), 80)} are not used."
    spectral = {*axis.dims, *(dataset[direction].dims if direction else ()), time_axis}
    for name in {*dataset[density].dims} - spectral:
        if dataset.sizes[name] > 1 and not re.search(PLACED, str(name).lower()):
            remark += f" The axis {name} is unknown, and is assumed to be one of places."
    return remark


def _check_directions(turns: Any, unit: str, measure: _Measure) -> None:
    """Refuse directions that are no numbers or may be indices, and radians beside a density without units."""
    name = turns.name
    if turns.dtype.kind not in "iuf":
        raise ContentError(f"{name} has a direction that is not a number")
    angle = next((name for name, pattern in ANGLES.items() if re.match(pattern, _units(turns))), unit)
    if angle not in (unit, measure.per) and not measure.units:
        raise ContentError(f"{name} is in {angle}s, but no units of {measure.density} name its angle")
    turned = np.unique(turns.values)
    if 2 < len(turned) <= MOST_NUMBERS and turned[0] in (0, 1) and (np.diff(turned) == 1).all():
        said = "if they are degrees, add a direction without waves, such as 180"
        raise ContentError(f"{name} has {turned[0]:g} to {turned[-1]:g}, which may be indices; {said}")


def _numbered(dataset: Any, convention: Convention) -> tuple[Any, str]:
    """Return ERA5's dataset of logarithms of densities, with values on axes that have ECMWF's numbers from 1; and a
    remark if they may be numbers of other axes, as in ERA-40. Other axes keep their values and attributes."""
    _, frequency, direction, *_ = convention
    axes, remark = {}, ""
    for name, unit, known in (frequency, "Hz", HERTZ), (direction, "degree", ANGLES["degree"]):
        axis = np.asarray(dataset[name].values, np.float64) + (name not in dataset.variables)  # else counts from 0
        said = {key: value for key, value in dataset[name].attrs.items() if value not in ("1", "~")}  # units of GRIB
        circle = next((count for count in CIRCLES if axis.max() <= count), 0)
        if (axis == np.rint(axis)).all() and (name == frequency or circle):
            if axis.min() < 1:
                raise ContentError(f"{name} has the number {axis.min():g}; ECMWF counts from 1")
            if name == direction and len(axis) < circle == CIRCLES[0]:
                remark += f" Its directions, {axis.min():g} to {axis.max():g}, are assumed to be numbers of {circle}."
            if name == frequency and axis.max() not in BINS:
                remark += f" Its frequencies, {axis.min():g} to {axis.max():g}, are assumed to be numbers of ERA5's 30."
            axis = ERA5_FREQUENCY * ERA5_RATIO ** (axis - 1) if name == frequency else 360 / circle * (axis - 0.5)
            if not re.fullmatch(rf"(({known})\w*)?", units := str(said.get("units", "")).lower()):
                raise ContentError(f"{name} has the units {units[:40]!r}, but its numbers stand for {unit}")
            said |= {"units": unit}
        axes[name] = (name, axis, said)
    units = re.sub(r"log(10)?|^[1~]$|[()]", " ", _units(dataset["d2fd"])).strip()
    if density_factor(units, "d2fd", True, False, "radian") != np.pi / 180:
        raise ContentError(f"d2fd has the units {units[:40]!r}, but ECMWF has densities per Hz and radian")
    return dataset.assign(d2fd=dataset["d2fd"].assign_attrs(units="log10(m2 s rad-1)")).assign_coords(axes), remark


def _remark(dataset: Any, density: str, frequency: str, names: Iterable[str]) -> str:
    """Return a remark that quotes what no reader understands in attributes of variables and of the file. Words that
    turn directions are understood where they do so: beside directions, and in attributes named after them."""
    own, rest, whole = list[tuple[str, str]](), list[tuple[str, str]](), list[tuple[str, str]]()
    parsed = rf"units? = ({HERTZ}|{ANGULAR}|{ANGLES['radian']}( clockwise)?)"
    for name, key, value in [(each, *one) for each in names for one in dataset[each].attrs.items()]:
        text, is_turning = f"{key} = {value}", name != density or re.search(ABOUT_DIRECTIONS, key.lower())
        if re.fullmatch(WITHOUT_MEANING, key.lower()) or str(value).strip().lower() in ("", "unknown"):
            text = str(value) if re.search(TOPIC, str(value).lower()) else ""
        if not re.fullmatch(f"|{parsed if is_turning else 'units? =.*'}", text.lower()):
            (rest if is_turning else own).append((name, text))
    named = [text for name, text in rest if name == frequency and re.match("(long|standard)_name", text)]
    if named and not re.search("(?i)freq|hz", str(named)):
        rest.append((frequency, "not a frequency: " + named[0]))
    for key, value in dataset.attrs.items():
        if re.search(ABOUT_DIRECTIONS, key.lower()):
            rest += [(key, str(value))] if not re.match("cf|coards", str(value).lower()) else []
        elif not re.fullmatch(rf"(metadata_)?conventions|{WITHOUT_MEANING}", key.lower()):
            sentences = re.split(r"[.;\n](?:\s|$)", f"{key} = {value}")
            calm = [one for one in sentences if not re.search(r"(?i)^(?!.*\bwave).*\bwind", one)]
            whole += comments_of(calm) + [("", one) for one in calm if re.search(CARTESIAN, one.lower())]
    bins = r"\b(bin|band)s?\b"
    remark = not_understood(own, rf"{DENSITY_UNIT}|{UNDERSTOOD}|{bins}(?=.*densit)")
    remark = f"{remark} {not_understood(rest, f'{TURNING}|{UNDERSTOOD}|{bins}')}"
    return f"{remark} {not_understood(whole, rf'significant wave height|wave period|{bins}')}".strip()


def _dated(one: Any) -> list[str]:
    """Return all names that the time axis may have: those of TIMES, and of other coordinates with dates."""
    others = (str(name) for name, values in one.coords.items() if values.dtype.kind == "M" and name not in TIMES)
    return [*TIMES, *others]


def _text(values: Any) -> str:
    """Return the text of a variable, which may be an array of letters."""
    return "".join(one.decode() if isinstance(one, bytes) else str(one) for one in np.ravel(values)).strip(" \0")


def _units(variable: Any) -> str:
    said = next((value for key, value in variable.attrs.items() if key.lower() in ("units", "unit")), "")
    return str(said).lower().strip().replace("°", "deg")


def _coming_from(axis: Any, values: Array, attributes: Mapping[str, Any], unit: str, way: str) -> Array:
    """Return the directions that waves come from [degrees from true north]. `unit` and `way` are those of the format,
    which attributes overrule."""
    units = _units(axis)
    named = [name for name, pattern in ANGLES.items() if re.match(rf"({pattern})([mt]?\b)", units.replace("_", " "))]
    if units and not named and " " not in units:  # WWM describes the axis there, in words
        raise ContentError(f"{axis.name} has the unknown units {units[:40]!r}")
    if (named or [unit])[0] == "degree":
        refuse_radians(values, str(axis.name))
    attributes = {name.lower(): value for name, value in (*attributes.items(), *axis.attrs.items())}
    convention = str(attributes.get("directional_convention", "")).lower()
    beside = [value for name, value in attributes.items() if re.search(ABOUT_DIRECTIONS, name)]
    texts = [str(value).lower().replace("_", " ") for value in (*axis.attrs.values(), *beside)]
    is_cartesian = bool(re.search(CARTESIAN, "; ".join(texts)))
    if odd := re.search(TURNED, "; ".join(texts)):
        raise ContentError(f"{axis.name} says {odd[0]!r}, not clockwise from north or counter-clockwise from east")
    of_convention = _ways(convention) | ({"to"} if re.search(CARTESIAN, convention) else set())
    if convention and not of_convention:
        said = "is neither nautical nor cartesian, from nor to"
        raise ContentError(f"Directional_convention = {convention[:40]!r} {said}")
    ways = of_convention.union(*map(_ways, texts))
    if len(ways) > 1:
        told = f", with Directional_convention = {convention[:40]!r}" if convention else ""
        raise ContentError(f"{axis.name} says both from and to: {'; '.join(texts)[:120]!r}{told}")
    ways = ways or {"to" if is_cartesian or re.search(MOVING, "; ".join(texts)) else way}
    degrees = np.degrees(values) if (named or [unit])[0] == "radian" else values
    degrees = 90 - degrees if is_cartesian else degrees
    declination = number(next((value for name, value in attributes.items() if "declination" in name), math.nan))
    degrees = to_true_north(degrees, map(str, axis.attrs.values()), declination, axis.name)
    return degrees if ways == {"from"} else degrees + 180


def _unsaid(axis: Any, attributes: Mapping[str, Any], way: str) -> str:
    """Return a remark if no attribute says whether waves come from directions or go to them."""
    sides = [_coming_from(axis, np.zeros(1), attributes, "radian", one) for one in ("from", "to")]
    said = f" {axis.name} does not say whether waves come from it or go to it; {way!r} is assumed."
    return "" if np.array_equal(sides[0], sides[1]) else said


def _ways(text: str) -> set[str]:
    """Return the ways that a text states: from, to, or both; only the first in "from which waves travel to ..."."""
    phrases = [way for way, pattern in WAYS.items() if re.search(pattern, text)][:1]
    return {*phrases, *(way for way, pattern in CONVENTIONAL.items() if re.search(pattern, text))}
