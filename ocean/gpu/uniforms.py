"""Uniforms that are written only when they change: a write costs as much CPU time as a dispatch."""

from collections.abc import Mapping
from typing import Any

import moderngl

from ocean.gpu.context import labelled


def set_uniforms(program: moderngl.ComputeShader | moderngl.Program, values: Mapping[str, Any]) -> None:
    """Set the uniforms that the compiler kept in the program and that have changed.

    The program remembers these values, so no other code may set the same uniforms.
    """
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
        """Write the whole block if it has changed."""
        if data != self._held:
            self.buffer.write(data)
            self._held = data

    def bind(self) -> None:
        self.buffer.bind_to_uniform_block(self._binding)

    def release(self) -> None:
        self.buffer.release()
