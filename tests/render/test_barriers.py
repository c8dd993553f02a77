"""Every read and write of the GPU comes after the memory barrier that it needs."""

import re
from functools import partial

import numpy as np
import pytest

from ocean.fft import BACKENDS, plan
from ocean.fft.storage import FieldLayers
from ocean.gpu.passes import dispatch, run_passes
from ocean.render.frame import FrameRenderer
from ocean.render.truth import LAYERS, ground_truth
from ocean.sea import foam
from ocean.settings import load_settings
from ocean.validation.gauge import measure
from ocean.waves import nonlinear

from ..barriers import recorded
from .conftest import make_tables_coarse

SMALL = "fft.size=32", "foam.resolution=64", "view.edge_pixels=40"
UNORDERED = {
    # Both rasters change samples by atomic operations alone, until a barrier comes.
    "samples seen: surface/raster.comp reads, buoy/raster.comp writes by STORAGE",
    "samples seen: surface/raster.comp writes, buoy/raster.comp writes by STORAGE",
    "samples seen: surface/raster.comp writes, buoy/raster.comp reads by STORAGE",
    # One clears the pixels without sea, the other writes the pixels with sea.
    "values of a debug view: surface/gather.comp writes, surface/shade.comp writes by IMAGE",
    "light: surface/gather.comp writes, surface/shade.comp writes by IMAGE",
    "ground truth: surface/gather.comp writes, surface/shade.comp writes by IMAGE",
}
"""Accesses that need no order."""
LISTS = re.compile(r".*: surface/shade\.comp \w+, surface/shade\.comp \w+ by \w+")
"""Accesses of the dispatches that shade two lists of samples: each sample is in one list."""


@pytest.mark.parametrize(
    "changes",
    [
        ("sky.metering=automatic",),
        ("sea.dynamics=nonlinear", "fft.fused=false", "fft.half_derivatives=false"),
        ("view.samples=2", "buoy.show=true", "view.dive=3"),
        ("stage.view=foam",),
        ("view.samples=1", "view.far_pixels=1", "sky.plain=true"),
    ],
)
def test_frames_miss_no_barrier(ctx, releasing, monkeypatch, changes):
    make_tables_coarse(monkeypatch)
    monkeypatch.setattr(nonlinear, "STEPS_A_PERIOD", 4)  # all steps are alike, however inaccurate
    renderer = releasing(FrameRenderer(ctx, load_settings(overrides=[*SMALL, *changes]), (64, 36)))
    renderer.measure(True)
    with recorded(ctx) as found:
        for number in range(3):
            renderer.render(number / 30, 1 / 30)
            renderer.sea.query(np.zeros(1), np.zeros(1), velocity=True).result()
            if "buoy.show=true" in changes:
                ground_truth(renderer, LAYERS, partial(renderer.sea.update, number / 30 + 1 / 60), 1 / 60)
        renderer.sea.fields()
    assert {pair for pair in found.missing - UNORDERED if not LISTS.fullmatch(pair)} == set()
    assert len(found.pairs) > 100


@pytest.mark.parametrize("backend", BACKENDS)
def test_transforms_miss_no_barrier(ctx, releasing, backend):
    layers = releasing(FieldLayers(ctx, 16, 1))
    made = releasing(plan(ctx, backend, layers))
    with recorded(ctx) as found:
        for _ in range(2):
            layers.upload(np.zeros_like(layers.empty_elements()))
            made.forward()
            made.inverse()
        layers.read()
    assert found.missing == set()


def test_a_measured_sea_misses_no_barrier(ctx, make_sea):
    """Measuring is the last that reads the maps, before the next frame writes them."""
    sea = make_sea()
    with recorded(ctx) as found:
        measure(ctx, sea, 1.0, 0.5)
    assert found.missing == set()


def advance_twice(ctx, make_sea):
    sea = make_sea()
    sea.update(1.0)
    with recorded(ctx) as found:
        for _ in range(2):
            run_passes(ctx, [sea.foam.advance_pass(sea.filtered)])
        sea.foam.read()
    return found.missing


def test_steps_of_foam_back_to_back_miss_no_barrier(ctx, make_sea):
    assert advance_twice(ctx, make_sea) == set()


def test_a_missing_barrier_is_found(ctx, make_sea, monkeypatch):
    other = ctx.TEXTURE_FETCH_BARRIER_BIT | ctx.TEXTURE_UPDATE_BARRIER_BIT
    monkeypatch.setattr(foam, "dispatch", partial(dispatch, barrier=other))
    assert advance_twice(ctx, make_sea) == {"foam: foam/advance.comp reads, foam/advance.comp writes by IMAGE"}
    monkeypatch.setattr(foam, "dispatch", partial(dispatch, barrier=ctx.SHADER_IMAGE_ACCESS_BARRIER_BIT))
    assert advance_twice(ctx, make_sea) == {
        "foam: foam/advance.comp writes, foam/advance.comp reads by FETCH",
        "foam: foam/advance.comp writes, a command reads by TEXTURE",
    }
