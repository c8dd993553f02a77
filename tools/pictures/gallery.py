"""Render the scenes of docs/gallery/scenes.toml and write their page: `make gallery` renders all, ARGS="NAME..." some.

The sea runs for a while before the picture, so that it has foam. A scene with `beside`, which changes some of its
values, has two halves, both as wide as half a picture and half as high.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from PIL import Image

from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import Settings, load_settings, merge, settings_from, to_tree

FOLDER = Path(__file__).parents[2] / "docs" / "gallery"
SIZE, QUALITY = (1600, 900), 82
PAST, RATE = 20.0, 12.0  # time before the picture [s], and its steps per second


def scenes() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / "scenes.toml").read_text(encoding="utf-8"))["scene"]
    return found


def parts(scene: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the scene, or its left and its right half."""
    return [scene, merge(scene, scene["beside"])] if "beside" in scene else [scene]


def scene_settings(scene: dict[str, Any]) -> Settings:
    configs = [config(scene["config"])] if "config" in scene else []
    return settings_from(merge(to_tree(load_settings(*configs)), scene["set"]))


def run_up(renderer: FrameRenderer, time: float, past: float = PAST, rate: float = RATE) -> None:
    """Run the sea for the `past` seconds before a time [s]. Nonlinear waves start at time 0."""
    view, steps = renderer.settings.view, round(past * rate)
    renderer.sea.start_waves(0.0)
    for step in range(steps):
        renderer.sea.update(time - (steps - step) / rate, (view.x, view.z))


def frame(renderer: FrameRenderer, time: float) -> Image.Image:
    renderer.render(time)
    width, height = renderer.picture.size
    pixels = np.frombuffer(renderer.picture.read(components=3), "u1").reshape(height, width, 3)
    return Image.fromarray(np.ascontiguousarray(pixels[::-1]))


def joined(pictures: list[Image.Image]) -> Image.Image:
    """Return pictures of one size side by side."""
    width, height = pictures[0].size
    whole = Image.new("RGB", (len(pictures) * width, height))
    for i, each in enumerate(pictures):
        whole.paste(each, (i * width, 0))
    return whole


def picture(ctx: moderngl.Context, scene: dict[str, Any]) -> Image.Image:
    drawn = []
    for part in (halves := parts(scene)):
        size = SIZE[0] // len(halves), SIZE[1] // len(halves)
        renderer = FrameRenderer(ctx, scene_settings(part), size)
        run_up(renderer, part["time"])
        drawn.append(frame(renderer, part["time"]))
        renderer.release()
    return joined(drawn)


def page() -> str:
    sections = [
        "# Gallery",
        "`make gallery` renders these scenes of [scenes.toml](scenes.toml) at the level `high`. Sky, light, waves and\n"
        "foam are computed; nothing is painted over. Below each picture stand its known flaws.",
    ]
    for scene in scenes():
        sections += [f"## {scene['title']}", f"![{scene['title']}]({scene['name']}.jpg)", scene["flaw"]]
        if (FOLDER / f"{scene['name']}.webp").exists():
            sections.append(f"[The scene in motion]({scene['name']}.webp)")
    return "\n\n".join(sections) + "\n"


def main(names: list[str]) -> None:
    """Render the scenes with these names, or all, and write the page."""
    known = {scene["name"]: scene for scene in scenes()}
    if unknown := [name for name in names if name not in known]:
        print(f"there is no scene {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        sys.exit(2)
    ctx = create_headless_context()
    for name in names or known:
        picture(ctx, known[name]).save(FOLDER / f"{name}.jpg", quality=QUALITY, optimize=True)
        print(name, flush=True)
    (FOLDER / "README.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
