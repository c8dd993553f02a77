"""A picture of a sea.

python -m pip install -e .        once, in the checkout
python examples/picture.py sea.png [KEY=VALUE ...]
"""

import argparse

from PIL import Image

from ocean import load_settings, render_picture

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("file")
parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
given = parser.parse_args()

settings = load_settings(overrides=["sea.wind.speed=12", "view.altitude=5", *given.overrides])
Image.fromarray(render_picture(settings, time=60.0, size=(1280, 720))).save(given.file)
