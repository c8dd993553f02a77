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
DITHERED = 2e-4  # fraction of pixels where a last bit may decide between two ways to draw clouds


def draw(ctx, scene):
    """Return the picture of a golden scene, uint8 (height, width, 3)."""
    overrides = *SMALL, "fft.size=128", *SCENES[scene].split()
    renderer = FrameRenderer(ctx, load_settings(config("software"), overrides=overrides), (320, 180))
    renderer.sea.update(19.0)
    renderer.render(20.0)
    picture = read_picture(renderer)
    renderer.release()
    return picture


def with_zink(*arguments):
    """Run Python with Zink."""
    command = sys.executable, *arguments
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **ZINK}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def on_zink():
    """Return a function that runs Python with Zink, and fails if it does. Skip where there is no Zink, except in CI."""
    asked = "from ocean.gpu.context import *; print(create_headless_context().info['GL_RENDERER'])"
    if "zink" not in with_zink("-c", asked).stdout and not os.environ.get("CI"):
        pytest.skip("Zink is missing (Debian: mesa-vulkan-drivers)")

    def run(*arguments):
        done = with_zink(*arguments)
        assert done.returncode == 0, f"status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"

    return run


@pytest.mark.parametrize("scene", SCENES)
def test_zink_draws_the_picture_of_llvmpipe(ctx, tmp_path, on_zink, scene):
    """Scenes of several samples also compare the raster of one dispatch, by 64-bit atomics, with that of two."""
    if not ctx.info["GL_RENDERER"].startswith("llvmpipe"):
        pytest.skip("compares with llvmpipe")
    on_zink("-W", "ignore", "-m", "tests.gpu.test_zink", scene, tmp_path / "picture.npy")
    difference = np.abs(np.load(tmp_path / "picture.npy").astype(int) - draw(ctx, scene)).max(axis=-1)
    assert (difference > 1).mean() <= DITHERED
    assert difference.max() <= 8


def test_all_backends_transform_on_zink(on_zink):
    """The fixture `context` fails if another driver makes it."""
    on_zink("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/fft/test_backends.py")


if __name__ == "__main__":
    context = create_headless_context()
    assert "zink" in context.info["GL_RENDERER"]
    made = draw(context, sys.argv[1])
    assert context.error == "GL_NO_ERROR"
    np.save(sys.argv[2], made)
    os._exit(0)  # threads of that Vulkan may crash at the end
