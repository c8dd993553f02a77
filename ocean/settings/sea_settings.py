"""Settings of the sea: wind, swell and water, and its state by number."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, model_validator

from ocean.common.parameters import Parameters, parameter
from ocean.waves import statistics
from ocean.waves.dispersion import DEFAULT_PERIOD, DispersionKind
from ocean.waves.spectra import Spectrum
from ocean.waves.spectra.jonswap import Jonswap
from ocean.waves.spreading import Hasselmann, Spreading
from ocean.waves.systems import (
    BEAUFORT,
    BREAKING,
    SEA_STATES,
    SWELL_SPECTRUM,
    SWELL_SPREADING,
    WaveSystem,
    beaufort_speed,
    grown_period,
    grown_wind,
    is_fully_developed,
    is_too_high,
    sea_state_height,
    steepest_height,
    swell,
    wind_sea,
)
from ocean.waves.tiles import peak_wavelength


def _spell_out(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


KINDS = "spectrum", "spreading"
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

    def system(self, depth: float, dispersion: DispersionKind) -> WaveSystem:
        """Return the wind sea in water of a depth [m]. Raises ValueError if settings contradict each other."""
        state = self.speed, self.direction, self.fetch, depth, self.spectrum, self.spreading, dispersion
        return wind_sea(*state, self.height, self.period)


class SwellSettings(Parameters):
    """Waves that come from a distant storm. A height of 0 means that there is no swell."""

    height: float = parameter(0.0, "Significant wave height of the swell.", low=0, high=15, unit="m")
    period: float = parameter(12.0, "Peak period of the swell.", low=4, high=25, unit="s")
    direction: float = parameter(40.0, "Swell direction (towards), clockwise from north.", low=0, high=360, unit="°")
    spectrum: SpectrumSetting = parameter(SWELL_SPECTRUM, "Distribution of energy over frequency.")
    spreading: SpreadingSetting = parameter(SWELL_SPREADING, "Distribution of energy over direction.")

    def system(self, depth: float, dispersion: DispersionKind) -> WaveSystem:
        """Return the swell in water of a depth [m]. Raises ValueError if settings contradict each other."""
        return swell(self.height, self.period, self.direction, depth, dispersion, self.spectrum, self.spreading)


def _wind_of_sea_state(number: int) -> dict[str, float]:
    height = sea_state_height(number)
    wind = {"speed": round(grown_wind(height), 2), "height": height}
    return wind | ({"period": round(grown_period(height), 2)} if number else {})


WIND_OF = {
    "beaufort": [{"speed": beaufort_speed(number), "height": 0.0} for number in range(len(BEAUFORT))],
    "state": [_wind_of_sea_state(number) for number in range(len(SEA_STATES))],
}
"""Values of `sea.wind` for each Beaufort number and each sea state.

A sea state sets height and period, and a wind to match, because foam and spreading follow from the wind.
"""


def spell_out_state(sea: Any) -> Any:
    """Replace `beaufort` or `state` in a table of the sea by the values of `sea.wind` for that number. An invalid
    number stays, for its declaration to refuse.

    Raises:
        ValueError: when the table also sets one of these values.
    """
    if not isinstance(sea, Mapping):
        return sea
    given = [name for name in WIND_OF if type(sea.get(name)) is int and sea[name] in range(len(WIND_OF[name]))]
    if not given:
        return sea
    name, *others = given
    wind = sea.get("wind", {})
    if isinstance(wind, WindSettings):
        wind = wind.model_dump(exclude_unset=True)
    if not isinstance(wind, Mapping):
        return sea
    stands_for = WIND_OF[name][sea[name]]
    both = others + [f"wind.{key}" for key in stands_for if key in wind]
    if both:
        raise ValueError(f"sea.{name} = {sea[name]} and sea.{both[0]} set the same value; leave one of them out")
    return {**{key: value for key, value in sea.items() if key != name}, "wind": {**wind, **stands_for}}


def spell_out(sea: Any) -> Any:
    """Replace all shorthands in a table of the sea: `beaufort`, `state`, and spectra and spreadings given only by name.

    Raises:
        ValueError: when the table also sets a value that a shorthand sets.
    """
    sea = spell_out_state(sea)
    if not isinstance(sea, Mapping):
        return sea
    return {
        part: {name: _spell_out(value) if name in KINDS else value for name, value in table.items()}
        if isinstance(table, Mapping)
        else table
        for part, table in sea.items()
    }


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
    def systems(self) -> tuple[WaveSystem, ...]:
        """The wave systems of these settings; none for flat water."""
        both = (part.system(self.depth, self.dispersion) for part in (self.wind, self.swell))
        return tuple(system for system in both if not system.is_flat)

    @property
    def longest_peak(self) -> float:
        """The longest peak wavelength of all systems [m]; 0 for flat water."""
        return max((peak_wavelength(system) for system in self.systems), default=0.0)

    @property
    def remark(self) -> str:
        """Remarks on how the sea has grown, and on files that lack directions; or nothing."""
        wind, remarks = self.wind, [system.shape.remark for system in self.systems]
        if not wind.height and is_fully_developed(wind.spectrum, wind.speed, wind.fetch):
            remarks.append("Fully developed: more fetch changes nothing.")
        return " ".join(dict.fromkeys(filter(None, remarks)))

    @property
    def warning(self) -> str:
        """A warning about a sea that can't exist, or nothing."""
        stays = " Its waves stay linear." if self.dynamics == "nonlinear" and self.order > 1 else ""
        return self._impossible and self._impossible + stays

    @property
    def _impossible(self) -> str:
        height = statistics.predicted_height(self.systems)
        depth = math.inf if self.dispersion == "deep" else self.depth
        if is_too_high(height, depth):
            limit = BREAKING * depth
            return f"Too high for its depth: Hs is {height:.3g} m, and waves break at {limit:.3g} m."
        for system in self.systems:
            height, length = statistics.predicted_height([system]), peak_wavelength(system)
            if height > (limit := steepest_height(length, depth)):
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
            except ValueError as error:
                raise ValueError(f"sea.{name}.{error}") from None
        slowest = max((2 * math.pi / s.peak_frequency for s in self.systems), default=0.0)
        if self.loop_period and self.loop_period < 4 * slowest:
            raise ValueError(
                f"sea.loop_period = {self.loop_period:g} s is below four longest peak periods; choose"
                f" {math.ceil(4 * slowest)} s or more"
            )
        return self
