"""The model of all settings as one frozen value, and functions that read, change and write it.

The parameters of spectra, spreadings and FFT backends are declared beside their code, parameters of the sea in `sea`;
here are the view, the sky, the window and captures. `trees` reads and merges layers of values. A change makes a new
value (`with_values`); each part of the program compares the value that it was built from with the new one.
"""

import hashlib
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, Final, Literal, Self

import tomli_w
from pydantic import SerializeAsAny, ValidationError, model_validator

from ocean.common.errors import MOST_VALUES, check, shown
from ocean.common.parameters import Parameters, explain, parameter
from ocean.common.pictures import read_radiance
from ocean.fft import BACKENDS, DEFAULT_BACKEND, validated_options
from ocean.settings.sea_settings import SeaSettings
from ocean.settings.trees import SettingsError, Tree, find_config, merge, nested, parse_override, read_toml
from ocean.waves.fields import FIELDS
from ocean.waves.spectra.file import FileSpectrum

DIGITS = 16  # length of a checksum
USUAL_SIZES = (64, 96, 128, 240, 256, 360, 480, 512, 1000, 1024, 2048, 4096)
"""Sizes that the panel lists and `doctor` tries; the sea takes any even size."""

PICTURE: Final = "picture"
DebugViewName = Literal[
    "amplitudes", "spectrum", "packed", "field", "displacement", "slopes", "jacobian", "foam", "slope-variance",
    "cascades", "level", "wireframe", "overdraw", "normals",
    "light-sky", "light-sun", "light-water", "light-crests", "light-foam", "light-air",
]  # fmt: skip
"""Name of a debug view; `ocean.render.debug_views` describes each."""


class CascadeSettings(Parameters):
    """Tiles that share the spectrum."""

    count: int = parameter(3, "Number of cascades: tiles of different size that share the spectrum.", low=1, high=4)
    blended: int = parameter(
        2, "Number of the largest tiles that blending keeps from repeating visibly.", low=0, high=4
    )


class FFTSettings(Parameters):
    """The Fourier transform."""

    backend: Literal[tuple(BACKENDS)] = parameter(DEFAULT_BACKEND, "Algorithm of the FFT.")  # type: ignore[valid-type]
    # At 12 the bands of the smaller tiles would be empty; at 4096 a cascade takes up to 2 GB.
    size: int = parameter(512, "Texels along a side of each tile.", low=16, high=4096, even=True, usual=USUAL_SIZES)
    fused: bool = parameter(True, "Evolve the waves while the first axis loads them, if the backend supports fusion.")
    half_derivatives: bool = parameter(True, "Shade from half-float copies of the maps, if the backend can store them.")
    options: SerializeAsAny[Parameters] = parameter(BACKENDS[DEFAULT_BACKEND].Options(), "Options of the backend.")

    @model_validator(mode="before")
    @classmethod
    def _options_belong_to_backend(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        backend, options = values.get("backend", DEFAULT_BACKEND), values.get("options", {})
        if not isinstance(backend, str) or backend not in BACKENDS:
            return {**values, "options": Parameters()}  # the error of the key `backend` is enough
        return {**values, "options": validated_options(backend, options, "fft.options")}


class FoamSettings(Parameters):
    """Whitecaps."""

    amount: float = parameter(1.0, "Whitecap coverage; 1 is the observed one for this wind.", low=0, high=5)
    decay: float = parameter(6.0, "Time in which foam fades to 1/e.", low=0.5, high=60, unit="s", logarithmic=True)
    resolution: Literal[64, 128, 256, 512, 1024] = parameter(512, "Texels along a side of each level of the foam map.")


class ViewSettings(Parameters):
    """The camera, and the sampling of the surface."""

    mode: Literal["orbit", "fly"] = parameter("fly", "Orbit a point on the water, or fly freely.")
    x: float = parameter(0.0, "Camera's position, east.", low=-1e6, high=1e6, unit="m")
    z: float = parameter(0.0, "Camera's position, south.", low=-1e6, high=1e6, unit="m")
    altitude: float = parameter(6.0, "Camera's height over mean water.", low=0.5, high=3000, unit="m", logarithmic=True)
    dive: float = parameter(0.0, "Camera's depth under mean water; 0: above the waves.", low=0, high=100, unit="m")
    heading: float = parameter(248.0, "Direction of the view, clockwise from north.", low=0, high=360, unit="°")
    pitch: float = parameter(-4.0, "Upwards angle of the view.", low=-89, high=89, unit="°")
    distance: float = parameter(40.0, "Distance to the orbit's centre.", low=2, high=5000, unit="m", logarithmic=True)
    field_of_view: float = parameter(50.0, "Vertical angle of the view.", low=10, high=100, unit="°")
    edge_pixels: float = parameter(1.6, "Length of a surface triangle's edge on the screen.", low=1, high=40, unit="px")
    samples: Literal[1, 2, 4, 8] = parameter(4, "Samples per pixel (antialiasing).")
    anisotropy: Literal[1, 2, 4, 8, 16] = parameter(8, "Highest anisotropy of texture filtering.")
    far_pixels: Literal[1, 4, 8, 16] = parameter(
        16, "Shaded cells per pixel of far water, if pixels have several samples."
    )


class SkySettings(Parameters):
    """Sun, air, clouds, exposure and tone mapping."""

    sun_elevation: float = parameter(9.0, "Height of the sun above the horizon.", low=-8, high=90, unit="°")
    sun_azimuth: float = parameter(196.0, "Direction of the sun, clockwise from north.", low=0, high=360, unit="°")
    turbidity: float = parameter(2.0, "Turbidity of the whole atmosphere: 1 none, 2 clear, 6 hazy.", low=1, high=10)
    haze: float = parameter(
        1.0, "Sea-salt aerosol in the lowest 500 m; 1 is a fresh breeze. Gales add spray.", low=0, high=5
    )
    plain: bool = parameter(False, "Leave out clouds, veil and bloom to save time.")
    clouds: float = parameter(0.35, "Cloud cover: share of the sky.", low=0, high=1)
    cloud_base: float = parameter(1400.0, "Height of the cloud base.", low=600, high=6000, unit="m")
    veil: float = parameter(0.2, "Largest optical depth of the cirrus veil.", low=0, high=1)
    panorama: str = parameter("", "An .hdr or .exr picture of all directions that replaces sun, air and clouds.")
    panorama_heading: float = parameter(0.0, "Heading of the panorama's centre.", low=0, high=360, unit="°")
    metering: Literal["manual", "matrix", "automatic"] = parameter(
        "matrix", "Exposure: manual, by the light in the camera's direction, or by the picture with adaptation."
    )
    exposure: float = parameter(0.0, "Exposure compensation in stops.", low=-10, high=24, unit="EV")
    adaptation: float = parameter(1.0, "Time constant of automatic exposure.", low=0, high=30, unit="s")
    bloom: float = parameter(0.03, "Bloom: share of the light that the lens spreads.", low=0, high=0.5)
    tone_mapping: Literal["agx", "aces"] = parameter("agx", "Tone-mapping curve.")

    @property
    def drawn(self) -> Self:
        """Return the settings as drawn: without clouds and veil if plain or a panorama, without bloom if plain."""
        left_out = ("clouds", "veil", "bloom") if self.plain else ("clouds", "veil") if self.panorama else ()
        return self.model_copy(update=dict.fromkeys(left_out, 0.0)) if left_out else self


class WaterSettings(Parameters):
    """The colour of the water."""

    chlorophyll: float = parameter(
        0.5,
        "Chlorophyll concentration: 0.03 in the bluest seas, 10 in an algal bloom.",
        low=0.01,
        high=20,
        unit="mg/m³",
        logarithmic=True,
    )


class BuoySettings(Parameters):
    """A floating buoy."""

    show: bool = parameter(False, "Show a buoy that floats on the water.")
    x: float = parameter(-17.0, "Buoy's position on still water, east.", low=-1e6, high=1e6, unit="m")
    z: float = parameter(7.0, "Buoy's position on still water, south.", low=-1e6, high=1e6, unit="m")


class WindowSettings(Parameters):
    """The desktop window."""

    width: int = parameter(1600, "Width of the window.", low=64, high=16384, unit="px")
    height: int = parameter(900, "Height of the window.", low=64, high=16384, unit="px")
    vsync: bool = parameter(True, "Wait for the display before showing a frame.")
    panel: bool = parameter(True, "Show the panel and the overlay.")
    time_scale: float = parameter(1.0, "Speed of time; 1 is real time.", low=0, high=10)
    blend: float = parameter(2.0, "Time in which a changed sea replaces the old one.", low=0, high=60, unit="s")
    scale: float = parameter(
        0.0,
        "Size of text and controls; 0 follows the display.",
        low=0,
        high=4,
        usual=(0.0, 0.75, 1.0, 1.25, 1.5, 2.0),
        zero="automatic",
    )
    movie_length: float = parameter(10.0, "Length of a recorded movie.", low=0.1, high=3600, unit="s", logarithmic=True)
    movie_fps: float = parameter(30.0, "Frame rate of a recorded movie.", low=1, high=240, unit="1/s")

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        if 0 < self.scale < 0.5:
            raise SettingsError(f"window.scale = {self.scale:g} is neither 0 nor 0.5 to 4")
        return self


class CaptureSettings(Parameters):
    """Headless captures."""

    frames: int = parameter(120, "Measured frames.", low=1, high=1_000_000)
    warmup: int = parameter(10, "Warm-up frames before the measured ones.", low=0, high=100_000)
    width: int = parameter(1280, "Width of the picture.", low=16, high=16384, unit="px")
    height: int = parameter(720, "Height of the picture.", low=16, high=16384, unit="px")
    fps: float = parameter(60.0, "Frames per second of the sea's time.", low=1, high=1000, unit="1/s")
    start: float = parameter(0.0, "Time of the sea at the first warm-up frame.", low=0, high=1e8, unit="s")
    exposure: Literal["held", "moving"] = parameter(
        "held", "Matrix exposure in captures and exports: metered on the first frame for all, or on each."
    )


class DebugViewSettings(Parameters):
    """A debug view: an intermediate result in place of the picture."""

    view: Literal["picture", DebugViewName] = parameter(PICTURE, "Debug view, or the picture.")
    cascade: int = parameter(1, "Cascade of the waves and maps; the last one if there are fewer.", low=1, high=8)
    field: Literal[FIELDS] = parameter(FIELDS[0], "Field, or a field of the packed pair.")  # type: ignore[valid-type]
    range: float = parameter(1.0, "Factor on the range of the colours.", low=0.001, high=1000, logarithmic=True)


class Settings(Parameters):
    """All choices of a user."""

    sea: SeaSettings = SeaSettings()
    cascades: CascadeSettings = CascadeSettings()
    fft: FFTSettings = FFTSettings()
    foam: FoamSettings = FoamSettings()
    view: ViewSettings = ViewSettings()
    stage: DebugViewSettings = DebugViewSettings()
    sky: SkySettings = SkySettings()
    water: WaterSettings = WaterSettings()
    buoy: BuoySettings = BuoySettings()
    window: WindowSettings = WindowSettings()
    capture: CaptureSettings = CaptureSettings()


def load_settings(*paths: str | Path, overrides: Iterable[str] = ()) -> Settings:
    """Return settings from TOML files or presets such as "gale" (later ones win), then from
    `key.path=value` overrides.

    Raises:
        SettingsError: when a file can't be read, or a key or value is wrong.
    """
    files = (read_toml(find_config(path)) for path in paths)
    given = [overrides] if isinstance(overrides, str) else list(overrides)
    if len(given) > MOST_VALUES:
        raise SettingsError(f"{len(given)} single settings are given, and {MOST_VALUES} are the most")
    chosen = reduce(merge, map(parse_override, given), Tree())  # an option may stand before its backend
    return _over(Settings(), [*files, chosen])


def settings_from(tree: Mapping[str, Any]) -> Settings:
    """Validate a tree of plain values; missing values have their defaults."""
    return _with_panorama(_validated(tree))


def _validated(tree: Mapping[str, Any]) -> Settings:
    try:
        check(tree)
    except ValueError as error:
        raise SettingsError(f"these are no settings: {error}") from None
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(explain(error, Settings)) from None


def _with_panorama(settings: Settings) -> Settings:
    """Return settings whose panorama has been read."""
    if path := settings.sky.panorama:
        try:
            read_radiance(path)  # cached
        except ValueError as error:
            raise SettingsError(f"sky.panorama = {shown(path)}: {error}") from None
    return settings


def with_values(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return settings with the values at some key paths changed, such as {"sea.wind.speed": 12.0}. A new FFT backend
    drops the options of the old one."""
    return _over(settings, [reduce(merge, (nested(*pair) for pair in values.items()), Tree())])


def _over(settings: Settings, layers: Iterable[Tree]) -> Settings:
    """Put layers of values over settings. The layers merge first, because below them every kind and backend has a
    name."""
    given = reduce(merge, layers, Tree())
    changed = _validated(_with_groups(merge(to_tree(settings), given), given, settings))
    return _with_panorama(changed) if "panorama" in given.get("sky", ()) else changed


def _with_groups(tree: Tree, given: Mapping[str, Any], groups: Parameters) -> Tree:
    """Return a tree that takes each part without given values from `groups`: such parts are valid and have read their
    files."""
    if not given.keys().isdisjoint(("kind", "backend")):
        return tree
    tree = dict(tree)
    for name, group in groups:
        if isinstance(group, Parameters) and name not in given:
            tree[name] = group
        elif isinstance(group, FileSpectrum) and given[name] in ({"tail": True}, {"tail": False}):
            tree[name] = group.model_copy(update=given[name])  # does not need the file
        elif isinstance(group, Parameters) and isinstance(given[name], Mapping):
            tree[name] = _with_groups(tree[name], given[name], group)
    return tree


def value_at(settings: Parameters, path: str) -> Any:
    value: Any = settings
    for part in path.split("."):
        value = getattr(value, part)
    return value


def to_tree(settings: Settings) -> Tree:
    """Return settings as plain values, complete."""
    return settings.model_dump(mode="json")


def contents(settings: Settings) -> dict[str, str]:
    """Return a short checksum of the content of each file that settings name, by key path."""
    sums = {}
    for key, spectrum in (("sea.wind", settings.sea.wind.spectrum), ("sea.swell", settings.sea.swell.spectrum)):
        if isinstance(spectrum, FileSpectrum):
            sums[f"{key}.spectrum.path"] = spectrum.record.digest[:DIGITS]
    if path := settings.sky.panorama:
        sums["sky.panorama"] = hashlib.sha256(read_radiance(path).data).hexdigest()[:DIGITS]
    return sums


def to_toml(settings: Settings) -> str:
    """Return settings as TOML, complete."""
    return tomli_w.dumps(to_tree(settings))
