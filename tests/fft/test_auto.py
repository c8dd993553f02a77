"""The backend `auto`: it chooses by size or by tuned plans, and only among backends that can run."""

from dataclasses import replace

import numpy as np
import pytest

from ocean import fft
from ocean.fft.auto import Auto, TunedPlan, TunedPlans
from ocean.fft.bluestein import Bluestein
from ocean.fft.four_step import FourStep
from ocean.fft.registers import StockhamRegisters
from ocean.fft.stockham import StockhamGlobal, StockhamRadix2, StockhamShared
from ocean.gpu.context import limits

from .samples import BEYOND, noise, relative_error


@pytest.fixture
def choose(ctx, releasing):
    """Return the backend that `auto` chooses for lines of a size."""

    def choice(size, layers=1, double=False, buffer=False):
        images = not (double or buffer)
        fields = fft.FieldLayers(ctx, 1, layers) if images else fft.FieldBuffers(ctx, 1, layers, 1, double)
        return Auto.choose(releasing(fields), size)

    yield choice
    fft.use_tuned(ctx, None)


def tuned(ctx, *plans, **where):
    there = {"gpu": ctx.info["GL_RENDERER"], "driver": ctx.info["GL_VERSION"]} | where
    return TunedPlans(plans=plans, **there)


@pytest.mark.parametrize(
    ("size", "double", "backend"),
    [
        (2, False, StockhamRegisters),
        (1000, False, StockhamRegisters),
        (2048, False, StockhamRegisters),
        (4096, False, StockhamRegisters),
        (1 << 16, False, FourStep),
        (1 << 24, False, FourStep),
        (1 << 25, False, StockhamGlobal),
        (1, False, Bluestein),
        (BEYOND, False, Bluestein),
        (10007, False, Bluestein),
        (64, True, StockhamGlobal),
        (10007, True, Bluestein),
    ],
)
def test_the_built_in_choice_is_by_size_and_precision(choose, size, double, backend):
    assert choose(size, double=double) == (backend, backend.Options())


@pytest.mark.parametrize(("size", "packed", "neighbours"), [
    (256, 1, True), (512, 1, True), (1024, 1, False), (4096, 1, False), (1024, 2, True), (2048, 2, False),
])  # fmt: skip
def test_auto_chooses_columns_of_a_buffer_by_how_memory_is_read(ctx, releasing, monkeypatch, size, packed, neighbours):
    """GPUs read memory in sectors of neighbouring bytes; llvmpipe does not, and images lie in tiles."""
    fields = fft.FieldBuffers(ctx, (size, 16), 1, packed)
    monkeypatch.setattr("ocean.fft.auto.is_software", lambda _: True)
    assert Auto.choose(fields, size, fft.COLUMNS)[0] is StockhamRegisters
    monkeypatch.setattr("ocean.fft.auto.is_software", lambda _: False)
    assert Auto.choose(fields, size, fft.COLUMNS)[0] is (StockhamRegisters if neighbours else FourStep)
    assert Auto.choose(fields, size)[0] is StockhamRegisters
    x = noise(packed, size, 16)
    plan = fft.plan(ctx, "auto", fields, axes=(fft.COLUMNS,))
    fields.write(x)
    plan.forward()
    assert relative_error(fields.read(), np.fft.fft(x.astype("c16"), axis=1)) < 1e-6
    plan.release()
    fields.release()
    layers = releasing(fft.FieldLayers(ctx, (size, 16), 1))
    assert Auto.choose(layers, size, fft.COLUMNS)[0] is StockhamRegisters


def test_the_choice_heeds_the_gpus_limits(choose, monkeypatch):
    monkeypatch.setattr("ocean.fft.auto.limits", lambda ctx: replace(limits(ctx), shared_memory=1024))
    assert choose(2048)[0] is StockhamGlobal


def test_tuned_plans_are_used_on_their_own_gpu_and_driver(ctx, choose):
    plan = TunedPlan(size=64, layers=2, backend="stockham-radix2", options={"butterflies": 2})
    assert fft.use_tuned(ctx, tuned(ctx, plan))
    assert choose(64) == (StockhamRadix2, StockhamRadix2.Options(butterflies=2))
    assert choose(128)[0] is StockhamRegisters  # nothing tuned for this size
    assert choose(64, double=True)[0] is StockhamGlobal  # tuned in single precision
    assert choose(64, buffer=True)[0] is StockhamRegisters  # and in images
    for other in ({"gpu": "another"}, {"driver": "4.3 another"}):
        assert not fft.use_tuned(ctx, tuned(ctx, plan, **other))
        assert choose(64)[0] is StockhamRegisters


def test_plans_for_the_nearest_number_of_layers_are_used(ctx, choose):
    fft.use_tuned(
        ctx,
        tuned(
            ctx,
            TunedPlan(size=64, layers=2, backend="stockham-shared"),
            TunedPlan(size=64, layers=16, backend="stockham-radix2"),
        ),
    )
    assert [choose(64, layers)[0] for layers in (1, 5, 6, 40)] == [StockhamShared] * 2 + [StockhamRadix2] * 2
