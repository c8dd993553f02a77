"""Contexts, their limits, and what is said when there is none."""

import moderngl
import pytest

from ocean.gpu import context
from tests.messages import naming


def test_limits_are_at_least_what_opengl_4_3_guarantees(ctx):
    bounds = context.limits(ctx)
    assert bounds.invocations >= 1024
    assert bounds.shared_memory >= 32768
    assert bounds.groups >= 65535
    assert bounds.texture_size >= 16384


def test_a_missing_driver_is_an_error_that_lists_the_attempts(monkeypatch):
    def refuse(**arguments):
        raise Exception(f"no {arguments.get('backend', 'display')}")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    with pytest.raises(context.ContextError, match=naming("egl: no egl platform default: no display")):
        context.create_headless_context()


def test_macos_gets_the_reason(monkeypatch):
    monkeypatch.setattr(context.sys, "platform", "darwin")
    assert "compute shaders" in context.platform_hint()
