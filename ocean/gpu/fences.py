"""Fences: points of the GPU's command stream that can be polled without waiting.

moderngl has no sync objects; the entry points come from the context's own loader.
"""

import ctypes

import moderngl

from ocean.gpu.context import gl_function

GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117
GL_SYNC_FLUSH_COMMANDS_BIT = 0x1
GL_TIMEOUT_EXPIRED = 0x911B
GL_WAIT_FAILED = 0x911D
SLICE_NS = 100_000_000  # length of one wait; waits repeat


class Fence:
    """A point in the GPU's command stream: the end of the commands at construction."""

    def __init__(self, ctx: moderngl.Context) -> None:
        u32, handle = ctypes.c_uint, ctypes.c_void_p
        self._wait = gl_function(ctx, "glClientWaitSync", u32, handle, u32, ctypes.c_uint64)
        self._delete = gl_function(ctx, "glDeleteSync", None, handle)
        self._sync = gl_function(ctx, "glFenceSync", handle, u32, u32)(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
        self._flush = GL_SYNC_FLUSH_COMMANDS_BIT  # only once: a flush costs more CPU time than a poll

    def _passed_within(self, nanoseconds: int) -> bool:
        if self._sync is None:
            return True
        answer = self._wait(self._sync, self._flush, nanoseconds)
        self._flush = 0
        if answer == GL_WAIT_FAILED:
            raise RuntimeError("can't wait for the GPU's fence; is this the thread of its context?")
        if answer == GL_TIMEOUT_EXPIRED:
            return False
        self.release()
        return True

    @property
    def passed(self) -> bool:
        """True if all commands before the fence are done. Never waits."""
        return self._passed_within(0)

    def wait(self) -> None:
        while not self._passed_within(SLICE_NS):
            pass

    def release(self) -> None:
        if self._sync is not None:
            self._delete(self._sync)
            self._sync = None
