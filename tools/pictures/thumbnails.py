"""Render the small pictures of the panel's presets into assets/presets: python -m tools.pictures.thumbnails"""

from pathlib import Path

from PIL import Image

from ocean.common.resources import config, folder, presets
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, level_values, with_values
from ocean.window.ui.files import load_scene, scenes
from tools.pictures.gallery import frame, run_up

SIZE, DRAWN, QUALITY, TIME = (160, 90), (640, 360), 80, 20.0  # TIME [s] of the picture


def main() -> None:
    ctx = create_headless_context()
    target = Path(folder("assets")) / "presets"
    target.mkdir(exist_ok=True)
    low = with_values(Settings(), level_values("low"))
    for name, path in scenes({name: config(name) for name in presets()}).items():
        renderer = FrameRenderer(ctx, load_scene(low, path), DRAWN)
        run_up(renderer, TIME, past=8.0, rate=6.0)
        picture = frame(renderer, TIME).resize(SIZE, Image.Resampling.LANCZOS)
        picture.save(target / f"{name}.jpg", quality=QUALITY, optimize=True)
        renderer.release()
        print(name, flush=True)


if __name__ == "__main__":
    main()
