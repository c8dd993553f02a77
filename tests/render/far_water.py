"""What lies far away against what many samples say it is: python -m tests.render.far_water --out FILE writes it down.

The reference is the same mesh drawn with eight times the pixels along each axis, so that each of the 64 samples of a
pixel is shaded at its own place, with a footprint an eighth as wide.
"""

import argparse
import json
import shlex
import sys
from itertools import product
from pathlib import Path

import numpy as np

from ocean.gpu.context import create_headless_context
from ocean.light.spectrum import LUMINANCE
from ocean.render.frame import FrameRenderer
from ocean.render.mesh import EARTH_RADIUS
from ocean.report import gl_facts, host_facts, program_facts, utc_now
from ocean.resources import config
from ocean.settings import load_settings

from .conftest import SMALL

WIDTH, HEIGHT, TIMES = 96, 64, 8  # pixels, and how many samples along each axis of one the reference has
FAR = 300.0  # m
# altitude [m], pitch and field of view [degrees]; the lowest has pixels of 0.03 degrees
HIGHEST, HIGH, MIDDLE, LOW = (1000.0, -10.0, 10.0), (50.0, -4.5, 10.0), (30.0, -2.3, 10.0), (5.0, -0.55, 2.0)
DECK = (8.0, -0.8, 3.56)  # with the pixels of a window of 1600 x 900
HEADING = 248.0
_HIGH = load_settings(config("high"))
SHIPPED = f"sky.clouds={_HIGH.sky.clouds}", f"sky.veil={_HIGH.sky.veil}", f"foam.resolution={_HIGH.foam.resolution}"


def luminance(renderer, time=5.0):
    renderer.render(time)
    width, height = renderer.size
    data = np.frombuffer(renderer._targets.hdr.read(), "f2").reshape(height, width, 4)
    return data[::-1, :, :3].astype("f8") @ LUMINANCE


def means(picture, side):
    rows, columns = picture.shape
    return picture.reshape(rows // side, side, columns // side, side).mean(axis=(1, 3))


def pictures(make, *overrides, frames, place, heading=HEADING):
    """Frames and references of a view that turns by a tenth of a pixel from one to the next, both with the same mesh.
    128 waves along a side, so that none fall between the cascades. `make` makes a renderer of overrides and a size."""
    altitude, pitch, field = place
    step = field / HEIGHT / 10
    stand = {"altitude": altitude, "pitch": pitch, "field_of_view": field}
    shown, reference = [], []
    for samples, size, into in (
        (("view.samples=4", "view.edge_pixels=1.6"), (WIDTH, HEIGHT), shown),
        (("view.samples=1", f"view.edge_pixels={1.6 * TIMES}"), (WIDTH * TIMES, HEIGHT * TIMES), reference),
    ):
        renderer = make("fft.size=128", "view.anisotropy=8", *samples, *overrides, size=size)
        for i in range(frames):
            settings = renderer.settings
            view = settings.view.model_copy(update=stand | {"heading": heading + i * step})
            renderer.apply(settings.model_copy(update={"view": view}))
            into.append(luminance(renderer))
    return np.array(shown), np.array(reference)


def far_rows(place):
    """Rows of blocks of 8 pixels that show the sea beyond 300 m, and not the sky nor the horizon itself."""
    altitude, pitch, field = place
    y = 1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2
    down = np.radians(-pitch) - np.arctan(y * np.tan(np.radians(field / 2)))  # of each row's line of sight
    sea = down > np.sqrt(2 * altitude / EARTH_RADIUS) + 2 * np.radians(field / HEIGHT)
    return (sea & (altitude / np.tan(np.maximum(down, 1e-4)) > FAR)).reshape(-1, 8).all(axis=1)


def standard_errors(fine):
    """Of the reference's means over blocks of 8x8 pixels. It has a sample in each cell of a lattice; half the squared
    difference of two, one above the other, is at least a cell's variance, on average."""
    variance = np.repeat((fine[0::2] - fine[1::2]) ** 2 / 2, 2, axis=0)
    return np.sqrt(means(variance, 8 * TIMES) / (8 * TIMES) ** 2)


def compared(make, place, *overrides, heading=HEADING):
    """Errors of the blocks beyond 300 m, relative, the reference's standard errors, and by how much more pixels change
    there from one frame of a slow pan to the next than the reference's do."""
    shown, fine = pictures(make, *overrides, frames=2, place=place, heading=heading)
    reference, rows = np.array([means(picture, TIMES) for picture in fine]), far_rows(place)
    true = means(reference[0], 8)[rows]
    assert len(true) >= 2
    flicker, steady = (np.abs(np.diff(of[:, np.repeat(rows, 8)], axis=0)).mean() for of in (shown, reference))
    return means(shown[0], 8)[rows] / true - 1, standard_errors(fine[0])[rows] / true, flicker / steady


def glitter(make, place, wind, pixels=16):
    """The middle of a low sun's glitter, compared; each pixel drawn as so many, at most."""
    sun = "sky.sun_elevation=10", f"sky.sun_azimuth={HEADING}"
    return compared(make, place, f"sea.wind.speed={wind}", f"view.glitter_pixels={pixels}", *sun)


def beside(make, wind, *overrides, place=MIDDLE, heading=HEADING):
    """Water beside the glitter, compared."""
    return compared(make, place, f"sea.wind.speed={wind}", "sky.sun_azimuth=300", *overrides, heading=heading)


def row(name, wind, pixels, found):
    error, chance, flicker = found
    return {
        "place": name,
        "wind": wind,
        "glitter_pixels": pixels,
        "rms": float(np.sqrt((error**2).mean())),
        "worst": float(np.abs(error).max()),
        "within_3_percent": float((np.abs(error) <= 0.03).mean()),
        "standard_error_of_reference": float(np.sqrt((chance**2).mean())),
        "flicker": float(flicker),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    out, ctx, rows = parser.parse_args().out, create_headless_context(), []

    def make(*overrides, size):
        settings = load_settings(config("software"), overrides=[*SMALL, *overrides])
        return FrameRenderer(ctx, settings, size)

    for wind in (5.0, 10.0, 15.0):
        for place, pixels in product((HIGHEST, HIGH, LOW), (1, 16)):
            found = glitter(make, place, wind, pixels)
            rows.append(row(f"glitter from {place[0]:g} m", wind, pixels, found))
        rows.append(row(f"beside it from {MIDDLE[0]:g} m", wind, 1, beside(make, wind)))
    for wind in (5.0, 10.0, 15.0, 22.0):
        rows.append(row(f"beside it from {MIDDLE[0]:g} m, as high has it", wind, 1, beside(make, wind, *SHIPPED)))
    for wind, heading in product((5.0, 10.0, 15.0, 18.0), (HEADING, 100.0)):
        found = beside(make, wind, *SHIPPED, place=DECK, heading=heading)
        rows.append(row(f"from {DECK[0]:g} m towards {heading:g} degrees, as a window of high has it", wind, 1, found))
    report = {
        "created": utc_now().isoformat(),
        "program": program_facts().model_dump(),
        "gl": gl_facts(ctx.info).model_dump(),
        "host": host_facts().model_dump(),
        "command": shlex.join(["python", "-m", "tests.render.far_water", *sys.argv[1:]]),
        "rows": rows,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
