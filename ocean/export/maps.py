"""The maps of an export. To add a map, add its entry to a table: `PATCH_MAPS` for the whole sea over a
patch, `TEXTURE_MAPS` for the tiles of engines, `CASCADE_MAPS` for arrays of `Sea.fields`. Options, files and units
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
CascadeFields = Mapping[str, Values]
"""Arrays of one cascade by name, each (N, N)."""
RANGE = 9
"""Range of a displacement, in first-order standard deviations. Crests of seven deviations (one value in 4e11) fit with
their second-order part; larger values are clipped."""


@dataclass(frozen=True)
class Part:
    """One array of a map: its unit, and its names in words and in the CF conventions."""

    words: str
    unit: str = "1"
    standard_name: str = ""


HEIGHT = Part("height over mean water", "m", "sea_surface_height_above_mean_sea_level")

CASCADE_MAPS = {
    "displacement": {
        "dx": Part("displacement of the water eastwards, to be multiplied by choppiness", "m"),
        "height": HEIGHT,
        "dz": Part("displacement of the water southwards, to be multiplied by choppiness", "m"),
    },
    "derivatives": {
        "slope_x": Part("slope of the height eastwards over still water"),
        "slope_z": Part("slope of the height southwards over still water"),
        "dxx": Part("derivative of dx eastwards"),
        "dzz": Part("derivative of dz southwards"),
        "dxz": Part("derivative of dx southwards, which is that of dz eastwards"),
    },
    "potential": {"potential": Part("velocity potential at the surface over each place", "m2 s-1")},
}
"""Maps of each cascade; their parts have the names of `Sea.fields`, except `Sea.potential`."""


@dataclass(frozen=True)
class PatchMap:
    """A map of the whole sea over a patch of the world."""

    parts: Mapping[str, Part]
    values: Callable[[SurfaceSample, Values | None], Values | None]
    """Values (rows, columns), or (rows, columns, parts), of the surface and of the foam, which is None unless the map
    `foam` is exported; None if this sample lacks the map."""
    of_motion: bool = False
    """Whether the values need the velocity of the water."""

    def arrays(self, sample: SurfaceSample, foam: Values | None) -> dict[str, NDArray[np.float32]]:
        """Return the parts by name, (rows, columns) each."""
        if (values := self.values(sample, foam)) is None:
            return {}
        parts = values.reshape(*values.shape[:2], -1)
        return {name: np.ascontiguousarray(parts[..., i], np.float32) for i, name in enumerate(self.parts)}


PATCH_MAPS = {
    "height": PatchMap({"height": HEIGHT}, lambda sample, foam: sample.height),
    "normal": PatchMap(
        {
            "normal_x": Part("unit normal, eastwards"),
            "normal_y": Part("unit normal, upwards"),
            "normal_z": Part("unit normal, southwards"),
        },
        lambda sample, foam: sample.normal,
    ),
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
    "foam": PatchMap({"foam": Part("foam, from 0 to 1")}, lambda sample, foam: foam),
}
"""Maps of the whole sea over a patch of the world."""

CONVERGED = PatchMap(
    {"converged": Part("1 where the surface has not folded, and the other values are exact")},
    lambda sample, foam: sample.converged,
)
"""The additional map of each patch."""
MESH_MAPS = "height", "normal", "foam"
"""Maps of a patch that meshes hold: positions, normals, and the foam of each point."""


@dataclass(frozen=True)
class TextureMap:
    """A map of each cascade for engines, over still water."""

    channels: tuple[str, ...]
    unit: str
    fields: tuple[str, ...]
    """Arrays of the cascade from which the map is made."""
    values: Callable[[CascadeFields, Sequence[Lift], float], Values]
    """Values (N, N, channels), from the fields, the cascade's second-order crests, and the choppiness."""
    range: Callable[[float], tuple[float, float]]
    """Lowest and highest value that integers hold, from the standard deviation [m] of the cascade's displacement."""


def _displacement(at: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> Values:
    crests = lift(lifts, [_waves(at)])
    return np.stack([choppiness * at["dx"], at["height"] + choppiness * crests, choppiness * at["dz"]], -1)


def _normal(at: CascadeFields, lifts: Sequence[Lift], choppiness: float) -> Values:
    slope_x, slope_z = (
        at[rates[0]] + choppiness * lift_rate(lifts, [_waves(at)], [np.stack([at[name] for name in rates])])
        for rates in (("slope_x", "dxx", "dxz"), ("slope_z", "dxz", "dzz"))
    )
    return normal(slope_x, slope_z, at["dxx"], at["dzz"], at["dxz"], choppiness)


def _waves(at: CascadeFields) -> Values:
    return np.stack([at[name] for name in ("height", "dx", "dz")])


TEXTURE_MAPS = {
    "displacement": TextureMap(
        ("x", "y", "z"),
        "m",
        tuple(CASCADE_MAPS["displacement"]),
        _displacement,
        lambda deviation: (-RANGE * deviation, RANGE * deviation),
    ),
    "normal": TextureMap(
        ("x", "y", "z"),
        "1",
        (*CASCADE_MAPS["derivatives"], *CASCADE_MAPS["displacement"]),
        _normal,
        lambda deviation: (-1.0, 1.0),
    ),
    "foam": TextureMap(
        ("foam",), "1", ("foam",), lambda at, lifts, choppiness: at["foam"][..., None], lambda deviation: (0.0, 1.0)
    ),
}
"""Maps of each cascade for engines. Foam does not add over cascades, so its map needs a sea of one plain tile."""
