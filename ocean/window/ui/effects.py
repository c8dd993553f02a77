"""Settings that have no effect beside others, and why."""

from ocean.settings import Settings


def without_effect(settings: Settings, fuses: bool) -> dict[str, str]:
    """Return the key paths of settings that change nothing as things stand, with the reason.

    `fuses` says whether the FFT backend can load the spectrum and store the maps itself.
    """
    sky, view = settings.sky, settings.view
    by_panorama = ("clouds", "cloud_base", "veil", "turbidity")
    cases = (
        (sky.plain, ("sky.clouds", "sky.cloud_base", "sky.veil", "sky.bloom"), "sky.plain leaves it out"),
        (sky.panorama != "", tuple(f"sky.{name}" for name in by_panorama), "the panorama replaces it"),
        (sky.clouds == 0, ("sky.cloud_base",), "there are no clouds"),
        (sky.panorama == "", ("sky.panorama_heading",), "there is no panorama"),
        (sky.metering != "automatic", ("sky.adaptation",), "sky.metering is not automatic"),
        (view.mode == "fly", ("view.distance",), "view.mode is fly"),
        (view.samples == 1, ("view.far_pixels",), "view.samples is 1"),
        (not fuses, ("fft.fused", "fft.half_derivatives"), "this backend's kernels can't"),
    )
    return {path: f"No effect: {reason}." for holds, paths, reason in cases if holds for path in paths}
