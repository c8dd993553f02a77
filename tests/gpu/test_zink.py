"""A second driver: Zink, which translates OpenGL to Vulkan, on Mesa's software Vulkan (Debian: mesa-vulkan-drivers)."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ocean.common.resources import config
from ocean.gpu.context import create_headless_context
from ocean.render.frame import FrameRenderer
from ocean.settings import load_settings

from ..render.conftest import SMALL, read_picture
from ..render.test_goldens import SCENES

pytestmark = pytest.mark.slow

ZINK = {"MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}
ROOT = Path(__file__).parent.parent.parent
LEFT_OUT = "under-water"
"""Scene at which Mesa 22.3's software Vulkan crashes: see docs/maintainers/drivers.md."""
DITHERED = 2e-4  # fraction of pixels where a last bit may decide between two ways to draw clouds


def draw_scenes(ctx):
    """Return pictures of the golden scenes, uint8 (height, width, 3), by name."""
    found = {}
    for scene, words in SCENES.items():
        if scene != LEFT_OUT:
            overrides = *SMALL, "fft.size=128", *words.split()
            renderer = FrameRenderer(ctx, load_settings(config("software"), overrides=overrides), (320, 180))
            renderer.sea.update(19.0)
            renderer.render(20.0)
            found[scene] = read_picture(renderer)
            renderer.release()
    return found


def on_zink(*arguments):
    """Run Python with Zink, and return what it prints."""
    run = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env={**os.environ, **ZINK}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return run.stdout


def test_zink_draws_the_pictures_of_llvmpipe(ctx, tmp_path):
    if not ctx.info["GL_RENDERER"].startswith("llvmpipe"):
        pytest.skip("compares with llvmpipe")
    on_zink("-X", "faulthandler", "-W", "ignore", "-m", "tests.gpu.test_zink", tmp_path / "zink.npz")
    pictures = np.load(tmp_path / "zink.npz")
    for scene, expected in draw_scenes(ctx).items():
        difference = np.abs(pictures[scene].astype(int) - expected).max(axis=-1)
        assert (difference > 1).mean() <= DITHERED, scene
        assert difference.max() <= 8, scene


def test_all_backends_transform_on_zink():
    """The tests' context fails if it is another driver's; see tests/conftest.py."""
    on_zink("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/fft/test_backends.py")


if __name__ == "__main__":
    context = create_headless_context()
    assert "zink" in context.info["GL_RENDERER"]
    made = draw_scenes(context)
    assert context.error == "GL_NO_ERROR"
    np.savez(sys.argv[1], **made)
    os._exit(0)  # threads of that Vulkan may crash at the end
