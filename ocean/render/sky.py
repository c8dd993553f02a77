"""Sun, air and clouds on the GPU: noise of the clouds, and tables of light that follow changes of their inputs.

The environment is the sky as the water sees it, and the light block holds integrals over it. Shaders include
`sky/radiance.glsl` to read them; `SkyLight.bind` binds them. The reference implementations are
`tests/reference/atmosphere.py` for the tables and `ocean/light/clouds.py` for the clouds.
"""

import math
from functools import cached_property
from typing import NamedTuple

import moderngl
import numpy as np

from ocean.common.pictures import Picture
from ocean.gpu.bindings import Block, Image, Sampler, Storage
from ocean.gpu.context import clamped, labelled, release_all
from ocean.gpu.mips import allocate_levels
from ocean.gpu.passes import Pass, dispatch, run_passes
from ocean.gpu.shaders import UniformBlock, block_layout, set_uniforms, shader_library
from ocean.light import optics
from ocean.light.clouds import EXTINCTION, THICKNESS, Deck, cloud_field, deck
from ocean.light.optics import Air, Array, Seawater
from ocean.light.panorama import Panorama, without_sun
from ocean.render.camera import direction, eye_height
from ocean.settings import Settings
from ocean.waves.systems import WindRun, unit

Vector = tuple[float, float]
GROUP = 8
NOISE, BILLOWS = 512, 64  # texels along a side of the 2D and the 3D texture, of equal totals
NOWHERE = 2.0  # a threshold above all values of the field
OVERCAST = 0.2  # distance of the threshold below all values, at which clouds are thick everywhere


class CloudField:
    """Noise of the clouds, computed at its first use, and its drift with the wind."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self._plane = labelled("cloud noise", ctx.texture((NOISE, NOISE), 4, dtype="nu2"))
        self._billows = labelled("cloud billows", ctx.texture3d((BILLOWS,) * 3, 1))
        self.textures = self._plane, self._billows
        self.wind = WindRun()
        self._known_deck: tuple[object, Deck] = None, Deck()

    @cached_property
    def noise(self) -> Array:
        """The periodic 2D noise (rows, columns, 4), which covers the unit square."""
        self._plane.bind_to_image(Image.SKY, read=False, write=True)
        self._billows.bind_to_image(Image.CLOUDS, read=False, write=True)
        shader_library(self.ctx).compute("sky/cloud_noise.comp").run(NOISE // GROUP, NOISE // GROUP, 1)
        self.ctx.memory_barrier()
        # NVIDIA's driver (580) crashes when it builds mip levels of a 3D texture that is still bound as an image.
        self._plane.bind_to_image(Image.CLOUDS)
        for texture in self.textures:
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return np.frombuffer(self._plane.read(), "u2").reshape(NOISE, NOISE, 4) / np.float32(65535)

    @cached_property
    def _values(self) -> Array:
        """Sorted samples of the field."""
        return np.sort(cloud_field(self.noise, np.random.default_rng(0).uniform(0, 1e7, (40_000, 2)))[0])

    def threshold(self, coverage: float) -> float:
        """Return the value that the field exceeds over this fraction of the sky."""
        if coverage == 0:
            return NOWHERE
        if coverage == 1:
            return float(self._values[0]) - OVERCAST
        return float(self._values[round((1 - coverage) * (len(self._values) - 1))])

    def deck(self, coverage: float, veil: float, up: float) -> Deck:
        """Return the transmittance of clouds of this coverage and a veil of this greatest optical depth. `up` is the
        sine of the sun's elevation."""
        wanted = coverage, veil, up
        if self._known_deck[0] != wanted:
            clear = coverage == veil == 0
            self._known_deck = wanted, Deck() if clear else deck(self.noise, self.threshold(coverage), up, veil)
        return self._known_deck[1]

    def bind(self) -> None:
        self._plane.use(Sampler.CLOUDS)
        self._billows.use(Sampler.BILLOWS)

    def release(self) -> None:
        release_all(*self.textures)


TRANSMITTANCE, MULTIPLE, SKY_VIEW, AERIAL = (256, 64), (48, 16), (64, 96), (32, 48)
MOMENTS = 6  # moments of scattered light
CORRECTIONS = 2  # orders of scattering computed after the geometric series
ENVIRONMENT, SHADOW = 128, 512  # texels along a side of each texture
SKY_OF_EYE, SKY_OF_SEA, SKY_LAYERS = 0, 5, 10  # layers of sky_view, as in shaders/sky/sky_view.glsl
RAYS_OF_AERIAL = -1  # AERIAL in shaders/sky/aerial.glsl
HEIGHT_STEP = 25.0  # m: step of the eye's height at which the tables are computed again
CLOUD_SPEED = 1.4  # speed of clouds over the wind at 10 m
CARRIED_STEP = 16.0  # m: step of the clouds in environment and shadows, half a texel of both
SKY_BLOCK = block_layout("sky/air.glsl", "Sky")
METERING = {"manual": 0.0, "matrix": 1.0, "automatic": 2.0}
HELD = 3.0  # value of `metering` in sky/air.glsl for a held exposure


class Inputs(NamedTuple):
    """Inputs of each table, which is computed again after its inputs have changed."""

    air: Air | None = None  # transmittance and multiple scattering
    light: tuple[object, ...] = ()  # the sky from the sea
    sky: tuple[object, ...] = ()  # the sky and the air from the eye
    environment: tuple[object, ...] = ()  # environment and shadows of clouds


class SkyLight:
    """Tables and environment of the sky, with the passes that update them."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        library = shader_library(ctx)
        self.block = UniformBlock(ctx, "sky", Block.SKY, SKY_BLOCK)
        self.light = labelled("sky light", ctx.buffer(np.zeros((8, 4), "f4").tobytes()))
        self.transmittance = clamped("transmittance", ctx.texture(TRANSMITTANCE, 4, dtype="f4"))
        self.multiple = self._layers("multiple", MULTIPLE, MOMENTS)
        self._before = self._layers("multiple before", MULTIPLE, MOMENTS)
        self.sky_view = self._layers("sky view", SKY_VIEW, SKY_LAYERS)
        self.aerial = self._layers("aerial", AERIAL, 3)
        self.environment = self._layers("environment", (ENVIRONMENT, ENVIRONMENT), 1)
        allocate_levels(ctx, self.environment)
        self.environment.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.shadow = clamped("shadow", ctx.texture((SHADOW, SHADOW), 1, dtype="f4"))
        self.clouds = CloudField(ctx)
        self._picture = labelled("panorama", ctx.texture((1, 1), 4, dtype="f4"))
        self._panorama: Panorama | None = None
        self._clear, self._sums = library.compute("sky/light.comp", CLEAR=1), library.compute("sky/light.comp")
        self._is_cloudy = self._is_held = False
        self.wind_run = 0.0, 0.0  # m, east and south: distance that the wind has blown at the last prepared time
        self.air, self.sun = Air(), (0.0, 1.0, 0.0)  # of the last prepared frame; `sun` is a unit vector
        self._made, self._wanted = Inputs(), Inputs()
        self._key: tuple[object, ...] = ()
        self.lit: tuple[object, ...] = ()  # inputs of the clear sky at the sea and of the light of clouds
        self.drift = 0.0, 0.0  # m, east and south: position of the eye in the clouds
        self._data = np.zeros((), SKY_BLOCK)

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of the prepared frame: most frames keep the tables."""
        words = "Draws the sky that water reflects."
        around = Pass("environment", self._make_environment, help=words, debug_view="light-sky")
        if self._made[:3] == self._wanted[:3]:
            return (around,)
        words = "Computes the light that the air scatters."
        return Pass("sky tables", self._make_tables, help=words, debug_view="light-sky"), around

    def _layers(self, label: str, size: tuple[int, int], layers: int) -> moderngl.TextureArray:
        return clamped(label, self.ctx.texture_array((*size, layers), 4, dtype="f4"))

    def prepare(self, settings: Settings, time: float, elapsed: float) -> None:
        """Prepare a frame at a time of the sea [s]; automatic exposure adapts for `elapsed` seconds."""
        view, wind = settings.view, settings.sea.wind
        key = settings.sky, settings.water, wind, self._is_held
        if key != self._key:
            self._key = key
            self._take_sky(settings)
        self.wind_run = x, z = self.clouds.wind.at(settings.sea.carrying_wind, time)
        self.drift = drift = view.x - CLOUD_SPEED * x, view.z - CLOUD_SPEED * z
        carried = 0.0, 0.0
        if self._is_cloudy:
            carried = CARRIED_STEP * round(drift[0] / CARRIED_STEP), CARRIED_STEP * round(drift[1] / CARRIED_STEP)
        height = HEIGHT_STEP * round(max(eye_height(view), 0.0) / HEIGHT_STEP)
        block = self._data
        block["drift"], block["carried"] = drift, carried
        block["table_height"], block["dip"] = height, -math.acos(optics.EARTH_RADIUS / (optics.EARTH_RADIUS + height))
        adaptation = settings.sky.drawn.adaptation
        block["adaptation"] = 1.0 if adaptation == 0 else 1 - math.exp(-max(elapsed, 0.0) / adaptation)
        self.block.write(block.tobytes())
        set_uniforms(self._sums, {"ahead": tuple(direction(view).tolist())})
        self._wanted = Inputs(self.air, self.lit, (self.lit, height), (self.lit, *carried))

    def _take_sky(self, settings: Settings) -> None:
        """Compute the part of the block that depends only on sky, water and wind."""
        sky, wind = settings.sky.drawn, settings.sea.wind
        self._load(sky.picture)
        self.air = air = Air(sky.turbidity, sky.haze, max(wind.speed, optics.SPRAY_FROM))
        if self._panorama:
            x, y, z = self._panorama.sun
            turn = math.radians(sky.panorama_heading)
            self.sun = x * math.cos(turn) - z * math.sin(turn), y, x * math.sin(turn) + z * math.cos(turn)
        else:
            elevation, (x, z) = math.radians(sky.sun_elevation), unit(sky.sun_azimuth)
            self.sun = x * math.cos(elevation), math.sin(elevation), z * math.cos(elevation)
        block = self._data = np.zeros((), SKY_BLOCK)
        block["rayleigh"], block["aerosol"] = air.rayleigh(), air.aerosol()
        block["salt"], block["ozone"] = air.salt(), air.ozone()
        block["solar"] = optics.SOLAR_IRRADIANCE
        block["to_rgb"][:, :3] = optics.FOUR_TO_RGB.T
        block["sun_direction"][:3] = self.sun
        block["clouds"] = self.clouds.threshold(sky.clouds), sky.cloud_base, THICKNESS, EXTINCTION
        passed = self.clouds.deck(sky.clouds, sky.veil, self.sun[1])
        block["deck"] = *passed, sky.veil
        water = Seawater(settings.water.chlorophyll)
        block["water_albedo"][:3] = water.albedo()
        block["water_extinction"][:3] = water.extinction()
        block["water_scattering"][:3] = water.scattering()
        block["water_molecules"], block["water_particles"] = optics.MOLECULES, water.particles()
        block["water_attenuation"], block["water_beam"] = water.attenuation(), water.beam_attenuation()
        block["water_fading"] = water.fading()
        block["panorama"] = self._panorama is not None
        block["turn"] = sky.panorama_heading / 360
        block["gain"] = 2.0**sky.exposure
        block["metering"] = HELD if self._is_held else METERING[sky.metering]
        set_uniforms(self._sums, {"picture_sun": (0.0, 0.0, 0.0, sky.clouds)})
        if self._panorama:
            set_uniforms(self._clear, {"picture_sun": (*self._panorama.irradiance, 0.0)})
        self._is_cloudy = sky.clouds > 0 or sky.veil > 0
        picture = sky.picture, sky.panorama_heading
        self.lit = air, self.sun, picture, sky.cloud_base, sky.clouds, sky.veil

    def hold_exposure(self, settings: Settings, time: float) -> None:
        """Meter the light at a time of the sea [s] and keep this exposure."""
        self._is_held = False
        self.prepare(settings, time, 0.0)
        run_passes(self.ctx, self.passes)
        self._is_held = True

    def _load(self, light: Picture | None) -> None:
        panorama = without_sun(light) if light else None
        if panorama is self._panorama:
            return
        self._panorama = panorama
        self._picture.release()
        picture = panorama.picture if panorama else np.zeros((1, 1, 3), "f4")
        size = picture.shape[1], picture.shape[0]
        self._picture = labelled("panorama", self.ctx.texture(size, 3, picture.tobytes(), dtype="f4"))
        self._picture.build_mipmaps()
        self._picture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._picture.repeat_y = False

    def bind(self) -> None:
        """Bind all inputs of `sky/radiance.glsl`."""
        self.block.bind()
        self.light.bind_to_uniform_block(Block.LIGHT)
        self.transmittance.use(Sampler.TRANSMITTANCE)
        self.multiple.use(Sampler.MULTIPLE)
        self.sky_view.use(Sampler.SKY_VIEW)
        self.aerial.use(Sampler.AERIAL)
        self.environment.use(Sampler.ENVIRONMENT)
        self.clouds.bind()
        self._picture.use(Sampler.PANORAMA)
        self.shadow.use(Sampler.SHADOW)

    # -- Passes ------------------------------------------------------------------------------------------------------

    def _make_tables(self) -> None:
        made, wanted = self._made, self._wanted
        self.bind()
        self.light.bind_to_storage_buffer(Storage.LIGHT)
        if wanted.air != made.air:
            self._dispatch("transmittance", self.transmittance)
            self.scatter()
        if wanted.light != made.light:  # at sea level, independent of the eye
            self._follow_rays(SKY_OF_SEA, clear=True)
            dispatch(self._clear, 1)
            if self._is_cloudy:
                self._follow_rays(SKY_OF_SEA)
        if wanted.sky != made.sky:
            self._follow_rays(SKY_OF_EYE)
            self._follow_rays(RAYS_OF_AERIAL)
        self._made = wanted._replace(environment=made.environment)

    def _make_environment(self) -> None:
        self.bind()
        self.light.bind_to_storage_buffer(Storage.LIGHT)
        if self._wanted.environment != self._made.environment:
            chosen = {"CLOUDY": int(self._is_cloudy), "PANORAMA": int(self._panorama is not None)}
            self._dispatch("environment", self.environment, **chosen)
            if self._is_cloudy:
                self._dispatch("shadow", self.shadow)
            else:
                self.shadow.write(np.ones((SHADOW, SHADOW), "f4").tobytes())
            self._make_lobes()
            self._made = self._made._replace(environment=self._wanted.environment)
        dispatch(self._sums, 1)

    def scatter(self) -> None:
        """Compute multiple scattering; each order after the first reads the table of the previous order."""
        for order in range(CORRECTIONS + 1):
            self.multiple, self._before = self._before, self.multiple
            self._before.use(Sampler.MULTIPLE)
            set_uniforms(self._program("multiple_scattering"), {"first": order == 0})
            self._dispatch("multiple_scattering", self.multiple)
        self.multiple.use(Sampler.MULTIPLE)

    def _follow_rays(self, rays: int, clear: bool = False) -> None:
        set_uniforms(self._program("rays"), {"rays": rays, "clear": clear})
        if rays == RAYS_OF_AERIAL:
            self._dispatch("rays", self.aerial)
        else:
            self._dispatch("rays", self.sky_view, 2)

    def _program(self, name: str, **defines: int) -> moderngl.ComputeShader:
        return shader_library(self.ctx).compute(f"sky/{name}.comp", **defines)

    def _dispatch(
        self, name: str, target: moderngl.Texture | moderngl.TextureArray, depth: int = 1, **defines: int
    ) -> None:
        target.bind_to_image(Image.SKY, read=False, write=True)
        dispatch(self._program(name, **defines), -(-target.width // GROUP), -(-target.height // GROUP), depth)

    def _make_lobes(self) -> None:
        """Compute the environment's mip levels, each a mean over wider lobes than the previous level."""
        program = self._program("lobes")
        for level in range(1, ENVIRONMENT.bit_length()):
            self.environment.bind_to_image(Image.MIP_SOURCE, read=True, write=False, level=level - 1)
            self.environment.bind_to_image(Image.MIP_1, read=False, write=True, level=level)
            set_uniforms(program, {"first": level == 1})
            groups = -(-(ENVIRONMENT >> level) // GROUP)
            dispatch(program, groups, groups)

    def release(self) -> None:
        release_all(self.transmittance, self.multiple, self._before, self.sky_view, self.aerial, self.environment)
        release_all(self.shadow, self._picture, self.block, self.light, self.clouds)
