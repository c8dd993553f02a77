"""The model of all settings: sea, transform, camera, sky, window and captures.

Parameters of spectra, spreadings and FFT backends are declared beside their code.
"""

import math
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import BeforeValidator, Field, SerializeAsAny, model_validator

from ocean.common.parameters import FileParameters, OneOf, Parameters, UnreadError, parameter
from ocean.fft.options import DEFAULT_BACKEND, OPTIONS, validated_options
from ocean.waves import FIELDS, FieldName, WhitecapLaw
from ocean.waves.dispersion import DEFAULT_PERIOD, GRAVITY, DispersionKind
from ocean.waves.spectra import SWELL_SPECTRUM, Jonswap, Spectrum
from ocean.waves.spreading import SWELL_SPREADING, Hasselmann, Spreading

if TYPE_CHECKING:
    from ocean.common.pictures import Picture
    from ocean.waves.systems import WaveSystem
    from ocean.waves.whitecaps import Coverage


def _spell_out(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


SpectrumSetting = Annotated[Spectrum, BeforeValidator(_spell_out)]
SpreadingSetting = Annotated[Spreading, BeforeValidator(_spell_out)]


class WindSettings(Parameters):
    """Wind that raises the sea."""

    speed: float = parameter(10.0, "Wind speed 10 m above the water (U10).", low=0, high=40, unit="m/s")
    direction: float = parameter(75.0, "Wind direction (towards), clockwise from north.", low=0, high=360, unit="°")
    fetch: float = parameter(
        300e3, "Fetch: distance that the wind has blown over water.", low=1e3, high=5e6, unit="m", logarithmic=True
    )
    height: float = parameter(0.0, "Significant wave height; 0: from wind and fetch.", low=0, high=20, unit="m")
    period: float = parameter(8.0, "Peak period, used with a height.", low=1, high=25, unit="s")
    spectrum: SpectrumSetting = parameter(
        Jonswap(), "Distribution of energy over frequency. Light winds damp its tail to the slopes measured in them."
    )
    spreading: SpreadingSetting = parameter(Hasselmann(), "Distribution of energy over direction.")
    depth_limit: bool = parameter(
        True,
        "Limit a sea from wind and fetch to the height that shallow water allows (Young and Verhagen 1996).",
    )

    def system(self, depth: float, dispersion: DispersionKind) -> "WaveSystem":
        """Return the wind sea in water of a depth [m]. Raises ValueError if settings contradict each other."""
        from ocean.waves.systems import wind_sea

        state = self.speed, self.direction, self.fetch, depth, self.spectrum, self.spreading, dispersion
        return wind_sea(*state, self.height, self.period, self.depth_limit)


class SwellSettings(Parameters):
    """Waves from a distant storm. A height of 0 means no swell."""

    height: float = parameter(0.0, "Significant wave height of the swell.", low=0, high=15, unit="m")
    period: float = parameter(12.0, "Peak period of the swell.", low=4, high=25, unit="s")
    direction: float = parameter(40.0, "Swell direction (towards), clockwise from north.", low=0, high=360, unit="°")
    spectrum: SpectrumSetting = parameter(SWELL_SPECTRUM, "Distribution of energy over frequency.")
    spreading: SpreadingSetting = parameter(SWELL_SPREADING, "Distribution of energy over direction.")

    def system(self, depth: float, dispersion: DispersionKind) -> "WaveSystem":
        """Return the swell in water of a depth [m]. Raises ValueError if settings contradict each other."""
        from ocean.waves.systems import swell

        return swell(self.height, self.period, self.direction, depth, dispersion, self.spectrum, self.spreading)


SHORTHANDS = {"beaufort": range(13), "state": range(10)}
"""Valid Beaufort numbers and WMO sea states. Each stands for values of `sea.wind`."""


def wind_of(name: str, number: int) -> dict[str, float]:
    """Return the values of `sea.wind` for a Beaufort number or a sea state. A sea state sets height and period, and a
    wind to match, because foam and spreading follow from the wind."""
    from ocean.waves import systems

    if name == "beaufort":
        return {"speed": systems.beaufort_speed(number), "height": 0.0}
    height = systems.sea_state_height(number)
    wind = {"speed": round(systems.grown_wind(height), 2), "height": height}
    return wind | ({"period": round(systems.grown_period(height), 2)} if number else {})


def spell_out_state(sea: Any) -> Any:
    """Replace `beaufort` or `state` in a table of the sea by the values of `sea.wind` for that number. An invalid
    number stays, for its declaration to refuse. Raises ValueError when the table also sets one of these values."""
    if not isinstance(sea, Mapping):
        return sea
    given = [name for name, valid in SHORTHANDS.items() if type(sea.get(name)) is int and sea[name] in valid]
    wind = sea.get("wind", {})
    if isinstance(wind, WindSettings):
        wind = wind.model_dump(exclude_unset=True)
    if not given or not isinstance(wind, Mapping):
        return sea
    name, *others = given
    values = wind_of(name, sea[name])
    if both := others + [f"wind.{key}" for key in values if key in wind]:
        raise ValueError(f"sea.{name} = {sea[name]} and sea.{both[0]} set the same value; leave one of them out")
    return {**{key: value for key, value in sea.items() if key != name}, "wind": {**wind, **values}}


def spell_out(sea: Any) -> Any:
    """Replace all shorthands in a table of the sea: `beaufort`, `state`, and spectra and spreadings given only by name.
    Raises ValueError when the table also sets a value that a shorthand sets."""
    sea = spell_out_state(sea)
    if not isinstance(sea, Mapping):
        return sea
    spelled = dict(sea)
    for part, table in sea.items():
        if isinstance(table, Mapping):
            named = {name: _spell_out(table[name]) for name in ("spectrum", "spreading") if name in table}
            spelled[part] = {**table, **named}
    return spelled


class SeaSettings(Parameters):
    """The random sea."""

    beaufort: int | None = parameter(None, "Beaufort number; sets the wind's speed.", low=0, high=12, shorthand=True)
    state: int | None = parameter(
        None, "WMO sea state; sets height, period and wind of the wind sea.", low=0, high=9, shorthand=True
    )
    depth: float = parameter(200.0, "Depth of the water.", low=2, high=5000, unit="m", logarithmic=True)
    choppiness: float = parameter(1.0, "Scale of horizontal displacement; 1 is physical.", low=0, high=1.5)
    crests: Literal["second-order", "first-order"] = parameter(
        "second-order", "Crests and mean level: by second-order theory, or by choppiness alone."
    )
    dynamics: Literal["linear", "nonlinear"] = parameter(
        "linear", "Longest waves: a sum of waves, or a solution of the equations in which waves change each other."
    )
    order: int = parameter(3, "Order in steepness of nonlinear dynamics; 1 is the linear sea.", low=1, high=5)
    seed: int = parameter(1, "Seed of the random sea.", low=0, high=2**31 - 1)
    dispersion: DispersionKind = parameter("finite-depth", "Dispersion: how wave speed depends on wavelength.")
    loop_period: float = parameter(0.0, "Time after which the sea repeats; 0: 36 hours.", low=0, high=1e6, unit="s")
    wind: WindSettings = parameter(WindSettings(), "Wind sea.")
    swell: SwellSettings = parameter(SwellSettings(), "Swell.")

    @property
    def period(self) -> float:
        return self.loop_period or DEFAULT_PERIOD

    @property
    def is_nonlinear(self) -> bool:
        """Whether the longest waves are solved for, beyond the linear sea. A sea that can't exist has no solution and
        stays linear."""
        return self.dynamics == "nonlinear" and self.order > 1 and not self._impossible

    @property
    def systems(self) -> "tuple[WaveSystem, ...]":
        """The wave systems of these settings; none for flat water."""
        both = (part.system(self.depth, self.dispersion) for part in (self.wind, self.swell))
        return tuple(system for system in both if not system.is_flat)

    @property
    def carrying_wind(self) -> tuple[float, float]:
        """Velocity (east, south) [m/s] of the wind that carries clouds and foam; 0 over a sea that repeats itself."""
        from ocean.waves.systems import unit

        speed = 0.0 if self.loop_period else self.wind.speed
        east, south = unit(self.wind.direction)
        return speed * east, speed * south

    @property
    def wave_age(self) -> float:
        """Phase speed in deep water of the wind sea's peak over U10, 1.2 for a fully grown sea; 0 without wind or its
        waves. A peak of swell in a measured spectrum counts as the wind sea's."""
        system = self.wind.system(self.depth, self.dispersion)
        is_calm = system.is_flat or not self.wind.speed
        return 0.0 if is_calm else GRAVITY / (system.peak_frequency * self.wind.speed)

    @property
    def longest_peak(self) -> float:
        """The longest peak wavelength of all systems [m]; 0 for flat water."""
        from ocean.waves.tiles import peak_wavelength

        return max((peak_wavelength(system) for system in self.systems), default=0.0)

    @property
    def least_loop(self) -> int:
        """The shortest period [s] after which the sea may repeat: four of its longest peak periods."""
        return math.ceil(4 * max((2 * math.pi / system.peak_frequency for system in self.systems), default=0.0))

    @property
    def remark(self) -> str:
        """Remarks on how the sea has grown, on what its numbers leave out, and on files; or nothing."""
        from ocean.waves.statistics import predicted_height, predicted_peak_period
        from ocean.waves.systems import SHALLOW, STEEP, grown_period, is_fully_developed, shallow_limit
        from ocean.waves.tiles import peak_wavelength

        wind, systems = self.wind, self.systems
        remarks = [system.shape.remark for system in systems]
        raised = wind.system(self.depth, self.dispersion)
        height = predicted_height([raised])
        unlimited = wind.model_copy(update={"depth_limit": False}).system(self.depth, self.dispersion)
        if raised.shape != unlimited.shape:
            remarks.append(f"Limited by the depth of {self.depth:g} m: Hs {height:.3g} m (Young and Verhagen 1996).")
        elif (
            wind.depth_limit
            and wind.spectrum.needs_wind
            and self.dispersion == "finite-depth"
            and height > 1.005 * (most := shallow_limit(wind.speed, self.depth)[0])
        ):
            said = f"wind raises {most:.3g} m at most in {self.depth:g} m of water (Young and Verhagen 1996)."
            remarks.append(f"{wind.spectrum.kind} has no depth_limit: Hs is {height:.3g} m; {said}")
        elif not wind.height and is_fully_developed(wind.spectrum, wind.speed, wind.fetch):
            said = "Fully developed: more fetch changes nothing."
            period, grown = predicted_peak_period([raised]), grown_period(height)
            if wind.spectrum.kind == "jonswap" and grown > 1.05 * period:
                said += f" Its Tp is {period:.3g} s; pierson-moskowitz has {grown:.3g} s at this height."
            remarks.append(said)
        idle = {} if self.dynamics == "nonlinear" else {"order": "dynamics is linear"}
        idle |= {"wind.fetch": "wind.height is given"} if wind.height else {"wind.period": "wind.height is 0"}
        if wind.spectrum.kind == "file":
            idle |= dict.fromkeys(("wind.fetch", "wind.period"), "the waves are those of the file")
        if not self.swell.height and self.swell.spectrum.kind != "file":
            idle |= dict.fromkeys(("swell.period", "swell.direction"), "swell.height is 0")
        if self.loop_period and self.is_nonlinear:
            remarks.append("Nonlinear waves never repeat, whatever the loop_period.")
        for key, why in idle.items():
            if (value := attrgetter(key)(self)) != attrgetter(key)(SeaSettings()):
                remarks.append(f"{key} = {value:g} changes nothing: {why}.")
        if needed := self.missing_wind:
            said = f"foam follows the wind of {wind.speed:g} m/s; {needed:g} m/s raises this sea."
            remarks.append(f"Few whitecaps: {said}")
        longest = self.longest_peak
        if self.dispersion == "deep" and self.depth < SHALLOW * longest:
            said = f"at {self.depth:g} m; dispersion = deep leaves it out."
            remarks.append(f"Waves of {longest:.3g} m would feel the bottom {said}")
        for system in systems:
            height, length = predicted_height([system]), peak_wavelength(system)
            if height > STEEP * length:
                said = "of the peak wavelength; seas are seldom above 1/15."
                remarks.append(f"Steep: Hs is 1/{length / height:.3g} {said}")
        return " ".join(dict.fromkeys(filter(None, remarks)))

    @property
    def missing_wind(self) -> float:
        """Wind speed [m/s] that raises a sea of this height, if the wind is much weaker and whitecaps are few; or 0."""
        from ocean.waves.statistics import predicted_height
        from ocean.waves.systems import LOW, grown_wind

        height = predicted_height([self.wind.system(self.depth, self.dispersion)])
        needed = grown_wind(height) if height > LOW else 0.0
        return float(f"{needed:.2g}") if needed > 1.2 * self.wind.speed else 0.0

    @property
    def warning(self) -> str:
        """A warning about a sea that can't exist, or nothing."""
        stays = " Its waves stay linear." if self.dynamics == "nonlinear" and self.order > 1 else ""
        return self._impossible and self._impossible + stays

    @property
    def _impossible(self) -> str:
        from ocean.waves.statistics import predicted_height
        from ocean.waves.systems import BREAKING, STEEPEST
        from ocean.waves.tiles import peak_wavelength

        height = predicted_height(self.systems)
        depth = math.inf if self.dispersion == "deep" else self.depth
        if height > 1.005 * (limit := BREAKING * depth):
            return f"Too high for its depth: Hs is {height:.3g} m, and waves break at {limit:.3g} m."
        for system in self.systems:
            height, length = predicted_height([system]), peak_wavelength(system)
            if height > (limit := STEEPEST * length * math.tanh(2 * math.pi * depth / length)):
                return f"Too steep: Hs is {height:.3g} m, and waves of {length:.3g} m break at {limit:.2g} m."
        return ""

    @model_validator(mode="before")
    @classmethod
    def _spelled_out(cls, values: Any) -> Any:
        return spell_out_state(values)

    @model_validator(mode="after")
    def _is_a_sea(self) -> Self:
        for name, part in (("wind", self.wind), ("swell", self.swell)):
            try:
                part.system(self.depth, self.dispersion)
            except UnreadError:
                return self  # the sea is checked when its file has been read
            except ValueError as error:
                raise ValueError(f"sea.{name}.{error}") from None
        if self.loop_period and self.loop_period < (least := self.least_loop):
            raise ValueError(f"sea.loop_period = {self.loop_period:g} s is below four longest peak periods, {least} s")
        return self


USUAL_SIZES = (64, 96, 128, 240, 256, 360, 480, 512, 1000, 1024, 2048, 4096)
"""Sizes that the panel lists and `doctor` tries; the sea takes any even size."""

PICTURE: Final = "picture"
DebugViewName = Literal[
    "amplitudes", "spectrum", "packed", "field", "displacement", "slopes", "jacobian", "foam", "slope-variance",
    "cascades", "level", "wireframe", "overdraw", "normals",
    "light-sky", "light-sun", "light-water", "light-crests", "light-foam", "light-air",
    "active-foam", "rollers", "spray",
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

    backend: Annotated[str, OneOf(OPTIONS)] = parameter(DEFAULT_BACKEND, "Algorithm of the FFT.")
    # At 12 the bands of the smaller tiles would be empty; at 4096 a cascade takes up to 2 GB.
    size: int = parameter(512, "Texels along a side of each tile.", low=16, high=4096, even=True, usual=USUAL_SIZES)
    fused: bool = parameter(True, "Evolve the waves while the first axis loads them, if the backend supports fusion.")
    half_derivatives: bool = parameter(True, "Shade from half-float copies of the maps, if the backend can store them.")
    options: SerializeAsAny[Parameters] = parameter(OPTIONS[DEFAULT_BACKEND](), "Options of the backend.")

    @model_validator(mode="before")
    @classmethod
    def _options_belong_to_backend(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        backend, options = values.get("backend", DEFAULT_BACKEND), values.get("options", {})
        if not isinstance(backend, str) or backend not in OPTIONS:
            return {**values, "options": Parameters()}  # the error of the key `backend` is enough
        return {**values, "options": validated_options(backend, options, "fft.options")}


class FoamSettings(Parameters):
    """Whitecaps."""

    law: WhitecapLaw = parameter(
        "saturating", "Observed coverage: by wind, wave age and streaks of foam in storms, or by the wind alone."
    )
    amount: float = parameter(1.0, "Coverage relative to that of the law.", low=0, high=5)
    decay: float = parameter(3.5, "Time in which foam fades to 1/e.", low=0.5, high=60, unit="s", logarithmic=True)
    spray: float = parameter(
        1.0, "Spray of breaking crests relative to the law's, in winds from 9 m/s on; 0 leaves it out.", low=0, high=5
    )
    resolution: Literal[64, 128, 256, 512, 1024] = parameter(512, "Texels along a side of each level of the foam map.")

    def coverage(self, sea: SeaSettings) -> "Coverage":
        """Return the coverage that these settings give a sea. Without choppiness the water does not fold, and it has no
        whitecaps."""
        from ocean.waves.whitecaps import whitecap_coverage

        age = sea.wave_age if sea.choppiness else 0.0
        return whitecap_coverage(self.law, sea.wind.speed, age).scaled(self.amount)


class ViewSettings(Parameters):
    """The camera, and the sampling of the surface."""

    mode: Literal["orbit", "fly"] = parameter("fly", "Orbit a point on the water, or fly freely.")
    x: float = parameter(0.0, "Camera's position, east.", low=-1e6, high=1e6, unit="m")
    z: float = parameter(0.0, "Camera's position, south.", low=-1e6, high=1e6, unit="m")
    altitude: float = parameter(
        6.0, "Camera's height over the mean water level.", low=0.5, high=3000, unit="m", logarithmic=True
    )
    dive: float = parameter(
        0.0, "Camera's depth under the mean water level; 0: above the waves.", low=0, high=100, unit="m"
    )
    heading: float = parameter(248.0, "Direction of the view, clockwise from north.", low=0, high=360, unit="°")
    pitch: float = parameter(-4.0, "Upwards angle of the view.", low=-89, high=89, unit="°")
    distance: float = parameter(40.0, "Distance to the orbit's centre.", low=2, high=5000, unit="m", logarithmic=True)
    field_of_view: float = parameter(50.0, "Vertical angle of the view.", low=10, high=100, unit="°")
    scale: float = parameter(
        1.0,
        "Width and height of the drawn picture, as a fraction of the shown one; below 1 it is enlarged sharply.",
        low=0.5,
        high=1,
    )
    edge_pixels: float = parameter(2.0, "Length of a surface triangle's edge on the screen.", low=1, high=40, unit="px")
    samples: Literal[1, 2, 4, 8] = parameter(4, "Samples per pixel (antialiasing).")
    anisotropy: Literal[1, 2, 4, 8, 16] = parameter(8, "Highest anisotropy of texture filtering.")
    far_pixels: Literal[1, 4, 8, 16] = parameter(
        16, "Shaded cells per pixel of far water, if pixels have several samples."
    )


class SkySettings(FileParameters):
    """Sun, air, clouds, exposure and tone mapping."""

    named_by: ClassVar[frozenset[str]] = frozenset({"panorama"})

    sun_elevation: float = parameter(9.0, "Height of the sun above the horizon.", low=-8, high=90, unit="°")
    sun_azimuth: float = parameter(196.0, "Direction of the sun, clockwise from north.", low=0, high=360, unit="°")
    turbidity: float = parameter(2.0, "Turbidity of the whole atmosphere: 1 none, 2 clear, 6 hazy.", low=1, high=10)
    haze: float = parameter(
        1.0, "Sea-salt aerosol in the lowest 500 m; 1 is a fresh breeze. Gales add spray.", low=0, high=5
    )
    plain: bool = parameter(False, "Leave out clouds, veil and bloom to save time.")
    clouds: float = parameter(0.35, "Cloud cover: fraction of the sky.", low=0, high=1)
    cloud_base: float = parameter(1400.0, "Height of the cloud base.", low=600, high=6000, unit="m")
    veil: float = parameter(0.2, "Largest optical depth of the cirrus veil.", low=0, high=1)
    panorama: str = parameter("", "An .hdr or .exr picture of all directions that replaces sun, air and clouds.")
    panorama_heading: float = parameter(0.0, "Heading of the panorama's centre.", low=0, high=360, unit="°")
    metering: Literal["manual", "matrix", "automatic"] = parameter(
        "matrix", "Exposure: manual, by the light in the camera's direction, or by the picture with adaptation."
    )
    exposure: float = parameter(0.0, "Exposure compensation in stops.", low=-10, high=24, unit="EV")
    adaptation: float = parameter(1.0, "Time constant of automatic exposure.", low=0, high=30, unit="s")
    bloom: float = parameter(0.03, "Bloom: fraction of the light that the lens spreads.", low=0, high=0.5)
    tone_mapping: Literal["agx", "aces"] = parameter("agx", "Tone-mapping curve.")

    def __getstate__(self) -> dict[Any, Any]:
        """Leave the light of a panorama out of pickles: the processes that get them read the file themselves."""
        return super().__getstate__() | {"__pydantic_private__": {"_content": None}}

    @property
    def picture(self) -> "Picture | None":
        """The light of the panorama; None without a panorama."""
        picture: Picture | None = self.read_content() if self.panorama else None
        return picture

    @property
    def remark(self) -> str:
        """Remark on values of the panorama that are not light; or nothing."""
        return self.picture.remark if self.picture else ""

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
    automatic: bool = parameter(
        False, "Hold the display's rate: by drawing smaller, then by a lower quality level. Captures ignore it."
    )
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
            raise ValueError(f"window.scale = {self.scale:g} is neither 0 nor 0.5 to 4")
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
    field: FieldName = parameter(FIELDS[0], "Field to show; a view of packed fields shows the pair with it.")
    range: float = parameter(1.0, "Factor on the range of the colours.", low=0.001, high=1000, logarithmic=True)
    low: float = parameter(0.0, "Start of the colours, as a fraction of the range.", low=0, high=1)
    high: float = parameter(1.0, "End of the colours, as a fraction of the range.", low=0, high=1)
    channel: int = parameter(0, "Number that is shown alone in views of three colours; 0: all.", low=0, high=3)
    zoom: float = parameter(1.0, "Enlargement of a view of waves or maps.", low=1, high=256, logarithmic=True)
    x: float = parameter(0.5, "Centre of an enlarged view across, as a fraction of the whole.", low=0, high=1)
    z: float = parameter(0.5, "Centre of an enlarged view downwards, as a fraction of the whole.", low=0, high=1)
    beside: Literal["picture", DebugViewName] = parameter(PICTURE, "Second debug view, on the right; picture: none.")


class Settings(Parameters):
    """All choices of a user."""

    sea: SeaSettings = Field(default_factory=SeaSettings)  # its check needs more physics than settings import
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
