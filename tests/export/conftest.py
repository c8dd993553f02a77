"""Uninterrupted exports that other tests compare with."""

import pytest

from ocean.export.run import export

from ..render.conftest import made_once  # noqa: F401 -- a fixture
from .exports import contents, many


@pytest.fixture(autouse=True)
def quick_sky(made_once, coarse_sky):  # noqa: F811
    """Make a coarse sky, because its tables take a second on llvmpipe."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a function that exports without interruption and returns the folder's contents."""
    made = {}

    def make(form):
        if form not in made:
            out = tmp_path_factory.mktemp(form)
            assert export(many(form), out) == 0
            made[form] = contents(out)
        return made[form]

    return make
