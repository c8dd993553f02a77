"""Export as raw floats, row after row: a file for each texture and frame, and a texture array of all frames.

Textures of three channels get a fourth channel of 1, because graphics cards have no formats of three.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ocean.export.frame_sources import Floats
from ocean.export.textures import Texture, TextureFormat
from ocean.sea.host import area_means


class RawFormat(TextureFormat):
    """Little-endian floats of 32 or 16 bits; the array of all frames is (frame, row, column, channel)."""

    suffix = "raw"
    mips = False
    """Whether arrays have mip levels."""

    @property
    def _type(self) -> np.dtype[Any]:
        return np.dtype("<f2" if self.plan.half else "<f4")

    @property
    def levels(self) -> list[int]:
        """Texels along a side of each level of an array."""
        size = self.plan.settings.fft.size
        return [size >> level for level in range(size.bit_length())] if self.mips else [size]

    def channels(self, texture: Texture) -> int:
        """Return the number of stored channels."""
        return 1 if texture.channels == 1 else 4

    def texel_bytes(self, texture: Texture) -> int:
        return self.channels(texture) * self._type.itemsize

    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        stored = np.ones((*values.shape[:2], self.channels(texture)), self._type)
        stored[..., : texture.channels] = values
        path.write_bytes(stored.tobytes())  # `tofile` would not say why a disk takes no more

    def description(self, texture: Texture) -> dict[str, Any]:
        array = {"file": self._array(texture), "layers": self.plan.frames, "levels": len(self.levels)}
        kind = "float16" if self.plan.half else "float32"
        return {"type": kind, "stored_channels": self.channels(texture), "scale": 1.0, "offset": 0.0, "array": array}

    def _array(self, texture: Texture) -> str:
        return f"{texture.name}.{self.plan.format}"

    def final(self) -> list[str]:
        return [self._array(texture) for texture in self.textures]

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        for count, texture in enumerate(self.textures, start=1):
            with (aside / self._array(texture)).open("wb") as file:
                file.write(self.header(texture))
                for index in range(self.plan.frames):
                    self.add_layer(file, texture, index, self._layer(path, texture, index))
                    if count == len(self.textures):
                        advance()

    def header(self, texture: Texture) -> bytes:
        """Return the bytes before the texels of an array."""
        return b""

    def add_layer(self, file: BinaryIO, texture: Texture, index: int, levels: list[NDArray[Any]]) -> None:
        """Write the levels of a layer, the finest first; layers come in order."""
        for level in levels:
            file.write(level.tobytes())

    def _layer(self, path: Path, texture: Texture, index: int) -> list[NDArray[Any]]:
        """Return the levels of a frame: means over the texels of the level above."""
        size = self.levels[0]
        finest = np.fromfile(path / self.name(texture, index), self._type)
        levels: list[NDArray[Any]] = [finest.reshape(size, size, -1).astype(np.float64)]
        for _ in self.levels[1:]:
            levels.append(area_means(area_means(levels[-1], 0), 1))
        return [each.astype(self._type) for each in levels]
