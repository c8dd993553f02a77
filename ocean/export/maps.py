"""The maps of an export. To add a map, add its entry to a table: `PATCH_MAPS` for the whole sea over a
patch, `TEXTURE_MAPS` and `CASCADE_MAPS` for tiles, as textures and as arrays. Options, files and units
follow from the entry; `MESH_MAPS` names those that meshes can hold. Parts of patches and cascades have unique
names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean.waves.fields import normal
from ocean.waves.second_order import Lift, lift, lift_rate
from ocean.waves.surface import SurfaceSample

Values = NDArray[Any]
CascadeFields = Mapping[str, Values]  # arrays of one cascade by name, each (N, N)
RANGE = 9
"""Range of a displacement, in first-order standard deviations. Crests of seven deviations (one value in 4e11) fit with
their second-order part; larger values are clipped."""


@dataclass(frozen=True)
class Part:
    """One array of a map: its unit, and its names in words and in the CF conventions."""

    words: str
    unit: str = "1"
    standard_name: str = ""

    @property
    def attributes(self) -> dict[str, Any]:
        named = {"standard_name": self.standard_name} if self.standard_name else {}
        return {"long_name": self.words, "units": self.unit, **named}


HEIGHT = Part("height over the mean water level", "m", "sea_surface_height_above_mean_sea_level")


@dataclass(frozen=True)
class CascadeMap:
    """A map of each cascade over still water."""

    parts: Mapping[str, Part]
    fields: tuple[str, ...]
    """Arrays of `Sea.fields` from which the map is made, or the name of another array of the sea."""
    values: Callable[[CascadeFields, Sequence[Lift], float], Values]
    """Values (N, N), or (N, N, parts), from the fields, the cascade's second-order crests, and the choppiness."""
    range: Callable[[float], tuple[float, float]] = lambda deviation: (0.0, 1.0)
    """Lowest and highest value that integers hold, from the standard deviation [m] of the cascade's displacement."""

    def arrays(self, fields: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> dict[str, NDArray[np.float32]]:
        """Return the parts by name, (cascade, N, N) each, from the fields of all cascades."""
        each = [
            self.values({name: fields[name][i] for name in self.fields}, [one], choppiness)
            for i, one in enumerate(lifts)
        ]
        values = np.stack(each).reshape(*fields[self.fields[0]].shape, -1)
        return {name: np.ascontiguousarray(values[..., i], np.float32) for i, name in enumerate(self.parts)}


def _displacement(at: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> Values:
    crests = lift(lifts, [_waves(at)])
    return np.stack([choppiness * at["dx"], at["height"] + choppiness * crests, choppiness * at["dz"]], -1)


def _derivatives(at: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> Values:
    slopes = (
        at[rates[0]] + choppiness * lift_rate(lifts, [_waves(at)], [np.stack([at[name] for name in rates])])
        for rates in (("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz"))
    )
    return np.stack([*slopes, *(choppiness * at[name] for name in ("dxx", "dzz", "dxz"))], -1)


def _normal(at: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> Values:
    slope_x, slope_z, dxx, dzz, dxz = np.moveaxis(_derivatives(at, lifts, choppiness), -1, 0)
    return normal(slope_x, slope_z, dxx, dzz, dxz, 1.0)


def _waves(at: CascadeFields) -> Values:
    return np.stack([at[name] for name in WAVES])


MEANING = (
    "The displacement (dx, height, dz) [m] moves each point of still water to the surface: with choppiness and the "
    "tile's own second-order crests, which derivatives and normals include too."
)
WAVES, RATES = ("height", "dx", "dz"), ("slope_x", "slope_z", "dxx", "dzz", "dxz")
CASCADE_MAPS = {
    "displacement": CascadeMap(
        {"dx": Part("displacement eastwards", "m"), "height": HEIGHT, "dz": Part("displacement southwards", "m")},
        WAVES,
        _displacement,
        lambda deviation: (-RANGE * deviation, RANGE * deviation),
    ),
    "derivatives": CascadeMap(
        {
            "slope_x": Part("slope of the height eastwards over still water"),
            "slope_z": Part("slope of the height southwards over still water"),
            "dxx": Part("derivative of dx eastwards"),
            "dzz": Part("derivative of dz southwards"),
            "dxz": Part("derivative of dx southwards, which is that of dz eastwards"),
        },
        (*WAVES, *RATES),
        _derivatives,
    ),
    "potential": CascadeMap(
        {"potential": Part("velocity potential at the surface over each place", "m2 s-1")},
        ("potential",),
        lambda at, lifts, choppiness: at["potential"],
    ),
}
"""Maps of each cascade as arrays, with the meaning of MEANING."""
NORMAL = {
    "normal_x": Part("unit normal, eastwards"),
    "normal_y": Part("unit normal, upwards"),
    "normal_z": Part("unit normal, southwards"),
}
FOAM = {
    "foam": Part("foam, from 0 to 1"),
    "active_foam": Part("foam on water that breaks now, from 0 to 1"),
    "roller": Part("mean thickness of the white water on breaking crests", "m"),
}
"""Parts from the foam map, and so from earlier frames; each is a map by its name, too."""


def _foam_texture(name: str) -> CascadeMap:
    return CascadeMap({name: FOAM[name]}, (name,), lambda at, lifts, choppiness: at[name])


TEXTURE_MAPS = {
    "displacement": CASCADE_MAPS["displacement"],
    "normal": CascadeMap(NORMAL, (*WAVES, *RATES), _normal, lambda deviation: (-1.0, 1.0)),
    **{name: _foam_texture(name) for name in FOAM},
}
"""Maps of each cascade as textures. Foam does not add over cascades, so its maps need a sea of one plain tile."""


@dataclass(frozen=True)
class PatchMap:
    """A map of the whole sea over a patch of the world."""

    parts: Mapping[str, Part]
    values: Callable[[SurfaceSample, Values | None], Values | None]
    """Values (rows, columns), or (rows, columns, parts), of the surface and of `PatchFoam.at`, which is None
    unless one of `FOAM` is exported; None if this sample lacks the map."""
    of_motion: bool = False  # whether the values need the velocity of the water

    def arrays(self, sample: SurfaceSample, foam: Values | None) -> dict[str, NDArray[np.float32]]:
        """Return the parts by name, (rows, columns) each."""
        if (values := self.values(sample, foam)) is None:
            return {}
        parts = values.reshape(*values.shape[:2], -1)
        return {name: np.ascontiguousarray(parts[..., i], np.float32) for i, name in enumerate(self.parts)}


def _foam_patch(name: str) -> PatchMap:
    index = list(FOAM).index(name)
    return PatchMap({name: FOAM[name]}, lambda sample, foam: None if foam is None else foam[..., index])


PATCH_MAPS = {
    "height": PatchMap({"height": HEIGHT}, lambda sample, foam: sample.height),
    "normal": PatchMap(NORMAL, lambda sample, foam: sample.normal),
    "velocity": PatchMap(
        {
            "velocity_x": Part("velocity of the water eastwards", "m s-1", "surface_eastward_sea_water_velocity"),
            "velocity_y": Part("velocity of the water upwards", "m s-1"),
            "velocity_z": Part("velocity of the water southwards", "m s-1"),
        },
        lambda sample, foam: sample.velocity,
        of_motion=True,
    ),
    "jacobian": PatchMap(
        {"jacobian": Part("area that a unit of still water covers")}, lambda sample, foam: sample.jacobian
    ),
    **{name: _foam_patch(name) for name in FOAM},
}
"""Maps of the whole sea over a patch of the world."""

CONVERGED = PatchMap(
    {"converged": Part("1 where the surface has not folded, and the other values are exact")},
    lambda sample, foam: sample.converged,
)
"""The additional map of each patch."""
MESH_MAPS = "height", "normal", *FOAM
"""Maps of a patch that meshes hold: positions, normals, and foam and roller of each point."""
