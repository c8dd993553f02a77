"""Export as normalised PNGs of 16 bits per channel, one per texture and frame, and flip books of all frames."""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from ocean.common.facts import usable
from ocean.export.frame_sources import Floats
from ocean.export.maps import TEXTURE_MAPS
from ocean.export.patch_foam import displacement_deviations
from ocean.export.plan import Plan
from ocean.export.textures import Texture, TextureFormat

LARGEST = 16384
"""Most pixels along a side of a flip book: the limit of graphics cards."""
FULL = 65535
PIXELS = {1: "gray16be", 3: "rgb48be"}


class Png16Format(TextureFormat):
    """PNGs of 16 bits, whose range depends on the settings alone; a flip book for each texture if it fits."""

    suffix = "png"

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.threads = usable()  # compressing takes longer than computing
        self._deviations = displacement_deviations(plan.settings)
        self._columns = math.ceil(math.sqrt(plan.frames))
        self._rows = math.ceil(plan.frames / self._columns)

    def _scale_and_offset(self, texture: Texture) -> tuple[float, float]:
        low, high = TEXTURE_MAPS[texture.map].range(self._deviations[texture.cascade])
        return (high - low) or 1.0, low  # a still sea has no range

    @property
    def _has_books(self) -> bool:
        return self._columns * self.plan.settings.fft.size <= LARGEST

    def description(self, texture: Texture) -> dict[str, Any]:
        scale, offset = self._scale_and_offset(texture)
        book = {"file": f"{texture.name}.png", "columns": self._columns, "rows": self._rows}
        return {
            "type": "unorm16",
            "scale": scale,
            "offset": offset,
            "flip_book": book if self._has_books else None,
        }

    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        scale, offset = self._scale_and_offset(texture)
        stored = np.rint(FULL * np.clip((values.astype(np.float64) - offset) / scale, 0, 1))
        write_png16(path, stored.astype(np.uint16))

    def final(self) -> list[str]:
        return [f"{texture.name}.png" for texture in self.textures] if self._has_books else []

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        if not self._has_books:
            return
        size = self.plan.settings.fft.size
        for count, texture in enumerate(self.textures, start=1):
            book = np.zeros((self._rows, size, self._columns, size, texture.channels), np.uint16)
            for index in range(self.plan.frames):
                row, column = divmod(index, self._columns)
                book[row, :, column] = read_png16(path / self.name(texture, index))
                if count == len(self.textures):
                    advance()
            write_png16(aside / f"{texture.name}.png", book.reshape(self._rows * size, -1, texture.channels))


def write_png16(path: Path, values: NDArray[np.uint16]) -> None:
    """Write a PNG of 16 bits per channel, (height, width, 1 or 3). Pillow writes none with three channels."""
    height, width, channels = values.shape
    codec = av.VideoCodecContext.create("png", "w")
    codec.width, codec.height, codec.pix_fmt, codec.framerate = width, height, PIXELS[channels], Fraction(1)
    pixels = np.ascontiguousarray(values[..., 0] if channels == 1 else values)
    frame = av.VideoFrame.from_ndarray(pixels, format=PIXELS[channels])
    path.write_bytes(b"".join(bytes(packet) for packet in (*codec.encode(frame), *codec.encode(None))))


def read_png16(path: Path) -> NDArray[np.uint16]:
    """Return the values of a PNG of `write_png16`."""
    codec = av.VideoCodecContext.create("png", "r")
    data = av.Packet(path.read_bytes())
    (frame,) = (*codec.decode(data), *codec.decode(None))
    values = frame.to_ndarray()
    return np.asarray(values.reshape(*values.shape[:2], -1), np.uint16)
