"""Every backend against numpy in float64, and against the defining properties of a Fourier transform."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocean import fft
from ocean.fft.storage import FieldBuffers, FieldLayers, unpack
from ocean.gpu.context import limits

from . import samples
from .samples import LEAST, every_value, few

BACKENDS = tuple(fft.BACKENDS)  # a new backend is tested as soon as it is registered
SIZES = (16, 32, 64, 128, 256, 512, 1024, 2048)
FAST_SIZES = (16, 128)
LONGEST = {"dft": 512}  # for slower backends: the last of SIZES
TOLERANCE = 2e-6  # relative L2: the limit of Bluestein, the loosest in single precision
each_backend = pytest.mark.parametrize("backend", BACKENDS)


def noise(fields, size, seed=None):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((fields, size, size)) + 1j * rng.standard_normal((fields, size, size))).astype("c8")


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


def check_both_directions(ctx, backend, size, options=None, fields=4):
    plan_class = fft.BACKENDS[backend]
    limit = plan_class.error_limit(size, plan_class.Options.model_validate(options or {}))
    x = noise(fields, size)
    forward = fft.transform(ctx, x, backend, options=options)
    assert relative_error(forward, np.fft.fft2(x.astype("c16"))) < limit
    inverse = fft.transform(ctx, x, backend, inverse=True, options=options)
    assert relative_error(inverse, np.fft.ifft2(x.astype("c16"), norm="forward")) < limit


@each_backend
def test_backends_are_accurate_with_default_options(backend):
    plan_class = fft.BACKENDS[backend]
    limits = [plan_class.error_limit(size, plan_class.Options()) for size in (16, 2048, 4096)]
    assert limits == ([2e-6] * 3 if backend == "bluestein" else [1e-6, 1e-6, 2e-6])
    assert plan_class.error_limit(4096, plan_class.Options(), double=True) == 1e-13


@each_backend
@pytest.mark.parametrize("size", FAST_SIZES)
def test_every_backend_agrees_with_numpy(ctx, backend, size):
    check_both_directions(ctx, backend, size)


@pytest.mark.parametrize("backend", few(each for each in BACKENDS if each != "dft"))  # the direct sum has no steps
def test_every_backend_agrees_with_numpy_at_512(ctx, backend):
    check_both_directions(ctx, backend, 512, fields=2)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "size"), list(product(BACKENDS, SIZES)))
def test_every_backend_agrees_with_numpy_at_every_size(ctx, backend, size):
    if size <= LONGEST.get(backend, SIZES[-1]):
        check_both_directions(ctx, backend, size, fields=2)
    else:
        with pytest.raises(ValueError, match=str(LONGEST[backend])):
            check_both_directions(ctx, backend, size, fields=2)


def options_of_class(backend):
    return fft.BACKENDS[backend].Options.model_fields


ALL_OPTIONS = [(backend, options) for backend in BACKENDS for options in every_value(backend)]


def check_options(ctx, backend, options, size):
    chosen = fft.BACKENDS[backend].Options.model_validate(options)
    if reason := fft.obstacle(ctx, backend, size, chosen):
        with pytest.raises(ValueError, match=reason.split(";")[0]):
            fft.transform(ctx, noise(2, size), backend, options=options)
    else:
        check_both_directions(ctx, backend, size, options, fields=2)


@pytest.mark.parametrize(  # test_bluestein.py tests the others, at primes
    ("backend", "options"), few((backend, options) for backend, options in ALL_OPTIONS if backend != "bluestein")
)
def test_each_option_agrees_with_numpy(ctx, backend, options):
    check_options(ctx, backend, options, 32)  # no radix but 2 divides its logarithm evenly


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "options"), ALL_OPTIONS)
@pytest.mark.parametrize("size", [16, 64, 128, 256, 512, 1024, 2048])
def test_each_option_agrees_with_numpy_at_other_sizes(ctx, backend, options, size):
    check_options(ctx, backend, options, size)


@each_backend
def test_impulse_becomes_a_wave_and_a_wave_an_impulse(ctx, backend):
    size, (row, column) = 64, (5, 61)
    impulse = np.zeros((2, size, size), "c8")
    impulse[0, row, column] = 1
    z, x = np.mgrid[:size, :size]
    wave = np.exp(-2j * np.pi * (row * z + column * x) / size)
    assert np.abs(fft.transform(ctx, impulse, backend)[0] - wave).max() < 1e-5
    back = fft.transform(ctx, np.stack([wave, wave]), backend, inverse=True)
    expected = np.zeros((2, size, size))
    expected[:, row, column] = size * size
    assert np.abs(back - expected).max() < 1e-6 * size * size


@each_backend
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([32, 64]))
def test_transforms_are_linear_and_keep_energy(ctx, backend, seed, size):
    """Parseval's theorem, linearity and the round trip hold for packed fields that all differ."""
    x, y = noise(4, size, seed), noise(4, size, seed + 1)
    X, Y = fft.transform(ctx, x, backend), fft.transform(ctx, y, backend)
    assert np.linalg.norm(X) == pytest.approx(size * np.linalg.norm(x), rel=2 * TOLERANCE)
    mixed = fft.transform(ctx, (2 - 1j) * x + 0.5 * y, backend)
    assert relative_error(mixed, (2 - 1j) * X + 0.5 * Y) < 3 * TOLERANCE
    assert relative_error(fft.transform(ctx, X, backend, inverse=True, scale=size**-2.0), x) < 2 * TOLERANCE


@each_backend
@pytest.mark.parametrize("size", [32, 64])  # odd and even log2
def test_read_returns_the_result(ctx, backend, size):
    x = noise(6, size)
    layers = fft.FieldLayers(ctx, size, layers=3)
    plan = fft.plan(ctx, backend, layers)
    layers.write(x)
    plan.forward()
    front = unpack(np.frombuffer(layers.front.read(), "c8").reshape(3, size, size, 2))
    assert relative_error(front, np.fft.fft2(x.astype("c16"))) < TOLERANCE
    plan.inverse()
    assert relative_error(layers.read() / size**2, x) < 2 * TOLERANCE
    plan.release()
    layers.release()


@each_backend
def test_passes_are_the_inverse_transform(ctx, backend):

    x = noise(2, 32)
    layers = FieldLayers(ctx, 32, 1)
    plan = fft.plan(ctx, backend, layers)
    layers.write(x)
    for step in plan.passes():
        step.run()
    assert relative_error(layers.read(), np.fft.ifft2(x.astype("c16"), norm="forward")) < TOLERANCE
    plan.release()
    layers.release()


@pytest.mark.parametrize(
    ("backend", "dispatches", "transfers"),
    [
        ("cooley-tukey-stages", 5, 5),
        ("cooley-tukey", 1, 5),
        ("stockham-radix2", 1, 5),
        ("stockham-radix4", 1, 3),
        ("stockham-shared", 1, 1),
        ("dft", 1, 1),
        ("natural-order", 1, 10),
        ("naive", 6, 6),
        ("digit-reversal", 1, 1),
    ],
)
def test_an_axis_counts_its_dispatches_and_bytes(ctx, backend, dispatches, transfers):
    layers = FieldLayers(ctx, 32, 1)
    plan = fft.plan(ctx, backend, layers)
    for step in plan.passes():
        assert step.dispatches == dispatches
        assert step.bytes_moved == transfers * 2 * 32 * 32 * 16
    plan.release()
    layers.release()


def test_the_naive_transform_splits_a_loop_that_is_too_long_for_one_dispatch(ctx):
    size, most = 1 << 17, limits(ctx).loop
    line = FieldBuffers(ctx, (1, size), 1, packed=1)
    plan = fft.plan(ctx, "naive", line, axes=(fft.ROWS,))
    x = samples.noise(1, 1, size)
    line.write(x)
    plan.forward()
    assert relative_error(line.read(), np.fft.fft(x.astype("c16"))) < TOLERANCE
    assert plan.transforms[0].dispatches == 1 + sum(-(-(1 << stage) // most) for stage in range(17))
    plan.release()
    line.release()


@pytest.mark.parametrize("backend", ["cooley-tukey", "stockham-registers", "digit-reversal"])
@pytest.mark.parametrize(
    ("size", "twiddles", "table"),
    [(512, "auto", True), (1024, "auto", False), (32, "computed", False), (1024, "table", True)],
)
def test_roots_come_from_a_table_for_short_lines(ctx, backend, size, twiddles, table):
    layers = FieldBuffers(ctx, (1, size), 1)
    plan = fft.plan(ctx, backend, layers, {"twiddles": twiddles}, axes=(fft.ROWS,))
    assert all(transform.table is table for transform in plan.transforms)
    plan.release()
    layers.release()


def test_native_roots_differ_and_are_right(ctx):
    x = noise(1, 64)
    computed, native = (
        fft.transform(ctx, x, "stockham-radix2", options={"twiddles": t}) for t in ("computed", "native")
    )
    assert relative_error(native, np.fft.fft2(x.astype("c16"))) < TOLERANCE
    assert not np.array_equal(native, computed)


def test_one_field_and_odd_counts_keep_their_shape(ctx):
    for shape in [(32, 32), (1, 32, 32), (3, 32, 32)]:
        x = noise(3, 32)[: shape[0] if len(shape) == 3 else 1].reshape(shape)
        result = fft.transform(ctx, x)
        assert result.shape == shape
        assert result.dtype == np.complex64
        assert relative_error(result, np.fft.fft2(x.astype("c16"))) < TOLERANCE


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros(16), "shape"),
        (np.zeros((2, 2, 16, 16)), "shape"),
        (np.zeros((0, 16, 16)), "shape"),
        (np.full((16, 16), np.nan), "finite"),
        (np.full((16, 16), np.inf), "finite"),
        (np.full((16, 16), 1e39), "finite in single precision"),
        (np.full((16, 16), None), "expected numbers"),
        (np.zeros((24, 24)), "power of two"),
        (np.zeros((8, 8)), "from 16 up"),
        (np.zeros((16, 24)), "not 24"),
    ],
)
def test_bad_data_is_refused_with_the_reason(ctx, x, message):
    with pytest.raises(ValueError, match=message):
        fft.transform(ctx, x, "stockham-shared")


def test_unknown_backend_or_option_is_refused(ctx):
    with pytest.raises(ValueError, match="stockham-shared"):
        fft.transform(ctx, np.zeros((16, 16)), "stockham")
    with pytest.raises(ValueError, match="butterflies"):
        fft.transform(ctx, np.zeros((16, 16)), "stockham-radix2", options={"butterflies": 3})
    with pytest.raises(ValueError, match="butterflies"):
        fft.transform(ctx, np.zeros((16, 16)), "stockham-shared", options={"butterflies": 2})


def test_obstacles_name_the_limit(ctx):
    small = replace(LEAST, invocations=256, shared_memory=16384)
    reasons = {name: cls.obstacle(small, 2048, cls.Options()) for name, cls in fft.BACKENDS.items()}
    assert reasons["cooley-tukey-stages"] is None
    assert reasons["numpy"] is None
    assert "1024 invocations" in reasons["stockham-shared"]
    assert "512 invocations" in reasons["stockham-radix4"]
    shared = fft.BACKENDS["stockham-shared"]
    assert "32 KiB" in shared.obstacle(replace(LEAST, shared_memory=16384), 2048, shared.Options())
