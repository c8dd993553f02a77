"""Shared fixtures: one headless context, and the rule that no test leaves a GL error or a GPU object behind."""

import gc
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import moderngl
import numpy as np
import platformdirs
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from ocean.cli import main
from ocean.fft.auto import use_cache
from ocean.gpu.context import ContextError, create_headless_context
from ocean.gpu.shaders import shader_library
from ocean.gpu.timing import BATCH_MS
from ocean.render import sky
from ocean.sea.sea import Sea
from ocean.settings import load_settings
from tests.objects import gl_objects

SMALL = ("fft.size=64", "foam.resolution=64")
COARSE = {"TRANSMITTANCE": (64, 16), "MULTIPLE": (16, 8), "SKY_VIEW": (16, 24), "AERIAL": (8, 16)}
COARSE |= {"ENVIRONMENT": 32, "SHADOW": 128}
"""Sizes of the tables of a sky with a sixteenth of their texels, which llvmpipe makes in less than a second."""

slow = [HealthCheck.too_slow]
hypothesis_settings.register_profile("untimed", deadline=None, suppress_health_check=slow)  # the machine may be busy
hypothesis_settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs, and what they start, ignore it


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Move the program's cache into a folder of the session, so that the user's tuned plans affect no test."""
    real, folder = platformdirs.user_cache_dir, tmp_path_factory.mktemp("cache")

    def cache_dir(*arguments: str, **options: object) -> str:
        return real(*arguments, **options) if "XDG_CACHE_HOME" in os.environ else str(folder)

    with patch.object(platformdirs, "user_cache_dir", cache_dir):
        yield


@pytest.fixture(scope="session", autouse=True)
def short_batches() -> Iterator[None]:
    """Take samples of times that are too short to mean much, of seas with little foam."""
    with patch.dict(BATCH_MS, wall=1.0), patch.multiple("ocean.bench.contest", BATCH=2, FOAM=64):
        yield


@pytest.fixture(scope="session")
def context() -> Iterator[moderngl.Context]:
    """Yield the context of the session. Tests use it through `ctx`."""
    try:
        context = create_headless_context()
    except ContextError as error:
        pytest.fail(f"tests need OpenGL: {error}")
    if os.environ.get("MESA_LOADER_DRIVER_OVERRIDE") == "zink":
        assert "zink" in context.info["GL_RENDERER"]
    yield context
    shader_library(context).release()
    context.release()


@pytest.fixture
def ctx(context: moderngl.Context) -> Iterator[moderngl.Context]:
    """Yield the shared context. The test fails if it leaves a GL error or an unreleased object."""
    assert context.error == "GL_NO_ERROR", "a GL error from before this test"
    before = gl_objects(context)
    yield context
    assert context.error == "GL_NO_ERROR"
    leaked = gl_objects(context) - before
    assert not leaked, f"GPU objects leaked: {dict(leaked)}"


@pytest.fixture
def releasing(ctx: moderngl.Context) -> Iterator[Callable[[Any], Any]]:
    """Return a function that returns its argument and releases it after the test, the last one first."""
    with ExitStack() as stack:
        yield lambda one: stack.callback(one.release) and one


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a random generator, whose seed pytest shows if a test fails: a new seed, or a fixed one in CI."""
    seed = 26 if os.environ.get("CI") else np.random.SeedSequence().entropy
    print(f"np.random.default_rng({seed})")
    return np.random.default_rng(seed)


@pytest.fixture
def make_sea(ctx: moderngl.Context, releasing: Callable[[Sea], Sea]) -> Callable[..., Sea]:
    """Return a function that makes small seas from overrides of the settings."""
    return lambda *overrides: releasing(Sea(ctx, load_settings(overrides=[*SMALL, *overrides])))


@pytest.fixture
def coarse_sky() -> Iterator[None]:
    with patch.multiple(sky, **COARSE):
        yield


@pytest.fixture(scope="session")
def ocean_here(context: moderngl.Context) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Return a function that runs the command line in this process, which takes a second less than a new process.
    Afterwards the context of the session is current again, and `auto` does not use the cache."""

    def run(*arguments: object, text: str = "") -> "subprocess.CompletedProcess[str]":
        words, out, err = ["ocean", *map(str, arguments)], io.StringIO(), io.StringIO()
        given = io.TextIOWrapper(io.BytesIO(text.encode()))
        with (
            patch.multiple(sys, argv=words, stdin=given, stdout=out, stderr=err),
            patch.dict(os.environ, COLUMNS="120"),
            pytest.raises(SystemExit) as left,
        ):
            main()
        use_cache(False)
        context.__enter__()
        return subprocess.CompletedProcess(words, int(left.value.code or 0), out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def hasty() -> Iterator[None]:
    with hasty_captures():
        yield


@contextmanager
def hasty_captures() -> Iterator[None]:
    """Skip plots of captures and measurements of their seas; each takes a second. Make a coarse sky."""
    nothing = SimpleNamespace(quantities=(), energies=None, fronts=None)
    with (
        patch("ocean.capture.run.measure", lambda *_: nothing),
        patch("ocean.capture.plots.write_timings", lambda path, *_: path.touch()),
        patch.multiple(sky, **COARSE),
    ):
        yield


def pytest_collection(session: pytest.Session) -> None:
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Limit garbage collection to objects made by tests: thousands of tests and imported modules stay to the end."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="make the golden pictures again")
