"""Nonlinear waves of running seas on this GPU: their energy over 160 mean periods, the shape of the surface, and the
time of a stage by order and backend.

python -m tools.nonlinear_gpu --out docs/measurements/h200/nonlinear

writes gpu.txt, in half a minute on an H200; --quick takes 16 periods of small seas, to see that it works.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import moderngl
import numpy as np

from ocean.common.facts import command_line, program_facts, utc_now
from ocean.gpu.context import create_headless_context
from ocean.gpu.shaders import shader_library
from ocean.sea.blend import make_spectrum
from ocean.sea.nonlinear import NonlinearWaves
from ocean.settings import load_settings
from ocean.waves.statistics import mirrored

ROUNDS, BATCH = 7, 40  # timed batches of stages, and stages of a batch
BACKENDS = "stockham-registers", "stockham-shared", "split-radix", "stockham-radix4", "stockham-radix2", "cooley-tukey"


def started(ctx: moderngl.Context, *overrides: str) -> NonlinearWaves:
    """Return the waves of a sea, shown at time 0."""
    settings = load_settings(overrides=["sea.dynamics=nonlinear", *overrides])
    waves = NonlinearWaves(ctx, make_spectrum(settings).cascades[0], settings.fft)
    waves.advance(0.0)
    return waves


def energies(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the energy and the shape of seas in time."""
    yield "wind [m/s]  periods  energy / start  filtered / start  Hs [m]  skewness  kurtosis  highest / Hs"
    for speed in (10, 18, 25, 32):
        waves = started(ctx, f"sea.wind.speed={speed}", f"fft.size={32 if quick else 512}")
        buffer, shown = ctx.buffer(reserve=waves.energy_bytes), 0
        for periods in (0, 4, 16) if quick else (0, 20, 40, 80, 160):
            while shown < periods:  # a leap of more than 20 periods would start them anew
                shown += 4
                waves.advance(shown * waves.extent.period)
            time = periods * waves.extent.period
            waves.copy_energy(buffer)
            found = waves.energies(np.frombuffer(buffer.read(), np.float32))
            a = waves.spectrum(time)
            eta = np.fft.ifft2(a + np.conj(mirrored(a)), norm="forward").real
            deviation = eta.std()
            skewness, kurtosis = (np.mean(eta**n) / deviation**n for n in (3, 4))
            yield (
                f"{speed:>10}  {periods:>7}  {found.now / found.start:>14.5f}  {found.filtered / found.start:>16.2e}"
                f"  {4 * deviation:>6.3f}  {skewness:>8.3f}  {kurtosis:>8.3f}  {eta.max() / (4 * deviation):>12.3f}"
            )
        buffer.release()
        waves.release()


def stages(ctx: moderngl.Context, quick: bool) -> Iterator[str]:
    """Yield lines on the time of a stage: of the GPU, from the first command to the last, between which it may wait."""
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


def next_stage(waves: NonlinearWaves, number: int) -> None:
    """Run one more stage."""
    waves.advance(number * waves.step / 4)


def timed(ctx: moderngl.Context, run: Callable[[int], None], done: Iterator[int]) -> float:
    """Return the GPU's time of one run [ms], as a mean over a batch; runs are numbered on."""
    query = ctx.query(time=True)
    with query:
        for _ in range(BATCH):
            run(next(done))
    return float(query.elapsed) / 1e6 / BATCH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of gpu.txt")
    parser.add_argument("--quick", action="store_true", help="small cases")
    arguments = parser.parse_args()
    ctx = create_headless_context()
    program = program_facts()
    lines = [
        command_line("python", "-m", "tools.nonlinear_gpu"),
        f"{utc_now():%Y-%m-%d}, ocean {program.version}, commit {program.git_commit}, {ctx.info['GL_RENDERER']}, "
        f"OpenGL {ctx.info['GL_VERSION']}, clock: GPU timer query",
    ]
    for part in (energies, stages):
        lines.append("")
        for line in part(ctx, arguments.quick):
            print(line, flush=True)
            lines.append(line)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "gpu.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shader_library(ctx).release()
    ctx.release()


if __name__ == "__main__":
    main()
