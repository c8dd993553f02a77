"""Fences: whether the GPU has come past a point of its command stream, asked without waiting for it.

moderngl has no call for sync objects; the entry points come from the context's own loader.
"""

import ctypes

import moderngl

from ocean.gpu.context import gl_function

GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117
GL_SYNC_FLUSH_COMMANDS_BIT = 0x1
GL_TIMEOUT_EXPIRED = 0x911B
GL_WAIT_FAILED = 0x911D
SLICE_NS = 100_000_000  # of a wait, after which it is begun again


class Fence:
    """A point in the GPU's command stream: where it stood when this was made."""

    def __init__(self, ctx: moderngl.Context) -> None:
        u32, handle = ctypes.c_uint, ctypes.c_void_p
        self._wait = gl_function(ctx, "glClientWaitSync", u32, handle, u32, ctypes.c_uint64)
        self._delete = gl_function(ctx, "glDeleteSync", None, handle)
        self._sync = gl_function(ctx, "glFenceSync", handle, u32, u32)(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
        self._flush = GL_SYNC_FLUSH_COMMANDS_BIT  # once: that sends it on its way, and costs the CPU more than asking

    def _passed_within(self, nanoseconds: int) -> bool:
        if self._sync is None:
            return True
        answer = self._wait(self._sync, self._flush, nanoseconds)
        self._flush = 0
        if answer == GL_WAIT_FAILED:
            raise RuntimeError("the GPU's fence can't be waited for; is this another thread than the context's?")
        if answer == GL_TIMEOUT_EXPIRED:
            return False
        self.release()
        return True

    @property
    def passed(self) -> bool:
        """Whether all commands before it are done. Never waits."""
        return self._passed_within(0)

    def wait(self) -> None:
        """Wait until all commands before it are done."""
        while not self._passed_within(SLICE_NS):
            pass

    def release(self) -> None:
        if self._sync is not None:
            self._delete(self._sync)
            self._sync = None
