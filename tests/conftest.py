"""Shared fixtures: one headless context, and the rule that no test leaves a GL error or a GPU object behind."""

import gc
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from unittest.mock import patch

import moderngl
import numpy as np
import platformdirs
import pytest
from hypothesis import settings as hypothesis_settings

from ocean.cli import main
from ocean.fft.tuned import use_cache
from ocean.gpu.context import ContextError, create_headless_context
from ocean.gpu.shaders import shader_library
from ocean.gpu.stopwatch import BATCH_MS
from ocean.sea.sea import Sea
from ocean.settings import load_settings
from tests.objects import gl_objects

SMALL = ("fft.size=64", "foam.resolution=64")

hypothesis_settings.register_profile("untimed", deadline=None)  # other programs may have the processor
hypothesis_settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs, and what they start, ignore it


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Plans that the user has tuned change no test: the program's cache is a folder of the session's."""
    real, folder = platformdirs.user_cache_dir, tmp_path_factory.mktemp("cache")

    def cache_dir(*arguments: str, **options: object) -> str:
        return real(*arguments, **options) if "XDG_CACHE_HOME" in os.environ else str(folder)

    with patch.object(platformdirs, "user_cache_dir", cache_dir):
        yield


@pytest.fixture(scope="session", autouse=True)
def short_batches() -> Iterator[None]:
    """Take samples of times that are too short to mean much, of seas with little foam."""
    with patch.dict(BATCH_MS, wall=1.0), patch.multiple("ocean.bench.sea_passes", BATCH=2, FOAM=64):
        yield


@pytest.fixture(scope="session")
def context() -> Iterator[moderngl.Context]:
    """The context of the session; `ctx` is the one that tests ask for."""
    try:
        context = create_headless_context()
    except ContextError as error:
        pytest.fail(f"tests need OpenGL: {error}")
    yield context
    shader_library(context).release()
    context.release()


@pytest.fixture
def ctx(context: moderngl.Context) -> Iterator[moderngl.Context]:
    """The shared context; the test fails when it leaves a GL error behind, or an object that it did not release."""
    assert context.error == "GL_NO_ERROR", "a GL error from before this test"
    before = gl_objects(context)
    yield context
    assert context.error == "GL_NO_ERROR"
    leaked = gl_objects(context) - before
    assert not leaked, f"GPU objects leaked: {dict(leaked)}"


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, whose seed pytest shows of a test that fails: fresh ones, but in CI, which judges a change."""
    seed = 26 if os.environ.get("CI") else np.random.SeedSequence().entropy
    print(f"np.random.default_rng({seed})")
    return np.random.default_rng(seed)


@pytest.fixture
def make_sea(ctx: moderngl.Context) -> Iterator[Callable[..., Sea]]:
    """Makes small seas from overrides of the settings, and releases them."""
    seas: list[Sea] = []

    def make(*overrides: str) -> Sea:
        seas.append(Sea(ctx, load_settings(overrides=[*SMALL, *overrides])))
        return seas[-1]

    yield make
    for sea in seas:
        sea.release()


@pytest.fixture(scope="session")
def ocean_here(context: moderngl.Context) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Runs the command line in this process, a second sooner than in one of its own. A command's context stays current
    when it goes, and `auto` asks the cache: afterwards neither."""

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


@pytest.fixture(scope="module")
def hasty() -> Iterator[None]:
    """Leave out the plots of captures and what their seas measure, each of which takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ocean.capture.headless.measure", lambda *_: SimpleNamespace(quantities=()))
        patch.setattr("ocean.capture.plots.write_timings", lambda path, *_: path.touch())
        yield


def pytest_collection(session: pytest.Session) -> None:
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collect garbage among what tests make alone: thousands of tests and imported modules stay to the end."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="make the golden pictures again")
