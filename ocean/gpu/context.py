"""OpenGL contexts: the search for one that works, its limits and resources, and entry points that moderngl lacks.

Only this module and the window library make contexts; everything else receives one.
"""

import ctypes
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial, wraps
from typing import Any, ParamSpec, Protocol, TypeVar

import moderngl

from ocean.common.errors import InputError, whole_number
from ocean.gpu.bindings import Sampler

GL_VERSION = (4, 3)  # compute shaders and shader storage; the shaders say `#version 430`
GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, GL_OUT_OF_MEMORY = 0x8262, 0x505
GL_PROGRAM_BINARY_LENGTH, GL_LINK_STATUS = 0x8741, 0x8B82
GL_COPY_WRITE_BUFFER, GL_STREAM_READ = 0x8F37, 0x88E1
GL_SYNC_GPU_COMMANDS_COMPLETE, GL_SYNC_FLUSH_COMMANDS_BIT = 0x9117, 0x1
GL_TIMEOUT_EXPIRED, GL_WAIT_FAILED = 0x911B, 0x911D
SWITCHES = 0xB71, 0xBE2, 0xB44, 0x8C89, 0x8642, 0xC11
"""Depth test, blend, cull face, rasterizer discard, program point size, scissor test."""
GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING = 0x8A11, 0x8A28
GL_TEXTURE0, GL_ACTIVE_TEXTURE, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY = 0x84C0, 0x84E0, 0x8C1A, 0x8C1D
GL_DEPTH_FUNC, GL_LEQUAL, GL_POLYGON_MODE, GL_FILL, GL_FRONT_AND_BACK = 0xB74, 0x203, 0xB40, 0x1B02, 0x408
WRITE_MASKS = 0xC23, 0xB72  # of colours and depth
GL_VIEWPORT, FRAMEBUFFERS = 0xBA2, {0x8CA9: 0x8CA6, 0x8CA8: 0x8CAA}  # draw and read target: query of its binding
EGL_EXTENSIONS, EGL_DRAW, EGL_READ = 0x3055, 0x3059, 0x305A
MOST_GPUS = 64
HEADLESS_BACKENDS = ("egl", None)  # EGL needs no display; None is the platform's own (GLX, WGL)
WAIT_NS = 100_000_000  # longest single wait for a fence; waits repeat
REGISTERS = {"NVIDIA": 128}  # 32-bit values that an invocation can keep, by the first word of GL_VENDOR
FEWEST_REGISTERS = 32  # for other vendors; on Intel more would spill (docs/maintainers/drivers.md)
HANGS_AFTER = 120.0  # s of waiting after which a GPU counts as hung; a software renderer may take longer
RESETS = {0x8253: "by work of this program", 0x8254: "by other work", 0x8255: "for an unknown reason"}
"""Answers of glGetGraphicsResetStatus."""
WINDOW_SYSTEMS = {  # library, setter, and the getters' prefix and names, the context last
    "egl": ("libEGL.so.1", "eglMakeCurrent", "eglGetCurrent", ("Display", "Surface", "Surface", "Context")),
    "x11": ("libGL.so.1", "glXMakeContextCurrent", "glXGetCurrent", ("Display", "Drawable", "ReadDrawable", "Context")),
    "wgl": ("opengl32", "wglMakeCurrent", "wglGetCurrent", ("DC", "Context")),
}
NOT_CURRENT = "this OpenGL context can't be made current; is it current in another thread?"

if sys.platform == "win32":
    GL_CALL = ctypes.WINFUNCTYPE
else:
    GL_CALL = ctypes.CFUNCTYPE

Made = TypeVar("Made")
Arguments = ParamSpec("Arguments")
Handles = tuple[int | None, ...]


class ContextError(RuntimeError):
    """No usable OpenGL context; the message has the answer of each backend tried."""


class DeviceLostError(RuntimeError):
    """A GPU that was reset or hangs. Its context is unusable."""


class AllocationError(InputError):
    """An allocation that failed on the GPU."""


# -- Contexts ----------------------------------------------------------------------------------------------------------


def create_headless_context(gpu: int = 0) -> moderngl.Context:
    """Make a context without a window. EGL makes it on the GPU of this number; see `gpus`.

    Raises:
        ContextError: with one line for each backend that was tried.
    """
    made, attempts = try_backends(partial(headless_context, gpu=whole_number(gpu, "gpu")))
    if made is None:
        raise ContextError(f"No OpenGL 4.3 context could be made. {platform_hint()} {' '.join(attempts)}")
    return made


def headless_context(backend: str | None, gpu: int = 0) -> moderngl.Context:
    """Make a context without a window by one backend; None is the platform's own. Raise the loader's exceptions."""
    if not backend and gpu != 0:
        raise ValueError("only EGL chooses a GPU by its number")
    arguments: dict[str, Any] = {"backend": backend, "device_index": gpu} if backend else {}
    return moderngl.create_context(standalone=True, require=430, **arguments)


def try_backends(make: Callable[[str | None], Made]) -> tuple[Made | None, list[str]]:
    """Return the result of `make` with the first headless backend that works, and a sentence for each backend tried."""
    attempts = []
    for backend in HEADLESS_BACKENDS:
        name = backend or "platform default"
        try:
            made = make(backend)
        except Exception as error:  # the loaders raise plain Exception, OSError or moderngl.Error
            attempts.append(f"{name}: {' '.join(str(error).split()) or type(error).__name__}.")
            continue
        return made, [*attempts, f"{name}: works."]
    return None, attempts


def platform_hint() -> str:
    """Return what this platform needs for OpenGL 4.3."""
    older = "With OpenGL 4.1 or 4.2, examples/opengl41.py in the program's source draws a sea computed on the CPU."
    if sys.platform == "darwin":
        return f"macOS ends at OpenGL 4.1, which has no compute shaders. {older}"
    mesa = ", or Mesa's software one (Debian: libegl1 libgl1 libgl1-mesa-dri)" if sys.platform != "win32" else ""
    return f"The compute shaders need it. Install the driver of the graphics card{mesa}. {older}"


def gpus() -> list[int]:
    """Return the numbers of the EGL devices that share the driver of the first device, which is the default. Software
    renderers and GPUs of other vendors are left out. Without EGL's extensions there is only device 0."""
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError:
        return [0]
    find = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(("eglGetProcAddress", egl))
    query, describe = find(b"eglQueryDevicesEXT"), find(b"eglQueryDeviceStringEXT")
    if not (query and describe):
        return [0]
    i32, pointer = ctypes.c_int32, ctypes.c_void_p
    devices, count = (pointer * MOST_GPUS)(), i32(0)
    query_devices = ctypes.CFUNCTYPE(ctypes.c_uint, i32, ctypes.POINTER(pointer), ctypes.POINTER(i32))(query)
    extensions = ctypes.CFUNCTYPE(ctypes.c_char_p, pointer, i32)(describe)  # equal for all devices of one driver
    if not query_devices(MOST_GPUS, devices, ctypes.byref(count)) or not count.value:
        return [0]
    drivers = [extensions(device, EGL_EXTENSIONS) for device in devices[: count.value]]
    return [number for number, driver in enumerate(drivers) if driver == drivers[0]]


def is_software(ctx: moderngl.Context) -> bool:
    return is_software_renderer(str(ctx.info["GL_RENDERER"]))


def is_software_renderer(name: str) -> bool:
    known = "llvmpipe", "softpipe", "swiftshader", "swrast", "software", "microsoft basic render"
    return any(word in name.lower() for word in known)


# -- State of a context ------------------------------------------------------------------------------------------------


def of_context(ctx: moderngl.Context, make: Callable[[moderngl.Context], Made]) -> Made:
    """Return `make(ctx)`, which is made at the first call and lives as long as the context.

    A private attribute of the context keeps it, because `ctx.extra` belongs to the host program. A table of contexts,
    even with weak keys, would keep them alive, because its programs and buffers refer to their context.
    """
    if not isinstance(ctx, moderngl.Context):
        raise TypeError(f"expected a moderngl.Context, not {type(ctx).__name__}")
    if not is_alive(ctx):
        raise ContextError("the OpenGL context was released")
    made: dict[Callable[[moderngl.Context], Any], Any] = vars(ctx).setdefault("_ocean", {})
    if make not in made:
        made[make] = make(ctx)
    found: Made = made[make]
    return found


@dataclass(frozen=True)
class Limits:
    """The limits of a context that this program depends on."""

    invocations: int  # per work group
    shared_memory: int  # bytes per work group
    groups: int  # per axis of a dispatch
    texture_size: int  # texels along a side
    texture_layers: int  # layers of an array
    storage_bytes: int  # bytes of one storage buffer
    uniform_bytes: int  # bytes of one uniform block
    loop: int  # iterations of a loop: llvmpipe silently leaves it after 2^16 - 1, drivers after seconds
    registers: int = FEWEST_REGISTERS  # 32-bit values that an invocation of a group of 256 keeps without spills


def limits(ctx: moderngl.Context) -> Limits:
    return of_context(ctx, _limits)


def _limits(ctx: moderngl.Context) -> Limits:
    with current(ctx):
        return Limits(
            invocations=ctx.info["GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS"],
            shared_memory=gl_number(ctx, "glGetIntegerv", GL_MAX_COMPUTE_SHARED_MEMORY_SIZE),
            groups=min(ctx.info["GL_MAX_COMPUTE_WORK_GROUP_COUNT"]),
            texture_size=ctx.info["GL_MAX_TEXTURE_SIZE"],
            texture_layers=ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"],
            storage_bytes=ctx.info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"],
            uniform_bytes=ctx.info["GL_MAX_UNIFORM_BLOCK_SIZE"],
            loop=1 << 15 if is_software(ctx) else 1 << 20,
            registers=registers_of(ctx.info["GL_VENDOR"]),
        )


def registers_of(vendor: str) -> int:
    return REGISTERS.get(vendor.split(" ")[0], FEWEST_REGISTERS)


def gl_function(ctx: moderngl.Context, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return an OpenGL entry point that moderngl lacks, from the context's own loader."""
    known, key = of_context(ctx, _no_functions), (name, result, *arguments)
    if key not in known:
        known[key] = GL_CALL(result, *arguments)(ctx.mglo._context.load_opengl_function(name))
    return known[key]


def _no_functions(_: moderngl.Context) -> dict[tuple[Any, ...], Callable[..., Any]]:
    return {}


def gl_query(ctx: moderngl.Context, name: str, count: int, kind: Any = ctypes.c_int) -> Callable[..., int]:
    """Return an OpenGL query that takes `count` numbers. OpenGL writes its answer, a number of the ctypes type `kind`,
    to the address in the last argument."""
    ask = gl_function(ctx, name, None, *[ctypes.c_uint] * count, ctypes.POINTER(kind))

    def answer(*arguments: int) -> int:
        number = kind(0)
        ask(*arguments, ctypes.byref(number))
        return int(number.value)

    return answer


def gl_number(ctx: moderngl.Context, name: str, *arguments: int) -> int:
    """Return the answer of an OpenGL query for integers."""
    return gl_query(ctx, name, len(arguments))(*arguments)


# -- The current context -----------------------------------------------------------------------------------------------


def in_context(method: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
    """Decorate a method to run with its object's context current, or a function to run with that of its argument `ctx`;
    see `current`."""

    @wraps(method)
    def entered(*arguments: Arguments.args, **options: Arguments.kwargs) -> Made:
        owner = arguments[0] if arguments else options.get("ctx")
        ctx: Any = getattr(owner, "ctx", owner)
        if of_context(ctx, _OwnHandles).are_current:
            return method(*arguments, **options)
        with current(ctx):
            return method(*arguments, **options)

    return entered


@contextmanager
def current(ctx: moderngl.Context) -> Iterator[None]:
    """Make a context current, and afterwards restore the context of the host program.

    moderngl's objects act on whichever context is current, and `with ctx` of its EGL backend leaves none current.
    Raises ContextError when the context can't become current, such as while it is current in another thread.
    """
    own = of_context(ctx, _OwnHandles)
    if own.are_current:
        yield
        return
    if own.system is None:
        raise ContextError("the OpenGL context of this call is not current; make it current, as its host does")
    with host_restored():
        if not own.system.set_current(*own.handles):
            raise ContextError(NOT_CURRENT)
        yield


def clear_samplers(ctx: moderngl.Context) -> None:
    """Unbind a host program's samplers, which would filter our textures. moderngl's call clears only as many units as
    one shader stage has."""
    bind = gl_function(ctx, "glBindSampler", None, ctypes.c_uint, ctypes.c_uint)
    ctx.clear_samplers()
    for unit in range(ctx.max_texture_units, max(Sampler) + 1):
        bind(unit, 0)


@contextmanager
def kept_drawing(ctx: moderngl.Context) -> Iterator[None]:
    """Draw without a host program's switches, depth function, wireframe mode and samplers. Afterwards restore them,
    except the samplers, and also framebuffers, viewport and write masks, even if set by calls that bypass moderngl."""
    u32, i32, before = ctypes.c_uint, ctypes.c_int, ctx.fbo
    bind = gl_function(ctx, "glBindFramebuffer", None, u32, u32)
    numbers = [(target, gl_number(ctx, "glGetIntegerv", name)) for target, name in FRAMEBUFFERS.items()]
    asks = gl_function(ctx, "glIsEnabled", ctypes.c_ubyte, u32)
    switches = [(name, "glEnable" if asks(name) else "glDisable") for name in SWITCHES]
    ask = gl_function(ctx, "glGetIntegerv", None, u32, ctypes.POINTER(i32))
    place, depth, mode, colours, depths = found = [(i32 * 4)() for _ in range(5)]
    for name, answer in zip((GL_VIEWPORT, GL_DEPTH_FUNC, GL_POLYGON_MODE, *WRITE_MASKS), found, strict=True):
        ask(name, answer)
    compare, fill = (gl_function(ctx, name, None, *[u32] * n) for name, n in (("glDepthFunc", 1), ("glPolygonMode", 2)))
    compare(GL_LEQUAL)
    fill(GL_FRONT_AND_BACK, GL_FILL)
    ctx.enable_only(moderngl.NOTHING)
    clear_samplers(ctx)
    try:
        yield
    finally:
        if before is not None:
            before.use()
        for target, number in numbers:
            bind(target, number)
        gl_function(ctx, "glViewport", None, i32, i32, i32, i32)(*place)
        for name, switch in switches:
            gl_function(ctx, switch, None, u32)(name)
        compare(depth[0])
        fill(GL_FRONT_AND_BACK, mode[0])
        flag = ctypes.c_ubyte
        gl_function(ctx, "glColorMask", None, flag, flag, flag, flag)(*colours)
        gl_function(ctx, "glDepthMask", None, flag)(depths[0])


@contextmanager
def kept_bindings(ctx: moderngl.Context, block: int, unit: int) -> Iterator[None]:
    """Afterwards restore the uniform buffer of a block and the 2D array of a texture unit, which a host's shaders may
    read next."""
    u32 = ctypes.c_uint
    select, bind_texture, bind_buffer = (
        gl_function(ctx, name, None, *[u32] * n)
        for name, n in (("glActiveTexture", 1), ("glBindTexture", 2), ("glBindBufferBase", 3))
    )
    active = gl_number(ctx, "glGetIntegerv", GL_ACTIVE_TEXTURE)
    buffer = gl_number(ctx, "glGetIntegeri_v", GL_UNIFORM_BUFFER_BINDING, block)
    select(GL_TEXTURE0 + unit)
    texture = gl_number(ctx, "glGetIntegerv", GL_TEXTURE_BINDING_2D_ARRAY)
    try:
        yield
    finally:
        bind_buffer(GL_UNIFORM_BUFFER, block, buffer)
        select(GL_TEXTURE0 + unit)
        bind_texture(GL_TEXTURE_2D_ARRAY, texture)
        select(active)


class _OwnHandles:
    """The handles that make a context current. A context of an unknown loader has none: its host must keep it current,
    as it is at the first call."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.system = window_system(type(ctx.mglo._context).__module__)
        self.handles: Handles = _present_contexts()
        if self.system is not None:
            with host_restored():
                ctx.mglo.__enter__()
                self.handles = self.system.current()
            if self.handles[-1] is None:
                raise ContextError(NOT_CURRENT)

    @property
    def are_current(self) -> bool:
        """Whether the context is current in this thread."""
        if self.system is None:
            return _present_contexts() == self.handles
        return self.system.context() == self.handles[-1]


class WindowSystem:
    """EGL, GLX or WGL: functions that return and set the current display, drawables and context of a thread."""

    def __init__(self, library: str, setter: str, prefix: str, names: tuple[str, ...]) -> None:
        entries, handle, u32 = ctypes.CDLL(library), ctypes.c_void_p, ctypes.c_uint
        surfaces = iter((EGL_DRAW, EGL_READ))
        self._getters: list[Callable[[], int | None]] = []
        for name in names:
            if name == "Surface":
                self._getters.append(partial(GL_CALL(handle, u32)((prefix + name, entries)), next(surfaces)))
            else:
                self._getters.append(GL_CALL(handle)((prefix + name, entries)))
        self.context = self._getters[-1]
        self.set_current: Callable[..., int] = GL_CALL(u32, *[handle] * len(names))((setter, entries))

    def current(self) -> Handles:
        """Return all current handles, the context last."""
        return tuple(get() for get in self._getters)

    def clear(self) -> None:
        """Leave the thread without a current context of this system."""
        display, *others = self.current()
        if others[-1]:
            self.set_current(display, *[None] * len(others))


@cache
def window_system(name: str) -> WindowSystem | None:
    """Return a window system by the name that glcontext gives it; None where it is unknown or absent."""
    try:
        return WindowSystem(*WINDOW_SYSTEMS[name])
    except (KeyError, OSError):
        return None


def _window_systems() -> Iterator[WindowSystem]:
    return filter(None, map(window_system, ("wgl",) if sys.platform == "win32" else ("egl", "x11")))


def _present_contexts() -> Handles:
    """Return the current context of each window system of this platform."""
    return tuple(system.context() for system in _window_systems())


@contextmanager
def host_restored() -> Iterator[None]:
    """Let contexts of our own be current, and afterwards restore the context of the host program. In between, no other
    context is current, because those of two window systems can't be current together."""
    before = [(system, system.current()) for system in _window_systems() if system.context() is not None]
    for system, _ in before:
        system.clear()
    try:
        yield
    finally:
        for system in _window_systems():
            system.clear()
        for system, handles in before:
            system.set_current(*handles)


# -- Resources ---------------------------------------------------------------------------------------------------------


Resource = TypeVar(
    "Resource", moderngl.Texture, moderngl.TextureArray, moderngl.Texture3D, moderngl.Renderbuffer, moderngl.Buffer
)


def labelled(label: str, resource: Resource) -> Resource:
    """Return the resource with a label, which debuggers, `doctor` and the panel show. Raises AllocationError when the
    GPU has no memory for it, which OpenGL reports only at the first use after the allocation."""
    try:
        resource.label = label
    except moderngl.Error as error:
        if hex(GL_OUT_OF_MEMORY) not in str(error):
            raise
        extent = resource.size
        size = f"{extent} bytes" if isinstance(extent, int) else " x ".join(map(str, extent))
        resource.release()
        remedies = ["a smaller picture", "a smaller fft.size", "fewer cascades (--set cascades.count=1)"]
        if isinstance(resource, moderngl.TextureArray):  # the sea's arrays
            remedies.append(remedies.pop(0))
        advice = f"{', '.join(remedies[:-1])} or {remedies[-1]}"
        raise AllocationError(f"the GPU has no memory left for {label!r}, {size}; choose {advice}") from error
    return resource


Sampled = TypeVar("Sampled", moderngl.Texture, moderngl.TextureArray)


def clamped(label: str, texture: Sampled) -> Sampled:
    """Return the texture with a label. Reads beyond its edges return the values at the edges."""
    texture.repeat_x = texture.repeat_y = False
    return labelled(label, texture)


class Releasable(Protocol):
    def release(self) -> None: ...


def release_all(*resources: Releasable | None) -> None:
    for resource in resources:
        if resource is not None:
            resource.release()


def release_made(owner: object, *names: str) -> None:
    """Release the parts that cached properties of an object have made; their next use makes them again."""
    for name in names:
        release_all(vars(owner).pop(name, None))


def release_framebuffer(framebuffer: moderngl.Framebuffer) -> None:
    """Release a framebuffer and its attachments. moderngl binds the last framebuffer again later, so a framebuffer is
    unbound before its release."""
    (framebuffer.ctx.screen or framebuffer.ctx.detect_framebuffer(0)).use()
    release_all(*framebuffer.color_attachments, framebuffer.depth_attachment, framebuffer)


def is_alive(resource: Any) -> bool:
    """Return whether a context or a resource has not been released."""
    return not isinstance(resource.mglo, moderngl.InvalidObject)


def readback_buffer(ctx: moderngl.Context, size: int) -> moderngl.Buffer:
    """Return a buffer in memory that the CPU reads fast (GL_STREAM_READ), as the target of copies. Mapping a buffer
    that a shader writes is slow: drivers fetch it after all queued work. moderngl lacks this usage."""
    buffer = labelled("read back", ctx.buffer(reserve=size))
    u32 = ctypes.c_uint
    gl_function(ctx, "glBindBuffer", None, u32, u32)(GL_COPY_WRITE_BUFFER, buffer.glo)
    allocate = gl_function(ctx, "glBufferData", None, u32, ctypes.c_ssize_t, ctypes.c_void_p, u32)
    allocate(GL_COPY_WRITE_BUFFER, size, None, GL_STREAM_READ)
    return buffer


class Fence:
    """The end of the commands that the GPU's command stream has at construction. It can be polled without waiting."""

    def __init__(self, ctx: moderngl.Context) -> None:
        u32, handle = ctypes.c_uint, ctypes.c_void_p
        self.ctx = ctx
        self._wait = gl_function(ctx, "glClientWaitSync", u32, handle, u32, ctypes.c_uint64)
        self._delete = gl_function(ctx, "glDeleteSync", None, handle)
        self._sync = gl_function(ctx, "glFenceSync", handle, u32, u32)(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
        if self._sync is None:
            refuse_lost(ctx)
            raise RuntimeError("the driver makes no fence; is the GPU's memory full?")
        self._flush = GL_SYNC_FLUSH_COMMANDS_BIT  # only once: a flush costs more CPU time than a poll

    @property
    def passed(self) -> bool:
        """True if all commands before the fence are done. Never waits."""
        return self._passed_within(0)

    def wait(self) -> None:
        """Wait until all commands before the fence are done. Raises DeviceLostError when the GPU was reset, or has not
        done them after `HANGS_AFTER`."""
        end = time.monotonic() + (math.inf if is_software(self.ctx) else HANGS_AFTER)
        while not self._passed_within(WAIT_NS):
            refuse_lost(
                self.ctx, "" if time.monotonic() < end else f"the GPU did not end its work in {HANGS_AFTER:g} s"
            )

    def _passed_within(self, nanoseconds: int) -> bool:
        if self._sync is None:
            return True
        answer = self._wait(self._sync, self._flush, nanoseconds)
        self._flush = 0
        if answer == GL_WAIT_FAILED:
            refuse_lost(self.ctx)
            raise RuntimeError("can't wait for the GPU's fence; is this the thread of its context?")
        if answer == GL_TIMEOUT_EXPIRED:
            return False
        self.release()
        return True

    def release(self) -> None:
        if self._sync is not None:
            self._delete(self._sync)
            self._sync = None


def drain(ctx: moderngl.Context) -> None:
    """Wait like glFinish until the GPU has done all commands, but not for ever; see `Fence.wait`."""
    Fence(ctx).wait()


def refuse_lost(ctx: moderngl.Context, hangs: str = "") -> None:
    """Raise DeviceLostError if the driver reports that the GPU was reset, or if this call or an earlier one found that
    it hangs; `hangs` then says so in words."""
    watch = of_context(ctx, _Watch)
    if cause := RESETS.get(watch.status()):
        watch.lost = watch.lost or f"the GPU was reset {cause}"
    watch.lost = watch.lost or hangs
    if watch.lost:
        raise DeviceLostError(f"{watch.lost}; a newer driver, a smaller picture or a smaller fft.size may help")


def is_lost(ctx: moderngl.Context) -> bool:
    """Return whether the GPU was reset or hangs, as far as `refuse_lost` has found."""
    return bool(of_context(ctx, _Watch).lost)


class _Watch:
    """How a context's GPU was lost, in words, and the function that asks the driver (0: it was not reset)."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.lost = ""
        self.status: Callable[[], int] = lambda: 0
        if ctx.version_code >= 450 or "GL_KHR_robustness" in ctx.extensions:
            self.status = gl_function(ctx, "glGetGraphicsResetStatus", ctypes.c_uint)
        elif "GL_ARB_robustness" in ctx.extensions:
            self.status = gl_function(ctx, "glGetGraphicsResetStatusARB", ctypes.c_uint)
