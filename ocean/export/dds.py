"""Export as DDS texture arrays with mip levels, with the header of DirectX 10
(https://learn.microsoft.com/windows/win32/direct3ddds/dx-graphics-dds-pguide)."""

import struct

from ocean.export.raw import RawFormat
from ocean.export.textures import Texture

FORMATS = {(4, False): 2, (4, True): 10, (1, False): 41, (1, True): 54}
"""DXGI_FORMAT by channels and half precision: R32G32B32A32, R16G16B16A16, R32 and R16, each FLOAT."""
CAPS, HEIGHT, WIDTH, PITCH, PIXEL_FORMAT, MIP_COUNT = 0x1, 0x2, 0x4, 0x8, 0x1000, 0x20000
COMPLEX, TEXTURE, MIPS = 0x8, 0x1000, 0x400000
FOURCC, TEXTURE_2D, IS_OPAQUE = 0x4, 3, 3


class DdsFormat(RawFormat):
    """DDS texture arrays, layer after layer, each with its mip levels."""

    mips = True

    def header(self, texture: Texture) -> bytes:
        side, *coarser = self.levels
        flags = CAPS | HEIGHT | WIDTH | PITCH | PIXEL_FORMAT | MIP_COUNT
        pitch = side * self.texel_bytes(texture)
        pixels = struct.pack("<II4s5I", 32, FOURCC, b"DX10", 0, 0, 0, 0, 0)
        sizes = struct.pack("<7I44x", 124, flags, side, side, pitch, 1, 1 + len(coarser))
        caps = struct.pack("<I16x", COMPLEX | TEXTURE | MIPS)
        form = FORMATS[self.channels(texture), self.plan.half]
        return b"DDS " + sizes + pixels + caps + struct.pack("<5I", form, TEXTURE_2D, 0, self.plan.frames, IS_OPAQUE)
