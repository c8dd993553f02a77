"""The sea's surface: patches from the camera out to the horizon, tessellated by their size on the screen."""

import math

import moderngl
import numpy as np

from ocean.foam import FoamMap
from ocean.gpu.bindings import Sampler
from ocean.gpu.context import is_software
from ocean.gpu.shaders import shader_library
from ocean.settings import Settings
from ocean.simulation import Sea
from ocean.waves import statistics
from ocean.waves.slopes import unresolved_slopes

EARTH_RADIUS = 6.371e6  # m
PATCH_EDGES = 40  # edges of wanted length along a patch: below the 64 that every GPU can make
SLOPE_TABLE = np.logspace(-3, 3, 256)  # wave numbers [rad/m] of the table of slopes
STAGES = ("surface/surface.vert", "surface/surface.tesc", "surface/surface.tese", "surface/surface.frag")


def horizon_distance(altitude: float, wave_height: float) -> float:
    """How far the surface has to reach [m]: past the horizon by as much as crests beyond it may look over it."""
    return math.sqrt(2 * EARTH_RADIUS * altitude) + math.sqrt(2 * EARTH_RADIUS * max(wave_height, 0.5))


class Surface:
    """Draws the sea."""

    def __init__(self, ctx: moderngl.Context, foam: FoamMap) -> None:
        self.ctx = ctx
        self._program = shader_library(ctx).program(*STAGES, **foam.defines)
        self._patches = ctx.vertex_array(self._program, [])
        self._filter = ctx.sampler(filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR))
        # llvmpipe drops what a draw tessellates beyond 65,536 vertices, so there each ring is a draw of its own.
        self._software = is_software(ctx)
        self.slopes = ctx.texture((len(SLOPE_TABLE), 1), 3, dtype="f4")
        self.slopes.label = "slope covariance"
        self.slopes.repeat_x = self.slopes.repeat_y = False
        self._slopes_of: object = None
        self.slope_variance = 0.0
        self.height_deviation = 0.0

    def update_statistics(self, settings: Settings) -> None:
        """Keep the table of slope variance in step with the sea."""
        if settings.sea == self._slopes_of:
            return
        self._slopes_of = settings.sea
        systems = settings.sea.systems
        covariances = unresolved_slopes(systems, SLOPE_TABLE)
        self.slopes.write(covariances.astype("f4").tobytes())
        self.slope_variance = float(covariances[0, :2].sum())
        self.height_deviation = statistics.predicted_height(systems) / 4

    def anisotropy(self, settings: Settings) -> int:
        """How far the maps' filter goes; llvmpipe takes minutes for a frame that a GPU filters at no cost."""
        return 1 if self._software else settings.view.anisotropy

    def draw(self, sea: Sea, settings: Settings, pixels_at_unit_distance: float, horizon: float) -> None:
        """Draw into the framebuffer that is in use; the view and cascade blocks are bound."""
        wanted = PATCH_EDGES * settings.view.edge_pixels / pixels_at_unit_distance  # angle that a patch may span
        sectors = max(24, math.ceil(2 * math.pi / wanted))
        inner = max(0.5, 0.25 * settings.view.altitude)
        rings = 2 + max(12, math.ceil(math.log(horizon / inner) / max(wanted, 0.02)))
        self._program["rings"] = rings
        self._program["sectors"] = sectors
        self._program["inner_radius"] = inner
        self._filter.anisotropy = self.anisotropy(settings)
        self._filter.use(Sampler.MAPS)
        sea.maps.use(Sampler.MAPS)
        sea.foam.bind()
        self.slopes.use(Sampler.SLOPES)
        self.ctx.patch_vertices = 4
        self.ctx.wireframe = settings.view.wireframe
        rings_a_draw = 1 if self._software else rings
        for ring in range(0, rings, rings_a_draw):
            self._patches.render(mode=moderngl.PATCHES, vertices=4 * sectors * rings_a_draw, first=4 * sectors * ring)
        self.ctx.wireframe = False
        self._filter.clear(Sampler.MAPS)

    def release(self) -> None:
        self._patches.release()
        self._filter.release()
        self.slopes.release()
