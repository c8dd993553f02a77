"""Uniforms and blocks, written only when they change: a write costs as much as a dispatch. Shaders give layouts."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import moderngl
import numpy as np

from ocean.gpu.context import labelled
from ocean.gpu.shaders import SHADERS

TYPES: dict[str, tuple[str, tuple[int, ...]]] = {
    "float": ("f4", ()),
    "int": ("i4", ()),
    "uint": ("u4", ()),
    "vec2": ("f4", (2,)),
    "ivec2": ("i4", (2,)),
    "vec4": ("f4", (4,)),
    "ivec4": ("i4", (4,)),
    "mat4": ("f4", (4, 4)),
}
"""Types of a block's members: type and shape as in numpy."""


@cache
def block_layout(file: str, name: str, **lengths: int) -> np.dtype[np.void]:
    """Return the std140 layout of a shader's uniform block or struct. `lengths` are those of arrays, by define."""
    text = re.sub("//.*", "", (SHADERS / file).read_text(encoding="utf-8"))
    declared = re.search(rf"(?:struct|uniform) {name} {{(.*?)}}", text, re.DOTALL)
    assert declared, f"{file} declares no {name}"
    members: dict[str, tuple[object, int]] = {}  # type and offset
    end = 0
    for kind, listed in re.findall(r"(\w+)\s+([^;]+);", declared[1]):
        for member, length in re.findall(r"(\w+)(?:\[(\w+)\])?", listed):
            form = np.dtype(TYPES[kind] if kind in TYPES else block_layout(file, kind, **lengths))
            shape = (lengths.get(length) or int(length),) if length else ()
            start = -(-end // min(form.itemsize, 16)) * min(form.itemsize, 16)
            members[member] = np.dtype((form, shape)), start
            end = start + np.dtype((form, shape)).itemsize
    forms, offsets = zip(*members.values(), strict=True)
    size = -(-end // 16) * 16
    return np.dtype({"names": list(members), "formats": forms, "offsets": offsets, "itemsize": size})


def set_uniforms(program: moderngl.ComputeShader | moderngl.Program, values: Mapping[str, Any]) -> None:
    """Set the uniforms that have changed, except those that the compiler dropped. The program remembers the values, so
    no other code may set the same uniforms."""
    if program.extra is None:
        program.extra = dict.fromkeys(program)
    held: dict[str, Any] = program.extra
    for name, value in values.items():
        if name in held and held[name] != value:
            program[name] = held[name] = value


class UniformBlock:
    def __init__(self, ctx: moderngl.Context, label: str, binding: int, size: int) -> None:
        self.buffer = labelled(label, ctx.buffer(reserve=size))
        self._binding = binding
        self._held = b""

    def write(self, data: bytes) -> None:
        if data != self._held:
            self.buffer.write(data)
            self._held = data

    def bind(self) -> None:
        self.buffer.bind_to_uniform_block(self._binding)

    def release(self) -> None:
        self.buffer.release()
