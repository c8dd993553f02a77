"""Breaking in the nonlinear solver: long runs of steep seas on the GPU, focused groups in float64, and its GPU time.

python -m tools.measure.breaking run FOLDER [--periods 500]    # the seas of SEAS on the GPU; NPZ files of their states
python -m tools.measure.breaking report FOLDER --out FILE      # JSON with their statistics, and those of the groups
python -m tools.measure.breaking cost --out FILE               # JSON with the GPU's time of a time step
python -m tools.measure.breaking agree --out FILE              # JSON with the GPU's errors while waves break
python -m tools.measure.breaking slopes --out FILE             # JSON with the slopes at every step, in float64

`run` needs no scipy. Lengths of groups are in units of the carrier's 1 / k.
"""

import argparse
import json
import math
import time as clock
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np

from ocean.common.facts import command_line, host_facts, program_facts, utc_now
from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.gpu.timing import Stopwatch
from ocean.sea import nonlinear as running
from ocean.sea.blend import make_spectrum
from ocean.sea.nonlinear import NonlinearWaves
from ocean.settings import load_settings
from ocean.settings.files import Resolved, resolve
from ocean.waves.amplitudes import CascadeWaves
from ocean.waves.dispersion import GRAVITY
from ocean.waves.fields import Complex
from ocean.waves.nonlinear import (
    LEAD,
    LEAD_RAMP,
    STEPS_A_PERIOD,
    Extent,
    Losses,
    Solver,
    State,
    course,
    embedded,
    smallest_grid,
)
from tools.measure.nonlinear import PERIOD, RandomSea, SteadyWave, benjamin_feir, jonswap, travel
from tools.measure.reports import write_report

SEAS = {
    "30 m/s over 10 km": ("sea.wind.speed=30", "sea.wind.fetch=10000"),
    "gale of 25 m/s": ("sea.wind.speed=25",),
}
ORDERS = 3, 5
A_PERIOD, ENERGY_PERIODS = 2, 5  # states in a mean period; mean periods between energies on the GPU

GROUPS = {0.73: (0.2, 0.25, 0.3, 0.32, 0.36, 0.4, 0.45), 0.3: (0.2, 0.25, 0.3, 0.4)}  # bands, and steepnesses of each
UNSTABLE = (3, 8), (5, 8), (5, 10), (3, 12)  # order and harmonics of steady waves

COST_ORDERS = 2, 3, 5
COST_ROUNDS, COST_STEPS = 15, 8  # rounds; time steps in each, queued behind fixed work


# -- Focused groups --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """A focused group: energies lost, relative to that at the start, and the largest slope and ratio of speeds."""

    steepness: float
    band: float  # width of the band of frequencies, relative to the carrier frequency
    order: int
    lost: float  # of the equations
    broken: float
    filtered: float
    slope: float


def focused_group(
    steepness: float, order: int, band: float = 0.73, cutoff: float = 6.0, before: int = 12, after: int = 8
) -> Group:
    """Return the losses of a long-crested group, which linear theory focuses after some periods. Its amplitudes are
    equal over a `band` of frequencies, relative to the carrier's (0.73: Rapp and Melville 1990). `steepness` is the
    carrier's wave number times the sum of all amplitudes; waves up to `cutoff` are solved. Losses count from half the
    way on."""
    lengths, carrier = 40, math.sqrt(GRAVITY)
    side, period = 2 * math.pi * lengths, 2 * math.pi / carrier
    points, losses = smallest_grid(cutoff, side, order), Losses(1.0)
    solver = Solver((1, points), (1.0, side), cutoff, order, ramp=3 * period, losses=losses)
    numbers = np.unique(np.round(lengths * np.linspace(1 - band / 2, 1 + band / 2, 32) ** 2).astype(int))
    k = numbers / lengths
    w = carrier * np.sqrt(k)
    amplitudes = np.gradient(w) / np.sum(np.gradient(w)) * steepness
    elevation = np.zeros((1, points // 2 + 1), np.complex128)
    elevation[0, numbers] = amplitudes / 2 * np.exp(-1j * (0.6 * k * side - w * before * period))
    state = State(0.0, elevation, solver.potential(-1j * solver.omega * elevation))
    steepening, slope = 1j * np.arange(points // 2 + 1) / lengths, 0.0
    for i in range((before + after) * STEPS_A_PERIOD):
        if i == before // 2 * STEPS_A_PERIOD:
            start, earlier = solver.energy(state), (losses.broken, losses.filtered)
        state = solver.step(state, period / STEPS_A_PERIOD)
        slope = max(slope, float(np.abs(solver.grid(steepening * state.elevation)).max()))
    broken, filtered = (
        (now - then) / start for now, then in zip((losses.broken, losses.filtered), earlier, strict=True)
    )
    return Group(steepness, band, order, 1 - solver.energy(state) / start, broken, filtered, slope)


def without_breakers(periods: int = 100) -> Iterator[dict[str, Any]]:
    """Yield cases of `tools.measure.nonlinear` that do not break, without losses and with them."""
    for steepness in (0.1, 0.2, 0.3):
        losses = Losses(1.0)
        plain, lossy = (travel(steepness, 5, losses=each) for each in (None, losses))
        name = f"steady wave, ka = {steepness}, order 5, 10 periods: errors of elevation and phase"
        yield {"case": name, "without losses": plain, "with": lossy, "broken": losses.broken}
    losses = Losses(1.0)
    growth = (benjamin_feir(10, periods=400, losses=each) for each in (None, losses))
    for plain_row, lossy_row in zip(*growth, strict=True):
        found = {"without losses": plain_row.found, "with": lossy_row.found, "theory": plain_row.theory}
        yield {"case": plain_row.case, **found, "broken": losses.broken}
    changes, losses = [], Losses(1.0)
    for each in (None, losses):
        sea = RandomSea.of(lambda k, _: jonswap(k), np.random.default_rng(2), 16, 0.1, cutoff=5.0)
        sea.solver.losses, state, before = each, sea.state, sea.solver.energy(sea.state)
        for _ in range(periods * STEPS_A_PERIOD):
            state = sea.solver.step(state, PERIOD / STEPS_A_PERIOD)
        changes.append(sea.solver.energy(state) / before - 1)
    case = f"random sea, steepness 0.1, order 3, {periods} periods: change of energy"
    yield {"case": case, "without losses": changes[0], "with": changes[1], "broken": losses.broken / before}


def unstable_wave(order: int, harmonics: int, periods: int = 20) -> dict[str, Any]:
    """Return the losses, relative to its energy, of a steady wave, ka = 0.3, whose shortest harmonics are unstable in
    the equations of this order. In nature it does not break."""
    wave, losses, points = SteadyWave.of(0.3), Losses(1.0), smallest_grid(harmonics + 0.5, 2 * math.pi, order)
    solver = Solver((1, points), (1.0, 2 * math.pi), harmonics + 0.5, order, losses=losses)
    eta, psi, _ = wave.at(2 * math.pi / points * np.arange(points))
    state = solver.state(0.0, eta[None], math.sqrt(GRAVITY) * psi[None])
    start = solver.energy(state)
    for _ in range(periods * STEPS_A_PERIOD):
        state = solver.step(state, PERIOD / wave.speed / STEPS_A_PERIOD)
    lost, broken = 1 - solver.energy(state) / start, losses.broken / start
    return {"order": order, "harmonics": harmonics, "lost": round(lost, 4), "broken": round(broken, 4)}


# -- Seas ------------------------------------------------------------------------------------------------------------


def sea_settings(name: str, order: int, seed: int) -> Resolved:
    own = "fft.size=128", "sea.dynamics=nonlinear", f"sea.order={order}", f"sea.seed={seed}"
    return resolve(load_settings(overrides=[*own, *SEAS[name]]))


def statistics(amplitudes: Complex, dk: float) -> tuple[float, ...]:
    """Return the highest crest over Hs, the largest slope, skewness, kurtosis, and Hs [m] of amplitudes a(k) of waves
    that run along k, (n, n), at multiples of dk [rad/m], on a grid of 256 points along a side."""
    n = 256
    along = embedded(amplitudes, n)
    spectrum = along + np.conj(np.roll(along[::-1, ::-1], (1, 1), (0, 1)))
    k = 2j * math.pi * np.fft.fftfreq(n, 2 * math.pi / (n * dk))
    eta, slope_x, slope_z = (
        np.fft.ifft2(each, norm="forward").real for each in (spectrum, k * spectrum, k[:, None] * spectrum)
    )
    deviation = float(eta.std())
    moments = (float(np.mean(eta**n)) / deviation**n for n in (3, 4))
    return float(eta.max()) / (4 * deviation), float(np.hypot(slope_x, slope_z).max()), *moments, 4 * deviation


def run(folder: Path, name: str, order: int, seed: int, periods: int) -> None:
    """Run a sea on the GPU. Write its statistics and energies, and its amplitudes of every tenth period."""
    ctx = create_headless_context()
    settings = sea_settings(name, order, seed)
    waves = NonlinearWaves(ctx, make_spectrum(settings).cascades[0], settings.fft, 0.0)
    period, begun = waves.extent.period, clock.perf_counter()
    buffer = ctx.buffer(reserve=waves.energy_bytes)
    size = 2 * math.floor(waves.extent.cutoff / waves.extent.dk) + 2
    spectra, energies = [], []
    for i in range(A_PERIOD * periods + 1):
        time = i * period / A_PERIOD
        waves.advance(time)
        spectra.append(embedded(waves.spectrum(time), size).astype(np.complex64))
        if i % (ENERGY_PERIODS * A_PERIOD) == 0:  # a sum on the processor that takes longer than a time step
            waves.copy_energy(buffer)
            found = waves.energies(np.frombuffer(buffer.read(), np.float32))
            energies.append((found.start, found.now, found.filtered, found.broken))
    seconds = clock.perf_counter() - begun
    with ProcessPoolExecutor(mp_context=get_context("fork")) as workers:
        rows = list(workers.map(partial(statistics, dk=waves.extent.dk), spectra, chunksize=16))
    facts = {
        "sea": name,
        "order": order,
        "seed": seed,
        "points": waves.points,
        "seconds": round(seconds, 1),
        "command": command_line(),
    }
    facts |= {"device": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"]}
    write(folder, facts, spectra, energies, rows)
    buffer.release()
    waves.release()
    ctx.release()


def quarter(waves: CascadeWaves) -> CascadeWaves:
    """Return a sea of the same spectrum on a quarter of the tile, from every second wave vector along both axes."""
    h0, steps = (np.fft.ifftshift(np.fft.fftshift(each)[::2, ::2]) for each in (waves.h0, waves.steps))
    return replace(waves, tile=replace(waves.tile, side=waves.tile.side / 2), h0=2 * h0, steps=steps)


def slopes(name: str, order: int, seed: int, periods: int) -> dict[str, Any]:
    """Return the largest slope of every time step of a quarter of a sea in float64, after the lead, and the balance of
    its energy."""
    waves = quarter(make_spectrum(sea_settings(name, order, seed)).waves[0])
    extent = Extent.of(waves)
    losses = Losses(extent.mean_wave_number)
    own = course(waves, order, losses=losses, ramp=LEAD_RAMP)
    solver, k = own.solver, 2j * math.pi * np.fft.fftfreq(own.solver.shape[0], waves.tile.side / own.solver.shape[0])
    columns = solver.shape[1] // 2 + 1
    along = np.stack(np.broadcast_arrays(k[:columns], k[:, None]))
    found, energies = [], []
    for step in range(LEAD * STEPS_A_PERIOD, (LEAD + periods) * STEPS_A_PERIOD + 1):
        state = own.at(step * own.length)
        found.append(float(np.hypot(*solver.grid(along * state.elevation)).max()))
        if (step - LEAD * STEPS_A_PERIOD) % STEPS_A_PERIOD == 0:
            energies.append((solver.energy(state), losses.broken, losses.filtered))
    energy, broken, filtered = (np.array(energies) - [0, *energies[0][1:]]).T / energies[0][0]
    return {
        "sea": name,
        "order": order,
        "seed": seed,
        "periods": periods,
        "points": solver.shape[0],
        "steps": len(found),
        "largest slope": round(max(found), 4),
        "largest slope of half of the steps": round(float(np.median(found)), 4),
        "steps above 0.7": sum(slope > 0.7 for slope in found),
        "energy at most and at the end": [round(float(energy.max()), 5), round(float(energy[-1]), 5)],
        "broken and filtered": [round(float(broken[-1]), 5), round(float(filtered[-1]), 5)],
        "largest residual of the energy": round(float(np.abs(energy + broken + filtered - 1).max()), 5),
    }


def agree(out: Path, name: str, order: int, seed: int, periods: int) -> None:
    """Write the errors of the GPU's amplitudes and heights over Hs, each half of a period after the lead, and the
    energy that breaking has taken on both."""
    ctx = create_headless_context()
    settings = sea_settings(name, order, seed)
    cascade, rows = make_spectrum(settings).cascades[0], []
    waves = NonlinearWaves(ctx, cascade, settings.fft, 0.0)
    own = course(
        cascade.waves,
        order,
        -LEAD * waves.extent.period,
        Losses(waves.extent.mean_wave_number),
        LEAD_RAMP,
        waves.points,
    )
    buffer, losses = ctx.buffer(reserve=waves.energy_bytes), own.solver.losses
    for i in range(A_PERIOD * periods + 1):
        time = i / A_PERIOD * waves.extent.period
        waves.advance(time)
        expected = own.solver.amplitudes(own.at(time + LEAD * waves.extent.period))
        error = waves.spectrum(time) - expected
        wrong = 2 * np.abs(np.fft.ifft2(error, norm="forward").real).max()
        height = 4 * math.sqrt(2 * np.sum(np.abs(expected) ** 2))
        waves.copy_energy(buffer)
        found = waves.energies(np.frombuffer(buffer.read(), np.float32))
        rows.append({
            "periods": i / A_PERIOD,
            "rms error of the height over Hs": math.sqrt(2 * np.sum(np.abs(error) ** 2)) / height,
            "largest error of the height over Hs": float(wrong) / height,
            "broken": [found.broken / found.start, losses.broken / found.start if losses else 0.0],
        })  # fmt: skip
        print(rows[-1], flush=True)
    write_report(out, ctx.info, sea=name, order=order, seed=seed, points=waves.points, rows=rows)
    waves.release()
    buffer.release()
    ctx.release()


def write(folder: Path, facts: dict[str, Any], spectra: list[Any], energies: list[Any], rows: list[Any]) -> None:
    """Write a run into a file: amplitudes of each tenth period, energies at intervals, statistics of all states."""
    name = (
        "-".join((facts["sea"], str(facts["order"]), str(facts["seed"]))).replace("/", "-").replace(" ", "-") + ".npz"
    )
    few = np.array(spectra[:: 10 * A_PERIOD])
    np.savez(
        folder / name, spectra=few, energies=np.array(energies), statistics=np.array(rows), facts=json.dumps(facts)
    )
    print(f"{name}: {facts['seconds']} s on {facts['device']}", flush=True)


def solver_state(solver: Solver, amplitudes: Complex, time: float) -> State:
    """Return the state of amplitudes a(k) of waves that run along k, (n, n); see `Solver.amplitudes`."""
    along = embedded(amplitudes, solver.shape[0])
    against = np.conj(np.roll(along[::-1, ::-1], (1, 1), (0, 1)))
    columns = solver.shape[1] // 2 + 1
    return State(
        time,
        (along + against)[:, :columns] * solver.kept,
        solver.potential(-1j * solver.omega * (along - against)[:, :columns]) * solver.kept,
    )


def sea_statistics(file: Path) -> dict[str, Any]:
    """Return the statistics of a run: energies over that at its start, slopes, and crests."""
    with np.load(file) as data:
        spectra, energies, facts = data["spectra"], data["energies"], json.loads(str(data["facts"]))
        crests, slopes, skewness, kurtosis, height = data["statistics"].T
    order = facts["order"]
    waves = make_spectrum(sea_settings(facts["sea"], order, facts["seed"])).waves[0]
    extent, side = Extent.of(waves), waves.tile.side
    points = smallest_grid(extent.cutoff, side, order)
    solver = Solver((points, points), (side, side), extent.cutoff, order, waves.depth, waves.dispersion, 0.0, None)
    exact = [solver.energy(solver_state(solver, amplitudes, 0.0)) for amplitudes in spectra]
    lost = (energies[:, 2:] - energies[0, 2:]) / exact[0]
    part = len(energies) // 4
    found: dict[str, Any] = {
        "periods": (len(slopes) - 1) / A_PERIOD,
        "mean period [s]": round(extent.period, 3),
        "significant height [m], start and end": np.round(height[[0, -1]], 3).tolist(),
        "cutoff over mean wave number": round(extent.cutoff / extent.mean_wave_number, 2),
        "energy of the equations over the start, each ten periods": [round(e / exact[0], 5) for e in exact],
        "most energy over the start": round(max(exact) / exact[0], 5),
        "filtered and broken over the start, by quarters": np.round(lost[part::part], 4).tolist(),
        "largest slope": round(float(slopes.max()), 4),
        "largest slope of half of the states": round(float(np.median(slopes)), 4),
        "highest crest over Hs": round(float(crests.max()), 3),
        "mean of the highest crest of a state over Hs": round(float(np.mean(crests)), 3),
        "skewness and kurtosis": [round(float(each.mean()), 3) for each in (skewness, kurtosis)],
    }
    return {**facts, **found}


# -- Cost ------------------------------------------------------------------------------------------------------------


def cost(out: Path) -> None:
    """Write the GPU's time of a time step of a gale by order, with breaking and without, in turn."""
    ctx = create_headless_context()
    watch, rows = Stopwatch(ctx), []
    for order in COST_ORDERS:
        own = "sea.dynamics=nonlinear", f"sea.order={order}", "fft.size=512"
        settings = resolve(load_settings(config("gale"), overrides=own))
        steps = [Steps(ctx, settings, parts) for parts in (running.LOSS_PARTS, 0)]
        for each in steps * 2:  # compiles; then the stopwatch knows how long submitting takes
            watch.time(each.take, COST_STEPS)
        times = np.array([[watch.time(each.take, COST_STEPS)[0] for each in steps] for _ in range(COST_ROUNDS)])
        ratios = times[:, 0] / times[:, 1]
        rows.append({
            "order": order,
            "points": steps[0].waves.points,
            "median_ms": {name: median(ms) for name, ms in zip(("breaking", "without"), times.T.tolist(), strict=True)},
            "median_ratio": float(np.median(ratios)),
            "quartiles_of_ratio": np.quantile(ratios, (0.25, 0.75)).tolist(),
            "relative_deviation": (times.std(0) / times.mean(0)).tolist(),
            "ms": times.tolist(),
        })  # fmt: skip
        print({name: value for name, value in rows[-1].items() if name != "ms"}, flush=True)
        for each in steps:
            each.waves.release()
    write_report(out, ctx.info, clock=watch.clock, rounds=COST_ROUNDS, steps=COST_STEPS, rows=rows)
    watch.release()
    ctx.release()


class Steps:
    """Time steps of nonlinear waves with a number of parts for losses; 0 leaves breaking and filter out."""

    def __init__(self, ctx: Any, settings: Resolved, loss_parts: int) -> None:
        self.loss_parts, self.number = loss_parts, 0
        with patch.object(running, "LOSS_PARTS", loss_parts):
            self.waves = NonlinearWaves(ctx, make_spectrum(settings).cascades[0], settings.fft, 0.0)

    def take(self) -> None:
        with patch.object(running, "LOSS_PARTS", self.loss_parts):
            self.waves.advance(self.number * self.waves.step)
        self.number += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "report", "cost", "agree", "slopes"))
    parser.add_argument("folder", type=Path, nargs="?", help="folder of the NPZ files")
    parser.add_argument("--periods", type=int, default=500, help="mean periods of a sea (default: 500)")
    parser.add_argument("--orders", type=int, nargs="+", default=[3, 5], help="orders of the seas (default: 3 5)")
    parser.add_argument("--seas", nargs="+", choices=SEAS, default=[*SEAS], help="seas to run (default: all)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="draws of each sea (default: 1)")
    parser.add_argument("--out", type=Path, help="JSON file of the report")
    given = parser.parse_args()
    if given.command == "cost":
        cost(given.out)
        return
    if given.command == "agree":
        agree(given.out, given.seas[0], given.orders[0], given.seeds[0], given.periods)
        return
    if given.command == "slopes":
        rows = []
        for seed, name, order in product(given.seeds, given.seas, given.orders):
            rows.append(slopes(name, order, seed, given.periods))
            print(rows[-1], flush=True)
            write_report(given.out, None, device="cpu, numpy in float64", rows=rows)
        return
    if given.command == "run":
        given.folder.mkdir(parents=True, exist_ok=True)
        for order, name, seed in product(given.orders, given.seas, given.seeds):
            run(given.folder, name, order, seed, given.periods)
        return
    groups = [
        focused_group(steepness, order, band)
        for band, steepnesses in GROUPS.items()
        for order, steepness in product(ORDERS, steepnesses)
    ]
    seas = [sea_statistics(file) for file in sorted(given.folder.glob("*.npz"))]
    program, host = program_facts(), host_facts()
    report = {
        "command": command_line(),
        "date": f"{utc_now():%Y-%m-%d}",
        "commit": program.git_commit,
        "host": host.cpu,
        "focused groups": [{name: round(value, 4) for name, value in asdict(group).items()} for group in groups],
        "without breakers": list(without_breakers()),
        "unstable steady waves": [unstable_wave(*each) for each in UNSTABLE],
        "seas": seas,
    }
    given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
