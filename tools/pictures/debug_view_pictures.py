"""Make the pictures, contact sheet and table of docs/debug-views.md, and the small pictures of the panel's presets.

python -m tools.pictures.debug_view_pictures [LEVEL]
"""

import sys
from pathlib import Path

from PIL import Image

from ocean.common.resources import config, folder, presets
from ocean.gpu.context import create_headless_context
from ocean.render.debug_drawing import SCALES
from ocean.render.debug_views import DEBUG_VIEWS, FIELD, Spread
from ocean.render.frame import FrameRenderer
from ocean.settings import PICTURE, Settings, level_values, load_settings, with_values
from ocean.window.ui.files import load_scene, scenes
from ocean.window.ui.view_controls import key_label
from tools.pictures.gallery import frame, run_up

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "debug-views.md"
PICTURES = DOCS / "pictures" / "debug-views"
BEGIN, END = "<!-- debug views -->\n", "<!-- /debug views -->"
SIZE, COLUMNS, QUALITY = (560, 315), 4, 72
THUMBNAIL, DRAWN = (160, 90), (640, 360)  # pixels of a preset's picture, and of the frame that it is scaled from
SCENE = ("sea.wind.speed=14", "view.altitude=5", "view.pitch=-7", "sky.sun_azimuth=250", "view.edge_pixels=5")


def table() -> str:
    rows = ["| | key | `stage.view` | shows | read-out | colours |", "| --- | --- | --- | --- | --- | --- |"]
    for name, view in DEBUG_VIEWS.items():
        words = {"field": "one of the eight fields", "packed": "a packed field", "cascade": "by `stage.cascade`"}
        title = view.title.format(**words)
        unit = "m or 1" if view.unit is FIELD else view.unit
        values = ", ".join(view.parts) + (f" [{unit}]" if unit else "")
        picture = f"![{name}](pictures/debug-views/{name}.jpg)"
        colours = SCALES[view.scale].words.format(view.range(Spread(1, 1, 1, 1, 1, 1))[1])
        cells = (picture, key_label(name), f"`{name}`", f"**{title}.** {view.help}", values, colours)
        row = " @ ".join(cells).replace("|slope|", "slope").replace("|", "&#124;")
        rows.append(f"| {row.replace(' @ ', ' | ')} |")
    return "\n".join(rows) + "\n"


def draw(level: str) -> dict[str, Image.Image]:
    """Return a picture of each debug view, and the plain picture, at one moment and at a level of quality."""
    settings = load_settings(config(level), overrides=SCENE)
    renderer = FrameRenderer(create_headless_context(), settings, SIZE)
    run_up(renderer, 14.0, past=4.0, rate=10.0)
    pictures = {}
    for name in (PICTURE, *DEBUG_VIEWS):
        renderer.apply(with_values(settings, {"stage.view": name}))
        pictures[name] = frame(renderer, 14.0)
    renderer.release()
    return pictures


def draw_thumbnails() -> None:
    ctx = create_headless_context()
    target = Path(folder("assets")) / "presets"
    target.mkdir(exist_ok=True)
    low = with_values(Settings(), level_values("low"))
    for name, path in scenes({name: config(name) for name in presets()}).items():
        renderer = FrameRenderer(ctx, load_scene(low, path), DRAWN)
        run_up(renderer, 20.0, past=8.0, rate=6.0)
        picture = frame(renderer, 20.0).resize(THUMBNAIL, Image.Resampling.LANCZOS)
        picture.save(target / f"{name}.jpg", quality=80, optimize=True)
        renderer.release()


def main(level: str = "high") -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    pictures = draw(level)
    sheet = Image.new("RGB", (COLUMNS * SIZE[0], -(-len(pictures) // COLUMNS) * SIZE[1]))
    for number, (name, picture) in enumerate(pictures.items()):
        picture.save(PICTURES / f"{name}.jpg", quality=QUALITY, optimize=True)
        sheet.paste(picture, (number % COLUMNS * SIZE[0], number // COLUMNS * SIZE[1]))
    sheet.resize((sheet.width // 2, sheet.height // 2)).save(PICTURES / "all.jpg", quality=QUALITY, optimize=True)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + table() + end + after, encoding="utf-8")


if __name__ == "__main__":
    draw_thumbnails()
    main(*sys.argv[1:])
