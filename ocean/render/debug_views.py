"""The table of debug views, from which shaders, legend, keys, panel and docs follow.

A debug view is a GLSL expression for up to three numbers at a pixel, a scale that maps them to a colour, and a text.
Expressions of the surface stand at the end of `sea_light` in `surface/light.glsl` and may use its variables.
Expressions of waves and maps stand in `debug/map.frag`, where `bin` and `texel` are the element.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ocean.waves import FIELDS
from ocean.waves.whitecaps import LONGEST_BREAKER, ROLLER

PACKED = ("F1 = h + i Dxz", "F2 = Dx + i Dz", "F3 = hx + i hz", "F4 = Dxx + i Dzz")
FIELD_UNITS = {"height": "m", "dx": "m", "dz": "m"}  # all other fields are derivatives, without a unit
MODULUS = ("modulus", "real", "imaginary")


@dataclass(frozen=True)
class Spread:
    """Statistics of a sea, from which the ranges of debug views follow."""

    height: float  # m
    slope_variance: float
    amplitude: float  # m, amplitude of the highest wave of the cascade
    packed: float  # largest modulus of the packed field
    field: float  # standard deviation of the field
    edge: float  # px: target length of the mesh's edges


@dataclass(frozen=True)
class DebugView:
    """A debug view: the shader's values, the scale that colours them, and the text that explains them."""

    title: str
    value: str  # GLSL, a vec3
    scale: str  # one of SCALES
    range: Callable[[Spread], tuple[float, float]]
    parts: tuple[str, ...]  # names of the numbers
    help: str
    unit: str = ""  # FIELD: the unit of the chosen field
    source: Literal["surface", "counts", "spray", "waves", "maps"] = "surface"
    fields: int = 0  # number of the eight fields in one picture; 0: the view shows no field

    @property
    def is_seen_from_camera(self) -> bool:
        """Whether the view shows the surface as the camera sees it; others show one tile from above."""
        return self.source in ("surface", "counts", "spray")

    @property
    def pictures(self) -> tuple[str, ...]:
        """The first field of each of the view's pictures."""
        return FIELDS[:: self.fields] if self.fields else ()

    def picture_of(self, field: str) -> str:
        """Return the first field of the picture that shows a field."""
        return FIELDS[FIELDS.index(field) // self.fields * self.fields]

    def after(self, field: str) -> str:
        """Return the first field of the next picture, cyclically."""
        return FIELDS[(FIELDS.index(self.picture_of(field)) + self.fields) % len(FIELDS)]


def _light(title: str, value: str, what: str, most: float = 1.0) -> DebugView:
    exposed, parts = f"exposed(kept * {value}).rgb", ("red", "green", "blue")
    return DebugView(f"light: {title}", exposed, "light", lambda s: (0.0, most), parts, what, "of white")


def _decades(count: int, highest: float) -> tuple[float, float]:
    return highest * 10.0**-count, highest


FIELD = "unit of the field"
WATER = "(1.0 - foam) * water"
DEBUG_VIEWS: dict[str, DebugView] = {
    "amplitudes": DebugView(
        "initial amplitudes |h0(k)|, cascade {cascade}",
        "vec3(length(load_amplitude(bin).xy), load_amplitude(bin).xy)",
        "log",
        lambda s: _decades(4, s.amplitude),
        MODULUS,
        "Waves of the cascade's band: wave number 0 in the middle, kx to the right, kz downwards, in the tile's axes.",
        "m",
        "waves",
    ),
    "spectrum": DebugView(
        "spectrum h(k, t), cascade {cascade}",
        "modulus(evolve(load_amplitude(bin), load_steps(bin), cascades[cascade].ticks))",
        "complex",
        lambda s: _decades(4, 2 * s.amplitude),
        MODULUS,
        "The waves at this moment: brightness is the modulus, colour the phase.",
        "m",
        "waves",
    ),
    "packed": DebugView(
        "{packed}, before the transform, cascade {cascade}",
        "modulus(packed_field(bin))",
        "complex",
        lambda s: _decades(4, 2 * s.packed),
        MODULUS,
        "Two real fields in one complex number, as the transform loads them: brightness modulus, colour phase. Shift+3 "
        "shows the next.",
        FIELD,
        "waves",
        fields=2,
    ),
    "field": DebugView(
        "{field}, after the transform, cascade {cascade}",
        "vec3(texelFetch(maps, ivec3(texel, 2 * cascade + field / 4), 0)[field % 4], 0.0, 0.0)",
        "signed",
        lambda s: (-3 * s.field, 3 * s.field),
        ("value",),
        "One tile of the map, x to the right and z downwards, in the tile's axes. Shift+4 shows the next field.",
        FIELD,
        "maps",
        fields=1,
    ),
    "displacement": DebugView(
        "displacement",
        "vec3(relative.x - still.x, relative.y + dot(still, still) / (2.0 * EARTH_RADIUS), relative.z - still.y)",
        "axes",
        lambda s: (-4 * s.height, 4 * s.height),
        ("east", "up", "south"),
        "Displacement of the water from its rest place: red east, green up, blue south; grey is none.",
        "m",
    ),
    "slopes": DebugView(
        "slopes of the height",
        "vec3(slope, 0.0)",
        "axes",
        lambda s: (-3 * s.slope_variance**0.5, 3 * s.slope_variance**0.5),
        ("east", "south"),
        "Derivatives of the height over still water, as far as a pixel shows them: red east, green south.",
    ),
    "jacobian": DebugView(
        "Jacobian (1 + Dxx)(1 + Dzz) − Dxz²",
        "vec3(jacobian(D), 0.0, 0.0)",
        "signed",
        lambda s: (0.0, 2.0),
        ("J",),
        "Area that a unit of still water covers: below 1 it is squeezed, at 0 it folds over.",
    ),
    "foam": DebugView(
        "foam",
        "vec3(cover.xy, 0.0)",
        "linear",
        lambda s: (0.0, 1.0),
        ("map", "drawn"),
        "Foam map in colour, and the fraction of the pixel that is drawn white.",
    ),
    "slope-variance": DebugView(
        "slope variance that the pixel does not show",
        "vec3(covariance.x + covariance.y, covariance.xy)",
        "log",
        lambda s: _decades(2, s.slope_variance),
        ("both", "east", "south"),
        "Roughness of a pixel's facets: waves that its footprint averages away, and waves that no map holds.",
    ),
    "cascades": DebugView(
        "cascades by colour: |slope| of each",
        "cascade_slopes(still, dx, dy, footprint)",
        "mix",
        lambda s: (0.0, 2 * s.slope_variance**0.5),
        ("first", "second", "others"),
        "Slope by cascade: red the first, green the second, blue all others. Waves below a pixel give none.",
    ),
    "level": DebugView(
        "level of the mesh",
        "vec3(debug_triangle.level, levels[debug_triangle.level].cell, 0.0)",
        "count",
        lambda s: (0.0, 10.0),
        ("level", "cell [m]"),
        "Level of detail of the triangle, from 0 next to the camera; colours repeat after ten.",
    ),
    "wireframe": DebugView(
        "wireframe: longest edge of each triangle [px]",
        "triangle_edges()",
        "edges",
        lambda s: (s.edge / 8, s.edge * 8),
        ("longest edge [px]", "cell [m]"),
        "The mesh as it is drawn. In the middle is view.edge_pixels, the edge of a cell where its level ends; edges "
        "are longer nearer by, along diagonals and where finer ones would not show.",
    ),
    "overdraw": DebugView(
        "overdraw",
        "",
        "linear",
        lambda s: (0.0, 8.0),
        ("covering",),
        "Number of triangles that cover the middle of the pixel. The nearest one is shaded.",
        "triangles",
        "counts",
    ),
    "normals": DebugView(
        "normals",
        "N",
        "axes",
        lambda s: (-1.0, 1.0),
        ("east", "up", "south"),
        "Unit normals for the light: red east, green up, blue south.",
    ),
    "light-sky": _light("the sky, reflected", f"{WATER}.sky", "Light of the sky times the mean Fresnel reflectance."),
    "light-sun": _light("the sun, reflected", f"{WATER}.glitter", "Glitter, from the facets' slopes."),
    "light-water": _light("from the water below", f"{WATER}.upwelling", "Light from within: the water's colour.", 0.1),
    "light-crests": _light("through crests", f"{WATER}.through", "Sunlight through waves between eye and sun.", 0.01),
    "light-foam": _light("from foam", "foam * white", "Light of sun and sky that foam scatters."),
    "light-air": _light("from the air", "0.0 + added", "Light that the air between eye and water adds."),
    "active-foam": DebugView(
        "active foam",
        "vec3(foam_map_at(still, footprint).y, 0.0, 0.0)",
        "linear",
        lambda s: (0.0, 1.0),
        ("active",),
        "Foam on water that breaks now, in the foam map. Spray comes from it.",
    ),
    "rollers": DebugView(
        "rollers",
        "vec3(length(roller_at(still, footprint)), roller_at(still, footprint))",
        "linear",
        lambda s: (0.0, ROLLER * LONGEST_BREAKER),
        ("thickness", "east", "south"),
        "Mean thickness of the white water on breaking crests, and the direction in which it leans.",
        "m",
    ),
    "spray": DebugView(
        "optical depth of spray",
        "",
        "log",
        lambda s: _decades(3, 3.0),
        ("depth", "distance [m]"),
        "Optical depth of the drops in front of water and sky, and their mean distance.",
        source="spray",
    ),
}
"""All debug views, by the names in `DebugViewName` (`ocean.settings`)."""
