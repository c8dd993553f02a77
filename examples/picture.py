"""A picture of a sea.

python -m pip install -e .        once, in the checkout
python examples/picture.py sea.png [KEY=VALUE ...]
"""

import sys

from PIL import Image

from ocean import load_settings, render_picture

settings = load_settings(overrides=["sea.wind.speed=12", "view.altitude=5", *sys.argv[2:]])
Image.fromarray(render_picture(settings, time=60.0, size=(1280, 720))).save(sys.argv[1])
