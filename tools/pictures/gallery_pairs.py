"""Pictures of the gallery at two commits, side by side, with measures of what changed:

python -m tools.pictures.gallery_pairs b8bd8d36 cff66ad8 --out docs/gallery/pairs > docs/gallery/pairs.txt
"""

import argparse
import io
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

FOLDER = "docs/gallery"
CROP, GAP, QUALITY = (480, 280), 8, 75  # pixels of each picture, in the middle of its lower part; pixels between them
Array = NDArray[np.float64]


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, stdout=subprocess.PIPE).stdout


def contrast(grey: Array) -> float:
    """Return the standard deviation of pixels about the means of 3 x 3 of them."""
    windows = np.lib.stride_tricks.sliding_window_view(grey, (3, 3))
    return float((windows[..., 1, 1] - windows.mean((-2, -1))).std())


def measures(picture: Image.Image) -> tuple[float, float, float]:
    """Return the mean of the lower half, and the contrast of its upper and its lower part, in steps of 256."""
    grey = np.asarray(picture, np.float64).mean(-1)
    far, near = np.array_split(grey[len(grey) // 2 :], 2)
    return float(grey[len(grey) // 2 :].mean()), contrast(far), contrast(near)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", nargs=2)
    parser.add_argument("--out", type=Path, help="folder for parts of the pictures, side by side")
    asked = parser.parse_args()
    listed = [set(git("ls-tree", "--name-only", commit, f"{FOLDER}/").decode().split()) for commit in asked.commits]
    print(f"{asked.commits[0]} and {asked.commits[1]}: mean difference; lower half: mean, contrast far and near")
    for path in sorted(name for name in listed[0] & listed[1] if name.endswith(".jpg")):
        pair = [Image.open(io.BytesIO(git("show", f"{commit}:{path}"))) for commit in asked.commits]
        apart = np.abs(np.subtract(*(np.asarray(picture, np.float64) for picture in pair))).mean()
        found = "; ".join(f"{a:.1f} > {b:.1f}" for a, b in zip(*map(measures, pair), strict=True))
        print(f"{Path(path).stem:18} {apart:5.2f}; {found}", flush=True)
        if asked.out:
            asked.out.mkdir(parents=True, exist_ok=True)
            both = Image.new("RGB", (2 * CROP[0] + GAP, CROP[1]), "white")
            for side, picture in enumerate(pair):
                left, top = (picture.width - CROP[0]) // 2, round(0.9 * picture.height) - CROP[1]
                part = picture.crop((left, top, left + CROP[0], top + CROP[1]))
                both.paste(part, (side * (CROP[0] + GAP), 0))
            both.save(asked.out / f"{Path(path).stem}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
