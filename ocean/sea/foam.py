"""The foam map on the GPU, and the rules by which foam forms.

Foam does not add over cascades, and it lives longer than a frame. It therefore has a map of its own, anchored to the
world: a toroidal clip map of square levels around the sea's origin, each twice as wide as the previous one. Red is all
foam, old and new; green is the water that breaks now. Blue and alpha are the roller that rides on it: a vector (east,
south) along which the crest runs, as long as the roller is thick [m].

The map holds half floats. Rounding them in each step would stall the decay of foam: at 240 frames a second a step fades
foam by a thousandth, as much as a half float's rounding. So the map holds foam times a gain, 2 to the power of the
current fraction of a half-life. The gain grows as foam fades, and what the map holds stays, except that it is halved at
the end of each half-life, which is exact. Foam is rounded only once, at its birth, by at most 2^-11 of its strength.
Half-lives count from the start of the sea's period; foam that is alive when a period ends is rounded once more.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Block, Image, Sampler
from ocean.gpu.context import labelled, release_all
from ocean.gpu.passes import Pass, dispatch
from ocean.gpu.shaders import UniformBlock, block_layout, shader_library
from ocean.sea.blend import Blend
from ocean.settings import FoamSettings, Settings
from ocean.waves import whitecaps
from ocean.waves.dispersion import DEFAULT_PERIOD
from ocean.waves.systems import WindRun
from ocean.waves.whitecaps import BIRTH_WIDTH, FOAM_CUTOFF, FRESH, LEAST_UNSHOWN, MOST_AIR, SURFACE_DRIFT, THICK, Births

FOAM_LEVELS = 8
FINEST_SIDE = 96.0  # m, side of the innermost level
GROUP = 8


class FoamMap:
    """The clip map: `levels` levels of `resolution` texels per side, the innermost `side` [m] wide."""

    def __init__(
        self, ctx: moderngl.Context, resolution: int, side: float = FINEST_SIDE, levels: int = FOAM_LEVELS
    ) -> None:
        self.ctx, self.resolution, self.side, self.levels = ctx, resolution, side, levels
        scars = {"CALMED": whitecaps.CALMED, "SCAR": whitecaps.SCAR, "LUMPS": whitecaps.LUMPS}
        self.defines: dict[str, Any] = {"FOAM_SIZE": resolution, "FOAM_LEVELS": levels, **scars}
        layout = block_layout("foam/map.glsl", "Foam", FOAM_LEVELS=levels)
        self._halves = [self._texture(), self._texture()]
        self.block = UniformBlock(ctx, "foam levels", Block.FOAM, layout)
        self._data = np.zeros(1, layout)
        self._data["foam_width"], self._data["foam_most"] = BIRTH_WIDTH, MOST_AIR
        self._data["foam_cutoff"] = FOAM_CUTOFF
        self._texels = side / resolution * 2.0 ** np.arange(levels)[:, None]  # m, texel of each level
        self._data["corners"][0, :, 2:3] = self._texels
        self._program = shader_library(ctx).compute("foam/advance.comp", **self.defines)
        self.texels = tuple(map(float, self._texels[:, 0]))  # texel [m] of each level
        self._windows: NDArray[np.int64] | None = None  # first world texel of each level, one step ago
        self._wind, self._breakers = WindRun(), WindRun()
        self.drift = 0.0, 0.0  # velocity (east, south) [m/s] of the map's texels
        self.judged = 0  # the outermost level whose texels resolve breaking
        self.age = 0.0  # time [s] since the rules of the foam changed: the mean over the texels of the level `judged`
        self._rules: object = None
        self._focus: tuple[float, float] | None = None  # focus of the block, if windows rested for a step
        self._births: Births | None = None  # rules in the uniform block
        self._time = 0.0  # s, of the last step
        self.gain = 1.0  # ratio of what the map holds in red to the strength of foam
        self._most = 0.0  # no texel has more air
        self._is_bare = False  # whether the map is known to have no foam

    def _texture(self) -> moderngl.TextureArray:
        texture = self.ctx.texture_array((self.resolution, self.resolution, self.levels), 4, dtype="f2")
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        return labelled("foam", texture)

    @property
    def texture(self) -> moderngl.TextureArray:
        return self._halves[0]

    def read(self) -> NDArray[np.float32]:
        """Return the map, (level, resolution, resolution, 4): all foam and active foam, both 0 to 1, and the roller's
        thickness (east, south) [m], indexed by the world texel (z, x) modulo the resolution."""
        held = np.frombuffer(self.texture.read(), np.float16)
        strengths = held.reshape(self.levels, self.resolution, self.resolution, 4).astype(np.float32)
        strengths[..., 0] = np.minimum(strengths[..., 0] / self.gain, 1.0)
        return strengths

    def window(self, level: int) -> tuple[int, ...]:
        """Return the first world texel (x, z) of a level's window; () before the first step."""
        return () if self._windows is None else tuple(self._windows[level].tolist())

    def reset(self) -> None:
        self._windows = self._rules = self._focus = None
        self._most = 0.0

    def prepare(
        self,
        focus: tuple[float, float],
        time: float,
        threshold: float,
        decay_time: float,
        births: Births,
        wind: tuple[float, float] = (0.0, 0.0),
        period: float = DEFAULT_PERIOD,
    ) -> None:
        """Move the windows to the focus, a world (x, z), and write the rules for the step to a time [s]. A wind (east,
        south) [m/s] carries the map, and so old foam; water breaks at its own place, and lumps in rollers run with
        breakers; without wind all stand still. The gain repeats after the sea's
        `period` [s], so that foam does, too."""
        east, south = self._wind.at(wind, time)
        run = self._breakers.at(whitecaps.breaker_velocity(births.spilled) if any(wind) else (0.0, 0.0), time)
        self._data["foam_tumbled"] = np.mod(np.subtract(focus, run) / whitecaps.LUMPS, 1.0)
        focus = focus[0] - SURFACE_DRIFT * east, focus[1] - SURFACE_DRIFT * south
        self.drift = SURFACE_DRIFT * wind[0], SURFACE_DRIFT * wind[1]
        step = 0.0 if self._windows is None else time - self._time
        if step < 0:
            self.reset()
        if births is not self._births:
            self._write_births(births)
        rules = threshold, decay_time, self.judged
        self.age = self.age + step if rules == self._rules else 0.0
        self._rules = rules
        if focus != self._focus:
            self._move(focus)
        half_life = decay_time * math.log(2)
        lost = 0.5 ** (max(step, 0.0) / half_life)
        gain = 2.0 ** (time % period / half_life % 1.0)
        kept = lost * gain / self.gain  # as float32 a power of two, unless tau has changed or the period has ended
        self._time, self.gain = time, gain
        self._data["foam_threshold"], self._data["foam_gain"], self._data["foam_kept"] = threshold, self.gain, kept
        self.block.write(self._data.tobytes())
        self._most = MOST_AIR if births.is_possible else lost * self._most
        is_bare = self._most <= FOAM_CUTOFF  # such foam counts as none
        if is_bare and not self._is_bare:
            self.texture.write(bytes(8 * self.levels * self.resolution**2))
        self._is_bare = is_bare

    def _move(self, focus: tuple[float, float]) -> None:
        first = np.floor(np.array(focus) / self._texels).astype(np.int64) - self.resolution // 2
        before = first if self._windows is None else self._windows
        for moved in (before[self.judged] - first[self.judged]).tolist():  # texels that have just entered hold no foam
            self.age *= max(1 - abs(moved) / self.resolution, 0.0)
        windows, corners = self._data["windows"][0], self._data["corners"][0]
        windows[:, :2], windows[:, 2:] = first, before
        corners[:, :2] = first * self._texels - focus
        corners[:, 3] = self._windows is not None
        self._focus = focus if self._windows is not None and (first == before).all() else None
        self._windows = first

    def _write_births(self, births: Births) -> None:
        self._births = births
        self.judged = max((i for i, unshown in enumerate(births.unshown) if not unshown), default=0)
        data = self._data[0]
        data["births"][:, 0], data["births"][:, 1] = births.texels, births.unshown
        bare = [math.sqrt(LEAST_UNSHOWN / unshown) if unshown else 1.0 for unshown in births.unshown]
        data["births"][:, 2] = bare
        data["foam_start"], data["foam_breaking"] = births.start, births.breaking
        data["foam_steepness"], data["foam_ripples"] = births.steepness, births.ripples
        data["foam_judged"] = self.judged
        data["foam_thinning"], data["foam_apart"] = births.thinning, births.apart
        data["foam_streaks"], data["foam_spilled"] = births.streaks, births.spilled
        data["foam_roller"] = whitecaps.roller(births.spilled)

    def bind(self) -> None:
        self.block.bind()
        self.texture.use(Sampler.FOAM)

    def advance_pass(self, maps: moderngl.TextureArray) -> Pass:
        """Return the pass of each prepared time step. It rests while there is no foam and none can form."""

        def run() -> None:
            past, future = self._halves
            self.block.bind()
            maps.use(Sampler.FILTERED)
            past.use(Sampler.FOAM)
            future.bind_to_image(Image.FOAM, read=False, write=True)
            dispatch(self._program, self.resolution // GROUP, self.resolution // GROUP, self.levels)
            self._halves.reverse()

        texels = self.levels * self.resolution**2
        words = "Adds foam where the surface folds, and fades the rest."
        return Pass("foam", run, 1, 2 * 8 * texels, words, "foam", is_needed=lambda: not self._is_bare)

    def release(self) -> None:
        release_all(*self._halves, self.block.buffer)


def foam_threshold(foam: FoamSettings, blend: Blend) -> float:
    """Return the Jacobian below which foam forms, so that old and new foam cover as much as whitecaps should."""
    coverage = blend.coverage(foam).whitecaps
    return whitecaps.foam_threshold(blend.places, blend.choppiness, coverage, foam.decay, whitecaps.BIRTH_WIDTH)


class FoamRules:
    """Cache of the threshold and the rules of a sea that may be blending."""

    def __init__(self) -> None:
        self._inputs: object = None
        self._found = 0.0, Births.everywhere(1.0, 1, 0.0)

    def of(self, settings: Settings, blend: Blend, texels: Sequence[float]) -> tuple[float, Births]:
        """Return the Jacobian below which foam forms, and the rules for levels with these texels [m], finest first."""
        inputs = blend, blend.progress, settings.foam
        if inputs != self._inputs:
            self._inputs = inputs
            threshold = foam_threshold(settings.foam, blend)
            self._found = threshold, _foam_births(settings, blend, texels, threshold)
        return self._found


def _foam_births(settings: Settings, blend: Blend, texels: Sequence[float], threshold: float) -> Births:
    choppiness, judged = blend.choppiness, blend.breaking_texel
    coverage, streaks = blend.coverage(settings.foam)
    strain = whitecaps.mean_variance(blend.places)
    if choppiness * strain == 0:
        return Births.everywhere(judged, len(texels), settings.sea.wind.direction, is_possible=False)
    larger = [texel for texel in texels if texel > math.sqrt(2) * judged]  # larger than the level nearest to `judged`
    unshown = [max(whitecaps.LEAST_UNSHOWN, 1 - blend.strain(texel) / strain) for texel in larger]
    rule = threshold, settings.foam.decay, whitecaps.BIRTH_WIDTH
    stronger = whitecaps.stronger_foam(blend.places, choppiness, *rule)
    thinning, left = whitecaps.foam_thinning(stronger, THICK / FRESH)
    ripples = whitecaps.ripples_around(stronger, streaks)
    active = whitecaps.active_coverage(blend.places, choppiness, threshold)
    shares = coverage, active, FRESH * left
    east, south = blend.mean_of(lambda sea: whitecaps.spilled(judged, sea.wind.direction))
    start, breaking, thick = (NormalDist().inv_cdf(min(max(share, 1e-12), 1 - 1e-12)) for share in shares)
    return Births(
        (judged,) * (len(texels) - len(larger)) + tuple(larger),
        (0.0,) * (len(texels) - len(larger)) + tuple(unshown),
        start,
        1 / (choppiness * math.sqrt(strain)),
        thinning,
        start - thick,
        breaking,
        ripples,
        (float(east), float(south)),
        (streaks, THICK * streaks),
        is_possible=coverage > 0,
    )
