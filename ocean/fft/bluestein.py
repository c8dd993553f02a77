"""Transforms as convolutions: Bluestein's of any length, with a chirp; Rader's of a prime, with its roots reordered.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.E. Their
angles lose precision as lengths grow; here j² is reduced modulo 2N in integers before rounding.
Rader, "Discrete Fourier transforms when the number of data samples is prime" (Proc. IEEE 56, 1968).
"""

from collections.abc import Iterator
from math import isqrt
from typing import Any, TypeVar, get_args

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.parameters import Parameters
from ocean.fft.contract import AxisTransform, Fusion
from ocean.fft.four_step import FourStep
from ocean.fft.kernels import PlaneTransform, roots_of_unity
from ocean.fft.options import BluesteinOptions, FFTError, FourStepOptions
from ocean.fft.registers import RegisterTransform, factors, register_stages
from ocean.fft.stages import PRODUCT, DataFlow, Factor, Memory, Node, Operation, Stage, moves, whole
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
        self.backend = Bluestein
        self._convolution = self.own(self.convolution_table())

    @classmethod
    def make(cls, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> AxisTransform[Any]:
        size, there = fields.length(axis), limits(fields.ctx)
        if options.convolution == "rader" and not fields.double and Rader.takes(there, size, options):
            return Rader(fields, axis, options, scale)
        if fields.double or cls.group_obstacle(there, size, options):
            return LongBluestein(fields, axis, options, scale)
        return cls(fields, axis, options, scale)

    def convolution_table(self) -> moderngl.Buffer:
        return chirp_table(self.fields, self.size, self.length(self.size), self.options)

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
        inner = DataFlow(self.division.size, tuple(register_stages(self.division, is_fresh=False)))
        return convolution(self.size, self.division.threads, inner, Memory.REGISTERS)

    @property
    def own_bytes(self) -> int:
        return super().own_bytes + self._convolution.size

    def bind(self) -> None:
        super().bind()
        self._convolution.bind_to_storage_buffer(Storage.CHIRP)


class Rader(Bluestein):
    """A transform of a prime number of elements p in one dispatch, as a cyclic convolution of p - 1 elements."""

    shader = "fft/rader.comp"

    @classmethod
    def takes(cls, limits: Limits, size: int, options: BluesteinOptions) -> bool:
        """Return whether a length is a prime whose predecessor is a product of radices, and fits a work group."""
        is_prime = size > 2 and all(size % n for n in range(2, isqrt(size) + 1))
        return is_prime and factors(size - 1) is not None and not cls.group_obstacle(limits, size, options)

    @classmethod
    def length(cls, size: int) -> int:
        return size - 1

    def convolution_table(self) -> moderngl.Buffer:
        powers = np.column_stack(generator_powers(self.size)).astype("f4")
        data = powers.tobytes() + rader_spectrum(self.size).astype(self.fields.dtype).tobytes()
        return labelled("generator", self.fields.ctx.buffer(data))

    def stages(self) -> Iterator[Stage]:
        size, length, threads = self.size, self.size - 1, self.division.threads
        inner = DataFlow(length, tuple(register_stages(self.division, is_fresh=False)))
        powers, inverses = (list(map(int, column)) for column in generator_powers(size))
        last = length // self.division.radices[-1]
        exchanges = 2 * self.division.parts if self.division.radices[0] != self.division.radices[-1] else 0

        def owner(place: int) -> int:
            return place % (length // self.division.radices[0]) % threads if place < length else 0

        def holder(place: int) -> int:
            return place % last % threads if place < length else 0

        def transformed(backwards: bool) -> Operation:
            line, first = tuple(range(length)), Node((length,), (length,), 0)  # element 0 waits at the end
            nodes = Node(line, line, None, backwards=backwards), first
            return Operation("and back" if backwards else "transform", lambda: nodes, inner.flops)

        def multiplied() -> Iterator[Node]:
            spectrum = [Factor(value, "B", k) for k, value in enumerate(rader_spectrum(size))]
            yield Node((0, length), (0,), 0, before=(spectrum[0], None))
            yield Node((0, length), (length,), 0)
            for k in range(1, length):
                yield Node((k,), (k,), holder(k), after=(spectrum[k],))

        order = [*powers, 0]
        back = np.argsort(inverses).tolist()  # place of each result from 1 on
        yield Stage(moves("reorder", size, owner, order.__getitem__), Memory.REGISTERS, dispatches=1)
        yield Stage(transformed(False), Memory.REGISTERS, more_barriers=inner.barriers)
        yield Stage(Operation("product", multiplied, PRODUCT * length + 4), Memory.REGISTERS)
        yield Stage(transformed(True), Memory.REGISTERS, more_barriers=inner.barriers + exchanges)
        yield Stage(
            moves("reorder", size, lambda k: holder(back[k - 1]) if k else 0, lambda k: back[k - 1] if k else length),
            Memory.FRONT,
        )


class LongBluestein(PlaneTransform[BluesteinOptions]):
    """A transform with the convolution in memory, on batches of padded lines, in dispatches around inner transforms."""

    Options = BluesteinOptions
    in_place = True
    root_count = 1  # the steps multiply by the chirp only

    def __init__(self, fields: FieldStorage[Any], axis: int, options: BluesteinOptions, scale: float) -> None:
        self._length = padded_length(fields.length(axis))
        self.group = GROUPS[axis == ROWS]
        line_bytes, there = self._length * fields.layers * fields.element_bytes, limits(fields.ctx).storage_bytes
        table_bytes = (fields.length(axis) + self._length) * fields.dtype.itemsize
        for what, needed in (("padded line", line_bytes), ("chirp", table_bytes)):
            if needed > there:
                raise FFTError(f"bluestein: a {what}'s {needed} bytes are more than a buffer here holds ({there})")
        self._batch = min(fields.lines(axis), there // line_bytes)
        super().__init__(fields, axis, options, scale)
        self.backend = Bluestein
        shape = self._batch, self._length
        self._padded = self.own(FieldBuffers(fields.ctx, shape, fields.layers, fields.packed, fields.double))
        inner: type[AxisTransform[Any]] = StockhamGlobal if fields.double else FourStep
        self.inner = self.own(inner.make(self._padded, ROWS, passed_on(options, inner.Options), 1.0))
        self.kernels += self.inner.kernels
        self._chirp = self.own(chirp_table(fields, self.size, self._length, options))
        sizes: dict[str, Define] = {"SAMPLES": self.size, "SIZE": self._length}
        self._steps = [self.compile("fft/bluestein_step.comp", STEP=step, WRITES_FRONT=1, **sizes) for step in range(3)]

    @property
    def _first_lines(self) -> range:
        return range(0, self.fields.lines(self.axis), self._batch)

    def stages(self) -> Iterator[Stage]:
        return convolution(self.size, self._length, self.inner.flow, Memory.PADDED)

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


def convolution(size: int, threads: int, inner: DataFlow, memory: Memory) -> Iterator[Stage]:
    """Yield the stages of the convolution of a line with a chirp: chirp, transform, product, back, and chirp. They are
    one dispatch if the line stays in registers, else one each besides those of the inner transforms."""
    length, is_whole = inner.size, memory is Memory.REGISTERS
    dispatches = 0 if is_whole else 1
    products = length * (2 if is_whole else 1)  # the loop over both transforms in registers does it twice

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

    def transformed(name: str, backwards: bool) -> Stage:
        operation = whole(name, length, inner.flops, backwards)
        return Stage(operation, memory, dispatches * inner.dispatches, more_barriers=inner.barriers)

    yield Stage(Operation("chirp, pad", chirped, PRODUCT * size), memory, dispatches=1)
    yield transformed("transform", False)
    yield Stage(Operation("product", multiplied, PRODUCT * products), memory, dispatches)
    yield transformed("and back", True)
    yield Stage(Operation("chirp", result, PRODUCT * size), Memory.FRONT, dispatches)


def generator_powers(prime: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the powers g^j and g^-j modulo a prime of its least generator, for j < prime - 1."""
    for base in range(1, prime):
        powers = [1]
        while (power := powers[-1] * base % prime) != 1:
            powers.append(power)
        if len(powers) == prime - 1:
            break
    return np.array(powers), np.roll(powers[::-1], 1)


def rader_spectrum(prime: int) -> NDArray[np.complex128]:
    """Return the e^{+i} transform of e^{2 pi i g^-j / prime}, divided by prime - 1."""
    return np.fft.ifft(roots_of_unity(prime)[generator_powers(prime)[1]])


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
    """Return e^{pi i j² / size} for j < size: exact, from the integers j² modulo 2 size, or in single precision."""
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
