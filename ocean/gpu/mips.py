"""Mip levels of a texture array by compute.

On 32-bit float arrays a driver's generator may be many times slower than the transform that made the maps, and it
chooses its own filter. Here each texel is the mean over the area that it covers, also for odd sides: level i has
floor(N / 2^i) texels per side, so an odd side of 2m + 1 becomes m.
"""

import ctypes
from collections.abc import Callable, Iterable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.gpu.bindings import Image
from ocean.gpu.context import gl_function
from ocean.gpu.passes import Pass
from ocean.gpu.shaders import shader_library

TILE = 16  # texels of the source along a side of a work group
LEVELS_AT_ONCE = 4
GL_TEXTURE_2D_ARRAY, GL_RG, GL_RGBA, GL_RG32F, GL_FLOAT = 0x8C1A, 0x8227, 0x1908, 0x8230, 0x1406
FORMATS = {"f4": ("rgba32f", 0x8814), "f2": ("rgba16f", 0x881A)}  # in GLSL, and GL_RGBA32F, GL_RGBA16F


def mip_steps(side: int) -> list[tuple[int, int]]:
    """Return the dispatches that make all levels from a first one of `side` texels, as (source level, levels made). One
    dispatch makes up to four levels while sides halve exactly, and one level from an odd side."""
    steps, base = [], 0
    while (rest := side >> base) > 1:
        halvings = (rest & -rest).bit_length() - 1
        steps.append((base, min(max(halvings, 1), LEVELS_AT_ONCE)))
        base += steps[-1][1]
    return steps


def mip_pass(ctx: moderngl.Context, texture: moderngl.TextureArray, name: str = "mip levels", every: int = 1) -> Pass:
    """Return the pass that makes all levels of every `every`-th layer of a square RGBA32F or RGBA16F array."""
    width, _, layers = texture.size
    allocate_levels(ctx, texture)
    steps = mip_steps(width)
    library = shader_library(ctx)
    defines = {"FORMAT": FORMATS[texture.dtype][0], "EVERY": every}
    programs = [library.compute("common/mip_levels.comp", TAPS=2 + (width >> base) % 2, **defines) for base, _ in steps]
    made = -(-layers // every)

    def run() -> None:
        for (base, count), program in zip(steps, programs, strict=True):
            texture.bind_to_image(Image.MIP_SOURCE, read=True, write=False, level=base)
            for level in range(1, count + 1):
                texture.bind_to_image(Image.MIP_1 + level - 1, read=False, write=True, level=base + level)
            groups = -(-(width >> base) // TILE)
            program.run(groups, groups, made)
            ctx.memory_barrier(moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT)
        ctx.memory_barrier(moderngl.Context.TEXTURE_FETCH_BARRIER_BIT | moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT)

    moved = width * width * made * 4 * int(texture.dtype[-1]) * 4 // 3
    return Pass(name, run, len(steps), moved, "Averages the maps over areas, for pixels that show many texels.")


def _tex_image(ctx: moderngl.Context) -> Callable[..., Any]:
    i32, u32 = ctypes.c_int, ctypes.c_uint
    return gl_function(ctx, "glTexImage3D", None, u32, *[i32] * 6, *[u32] * 2, ctypes.c_void_p)


def allocate_levels(ctx: moderngl.Context, texture: moderngl.TextureArray) -> None:
    """Allocate all mip levels of an RGBA32F or RGBA16F array. moderngl's way takes a software renderer 0.1 s."""
    width, height, layers = texture.size
    allocate = _tex_image(ctx)
    texture.use()
    for level in range(1, width.bit_length()):
        side = width >> level, height >> level
        allocate(GL_TEXTURE_2D_ARRAY, level, FORMATS[texture.dtype][1], *side, layers, 0, GL_RGBA, GL_FLOAT, None)


def write_levels(ctx: moderngl.Context, texture: moderngl.TextureArray, levels: Iterable[NDArray[np.float32]]) -> None:
    """Write the mip levels of an RG32F array from the second on, (layers, height, width, 2) each. moderngl can only
    generate levels, for which a software renderer compiles shaders."""
    write = _tex_image(ctx)
    texture.use()
    for level, values in enumerate(levels, start=1):
        layers, height, width, _ = values.shape
        data = np.ascontiguousarray(values).ctypes.data
        write(GL_TEXTURE_2D_ARRAY, level, GL_RG32F, width, height, layers, 0, GL_RG, GL_FLOAT, data)
