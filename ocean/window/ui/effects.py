"""Settings without an effect beside others, with the reasons."""

from collections.abc import Mapping
from functools import lru_cache

from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import PICTURE, Settings
from ocean.waves.spectra.file import FileSpectrum
from ocean.window.ui.widgets import leaves


@lru_cache(maxsize=2)
def without_effect(settings: Settings, fuses: bool) -> Mapping[str, str]:
    """Return the key paths of settings that now have no effect, with the reasons.

    `fuses` says whether the FFT backend can load the spectrum and store the maps itself.
    """
    sea, sky, view = settings.sea, settings.sky, settings.view
    stage = DEBUG_VIEWS.get(settings.stage.view)
    replaced = ("sun_elevation", "sun_azimuth", "turbidity", "clouds", "cloud_base", "veil")
    raising = "sea.swell.height", "sea.swell.spectrum"  # they make the swell
    swell = tuple(path for path, _ in leaves(sea.swell, "sea.swell.") if path not in raising)
    spectrum = sea.wind.spectrum
    is_measured = isinstance(spectrum, FileSpectrum)
    has_directions = isinstance(spectrum, FileSpectrum) and spectrum.shape(0.0, 0.0).directions is not None
    spreading = tuple(path for path, _ in leaves(sea.wind, "sea.wind.") if path.startswith("sea.wind.spreading"))
    cases = (
        (is_measured, ("sea.wind.fetch",), "the file gives the waves"),
        (has_directions, spreading, "the file gives the directions"),
        (sea.wind.height == 0, ("sea.wind.period",), "sea.wind.height is 0, so wind and fetch give the waves"),
        (sea.wind.height > 0, ("sea.wind.fetch",), "sea.wind.height gives the waves"),
        (sea.swell.system(sea.depth, sea.dispersion).is_flat, swell, "there is no swell"),
        (sea.dynamics == "linear", ("sea.order",), "sea.dynamics is linear"),
        (settings.foam.amount == 0, ("foam.decay",), "foam.amount is 0"),
        (sky.plain, ("sky.clouds", "sky.cloud_base", "sky.veil", "sky.bloom"), "sky.plain leaves it out"),
        (sky.panorama != "", tuple(f"sky.{name}" for name in replaced), "the panorama replaces it"),
        (sky.clouds == sky.veil == 0, ("sky.cloud_base",), "there are no clouds"),
        (sky.panorama == "", ("sky.panorama_heading",), "there is no panorama"),
        (sky.metering != "automatic", ("sky.adaptation",), "sky.metering is not automatic"),
        (view.mode == "fly", ("view.distance",), "view.mode is fly"),
        (view.dive > 0, ("view.altitude",), "view.dive is above 0"),
        (view.samples == 1, ("view.far_pixels",), "view.samples is 1"),
        (not settings.buoy.show, ("buoy.x", "buoy.z"), "buoy.show is off"),
        (stage is None, ("stage.cascade", "stage.field", "stage.range"), f"stage.view is {PICTURE}"),
        (stage and stage.is_seen_from_camera, ("stage.cascade",), "this stage shows all cascades"),
        (stage and not stage.fields, ("stage.field",), "this stage shows no field"),
        (not fuses, ("fft.fused", "fft.half_derivatives"), "this backend's kernels can't"),
    )
    return {path: f"No effect: {reason}." for holds, paths, reason in cases if holds for path in paths}
