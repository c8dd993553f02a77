"""Which shaders a frame runs, said of its settings alone: compiling holds up a frame, and a window says so before."""

from collections.abc import Hashable

from ocean.render.debug_views.stages import is_shown
from ocean.render.surface import is_among_clouds, is_clear
from ocean.settings import Settings


def programs(settings: Settings) -> Hashable:
    """Equal for settings whose frames run the same shaders. Without those that measure the sea."""
    sky, view = settings.sky.drawn, settings.view
    always = settings.fft, settings.foam.resolution, is_clear(settings), bool(sky.panorama), view.anisotropy > 1
    if is_shown(settings):
        return *always, settings.stage.view
    surface = view.dive > 0, view.samples, is_among_clouds(settings), settings.buoy.show
    return *always, *surface, sky.metering == "automatic", sky.bloom > 0, sky.tone_mapping
