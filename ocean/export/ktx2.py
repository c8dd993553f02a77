"""Export as KTX 2.0 texture arrays with mip levels (https://registry.khronos.org/KTX/specs/2.0/ktxspec.v2.html)."""

import struct
from itertools import accumulate
from typing import Any, BinaryIO

from numpy.typing import NDArray

from ocean import __version__
from ocean.export.raw import RawFormat
from ocean.export.textures import Texture

IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"
FORMATS = {(4, False): 109, (4, True): 97, (1, False): 100, (1, True): 76}
"""VkFormat by channels and half precision: R32G32B32A32, R16G16B16A16, R32 and R16, each SFLOAT."""
HEADER, LEVEL = 80, 24  # bytes before the index of levels, and of an entry of the index
RGBSDA, BT709, LINEAR, BASIC = 1, 1, 1, 2  # codes of the Khronos data format
SIGNED_FLOAT, RED_TO_ALPHA = 0xC0, (0, 1, 2, 15)
MINUS_ONE, ONE = 0xBF800000, 0x3F800000  # as float32


class Ktx2Format(RawFormat):
    """KTX2 texture arrays: levels from the coarsest on, each with all layers."""

    mips = True

    def header(self, texture: Texture) -> bytes:
        head, offsets = self._layout(texture)
        sizes = [self._layer_bytes(texture, side) * self.plan.frames for side in self.levels]
        index = b"".join(struct.pack("<3Q", at, size, size) for at, size in zip(offsets, sizes, strict=True))
        described, facts = self._format(texture), self._facts()
        at = HEADER + LEVEL * len(self.levels)
        form = FORMATS[self.channels(texture), self.plan.half]
        width = 2 if self.plan.half else 4
        shape = struct.pack("<9I", form, width, self.levels[0], self.levels[0], 0, self.plan.frames, 1, len(sizes), 0)
        places = struct.pack("<4I2Q", at, len(described), at + len(described), len(facts), 0, 0)
        return (IDENTIFIER + shape + places + index + described + facts).ljust(head, b"\0")

    def add_layer(self, file: BinaryIO, texture: Texture, index: int, levels: list[NDArray[Any]]) -> None:
        _, offsets = self._layout(texture)
        for offset, level in zip(offsets, levels, strict=True):
            file.seek(offset + index * level.nbytes)
            file.write(level.tobytes())

    def _layer_bytes(self, texture: Texture, side: int) -> int:
        return side * side * self.texel_bytes(texture)

    def _layout(self, texture: Texture) -> tuple[int, list[int]]:
        """Return the bytes before the levels, and the start of each level, the finest first."""
        step = max(4, self.texel_bytes(texture))
        before = HEADER + LEVEL * len(self.levels) + len(self._format(texture)) + len(self._facts())
        sizes = [_padded(self._layer_bytes(texture, side) * self.plan.frames, step) for side in self.levels[::-1]]
        begins = list(accumulate(sizes[:-1], initial=_padded(before, step)))
        return begins[0], begins[::-1]

    def _format(self, texture: Texture) -> bytes:
        channels, bits = self.channels(texture), 16 if self.plan.half else 32
        samples = b"".join(
            struct.pack("<HBBIII", i * bits, bits - 1, SIGNED_FLOAT | channel, 0, MINUS_ONE, ONE)
            for i, channel in enumerate(RED_TO_ALPHA[:channels])
        )
        block = struct.pack("<IHH4B", 0, BASIC, 24 + len(samples), RGBSDA, BT709, LINEAR, 0)
        block += struct.pack("<4xB7x", self.texel_bytes(texture))
        return struct.pack("<I", 4 + len(block) + len(samples)) + block + samples

    def _facts(self) -> bytes:
        """Return keys and values, padded to 4 bytes: rows run right and down."""
        pairs = b"KTXorientation\0rd\0", f"KTXwriter\0ocean {__version__}\0".encode()
        return b"".join((struct.pack("<I", len(pair)) + pair).ljust(_padded(4 + len(pair), 4), b"\0") for pair in pairs)


def _padded(size: int, step: int) -> int:
    return -(-size // step) * step
