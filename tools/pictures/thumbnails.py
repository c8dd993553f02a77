"""The small pictures of the panel's presets, in assets/presets: python -m tools.pictures.thumbnails"""

from pathlib import Path

import numpy as np
from PIL import Image

from ocean.common.resources import config, folder, presets
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, level_values, with_values
from ocean.window.ui.files import load_scene, scenes

SIZE, DRAWN, QUALITY = (160, 90), (640, 360), 80
TIME, PAST, RATE = 20.0, 8.0, 6.0  # time of the picture [s], time before it, and steps per second


def picture(renderer: FrameRenderer) -> Image.Image:
    """Return a frame of a sea that has run for a while, as small as the panel shows it."""
    view, steps = renderer.settings.view, round(PAST * RATE)
    for step in range(steps):
        renderer.sea.update(TIME - (steps - step) / RATE, (view.x, view.z))
    renderer.render(TIME)
    pixels = np.frombuffer(renderer.picture.read(components=3), "u1").reshape(DRAWN[1], DRAWN[0], 3)
    return Image.fromarray(np.ascontiguousarray(pixels[::-1])).resize(SIZE, Image.Resampling.LANCZOS)


def main() -> None:
    """Render and write all pictures."""
    ctx = create_headless_context()
    target = Path(folder("assets")) / "presets"
    target.mkdir(exist_ok=True)
    low = with_values(Settings(), level_values("low"))
    for name, path in scenes({name: config(name) for name in presets()}).items():
        renderer = FrameRenderer(ctx, load_scene(low, path), DRAWN)
        picture(renderer).save(target / f"{name}.jpg", quality=QUALITY, optimize=True)
        renderer.release()
        print(name, flush=True)


if __name__ == "__main__":
    main()
