"""Whitecaps of seas on the processor: coverage against each law, and active foam against observations.

python -m tools.measure.whitecaps --out docs/measurements/software/whitecaps.json 5 10 15 20 25 30 35

writes the report, and for linear seas a figure of laws and measurements beside it. With --jacobian it compares moments
of the Jacobian with theory instead, for linear and nonlinear seas. A draw's foam depends on the variance of its strain.
The variance's mean over draws is known, so it serves as a control variate, which leaves a third of the error.
"""

import math
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ocean.export.plan import Patch
from ocean.export.sources import HostFoam
from ocean.sea.blend import Blend, jacobian_moments
from ocean.sea.foam import foam_threshold
from ocean.sea.host import HostSea
from ocean.settings import Settings, load_settings, with_values
from ocean.waves import WhitecapLaw
from ocean.waves.dispersion import GRAVITY
from ocean.waves.fields import breaking, foam_step, unpack
from ocean.waves.special import normal
from ocean.waves.statistics import predicted_height
from ocean.waves.whitecaps import BIRTH_WIDTH, foam_memory, whitecap_coverage
from tools.measure.reports import report_parser, write_report

PATCH = Patch(3000.0, 3000.0, 50.0)  # points too far apart to share a breaker
SECONDS = 24  # of each draw after the growth of foam
JACOBIANS, APART = 40, 1.5  # fields of the Jacobian of each draw, and seconds between them
LAWS: tuple[WhitecapLaw, ...] = get_args(WhitecapLaw)
BREADTHS = 2e3, 3e4, 3e5  # m, fetches of the figure


def brumer(u: Any) -> Any:
    """Return the total coverage by Brumer et al. (2017), fitted to 27.7 m/s."""
    return 7.38e-4 * np.maximum(u - 4.23, 0) ** 1.42


def blomquist(u: Any) -> Any:
    """Return the total coverage of Blomquist et al. (2017), as fitted by Barr et al. (2023), equation A2."""
    return 6.5e-4 * np.maximum(u - 2, 0) ** 1.5


def monahan_lu(u: Any) -> tuple[Any, Any]:
    """Return the total and the active coverage by Monahan and Lu (1990) for water at 20 °C."""
    decaying = (5.21e-4 * np.maximum(u * (GRAVITY * 1.066e-6) ** (-1 / 3) - 75.9, 0)) ** 3
    return decaying * (1 + 1 / 9.7), decaying / 9.7


def deike(settings: Settings) -> float:
    """Return the active coverage by Deike et al. (2017), `0.018 cp u*² / (g Hs)`, with Wu's (1982) drag."""
    speed = settings.sea.wind.speed
    drag = 1e-3 * (0.8 + 0.065 * speed)
    crest = settings.sea.wave_age * speed
    return 0.018 * crest * drag * speed**2 / (GRAVITY * predicted_height(settings.sea.systems))


def draw(settings: Settings, fps: int) -> tuple[float, NDArray[np.float64]]:
    """Return the ratio of a draw's strain variance to its expectation, and, as ratios to the coverage by each of LAWS,
    the mean strength of all foam, the mean strength of active foam, and its area."""
    sea = HostSea(settings)
    blend, places = Blend.settled(sea.spectrum), HostFoam(sea, PATCH)
    under = [with_values(settings, {"foam.law": law}).foam for law in LAWS]
    thresholds = [foam_threshold(foam, blend) for foam in under]
    airs, sums, variances = [np.zeros(())] * len(LAWS), np.zeros((len(LAWS), 3)), []
    begin = math.ceil(foam_memory(settings.foam.decay) * fps)
    for i in range(begin + SECONDS * fps):
        sea.update(i / fps)
        folding = places.folding(places.strain())
        entrained = [breaking(folding, threshold, BIRTH_WIDTH) for threshold in thresholds]
        airs = [foam_step(air, now, 1 / fps, settings.foam.decay) for air, now in zip(airs, entrained, strict=True)]
        if i >= begin:
            pairs = zip(airs, entrained, strict=True)
            sums += [(np.minimum(a, 1).mean(), np.minimum(now, 1).mean(), (now > 0).mean()) for a, now in pairs]
            strains = (unpack(maps) for _, maps in sea.breaking_maps()) if i % fps == 0 else ()
            variances += [float(sum(np.var(at["dxx"] + at["dzz"]) for at in strains))] if i % fps == 0 else []
    texel = sea.spectrum.breaking_texel
    shown = (one for one in sea.spectrum.cascades if texel < one.key.tile.blurred)
    expected = sum(jacobian_moments(one, np.zeros(1), texel)[0].item() for one in shown)
    wanted = np.array([blend.coverage(foam).whitecaps for foam in under])
    return float(np.mean(variances)) / expected, sums / (SECONDS * fps) / wanted[:, None]


def rows_of(settings: Settings, draws: int, fps: int) -> Iterator[dict[str, Any]]:
    """Measure a sea over several draws; yield a row for each law."""
    each = (draw(with_values(settings, {"sea.seed": seed}), fps) for seed in range(draws))
    strains, found = map(np.array, zip(*each, strict=True))
    for law, ratios in zip(LAWS, found.transpose(1, 2, 0), strict=True):
        lines = [np.polyfit(strains - 1, values, 1) for values in ratios]  # value at 0: at the expected variance
        error = np.std(ratios[0] - np.polyval(lines[0], strains - 1), ddof=2) / math.sqrt(draws)
        wanted = with_values(settings, {"foam.law": law}).foam.coverage(settings.sea).whitecaps
        yield {
            "law": law,
            "wind": settings.sea.wind.speed,
            "fetch": settings.sea.wind.fetch,
            "wave_age": settings.sea.wave_age,
            "frames_per_second": fps,
            "wanted": wanted,
            "over_wanted": float(lines[0][1]),
            "error": float(error),
            "active": float(lines[1][1]) * wanted,
            "active_area": float(lines[2][1]) * wanted,
            "monahan_lu": float(monahan_lu(settings.sea.wind.speed)[1]),
            "deike": deike(settings),
        }


def jacobian(settings: Settings, draws: int) -> dict[str, Any]:
    """Return moments of the Jacobian on which breaking is judged, as a mean over draws and its standard error, beside
    those of `Blend.places`: variance relative to its expectation, skewness, kurtosis, and the part of the water below
    the threshold."""
    found = []
    for seed in range(draws):
        sea = HostSea(with_values(settings, {"sea.seed": seed}))
        blend, places = Blend.settled(sea.spectrum), HostFoam(sea, PATCH)
        threshold, values = foam_threshold(settings.foam, blend), []
        for i in range(JACOBIANS):
            sea.update(i * APART)
            values.append(places.folding(places.strain()).ravel())
        J = np.concatenate(values)
        u = (J - J.mean()) / J.std()
        found.append((J.var(), np.mean(u**3), np.mean(u**4) - 3, np.mean(threshold > J)))
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / math.sqrt(draws)
    u, powers, below = np.random.default_rng(0).standard_normal(1 << 20), np.zeros(3), 0.0
    for one in blend.places:
        deviation = settings.sea.choppiness * math.sqrt(one.variance)
        v = deviation * u + (one.bend + one.skewness / (6 * deviation)) * deviation**2 * (u**2 - 1)
        powers += [one.share * float(np.mean(v**n)) for n in (2, 3, 4)]
        below += one.share * float(normal(one.deviations(threshold, settings.sea.choppiness)))
    expected = np.array([powers[0], powers[1] / powers[0] ** 1.5, powers[2] / powers[0] ** 2 - 3, below])
    over = np.array([expected[0], 1, 1, expected[3]])
    names = "variance over theory", "skewness", "kurtosis", "breaking over theory"
    row: dict[str, Any] = {"wind": settings.sea.wind.speed, "dynamics": settings.sea.dynamics, "threshold": threshold}
    row |= {name: [float(a), float(b)] for name, a, b in zip(names, mean / over, error / over, strict=True)}
    return row | {"theory of skewness and kurtosis": expected[1:3].tolist()}


def plot(rows: list[dict[str, Any]], out: Path) -> None:
    """Draw laws and measurements over the wind, for all foam and for active foam, and the default law by fetch."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4), layout="constrained")
    total, fetch, active = figure.subplots(1, 3, sharex=True)
    u = np.linspace(4, 40, 200)
    for name, values, last in (
        ("Monahan and O'Muircheartaigh 1980", [whitecap_coverage("monahan-1980", v).whitecaps for v in u], 20),
        ("Callaghan et al. 2008", [whitecap_coverage("callaghan-2008", v).whitecaps for v in u], 23.09),
        ("Monahan and Lu 1990", monahan_lu(u)[0], 20),
        ("Brumer et al. 2017", brumer(u), 27.7),
        ("Blomquist et al. 2017", blomquist(u), 25),
    ):
        colour = total.plot(u[u <= last], np.array(values)[u <= last], lw=1, label=name)[0].get_color()
        total.plot(u[u > last], np.array(values)[u > last], ":", lw=1, color=colour)
    for breadth, style in zip(BREADTHS, ("k:", "k--", "k-"), strict=True):
        seas = [load_settings(overrides=[f"sea.wind.speed={v}", f"sea.wind.fetch={breadth}"]) for v in u]
        parts = np.array([(sea.foam.coverage(sea.sea).whitecaps, sea.foam.coverage(sea.sea).total) for sea in seas])
        label = f"saturating, {breadth / 1000:g} km"
        fetch.plot(u, parts[:, 0], style, lw=1.6, label=label)
        fetch.plot(u, parts[:, 1], f"r{style[1:]}", lw=0.8, label="with streaks" if style == "k-" else None)
        if style == "k-":
            total.plot(u, parts[:, 0], style, lw=1.6, label=label)
            active.plot(u, [deike(sea) for sea in seas], lw=1, label="Deike et al. 2017")
    active.plot(u[u <= 20], monahan_lu(u)[1][u <= 20], lw=1, label="Monahan and Lu 1990")
    ours = [row for row in rows if row["law"] == "saturating" and row["fetch"] == BREADTHS[-1]]
    winds = [row["wind"] for row in ours]
    total.plot(winds, [row["wanted"] * row["over_wanted"] for row in ours], "ko", ms=4, label="measured")
    active.plot(winds, [row["active"] for row in ours], "ko", ms=4, label="measured, saturating")
    for axes, title in ((total, "all foam"), (fetch, "all foam, by fetch"), (active, "active foam")):
        axes.set(yscale="log", ylim=(1e-5, 1), title=title, xlabel="U10 [m/s]", ylabel="fraction of the water")
        axes.legend(fontsize=7)
    figure.savefig(out, dpi=110)


def main() -> None:
    parser = report_parser(__doc__)
    parser.add_argument("speeds", type=float, nargs="+", help="wind speeds [m/s]")
    parser.add_argument("--draws", type=int, default=12, help="draws of each sea (default: 12)")
    parser.add_argument("--fps", type=int, nargs="+", default=[12], help="frames per second (default: 12)")
    parser.add_argument("--fetch", type=float, nargs="+", default=[3e5], help="fetches [m] (default: 300 km)")
    parser.add_argument("--dynamics", choices=("linear", "nonlinear"), default="linear", help="default: linear")
    parser.add_argument("--jacobian", action="store_true", help="moments of the Jacobian, for both dynamics")
    given = parser.parse_args()
    rows = []
    kinds = ("linear", "nonlinear") if given.jacobian else (given.dynamics,)
    for speed, fetch, dynamics in product(given.speeds, given.fetch, kinds):
        sea = f"sea.wind.speed={speed}", f"sea.wind.fetch={fetch}", f"sea.dynamics={dynamics}"
        settings = load_settings(overrides=[*sea, "fft.size=128"])
        if given.jacobian:
            rows.append(jacobian(settings, given.draws))
            print(rows[-1], flush=True)
            continue
        for row in chain.from_iterable(rows_of(settings, given.draws, fps) for fps in given.fps):
            print(
                {name: round(value, 5) if isinstance(value, float) else value for name, value in row.items()},
                flush=True,
            )
            rows.append(row)
    seconds = JACOBIANS * APART if given.jacobian else SECONDS
    run = {"dynamics": kinds, "draws": given.draws, "seconds": seconds}
    write_report(given.out, None, **run, rows=rows)
    if given.dynamics == "linear" and not given.jacobian:
        plot(rows, given.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
