"""Changes of settings that are declared to keep the shaders compile nothing."""

import pytest

from ocean.common.resources import config
from ocean.gpu.shaders import shader_library
from ocean.render.frame import FrameRenderer
from ocean.settings import SettingsError, load_settings
from ocean.settings.vocabulary import settings_by_key, values

from .conftest import SMALL

pytestmark = pytest.mark.usefixtures("coarse_sky")

WATER = "sea", "cascades", "water"
SCENE = "view", "stage", "sky", "buoy", "foam", "fft.fused", "fft.half_derivatives"
SLOW = "view.edge_pixels", "foam.resolution"  # slow at one end of the range


@pytest.mark.parametrize(
    ("base", "groups"),
    [
        ("foam.resolution=64", ("view", "buoy", "foam")),
        pytest.param("foam.resolution=64", SCENE, marks=pytest.mark.slow),
        pytest.param("sky.clouds=0.5", SCENE, marks=pytest.mark.slow),
        pytest.param("foam.resolution=64", WATER, marks=pytest.mark.slow),
        pytest.param("stage.view=foam", SCENE + WATER, marks=pytest.mark.slow),
    ],
)
def test_changes_that_keep_the_shaders_compile_nothing(fresh_context, base, groups):
    """Each setting in these groups takes its usual values."""
    library = shader_library(fresh_context)
    small = *SMALL, base
    renderer = FrameRenderer(fresh_context, load_settings(config("software"), overrides=small), (32, 24))
    renderer.render(0.0)
    known, first = {renderer.programs_key(renderer.settings)}, len(library)
    keys = {key: declared for key, declared in settings_by_key().items() if key.startswith(groups) and key not in SLOW}
    for change in ("foam.resolution=128", *(f"{key}={word}" for key in keys for word, _ in values(keys[key]))):
        try:
            settings = load_settings(config("software"), overrides=[*small, change])
        except SettingsError:  # values that come from a file
            continue
        before = len(library)
        renderer.apply(settings)
        renderer.render(0.0)
        is_new = renderer.programs_key(settings) not in known
        assert is_new or len(library) == before, change
        known.add(renderer.programs_key(settings))
    assert len(known) > 1
    assert len(library) > first
    renderer.release()
