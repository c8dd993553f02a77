"""The GPU memory of a context: every texture and buffer with its label, and checks of free memory."""

import ctypes
import gc
import math
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import moderngl

from ocean.gpu.context import gl_function, gl_number, is_alive, is_software, limits

TARGETS = {
    moderngl.Texture: 0x0DE1,  # GL_TEXTURE_2D
    moderngl.TextureArray: 0x8C1A,
    moderngl.Texture3D: 0x806F,
}
GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH = 0x1000, 0x1001, 0x8071
GL_TEXTURE0, MOST_LEVELS = 0x84C0, 31
GL_PROXY_TEXTURE_2D_ARRAY, GL_RGBA32F, GL_RGBA16F, GL_RGBA, GL_FLOAT = 0x8C1B, 0x8814, 0x881A, 0x1908, 0x1406
FREE_MEMORY = {"GL_NVX_gpu_memory_info": 0x9049, "GL_ATI_meminfo": 0x87FC}  # extension: query of the free KiB
MIB, GIB = 1 << 20, 1 << 30
LIGHT, PICTURE = 8, 4  # bytes per pixel of a frame: RGBA16F, RGBA8
LEAST = 0.01 * MIB  # smaller allocations share one line


@dataclass(frozen=True)
class Allocation:
    label: str
    what: str  # "buffer", or size and format
    bytes: int

    def __str__(self) -> str:
        return f"{self.bytes / MIB:8.2f} MiB  {self.label}, {self.what}"


def allocations(ctx: moderngl.Context) -> list[Allocation]:
    """Return the context's allocations, the largest first. Too slow for every frame: it queries each mip level."""
    kinds = (*TARGETS, moderngl.Renderbuffer, moderngl.Buffer)
    everything: list[Any] = [one for one in gc.get_objects() if isinstance(one, kinds)]
    alive = [one for one in everything if one.ctx is ctx and is_alive(one)]
    return sorted(map(_allocation, alive), key=lambda one: (-one.bytes, one.label))


def memory_lines(ctx: moderngl.Context) -> list[str]:
    """Return a line for each allocation of 0.01 MiB or more, one for all others, and one for the sum."""
    found = allocations(ctx)
    lines = [one for one in found if one.bytes >= LEAST]
    small = [one for one in found if one.bytes < LEAST]
    if small:
        lines.append(Allocation(f"{len(small)} others", "below 0.01 MiB each", sum(one.bytes for one in small)))
    total = Allocation("in all", f"{len(found)} objects", sum(one.bytes for one in found))
    return [str(one) for one in (*lines, total)]


def lacking(
    ctx: moderngl.Context, needed: int, arrays: list[tuple[int, int, int]], texel: int = 16, stored: int = GL_RGBA32F
) -> str | None:
    """Return why the GPU can't hold `needed` bytes or one of the texture arrays (width, height, layers), or None if it
    can. Texels have a size `texel` [bytes] and a format `stored`. The check allocates nothing."""
    free = free_bytes(ctx)
    if free is not None and needed > free:
        return f"needs {needed / GIB:.1f} GiB of GPU memory; {max(free, 0) / GIB:.1f} GiB are free"
    for array in arrays:
        if not _takes_array(ctx, array, stored):
            return f"needs a texture of {texel * math.prod(array) / GIB:.1f} GiB, which this driver refuses"
    return None


def picture_obstacle(ctx: moderngl.Context, size: tuple[int, int]) -> str | None:
    """Return why the GPU can't hold pictures of this size, or None if it can."""
    (width, height), largest = size, limits(ctx).texture_size
    if max(size) > largest:
        reason: str | None = f"is larger than {largest}x{largest}, the limit of this GPU"
    else:
        reason = lacking(ctx, (LIGHT + PICTURE) * width * height, [(width, height, 1)], LIGHT, GL_RGBA16F)
    return reason and f"--resolution = {width}x{height} {reason}; choose a smaller one, such as 1280x720"


def _takes_array(ctx: moderngl.Context, size: tuple[int, int, int], stored: int) -> bool:
    """Return whether the driver accepts such a texture array, by a proxy texture, which allocates nothing."""
    i32, u32 = ctypes.c_int, ctypes.c_uint
    make = gl_function(ctx, "glTexImage3D", None, u32, i32, i32, *(i32,) * 4, u32, u32, ctypes.c_void_p)
    make(GL_PROXY_TEXTURE_2D_ARRAY, 0, stored, *size, 0, GL_RGBA, GL_FLOAT, None)
    return gl_number(ctx, "glGetTexLevelParameteriv", GL_PROXY_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_WIDTH) == size[0]


def free_bytes(ctx: moderngl.Context) -> int | None:
    """Return the free memory of the GPU, or of the machine with a software renderer; None where it is unknown."""
    if is_software(ctx):
        return free_host_bytes()
    names = (name for one, name in FREE_MEMORY.items() if one in ctx.extensions)
    return next((gl_number(ctx, "glGetIntegerv", name) << 10 for name in names), None)


def free_host_bytes() -> int | None:
    """Return the memory that Linux reports as available, within the limit of the process's control group."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))
        group = Path("/sys/fs/cgroup")
        limit = (group / "memory.max").read_text().strip() if (group / "memory.max").exists() else "max"
        return free if limit == "max" else min(free, int(limit) - int((group / "memory.current").read_text()))
    except (OSError, ValueError, StopIteration):  # another system, or a kernel without these files
        return None


def _allocation(resource: Any) -> Allocation:
    label = resource.label or "without a label"
    if isinstance(resource, moderngl.Buffer):
        return Allocation(label, "buffer", resource.size)
    texel = resource.components * int(resource.dtype[-1])
    if isinstance(resource, moderngl.Renderbuffer) or (isinstance(resource, moderngl.Texture) and resource.samples):
        texels, levels = resource.width * resource.height * max(resource.samples, 1), 1
    else:
        texels, levels = _texels_of(resource)
    shape = " x ".join(map(str, resource.size))
    mips = f", {levels} levels" if levels > 1 else ""
    return Allocation(label, f"{shape} {resource.components}{resource.dtype}{mips}", texels * texel)


def _texels_of(texture: Any) -> tuple[int, int]:
    """Return the texels of all levels of a texture, and the number of levels."""
    ctx, target = texture.ctx, next(number for kind, number in TARGETS.items() if isinstance(texture, kind))
    unit = ctx.max_texture_units - 1  # no draw uses this unit
    texture.use(unit)
    gl_function(ctx, "glActiveTexture", None, ctypes.c_uint)(GL_TEXTURE0 + unit)

    def texels_at(level: int) -> int:
        sides = GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH
        return math.prod(gl_number(ctx, "glGetTexLevelParameteriv", target, level, side) for side in sides)

    levels = list(takewhile(bool, map(texels_at, range(MOST_LEVELS))))
    return sum(levels), len(levels)
