"""Facts of this machine, for the diagnosis of failures."""

import platform
from collections.abc import Callable

import moderngl

from ocean import __version__, fft
from ocean.common.facts import package_version
from ocean.gpu.context import ContextError, drain, headless_context, is_software, limits, platform_hint, try_backends
from ocean.gpu.memory import memory_lines
from ocean.gpu.timing import try_clocks
from ocean.render.frame import FrameRenderer
from ocean.settings import USUAL_SIZES, Settings

PACKAGES = ("moderngl", "moderngl-window", "glcontext", "numpy", "scipy", "pyrr", "imgui-bundle", "pydantic")


def report(say: Callable[[str], object], settings: Settings | None = None) -> None:
    """Report the facts line by line, and for settings also the GPU memory of a frame."""
    say(f"ocean {__version__}, Python {platform.python_version()}, {platform.platform()}")
    say("packages: " + ", ".join(f"{name} {package_version(name) or 'missing'}" for name in PACKAGES))
    context, attempts = try_backends(headless_context)
    for attempt in attempts:
        say(f"context: {attempt}")
    if context is None:
        raise ContextError(f"No OpenGL 4.3 context could be made. {platform_hint()}")
    info, bounds = context.info, limits(context)
    say(f"vendor: {info['GL_VENDOR']}")
    say(f"renderer: {info['GL_RENDERER']}{' (software)' if is_software(context) else ''}")
    say(f"version: {info['GL_VERSION']}")
    say(
        f"limits: {bounds.invocations} invocations per group, {bounds.shared_memory // 1024} KiB shared memory, "
        f"{bounds.groups} groups, textures to {bounds.texture_size}"
    )
    trial = try_clocks(context)
    say(f"timers: {trial.clock} clock. {trial.reason}")
    for name in fft.BACKENDS:
        sizes: dict[str, list[str]] = {}  # sizes by obstacle, "" for none
        for size in (16, 32, *USUAL_SIZES):
            reason = fft.obstacle(context, name, size) or ""
            sizes.setdefault(reason.removesuffix(f", not {size}"), []).append(str(size))
        say(f"{name}: {', '.join(sizes.pop('', ['no size']))}")
        for reason, refused in sizes.items():
            say(f"  not {', '.join(refused)}: {reason}")
    if settings:
        renderer = FrameRenderer(context, settings, (settings.window.width, settings.window.height))
        allocate(context, renderer)
        say(f"memory at {settings.fft.size} x {settings.fft.size}, {settings.window.width} x {settings.window.height}:")
        for line in memory_lines(context):
            say(line)
        renderer.release()
    context.release()


def allocate(context: moderngl.Context, renderer: FrameRenderer) -> None:
    """Let a frame allocate its memory and draw nothing: on a software renderer drawing takes minutes."""
    nothing = context.query(samples=True)
    with nothing:
        pass
    drain(context)
    skipping = nothing.crender
    assert skipping is not None
    with skipping:  # draws and dispatches are skipped, since no sample passed
        renderer.render(0.0)
