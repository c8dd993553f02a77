"""The gauge: measures the running sea on the GPU, a little per frame, and compares it with its spectrum.

Twice a second, a frame sums the maps of all cascades, folds at random points, and the foam. Two such frames in a row
also copy the heights, from which numpy computes the variance along each wave vector. Answers are read some frames
later, after their fence has passed, so that no frame waits; answers hold for the time of the question. A thread does
all arithmetic beyond sums.
"""

import math
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import accumulate
from time import monotonic

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Sampler, Storage
from ocean.gpu.context import Fence, drain, labelled, readback_buffer, release_all
from ocean.gpu.passes import IMAGES_WRITTEN, Pass, needed, run_passes
from ocean.gpu.shaders import set_uniforms, shader_library
from ocean.sea.base import Query
from ocean.sea.blend import SeaSpectrum
from ocean.sea.nonlinear import Energies
from ocean.sea.sea import Sea
from ocean.validation.fronts import INTERVAL, Fronts
from ocean.validation.periodogram import SAMPLES, Moments, Periodogram, lossless_side
from ocean.validation.quantities import Predictions
from ocean.validation.record import WaveRecord
from ocean.validation.survey import Survey, make_periodogram, make_survey
from ocean.waves import statistics
from ocean.waves.amplitudes import band_shells
from ocean.waves.whitecaps import foam_memory

THREADS = 256  # invocations in a work group of a reduction
GROUPS = 64  # work groups that sum a map
SAMPLE_GROUPS = SAMPLES // THREADS  # work groups that sum folds
BLOCKS = 8  # squares along a side of the foam map, each with a sum
SUMS = 32  # bytes of a work group's sums
APART = 0.45  # s of the sea's time, minimum step between the two pictures of a periodogram
PAIRS = 2  # number of measurements between pairs of pictures
REFRESH = 0.5  # s, minimum time between two measurements
ALIGNMENT = 256  # bytes; OpenGL's largest alignment of offsets
CHUNK = 1 << 20  # maximum number of bytes read in a frame
RING = 4  # maximum number of pending answers
FINER = 1  # levels of the foam map from the one that just resolves breaking to the one with outlines of fronts


class _Answer(Fence):
    """A pending answer from the GPU: a copy of a buffer, and the function that takes its numbers."""

    def __init__(
        self, ctx: moderngl.Context, copy: moderngl.Buffer, take: Callable[[NDArray[np.float32]], None]
    ) -> None:
        super().__init__(ctx)
        self.copy, self.take = copy, take
        self._numbers = np.empty(copy.size // 4, "f4")
        self._read = 0  # bytes

    def poll(self) -> bool:
        """Read a piece if the GPU is done, without waiting. Return whether everything has been read."""
        if not self.passed:
            return False
        size = min(CHUNK, self.copy.size - self._read)
        self.copy.read_into(self._numbers, size, offset=self._read, write_offset=self._read)
        self._read += size
        if self._read < self.copy.size:
            return False
        self.take(self._numbers)
        return True


class WaveGauge:
    """A gauge of one running sea. `survey` is its last result, None before the first one."""

    def __init__(
        self, ctx: moderngl.Context, sea: Sea, refresh: float = REFRESH, clock: Callable[[], float] = monotonic
    ) -> None:
        self.ctx, self.sea = ctx, sea
        library = shader_library(ctx)
        self._sum_moments = library.compute("statistics/moments.comp")
        self._folds = library.compute("statistics/folds.comp")
        self._foam = library.compute("statistics/foam.comp", BLOCKS=BLOCKS)
        self._snapshot = library.compute("statistics/snapshot.comp")
        self._folds["samples"] = SAMPLES
        self._sums = labelled("gauge sums", ctx.buffer(reserve=4))
        self._heights = labelled("gauge heights", ctx.buffer(reserve=4))
        self._active = labelled("gauge fronts", ctx.buffer(reserve=4))
        self._spare: list[moderngl.Buffer] = []
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="gauge")
        self._answers: list[_Answer] = []
        self._spectrum: SeaSpectrum | None = None
        self.turns = 0  # measurements asked for so far
        self._level = 0.0  # half of Hs [m]
        self._sides: list[int] = []  # fewest texels per side that show all waves, by cascade
        self._places: list[int] = []  # aligned offsets of the cascades' pictures [bytes], and the end
        self._refresh, self._clock = refresh, clock
        self._place: tuple[float, float] | None = None
        self._heard: deque[Query] = deque()
        self._passes = (Pass("gauge", self._run, help="Measures the sea for Sea truth.", is_needed=self._has_sea),)
        self._forget()

    @property
    def passes(self) -> tuple[Pass, ...]:
        return needed(self._passes)

    def _has_sea(self) -> bool:
        """Return whether there is a sea to measure, or one that has just begun to turn into another."""
        return self.sea.spectrum is not None or self._spectrum is not None

    def _forget(self) -> None:
        """Drop all answers and results, because another sea begins."""
        for answer in self._answers:
            answer.release()
            answer.copy.release()
        release_all(*self._spare)
        self._answers.clear()
        self._spare.clear()
        self._heard.clear()
        self.record = WaveRecord()  # waves at the point of `listen`
        self._predictions: Future[Predictions] | None = None
        self._pending: Future[Survey] | None = None
        self._transform: Future[Periodogram] | None = None
        self.survey: Survey | None = None
        self.energies: Energies | None = None
        """Energies of nonlinear waves; None for linear waves, and before the first measurement."""
        self._asked = self._pictured = -math.inf  # times of the last questions
        self.time = 0.0  # time of the sea [s] of the last measurement
        self.moments: Moments | None = None  # moments of the last measurement
        self.fronts: Fronts | None = None  # lengths of breaking fronts since the sea began; None without a wind sea
        self._adding: Future[None] | None = None
        self._watched: tuple[float, object] | None = None  # time and window of the first field of a pair
        self._fields: list[NDArray[np.float32]] = []  # active foam, of a pair
        self._is_new = False  # whether `moments` has no survey yet
        self.foam_squares: NDArray[np.float64] | None = None
        """Mean foam of squares of the map in the last measurement; None while the foam is too young."""
        self._periodogram: Periodogram | None = None
        self._pictures: list[tuple[float, dict[int, NDArray[np.float32]]]] = []

    def listen(self, place: tuple[float, float]) -> None:
        """Record the waves at a point of the world [m], in each frame from now on."""
        if place != self._place:
            self._place, self.record = place, WaveRecord()
            self._heard.clear()

    # -- Frame by frame ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        spectrum = self.sea.spectrum
        if spectrum is not self._spectrum:
            self._spectrum = spectrum
            self._forget()
            if spectrum is not None:
                self._predictions = self._worker.submit(Predictions, spectrum)
                self.fronts = Fronts.of(spectrum.settings.sea.systems)
                self._level = statistics.predicted_height(spectrum.settings.sea.systems) / 2
                self._sums.orphan(SUMS * (GROUPS * len(spectrum.keys) + 2 * SAMPLE_GROUPS + BLOCKS**2))
                self._sides = [lossless_side(key.size, band_shells(key.tile, key.size)) for key in spectrum.keys]
                sizes = (-(-4 * side**2 // ALIGNMENT) * ALIGNMENT for side in self._sides)
                self._places = [0, *accumulate(sizes)]
                self._heights.orphan(self._places[-1])
                copied = *[self._sums] * RING, self._heights
                self._spare = [readback_buffer(self.ctx, buffer.size) for buffer in copied]
        if spectrum is None:
            return
        self._listen()
        self.collect()
        now = self._clock()
        self._watch_fronts(begins=now - self._asked >= self._refresh)
        if now - self._asked < self._refresh or len(self._answers) >= RING:  # the GPU is far behind
            return
        self._asked = now
        self.sea.block.bind()
        self.sea.maps.use(Sampler.MAPS)
        self._add_up(len(spectrum.keys))
        self._ask_energy()
        if self._wants_picture(now):
            self._pictured = now
            self._take_picture()

    def _listen(self) -> None:
        """Take the heights that have arrived, and ask for the next one."""
        while self._heard and self._heard[0].ready:
            query = self._heard.popleft()
            sample = query.result()
            if sample.converged[0]:
                self.record.add(query.time, float(sample.height[0]))
        if self._place is not None and len(self._heard) < RING:
            x, z = self._place
            self._heard.append(self.sea.query([x], [z], velocity=False))

    def _watch_fronts(self, begins: bool) -> None:
        """Ask for the active foam of a level of its map: for the first field of a pair if one `begins`, and for the
        second one after INTERVAL. A pair is dropped when the sea's time leaps or the map's window moves."""
        foam, time = self.sea.foam, self.sea.time
        level, side = max(foam.judged - FINER, 0), foam.resolution
        window = level, side, foam.window(level)
        if len(self._answers) >= RING:
            return
        if self._watched is not None:
            apart = time - self._watched[0]
            if 0 <= apart < INTERVAL:
                return
            is_pair = INTERVAL <= apart < 2 * INTERVAL and window == self._watched[1]
            self._watched = None
            if not is_pair:
                return
        elif begins and self.fronts is not None and (self._adding is None or self._adding.done()):
            apart, self._fields, self._watched = 0.0, [], (time, window)
        else:
            return
        fronts, fields, texel, drift = self.fronts, self._fields, foam.texels[level], foam.drift

        def take(numbers: NDArray[np.float32]) -> None:
            fields.append(numbers.reshape(side, side))
            if len(fields) == 2 and fronts is not None:
                self._adding = self._worker.submit(fronts.add, fields[0], fields[1], texel, apart, drift)

        if self._active.size != 4 * side**2:
            self._active.orphan(4 * side**2)
        copy = shader_library(self.ctx).compute("statistics/active.comp", **foam.defines)
        set_uniforms(copy, {"level": level})
        foam.bind()
        self._active.bind_to_storage_buffer(Storage.SINK)
        copy.run(side // 8, side // 8)
        self._ask(self._active, take)

    def _add_up(self, count: int) -> None:
        """Ask for all sums: of the maps of `count` cascades, of folds, and of foam once it is old enough."""
        settings, foam, time = self.sea.settings, self.sea.foam, self.sea.time
        foam_is_old = foam.age > foam_memory(settings.foam.decay)
        square = (foam.resolution // BLOCKS) ** 2

        def take(numbers: NDArray[np.float32]) -> None:
            maps, folds, squares = np.split(numbers.reshape(-1, 8), ends)
            each = maps.reshape(count, GROUPS, 8).sum(axis=1, dtype="f8") / self.sea.size**2
            points = folds.reshape(2, -1, 8).sum(axis=1, dtype="f8") / SAMPLES
            self.moments = Moments(each[:, :4], each[:, 4:7], points[0, :5], points[1, :6])
            self.foam_squares = squares[:, 0].astype("f8") / square if foam_is_old else None
            self.time, self._is_new = time, True

        self.turns += 1
        set_uniforms(self._folds, {"turn": self.turns, "level": self._level})
        set_uniforms(self._foam, {"level": foam.judged, "gain": foam.gain})
        foam.texture.use(Sampler.FOAM)
        steps = (self._sum_moments, GROUPS * count, 1), (self._folds, SAMPLE_GROUPS, 2), (self._foam, BLOCKS**2, 1)
        ends = list(accumulate(groups * sums for _, groups, sums in steps[:2]))
        for (program, groups, sums), first in zip(steps, (0, *ends), strict=True):
            self._sums.bind_to_storage_buffer(Storage.SINK, SUMS * first, SUMS * groups * sums)
            program.run(groups)
        self._ask(self._sums, take)

    def _ask_energy(self) -> None:
        if len(self.sea.solved.waves) != 1:
            return
        waves = self.sea.solved.waves[0]

        def take(numbers: NDArray[np.float32]) -> None:
            self.energies = waves.energies(numbers)

        copy = self._copy_of(waves.energy_bytes)
        waves.copy_energy(copy)
        self._answers.append(_Answer(self.ctx, copy, take))

    # -- Pictures ----------------------------------------------------------------------------------------------------

    def _wants_picture(self, now: float) -> bool:
        if len(self._pictures) == 1:
            return abs(self.sea.time - self._pictures[0][0]) >= APART
        return not self._pictures and self._transform is None and now - self._pictured >= PAIRS * self._refresh

    def _take_picture(self) -> None:
        sides = list(zip(self._sides, self._places, strict=False))

        def take(numbers: NDArray[np.float32]) -> None:
            for index, (side, place) in enumerate(sides):
                picture[index] = numbers[place // 4 :][: side * side].reshape(side, side)

        picture: dict[int, NDArray[np.float32]] = {}
        self._pictures.append((self.sea.time, picture))
        for index, (side, place) in enumerate(sides):
            set_uniforms(self._snapshot, {"cascade": index, "stride": self.sea.size // side})
            self._heights.bind_to_storage_buffer(Storage.SINK, place, 4 * side * side)
            self._snapshot.run(-(-side // 8), -(-side // 8))
        self._ask(self._heights, take)

    # -- Answers -----------------------------------------------------------------------------------------------------

    def _ask(self, buffer: moderngl.Buffer, take: Callable[[NDArray[np.float32]], None]) -> None:
        """Call `take` with the contents of a buffer once they have arrived."""
        self.ctx.memory_barrier(IMAGES_WRITTEN)  # the maps are written again
        copy = self._copy_of(buffer.size)
        self.ctx.copy_buffer(copy, buffer, buffer.size)
        self._answers.append(_Answer(self.ctx, copy, take))

    def _copy_of(self, size: int) -> moderngl.Buffer:
        """Return a buffer of this size [bytes] that the CPU reads fast."""
        copy = next((spare for spare in self._spare if spare.size == size), None)
        if copy is None:
            return readback_buffer(self.ctx, size)
        self._spare.remove(copy)
        return copy

    def collect(self) -> None:
        """Take the answers that have arrived, and hand them to the thread. Never waits."""
        while self._answers and self._answers[0].poll():
            self._spare.append(self._answers.pop(0).copy)
        if self._spectrum is None or self._predictions is None or not self._predictions.done():
            return
        predictions = self._predictions.result()
        if self._transform is not None and self._transform.done():
            self._periodogram, self._transform = self._transform.result(), None
            self._pictures.clear()
        count = len(self._spectrum.keys)
        if len(self._pictures) == 2 and self._transform is None and all(len(p) == count for _, p in self._pictures):
            self._transform = self._worker.submit(make_periodogram, predictions, *self._pictures)
        if self._pending is not None and self._pending.done():
            self.survey, self._pending = self._pending.result(), None
        if self._pending is None and self.moments is not None and self._is_new:
            self._is_new = False
            job = partial(make_survey, self.time, predictions, self._spectrum, self.sea.settings, self.moments)
            self._pending = self._worker.submit(job, self._periodogram, self.foam_squares, self.sea.foam.resolution**2)

    def wait(self) -> None:
        """Wait for all answers and their results."""
        drain(self.ctx)
        if self._predictions is not None:
            self._predictions.result()
        while self._answers:
            self.collect()
        for job in (self._predictions, self._transform, self._pending, self._adding):
            if job is not None:
                job.result()
        self.collect()

    def release(self) -> None:
        self._forget()
        self._worker.shutdown(cancel_futures=True)
        release_all(self._sums, self._heights, self._active)


def measure(ctx: moderngl.Context, sea: Sea, start: float, step: float, focus: tuple[float, float] = (0, 0)) -> Survey:
    """Run a settled sea on from a time in steps [s] until everything is measured; foam only if it is old enough at
    the end. Waits for every answer, so that equal seas and times give equal surveys."""
    gauge, time = WaveGauge(ctx, sea, refresh=0.0), start

    def lacks_foam(survey: Survey) -> bool:
        is_old = sea.foam.age > foam_memory(sea.settings.foam.decay)
        return is_old and any(row.measured is None for row in survey.quantities)

    try:
        while gauge.survey is None or not gauge.survey.is_complete or lacks_foam(gauge.survey):
            time += step
            sea.begin(time, focus)
            run_passes(ctx, (*sea.passes, *gauge.passes))
            gauge.wait()
        return replace(gauge.survey, energies=gauge.energies, fronts=gauge.fronts)
    finally:
        gauge.release()
