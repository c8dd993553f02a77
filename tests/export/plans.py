"""Small exports, made without a GPU."""

from ocean.export.maps import CASCADE_MAPS, PATCH_MAPS
from ocean.export.plan import Patch, Plan
from ocean.settings import load_settings
from ocean.settings.files import resolve

EVERYTHING = (*CASCADE_MAPS, *PATCH_MAPS)
SMALL = (
    *("fft.size=32", "cascades.count=2", "foam.resolution=64", "sea.wind.speed=15", "foam.decay=0.5"),
    *("sky.clouds=0", "sky.veil=0", "sky.bloom=0"),
)


def plan(*overrides, **options):
    """Return a plan of five frames on the processor, with these changes."""
    defaults = {"frames": 5, "format": "npz", "maps": ("displacement",), "fps": 24.0, "device": "cpu"}
    return Plan(resolve(load_settings(overrides=[*SMALL, *overrides])), **{**defaults, **options})


def everything(format, **options):
    """Return a plan that exports all maps over a small patch."""
    return plan(format=format, maps=EVERYTHING, patch=Patch(12.0, 8.0, 0.5, (3.0, -40.0)), **options)
