"""Spectra and crests of one sea by HOS-ocean's solver and by this program's, from one state.

python -m tools.measure.hos_ocean SOURCES --out docs/measurements/hos-ocean.txt

builds the solver, the time steps and the transforms of HOS-ocean (Ducrozet et al. 2016) with `gfortran` and FFTW 3.
SOURCES is HOS-ocean's folder `sources`. A run takes ten minutes, with --quick some seconds. The sea is that of
HOS-ocean's input file: JONSWAP in 3-D. `hos_ocean.f90` calls HOS-ocean's code, which is not copied.
"""

import argparse
import math
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ocean.common.facts import command_line, host_facts, program_facts, utc_now
from ocean.waves.dispersion import GRAVITY, Array, angular_frequency
from ocean.waves.fields import Complex
from tools.measure.nonlinear import PERIOD, RandomSea, crest_heights, input_file_sea, rings

FILES = (
    "utilities/type",
    "HOS/variables_3D",
    "utilities/fourier_r2c_FFTW3",
    "utilities/filters",
    "HOS/resol_HOS",
    "HOS/runge_kutta",
)
ORDER, TOLERANCE = 3, 1e-7  # values of HOS-ocean's input file
STEPS, PARTS = 20, 2  # records in a peak period; our steps between two records


def build(sources: Path, folder: Path, size: int) -> Path:
    """Build HOS-ocean's solver for `size` modes a side, without the modules that only its output needs."""
    names = []
    for name in FILES:
        text = (sources / f"{name}.f90").read_text(encoding="latin-1")
        text = re.sub(r"(?im)^\s*use\s+(ramp|velocities)\s*$", "", text)
        if name.endswith("variables_3D"):
            for variable, value in (("n1", size), ("n2", size), ("M", ORDER)):
                text = re.sub(rf"(?m)(:: {variable} *=) *\d+", rf"\1 {value}", text)
        names.append(folder / Path(name).with_suffix(".f90").name)
        names[-1].write_text(text, encoding="latin-1")
    program = folder / "drive"
    options = "-O3", "-ffree-line-length-none", "-fmax-stack-var-size=100000000", "-I/usr/include", f"-J{folder}"
    driver = Path(__file__).with_suffix(".f90")
    subprocess.run(["gfortran", *options, "-o", program, *names, driver, "-lfftw3"], check=True)
    return program


def sampled(spectrum: Complex, size: int) -> Array:
    """Return a field on a coarser grid of `size` points a side."""
    half = size // 2
    found = np.zeros((size, half + 1), np.complex128)
    rows = np.r_[0:half, 1 - half : 0]
    found[rows, :half] = spectrum[rows, :half]
    return np.fft.irfft2(found, (size, size), norm="forward")


def records(sources: Path, lengths: int, size: int, periods: int) -> tuple[RandomSea, float, Array, Array]:
    """Return the sea, its peak period, and the elevations by HOS-ocean and by ours, (record, size, size)."""
    most = size // 2 - 1
    sea, depth = input_file_sea(lengths, ORDER, (most + 0.5) / lengths)
    # HOS-ocean keeps a square of modes.
    columns = np.arange(sea.k.shape[1])
    rows = np.abs(np.fft.fftfreq(sea.k.shape[0], 1 / sea.k.shape[0]))
    sea.solver.kept = (columns <= most) & (rows[:, None] <= most) & (sea.k > 0)
    period = 2 * math.pi / float(angular_frequency(1.0, depth))
    root, state, ours = math.sqrt(GRAVITY), sea.state, []  # HOS-ocean's g is 1
    numbers = 2 * math.pi * lengths, depth, 5 * PERIOD * root, period / STEPS * root, periods * STEPS, TOLERANCE
    fields = sampled(state.elevation, size), sampled(state.potential, size) / root
    with TemporaryDirectory() as name:
        folder = Path(name)
        program = build(sources, folder, size)
        np.concatenate([numbers, *(field.ravel() for field in fields)]).tofile(folder / "start.bin")
        with subprocess.Popen([program], cwd=folder, stdout=subprocess.DEVNULL) as running:
            for _ in range(periods * STEPS):
                for _ in range(PARTS):
                    state = sea.solver.step(state, period / STEPS / PARTS)
                ours.append(sampled(state.elevation, size))
        if running.returncode:
            raise SystemExit(f"HOS-ocean's solver ended with {running.returncode}")
        theirs = np.fromfile(folder / "records.bin").reshape(-1, size, size)
    return sea, period, theirs, np.array(ours)


def compared(sources: Path, lengths: int, size: int, periods: int) -> Iterator[str]:
    """Yield lines on both seas."""
    sea, period, theirs, ours = records(sources, lengths, size, periods)
    height = 4 * math.sqrt(sea.power.sum())
    linear = sea.solver.linear(sea.state, periods * period)
    yield f"{lengths} x {lengths} peak wavelengths, {size} x {size} modes, order {ORDER}, {periods} peak periods"
    bound = float(np.std(sampled(linear.elevation, size) - ours[-1])) / height
    yield f"linear waves differ from ours by {bound:.3f} Hs at the end"
    yield ""
    yield "periods  difference / Hs: rms  highest"
    for time in (periods // 8, periods // 4, periods // 2, periods):
        difference = theirs[time * STEPS - 1] - ours[time * STEPS - 1]
        yield f"{time:>7}  {difference.std() / height:>20.1e}  {np.abs(difference).max() / height:>7.1e}"
    yield ""
    both = theirs[8 * STEPS :], ours[8 * STEPS :]
    yield "from 8 periods on          HOS-ocean      ours"
    for name, power in (("skewness", 3), ("kurtosis", 4)):
        yield row(name, *(float(np.mean(one**power) / np.std(one) ** power) for one in both))
    yield row("Hs / that of the spectrum", *(4 * float(np.std(one)) / height for one in both))
    every = size // (2 * lengths)
    crests = [crest_heights(one[:, ::every, ::every].reshape(len(one), -1)) / height for one in both]
    for share in (0.1, 0.01, 0.001):
        yield row(f"highest of {1 / share:.0f} crests / Hs", *(float(np.quantile(one, 1 - share)) for one in crests))
    yield row("highest crest / Hs", *(float(one.max()) for one in crests))
    yield ""
    yield "k / kp: variance density at the end [1 / kp^3]"
    edges = np.append(np.arange(0.5, 2.0, 0.25), [2.0, 2.5, 3.0, 4.0, 5.0])
    n = np.fft.fftfreq(size, 1 / size)
    k = np.hypot(n, n[:, None]) / lengths
    spectra = [rings(k, np.abs(np.fft.fft2(one[-1], norm="forward")) ** 2, edges) for one in both]
    for low, high, *pair in zip(edges, edges[1:], *spectra, strict=False):
        yield f"{low:.2f} to {high:.2f}".ljust(26) + "".join(f"  {value:>9.3e}" for value in pair)


def row(name: str, theirs: float, ours: float) -> str:
    return f"{name:<26}  {theirs:>8.4f}  {ours:>8.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, metavar="SOURCES", help="folder `sources` of HOS-ocean")
    parser.add_argument("--out", type=Path, required=True, help="report")
    parser.add_argument("--quick", action="store_true", help="a small sea")
    arguments = parser.parse_args()
    program, host = program_facts(), host_facts()
    compiler = subprocess.run(["gfortran", "--version"], capture_output=True, text=True, check=True).stdout
    lines = [
        command_line(),
        f"{utc_now():%Y-%m-%d}, ocean {program.version}, commit {program.git_commit}, {host.cpu}, "
        f"{compiler.splitlines()[0]}",
        "",
    ]
    for line in compared(arguments.sources, *((3, 32, 16) if arguments.quick else (12, 128, 40))):
        print(line, flush=True)
        lines.append(line)
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
