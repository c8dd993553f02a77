"""Methods for the sky against traced paths of light: python -m tools.measure.judged_skies --out FILE.

A run takes half an hour, nearly all of it for the paths; --known takes them from an earlier report, with the errors of
Bruneton's model, which is not in the program.
"""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ocean.light.optics import Air, Array
from tests.reference.atmosphere import Atmosphere
from tests.reference.path_tracer import PathTracer
from tools.measure.reports import report_parser, write_report

Row = dict[str, Any]

TURBIDITIES, WAVELENGTHS = (2.0, 5.0), (430.0, 630.0)
DAY, TWILIGHT = (80.0, 40.0, 10.0, 2.0), (-4.0,)  # elevations of the sun
ELEVATIONS, AZIMUTHS = (90.0, 30.0, 3.0), (0.0, 90.0, 180.0)
BATCH, BATCHES, ERROR = 20_000, 25, 0.01


class Hillaire(Atmosphere):
    """The published atmosphere: multiply scattered light is equal in all directions."""

    def sent(self, height: Array, mean: Array | float, first: Array | float, second: Array | float) -> Array:
        molecules, aerosols, _ = self.coefficients(height)
        return np.asarray((molecules + (1 - self.forward) * aerosols) * mean)


def cosines(elevation: Array, sun: Array, azimuth: Array) -> tuple[Array, Array, Array]:
    """Return the cosines of view and sun to the zenith, and between both, from degrees."""
    e, s, a = np.radians(elevation), np.radians(sun), np.radians(azimuth)
    return np.sin(e), np.sin(s), np.sin(e) * np.sin(s) + np.cos(e) * np.cos(s) * np.cos(a)


def vectors(elevation: Array | float, azimuth: Array | float) -> Array:
    """Return unit vectors (..., 3), y up."""
    e, a = np.radians(elevation), np.radians(azimuth)
    return np.stack([np.cos(e) * np.cos(a), np.sin(e), np.cos(e) * np.sin(a)], axis=-1)


def judged(turbidity: float, wavelength: float, elevation: float, suns: tuple[float, ...]) -> list[Row]:
    """Return a row for each sun and azimuth. Paths are traced until all standard errors are below 1 %, or up to half a
    million."""
    tracer = PathTracer(Atmosphere(Air(turbidity, 1.0), wavelengths=(wavelength,)))
    places, found, variances = np.array(list(product(suns, AZIMUTHS))), [], []
    for batch in range(BATCHES):
        seed = [int(elevation), int(wavelength), int(turbidity), int(suns[0]) + 90, batch]
        mean, error = tracer.radiance(vectors(*places.T), vectors(elevation, 0.0), BATCH, 16, seed)
        found.append(mean.sum(axis=1))
        variances.append(error**2)
        truth, noise = np.mean(found, axis=0), np.sqrt(np.mean(variances, axis=0) / len(found))
        if batch >= 3 and (noise < ERROR * truth).all():
            break
    names = "turbidity", "wavelength", "sun", "elevation", "azimuth", "judge", "standard_error"
    return [
        dict(zip(names, (turbidity, wavelength, sun, elevation, azimuth, float(t), float(n)), strict=True))
        for (sun, azimuth), t, n in zip(places.tolist(), truth, noise / truth, strict=True)
        if elevation < 90 or azimuth == 0
    ]


def skies(turbidity: float) -> dict[str, Callable[[Array, Array, Array], Array]]:
    """Return functions of cosines that return the radiance over the sun's irradiance, by method."""
    air = Air(turbidity, 1.0)

    def radiance(atmosphere: Atmosphere) -> Callable[[Array, Array, Array], Array]:
        return lambda mu, sun, nu: atmosphere.radiance(np.zeros_like(mu), mu, sun, nu) / atmosphere.solar

    return {
        "hillaire": radiance(Hillaire(air, WAVELENGTHS, mend=0, forward=0.0, shape=(32, 32))),
        "hillaire, delta-scaled": radiance(Hillaire(air, WAVELENGTHS, mend=0, forward=0.4, shape=(32, 64))),
        "ours": radiance(Atmosphere(air, WAVELENGTHS)),
    }


def compare(rows: list[Row]) -> None:
    """Add the errors of missing methods, relative to the traced radiance, to rows of all turbidities."""
    for turbidity in sorted({row["turbidity"] for row in rows}):
        of = [row for row in rows if row["turbidity"] == turbidity]
        at = cosines(*(np.array([row[key] for row in of]) for key in ("elevation", "sun", "azimuth")))
        column = [WAVELENGTHS.index(row["wavelength"]) for row in of]
        for name, sky in skies(turbidity).items():
            if name in of[0]:
                continue
            for row, value in zip(of, sky(*at)[np.arange(len(of)), column], strict=True):
                row[name] = float(value / row["judge"] - 1)


def summary(rows: list[Row], keys: tuple[str, ...]) -> list[Row]:
    """Return the root mean square and worst error of each method, by these keys of the rows."""
    names = [name for name in rows[0] if name.startswith(("hillaire", "ours", "bruneton"))]
    out = []
    for values in sorted({tuple(row[key] for key in keys) for row in rows}):
        of = [row for row in rows if tuple(row[key] for key in keys) == values]
        errors = {name: np.array([row[name] for row in of]) for name in names}
        found = {n: {"rms": float(np.sqrt((e**2).mean())), "worst": float(np.abs(e).max())} for n, e in errors.items()}
        out.append(dict(zip(keys, values, strict=True)) | found)
    return out


def main() -> None:
    parser = report_parser(__doc__)
    parser.add_argument("--known", type=Path, help="a report whose paths are used again")
    args = parser.parse_args()
    if args.known:
        rows = json.loads(args.known.read_text())["rows"]
        rows = [{key: row[key] for key in row if not key.startswith(("hillaire", "ours"))} for row in rows]
    else:
        cases = product(TURBIDITIES, WAVELENGTHS, ELEVATIONS, (DAY, TWILIGHT))
        rows = [row for case in cases for row in judged(*case)]
    compare(rows)
    summaries = {
        "all": summary(rows, ()),
        "by turbidity": summary(rows, ("turbidity",)),
        "by sun": summary(rows, ("turbidity", "sun")),
        "by direction": summary(rows, ("turbidity", "elevation", "azimuth")),
    }
    write_report(args.out, None, **summaries, rows=rows)


if __name__ == "__main__":
    main()
