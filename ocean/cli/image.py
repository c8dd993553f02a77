"""The Fourier transform of a picture: its spectrum as a picture, the inverse transform, and the loss of both.

The values are transformed as stored (sRGB) and not as linear light. They are proportional to perceived brightness, so
that a pattern that looks sinusoidal has the expected two peaks.
"""

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from ocean import fft
from ocean.common.console import Progress, say
from ocean.common.errors import InputError, clipped, reason
from ocean.common.facts import gl_facts, program_facts, provenance, utc_now
from ocean.common.files import whole_files, writing
from ocean.fft.arrays import storage_for
from ocean.fft.comparison import KERNEL_CLOCKS, LONG_MS, LONG_RUNS, RUNS, WHOLE_RUNS, TimedTransform, timed_transform
from ocean.fft.storage import COLUMNS, ROWS
from ocean.gpu.context import create_headless_context, drain
from ocean.settings import FFTSettings

Channels = Literal["luminance", "rgb", "red", "green", "blue"]
FILES = ("spectrum.png", "roundtrip.png", "difference.png", "report.json")
COLOURS = ("red", "green", "blue")
FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # ITU-R BT.709 weights of the stored values
DECIBELS = 120.0
"""Range of the spectrum's picture. Rounding errors of a million 8-bit values lie some 110 dB below the mean."""
SLOW = 5.0  # minimum duration [s] for showing an estimate and the progress
STRIP = 32  # lines of the strip that the estimate measures


@dataclass(frozen=True)
class PicturePlanes:
    planes: NDArray[np.float64]  # 0 to 1, (planes, height, width)
    mode: str  # Pillow's name
    levels: int  # the largest value that the file can hold
    notes: tuple[str, ...]  # notes on changes before the transform


def read_picture(path: Path, channels: Channels) -> PicturePlanes:
    """Return the planes of a PNG, JPEG, TIFF or WebP picture: its luminance, one of its colours, or all three."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=FORMATS) as file:  # formats by content; others may start programs
                frames = getattr(file, "n_frames", 1)
                file.load()
                picture, mode = ImageOps.exif_transpose(file), file.mode
    except UnidentifiedImageError:
        raise InputError(f"{path} is not a picture of the formats {', '.join(FORMATS)}") from None
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise InputError(f"{path} has more than {Image.MAX_IMAGE_PIXELS} pixels") from None
    except Exception as error:  # Pillow's readers raise all types on damaged files
        why = reason(error) if isinstance(error, OSError) else str(error).lower() or type(error).__name__.lower()
        raise InputError(f"can't read {path}: {clipped(why, 300)}; PICTURE is a file of {', '.join(FORMATS)}") from None
    if picture.width * picture.height < 2:
        raise InputError(f"{path} has a single pixel; a transform needs two or more")
    notes = ["the first of its frames"] if frames > 1 else []
    if picture.has_transparency_data:
        notes.append("laid over black where it is transparent")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "black"), picture.convert("RGBA"))
    if picture.mode.startswith(("I", "F")):  # a single channel of more than 8 bits
        values = np.asarray(picture, np.float64)
        levels = 65535
        if not np.isfinite(values).all():
            raise InputError(f"{path} holds values that are not finite")
        if values.min() < 0 or values.max() > levels or picture.mode == "F":
            span = float(np.ptp(values)) or 1.0
            values = (values - values.min()) / span * levels
            notes.append("stretched to its least and largest value")
        planes = np.repeat(values[None], 3, axis=0) if channels == "rgb" else values[None]
    else:
        levels = 255
        rgb = np.moveaxis(np.asarray(picture.convert("RGB"), np.float64), -1, 0)
        if channels == "luminance":
            planes = np.tensordot(LUMINANCE, rgb, 1)[None]
        else:
            planes = rgb if channels == "rgb" else rgb[[COLOURS.index(channels)]]
    return PicturePlanes(planes / levels, mode, levels, tuple(notes))


def image(path: Path, out: Path, settings: FFTSettings, channels: Channels) -> None:
    """Transform a picture forward and back, and write pictures of both and a report into the folder `out`."""
    picture = read_picture(path, channels)
    with whole_files(out, FILES, alone=True) as folder:
        context = create_headless_context()
        try:
            forward, back = there_and_back(context, picture.planes.astype(np.complex64), settings)
            gl, words = gl_facts(context.info), provenance(context.info)
        finally:
            context.release()
        returned = back.result.real.astype(np.float64)
        loss = np.abs(returned - picture.planes)
        factor = float(10.0 ** np.floor(-np.log10(loss.max()))) if loss.any() else 1.0  # makes it visible, and below 1
        report = {
            "schema_version": 1,
            "created": utc_now().isoformat(),
            "program": program_facts().model_dump(),
            "gl": gl.model_dump(),
            **facts_of(path, picture, channels, settings.backend, forward, back),
            "difference": {"factor": factor},
        }
        with writing(out):
            save(folder / "spectrum.png", decibels(forward.result), 255)
            save(folder / "roundtrip.png", returned, picture.levels)
            save(folder / "difference.png", loss * factor, 255)
            (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    summarise(report, forward)
    for line in (*words, "", f"wrote {', '.join(FILES)} in {out}"):
        say(line)


def there_and_back(
    context: moderngl.Context, x: NDArray[np.complex64], settings: FFTSettings
) -> tuple[TimedTransform, TimedTransform]:
    """Transform fields forward and back. Slow transforms print an estimate and their progress."""
    one = estimate(context, x, settings)
    is_long = one * 1e3 > LONG_MS
    seconds, runs = 2 * one * (LONG_RUNS if is_long else RUNS), 2 * (LONG_RUNS if is_long else WHOLE_RUNS)
    chosen = settings.backend, settings.options
    with Progress() as progress:
        numbers, is_slow = iter(range(1, runs)), seconds > SLOW

        def ran() -> None:
            if is_slow:
                progress.reach(next(numbers, 0))

        if is_slow:
            planes = "1 plane" if len(x) == 1 else f"{len(x)} planes"
            size = f"{x.shape[2]} × {x.shape[1]} pixels"
            print(f"{size}, {planes}: about {duration(seconds)} on this GPU", flush=True)
            progress.start("transform", runs)
        forward = timed_transform(context, x, False, *chosen, ran)
        return forward, timed_transform(context, forward.result, True, *chosen, ran)


def facts_of(
    path: Path, picture: PicturePlanes, channels: Channels, asked: str, forward: TimedTransform, back: TimedTransform
) -> dict[str, Any]:
    """Return the report's facts on the picture, its transforms by the backend that was asked for, and their errors."""
    planes, returned, expected = picture.planes, back.result.real.astype(np.float64), np.fft.fft2(picture.planes)
    steps = to_levels(returned, picture.levels).astype(int) - to_levels(planes, picture.levels)
    axes = ("columns" if one.axis else "rows" for one in forward.transforms)
    return {
        "picture": {
            "file": path.name,
            "width": planes.shape[2],
            "height": planes.shape[1],
            "mode": picture.mode,
            "largest_value": picture.levels,
            "notes": picture.notes,
        },
        "channels": channels,
        "values": "sRGB as stored, 0 to 1",
        "backend": {"asked": asked, **dict(zip(axes, forward.backends, strict=True)), "precision": "single"},
        "clock": {"kernels": forward.clock, "with_transfers": "wall", "numpy": "wall"},
        "times_ms": {
            name: {"kernels": run.kernels_ms, "with_transfers": run.total_ms, "numpy_complex64": run.numpy_ms}
            for name, run in (("forward", forward), ("inverse", back))
        },
        "times_are": {"forward": forward.measured, "inverse": back.measured},
        "spectrum": {
            "relative_l2_error": relative(forward.result - expected, expected),
            "largest_magnitude": float(np.abs(expected).max()),
            "white_db": 0.0,
            "black_db": -DECIBELS,
        },
        "roundtrip": {
            "relative_l2_error": relative(returned - planes, planes),
            "largest_error": float(np.abs(returned - planes).max()),
            "values_that_changed": int(np.count_nonzero(steps)),
        },
    }


def estimate(ctx: moderngl.Context, fields: NDArray[np.complex64], settings: FFTSettings) -> float:
    """Return the estimated time [s] for one transform of the fields, measured on a strip of lines along each axis."""
    count, height, width = fields.shape
    seconds = 0.0
    for axis, lines, strip in (
        (ROWS, height, fields[:1, :STRIP]),
        (COLUMNS, width, np.ascontiguousarray(fields[:1, :, :STRIP])),
    ):
        if strip.shape[2 if axis == ROWS else 1] < 2:
            continue
        storage = storage_for(ctx, strip)
        try:
            plan = fft.plan(ctx, settings.backend, storage, settings.options, axes=(axis,))
            storage.write(np.repeat(strip, storage.layers * storage.packed, axis=0))
            times = []
            for _ in range(3):  # the first run compiles
                start = perf_counter()
                plan.forward()
                drain(ctx)
                times.append(perf_counter() - start)
            plan.release()
        finally:
            storage.release()
        planes = -(-count // storage.packed)
        seconds += min(times) * planes * lines / min(lines, STRIP)
    return seconds


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} minutes"


def relative(difference: NDArray[Any], whole: NDArray[Any]) -> float:
    """Return the L2 norm of a difference over the norm of the whole, or the plain norm if the whole is 0."""
    return float(np.linalg.norm(difference) / (np.linalg.norm(whole) or 1.0))


def decibels(spectrum: NDArray[Any]) -> NDArray[np.float64]:
    """Return the magnitude with frequency 0 in the middle, from 1 for the largest to 0 for DECIBELS below it."""
    magnitude = np.fft.fftshift(np.abs(spectrum).astype(np.float64), axes=(-2, -1))
    largest = magnitude.max()
    least = 10 ** (-DECIBELS / 20)
    level: NDArray[np.float64] = 20 * np.log10(np.maximum(magnitude / largest if largest else magnitude, least))
    return 1 + level / DECIBELS


def to_levels(planes: NDArray[np.float64], levels: int) -> NDArray[np.uint16]:
    """Return values from 0 to 1 as whole numbers up to `levels`."""
    return np.rint(np.clip(planes, 0, 1) * levels).astype(np.uint16)


def save(path: Path, planes: NDArray[np.float64], levels: int) -> None:
    """Write one plane as a grey PNG of 8 or 16 bits, or three planes as a coloured PNG of 8 bits."""
    if len(planes) == 1:
        values = to_levels(planes[0], levels)
        Image.fromarray(values if levels > 255 else values.astype(np.uint8)).save(path)
    else:
        Image.fromarray(np.moveaxis(to_levels(planes, 255).astype(np.uint8), 0, -1)).save(path)


def summarise(report: dict[str, Any], run: TimedTransform) -> None:
    picture, backend, back = report["picture"], report["backend"], report["roundtrip"]
    axes = ", ".join(f"{axis} by {backend[axis]}" for axis in ("rows", "columns") if axis in backend)
    notes = "".join(f"; {note}" for note in picture["notes"])
    say(f"picture: {picture['width']} × {picture['height']}, {picture['mode']}{notes}")
    print(f"transformed: {report['channels']} of the values as stored (sRGB, not linear light), from 0 to 1")
    print(f"backend: {axes}, in single precision")
    print(
        f"spectrum: relative L2 error {report['spectrum']['relative_l2_error']:.2g} against numpy in float64; "
        f"white is {report['spectrum']['largest_magnitude']:.6g}, black {DECIBELS:g} dB below"
    )
    print(
        f"round trip: relative L2 error {back['relative_l2_error']:.2g}, largest {back['largest_error']:.2g}; "
        f"{back['values_that_changed']} values changed once rounded to {picture['largest_value'] + 1} levels"
    )
    print(f"difference: shown {report['difference']['factor']:g} times as large")
    print(f"times: {run.measured}; kernels by {KERNEL_CLOCKS[run.clock]}, the others by the wall clock")
    for name, times in report["times_ms"].items():
        print(
            f"  {name}: GPU {times['kernels']:.3f} ms, kernels alone, {times['with_transfers']:.3f} ms with upload and "
            f"read back; numpy in complex64 {times['numpy_complex64']:.3f} ms"
        )
