"""Maps as textures for engines: PNG of 16 bits, raw floats, DDS and KTX2, with the sidecar `maps.json`.

Each cascade is a tile that repeats over its side. All maps lie over still water, so that one texture coordinate reads
all of them.
"""

import json
import math
import struct
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ocean import __version__
from ocean.common.facts import usable
from ocean.export.formats.base import Format
from ocean.export.maps import MEANING, TEXTURE_MAPS, Part
from ocean.export.plan import Plan
from ocean.export.sources import Floats, Snapshot, displacement_deviations
from ocean.sea.host import area_means
from ocean.settings import to_toml

SIDECAR = "maps.json"
AXES = (
    "x is east, y is up, z is south. Columns run along the tile's x, rows along its z, from the first row down. The "
    "first texel lies on the tile's corner: a point of still water (x, z), turned by -rotation from x to z, has the "
    "texture coordinate (x, z) / side + 0.5 / texels."
)


@dataclass(frozen=True)
class Texture:
    """A map of one cascade, as a texture for each frame."""

    map: str
    cascade: int

    @property
    def name(self) -> str:
        return f"{self.map}{self.cascade}"

    @property
    def parts(self) -> Mapping[str, Part]:
        return TEXTURE_MAPS[self.map].parts


class TextureFormat(Format):
    """A file for each texture of each frame, and a sidecar."""

    whole = 2.0
    suffix: str  # ending of a frame's files

    @property
    def textures(self) -> list[Texture]:
        return [Texture(name, cascade) for name in self.plan.cascade_maps for cascade in range(len(self.plan.tiles))]

    def common(self) -> list[str]:
        return [SIDECAR]

    def names(self, index: int) -> list[str]:
        return [self.name(texture, index) for texture in self.textures]

    def name(self, texture: Texture, index: int) -> str:
        return f"{texture.name}.{index:06d}.{self.suffix}"

    def prepare(self, folder: Path) -> None:
        (folder / SIDECAR).write_text(json.dumps(self.sidecar(), indent=2) + "\n", encoding="utf-8")

    def write(self, frame: Snapshot, folder: Path) -> None:
        for texture in self.textures:
            values = np.stack([frame.cascades[name][texture.cascade] for name in texture.parts], -1)
            self.save(folder / self.name(texture, frame.index), texture, values)

    @abstractmethod
    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        """Write the values of a texture, float32 (N, N, channels)."""

    @abstractmethod
    def description(self, texture: Texture) -> dict[str, Any]:
        """Return the sidecar's entry of a texture: its type, `scale` and `offset`, and files of all frames."""

    def sidecar(self) -> dict[str, Any]:
        """Return the sidecar: times, tiles and textures. A value is offset + scale * stored."""
        plan = self.plan
        sea = plan.settings.sea
        period = 0.0 if sea.is_nonlinear else sea.loop_period
        return {
            "program": f"ocean {__version__}",
            "frames": plan.frames,
            "time_step": 1 / plan.fps,
            "start": plan.start,
            "loop": period or None,
            "closes": bool(period) and abs(plan.frames / plan.fps / period % 1) < 1e-9,
            "axes": AXES,
            "meaning": MEANING,
            "tiles": [
                {"cascade": i, "side": tile.side, "rotation": tile.rotation, "texels": plan.settings.fft.size}
                for i, tile in enumerate(plan.tiles)
            ],
            "textures": [
                {
                    "map": texture.map,
                    "cascade": texture.cascade,
                    "channels": list(texture.parts),
                    "unit": next(iter(texture.parts.values())).unit,
                    "frames": f"{texture.name}.%06d.{self.suffix}",
                    **self.description(texture),
                }
                for texture in self.textures
            ],
            "config": to_toml(plan.settings),
        }


LARGEST = 16384  # maximum number of pixels along a side of a flip book: the limit of graphics cards
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
        return {"type": "unorm16", "scale": scale, "offset": offset, "flip_book": book if self._has_books else None}

    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        scale, offset = self._scale_and_offset(texture)
        stored = np.rint(FULL * np.clip((values.astype(np.float64) - offset) / scale, 0, 1))
        write_png16(path, stored.astype(np.uint16))

    def final(self) -> list[str]:
        return [f"{texture.name}.png" for texture in self.textures] if self._has_books else []

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        size = self.plan.settings.fft.size
        for count, texture in enumerate(self.textures, start=1):
            book = np.zeros((self._rows, size, self._columns, size, len(texture.parts)), np.uint16)
            for index in range(self.plan.frames):
                row, column = divmod(index, self._columns)
                book[row, :, column] = read_png16(path / self.name(texture, index))
                if count == len(self.textures):
                    advance()
            write_png16(folder / f"{texture.name}.png", book.reshape(self._rows * size, -1, len(texture.parts)))


def write_png16(path: Path, values: NDArray[np.uint16]) -> None:
    """Write a PNG of 16 bits per channel, (height, width, 1 or 3). Pillow writes none with three channels."""
    import av

    height, width, channels = values.shape
    codec = av.VideoCodecContext.create("png", "w")
    codec.width, codec.height, codec.pix_fmt, codec.framerate = width, height, PIXELS[channels], Fraction(1)
    pixels = np.ascontiguousarray(values[..., 0] if channels == 1 else values)
    frame = av.VideoFrame.from_ndarray(pixels, format=PIXELS[channels])
    path.write_bytes(b"".join(bytes(packet) for packet in (*codec.encode(frame), *codec.encode(None))))


def read_png16(path: Path) -> NDArray[np.uint16]:
    """Return the values of a PNG of `write_png16`."""
    import av

    codec = av.VideoCodecContext.create("png", "r")
    data = av.Packet(path.read_bytes())
    (frame,) = (*codec.decode(data), *codec.decode(None))
    values = frame.to_ndarray()
    return np.asarray(values.reshape(*values.shape[:2], -1), np.uint16)


class RawFormat(TextureFormat):
    """Little-endian floats of 32 or 16 bits; the array of all frames is (frame, row, column, channel)."""

    suffix = "raw"
    mips = False  # whether arrays have mip levels

    @property
    def _type(self) -> np.dtype[Any]:
        return np.dtype("<f2" if self.plan.half else "<f4")

    @property
    def levels(self) -> list[int]:
        """Texels along a side of each level of an array."""
        size = self.plan.settings.fft.size
        return [size >> level for level in range(size.bit_length())] if self.mips else [size]

    def channels(self, texture: Texture) -> int:
        return 1 if len(texture.parts) == 1 else 4

    def texel_bytes(self, texture: Texture) -> int:
        return self.channels(texture) * self._type.itemsize

    def save(self, path: Path, texture: Texture, values: Floats) -> None:
        stored = np.ones((*values.shape[:2], self.channels(texture)), self._type)
        stored[..., : len(texture.parts)] = values
        path.write_bytes(stored.tobytes())  # `tofile` hides the cause of an error, such as a full disk

    def description(self, texture: Texture) -> dict[str, Any]:
        array = {"file": self._array(texture), "layers": self.plan.frames, "levels": len(self.levels)}
        kind = "float16" if self.plan.half else "float32"
        return {"type": kind, "stored_channels": self.channels(texture), "scale": 1.0, "offset": 0.0, "array": array}

    def _array(self, texture: Texture) -> str:
        return f"{texture.name}.{self.plan.format}"

    def final(self) -> list[str]:
        return [self._array(texture) for texture in self.textures]

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        for count, texture in enumerate(self.textures, start=1):
            with (folder / self._array(texture)).open("wb") as file:
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


IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"
VK_FORMATS = {(4, False): 109, (4, True): 97, (1, False): 100, (1, True): 76}
"""VkFormat by channels and half precision: R32G32B32A32, R16G16B16A16, R32 and R16, each SFLOAT."""
HEADER, LEVEL = 80, 24  # bytes before the index of levels, and of an entry of the index
RGBSDA, BT709, LINEAR, BASIC = 1, 1, 1, 2  # codes of the Khronos data format
SIGNED_FLOAT, RED_TO_ALPHA = 0xC0, (0, 1, 2, 15)
MINUS_ONE, ONE = 0xBF800000, 0x3F800000  # as float32


class Ktx2Format(RawFormat):
    """KTX2 texture arrays: levels from the coarsest on, each with all layers."""

    mips, whole = True, 7 / 3

    def header(self, texture: Texture) -> bytes:
        head, offsets = self._layout(texture)
        sizes = [self._layer_bytes(texture, side) * self.plan.frames for side in self.levels]
        index = b"".join(struct.pack("<3Q", at, size, size) for at, size in zip(offsets, sizes, strict=True))
        described, facts = self._format(texture), self._facts()
        at = HEADER + LEVEL * len(self.levels)
        form = VK_FORMATS[self.channels(texture), self.plan.half]
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


DXGI_FORMATS = {(4, False): 2, (4, True): 10, (1, False): 41, (1, True): 54}
"""DXGI_FORMAT by channels and half precision: R32G32B32A32, R16G16B16A16, R32 and R16, each FLOAT."""
CAPS, HEIGHT, WIDTH, PITCH, PIXEL_FORMAT, MIP_COUNT = 0x1, 0x2, 0x4, 0x8, 0x1000, 0x20000
COMPLEX, TEXTURE, MIPS = 0x8, 0x1000, 0x400000
FOURCC, TEXTURE_2D, IS_OPAQUE = 0x4, 3, 3


class DdsFormat(RawFormat):
    """DDS texture arrays, layer after layer, each with its mip levels."""

    mips, whole = True, 7 / 3

    def header(self, texture: Texture) -> bytes:
        side, *coarser = self.levels
        flags = CAPS | HEIGHT | WIDTH | PITCH | PIXEL_FORMAT | MIP_COUNT
        pitch = side * self.texel_bytes(texture)
        pixels = struct.pack("<II4s5I", 32, FOURCC, b"DX10", 0, 0, 0, 0, 0)
        sizes = struct.pack("<7I44x", 124, flags, side, side, pitch, 1, 1 + len(coarser))
        caps = struct.pack("<I16x", COMPLEX | TEXTURE | MIPS)
        form = DXGI_FORMATS[self.channels(texture), self.plan.half]
        return b"DDS " + sizes + pixels + caps + struct.pack("<5I", form, TEXTURE_2D, 0, self.plan.frames, IS_OPAQUE)
