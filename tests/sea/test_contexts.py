"""A sea in somebody else's program: it works in its own context, and touches none of the program's state."""

import copy
import ctypes
import gc
import math
import threading
import weakref
from functools import partial

import moderngl
import numpy as np
import pytest

from ocean import fft, predicted_height, render_picture
from ocean.export.sources import own_context
from ocean.gpu.bindings import Sampler
from ocean.gpu.context import (
    ContextError,
    create_headless_context,
    current,
    gl_function,
    gl_number,
    is_alive,
    window_system,
)
from ocean.gpu.shaders import shader_library, shader_source
from ocean.sea.base import query_points
from ocean.sea.host import HostSea
from ocean.sea.query import highest_crest
from ocean.sea.sea import Sea
from ocean.settings import load_settings, with_values

TINY = ("fft.size=16", "foam.resolution=64", "cascades.count=1")
X, Z = np.meshgrid(np.linspace(0, 50, 5), np.linspace(0, 50, 5))


@pytest.fixture
def two_contexts(context):
    """Yield two contexts; the second one is current."""
    both = create_headless_context(), create_headless_context()
    yield both
    for ctx in filter(is_alive, both):
        with current(ctx):
            shader_library(ctx).release()
        ctx.release()
    context.__enter__()  # the context of the session


def sea_in(ctx, speed):
    return Sea(ctx, load_settings(overrides=[*TINY, f"sea.wind.speed={speed}"]))


def alone(ctx, speed):
    """Return the heights of a sea that shares its context with nothing."""
    sea = sea_in(ctx, speed)
    sea.update(3.0)
    heights = sea.fields()["height"], sea.height(X, Z)
    sea.release()
    return heights


def test_seas_in_two_contexts_give_their_own_heights(context, two_contexts):
    with current(context):
        expected = [alone(context, speed) for speed in (5, 20)]
    first, second = seas = [sea_in(ctx, speed) for ctx, speed in zip(two_contexts, (5, 20), strict=True)]
    first.update(3.0)
    query = first.query(X, Z, velocity=False)
    second.update(1.0)
    for _ in first.catch_up(3.0):
        pass
    for speed in (8, 20):
        second.apply(load_settings(overrides=[*TINY, f"sea.wind.speed={speed}"]))
    second.update(3.0)
    assert highest_crest(first, 0, 0) != highest_crest(second, 0, 0)
    np.testing.assert_array_equal(query.result().height, first.height(X, Z))
    with pytest.raises(ValueError, match="context"):
        first.evolve_into(second.storage)
    for sea, (field, heights) in zip(seas, expected, strict=True):
        np.testing.assert_array_equal(sea.fields()["height"], field)
        np.testing.assert_array_equal(sea.height(X, Z), heights)
        sea.release()


def test_transforms_work_in_their_own_context(two_contexts):
    own, host = two_contexts
    fields = np.random.default_rng(1).standard_normal((2, 64, 64)).astype("c8")
    cube, expected = fields.real.reshape(32, 16, 16), np.fft.fft2(fields)

    def transforms(ctx):
        layers = fft.FieldLayers(ctx, 64, 1)
        plan = fft.plan(ctx, "stockham-shared", layers)
        layers.write(fields)
        plan.forward()
        yield layers.read()
        plan.release()
        layers.release()
        yield np.fft.fft2(np.fft.ifftn(fft.fftn(ctx, cube)).real.reshape(fields.shape))

    for ctx in (own, host):  # equal names of programs in both
        with current(ctx):
            fft.transform(ctx, fields)
            list(transforms(ctx))
    assert window_system("egl").context() is not None  # that of `host`
    for found in transforms(own):
        np.testing.assert_allclose(found, expected, atol=1e-3)
    with pytest.raises(fft.FFTError, match="another OpenGL context"):
        fft.plan(host, "auto", layers := fft.FieldLayers(own, 64, 1))
    layers.release()


def test_kernels_that_no_plan_uses_are_bounded_and_can_be_cleared(two_contexts, monkeypatch):
    monkeypatch.setattr("ocean.gpu.shaders.MOST_KERNELS", 4)
    _, host = two_contexts
    library, line = shader_library(host), np.arange(200.0, dtype="f4")
    for length in range(33, 40):
        layers = fft.FieldLayers(host, (1, length), 1, 1)
        fft.plan(host, "bluestein", layers, axes=(fft.ROWS,)).release()
        layers.release()
    assert len(library) == len(library.files) == 4
    layers = fft.FieldLayers(host, 64, 1)
    plan = fft.plan(host, "stockham-shared", layers)
    fft.clear_kernels(host)
    assert {kernel.glo for kernel in plan.transforms[0].kernels + plan.transforms[1].kernels} == {
        program.glo for program in library.programs.values()
    }
    np.testing.assert_allclose(fft.fft(host, line), np.fft.fft(line), atol=0.05)
    assert host.error == "GL_NO_ERROR"


CALLS = {
    "apply": lambda sea: sea.apply(load_settings(overrides=[*TINY, "sea.wind.speed=9"])),
    "begin": lambda sea: sea.begin(2.0),
    "update": lambda sea: sea.update(2.0),
    "catch_up": lambda sea: list(sea.catch_up(2.0)),
    "bind": lambda sea: sea.bind(),
    "fields": lambda sea: sea.fields(),
    "potential": lambda sea: sea.potential(),
    "surface": lambda sea: sea.surface(X, Z),
    "ready": lambda sea: sea.query(X, Z).ready,
    "fft2": lambda sea: fft.fft2(sea.ctx, X),
    "release": lambda sea: sea.release(),
}


def test_an_export_leaves_the_hosts_context_current(two_contexts):
    egl = window_system("egl")
    before = egl.current()
    with own_context("gpu") as ctx:
        assert egl.current() != before
        sea_in(ctx, 5).release()
    assert egl.current() == before


def test_the_host_keeps_its_current_context_and_its_extra(two_contexts):
    own, host = two_contexts
    own.extra = host.extra = "of the host"
    egl = window_system("egl")
    before = egl.current()
    sea = sea_in(own, 5)
    sea.update(1.0)
    for name, call in CALLS.items():
        call(sea)
        assert egl.current() == before, name
    egl.clear()
    sea = sea_in(own, 5)
    assert egl.context() is None
    sea.release()
    assert own.extra == host.extra == "of the host"


def test_samplers_of_the_host_change_no_foam(make_sea, ctx):
    sea = make_sea("sea.wind.speed=18")
    sea.update(0.0)
    sea.update(1.0)
    activate = gl_function(ctx, "glActiveTexture", None, ctypes.c_uint)
    foam, sampler = sea.foam.read(), ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))
    assert foam.any()
    for time in (0.0, 1.0):
        for unit in Sampler:
            sampler.use(unit)
        sea.update(time)
    for unit in Sampler:
        activate(0x84C0 + unit)
        assert gl_number(ctx, "glGetIntegerv", 0x8919) == 0  # the unit's sampler
    sampler.release()
    np.testing.assert_array_equal(sea.foam.read(), foam)


@pytest.mark.parametrize("size", [64, 256])
def test_queries_leave_what_a_hosts_shader_reads(make_sea, ctx, size):
    source = """#version 430
#include "surface/sea.glsl"
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Answer { vec4 moved; };
void main() { moved = vec4(sea_displacement(vec2(3.0, 4.0), 0.1), 1.0); }
"""
    sea, answer = make_sea(f"fft.size={size}"), ctx.buffer(reserve=16)
    program = ctx.compute_shader(shader_source(source))
    sea.update(1.0)

    def look():
        answer.bind_to_storage_buffer(0)
        program.run()
        return answer.read()

    sea.bind()
    sea.maps.use(Sampler.MAPS)
    sea.filtered.use(Sampler.FILTERED)
    before = look()
    assert np.frombuffer(before, "f4")[:3].any()
    sea.surface(500.0, 300.0)
    after = look()
    program.release()
    answer.release()
    assert after == before


def test_a_context_that_another_thread_uses_is_refused(two_contexts):
    own, _ = two_contexts
    caught = []

    def use():
        try:
            sea_in(own, 5)
        except ContextError as error:
            caught.append(str(error))

    with current(own):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert own.buffer(b"1234").read() == b"1234"
    assert ["another thread" in text for text in caught] == [True]


def test_contexts_of_unknown_loaders_are_left_to_their_host(two_contexts):
    other, host = two_contexts

    class Loader:
        def load_opengl_function(self, name):
            return host.mglo._context.load_opengl_function(name)

    ctx = moderngl.create_context(context=Loader(), require=430)
    sea = sea_in(ctx, 5)
    sea.update(1.0)
    assert np.isfinite(sea.height(X, Z)).all()
    with current(other), pytest.raises(ContextError, match="is not current"):
        sea.fields()
    sea.release()


@pytest.mark.parametrize("make", [lambda ctx, settings: Sea(ctx, settings), lambda ctx, settings: HostSea(settings)])
def test_a_released_sea_says_so(two_contexts, make):
    with make(two_contexts[0], load_settings(overrides=TINY)) as sea:
        sea.update(1.0)
    sea.release()
    refused = [call for name, call in CALLS.items() if name != "release" and hasattr(type(sea), name)]
    for call in (*refused, lambda sea: sea.height(0, 0), lambda sea: sea.start_waves(0.0)):
        with pytest.raises(RuntimeError, match="released"):
            call(sea)


def test_released_contexts_plans_and_fields_say_so(two_contexts):
    ctx = two_contexts[1]
    sea, fields = sea_in(ctx, 5), fft.FieldLayers(ctx, 16, 1)
    plan = fft.plan(ctx, "stockham-shared", fields)
    again = partial(fft.plan, ctx, "auto", fields)
    for part, calls in ((plan, (plan.forward, plan.inverse)), (fields, (fields.read, again))):
        part.release()
        part.release()
        for call in calls:
            with pytest.raises(RuntimeError, match="released"):
                call()
    ctx.release()
    for call in (
        lambda: sea.update(0.0),
        lambda: sea_in(ctx, 5),
        lambda: fft.fft(ctx, X),
        lambda: fft.FieldLayers(ctx, 16, 1),
        lambda: render_picture(sea.settings, size=(16, 16), ctx=ctx),
    ):
        with pytest.raises(ContextError, match="released"):
            call()
    sea.release()


def test_a_dropped_sea_warns(two_contexts):
    sea_in(two_contexts[0], 5)
    with pytest.warns(ResourceWarning, match="release"):
        gc.collect()


WRONG = {
    "time": lambda sea: sea.update("1"),
    "1e\\+12": lambda sea: sea.update(1e300),
    "focus of a sea is two": lambda sea: sea.update(0.0, (1, 2, 3)),
    "focus .* up to": lambda sea: sea.update(0.0, (1e300, 0)),
    "blend": lambda sea: sea.apply(sea.settings, blend=math.nan),
    "blend .* not None": lambda sea: sea.apply(with_values(sea.settings, {"sea.wind.speed": 3.0}), blend=None),
    "blend .* 1e\\+12": lambda sea: sea.apply(with_values(sea.settings, {"sea.wind.speed": 3.0}), 10**400),
    "elapsed": lambda sea: sea.begin(0.0, elapsed=-1.0),
    "x holds 1e\\+300": lambda sea: sea.height(1e300, 0),
    "a Sea .*not NoneType": lambda sea: highest_crest(None, 0, 0),
    "one point.*1, 2": lambda sea: highest_crest(sea, [1, 2], 0),
    "x must be numbers, not 'a'": lambda sea: sea.height("a", 0),
    "moving must be numbers": lambda sea: sea.series(0.0, 0.0, [0.0], moving="ab"),
    "size of fields must": lambda sea: fft.FieldLayers(sea.ctx, "16", 1),
    "height and a width": lambda sea: fft.FieldLayers(sea.ctx, (16, 16, 1), 1),
    "target a Callback": lambda sea: fft.plan(ctx=sea.ctx, backend="auto", fields=sea.storage, target=sea),
    "axis 2147483648 is out": lambda sea: fft.fft(sea.ctx, X, axis=2**31),
    "need .* GiB of memory": lambda sea: fft.fft(sea.ctx, X, n=10**12),
    "need 37252902.* GiB": lambda sea: fft.fft2(None, X, "numpy", s=(10**400, 4)),
    "rows of several lengths": lambda sea: fft.rfft(None, [[1.0], [1.0, 2.0]], "numpy"),
    "scale .*0000": lambda sea: fft.plan(sea.ctx, "auto", sea.storage, scale=10**400),
    "axes .* \\[\\[1\\]\\]": lambda sea: fft.plan(sea.ctx, "auto", sea.storage, axes=[[1]]),
    "size must be an integer, not '16'": lambda sea: fft.obstacle(sea.ctx, "auto", "16"),
    "norm": lambda sea: fft.fft(sea.ctx, X, norm=X),
    "lengths must": lambda sea: fft.fftn(sea.ctx, X, s=3.0),
    "at least one element": lambda sea: fft.irfftn(sea.ctx, X, s=(), axes=(0, 1)),
    "can't be copied": lambda sea: copy.copy(sea),
    "overrides are texts": lambda sea: load_settings(overrides=[1]),
    "texts .* not None": lambda sea: load_settings(overrides=[None]),
    "texts .* not 5": lambda sea: load_settings(overrides=5),
    "layers are names .* not 'depth'": lambda sea: render_picture(sea.settings, layers="depth"),
    "layers .* not \\(\\[\\],\\)": lambda sea: render_picture(sea.settings, layers=([],)),
    "settings.sea.systems, not Settings": lambda sea: predicted_height(sea.settings),
    "layers .* not 5": lambda sea: render_picture(sea.settings, layers=5),
    "axes must be .* not 5": lambda sea: fft.plan(sea.ctx, "auto", sea.storage, axes=5),
    "name of a preset": lambda sea: load_settings(1),
    "preset .* not None": lambda sea: load_settings(None),
    r"unknown setting \\x1b\\n = 1": lambda sea: with_values(sea.settings, {"\x1b\n": 1}),
    "key path": lambda sea: with_values(sea.settings, {1: 1}),
    "expected Settings, not str": lambda sea: with_values("gale", {}),
    "time .*None": lambda sea: list(sea.catch_up(None)),
    "scale": lambda sea: fft.plan(sea.ctx, "auto", sea.storage, scale=math.nan),
    "LAYERS .* not \\(0, 0\\)": lambda sea: fft.plan(sea.ctx, "auto", sea.storage, axes=(0, 0)),
    "numbers .* not <U1": lambda sea: sea.storage.write(sea.storage.read().astype("U1")),
    "layers must .* the sea's storage": lambda sea: sea.evolve_into(None),
    "FieldLayers or FieldBuffers": lambda sea: fft.plan(sea.ctx, "auto", None),
    "FFT backend 'none'": lambda sea: fft.refuse_obstacle(sea.ctx, "none", 64, {}),
    "times .*\\[\\]": lambda sea: sea.series(0.0, 0.0, []),
    "times .*ascending": lambda sea: sea.series(0.0, 0.0, [2.0, 1.0]),
    "moving": lambda sea: sea.series(0.0, 0.0, [0.0, 1.0], moving=(1.0,)),
    "moving .*inf": lambda sea: sea.series(0.0, 0.0, [0.0, 1.0], moving=(1.0, math.inf)),
    "backend 3": lambda sea: fft.fft(sea.ctx, X, 3),
    "expected a moderngl.Context, not int": lambda sea: fft.fft(3, X),
    "time .*nan": lambda sea: render_picture(sea.settings, time=math.nan),
    "size": lambda sea: render_picture(sea.settings, size=(64,)),
    "expected a moderngl.Context, not str": lambda sea: render_picture(sea.settings, ctx="egl"),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_arguments_are_refused_by_name_and_change_nothing(make_sea, words):
    sea = make_sea(*TINY)
    sea.update(1.0)
    before = sea.fields()["height"]
    with pytest.raises((ValueError, TypeError), match=words):
        WRONG[words](sea)
    np.testing.assert_array_equal(sea.fields()["height"], before)


def test_fields_wait_for_the_next_update_after_a_change(make_sea):
    sea = make_sea(*TINY)
    sea.update(1.0)
    sea.apply(with_values(sea.settings, {"fft.size": 32}))
    for ask in (sea.fields, sea.potential, lambda: sea.maps, lambda: sea.filtered):
        with pytest.raises(RuntimeError, match="updated"):
            ask()


def test_the_focus_may_be_an_array(make_sea):
    sea, twin = make_sea(*TINY), make_sea(*TINY)
    for time in (1.0, 2.0):
        sea.update(time, np.array([30.0, -4.0]))
        twin.update(time, (30.0, -4.0))
    np.testing.assert_array_equal(sea.foam.read(), twin.foam.read())


def test_heights_of_many_points_are_found_in_parts(make_sea, monkeypatch):
    monkeypatch.setattr("ocean.sea.base.MOST_POINTS", 7)
    for sea in (make_sea(*TINY), HostSea(load_settings(overrides=TINY))):
        sea.update(1.0)
        each = [[sea.height(x, z) for x, z in zip(*row, strict=True)] for row in zip(X, Z, strict=True)]
        np.testing.assert_allclose(sea.height(X, Z), each, atol=1e-4)
        with pytest.raises(ValueError, match="at most 7 points"):
            sea.surface(X, Z)


def test_too_many_points_are_counted_before_their_values_are_looked_at():
    """Only the first value takes memory, and it is wrong, too."""
    many = np.broadcast_to(np.float32(np.nan), 10**12)
    with pytest.raises(ValueError, match="points, not 1000000000000"):
        query_points(many, 0.0)


@pytest.mark.parametrize("name", ["x", "z"])
def test_ragged_points_are_refused_by_name(name):
    with pytest.raises(ValueError, match=f"{name} must be an array"):
        query_points(**({"x": 0.0, "z": 0.0} | {name: [[1.0, 2.0], [3.0]]}))


def test_a_sea_whose_context_is_gone_releases_nothing_of_another(two_contexts):
    own, host = two_contexts
    buffers = [host.buffer(b"host") for _ in range(100)]  # OpenGL names these like objects of the sea
    sea = sea_in(own, 5)
    own.release()
    sea.release()
    assert all(buffer.read() == b"host" for buffer in buffers)


@pytest.mark.usefixtures("two_contexts")
def test_a_dropped_context_is_not_kept_alive():
    ctx = create_headless_context()
    sea = sea_in(ctx, 5)
    sea.update(1.0)
    sea.release()
    ctx.release()
    kept = weakref.ref(ctx)
    del ctx, sea
    gc.collect()
    assert kept() is None
