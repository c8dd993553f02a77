"""Time series of the surface at points, fixed or moving, and of a field of points: numbers, statistics and files.

`Sea.series` computes them. CSV has a row for each time and point; NetCDF follows the CF conventions 1.10.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ocean.common.console import Progress, say
from ocean.common.errors import read_bytes, reason, shown
from ocean.common.files import system_errors, whole_files, writing
from ocean.export.maps import HEIGHT, Part
from ocean.export.plan import LATEST, ExportError, Patch, pair
from ocean.export.sources import own_context
from ocean.sea.base import Series
from ocean.sea.sea import make_sea
from ocean.settings import Settings, to_toml
from ocean.waves.dispersion import Array
from ocean.waves.surface import FARTHEST

COLUMNS = {
    "elevation": HEIGHT,
    "velocity_east": Part("velocity of the water eastward", "m s-1", "eastward_sea_water_velocity"),
    "velocity_north": Part("velocity of the water northward", "m s-1", "northward_sea_water_velocity"),
    "velocity_up": Part("velocity of the water upward", "m s-1", "upward_sea_water_velocity"),
    "slope_east": Part("slope of the surface, dh over distance eastward"),
    "slope_north": Part("slope of the surface, dh over distance northward"),
}


@dataclass(frozen=True)
class SeriesStatistics:
    """Statistics of the elevation over all points: significant height [m] and mean period Tm02 [s] from the moments of
    the periodogram, number of upward crossings of the mean water level, and skewness. One time has no period."""

    hs: float
    tm02: float
    crossings: int
    skewness: float


MOST_VALUES = 20_000_000  # maximum number of points times times: 1.2 GB of a file of CSV
FEWEST, MANY = 4, 10
"""Times per mean period, and mean periods, without a remark. The vertical velocities tell the mean period."""
MOST_TEXT = 1 << 28  # bytes of a file of points


def positions(at: Sequence[str], file: Path | None, patch: str | None, spacing: float) -> tuple[Array, Array]:
    """Return the positions x and z [m] of points that are named one by one and in a file, (n,), or of a field of points
    around the one that is named, (rows, columns)."""
    named = [pair("--at", text, ",") for text in at]
    if file is not None:
        try:
            text = read_bytes(file, MOST_TEXT).decode("utf-8-sig")
        except OSError as error:
            raise ExportError(f"--points = {shown(str(file))} can't be read: {reason(error)}") from None
        except ValueError as error:
            why = "it is not text" if isinstance(error, UnicodeDecodeError) else error
            raise ExportError(f"--points = {shown(str(file))} can't be read: {why}") from None
        lines = [line.partition("#")[0].replace(",", " ").split() for line in text.splitlines()]
        named += [pair("--points", " ".join(line), " ") for line in lines if line]
        if not any(lines):
            raise ExportError(f"--points = {shown(str(file))} has no point")
    if patch is None:
        x, z = np.array(named or [(0.0, 0.0)]).T
        return x, z
    if len(named) > 1:
        raise ExportError("--patch has one centre: leave out --points, and name one --at")
    x, z = np.meshgrid(*Patch(*pair("--patch", patch, "x"), spacing, named[0] if named else (0.0, 0.0)).axes)
    return x, z


def write(
    settings: Settings,
    out: Path,
    where: tuple[Array, Array],
    *,
    moving: tuple[float, float],
    start: float,
    duration: float,
    rate: float,
    device: str,
) -> None:
    """Compute the series of a sea, write it to a file, and print its statistics."""
    if not (abs(start) <= LATEST and duration <= LATEST):
        raise ExportError(f"--start = {start:g} s and --duration = {duration:g} s must be at most {LATEST:g} s")
    places = *where, *(np.add.outer(duration * speed, axis) for speed, axis in zip(moving, where, strict=True))
    if not all(np.all(np.abs(place) <= FARTHEST) for place in places):
        raise ExportError(f"points must stay within {FARTHEST:g} m of 0,0: name others, another --moving or --duration")
    count = math.floor(duration * rate + 1e-9) + 1
    if count * where[0].size > MOST_VALUES:
        raise ExportError(f"{count} times at {where[0].size} points are more rows than {MOST_VALUES}, the most")
    times = start + np.arange(count) / rate
    if out.suffix not in (".csv", ".nc"):
        raise ExportError(f"--out = {shown(str(out))}: a series is written to .csv or .nc")
    missing = [name for name in ("xarray", "netCDF4") if out.suffix == ".nc" and find_spec(name) is None]
    if missing:
        said = f"NetCDF needs a package that is not installed ({missing[0]})"
        raise ExportError(f"{said}; `python -m pip install xarray netCDF4` installs it")
    with whole_files(out.parent, [out.name], alone=True) as folder:  # refused before work
        with own_context(device) as ctx, Progress() as progress:
            progress.start("time", len(times))
            sea = make_sea(settings, ctx)
            try:
                found = sea.series(*where, times, moving, progress.advance)
            finally:
                sea.release()
        with writing(out.parent):
            write_series(folder / out.name, found, settings)
    for line in (*summary(found), out):
        say(line)


def columns(series: Series) -> dict[str, Any]:
    """Return the columns (time, ...) by name; north is against z."""
    velocity, slope = series.velocity, series.slope
    return {
        "elevation": series.elevation,
        "velocity_east": velocity[..., 0],
        "velocity_north": -velocity[..., 2],
        "velocity_up": velocity[..., 1],
        "slope_east": slope[..., 0],
        "slope_north": -slope[..., 1],
    }


def statistics(series: Series) -> SeriesStatistics:
    """Return the statistics of a series. Times at which the surface has folded over, and has no single height, are
    interpolated. A period and crossings need several times."""
    heights = series.elevation.reshape(len(series.time), -1).copy()
    index = np.arange(len(heights))
    for column in heights.T:
        known = np.isfinite(column)
        if known.any() and not known.all():
            column[~known] = np.interp(index[~known], index[known], column[known])
    apart = heights - np.nanmean(heights)  # of all points: the mean of one over a short time is no water level
    deviation = float(np.sqrt(np.nanmean(apart**2)))
    skewness = float(np.nanmean(apart**3)) / deviation**3 if deviation else 0.0
    period = math.nan
    if len(heights) > 2:
        taper = np.hanning(len(heights))[:, None]  # a step from the last time to the first has short waves
        tapered = (heights - heights.mean(axis=0)) * taper
        power = (np.abs(np.fft.rfft(tapered, axis=0)) ** 2).sum(axis=1)
        f = np.fft.rfftfreq(len(heights), float(np.diff(series.time).mean()))
        if (second := float((power * f**2).sum())) > 0:
            period = math.sqrt(float(power.sum()) / second)
    crossings = int(np.count_nonzero((heights[:-1] < 0) & (heights[1:] >= 0)))
    return SeriesStatistics(4 * deviation, period, crossings, skewness)


def write_series(path: Path, series: Series, settings: Settings) -> None:
    """Write a series to a .csv or .nc file. Raises OSError when it can't be written."""
    with system_errors(path.parent):
        if path.suffix == ".csv":
            _write_csv(path, series)
        else:
            _write_netcdf(path, series, settings)


def _write_csv(path: Path, series: Series) -> None:
    shape = series.elevation.shape
    time = np.broadcast_to(series.time.reshape(-1, *[1] * (len(shape) - 1)), shape)
    point = np.broadcast_to(np.arange(math.prod(shape[1:])).reshape(shape[1:]), shape)
    table = {"time_s": time, "point": point, "x_m": series.x, "z_m": series.z}
    for name, values in columns(series).items():
        unit = COLUMNS[name].unit.replace(" s-1", "_per_s")
        table[f"{name}_{unit}".removesuffix("_1")] = values
    rows = np.stack([np.broadcast_to(values, shape).ravel() for values in table.values()], axis=1)
    forms = ["%.13g", "%d", "%.4f", "%.4f", *["%.6g"] * len(COLUMNS)]
    np.savetxt(path, rows, fmt=forms, delimiter=",", header=",".join(table), comments="")


def _write_netcdf(path: Path, series: Series, settings: Settings) -> None:
    import xarray

    is_field = series.elevation.ndim == 3
    is_grid = is_field and bool(np.all(series.x == series.x[0]) and np.all(series.z == series.z[0]))  # stays in place
    dims = ("time", *(("y", "x") if is_grid else ("row", "column") if is_field else ("point",)))
    north = Part("distance northward, -z", "m", "projection_y_coordinate").attributes
    east = Part("distance eastward", "m", "projection_x_coordinate").attributes
    found: dict[str, Any] = {}
    for name, values in columns(series).items():
        found[name] = (dims, values[:, ::-1] if is_grid else values, COLUMNS[name].attributes)
    clock = {"units": "seconds since 1970-01-01 00:00:00", "standard_name": "time"}
    clock["comment"] = "time of the sea; the date has no meaning"
    axes: dict[str, Any] = {"time": ("time", series.time, clock)}
    if is_grid:
        axes |= {"x": ("x", series.x[0, 0], east), "y": ("y", -series.z[0, ::-1, 0], north)}
    else:
        axes |= {"x": (dims, series.x, east), "y": (dims, -series.z, north)}
    about = {"Conventions": "CF-1.10", "title": "Sea surface of the FFT ocean", "config": to_toml(settings)}
    data = xarray.Dataset(found, axes, about)
    packed = {name: {"zlib": True, "dtype": "f4"} for name in found}
    data.to_netcdf(path, encoding=packed | {name: {"_FillValue": None} for name in axes})  # CF: axes lack no values


def summary(series: Series) -> Iterator[str]:
    found = statistics(series)
    units = {"hs": " m", "tm02": " s", "crossings": "", "skewness": ""}
    yield ", ".join(f"{name} {value:.4g}{units[name]}" for name, value in vars(found).items() if not math.isnan(value))
    span, moves = float(np.ptp(series.time)), float(np.std(series.velocity[..., 1]))
    step, period = span / max(len(series.time) - 1, 1), 2 * math.pi * found.hs / 4 / max(moves, 1e-9)
    if moves and FEWEST * step > period:
        yield f"tm02 and crossings lack waves shorter than {2 * step:.3g} s; a higher --rate counts them"
    if moves and 0 < span < MANY * period:
        yield f"{span:g} s are short for waves of {period:.3g} s; hs and tm02 need a longer --duration"
    if folded := int(np.count_nonzero(np.isnan(series.elevation))):
        yield f"{folded} of {series.elevation.size} values are missing: the surface folds over there"
