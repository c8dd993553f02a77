"""Bluestein's transform: any length, also primes, as a convolution with a chirp.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.E. Their
angles lose precision as lengths grow; here j² is reduced modulo 2N in integers before rounding.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar, get_args

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform, Fusion
from ocean.fft.four_step import FourStep
from ocean.fft.kernels import PlaneTransform
from ocean.fft.options import BluesteinOptions, FFTError, FourStepOptions
from ocean.fft.registers import RegisterTransform, register_stages
from ocean.fft.stages import PRODUCT, DataFlow, Factor, Memory, Node, Operation, Stage, whole
from ocean.fft.stockham import GROUPS, StockhamGlobal
from ocean.fft.storage import ROWS, FieldBuffers, FieldStorage
from ocean.gpu.bindings import Storage
from ocean.gpu.context import Limits, labelled, limits
from ocean.gpu.shaders import Define

P = TypeVar("P", bound=Parameters)


class Bluestein(RegisterTransform[BluesteinOptions]):
    """A transform that does the whole convolution of a line in one dispatch, for lines that a work group can hold."""

    summary = "Bluestein: any size, also primes, as a convolution with a chirp of at least twice the length."
    shader = "fft/bluestein.comp"
    Options = BluesteinOptions
    DOUBLE = True

    def __init__(self, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        self._chirp = self.own(chirp_table(fields, self.size, self.length(self.size), options))

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> AxisTransform[Any]:
        too_long = cls.group_obstacle(limits(fields.ctx), fields.length(axis), options)
        if too_long or fields.double:
            return LongBluestein(fields, axis, options, scale)
        return cls(fields, axis, options, scale)

    @classmethod
    def fusion(cls, fields: FieldStorage[Any], options: BluesteinOptions) -> Fusion | None:
        fits = not cls.group_obstacle(limits(fields.ctx), fields.width, options)
        return super().fusion(fields, options) if fits else None

    @classmethod
    def length(cls, size: int) -> int:
        """Return the power of two that holds the linear convolution."""
        return max(2, 1 << (2 * size - 2).bit_length())

    @classmethod
    def obstacle(cls, limits: Limits, size: int, options: BluesteinOptions) -> str | None:
        if size < 1:
            return "needs at least one element"
        if cls.group_obstacle(limits, size, options):  # LongBluestein pads its lines in memory
            return FourStep.obstacle(limits, padded_length(size), passed_on(options, FourStepOptions))
        return None

    @classmethod
    def error_limit(cls, size: int, options: BluesteinOptions, double: bool = False) -> float:
        if options.angles == "naive":
            return 2e-6 * size  # naive angles reach pi N, rounded to 24 bits
        return super().error_limit(size, options, double) if double else 2e-6

    def extra_defines(self) -> dict[str, Define]:
        return {**super().extra_defines(), "SAMPLES": self.size}

    def stages(self) -> Iterator[Stage]:
        length = self.division.size
        inner = DataFlow(length, tuple(register_stages(self.division, is_fresh=False)))
        chirp, transform, product, back, result = convolution(self.size, length, self.division.threads, inner)
        product = replace(product, flops=2 * PRODUCT * length)  # the loop over both transforms does it twice
        more = inner.barriers
        yield Stage(chirp, Memory.REGISTERS, dispatches=1)
        yield Stage(transform, Memory.REGISTERS, more_barriers=more)
        yield Stage(product, Memory.REGISTERS)
        yield Stage(back, Memory.REGISTERS, more_barriers=more)
        yield Stage(result, Memory.FRONT)

    @property
    def own_bytes(self) -> int:
        return super().own_bytes + (self.size + self.division.size) * self.fields.dtype.itemsize

    def bind(self) -> None:
        super().bind()
        self._chirp.bind_to_storage_buffer(Storage.CHIRP)


class LongBluestein(PlaneTransform[BluesteinOptions]):
    """A transform with the convolution in memory, on batches of padded lines, in dispatches around inner transforms."""

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
        inner: type[AxisTransform[Any]] = StockhamGlobal if fields.double else FourStep
        self.inner = self.own(inner.make(self._padded, ROWS, passed_on(options, inner.Options), 1.0))
        self.kernels += self.inner.kernels
        self._chirp = self.own(chirp_table(fields, self.size, self._length, options))
        sizes: dict[str, Define] = {"SAMPLES": self.size, "SIZE": self._length}
        self._steps = [self.compile("fft/bluestein_step.comp", STEP=step, WRITES_FRONT=1, **sizes) for step in range(3)]

    @property
    def backend(self) -> type[AxisTransform[Any]]:
        return Bluestein

    @property
    def root_count(self) -> int:
        return 1  # the steps multiply by the chirp only

    @property
    def _first_lines(self) -> range:
        return range(0, self.fields.lines(self.axis), self._batch)

    def stages(self) -> Iterator[Stage]:
        inner, length = self.inner.flow, self._length
        chirp, transform, product, back, result = convolution(self.size, length, length, inner)
        dispatches, more = inner.dispatches, inner.barriers
        yield Stage(chirp, Memory.PADDED, dispatches=1)
        yield Stage(transform, Memory.PADDED, dispatches, more_barriers=more)
        yield Stage(product, Memory.PADDED, dispatches=1)
        yield Stage(back, Memory.PADDED, dispatches, more_barriers=more)
        yield Stage(result, Memory.FRONT, dispatches=1)

    @property
    def dispatches(self) -> int:
        return len(self._first_lines) * self.flow.dispatches

    @property
    def bytes_moved(self) -> int:
        padded = 4 * self._padded.bytes + 2 * self.inner.bytes_moved
        return self.fields.io_bytes + len(self._first_lines) * padded

    @property
    def own_bytes(self) -> int:
        chirp_bytes = (self.size + self._length) * self.fields.dtype.itemsize
        return super().own_bytes + 2 * self._padded.bytes + self.inner.own_bytes + chirp_bytes

    def run(self, inverse: bool) -> None:
        lengths = self._length, self._length, self.size
        for first_line in self._first_lines:
            for number, (kernel, length) in enumerate(zip(self._steps, lengths, strict=True)):
                if number > 0:
                    self.inner.run(inverse)
                self._padded.front.bind_to_storage_buffer(Storage.PADDED)
                self._chirp.bind_to_storage_buffer(Storage.CHIRP)
                self.set(kernel, inverse, lines=self._batch, first_line=first_line)
                self.dispatch_along(kernel, length, in_place=True, lines=self._batch)
                self._padded.barrier()


def convolution(size: int, length: int, threads: int, inner: DataFlow) -> tuple[Operation, ...]:
    """Return the operations of the convolution of a line with a chirp: chirp, transform, product, back, and chirp."""

    def chirped() -> Iterator[Node]:
        factors = _factors(size)
        for j in range(length):
            yield Node((j,), (j,), j % threads, after=(factors[j],)) if j < size else Node((), (j,), j % threads)

    def multiplied() -> Iterator[Node]:
        for k, value in enumerate(chirp_spectrum(chirp(size), length)):
            yield Node((k,), (k,), k % threads, after=(Factor(value, "B", k),))

    def result() -> Iterator[Node]:
        for k, factor in enumerate(_factors(size)):
            yield Node((k,), (k,), k % threads, before=(factor,))

    return (
        Operation("chirp, pad", chirped, PRODUCT * size),
        whole("transform", length, inner.flops),
        Operation("product", multiplied, PRODUCT * length),
        whole("and back", length, inner.flops, backwards=True),
        Operation("chirp", result, PRODUCT * size),
    )


def _factors(size: int) -> list[Factor | None]:
    return [Factor(value, "c", j) if j else None for j, value in enumerate(chirp(size))]


def padded_length(size: int) -> int:
    """Return the smallest length that holds the linear convolution and is a power of two times 1, 3, 5, 7 or 9: at most
    a fifth more than needed, where powers of two alone may be twice as long."""
    least = max(2, 2 * size - 1)
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in (1, 3, 5, 7, 9))


def passed_on(options: Parameters, to: type[P]) -> P:
    """Return options of type `to` with the values that both types accept, and defaults for the others."""
    taken = {name: get_args(field.annotation) for name, field in to.model_fields.items()}
    return to(**{name: value for name, value in options if value in taken.get(name, ())})


def chirp_table(fields: FieldStorage[Any], size: int, length: int, options: BluesteinOptions) -> moderngl.Buffer:
    wave = chirp(size, options.angles == "exact")
    data = np.concatenate([wave, chirp_spectrum(wave, length)]).astype(fields.dtype).tobytes()
    return labelled("chirp", fields.ctx.buffer(data))


def chirp(size: int, is_exact: bool = True) -> NDArray[np.complex128]:
    """Return e^{pi i j² / size} for j < size, exact since j² modulo 2 size is an integer, or in single precision."""
    j = np.arange(size, dtype=np.int64)
    naive = np.float32(np.pi) * j.astype(np.float32) ** 2 / np.float32(size)
    angles = np.pi * (j * j % (2 * size)) / size if is_exact else naive.astype(np.float64)
    return np.asarray(np.exp(1j * angles))


def chirp_spectrum(wave: NDArray[np.complex128], length: int) -> NDArray[np.complex128]:
    """Return the e^{+i} transform of the conjugate chirp, even in j, wrapped around and divided by `length`."""
    wrapped = np.zeros(length, np.complex128)
    wrapped[: len(wave)] = wave.conj()
    wrapped[length - len(wave) + 1 :] = wave[:0:-1].conj()
    return np.fft.ifft(wrapped)
