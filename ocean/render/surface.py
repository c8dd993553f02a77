"""The sea's surface: its mesh out to the horizon, and its shading."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import clamped, is_software, labelled, release_all
from ocean.gpu.mips import FORMATS, write_levels
from ocean.gpu.passes import BUFFERS_WRITTEN, IMAGES_WRITTEN, Pass, Work, dispatch
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.light.optics import EARTH_RADIUS
from ocean.render import camera
from ocean.render.backdrop import is_clear
from ocean.render.buoy import Buoy
from ocean.render.mesh import Mesh, make_levels
from ocean.render.samples import PACKED_BYTES, SAMPLE_BYTES, SHADED_AT_ONCE, TILE, Samples
from ocean.render.scene import SEA, Scene, VisibilityTarget
from ocean.render.spray import Spray
from ocean.sea.blend import SeaSpectrum
from ocean.sea.query import INVERSION
from ocean.settings import Settings, ViewSettings
from ocean.waves import whitecaps
from ocean.waves.slopes import CELLS, CUTOFFS, Roughness

RIDE_RING = 16  # points around the eye at which the water must stay below it
RIDE_RADIUS = 0.3  # m: radius of the ring, the reach of the near plane
TRIANGLE_OPERATIONS, SAMPLE_OPERATIONS, SHADING_OPERATIONS = 300, 500, 3000
"""Additions and multiplications, counted in the shaders and in AMD's instructions for them: for a triangle with its
fraction of a block's vertices and a few samples in its box; for a sample without its triangle's vertices; for a
shading with four cascades. Waves and foam vary, so the true numbers differ by up to a third."""
ATOMIC64 = {"GL_ARB_gpu_shader_int64", "GL_NV_shader_atomic_int64"}


def horizon_distance(altitude: float, wave_height: float) -> float:
    """Return the distance [m] to the farthest crests that may show above the horizon."""
    return math.sqrt(2 * EARTH_RADIUS * altitude) + math.sqrt(2 * EARTH_RADIUS * max(wave_height, 0.5))


def foam_pattern_texture(ctx: moderngl.Context) -> moderngl.TextureArray:
    """Return the patterns of foam and their squares as a texture array with mip levels."""
    first, *others = (level.astype("f4") for level in whitecaps.levels())
    texture = ctx.texture_array((whitecaps.SIDE, whitecaps.SIDE, len(first)), 2, first, dtype="f4")
    write_levels(ctx, texture, others)
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    texture.label = "foam patterns"
    return texture


class Surface:
    """Drawing of the sea: first the triangle at each sample of a picture, then its light."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._software = is_software(ctx)
        self._atomic64 = ctx.extensions >= ATOMIC64
        steps = np.arange(2, dtype="u4").repeat(64)  # 256 bytes each: the largest alignment of a block
        self._steps = labelled("raster steps", ctx.buffer(steps.tobytes()))
        self.mesh = Mesh(ctx)
        self.samples = Samples(ctx)
        self._foam_patterns = foam_pattern_texture(ctx)
        self._filter = ctx.sampler(filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR))
        self._lift = shader_library(ctx).compute("surface/ride.comp", RING=RIDE_RING, **INVERSION)
        self.slopes = clamped("slope covariance", ctx.texture((len(CUTOFFS), 1), 4, dtype="f4"))
        self._parts: Sequence[tuple[float, SeaSpectrum]] = ()
        self._gathers = True  # whether the last picture gathered its shadings
        self._levels: tuple[tuple[object, ...], NDArray[np.void]] | None = None
        self.roughness = Roughness(np.zeros((len(CUTOFFS), 4)), 0.0, 0.0, np.zeros(len(CELLS)))

    def is_drawn_by_hardware(self, settings: Settings) -> bool:
        """Return whether OpenGL's raster draws the mesh: with one sample per pixel and isotropic footprints, on a
        software renderer, whose compute shaders are slow."""
        view = settings.view
        return self._software and bool(view.samples == view.anisotropy == 1)

    def mesh_passes(self, scene: Scene) -> Iterator[Pass]:
        """Yield the passes that place camera and mesh."""
        yield Pass("ride", partial(self._ride, scene), help="Keeps the eye above the waves.", group=SEA)
        words = "Chooses triangles as fine as a picture needs."
        choose, is_needed = partial(self._choose_mesh, scene), self._shows_sea
        yield Pass("mesh", choose, help=words, debug_view="wireframe", group=SEA, is_needed=is_needed)

    def passes(self, scene: Scene, buoy: Buoy, spray: Spray) -> Iterator[Pass]:
        """Yield the passes that draw the light of the sea, and of the buoy, if the scene has one, and sum up its
        spray."""
        yield from self.mesh_passes(scene)
        shown, target = buoy if scene.settings.buoy.show else None, scene.targets.visibility
        on_sea: dict[str, Any] = {"group": SEA, "is_needed": self._shows_sea}
        yield Pass(
            "raster",
            partial(self.raster, scene, shown, target),
            help="Finds the nearest triangle of each sample.",
            debug_view="overdraw",
            count_work=self._count_raster,
            **on_sea,
        )
        yield from (one._replace(is_needed=self._shows_sea) for one in spray.splat_pass(scene, target))
        light, is_direct = scene.targets.hdr, scene.settings.view.samples == 1
        yield Pass(
            "shading",
            partial(self.shade, scene, light if is_direct else None, shown, target),
            help="Lights the water: reflections, glitter, light from below, foam and air.",
            debug_view="normals",
            count_work=self._count_shading,
            **on_sea,
        )
        if not is_direct:
            words, count = "Averages the samples of each pixel.", partial(self._count_resolve, light.width)
            yield Pass("resolve", partial(self.resolve, light), help=words, count_work=count, **on_sea)

    def _shows_sea(self) -> bool:
        return self.samples.shows_sea

    def update_roughness(self, parts: Sequence[tuple[float, SeaSpectrum]]) -> None:
        """Update the roughness and its table on the GPU for a blend of seas, given with their fractions."""
        if parts != self._parts:
            self._parts = parts
            self.roughness = Roughness.mean([(share, sea.roughness) for share, sea in parts])
            self.slopes.write(self.roughness.unresolved.astype("f4").tobytes())

    def horizon(self, view: ViewSettings) -> float:
        """Return the distance [m] out to which the surface is drawn."""
        crest = self.roughness.crest
        return horizon_distance(max(camera.eye_height(view), 0.0) + crest, crest)

    def _ride(self, scene: Scene) -> None:
        """Lift the eye in the camera's uniform block above the waves, unless it dives, and write its depth there."""
        dives = scene.settings.view.dive > 0
        scene.sea.block.bind()
        set_uniforms(self._lift, {"dives": dives, "radius": 0.0 if dives else RIDE_RADIUS})
        scene.sea.maps.use(Sampler.MAPS)
        scene.camera.bind_to_storage_buffer(Storage.VIEW)
        dispatch(self._lift, 1, barrier=BUFFERS_WRITTEN)

    def _choose_mesh(self, scene: Scene) -> None:
        view = scene.settings.view
        scene.camera.bind_to_uniform_block(Block.VIEW)
        edge = view.edge_pixels / camera.pixels_at_unit_distance(view, scene.targets.hdr.height)
        to_crests = max(abs(camera.eye_height(view)) - 2 * self.roughness.height_deviation, camera.LOWEST)
        horizon = self.horizon(view)
        key = view.x, view.z, to_crests, horizon, edge, self._parts
        if self._levels is None or self._levels[0] != key:
            self._levels = key, make_levels((view.x, view.z), to_crests, horizon, edge, self.roughness.mesh_error)
        self.mesh.choose(self._levels[1])

    def prepare(self, view: ViewSettings, size: tuple[int, int], objects: bool = False) -> None:
        """Lay out the samples of a picture, which may show objects besides the sea."""
        self.samples.prepare(view, size, 4 * self.roughness.height_deviation, objects)
        self.mesh.keep_vertices(size[0] * size[1], view)

    def raster(
        self, scene: Scene, buoy: Buoy | None = None, target: VisibilityTarget | None = None, counts: bool = False
    ) -> None:
        """Find the nearest triangle of mesh and buoy for each sample, or count the triangles that cover it. The
        hardware's raster draws the mesh into `target`, if given. Without 64-bit atomics it takes two dispatches:
        nearness, then number."""
        scene.camera.bind_to_uniform_block(Block.VIEW)
        scene.sea.block.bind()
        scene.sea.maps.use(Sampler.MAPS)
        scene.sea.foam.bind()
        self._foam_patterns.use(Sampler.FOAM_PATTERNS)
        self.samples.bind()
        library = shader_library(self.ctx)
        mesh = {**Mesh.defines, **scene.sea.foam.defines}
        if target is not None:
            target.framebuffer.use()
            target.framebuffer.clear(depth=1.0)
            # With back faces culled, llvmpipe leaves out pixels of nearly edge-on triangles.
            self.ctx.enable_only(moderngl.DEPTH_TEST)
            self.mesh.render(library.program("surface/surface.vert", "surface/visibility.frag", **mesh))
        else:
            self.mesh.bind()
            self.mesh.cull()
        chosen = {**Samples.defines, "ATOMIC64": int(self._atomic64 and not counts)}
        for step in range(1 if self._atomic64 or counts else 2):
            self._steps.bind_to_uniform_block(Block.RASTER, 256 * step, 16)
            if target is None:
                self.mesh.dispatch(library.compute("surface/raster.comp", COUNTS=int(counts), **mesh, **chosen))
            if buoy is not None:
                buoy.bind()
                library.compute("buoy/raster.comp", COUNTS=0, **chosen).run(buoy.triangles)
            self.ctx.memory_barrier(BUFFERS_WRITTEN)

    def shade(
        self,
        scene: Scene,
        image: moderngl.Texture | None = None,
        buoy: Buoy | None = None,
        target: VisibilityTarget | None = None,
        value: str = "",
    ) -> None:
        """Compute the light of each sample for `resolve`, or write it into `image`, with one sample per pixel. `buoy`
        and `target` are those of `raster`. A `value`, a GLSL expression of `debug_views`, replaces the light."""
        sea, settings = scene.sea, scene.settings
        scene.bind()
        library = shader_library(self.ctx)
        hides, dives = settings.view.anisotropy > 1, settings.view.dive > 0 and not value
        chosen: dict[str, Any] = {**Samples.defines, **Mesh.defines, **sea.foam.defines, "HIDES": int(hides)}
        chosen |= {
            "BUOY": int(buoy is not None),
            "BY_HARDWARE": int(target is not None),
            "DIRECT": int(image is not None),
        }
        if image is not None:
            chosen["FORMAT"] = FORMATS[image.dtype][0]
            image.bind_to_image(Image.HDR, read=False, write=True)
        gather, unit = None, min(self.samples.of_cell, 4)
        if target is None:
            gather = library.compute("surface/gather.comp", **chosen, UNIT=unit)
        else:
            target.texture.use(Sampler.VISIBILITY)
        chosen |= {"TAPS": int(hides and self._software), "DIVES": int(dives)}
        chosen |= {"DEBUG_VIEW": value} if value else {"CLEAR": 1} if is_clear(settings) else {}
        lists = [library.compute("surface/shade.comp", **chosen, FAR_FOAM=0)]
        if hides:
            lists.append(library.compute("surface/shade.comp", **chosen, FAR_FOAM=1))
        self._foam_patterns.use(Sampler.FOAM_PATTERNS)
        sea.maps.use(Sampler.MAPS)
        sea.filtered.use(Sampler.FILTERED)
        sea.foam.bind()
        self.slopes.use(Sampler.SLOPES)
        self.mesh.bind()
        if gather is not None:
            self.samples.reserve_packed()
        self.samples.bind()
        if buoy is not None:
            buoy.bind()
        # llvmpipe's anisotropic filter takes 80 times as long as a shader that takes several samples (TAPS).
        self._filter.anisotropy = 1 if self._software else settings.view.anisotropy
        self._filter.use(Sampler.FILTERED)
        for number, (first, end) in enumerate(self.samples.chunks):
            if gather is None:
                set_uniforms(lists[0], {"first_tile": first})
                lists[0].run(TILE * TILE // SHADED_AT_ONCE, end - first)
            else:
                set_uniforms(gather, {"first_tile": first, "chunk": number})
                dispatch(gather, 4 // unit * (end - first), barrier=BUFFERS_WRITTEN)
                for far_foam, shade in enumerate(lists):
                    set_uniforms(shade, {"chunk": number})
                    shade.run_indirect(self.samples.shading, 16 * (2 * number + far_foam))
            self.ctx.memory_barrier(IMAGES_WRITTEN)
        self._filter.clear(Sampler.FILTERED)
        self._gathers = gather is not None

    def resolve(self, image: moderngl.Texture, counts: bool = False) -> None:
        """Write the mean light of each pixel's samples, or the counts of `raster`, into the image's rows below
        `samples.top`; alpha is coverage."""
        self.samples.bind()
        image.bind_to_image(Image.HDR, read=False, write=True)
        chosen: dict[str, int | str] = {**Samples.defines, "COUNTS": int(counts), "FORMAT": FORMATS[image.dtype][0]}
        resolve = shader_library(self.ctx).compute("surface/resolve.comp", **chosen)
        dispatch(resolve, -(-image.width // 8), -(-self.samples.top // 16))

    def count_drawn(self) -> tuple[int, int, int]:
        """Return the numbers of chosen triangles, samples and shadings of the last frame, waiting for the GPU. With
        the hardware's raster each sample counts as a shading."""
        if not self.samples.shows_sea:
            return 0, 0, 0
        samples = self.samples.tiles * TILE * TILE
        return self.mesh.count_triangles(), samples, self.samples.count_shadings() if self._gathers else samples

    def _count_raster(self) -> Work:
        triangles, samples, _ = self.count_drawn()
        return Work(SAMPLE_BYTES * samples + self.mesh.vertex_bytes(), TRIANGLE_OPERATIONS * triangles)

    def _count_shading(self) -> Work:
        _, samples, shadings = self.count_drawn()
        moved = self.mesh.vertex_bytes() + 2 * SAMPLE_BYTES * samples + 2 * PACKED_BYTES * shadings
        return Work(moved, SAMPLE_OPERATIONS * samples + SHADING_OPERATIONS * shadings)

    def _count_resolve(self, width: int) -> Work:
        """Return the work of the last `resolve`, of RGBA16F pixels."""
        samples = self.samples.tiles * TILE * TILE
        return Work(2 * SAMPLE_BYTES * samples + 8 * width * self.samples.top, 4 * samples)

    def release(self) -> None:
        release_all(self.mesh, self.samples, self._steps, self._filter, self.slopes, self._foam_patterns)
