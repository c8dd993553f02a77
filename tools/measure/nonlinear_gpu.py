"""Nonlinear waves of running seas on this GPU: energy over 160 mean periods, shape of the surface, difference from the
twin, time of a stage by order and backend, and time of a second of the sea.

python -m tools.measure.nonlinear_gpu --out docs/measurements/h100/nonlinear

writes gpu.txt, in two minutes on an H100; --quick takes 16 periods of small seas, to check that the script works.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, process_time

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.facts import command_line, program_facts, utc_now
from ocean.gpu.context import create_headless_context
from ocean.gpu.shaders import shader_library
from ocean.sea.blend import Cascade, make_spectrum
from ocean.sea.nonlinear import NonlinearWaves
from ocean.sea.sea import Sea, make_sea
from ocean.settings import FFTSettings, load_settings
from ocean.waves.nonlinear import RunningWaves, Solver, State, course, embedded
from ocean.waves.statistics import mirrored

ROUNDS, BATCH = 7, 40  # timed batches of stages, and stages of a batch
BACKENDS = "stockham-registers", "stockham-shared", "split-radix", "stockham-radix4", "stockham-radix2", "cooley-tukey"


def cascade_of(*overrides: str) -> tuple[FFTSettings, Cascade]:
    """Return the longest cascade of a nonlinear sea, and the settings of its transforms."""
    settings = load_settings(overrides=["sea.dynamics=nonlinear", *overrides])
    return settings.fft, make_spectrum(settings).cascades[0]


def started(ctx: moderngl.Context, *overrides: str) -> NonlinearWaves:
    """Return the waves of a sea, shown at time 0."""
    chosen, cascade = cascade_of(*overrides)
    waves = NonlinearWaves(ctx, cascade, chosen)
    waves.advance(0.0)
    return waves


def run_to(waves: NonlinearWaves, start: int, end: int) -> None:
    """Run waves from one number of periods to another, in steps: after a leap of more than 20 periods they would start
    anew."""
    for periods in range(start + 4, end + 1, 4):
        waves.advance(periods * waves.extent.period)


def state_of(solver: Solver, amplitudes: NDArray[np.complex128], time: float) -> State:
    """Return the state of waves `h(k) e^{-iwt}` [m]."""
    a = embedded(amplitudes, solver.shape[0])
    opposite, half = np.conj(mirrored(a)), solver.omega.shape[1]
    rate = -1j * solver.omega * (a - opposite)[:, :half]
    return State(time, solver.kept * (a + opposite)[:, :half], solver.kept * solver.potential(rate))


def energies(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the energy and the shape of seas over time. There are two energies: that to second order, which
    *Sea truth* shows, and that of the equations, which is conserved after the start."""
    head = "wind [m/s]  periods  energy / start  of the equations  filtered / start"
    yield f"{head}  Hs [m]  skewness  kurtosis  highest / Hs"
    for speed in (10, 18, 25, 32):
        overrides = f"sea.wind.speed={speed}", f"fft.size={32 if quick else 512}"
        waves, shown, first = started(ctx, *overrides), 0, 0.0
        solver = course(cascade_of(*overrides)[1].waves, waves.key.order, ramp=0.0).solver
        buffer = ctx.buffer(reserve=waves.energy_bytes)
        for periods in (0, 4, 16) if quick else (0, 20, 40, 80, 100, 160):
            run_to(waves, shown, periods)
            shown, time = periods, periods * waves.extent.period
            waves.copy_energy(buffer)
            found = waves.energies(np.frombuffer(buffer.read(), np.float32))
            state = state_of(solver, waves.spectrum(time), time)
            energy = solver.energy(state)
            first = first or energy
            eta = solver.grid(state.elevation)
            deviation = eta.std()
            skewness, kurtosis = (np.mean(eta**n) / deviation**n for n in (3, 4))
            yield (
                f"{speed:>10}  {periods:>7}  {found.now / found.start:>14.5f}  {energy / first:>16.6f}"
                f"  {found.filtered / found.start:>16.2e}  {4 * deviation:>6.3f}  {skewness:>8.3f}  {kurtosis:>8.3f}"
                f"  {eta.max() / (4 * deviation):>12.3f}"
            )
        buffer.release()
        waves.release()


def differences(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the difference of elevations from the float64 twin, which has its own grid."""
    yield "wind [m/s]  periods  difference / Hs: rms  highest"
    for speed in (18,) if quick else (18, 32):
        chosen, cascade = cascade_of(f"sea.wind.speed={speed}", f"fft.size={32 if quick else 512}")
        waves, twin, periods = NonlinearWaves(ctx, cascade, chosen), RunningWaves(cascade.waves, cascade.key.order), 20
        time = periods * waves.extent.period
        for each in (0.0, time):
            waves.advance(each)
            twin.at(each, waves.points)
        expected, _ = twin.at(time, waves.points)
        of, found = (
            np.fft.ifft2(a + np.conj(mirrored(a)), norm="forward").real for a in (expected, waves.spectrum(time))
        )
        rms, highest = (found - of).std() / (4 * of.std()), np.abs(found - of).max() / (4 * of.std())
        yield f"{speed:>10}  {periods:>7}  {rms:>20.2e}  {highest:>7.2e}"
        waves.release()


def stages(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the GPU's time of a stage, from the first command to the last, including waits between
    commands."""
    yield "backend             order  grid  dispatches  stage [ms]  from    to"
    cases = [("stockham-registers", order) for order in (2, 3, 4, 5)] + [(name, 3) for name in BACKENDS[1:]]
    for backend, order in cases[:2] if quick else cases:
        waves = started(ctx, f"fft.size={32 if quick else 512}", f"sea.order={order}", f"fft.backend={backend}")
        run, done = partial(next_stage, waves), count(1)
        times = [timed(ctx, run, done) for _ in range(ROUNDS)]
        middle, least, most = np.median(times), min(times), max(times)
        row = f"{backend:<18}  {order:>5}  {waves.points:>4}  {waves.dispatches:>10}  {middle:>10.3f}"
        yield f"{row}  {least:.3f}  {most:.3f}"
        waves.release()


def speeds(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the time of a second of a gale at 15 frames a second, for the solver alone and for a whole sea
    without drawing. Times are by the clock, and summed over all cores, which other programs slow down less."""
    yield "size  order  grid  solver: clock [s]  cores [s]  sea: clock [s]  cores [s]"
    fps, seconds = 15, 1 if quick else 2
    for size, order in ((32, 3),) if quick else ((64, 3), (128, 2), (128, 3)):
        own = f"fft.size={size}", f"sea.order={order}", "cascades.blended=0", "sea.dynamics=nonlinear"
        sea = Sea(ctx, load_settings("gale", overrides=own))
        waves = sea.solved.waves[0]
        found = []
        for start, run in ((0, waves.advance), (seconds, sea.update)):
            run(float(start))
            ctx.finish()
            clock, cores = perf_counter(), process_time()
            for frame in range(1, fps * seconds + 1):
                run(start + frame / fps)
                ctx.finish()
            found += [(perf_counter() - clock) / seconds, (process_time() - cores) / seconds]
        times = "{:>17.2f}  {:>9.2f}  {:>14.2f}  {:>9.2f}".format(*found)
        yield f"{size:>4}  {order:>5}  {waves.points:>4}  {times}"
        sea.release()


def processor(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the time of the processor's sea for its lead, and for a second of a gale."""
    yield "numpy: size  order  lead: clock [s]  cores [s]  a second: clock [s]  cores [s]"
    fps, seconds = 15, 1 if quick else 2
    for size in (32,) if quick else (64, 128):
        own = f"fft.size={size}", "cascades.blended=0", "sea.dynamics=nonlinear", "fft.backend=numpy"
        sea, found = make_sea(load_settings("gale", overrides=own)), []
        for frames, length in ((range(1), 1), (range(1, fps * seconds + 1), seconds)):
            clock, cores = perf_counter(), process_time()
            for frame in frames:
                sea.update(frame / fps)
            found += [(perf_counter() - clock) / length, (process_time() - cores) / length]
        times = "{:>15.2f}  {:>9.2f}  {:>19.2f}  {:>9.2f}".format(*found)
        yield f"{size:>11}  {sea.settings.sea.order:>5}  {times}"
        sea.release()


def next_stage(waves: NonlinearWaves, number: int) -> None:
    """Run one more stage."""
    waves.advance((number - 1) * waves.step / 4)
    waves.go_on(number * waves.step / 4)


def timed(ctx: moderngl.Context, run: Callable[[int], None], done: Iterator[int]) -> float:
    """Return the GPU's time of one run [ms], as a mean over a batch. Numbers of runs continue from batch to batch."""
    query = ctx.query(time=True)
    with query:
        for _ in range(BATCH):
            run(next(done))
    return float(query.elapsed) / 1e6 / BATCH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {part.__name__: part for part in (stages, energies, differences, speeds, processor)}
    parser.add_argument("--out", type=Path, required=True, help="folder of gpu.txt")
    parser.add_argument("--quick", action="store_true", help="small cases")
    parser.add_argument("--only", choices=parts, help="one part of the report")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    ctx = create_headless_context()
    program = program_facts()
    lines = [
        command_line(),
        f"{utc_now():%Y-%m-%d}, ocean {program.version}, commit {program.git_commit}, {ctx.info['GL_RENDERER']}, "
        f"OpenGL {ctx.info['GL_VERSION']}, clock: GPU timer query",
    ]
    for part in (parts[arguments.only],) if arguments.only else parts.values():
        lines.append("")
        for line in part(ctx, arguments.quick):
            print(line, flush=True)
            lines.append(line)
        (arguments.out / "gpu.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shader_library(ctx).release()
    ctx.release()


if __name__ == "__main__":
    main()
