"""Exports without interruption, to compare others with."""

import pytest

from .exports import contents, start


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the folder of an export that ran without interruption."""
    made = {}

    def make(form):
        if form not in made:
            out = tmp_path_factory.mktemp(form)
            process = start(out, "--format", form)
            _, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
            made[form] = contents(out)
        return made[form]

    return make
