"""SWD files of `ocean export`, read by the library of the standard's authors, against sums over the waves:

    git clone https://github.com/SpectralWaveData/spectral_wave_data out/swd
    git -C out/swd checkout c43710e769c3d7d3c4f832ab74e456706b361493
    cmake -S out/swd/src/api/python/Cmake -B out/swd/build && cmake --build out/swd/build
    python -m tools.measure.swd --library out/swd/build/libSpectralWaveData.so --out docs/measurements/software/swd.json

The library needs a Fortran compiler, such as gfortran, and is called by its C interface. Points are within 500 m of the
origin; times lie at steps of the file and between them. Velocities are those of linear theory, below the mean level.
"""

import ctypes
import math
from ctypes import Structure, c_bool, c_char_p, c_double, c_int, c_void_p
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ocean.export.plan import Plan
from ocean.export.run import export
from ocean.sea.blend import make_spectrum
from ocean.settings import load_settings
from ocean.settings.files import resolve
from ocean.waves.amplitudes import CascadeWaves, wave_vectors
from ocean.waves.dispersion import Array, clock_ticks
from ocean.waves.fields import evolve, evolve_rate
from tools.measure.reports import report_parser, write_report

START, FPS, FRAMES = 100.0, 8.0, 33
TIMES = (0.0, 1.0, 1.0625, 2.53, 3.9)  # s after START
LEVELS = (0.0, -1.0, -4.0, -12.0)  # m
POINTS = 60
SEA = "fft.size=128", "cascades.count=2", "cascades.blended=0", "sea.wind.speed=12"
WATERS = {"15 m deep": "sea.depth=15", "deep": "sea.dispersion=deep"}
NAMES = "elevation", "rate of elevation", "velocity east", "velocity north", "velocity up"


class Vector(Structure):
    _fields_ = [(axis, c_double) for axis in "xyz"]


@dataclass(frozen=True)
class Agreement:
    """The difference of the library's values from the sum, as fractions of the sum's standard deviation."""

    water: str
    quantity: str
    level: float  # m
    rms: float
    largest: float


class Library:
    """The C interface of spectral_wave_data."""

    def __init__(self, path: Path) -> None:
        self.calls = ctypes.CDLL(str(path.resolve()))
        real, pointer = c_double, c_void_p
        signatures = {
            "allocate": (pointer, [c_char_p, *[real] * 5, *[c_int] * 5, c_bool]),
            "close": (None, [pointer]),
            "update_time": (None, [pointer, real]),
            "elev": (real, [pointer, real, real]),
            "elev_t": (real, [pointer, real, real]),
            "grad_phi": (Vector, [pointer, real, real, real]),
            "get_chr": (c_char_p, [pointer, c_char_p]),
            "error_raised": (c_bool, [pointer]),
            "error_get_msg": (c_char_p, [pointer]),
        }
        for name, (result, arguments) in signatures.items():
            call = getattr(self.calls, f"swd_api_{name}")
            call.restype, call.argtypes = result, arguments

    def open(self, path: Path) -> c_void_p:
        """Open a file with x east and y north, as its text says."""
        beta = float(path.read_bytes().split(b"beta = ")[1].split(b". ")[0])
        # All components, the library's choice of class and of interpolation, and exp(k z) above the mean water level.
        file = c_void_p(self.calls.swd_api_allocate(str(path).encode(), 0, 0, 0, beta, 1025, -1, -1, 0, 0, -1, False))
        if self.calls.swd_api_error_raised(file):
            raise SystemExit(self.calls.swd_api_error_get_msg(file).decode())
        return file

    def read(self, path: Path, time: float, x: Array, y: Array) -> Array:
        """Return the values of NAMES, (levels, names, points)."""
        file, calls = self.open(path), self.calls
        calls.swd_api_update_time(file, time)
        surface = [
            [call(file, *at) for at in zip(x, y, strict=True)] for call in (calls.swd_api_elev, calls.swd_api_elev_t)
        ]
        found = []
        for level in LEVELS:
            moves = [calls.swd_api_grad_phi(file, *at, level) for at in zip(x, y, strict=True)]
            found.append([*surface, *([getattr(one, axis) for one in moves] for axis in "xyz")])
        calls.swd_api_close(file)
        return np.array(found)


def summed(waves: CascadeWaves, time: float, x: Array, y: Array) -> Array:
    """Return the values of NAMES, (levels, names, points), of linear waves."""
    h0, turns = waves.trimmed()
    ticks = clock_ticks(time, waves.period)
    east, south = wave_vectors(waves.tile, len(h0))
    k = np.maximum(np.hypot(east, south), 1e-9)
    elevation, rate = evolve(h0, turns, ticks), evolve_rate(h0, turns, ticks, waves.period)
    there = np.exp(1j * (np.outer(x, east.ravel()) - np.outer(y, south.ravel())))
    found = []
    for level in LEVELS:
        if waves.dispersion == "deep":
            up, along = np.exp(k * level), np.exp(k * level)
        else:
            kd = np.minimum(k * waves.depth, 300)
            kz = np.minimum(k * (level + waves.depth), 300)
            shallow = kd < 300
            up = np.where(shallow, np.sinh(kz) / np.sinh(kd), np.exp(k * level))
            along = np.where(shallow, np.cosh(kz) / np.sinh(kd), np.exp(k * level))
        fields = elevation, rate, 1j * east / k * along * rate, -1j * south / k * along * rate, up * rate
        found.append([(there @ field.ravel()).real for field in fields])
    return np.array(found)


def compare(library: Library, water: str, folder: Path) -> list[Agreement]:
    settings = resolve(load_settings(overrides=[*SEA, WATERS[water]]))
    plan = Plan(settings, FRAMES, "swd", start=START, fps=FPS, device="cpu")
    export(plan, folder)
    x, y = np.random.default_rng(3).uniform(-500, 500, (2, POINTS))
    waves = make_spectrum(settings).waves
    files = sorted(folder.glob("cascade*.swd"))
    read = np.array([sum(library.read(file, time, x, y) for file in files) for time in TIMES])
    sums = np.array([sum(summed(each, START + time, x, y) for each in waves) for time in TIMES])
    rows = []
    for i, level in enumerate(LEVELS):
        for j, name in enumerate(NAMES if i == 0 else NAMES[2:], 0 if i == 0 else 2):
            off = (read - sums)[:, i, j] / sums[:, i, j].std()
            rows.append(Agreement(water, name, level, math.sqrt(np.mean(off**2)), float(np.abs(off).max())))
    return rows


def main() -> None:
    parser = report_parser(__doc__)
    parser.add_argument("--library", dest="built", type=Path, required=True, metavar="FILE", help="the built library")
    given = parser.parse_args()
    library, rows = Library(given.built), []
    for water in WATERS:
        with TemporaryDirectory() as folder:
            rows += compare(library, water, Path(folder))
    what = "differences over the standard deviation of the sum"
    write_report(given.out, None, unit=what, times=TIMES, points=POINTS, rows=[asdict(row) for row in rows])
    for row in rows:
        print(f"{row.water:10} {row.quantity:18} at {row.level:5g} m: rms {row.rms:.1e}, largest {row.largest:.1e}")


if __name__ == "__main__":
    main()
