"""A sea in somebody else's program: it works in its own context, and touches none of the program's state."""

import gc
import threading
import weakref

import moderngl
import numpy as np
import pytest

from ocean import fft
from ocean.gpu.context import ContextError, create_headless_context, current, is_alive, window_system
from ocean.gpu.shaders import shader_library
from ocean.sea.query import highest_crest
from ocean.sea.sea import Sea
from ocean.settings import load_settings

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
    for sea, (field, heights) in zip(seas, expected, strict=True):
        np.testing.assert_array_equal(sea.fields()["height"], field)
        np.testing.assert_array_equal(sea.height(X, Z), heights)
        sea.release()


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
    _, host = two_contexts

    class Loader:
        def load_opengl_function(self, name):
            return host.mglo._context.load_opengl_function(name)

    ctx = moderngl.create_context(context=Loader(), require=430)
    sea = sea_in(ctx, 5)
    sea.update(1.0)
    assert np.isfinite(sea.height(X, Z)).all()
    sea.release()


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
