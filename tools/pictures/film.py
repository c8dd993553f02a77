"""Make a short film of a gallery scene, as an animated WebP: python -m tools.pictures.film SCENE FILE.webp

A scene with two halves has them side by side, each as large as --size says. The quality is the highest that keeps the
file to about --bytes.
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from tools.pictures.gallery import frame, joined, parts, run_up, scene_settings, scenes

QUALITIES = range(80, 20, -5)
SAMPLED = 10  # every tenth picture tells the size: encoding all of them takes a minute


def encoded(pictures: list[Image.Image], fps: float, quality: int) -> bytes:
    file = BytesIO()
    options = {"save_all": True, "append_images": pictures[1:], "duration": round(1000 / fps), "loop": 0}
    pictures[0].save(file, "WEBP", quality=quality, method=4, **options)
    return file.getvalue()


def best_quality(pictures: list[Image.Image], fps: float, most: int) -> int:
    """Return the highest quality at which a film takes about `most` bytes or less, estimated from some of its
    pictures."""
    few = pictures[::SAMPLED]
    return next((one for one in QUALITIES if len(encoded(few, fps, one)) * SAMPLED <= most), QUALITIES[-1])


def main() -> None:
    known = {scene["name"]: scene for scene in scenes()}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", choices=known)
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", default="480x270", metavar="WxH")
    parser.add_argument("--time", type=float, help="seconds at which the film begins; default: the picture's")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--fps", type=float, default=12.0)
    parser.add_argument("--bytes", type=int, default=1_000_000)
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    ctx = create_headless_context()
    halves = parts(known[given.scene])
    renderers = [FrameRenderer(ctx, scene_settings(half), (width, height)) for half in halves]
    begins = [half["time"] if given.time is None else given.time for half in halves]
    for renderer, begin in zip(renderers, begins, strict=True):
        run_up(renderer, begin)
    pictures = []
    for number in range(round(given.seconds * given.fps)):
        drawn = (frame(each, begin + number / given.fps) for each, begin in zip(renderers, begins, strict=True))
        pictures.append(joined(list(drawn)))
        print(f"\r{number + 1} frames", end="", file=sys.stderr, flush=True)
    given.file.write_bytes(encoded(pictures, given.fps, best_quality(pictures, given.fps, given.bytes)))
    for renderer in renderers:
        renderer.release()


if __name__ == "__main__":
    main()
