"""Breaking fronts, on the processor: python -m tools.measure.fronts --out FILE writes the report.

Lambda(c) is compared with three sources: the fit of Sutherland and Melville (2013); Melville and Matusov (2002),
3.3e-4 (U / 10)³ e^(-0.64 c) s/m²; and the simulations of Wu, Popinet and Deike (2023). Of the latter, the dimensionless
level Lambda c⁶ / (g c_p³) is read from a figure in their repository (jiarong-wu/multilayer_breaking, case P02 with
k_p Hs = 0.23, which is about that of our seas).
"""

import math
from typing import Any

import numpy as np

from ocean.export.plan import Patch
from ocean.export.sources import HostFoam
from ocean.sea.host import HostSea
from ocean.settings import load_settings
from ocean.validation.fronts import FITTED, INTERVAL, Fronts
from ocean.waves.dispersion import GRAVITY, Array
from ocean.waves.fields import breaking
from ocean.waves.whitecaps import BIRTH_WIDTH
from tools.measure.reports import report_parser, write_report

SEAS = (8, 3e5), (10, 3e5), (12, 3e5), (15, 3e5), (20, 3e5), (25, 3e5), (15, 3e4)  # wind [m/s] and fetch [m]
OTHER_INTERVALS = 0.05, 0.1, 0.4  # s, at 15 m/s
TEXEL = 0.4  # m
PATCH = Patch(300.0, 300.0, TEXEL)
DRAWS, PAIRS, APART = 3, 12, 4.0  # of each sea; pairs of fields of each draw; time between pairs [s]
SIMULATED = 4.6e-5
"""Level of Lambda c⁶ / (g c_p³) over 0.3 to 0.45 c_p in case P02: 0.22 m⁴/s⁵ for a peak's speed of 7.9 m/s."""


def sea_of(wind: float, fetch: float, seed: int) -> HostSea:
    words = f"sea.wind.speed={wind}", f"sea.wind.fetch={fetch}", f"sea.seed={seed}", "fft.size=256"
    return HostSea(load_settings(overrides=words))


def active(sea: HostSea, foam: HostFoam, time: float) -> Array:
    sea.update(time)
    return breaking(foam.folding(foam.strain()), sea.foam_threshold, BIRTH_WIDTH)


def fronts_of(wind: float, fetch: float, interval: float = INTERVAL) -> dict[str, Any]:
    """Return Lambda(c) of a sea, its power and level, and the fraction of the water that breaks, from fields
    `interval` seconds apart."""
    shares: list[float] = []
    found: Fronts | None = None
    for seed in range(DRAWS):
        sea = sea_of(wind, fetch, seed)
        foam, found = HostFoam(sea, PATCH), found or Fronts.of(sea.settings.sea.systems)
        assert found is not None
        for time in APART * np.arange(PAIRS):
            before = active(sea, foam, time)
            found.add(before, active(sea, foam, time + interval), TEXEL, interval)
            shares.append(float((before > 0).mean()))
    assert found is not None
    c, at = found.speeds, (found.speeds > found.fitted[0]) & (found.speeds < found.fitted[1])
    power, level = found.fit or (None, None)
    matusov = 3.3e-4 * (wind / 10) ** 3 * np.exp(-0.64 * c)
    simulated = SIMULATED * GRAVITY * found.peak_speed**3 * c**-6

    def over(other: Array) -> float | None:
        """Return the geometric mean ratio to another Lambda(c); None if a bin of the range has no front."""
        ratio = found.density[at] / other[at]
        return float(np.exp(np.log(ratio).mean())) if ratio.all() else None

    return {
        "wind": wind,
        "fetch": fetch,
        "interval": interval,
        "peak_speed": found.peak_speed,
        "height": found.height,
        "friction_velocity": found.friction,
        "breaking_texel": sea.spectrum.breaking_texel,
        "coverage": sea.settings.foam.coverage(sea.settings.sea).whitecaps,
        "active_coverage": float(np.mean(shares)),
        "active_coverage_error": float(np.std(shares) / math.sqrt(DRAWS * PAIRS)),
        "power": power,
        "over_sutherland_melville": level,
        "over_melville_matusov": over(matusov),
        "over_wu": over(simulated),
        "speed": c.tolist(),
        "density": found.density.tolist(),
        "sutherland_melville": (found.observed / c**6).tolist(),
    }


def main() -> None:
    parser = report_parser(__doc__)
    arguments = parser.parse_args()
    seas = []
    for case in (*SEAS, *((15, 3e5, interval) for interval in OTHER_INTERVALS)):
        seas.append(fronts_of(*case))
        print({name: value for name, value in seas[-1].items() if isinstance(value, float | int)}, flush=True)
    write_report(arguments.out, None, fitted=FITTED, seas=seas)


if __name__ == "__main__":
    main()
