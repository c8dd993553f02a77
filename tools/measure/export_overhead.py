"""Overhead of an export over its frames and their encoder, and speed of the sea without a GPU:

    python -m tools.measure.export_overhead --out docs/measurements/DEVICE-DATE/export.json

A looping export of 240 frames at N = 256 is timed in each format, from opening the folder to its last checksum. Right
before it, a plain loop computes the same frames and hands them to the encoder (OpenEXR, numpy, zarr; for MP4 x264,
without pictures in between), without checksums, moves and a list. `ratio` is the time of the export over that of the
loop.
"""

import argparse
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ocean.export.frame_sources import open_source, own_context
from ocean.export.making import make_format
from ocean.export.pictures import movie_of, pixels
from ocean.export.plan import Plan
from ocean.export.run import export
from ocean.gpu.context import ContextError, create_headless_context
from ocean.sea.host import HostSea
from ocean.settings import load_settings
from tools.measure.reports import write_report

FRAMES, FPS = 240, 8.0
LOOP = FRAMES / FPS  # s
SEA = (f"sea.loop_period={LOOP}", "fft.size=256")
PICTURES = ("capture.width=320", "capture.height=180", "foam.resolution=128", "foam.decay=0.5")
PLANS = {
    form: Plan(load_settings(overrides=SEA), FRAMES, form, ("displacement",), fps=FPS, device="cpu")
    for form in ("exr", "npz", "zarr")
}
PLANS["mp4"] = Plan(load_settings(overrides=[*SEA, *PICTURES]), FRAMES, "mp4", fps=FPS)


@dataclass(frozen=True)
class Overhead:
    """Seconds of an export, and of its frames and their encoder alone."""

    format: str
    device: str
    frames_s: float
    encoder_s: float
    export_s: float

    @property
    def ratio(self) -> float:
        return self.export_s / (self.frames_s + self.encoder_s)


def measure(plan: Plan, folder: Path) -> Overhead:
    """Time the parts of an export beside `folder`, then the export into it."""
    frames, encoder = alone(plan, folder)
    start = perf_counter()
    assert export(plan, folder / "export") == 0
    return Overhead(plan.format, plan.device, frames, encoder, perf_counter() - start)


def least(plan: Plan, rounds: int) -> Overhead:
    """Return the least times of some rounds, because other work on the machine only adds time."""
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            found.append(measure(plan, Path(folder)))
    times = (min(getattr(row, name) for row in found) for name in ("frames_s", "encoder_s", "export_s"))
    return Overhead(plan.format, plan.device, *times)


def alone(plan: Plan, folder: Path) -> tuple[float, float]:
    """Return the seconds of the frames, their source included, and of the encoder."""
    place = folder / "alone"
    place.mkdir()
    begun, encoder = perf_counter(), 0.0
    with own_context(plan.device) as ctx, open_source(plan, ctx) as frames:
        if plan.format == "mp4":
            with movie_of(plan, place) as movie:
                for index in range(plan.frames):
                    frame = frames.frame(index)
                    start = perf_counter()
                    movie.add(pixels(plan, frame))
                    encoder += perf_counter() - start
                start = perf_counter()
            encoder += perf_counter() - start
        else:
            form = make_format(plan)
            form.prepare(place)
            for index in range(plan.frames):
                frame = frames.frame(index)
                start = perf_counter()
                form.write(frame, place)
                encoder += perf_counter() - start
    return perf_counter() - begun - encoder, encoder


def sea_times(size: int = 512, frames: int = 60) -> list[float]:
    """Return the milliseconds of frames of one cascade without a GPU, all eight fields included."""
    sea = HostSea(load_settings(overrides=[f"fft.size={size}", "cascades.count=1"]))
    times = []
    for index in range(frames):
        start = perf_counter()
        sea.update(index / 24)
        sea.fields()
        times.append((perf_counter() - start) * 1e3)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the report, JSON")
    parser.add_argument("--formats", default="exr,npz,zarr", help="with commas; mp4 wants a GPU")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each format; the least times count")
    arguments = parser.parse_args()
    times, rows = sea_times(), []
    print(f"N = 512, one cascade, eight fields: {np.median(times):.1f} ms")
    for form in arguments.formats.split(","):
        row = least(PLANS[form], arguments.rounds)
        rows.append({**asdict(row), "ratio": row.ratio})
        print(f"{form}: {row.export_s:.1f} s, {row.ratio:.2f} of frames and encoder by themselves", flush=True)
        write(arguments.out, times, rows)


def write(path: Path, times: list[float], rows: list[dict[str, Any]]) -> None:
    """Write the measurements and their device."""
    gl = None
    with suppress(ContextError):
        ctx = create_headless_context()
        gl = dict(ctx.info)
        ctx.release()
    write_report(
        path,
        "export_overhead",
        gl,
        frames=FRAMES,
        loop_s=LOOP,
        size=256,
        exports=rows,
        sea_of_512_ms={"median": float(np.median(times)), "samples": [round(time, 3) for time in times]},
    )


if __name__ == "__main__":
    main()
