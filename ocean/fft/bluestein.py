"""Bluestein's transform: any length, also primes, as a convolution with a chirp.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.E. Their
angles lose precision as lengths grow; here j² is reduced modulo 2N in integers before rounding.
"""

from typing import Any, cast, get_args

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform, Fusion
from ocean.fft.four_step import FourStep
from ocean.fft.kernels import PlaneTransform
from ocean.fft.options import BluesteinOptions, FFTError
from ocean.fft.registers import RegisterTransform
from ocean.fft.stockham import GROUPS, StockhamGlobal
from ocean.fft.storage import ROWS, FieldBuffers, FieldStorage
from ocean.gpu.bindings import Storage
from ocean.gpu.context import Limits, labelled, limits
from ocean.gpu.shaders import Define


class Bluestein(RegisterTransform):
    """A transform that does the whole convolution of a line in one dispatch, for lines that a work group can hold."""

    summary = "Bluestein: any size, also primes, as a convolution with a chirp of at least twice the length."
    shader = "fft/bluestein.comp"
    Options = BluesteinOptions
    DOUBLE = True

    def __init__(self, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self._chirp = self.own(chirp_table(fields, self.size, self.length(self.size), options))

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: Parameters, scale: float) -> AxisTransform:
        too_long = cls.group_obstacle(limits(fields.ctx), fields.length(axis), options)
        if too_long or fields.double:
            return LongBluestein(fields, axis, cast(BluesteinOptions, options), scale)
        return cls(fields, axis, cast(BluesteinOptions, options), scale)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: Any) -> Fusion | None:
        fits = not cls.group_obstacle(limits(fields.ctx), fields.width, options)
        return super().fusion(fields, options) if fits else None

    @classmethod
    def length(cls, size: int) -> int:
        """Return the power of two that holds the linear convolution."""
        return max(2, 1 << (2 * size - 2).bit_length())

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: Parameters) -> str | None:
        if size < 1:
            return "needs at least one element"
        if cls.group_obstacle(limits, size, options):  # LongBluestein pads its lines in memory
            return FourStep.obstacle(limits, padded_length(size), passed_on(options, FourStep.Options))
        return None

    @classmethod
    def error_limit(cls, size: int, options: Parameters, double: bool = False) -> float:
        if cast(BluesteinOptions, options).angles == "naive":
            return 2e-6 * size  # naive angles reach pi N, rounded to 24 bits
        return super().error_limit(size, options, double) if double else 2e-6

    def extra_defines(self) -> dict[str, Define]:
        return {**super().extra_defines(), "SAMPLES": self.size}

    @property
    def own_bytes(self) -> int:
        return super().own_bytes + self._chirp.size

    def bind(self) -> None:
        super().bind()
        self._chirp.bind_to_storage_buffer(Storage.CHIRP)


class LongBluestein(PlaneTransform):
    """A transform that does the convolution in memory: a dispatch before, between and after the transforms of padded
    lines, in batches that fit a buffer."""

    Options = BluesteinOptions
    in_place = True

    def __init__(self, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> None:
        self._length = padded_length(fields.length(axis))
        self.group = GROUPS[axis == ROWS]
        line_bytes, there = self._length * fields.layers * fields.element_bytes, limits(fields.ctx).storage_bytes
        if line_bytes > there:
            raise FFTError(f"bluestein: a padded line's {line_bytes} bytes are more than a buffer here holds ({there})")
        self._batch = min(fields.lines(axis), there // line_bytes)
        super().__init__(fields, axis, options, scale)
        shape = self._batch, self._length
        self._padded = self.own(FieldBuffers(fields.ctx, shape, fields.layers, fields.packed, fields.double))
        inner: type[AxisTransform] = StockhamGlobal if fields.double else FourStep
        self.inner = self.own(inner.make(self._padded, ROWS, passed_on(options, inner.Options), 1.0))
        self._chirp = self.own(chirp_table(fields, self.size, self._length, options))
        sizes: dict[str, Define] = {"SAMPLES": self.size, "SIZE": self._length}
        self._steps = [self.compile("fft/bluestein_step.comp", STEP=step, WRITES_FRONT=1, **sizes) for step in range(3)]

    @property
    def backend(self) -> type[AxisTransform]:
        return Bluestein

    @property
    def root_count(self) -> int:
        return 1  # the steps multiply by the chirp only

    @property
    def _first_lines(self) -> range:
        return range(0, self.fields.lines(self.axis), self._batch)

    @property
    def dispatches(self) -> int:
        return len(self._first_lines) * (3 + 2 * self.inner.dispatches)

    @property
    def bytes_moved(self) -> int:
        padded = 4 * self._padded.bytes + 2 * self.inner.bytes_moved
        return self.fields.io_bytes + len(self._first_lines) * padded

    @property
    def own_bytes(self) -> int:
        return super().own_bytes + 2 * self._padded.bytes + self.inner.own_bytes + self._chirp.size

    def run(self, inverse: bool) -> None:
        lengths = self._length, self._length, self.size
        for first_line in self._first_lines:
            for number, (kernel, length) in enumerate(zip(self._steps, lengths, strict=True)):
                if number > 0:
                    self.inner.run(inverse)
                self._padded.front.bind_to_storage_buffer(Storage.PADDED)
                self._chirp.bind_to_storage_buffer(Storage.CHIRP)
                self.set(kernel, inverse, lines=self._batch, first_line=first_line)
                self.step(kernel, length, in_place=True, lines=self._batch)
                self._padded.barrier()


def padded_length(size: int) -> int:
    """Return the least length that holds the linear convolution and is a power of two times 1, 3, 5, 7 or 9: at most
    a fifth more than needed, where powers of two alone may be twice as long."""
    least = max(2, 2 * size - 1)
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in (1, 3, 5, 7, 9))


def passed_on(options: Parameters, to: type[Parameters]) -> Parameters:
    """Return options of type `to` with the values that both types accept, and defaults for the others."""
    taken = {name: get_args(field.annotation) for name, field in to.model_fields.items()}
    return to(**{name: value for name, value in options if value in taken.get(name, ())})


def chirp_table(fields: FieldStorage[Any], size: int, length: int, options: BluesteinOptions) -> moderngl.Buffer:
    wave = chirp(size) if options.angles == "exact" else naive_chirp(size)
    data = np.concatenate([wave, chirp_spectrum(wave, length)]).astype(fields.dtype).tobytes()
    return labelled("chirp", fields.ctx.buffer(data))


def chirp(size: int) -> NDArray[np.complex128]:
    """Return e^{pi i j² / size} for j < size. The angle is exact: j² modulo 2 size is an integer."""
    j = np.arange(size, dtype=np.int64)
    return np.asarray(np.exp(1j * (np.pi * (j * j % (2 * size)) / size)))


def naive_chirp(size: int) -> NDArray[np.complex128]:
    """Return the chirp with angles in single precision, as a shader would compute them."""
    j = np.arange(size, dtype=np.float32)
    angles = np.float32(np.pi) * j * j / np.float32(size)
    return np.asarray(np.exp(1j * angles.astype(np.float64)))


def chirp_spectrum(wave: NDArray[np.complex128], length: int) -> NDArray[np.complex128]:
    """Return the e^{+i} transform of the conjugate chirp, even in j and wrapped around `length`, divided by
    `length`."""
    wrapped = np.zeros(length, np.complex128)
    wrapped[: len(wave)] = wave.conj()
    wrapped[length - len(wave) + 1 :] = wave[:0:-1].conj()
    return np.fft.ifft(wrapped)
