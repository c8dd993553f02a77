"""Patches of foam on the processor: sizes, outlines, lives, and the directions of fronts.

python -m tools.measure.patches --out FILE writes the report. Patches are connected foam of at least some strength, in a
field or, for their lives, in a sequence of fields. Their white water is the sum of foam's strength: the pattern whitens
this fraction of the water, and pictures show it. Lives follow observers of single whitecaps (Callaghan et al. 2012):
the decay time of a patch is that of the exponential that fits its area from the largest one on.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_erosion, label
from scipy.special import ndtri

from ocean.export.plan import Patch
from ocean.export.sources import HostFoam
from ocean.waves.systems import unit
from ocean.waves.whitecaps import layers, patterns
from tools.measure.fronts import PATCH, TEXEL, active, sea_of
from tools.measure.reports import report_parser, write_report

Mask = NDArray[np.bool_]

SEAS = (10, 3e5), (15, 3e5)  # wind [m/s] and fetch [m]
FPS, LARGE = 8, 32.0  # frames per second for foam; large patches [m²]
STRENGTHS = 0.1, 0.5  # least strength of foam in a patch
LIFE_PATCH, LIFE_SECONDS = Patch(160.0, 160.0, 0.5), 40.0
SEEN, LEFT = 1.0, 0.1  # m², least area of a patch that has a life; part of its largest area down to which it is fitted
LONG, SMALLEST = 2.0, 2.0  # ratio of the axes, and area [m²], of breaking water from which on it has a direction


def white(foam: HostFoam) -> Mask:
    """Return where foam is white: where the pattern exceeds the quantile of the map's foam, in its first two layers."""
    z, x = (TEXEL * np.arange(side) for side in foam.sides[::-1])
    total, square = np.zeros((len(z), len(x))), 0.0
    for row, values in zip(layers(0.0, 0.0, (0.0, 0.0))[:2], patterns(), strict=False):
        u, v = (row[2 * i] * x + row[2 * i + 1] * z[:, None] for i in range(2))
        side = len(values)
        total += row[6] * values[(v * side).astype(int) % side, (u * side).astype(int) % side]
        square += row[6] ** 2
    return np.asarray(total / math.sqrt(square) > ndtri(np.clip(1 - foam.read()[..., 0], 1e-6, 1 - 1e-6)))


def box_dimension(mask: Mask) -> float:
    """Return the box dimension of a mask's outline, between 1 and 8 texels."""
    outline = mask & ~binary_erosion(mask)
    sides, counts = (1, 2, 4, 8), []
    for side in sides:
        rows, columns = (n // side * side for n in outline.shape)
        boxes = outline[:rows, :columns].reshape(rows // side, side, columns // side, side)
        counts.append(boxes.any(axis=(1, 3)).sum())
    return float(-np.polyfit(np.log(sides), np.log(counts), 1)[0])


def patches_of(wind: float, fetch: float) -> dict[str, Any]:
    """Return sizes of patches of foam, and the box dimension of large outlines, in the map and as white foam."""
    sea = sea_of(wind, fetch, 0)
    foam = HostFoam(sea, PATCH)
    for i in range(math.ceil(4 * sea.settings.foam.decay * FPS)):
        sea.update(i / FPS)
        foam.advance(1 / FPS)
    strength, octaves = foam.read()[..., 0], 2.0 ** np.arange(-2, 11)
    found: dict[str, Any] = {"octaves": octaves.tolist()}
    for least in STRENGTHS:
        marks, _ = label(strength > least, np.ones((3, 3)))
        areas = np.bincount(marks.ravel())[1:] * TEXEL**2
        share = np.histogram(areas, octaves, weights=areas)[0]
        found[f"stronger than {least}"] = {
            "patches": len(areas),
            "mean_area": float(areas.mean()),
            "number_in_octave": np.histogram(areas, octaves)[0].tolist(),
            "share_of_area_in_octave": (share / share.sum()).tolist(),
        }
    marks, _ = label(strength > STRENGTHS[0], np.ones((3, 3)))
    large = np.append(0.0, np.bincount(marks.ravel())[1:] * TEXEL**2)[marks] > LARGE
    return found | {"dimension_of_map": box_dimension(large), "dimension_of_white": box_dimension(white(foam) & large)}


def lives_of(wind: float, fetch: float) -> dict[str, Any]:
    """Return decay times [s] of patches of foam that appear and vanish while they are watched: of their white water,
    and of the area on which foam is stronger than the least strength."""
    sea = sea_of(wind, fetch, 0)
    foam, fields = HostFoam(sea, LIFE_PATCH), []
    begin = math.ceil(4 * sea.settings.foam.decay * FPS)
    for i in range(begin + round(LIFE_SECONDS * FPS)):
        sea.update(i / FPS)
        foam.advance(1 / FPS)
        if i >= begin:
            fields.append(foam.read()[..., 0].astype(np.float32))
    strengths, found = np.stack(fields), {}
    for least in (0.02, STRENGTHS[0]):
        marks, count = label(strengths > least, np.ones((3, 3, 3)))
        places = (marks * len(fields) + np.arange(len(fields))[:, None, None]).ravel()
        for name, weights in (("white water", strengths), ("area", strengths > least)):
            sums = np.bincount(places, weights.ravel(), (count + 1) * len(fields)).reshape(count + 1, -1)[1:]
            times, areas = [], []
            for area in sums * LIFE_PATCH.spacing**2:
                top = int(area.argmax())
                fading = area[top:][area[top:] > LEFT * area[top]]
                if area[0] == area[-1] == 0 and area[top] > SEEN and len(fading) > 3:
                    times.append(-1 / FPS / np.polyfit(np.arange(len(fading)), np.log(fading), 1)[0])
                    areas.append(area[top])
            found[f"{name} of patches stronger than {least}"] = {
                "patches": len(times),
                "quartiles": np.quantile(times, (0.25, 0.5, 0.75)).round(2).tolist(),
                "mean": float(np.mean(times)),
                "mean_by_area": float(np.average(times, weights=areas)),
            }
    return found


def directions_of(wind: float, fetch: float) -> dict[str, Any]:
    """Return quantiles of angles [degrees] between the short axes of long pieces of breaking water, the axis on which
    their strain compresses the water, and the wind. Angles are those between lines, 0 to 90."""
    sea = sea_of(wind, fetch, 0)
    foam, angles = HostFoam(sea, PATCH), []
    downwind = unit(sea.settings.sea.wind.direction)
    for time in 5.0 * np.arange(6):
        breaks = active(sea, foam, time)
        strain, (marks, count) = foam.strain(), label(breaks > 0, np.ones((3, 3)))
        for piece in range(1, count + 1):
            z, x = np.nonzero(marks == piece)
            spread, axes = np.linalg.eigh(np.cov(x, z)) if len(x) * TEXEL**2 > SMALLEST else (np.ones(2), np.eye(2))
            if spread[1] < LONG**2 * spread[0]:
                continue
            xx, zz, xz = np.average(strain[z, x], axis=0, weights=breaks[z, x])
            _, squeezed = np.linalg.eigh([[xx, xz], [xz, zz]])  # the first is compressed most
            front, crest = axes[:, 0], squeezed[:, 0]
            pairs = (front, crest), (front, downwind), (crest, downwind)
            angles.append([math.degrees(math.acos(min(abs(float(np.dot(a, b))), 1.0))) for a, b in pairs])
    quantiles = np.quantile(angles, (0.25, 0.5, 0.75, 0.9), axis=0).T.round(1).tolist()
    names = "front and strain", "front and wind", "strain and wind"
    return {"pieces": len(angles), "quantiles": [0.25, 0.5, 0.75, 0.9], **dict(zip(names, quantiles, strict=True))}


def main() -> None:
    arguments = report_parser(__doc__).parse_args()
    seas = []
    for wind, fetch in SEAS:
        decay = sea_of(wind, fetch, 0).settings.foam.decay
        seas.append({"wind": wind, "fetch": fetch, "decay": decay, "sizes": patches_of(wind, fetch)})
        seas[-1] |= {"lives": lives_of(wind, fetch), "directions": directions_of(wind, fetch)}
        print(seas[-1], flush=True)
    write_report(arguments.out, None, device="cpu, numpy", seas=seas)


if __name__ == "__main__":
    main()
