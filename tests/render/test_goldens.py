"""Golden pictures: pictures of llvmpipe that a person has looked at and approved.

`make goldens` makes them again. On failure the picture and a magnified difference lie in out/goldens.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ..marks import slow
from .conftest import read_picture

pytestmark = pytest.mark.usefixtures("fine_shadows")

GOLDENS = Path(__file__).parent.parent / "goldens"
FAILURES = Path(__file__).parent.parent.parent / "out" / "goldens"
RENDERER = GOLDENS / "renderer.json"
MEAN, MOST, SHARE = 2.0, 8, 0.995  # steps of 255: mean difference; difference that this fraction of pixels stays within

LONG = "over-clouds", "twilight"
"""Scenes that `make test` leaves out."""

SCENES = {
    "default": "",
    "gale": "view.samples=4 view.anisotropy=8 sea.wind.speed=17 view.altitude=14 "
    "sky.sun_azimuth=300 sky.sun_elevation=25",
    "breaker": "view.samples=4 view.anisotropy=8 sea.wind.speed=20 foam.spray=1 view.x=2.3 view.z=33 view.altitude=3 "
    "view.heading=255 view.pitch=-11 view.field_of_view=38 sky.sun_azimuth=310 sky.sun_elevation=25",
    "calm-dusk": "sea.wind.speed=3 sky.sun_elevation=2 view.altitude=3",
    "from-above": "view.altitude=300 view.pitch=-25 sea.wind.speed=13",
    "under-water": "view.dive=4 view.pitch=50 view.field_of_view=90 sky.sun_elevation=45",
    "clouds": "view.samples=4 view.anisotropy=8 sky.clouds=0.5 sky.sun_elevation=40 "
    "sky.bloom=0.03 view.heading=190 view.pitch=4",
    "twilight": "sky.sun_elevation=-4 sky.clouds=0.3 view.altitude=3",
    "over-clouds": "view.altitude=2000 view.pitch=-8 sky.clouds=0.5 sky.veil=0.2 sky.bloom=0.03 sky.sun_elevation=1",
    "streaks": "view.altitude=150 view.pitch=-38 sea.wind.speed=32 sky.sun_azimuth=150 sky.sun_elevation=40",
    "far-water": "view.samples=4 view.anisotropy=8 view.far_pixels=16 view.field_of_view=10 view.pitch=-1.5 "
    "view.altitude=30 sky.clouds=0.35 sky.veil=0.2 sky.sun_azimuth=310",
    "buoy": "buoy.show=true buoy.x=1 buoy.z=-9 view.heading=0 view.altitude=4 view.pitch=-5 view.samples=4",
    "wireframe": "stage.view=wireframe view.edge_pixels=12",
}
"""Settings of each scene."""


@pytest.mark.golden
@pytest.mark.parametrize("scene", [slow(scene) if scene in LONG else scene for scene in SCENES])
def test_each_picture_matches_its_golden(make_renderer, ctx, request, scene):
    renderer_name = ctx.info["GL_RENDERER"].split(" (")[0]
    if renderer_name != "llvmpipe":
        pytest.skip("golden pictures hold on llvmpipe")
    renderer = make_renderer("fft.size=128", "foam.resolution=128", *SCENES[scene].split(), size=(320, 180))
    for i in range(20):
        renderer.sea.update(17.0 + 0.15 * i, (renderer.settings.view.x, renderer.settings.view.z))
    renderer.render(20.0)
    picture = read_picture(renderer)
    path = GOLDENS / f"{scene}.png"
    if request.config.getoption("--update-goldens"):
        Image.fromarray(picture).save(path, optimize=True)
        RENDERER.write_text(json.dumps({"renderer": ctx.info["GL_RENDERER"], "version": ctx.info["GL_VERSION"]}) + "\n")
    golden = np.asarray(Image.open(path).convert("RGB"))
    difference = np.abs(picture.astype(int) - golden)
    good = difference.mean() <= MEAN and (difference.max(axis=-1) <= MOST).mean() >= SHARE
    if not good:
        FAILURES.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(FAILURES / f"{scene}.png")
        Image.fromarray(np.clip(16 * difference, 0, 255).astype("u1")).save(FAILURES / f"{scene}-difference.png")
    drawn_by = json.loads(RENDERER.read_text())
    within = 100 * (difference.max(axis=-1) <= MOST).mean()
    assert good, (
        f"{scene}: mean difference {difference.mean():.2f}, {within:.2f} % of pixels within {MOST}; see {FAILURES}. "
        f"The golden is by {drawn_by}, this run by {ctx.info['GL_RENDERER']}."
    )
