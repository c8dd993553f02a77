"""The shaders of a frame as a function of its settings: compiling delays a frame, so a window announces it."""

from collections.abc import Hashable

from ocean.render.debug_views.stages import is_shown
from ocean.render.surface import is_among_clouds, is_clear
from ocean.settings import Settings


def programs(settings: Settings) -> Hashable:
    """Return a key that is equal for settings whose frames run the same shaders, leaving out those of measurements."""
    sky, view = settings.sky.drawn, settings.view
    always = settings.fft, settings.foam.resolution, is_clear(settings), bool(sky.panorama), view.anisotropy > 1
    if is_shown(settings):
        return *always, settings.stage.view
    surface = view.dive > 0, view.samples, is_among_clouds(settings), settings.buoy.show
    return *always, *surface, sky.metering == "automatic", sky.bloom > 0, sky.tone_mapping
