"""Far water compared with the mean of many samples: python -m tools.measure.far_water --out FILE writes the report.

The reference draws the same mesh with eight times the pixels along each axis. So each of the 64 samples of a pixel is
shaded at its own place, with a footprint an eighth as wide.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.light.optics import EARTH_RADIUS, LUMINANCE
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings
from tools.measure.reports import report_parser, write_report

Array = NDArray[np.float64]
Place = tuple[float, float, float]  # altitude [m], pitch and field of view [degrees]
Scene = tuple[tuple[str, ...], Place, float]  # overrides, place, and heading [degrees]
Make = Callable[..., FrameRenderer]  # function that makes a renderer of overrides and a size

WIDTH, HEIGHT, TIMES = 96, 64, 8  # pixels; samples of the reference along each axis of a pixel
FAR = 300.0  # m
# Altitude, pitch and field of view. Pixels of the lowest place have 0.03 degrees.
HIGHEST, HIGH, MIDDLE, LOW = (1000.0, -10.0, 10.0), (50.0, -4.5, 10.0), (30.0, -2.3, 10.0), (5.0, -0.55, 2.0)
# Places with the pixel size of a window of 1600 x 900.
DECK, BRIDGE, ALOFT = (8.0, -0.8, 3.56), (30.0, -1.9, 3.56), (150.0, -2.0, 3.56)
STEEP = 1000.0, -40.0, 3.56
DOWN = (80.0, -10.0, 3.56), (150.0, -25.0, 3.56), (300.0, -35.0, 3.56), (2000.0, -30.0, 3.56)
HEADING = 248.0
_HIGH = load_settings(config("high"))
BARE = "foam.resolution=64", "sky.plain=false", "sky.clouds=0", "sky.veil=0", "sky.bloom=0"
SHIPPED = f"sky.clouds={_HIGH.sky.clouds}", f"sky.veil={_HIGH.sky.veil}", f"foam.resolution={_HIGH.foam.resolution}"


def luminance(renderer: FrameRenderer, time: float = 5.0) -> Array:
    """Return the luminance of a frame (height, width), the top row first."""
    renderer.render(time)
    width, height = renderer.size
    data = np.frombuffer(renderer.radiance.read(), "f2").reshape(height, width, 4)
    return np.asarray(data[::-1, :, :3].astype("f8") @ LUMINANCE)


def means(picture: Array, side: int) -> Array:
    """Return means over blocks of `side` x `side` pixels."""
    rows, columns = picture.shape
    return np.asarray(picture.reshape(rows // side, side, columns // side, side).mean(axis=(1, 3)))


def frames(make: Make, scene: Scene, times: int = 1, pixels: int = 16) -> Array:
    """Return two frames of a scene; between them the view turns by a tenth of a pixel. With `times` = 1 they are drawn
    as by `high`, with `pixels` cells for a pixel of far water. Otherwise they are the reference, with `times` as many
    pixels along each axis, of one sample each. Both have the same mesh, and 128 waves along a side, so that no waves
    fall between the cascades."""
    overrides, (altitude, pitch, field), heading = scene
    stand = {"altitude": altitude, "pitch": pitch, "field_of_view": field}
    samples = f"view.samples={1 if times > 1 else 4}", f"view.far_pixels={pixels}", f"view.edge_pixels={2.0 * times}"
    renderer = make("fft.size=128", "view.anisotropy=8", *samples, *overrides, size=(WIDTH * times, HEIGHT * times))
    found = []
    for i in range(2):
        settings = renderer.settings
        view = settings.view.model_copy(update=stand | {"heading": heading + i * field / HEIGHT / 10})
        renderer.apply(settings.model_copy(update={"view": view}))
        found.append(luminance(renderer))
    return np.array(found)


def far_rows(place: Place) -> slice:
    """Return the rows of pixels that show the sea beyond 300 m, from the row over the horizon down, in whole blocks of
    8."""
    altitude, pitch, field = place
    y = 1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2
    down = np.radians(-pitch) - np.arctan(y * np.tan(np.radians(field / 2)))  # of each row's line of sight
    pixel = np.radians(field / HEIGHT)
    far = np.flatnonzero((down > np.sqrt(2 * altitude / EARTH_RADIUS) - 1.5 * pixel) & (down < altitude / FAR))
    return slice(far[0], far[0] + len(far) // 8 * 8)


def standard_errors(fine: Array) -> Array:
    """Return the standard errors of the reference's means over blocks of 8x8 pixels. The reference has a sample in each
    cell of a lattice. Half the squared difference of two vertical neighbours is, on average, at least a cell's
    variance."""
    variance = np.repeat((fine[0::2] - fine[1::2]) ** 2 / 2, 2, axis=0)
    return np.asarray(np.sqrt(means(variance, 8 * TIMES) / (8 * TIMES) ** 2))


class Compared(NamedTuple):
    """Blocks beyond 300 m, the farthest first."""

    error: Array  # relative error of each block
    chance: Array  # the reference's standard error, relative
    changes: Array  # of pixels in a row of blocks between the frames, for shown and reference

    @property
    def flicker(self) -> float:
        """Return the change of pixels between frames of a slow pan, relative to that of the reference."""
        shown, reference = self.changes.mean(axis=1)
        return float(shown / reference)


def compared(shown: Array, fine: Array, place: Place) -> Compared:
    rows = far_rows(place)
    fine = fine[:, TIMES * rows.start : TIMES * rows.stop]
    shown, reference = shown[:, rows], np.array([means(picture, TIMES) for picture in fine])
    true = means(reference[0], 8)
    assert len(true) >= 2
    changes = [np.abs(np.diff(of, axis=0)).reshape(len(true), -1).mean(axis=1) for of in (shown, reference)]
    error, chance = means(shown[0], 8) / true - 1, standard_errors(fine[0]) / true
    return Compared(error, chance, np.array(changes))


def glitter(place: Place, wind: float) -> Scene:
    """Return the middle of a low sun's glitter: overrides, place and heading."""
    return (f"sea.wind.speed={wind}", "sky.sun_elevation=10", f"sky.sun_azimuth={HEADING}"), place, HEADING


def beside(wind: float, *overrides: str, place: Place = MIDDLE, heading: float = HEADING) -> Scene:
    return (f"sea.wind.speed={wind}", "sky.sun_azimuth=300", *overrides), place, heading


def seen(make: Make, scene: Scene) -> Compared:
    return compared(frames(make, scene), frames(make, scene, TIMES), scene[1])


def row(name: str, wind: float, pixels: int, found: Compared) -> dict[str, Any]:
    error, chance, (shown, reference) = found.error, found.chance, found.changes
    return {
        "place": name,
        "wind": wind,
        "far_pixels": pixels,
        "rms": float(np.sqrt((error**2).mean())),
        "worst": float(np.abs(error).max()),
        "within_3_percent": float((np.abs(error) <= 0.03).mean()),
        "within_that_and_3_standard_errors": float((np.abs(error) <= 0.03 + 3 * chance).mean()),
        "standard_error_of_reference": float(np.sqrt((chance**2).mean())),
        "flicker": found.flicker,
        "farthest_rms": float(np.sqrt((error[0] ** 2).mean())),
        "farthest_flicker": float(shown[0] / reference[0]),
    }


def main() -> None:
    parser = report_parser(__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="scenes whose names hold this")
    arguments = parser.parse_args()
    out, ctx = arguments.out, create_headless_context()
    rows: list[dict[str, Any]] = []

    def make(*overrides: str, size: tuple[int, int]) -> FrameRenderer:
        settings = load_settings(config("software"), overrides=[*BARE, *overrides])
        return FrameRenderer(ctx, settings, size)

    def add(name: str, wind: float, scene: Scene) -> None:
        if arguments.only not in name:
            return
        fine = frames(make, scene, TIMES)
        rows.extend(row(name, wind, n, compared(frames(make, scene, 1, n), fine, scene[1])) for n in (1, 16))

    for wind, place in product((5.0, 10.0, 15.0), (HIGHEST, HIGH, LOW)):
        add(f"glitter from {place[0]:g} m", wind, glitter(place, wind))
    for wind in (5.0, 10.0, 15.0):
        add(f"beside it from {MIDDLE[0]:g} m", wind, beside(wind))
    for wind in (5.0, 10.0, 15.0, 22.0):
        add(f"beside it from {MIDDLE[0]:g} m, as high has it", wind, beside(wind, *SHIPPED))
    for wind, foam in product((10.0, 15.0), (0, 1)):
        name = f"steeply from {STEEP[0]:g} m, {'as high has it' if foam else 'without foam'}"
        add(name, wind, beside(wind, *SHIPPED, f"foam.amount={foam}", place=STEEP))
    window = (
        *product((DECK,), (5.0, 10.0, 15.0, 18.0), (HEADING, 100.0)),
        *product((BRIDGE, ALOFT), (10.0, 18.0), (100.0,)),
    )
    for place, wind, heading in window:
        name = f"from {place[0]:g} m towards {heading:g} degrees, as a window of high has it"
        add(name, wind, beside(wind, *SHIPPED, place=place, heading=heading))
    for place, wind in product(DOWN, (10.0, 15.0, 20.0)):
        name = f"from {place[0]:g} m, {-place[1]:g} degrees down, as a window of high has it with 512 waves"
        add(name, wind, beside(wind, *SHIPPED, "fft.size=512", place=place))
    write_report(out, ctx.info, rows=rows)


if __name__ == "__main__":
    main()
