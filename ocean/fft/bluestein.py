"""Bluestein's transform: any length, primes included, as a convolution with a chirp.

Govindaraju et al., "High Performance Discrete Fourier Transforms on Graphics Processors" (SC 2008), section IV.E. Their
angles lose digits, or a borrow, as lengths grow; here j² is reduced modulo 2N in integers before anything is rounded.
"""

from typing import Any, Literal, cast

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.kernels import KernelOptions
from ocean.fft.registers import RegisterOptions, RegisterTransform
from ocean.fft.storage import FieldStorage
from ocean.gpu.bindings import Storage
from ocean.gpu.shaders import Define
from ocean.parameters import Parameters, parameter


class BluesteinOptions(RegisterOptions):
    """Options of Bluestein's transform and of the transforms that it is made of."""

    angles: Literal["exact", "naive"] = parameter(
        "exact", "Angles of the chirp: j² modulo 2N in integers, or j² in single precision, to see what is lost."
    )


class Bluestein(RegisterTransform):
    """The whole convolution of a line in one dispatch an axis."""

    summary = "Bluestein: any size, primes too, as a convolution with a chirp of at least twice the length."
    shader = "fft/bluestein.comp"
    Options = BluesteinOptions

    def __init__(self, fields: FieldStorage[Any], axis: int, options: KernelOptions, scale: float) -> None:
        super().__init__(fields, axis, options, scale)
        size = self.size
        wave = chirp(size) if cast(BluesteinOptions, options).angles == "exact" else naive_chirp(size)
        table = np.concatenate([wave, chirp_spectrum(wave, self.length(size))])
        self._chirp: moderngl.Buffer | None = self.ctx.buffer(table.astype(np.complex64).tobytes())

    @classmethod
    def length(cls, size: int) -> int:
        """The power of two that holds the linear convolution."""
        return 1 << (2 * size - 2).bit_length()

    @classmethod
    def size_obstacle(cls, size: int) -> str | None:
        return None if size > 1 else f"needs at least two elements, not {size}"

    @classmethod
    def error_limit(cls, size: int, options: Parameters) -> float:
        promised = super().error_limit(size, options)  # naive angles reach pi N, rounded to 24 bits
        return promised if cast(BluesteinOptions, options).angles == "exact" else promised * size

    def extra_defines(self) -> dict[str, Define]:
        return {**super().extra_defines(), "SAMPLES": self.size}

    def bind(self) -> None:
        super().bind()
        if self._chirp is not None:
            self._chirp.bind_to_storage_buffer(Storage.CHIRP)

    def release(self) -> None:
        super().release()
        if self._chirp is not None:
            self._chirp.release()
            self._chirp = None


def chirp(size: int) -> NDArray[np.complex128]:
    """e^{pi i j² / size} for j < size, its angle exact: j² modulo 2 size is an integer."""
    j = np.arange(size, dtype=np.int64)
    return cis(np.pi * (j * j % (2 * size)) / size)


def naive_chirp(size: int) -> NDArray[np.complex128]:
    """The same with the angle in single precision, as a shader would write it down."""
    j = np.arange(size, dtype=np.float32)
    angles = np.float32(np.pi) * j * j / np.float32(size)
    return cis(angles.astype(np.float64))


def cis(angles: NDArray[np.float64]) -> NDArray[np.complex128]:
    return np.cos(angles) + 1j * np.sin(angles)


def chirp_spectrum(wave: NDArray[np.complex128], length: int) -> NDArray[np.complex128]:
    """The e^{+i} transform of the conjugate chirp, even in j and wrapped around `length`, over `length`."""
    wrapped = np.zeros(length, np.complex128)
    wrapped[: len(wave)] = wave.conj()
    wrapped[length - len(wave) + 1 :] = wave[:0:-1].conj()
    return np.fft.ifft(wrapped)
