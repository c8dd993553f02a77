"""Every backend against numpy in float64: sizes, options, counts and refusals."""

from dataclasses import replace

import numpy as np
import pytest

from ocean import fft
from ocean.fft.options import OPTIONS
from ocean.fft.textbook import LONGEST
from ocean.gpu.context import limits
from ocean.gpu.shaders import shader_library
from tests.messages import naming

from ..marks import slow
from .samples import BEYOND, LEAST, SMOOTH, buffers, check, check_rows, every_value, few, images, noise, relative_error

BACKENDS = tuple(fft.BACKENDS)  # a new backend is tested as soon as it is registered
POWERS = (16, 32, 64, 128, 256, 512)
CLAIMED = {
    **dict.fromkeys(BACKENDS, POWERS),
    "stockham-registers": SMOOTH,
    "stockham-global": SMOOTH,
    "four-step": [2**a for a in range(1, 14)],
    "dft": range(2, 513),
    "bluestein": range(1, 2049),
    "auto": range(1, 2049),
}
FEW = {  # for every run of the tests: cheap to compile
    "stockham-registers": (2, 6, 49, 375),
    "stockham-global": (5, 6, 143),
    "four-step": (2, 8192),
    "dft": (2, 17, 251),
    "bluestein": (1, 2, 31, 509),
    "auto": (1, BEYOND, 720),
}
SAMPLES = [(backend, size) for backend, sizes in FEW.items() for size in sizes]
WHOLE = [(name, tuple(sizes[i : i + 64])) for name, sizes in CLAIMED.items() for i in range(0, len(sizes), 64)]
TOLERANCE = 2e-6  # relative L2: the limit of Bluestein, the loosest in single precision
each_backend = pytest.mark.parametrize("backend", BACKENDS)


@each_backend
def test_a_backend_promises_an_accuracy_and_has_its_registered_options(backend):
    chosen = fft.BACKENDS[backend]
    limits = [chosen.error_limit(size, chosen.Options()) for size in (16, 2048, 4096)]
    assert limits == ([2e-6] * 3 if backend == "bluestein" else [1e-6, 1e-6, 2e-6])
    assert chosen.error_limit(4096, chosen.Options(), double=True) == 1e-13
    assert chosen.Options is OPTIONS[backend]


@each_backend
# of odd and even log2, so that results end in either half
@pytest.mark.parametrize("size", [32, 64, *map(slow, (16, 128, 256, 512, 1024, 2048))])
def test_every_backend_agrees_with_numpy(ctx, backend, size):
    if backend == "dft" and size > LONGEST:
        pytest.skip(f"the direct sum ends at {LONGEST}")
    check(ctx, backend, images(ctx, size, layers=2))


@pytest.mark.parametrize("backend", CLAIMED)
def test_the_smallest_gpu_runs_every_claimed_size(backend):
    """The lists above say what each backend claims: no size has an obstacle on the smallest GPU that OpenGL 4.3
    allows."""
    transform = fft.BACKENDS[backend]
    obstacles = {size: transform.obstacle(LEAST, size, transform.Options()) for size in CLAIMED[backend]}
    assert {size: reason for size, reason in obstacles.items() if reason} == {}
    assert set(POWERS) <= set(CLAIMED[backend])


def check_line(ctx, backend, size):
    """Check rows of a buffer, or columns of an image, in turn."""
    if size // 2 % 2 == 0:
        check_rows(ctx, backend, size)
    else:
        check(ctx, backend, images(ctx, size, 3), axes=(fft.COLUMNS,))


@pytest.mark.parametrize(("backend", "size"), SAMPLES)
def test_some_claimed_sizes_are_right(ctx, backend, size):
    check_line(ctx, backend, size)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "sizes"), [case for case in WHOLE if case[0] != "auto"], ids=lambda value: str(value).split(",")[0]
)
def test_every_claimed_size_is_right(ctx, backend, sizes):
    for size in sizes:
        check_line(ctx, backend, size)
    shader_library(ctx).release()  # thousands of programs that no later test uses


ALL_OPTIONS = [(backend, options) for backend in BACKENDS for options in every_value(backend)]
FEW_OPTIONS = few((backend, options) for backend, options in ALL_OPTIONS if backend != "bluestein")


@pytest.mark.parametrize(  # 32: no radix but 2 divides its logarithm; test_bluestein.py has primes
    ("backend", "options", "size"),
    [
        *(pytest.param(*case.values, 32, marks=case.marks) for case in FEW_OPTIONS),
        *(slow(*case, size) for case in ALL_OPTIONS for size in (16, 64, 128, 256, 512, 1024, 2048)),
    ],
)
def test_each_option_agrees_with_numpy(ctx, backend, options, size):
    chosen = fft.validated_options(backend, options)
    if reason := fft.obstacle(ctx, backend, size, chosen):
        with pytest.raises(ValueError, match=reason.split(";")[0]):
            fft.transform(ctx, noise(2, size, size), backend, options=options)
    else:
        check(ctx, backend, images(ctx, size), chosen)


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
def test_an_axis_counts_its_dispatches_and_bytes(ctx, releasing, backend, dispatches, transfers):
    fields = releasing(images(ctx, 32))
    plan = releasing(fft.plan(ctx, backend, fields))
    for step in plan.passes():
        assert step.dispatches == dispatches
        assert step.bytes_moved == transfers * 2 * 32 * 32 * 16


def test_the_naive_transform_splits_a_loop_that_is_too_long_for_one_dispatch(ctx):
    most = limits(ctx).loop
    plan = check(ctx, "naive", buffers(ctx, 1, 1 << 17, packed=1), axes=(fft.ROWS,))
    assert plan.transforms[0].dispatches == 1 + sum(-(-(1 << stage) // most) for stage in range(17))


@pytest.mark.parametrize("backend", ["cooley-tukey", "stockham-registers", "digit-reversal"])
@pytest.mark.parametrize(
    ("size", "twiddles", "table"),
    [(512, "auto", True), (1024, "auto", False), (32, "computed", False), (1024, "table", True)],
)
def test_roots_come_from_a_table_for_short_lines(ctx, releasing, backend, size, twiddles, table):
    fields = releasing(buffers(ctx, 1, size))
    plan = releasing(fft.plan(ctx, backend, fields, {"twiddles": twiddles}, axes=(fft.ROWS,)))
    assert all(transform.table is table for transform in plan.transforms)


def test_native_roots_differ_and_are_right(ctx):
    x = noise(1, 64, 64)
    ways = ("computed", "native")
    computed, native = (fft.transform(ctx, x, "stockham-radix2", options={"twiddles": way}) for way in ways)
    assert relative_error(native, np.fft.fft2(x.astype("c16"))) < TOLERANCE
    assert not np.array_equal(native, computed)


def test_the_largest_sum_of_the_definition_is_right(ctx):
    """Rounding errors of a long sum are largest if all terms have the same sign."""
    result = fft.transform(ctx, np.full((251, 251), 0.1, "f4"), "dft")
    expected = np.float64(np.float32(0.1)) * 251 * 251
    assert abs(result[0, 0] - expected) < 1e-6 * expected
    result[0, 0] = 0
    assert np.abs(result).max() < 1e-6 * expected


@pytest.mark.parametrize("shape", [(32, 32), (1, 32, 32), (3, 32, 32)])
def test_one_field_and_odd_counts_keep_their_shape(ctx, shape):
    x = noise(*shape)
    result = fft.transform(ctx, x)
    assert result.shape == shape
    assert result.dtype == np.complex64
    assert relative_error(result, np.fft.fft2(x.astype("c16"))) < TOLERANCE


@pytest.mark.parametrize(
    ("backend", "x", "message"),
    [
        ("stockham-shared", np.zeros(16), "shape"),
        ("stockham-shared", np.zeros((2, 2, 16, 16)), "shape"),
        ("stockham-shared", np.zeros((0, 16, 16)), "shape"),
        ("stockham-shared", np.full((16, 16), np.nan), "finite"),
        ("stockham-shared", np.full((16, 16), np.inf), "finite"),
        ("stockham-shared", np.full((16, 16), 1e39), "finite in single precision"),
        ("stockham-shared", np.full((16, 16), None), "expected numbers"),
        ("stockham-shared", np.zeros((24, 24)), "power of two"),
        ("stockham-shared", np.zeros((8, 8)), "from 16 up"),
        ("stockham-shared", np.zeros((16, 24)), "not 24"),
        ("stockham", np.zeros((16, 16)), "stockham-shared"),
        *(("dft", np.zeros((size, size)), naming("2 512", size)) for size in (1, 513)),
    ],
)
def test_bad_data_and_backends_are_refused_with_the_reason(ctx, backend, x, message):
    with pytest.raises(ValueError, match=message):
        fft.transform(ctx, x, backend)


@pytest.mark.parametrize(("backend", "butterflies"), [("stockham-radix2", 3), ("stockham-shared", 2)])
def test_unknown_options_are_refused(ctx, backend, butterflies):
    with pytest.raises(ValueError, match="butterflies"):
        fft.transform(ctx, np.zeros((16, 16)), backend, options={"butterflies": butterflies})


def test_obstacles_name_the_limit():
    small = replace(LEAST, invocations=256, shared_memory=16384)
    reasons = {name: cls.obstacle(small, 2048, cls.Options()) for name, cls in fft.BACKENDS.items()}
    assert reasons["cooley-tukey-stages"] is None
    assert reasons["numpy"] is None
    assert "1024 invocations" in reasons["stockham-shared"]
    assert "512 invocations" in reasons["stockham-radix4"]
    shared = fft.BACKENDS["stockham-shared"]
    assert "32 KiB" in shared.obstacle(replace(LEAST, shared_memory=16384), 2048, shared.Options())
