"""The waves of a sea on the GPU: draw, variance and loop steps, the blended amplitudes, and their evolution in time.

Of transforms it knows only the load callbacks.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.storage import Callback
from ocean.gpu.bindings import Image, Sampler, Storage
from ocean.gpu.context import labelled, limits, release_all
from ocean.gpu.shaders import Define, shader_library
from ocean.sea.blend import Blend, Cascade

GROUP = 8  # invocations along a side of a work group


class SpectrumTextures:
    """The living cascades on the GPU: draw, loop steps, and the variance at the start and the end of a blend.

    `write_amplitudes` turns them into h0(k) for the blend in the cascades' uniform block. Every frame reads amplitudes
    and loop steps: they lie in buffers, or in images if they exceed the GPU's largest storage buffer.
    """

    def __init__(self, ctx: moderngl.Context, cascades: Sequence[Cascade]) -> None:
        self.ctx = ctx
        self.keys = tuple(cascade.key for cascade in cascades)
        self.size = self.keys[0].size
        self.draw = self._texture(2, "f4", [cascade.draw for cascade in cascades])
        self.variance_from, self.variance_to = self._texture(1, "f4"), self._texture(1, "f4")
        labels = {"draw": self.draw, "variance from": self.variance_from, "variance to": self.variance_to}
        for label, texture in labels.items():
            labelled(label, texture)
        steps = [cascade.steps for cascade in cascades]
        self.amplitudes: moderngl.Buffer | moderngl.TextureArray
        self.steps: moderngl.Buffer | moderngl.TextureArray
        if 8 * self.texels <= limits(ctx).storage_bytes:
            self.amplitudes = labelled("amplitudes", ctx.buffer(reserve=8 * self.texels))
            self.steps = labelled("loop steps", ctx.buffer(reserve=4 * self.texels))
            for i, layer in enumerate(steps):
                self.steps.write(np.ascontiguousarray(layer), offset=i * layer.nbytes)
        else:
            self.amplitudes = labelled("amplitudes", self._texture(2, "f4"))
            self.steps = labelled("loop steps", self._texture(1, "u4", steps))
        self._program = shader_library(ctx).compute("spectrum/amplitudes.comp", **self.defines)

    @property
    def defines(self) -> dict[str, Define]:
        return {"AMPLITUDE_IMAGES": int(isinstance(self.amplitudes, moderngl.TextureArray))}

    def _texture(self, components: int, dtype: str, layers: Sequence[NDArray[Any]] = ()) -> moderngl.TextureArray:
        texture = self.ctx.texture_array((self.size, self.size, len(self.keys)), components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._write(texture, layers)
        return texture

    def _write(self, texture: moderngl.TextureArray, layers: Sequence[NDArray[Any]]) -> None:
        """Upload layer by layer, without copies, which would stall a frame at large sizes."""
        for i, layer in enumerate(layers):
            texture.write(np.ascontiguousarray(layer), viewport=(0, 0, i, self.size, self.size, 1))

    def set_variances(self, blend: Blend) -> None:
        """Upload Psi dk² of each cascade at the start and the end of the blend."""
        self._write(self.variance_from, blend.start)
        self._write(self.variance_to, blend.target)

    def write_amplitudes(self) -> None:
        """Compute h0 from the draw and the blended variance."""
        self.draw.use(Sampler.DRAW)
        self.variance_from.use(Sampler.VARIANCE_FROM)
        self.variance_to.use(Sampler.VARIANCE_TO)
        self.bind()
        self._program.run(self.groups, self.groups, len(self.keys))
        self.ctx.memory_barrier(
            moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT | moderngl.Context.SHADER_STORAGE_BARRIER_BIT
        )

    def bind(self) -> None:
        if isinstance(self.amplitudes, moderngl.TextureArray) and isinstance(self.steps, moderngl.TextureArray):
            self.amplitudes.bind_to_image(Image.AMPLITUDES, read=True, write=True)
            self.steps.use(Sampler.STEPS)
        elif isinstance(self.amplitudes, moderngl.Buffer) and isinstance(self.steps, moderngl.Buffer):
            self.amplitudes.bind_to_storage_buffer(Storage.AMPLITUDES)
            self.steps.bind_to_storage_buffer(Storage.STEPS)

    def evolve_into(self, front: moderngl.TextureArray, what: Literal["evolve", "rates"] = "evolve") -> None:
        """Write the spectrum at the time of the bound cascade block, or its rates, packed for the transform."""
        self.bind()
        front.bind_to_image(Image.FRONT, read=False, write=True)
        program = shader_library(self.ctx).compute(f"spectrum/{what}.comp", **self.defines)
        program.run(self.groups, self.groups, len(self.keys))
        self.ctx.memory_barrier(
            moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT | moderngl.Context.TEXTURE_UPDATE_BARRIER_BIT
        )

    def source(self, bind_block: Callable[[], None]) -> Callback:
        """Return the source of a fused transform, which evolves the spectrum while loading it; `bind_block` binds the
        cascade block."""

        def bind() -> None:
            bind_block()
            self.bind()

        return Callback("spectrum/load.glsl", self.bytes_read, bind, self.defines)

    @property
    def bytes_read(self) -> int:
        return self.texels * (8 + 4)

    @property
    def groups(self) -> int:
        return -(-self.size // GROUP)

    @property
    def texels(self) -> int:
        return self.size * self.size * len(self.keys)

    def release(self) -> None:
        release_all(self.draw, self.steps, self.variance_from, self.variance_to, self.amplitudes)
