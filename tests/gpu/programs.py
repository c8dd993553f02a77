"""Every program of the product: settings are applied one after another, and no frame is computed.

`test_portable.py` checks that each line of each shader is in one of the programs.
"""

from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import patch

import moderngl

from ocean import fft
from ocean.capture.run import ReferenceWork
from ocean.common.resources import config
from ocean.fft.comparison import CopyKernel
from ocean.fft.textbook import NumpyTransform
from ocean.gpu.context import limits
from ocean.gpu.shaders import CORNERS, Program, Recipe, ShaderLibrary, shader_library
from ocean.render.frame import FrameRenderer
from ocean.render.surface import ATOMIC64, Surface
from ocean.render.truth import ground_truth
from ocean.sea import maps
from ocean.sea.sea import Sea
from ocean.settings import Settings, SettingsError, load_settings, merge, parse_override, settings_from
from ocean.settings.vocabulary import settings_by_key, values
from tools.papers.lines import RootsOfUnity

from ..fft.samples import every_value

SMALL = "fft.size=64", "foam.resolution=64", "cascades.count=2"
CLOUDY = "sky.plain=false", "sky.clouds=0.5", "sky.veil=0.5"
SCENES = (  # overrides; whether the hardware's raster draws, and whether the GPU has 64-bit atomics
    (("view.samples=1",), True, False),
    (("view.samples=1", "view.anisotropy=4", "view.dive=100", "buoy.show=true", *CLOUDY), False, True),
    (("view.samples=1", "view.altitude=900", "buoy.show=true", *CLOUDY), False, False),
    (("view.samples=4", "foam.spray=1", *CLOUDY), False, False),
    (("view.samples=2", "view.anisotropy=4", "view.dive=100", "buoy.show=true", "sky.plain=false"), False, True),
)
ALIKE = "fft.size", "fft.options", "foam.resolution", "cascades.count"  # other tests take their values, or other scenes


def nothing(*_: Any, **__: Any) -> None:
    """Stand for a dispatch or a draw."""


class NoKernel:
    """A kernel that is not compiled."""

    run = run_indirect = release = nothing
    mglo: Any = None
    ctx = SimpleNamespace(memory_barrier=nothing)


NO_KERNEL: Any = NoKernel()


class Programs(dict[Recipe, Program | None]):
    """The recipes of all programs that are asked for inside `with`, each with its program; None for programs that this
    GPU lacks an extension for, or that are made while `links` is False. Nothing is dispatched or drawn. The shader
    library of the context owns the programs."""

    def __init__(self) -> None:
        self.links = True
        self._patches = ExitStack()

    def __enter__(self) -> Self:
        honest = ShaderLibrary.compiled

        def compiled(library: ShaderLibrary, recipe: Recipe) -> Any:
            foreign = dict(recipe.defines).get("ATOMIC64") and not library.ctx.extensions >= ATOMIC64
            if foreign or not self.links:
                self.setdefault(recipe, None)
                return NO_KERNEL
            made = self[recipe] = honest(library, recipe)
            return made

        enter = self._patches.enter_context
        enter(patch.object(ShaderLibrary, "compiled", compiled))
        enter(patch.multiple(moderngl.ComputeShader, run=nothing, run_indirect=nothing))
        enter(patch.multiple(moderngl.VertexArray, render=nothing, render_indirect=nothing))
        enter(patch.object(NumpyTransform, "run", nothing))  # its input was never written
        return self

    def __exit__(self, *_: object) -> None:
        self._patches.close()


def is_drawn_by(hardware: bool, settings: Settings) -> bool:
    """Stand for `Surface.is_drawn_by_hardware` on a GPU that the test chooses."""
    return hardware and bool(settings.view.samples == settings.view.anisotropy == 1)


def every_program(ctx: moderngl.Context, folder: Path) -> Programs:
    """Return all programs. `folder` takes files of settings."""
    with Programs() as programs:
        make_pictures(ctx, folder)
        make_transforms(programs, ctx)
        make_others(ctx)
    return programs


def make_pictures(ctx: moderngl.Context, folder: Path) -> None:
    """Make the programs of pictures: each usual value of each setting, in a few scenes."""
    panorama = folder / "sky.hdr"
    panorama.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n" + bytes((128, 128, 128, 129)) * 32)
    words = (f"{key}={word}" for key, declared in settings_by_key().items() for word, _ in values(declared))
    changes = "view.x=0", f'sky.panorama="{panorama}"', *(word for word in words if not word.startswith(ALIKE))
    for scene, by_hardware, atomics in SCENES:
        with (
            patch("ocean.render.surface.ATOMIC64", frozenset() if atomics else ATOMIC64),
            patch.object(Surface, "is_drawn_by_hardware", partial(is_drawn_by, by_hardware)),
        ):
            base, known = load_settings(config("software"), overrides=(*SMALL, *scene)), set()
            renderer = FrameRenderer(ctx, base, (320, 180))
            renderer.backdrop.keeps_clouds = renderer.debug.counts_values = True
            for change in changes:
                with suppress(SettingsError):  # files that are missing, and values that exclude one another
                    settings = settings_from(merge(base, parse_override(change)))
                    if (key := renderer.programs_key(settings)) not in known:
                        known.add(key)
                        renderer.apply(settings)
                        renderer.render(0.0)
            renderer.backdrop.keeps_clouds = True
            renderer.render(1.0)
            ground_truth(renderer, ("foam",), lambda: None, 1.0)
            renderer.release()


def make_transforms(programs: Programs, ctx: moderngl.Context) -> None:
    """Make the kernels of all backends: for each storage, and with each value of each option alone and in a sea."""
    images, buffers = fft.FieldLayers(ctx, 64, 2), fft.FieldBuffers(ctx, (64, 512), 2, 1)
    storages = images, buffers, fft.FieldBuffers(ctx, (61, 60), 1, 1, double=True)
    sea = Sea(ctx, load_settings(overrides=SMALL))
    for backend in fft.BACKENDS:
        for options in ({}, *every_value(backend), *([{"halves": True}] if backend == "stockham-registers" else [])):
            programs.links = not options  # an option changes the code of a kernel, and none of its resources
            for storage, axis in product((buffers,) if options else storages, (fft.ROWS, fft.COLUMNS)):
                with suppress(fft.FFTError):  # a size or precision that the backend lacks
                    fft.plan(ctx, backend, storage, options, axes=(axis,)).release()
            with suppress(fft.FFTError):
                words = (f"fft.options.{name}={value}" for name, value in options.items())
                sea.apply(load_settings(overrides=[*SMALL, f"fft.backend={backend}", *words]))
    sea.release()
    programs.links = True
    primes = fft.FieldBuffers(ctx, (61, 31), 1, 1)
    fft.plan(ctx, "bluestein", primes, {"convolution": "rader"}).release()
    CopyKernel(images).release()
    RootsOfUnity(buffers).release()
    for storage in (*storages, primes):
        storage.release()


def make_others(ctx: moderngl.Context) -> None:
    """Make the programs of nonlinear waves, large seas, measurements, queries and the interface."""
    library = shader_library(ctx)
    for order, size in zip(range(2, 6), (64, 64, 64, 60), strict=True):
        words = f"fft.size={size}", "foam.resolution=64", "sea.dynamics=nonlinear", f"sea.order={order}"
        renderer = FrameRenderer(ctx, load_settings(overrides=words), (32, 24))
        renderer.measure(True)
        renderer.render(0.0)
        for at_rest in (False, True):
            renderer.sea.query([0.0], [0.0], velocity=True, at_rest=at_rest)
        renderer.release()
    with patch.object(maps, "limits", lambda ctx: replace(limits(ctx), storage_bytes=0)):
        Sea(ctx, load_settings(overrides=SMALL)).release()
    ReferenceWork(ctx).release()
    library.program(CORNERS, "common/busy.frag")
    library.program("ui/imgui.vert", "ui/imgui.frag")
