"""The functions on numpy arrays at the limits of numbers and buffers."""

from dataclasses import replace

import numpy as np
import pytest

from ocean import fft
from ocean.fft import arrays, storage
from ocean.gpu.context import limits
from tests.messages import naming

from .samples import noise, relative_error
from .twins import COMPLEX, check, twin, wide

LINES = 6  # pairs of fields: three
ONE_LINE = [
    ("fft", {}),
    ("ifft", {}),
    *((name, {"n": n}) for name in ("rfft", "irfft", "dct", "idct") for n in (16, 15)),
]


@pytest.mark.parametrize(("name", "arguments"), ONE_LINE)
def test_each_line_keeps_its_own_relative_accuracy(ctx, name, arguments):
    x = noise(LINES, 16, dtype="c8" if name in COMPLEX else "f4") * np.logspace(-15, 15, LINES, dtype="f4")[:, None]
    result, expected = getattr(fft, name)(ctx, x, **arguments), twin(name)(wide(x), **arguments)
    for line in range(LINES):
        assert relative_error(result[line] / np.abs(x[line]).max(), expected[line] / np.abs(x[line]).max()) < 2e-6


@pytest.mark.parametrize("size", [15, 16])
@pytest.mark.parametrize(
    ("name", "place", "value", "norm"),
    [
        ("rfft", 3, 2.5e38, "backward"),
        ("rfft", 2, 2.5e38, "backward"),
        ("irfft", 3, 1.6e38 - 0.5e38j, "backward"),
        ("irfft", 0, 3e38, "forward"),
        ("irfft2", 0, 3e38, "forward"),
    ],
)
def test_only_results_that_do_not_fit_overflow(ctx, name, place, value, norm, size):
    x = np.zeros((2, size if name == "rfft" else size // 2 + 1), "f4" if name == "rfft" else "c8")
    x[0, place] = value
    arguments = {"norm": norm} | ({} if name == "rfft" else {"s": (2, size)} if name == "irfft2" else {"n": size})
    result, expected = getattr(fft, name)(ctx, x, **arguments), twin(name)(wide(x), **arguments)
    assert np.isfinite(twin(name)(x, **arguments)).all()
    assert relative_error(result[0] / abs(value), expected[0] / abs(value)) < 2e-6


@pytest.mark.parametrize(("name", "arguments"), ONE_LINE)
def test_a_nan_stays_in_its_line(ctx, name, arguments):
    x = noise(LINES, 16, dtype="c8" if name in COMPLEX else "f4")
    x[2, 3] = np.nan
    result, expected = getattr(fft, name)(ctx, x, **arguments), twin(name)(wide(x), **arguments)
    assert np.isnan(result[2]).all()
    others = np.arange(LINES) != 2
    assert relative_error(result[others], expected[others]) < 2e-6


@pytest.mark.parametrize(("name", "shape", "dtype"), [("fft", (7, 16), "c8"), ("fft2", (5, 4, 8), "c8")])
@pytest.mark.parametrize("room", [1, 3.5])  # items that a buffer holds if padded to four times their length
def test_batches_that_no_buffer_holds_go_in_parts(ctx, monkeypatch, name, shape, dtype, room):
    x = noise(*shape, dtype=dtype)
    there = replace(limits(ctx), storage_bytes=int(4 * room * x[0].nbytes), texture_layers=0)
    monkeypatch.setattr(arrays, "limits", lambda ctx: there)
    storages = []
    honest = arrays.FieldBuffers
    monkeypatch.setattr(arrays, "FieldBuffers", lambda *a: storages.append(honest(*a)) or storages[-1])
    check(ctx, name, x)
    assert len(storages) == -(-len(x) // (2 if room > 2 else 1))
    assert all(4 * one.bytes <= there.storage_bytes for one in storages)


def test_arrays_larger_than_a_buffer_are_refused(ctx, monkeypatch):
    there = replace(limits(ctx), storage_bytes=100, texture_size=8)
    for module in (arrays, storage):
        monkeypatch.setattr(module, "limits", lambda ctx: there)
    with pytest.raises(fft.FFTError, match=naming("128 bytes GPU")):
        fft.fft(ctx, noise(16))
