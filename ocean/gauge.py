"""The gauge: measures the running sea on the GPU, a little in each frame, and holds it against its spectrum.

In one frame of three it adds up one cascade's maps, or the folds at random points and the foam; twice, half a second
apart, it takes the heights from which numpy tells what runs along each wave vector. Answers are read some frames later,
once their fence has passed, so that no frame waits; they belong to the time they were asked at. All arithmetic beyond
sums is done in a thread.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from time import monotonic

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Sampler, Storage
from ocean.gpu.context import labelled, readback_buffer, release_all
from ocean.gpu.fences import Fence
from ocean.gpu.passes import Frame, Pass, run_passes
from ocean.gpu.shaders import shader_library
from ocean.gpu.uniforms import set_uniforms
from ocean.simulation import Sea
from ocean.spectrum import SeaSpectrum
from ocean.survey import Survey, make_periodogram, make_survey, make_truth
from ocean.waves.amplitudes import band_shells
from ocean.waves.lattice import lossless_side
from ocean.waves.moments import SAMPLES, Moments
from ocean.waves.periodogram import Periodogram
from ocean.waves.truth import Truth

THREADS = 256  # of a work group of a reduction
GROUPS = 64  # that add up a map
BLOCKS = 8  # squares along a side of the foam map that are added up by themselves
EVERY = 3  # frames of which one measures: at 60 a second three cascades are through four times a second
APART = 0.5  # s between the two pictures of a periodogram
REFRESH = 0.25  # s between two surveys at the least
ALIGNMENT = 256  # bytes; what OpenGL asks of offsets at the most
CHUNK = 1 << 20  # bytes read in a frame
RING = 8  # answers under way beyond which nothing more is asked
FOAM_MEMORY = 5  # decay times after which a foam map has forgotten how it began


class _Answer:
    """Numbers on their way from the GPU: a copy of a buffer, a fence, and who takes them."""

    def __init__(self, ctx: moderngl.Context, copy: moderngl.Buffer, size: int, take: Callable[[bytes], None]) -> None:
        self.copy, self.size, self.take = copy, size, take
        self._fence = Fence(ctx)
        self._parts: list[bytes] = []
        self._read = 0

    def poll(self) -> bool:
        """Read a piece if the GPU is done; True once all has been taken. Never waits."""
        if not self._fence.passed:
            return False
        piece = self.copy.read(min(CHUNK, self.size - self._read), offset=self._read)
        self._parts.append(piece)
        self._read += len(piece)
        if self._read < self.size:
            return False
        self.take(b"".join(self._parts))
        return True

    def release(self) -> None:
        self._fence.release()


class WaveGauge:
    """Measures one sea as it runs. `survey` is what has been found, None until the first of it."""

    def __init__(self, ctx: moderngl.Context, sea: Sea, refresh: float = REFRESH, every: int = EVERY) -> None:
        self.ctx, self.sea = ctx, sea
        library = shader_library(ctx)
        self._moments = library.compute("statistics/moments.comp")
        self._folds = library.compute("statistics/folds.comp")
        self._foam = library.compute("statistics/foam.comp", BLOCKS=BLOCKS)
        self._snapshot = library.compute("statistics/snapshot.comp")
        self._folds["samples"] = SAMPLES
        self._sums = labelled("gauge sums", ctx.buffer(reserve=32 * SAMPLES // THREADS))
        self._heights = labelled("gauge heights", ctx.buffer(reserve=4))
        self._spare: list[moderngl.Buffer] = []
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="gauge")
        self._answers: list[_Answer] = []
        self._spectrum: SeaSpectrum | None = None
        self._turn = 0
        self._refresh = refresh
        self._every, self._frame = every, 0
        self._forget()

    @property
    def passes(self) -> tuple[Pass, ...]:
        """To run after the sea's own."""
        return (Pass("gauge", self._run, 1, 32 * self.sea.textures.size**2),)

    def _forget(self) -> None:
        """Nothing is known of the sea that begins now."""
        for answer in self._answers:
            answer.release()
            self._spare.append(answer.copy)
        self._answers.clear()
        self._truth: Future[Truth] | None = None
        self._pending: Future[Survey] | None = None
        self._transform: Future[Periodogram] | None = None
        self.survey: Survey | None = None
        self._surveyed = 0.0
        self._step = 0
        self._time = 0.0
        self._height_sums: dict[int, NDArray[np.float64]] = {}
        self._found: Moments | None = None
        self._squares: NDArray[np.float64] | None = None
        self._periodogram: Periodogram | None = None
        self._pictures: list[tuple[float, dict[int, NDArray[np.float32]]]] = []

    # -- Frame by frame ----------------------------------------------------------------------------------------------

    def _run(self, frame: Frame) -> None:
        spectrum = self.sea.spectrum
        if spectrum is not self._spectrum:
            self._spectrum = spectrum
            self._forget()
            if spectrum is not None:
                self._truth = self._worker.submit(make_truth, spectrum)
                self._heights.orphan(sum(map(self._picture_bytes, range(len(spectrum.keys)))))
        self._frame += 1
        if spectrum is None or self._frame % self._every:
            return
        self.collect()
        if len(self._answers) >= RING:  # the GPU is far behind
            return
        self.sea.bind()
        self.sea.maps.use(Sampler.MAPS)
        count = len(spectrum.keys)
        index = self._step % (count + 2)
        if index < count:
            self._sum_maps(index)
        elif index == count:
            self._sum_folds(frame)
        else:
            self._sum_foam()
        self._step += 1
        if self._transform is None and (not self._pictures or self._is_apart(frame)) and len(self._pictures) < 2:
            self._take_picture(frame, count)

    def _sum_maps(self, index: int) -> None:
        def take(data: bytes) -> None:
            self._height_sums[index] = summed(data) / self.sea.textures.size**2

        set_uniforms(self._moments, {"cascade": index})
        self._ask(self._moments, self._sums, (GROUPS, 1), 32 * GROUPS, take)

    def _sum_folds(self, frame: Frame) -> None:
        def take(data: bytes) -> None:
            if self._spectrum is None or len(self._height_sums) < len(self._spectrum.keys):
                return
            each = np.stack([self._height_sums[i] for i in range(len(self._spectrum.keys))])
            self._found = Moments(each[:, :4], each[:, 4:7], summed(data)[:5] / SAMPLES, SAMPLES)
            self._time = asked

        asked = frame.time
        self._turn += 1
        set_uniforms(self._folds, {"turn": self._turn})
        self._ask(self._folds, self._sums, (SAMPLES // THREADS, 1), 32 * SAMPLES // THREADS, take)

    def _sum_foam(self) -> None:
        settings, foam = self.sea.settings, self.sea.foam
        if foam.age <= FOAM_MEMORY * settings.foam.decay:
            self._squares = None
            return
        square = (foam.resolution // BLOCKS) ** 2

        def take(data: bytes) -> None:
            self._squares = np.frombuffer(data, "f4").reshape(-1, 8)[:, 0].astype("f8") / square

        foam.texture.use(Sampler.FOAM)
        self._ask(self._foam, self._sums, (BLOCKS * BLOCKS, 1), 32 * BLOCKS * BLOCKS, take)

    # -- Pictures ----------------------------------------------------------------------------------------------------

    def _side(self, index: int) -> int:
        """Texels a side that show every wave of a cascade."""
        key = self.sea.textures.keys[index]
        return lossless_side(key.size, band_shells(key.tile, key.size))

    def _picture_bytes(self, index: int) -> int:
        """Of a cascade's picture, rounded up to where the next may begin."""
        return -(-4 * self._side(index) ** 2 // ALIGNMENT) * ALIGNMENT

    def _is_apart(self, frame: Frame) -> bool:
        return abs(frame.time - self._pictures[0][0]) >= APART

    def _take_picture(self, frame: Frame, count: int) -> None:
        picture: dict[int, NDArray[np.float32]] = {}
        self._pictures.append((frame.time, picture))
        offset = 0  # each cascade has a place of its own, so that none writes what is being copied
        for index in range(count):
            side = self._side(index)

            def take(data: bytes, index: int = index, side: int = side) -> None:
                picture[index] = np.frombuffer(data, "f4").reshape(side, side)

            set_uniforms(self._snapshot, {"cascade": index, "stride": self.sea.textures.size // side})
            self._ask(self._snapshot, self._heights, (-(-side // 8), -(-side // 8)), 4 * side * side, take, offset)
            offset += self._picture_bytes(index)

    # -- Answers -----------------------------------------------------------------------------------------------------

    def _ask(
        self,
        program: moderngl.ComputeShader,
        buffer: moderngl.Buffer,
        groups: tuple[int, int],
        size: int,
        take: Callable[[bytes], None],
        offset: int = 0,
    ) -> None:
        """Let a program fill `size` bytes of a buffer, and `take` them once they have come."""
        buffer.bind_to_storage_buffer(Storage.SINK, offset, size)
        program.run(*groups)
        self.ctx.memory_barrier(moderngl.Context.BUFFER_UPDATE_BARRIER_BIT)
        copy = next((spare for spare in self._spare if spare.size == size), None)
        if copy is None:
            copy = readback_buffer(self.ctx, size)
        else:
            self._spare.remove(copy)
        self.ctx.copy_buffer(copy, buffer, size, read_offset=offset)
        self._answers.append(_Answer(self.ctx, copy, size, take))

    def collect(self) -> None:
        """Take the answers that have come, and hand them to the thread. Never waits."""
        while self._answers and self._answers[0].poll():
            self._spare.append(self._answers.pop(0).copy)
        truth = self._truth.result() if self._truth is not None and self._truth.done() else None
        if truth is None or self._spectrum is None:
            return
        if self._transform is not None and self._transform.done():
            self._periodogram, self._transform = self._transform.result(), None
            self._pictures.clear()
        count = len(self._spectrum.keys)
        if len(self._pictures) == 2 and self._transform is None and all(len(p) == count for _, p in self._pictures):
            self._transform = self._worker.submit(make_periodogram, truth, *self._pictures)
        if self._pending is not None and self._pending.done():
            self.survey, self._pending = self._pending.result(), None
        now = monotonic()
        if self._pending is None and self._found is not None and now - self._surveyed >= self._refresh:
            self._surveyed = now
            job = partial(make_survey, self._time, truth, self._spectrum, self.sea.settings, self._found)
            self._pending = self._worker.submit(job, self._periodogram, self._squares, self.sea.foam.resolution**2)

    def wait(self) -> None:
        """Wait for all answers and all that follows from them."""
        self.ctx.finish()
        while self._answers:
            self.collect()
        for job in (self._truth, self._transform, self._pending):
            if job is not None:
                job.result()
        self.collect()

    def release(self) -> None:
        """Release every GPU object and end the thread."""
        self._forget()
        self._worker.shutdown(cancel_futures=True)
        release_all(self._sums, self._heights, *self._spare)
        self._spare.clear()


def measure(ctx: moderngl.Context, sea: Sea, start: float, step: float, focus: tuple[float, float] = (0, 0)) -> Survey:
    """Let a settled sea run on from a time in steps [s] until all of it has been measured; its foam only where that is
    old enough by then. Waits for every answer, so that the same sea and times give the same survey."""
    gauge, time = WaveGauge(ctx, sea, refresh=0.0, every=1), start

    def lacks_foam(survey: Survey) -> bool:
        is_old = sea.foam.age > FOAM_MEMORY * sea.settings.foam.decay
        return is_old and any(row.measured is None for row in survey.quantities)

    try:
        while gauge.survey is None or not gauge.survey.is_complete or lacks_foam(gauge.survey):
            time += step
            frame = sea.begin(time, focus)
            run_passes(ctx, (*sea.passes, *gauge.passes), frame)
            gauge.wait()
        return gauge.survey
    finally:
        gauge.release()


def summed(data: bytes) -> NDArray[np.float64]:
    """The eight sums of all work groups together."""
    return np.asarray(np.frombuffer(data, "f4").reshape(-1, 8).sum(axis=0, dtype=np.float64))
