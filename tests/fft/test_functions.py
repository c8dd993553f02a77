"""The functions on numpy arrays against numpy.fft and scipy.fft: values, shapes, types, errors, and their counted
work."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.fft
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocean import create_headless_context, fft
from ocean.fft import arrays, storage
from ocean.fft.storage import FieldBuffers
from ocean.gpu.context import limits
from tests.messages import naming

from .samples import BEYOND, noise, relative_error

LIMITS = {"f": 2e-6, "d": 1e-13}  # relative L2 limits for any size, in single and in double precision
COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
HALF = ("rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn")
COSINE = ("dct", "idct", "dct2", "idct2", "dctn", "idctn")

SIZES = (
    1,
    2,
    8,
    5,
    BEYOND,
)  # few, because each compiles programs: 1, powers of two, an odd size, and one beyond the radices
REAL = ("f2", "f4", ">f4", "f8", "i4", "?")
DTYPES = (*REAL, "c8", "c16")
NORMS = ("backward", "ortho", "forward", None)
ALONG_ONE = ("fft", "ifft", "rfft", "irfft", "dct", "idct")
EXAMPLES = settings(max_examples=20, suppress_health_check=list(HealthCheck))
MANY_EXAMPLES = settings(EXAMPLES, max_examples=1000)


def samples(draw, shape, dtype):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = 10 * rng.standard_normal(shape)
    return np.asarray(x + 10j * rng.standard_normal(shape) if dtype in ("c8", "c16") else x).astype(dtype)


def reference(name):
    """Return numpy's or scipy's function of the same name and arguments."""
    if name in COSINE:
        return getattr(scipy.fft, name.replace("2", "n"))
    return getattr(np.fft, name)


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def family(error):
    """Return the exception types that a caller would catch: numpy.exceptions.AxisError is a ValueError and an
    IndexError. scipy has a RuntimeError for type 1 of one element."""
    return next((one for one in (TypeError, IndexError) if isinstance(error, one)), ValueError)


def check(ctx, name, x, backend="auto", **arguments):
    """Compare value and type of a result with the reference's in double precision; or expect an exception of the same
    types as the reference's."""
    ours = getattr(fft, name)
    before = x.copy()
    try:
        expected, dtype = reference(name)(wide(x), **arguments), reference(name)(x, **arguments).dtype
    except Exception as error:
        with pytest.raises(family(error)):
            ours(ctx, x, backend, **arguments)
        return
    result = ours(ctx, x, backend, **arguments)
    assert result.shape == expected.shape
    if x.ndim and arguments.get("axes") != []:  # without axes numpy returns its input, of any type
        assert result.dtype == np.result_type(dtype, "f4")  # numpy's irfft alone goes back to float16
    assert result.flags.writeable
    limit = LIMITS["f" if result.dtype in ("c8", "f4") else "d"]
    assert np.linalg.norm(result - expected) <= limit * np.linalg.norm(expected)
    np.testing.assert_array_equal(x, before)


@st.composite
def calls(draw, names, dtypes, unique):
    """Draw a function, an array of up to four dimensions (some of them empty), and matching arguments."""
    name = draw(st.sampled_from(names))
    least = 0 if name in ("fftn", "ifftn") else 1 if name in ALONG_ONE or name.endswith("n") else 2
    shape = draw(st.lists(st.sampled_from((*SIZES, *SIZES, 0)), min_size=least, max_size=4))
    x = samples(draw, shape, draw(st.sampled_from(dtypes)))
    arguments = {"norm": draw(st.sampled_from(NORMS))}
    lengths, axes = st.sampled_from(SIZES), st.integers(-len(shape), len(shape) - 1)
    if name in ALONG_ONE:
        arguments |= {"axis": draw(axes), "n": draw(st.none() | lengths)}
    elif shape:
        different = (lambda axis: axis % len(shape)) if unique else None
        count = min(2, len(shape)) if unique else draw(st.integers(0, 3))
        arguments["axes"] = draw(st.none() | st.lists(axes, min_size=count, max_size=count, unique_by=different))
        if arguments["axes"] is not None and name not in ("dct2", "idct2"):
            own = lengths if name in COSINE else lengths | st.just(-1)
            arguments["s"] = draw(st.none() | st.lists(own, min_size=count, max_size=count))
    if name in COSINE:
        arguments["type"] = draw(st.sampled_from((1, 2, 3, 4)))
    return name, x, arguments


complex_calls = calls(COMPLEX, DTYPES, unique=False)
real_calls = calls(("rfft", "rfft2", "rfftn"), REAL, unique=True)
real_calls |= calls(("irfft", "irfft2", "irfftn"), DTYPES, unique=True)
cosine_calls = calls(COSINE, DTYPES, unique=True)


@EXAMPLES
@given(call=complex_calls)
def test_complex_transforms_agree_with_numpy(ctx, call):
    name, x, arguments = call
    check(ctx, name, x, **arguments)


@EXAMPLES
@given(call=real_calls)
def test_real_transforms_agree_with_numpy(ctx, call):
    name, x, arguments = call
    check(ctx, name, x, **arguments)


@EXAMPLES
@given(call=cosine_calls)
def test_cosine_transforms_agree_with_scipy(ctx, call):
    name, x, arguments = call
    check(ctx, name, x, **arguments)


@pytest.mark.parametrize("dtype", [np.float16, np.complex64])
def test_no_lines_of_one_element_have_no_cosine_transforms(ctx, dtype):
    check(ctx, "dct", np.zeros((1, 0), dtype), type=1, axis=0)


@pytest.mark.slow
@MANY_EXAMPLES
@given(call=complex_calls | real_calls | cosine_calls)
def test_many_transforms_agree_with_numpy_and_scipy(ctx, call):
    name, x, arguments = call
    check(ctx, name, x, **arguments)


@pytest.mark.parametrize("name", [*COMPLEX, *HALF, *COSINE])
def test_lists_and_views_are_arrays(ctx, name):
    x = np.arange(5 * 16.0).reshape(5, 16)[::-1, ::2].T
    check(ctx, name, x)
    np.testing.assert_array_equal(getattr(fft, name)(ctx, x.tolist()), getattr(fft, name)(ctx, x))


@pytest.mark.parametrize("name", ["fft2", "ifftn", "rfft2", "irfft2", "irfftn", "dctn"])
@pytest.mark.filterwarnings("ignore:`axes` should not be `None`:DeprecationWarning")
def test_lengths_without_axes_apply_to_the_last_axes(ctx, name):
    check(ctx, name, noise(2, 5, 8, dtype="f8"), axes=None, s=(5, 6))


def test_every_integer_type_is_accepted(ctx):
    check(ctx, "dct", noise(4, 8, dtype="f8"), type=np.int64(3), n=np.uint8(5), axis=np.int8(0))
    check(ctx, "rfft2", noise(4, 8, dtype="f8"), s=[np.int16(5), 8], axes=[np.uint8(1), 0])


ONES = np.ones((4, 8))


@pytest.mark.parametrize(
    ("name", "x", "arguments"),
    [
        *((name, ONES, {"norm": "max"}) for name in (*COMPLEX, *HALF, *COSINE)),
        *((name, ONES, {"n": n}) for name in ALONG_ONE for n in (0, -1)),
        *((name, ONES, {"axis": axis}) for name in ALONG_ONE for axis in (2, -3)),
        *((name, ONES, {"axes": (0, 2)}) for name in ("fft2", "fftn", "rfft2", "irfft2", "dct2", "idct2")),
        *((name, ONES, {"s": (4,), "axes": (0, 1)}) for name in ("fft2", "fftn", "rfft2", "irfft2")),
        *((name, ONES, {"s": (0, 4), "axes": (0, 1)}) for name in ("fft2", "fftn", "rfft2", "irfft2")),
        *((name, np.ones((4, 0)), {}) for name in (*COMPLEX, *HALF, *COSINE)),
        *((name, np.float64(1), {}) for name in ALONG_ONE),
        *((name, np.ones(4), {}) for name in ("fft2", "rfft2", "irfft2")),
        *((name, np.array([None, "x"]), {}) for name in (*COMPLEX, *HALF) if name in ALONG_ONE),
        *((name, ONES + 0j, {}) for name in ("rfft", "rfft2")),
        *((name, ONES, {"n": n}) for name in ALONG_ONE for n in (4.0, "4")),
        *((name, ONES, {"s": s}) for name in ("fft2", "rfft2", "irfft2") for s in (4, (4.0, 4))),
        *((name, ONES, {"axes": axes}) for name in ("fft2", "rfft2", "irfft2") for axes in ((0.0, 1), "01")),
        *((name, ONES, {"axes": 1}) for name in ("fft2", "rfft2", "irfft2")),
        *((name, ONES, {"type": type_}) for name in ("dct", "dct2") for type_ in ("2", 2.0)),
        ("irfft", np.ones((4, 1)), {}),
        ("dct2", ONES, {"axes": (1, -1)}),
    ],
)
def test_errors_have_the_same_base_class_as_numpys(ctx, name, x, arguments):
    with pytest.raises(Exception) as theirs:
        reference(name)(x, **arguments)
    with pytest.raises(family(theirs.value)) as ours:
        getattr(fft, name)(ctx, x, **arguments)
    assert "\n" not in str(ours.value)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda ctx: fft.dct(ctx, ONES, type=5), "1 4 5"),
        (lambda ctx: fft.dct(ctx, np.ones((3, 1)), type=1), "type 1 two 1"),
        (lambda ctx: fft.rfft2(ctx, ONES, axes=()), "axes"),
        (lambda ctx: fft.irfft2(ctx, ONES, axes=(0, 0)), "axes"),
        (lambda ctx: fft.dct2(ctx, ONES, axes=()), "axes"),
        (lambda ctx: fft.fft(ctx, ONES, "fftw"), "fftw"),
        (lambda ctx: fft.fft(ctx, ONES.astype("f4"), "stockham-shared"), "16 8"),
        (lambda ctx: fft.fft(ctx, np.ones(16), "stockham-shared"), "single double"),
        (lambda ctx: fft.fft(ctx, np.ones(16), options={"radix": 4}), "options.radix"),
        (lambda ctx: fft.fft2(ctx, ONES, s=(4, None)), "lengths integers 4 None"),
        (lambda ctx: fft.dct2(ctx, ONES, axes=1), "axes integers 1"),
        (lambda ctx: fft.dct(ctx, ONES, type="2"), "type integer 2"),
        (lambda ctx: fft.fft(ctx, ONES, n=4.0), "length integer 4.0"),
        (lambda ctx: fft.fft2(None, ONES, "stockham-global"), "stockham-global numpy"),
        (lambda ctx: fft.fuse("stockham-registers", None, None), "FieldLayers source NoneType"),
        (lambda ctx: fft.TunedPlans.load("no-such-file"), "no-such-file"),
        (lambda ctx: create_headless_context("first"), "gpu integer first"),
    ],
)
def test_arguments_are_refused_in_one_sentence(ctx, call, named):
    with pytest.raises((fft.FFTError, TypeError), match=naming(named)):
        call(ctx)


@pytest.mark.skipif(np.dtype("g").itemsize == 8, reason="long double is double here")
def test_precision_beyond_double_is_refused(ctx):
    with pytest.raises(fft.FFTError, match="float64"):
        fft.fft(ctx, np.ones(4, "g"))


def test_backend_and_options_are_those_asked_for(ctx, monkeypatch):
    asked = []
    honest = arrays.plan
    monkeypatch.setattr(arrays, "plan", lambda *a: asked.append(a) or honest(*a))
    x = noise(2, 16)
    fft.rfft(ctx, x.real, "stockham-global", options={"radix": 2}, n=32)
    fft.dct(ctx, x.real, "stockham-global", options={"radix": 2}, n=32)
    assert [(backend, options) for _, backend, _, options, *_ in asked] == [("stockham-global", {"radix": 2})] * 2


@pytest.fixture
def elements(monkeypatch):
    """Count the elements that new plans transform along each axis."""
    made = []
    honest = arrays.plan

    def plan(ctx, backend, fields, options, scale, axes):
        made.append(len(axes) * fields.layers * fields.packed * fields.height * fields.width)
        return honest(ctx, backend, fields, options, scale, axes)

    monkeypatch.setattr(arrays, "plan", plan)
    return lambda: sum(made.pop() for _ in range(len(made)))


@pytest.mark.parametrize("shape", [(8, 16), (8, 15), (4, 8, 16), (4, 8, 15)])
@pytest.mark.parametrize("name", [name for name in (*HALF, *COSINE) if not name.endswith("n")])
def test_real_transforms_do_half_the_work(ctx, elements, name, shape):
    """A complex transform of as many samples does twice the work. Lines or planes of odd length are transformed in
    pairs."""
    two = name.endswith("2")
    x = noise(*shape, dtype="f4")
    (fft.fft2 if two else fft.fft)(ctx, x)
    whole = elements()
    if name.startswith("irfft"):
        getattr(fft, name)(ctx, x[..., : shape[-1] // 2 + 1], **({"s": shape[-2:]} if two else {"n": shape[-1]}))
    else:
        getattr(fft, name)(ctx, x)
    done = elements()
    padding = 0.0
    if name in COSINE:
        padding = shape[-1] // 2  # two lines share an element, so that an odd number leaves half an element unused
    elif two and len(shape) == 2 and shape[-1] % 2:
        padding = whole / 2  # a plane without a partner
    assert 0 < done <= whole / 2 + padding


@EXAMPLES
@given(call=complex_calls | real_calls | cosine_calls)
def test_numpy_needs_no_context(call):
    name, x, arguments = call
    check(None, name, x, backend="numpy", **arguments)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_three_axes_and_more_stay_on_the_gpu(ctx, monkeypatch, dtype):
    """A call uploads once and reads back once, in any order of the axes, and keeps its input."""
    uploads = []
    honest = FieldBuffers.upload
    monkeypatch.setattr(FieldBuffers, "upload", lambda self, x: uploads.append(x.shape) or honest(self, x))
    x = noise(3, 5, 4, 6, dtype=dtype)
    before = x.copy()
    for axes in (None, (3, 1, 0)):
        for ours, theirs in ((fft.fftn, np.fft.fftn), (fft.ifftn, np.fft.ifftn)):
            exact = theirs(x.astype("c16"), axes=axes)
            error = np.linalg.norm(ours(ctx, x, axes=axes) - exact) / np.linalg.norm(exact)
            assert error < LIMITS["f" if dtype == "c8" else "d"]
    assert len(uploads) == 4
    assert np.array_equal(x, before)


def test_a_plan_transforms_across_layers(ctx, releasing):
    fields, x = fft.FieldBuffers(ctx, (4, 6), 9, 1), noise(9, 4, 6)
    plan = releasing(fft.plan(ctx, "auto", fields, axes=(fft.ROWS, fft.COLUMNS, fft.LAYERS), scale=0.5))
    fields.write(x)
    plan.inverse()
    exact = np.fft.ifftn(x.astype("c16"), norm="forward") / 2
    assert np.linalg.norm(fields.read() - exact) < LIMITS["f"] * np.linalg.norm(exact)
    fields.release()


# -- Limits of numbers and buffers -------------------------------------------------------------------------------------

LINES = 6  # pairs of fields: three
ONE_LINE = [
    ("fft", {}),
    ("ifft", {}),
    *((name, {"n": n}) for name in ("rfft", "irfft", "dct", "idct") for n in (16, 15)),
    *(("dct", {"n": n, "type": kind, "norm": norm}) for n in (16, 15, 2) for kind in (1, 4) for norm in NORMS),
]


@pytest.mark.parametrize(("name", "arguments"), ONE_LINE)
def test_each_line_keeps_its_own_accuracy_and_its_nan(ctx, name, arguments):
    x = noise(LINES, 16, dtype="c8" if name in COMPLEX else "f4") * np.logspace(-15, 15, LINES, dtype="f4")[:, None]
    x[2, 1] = np.nan
    result, expected = getattr(fft, name)(ctx, x, **arguments), reference(name)(wide(x), **arguments)
    assert np.isnan(result[2]).any()
    for line in (0, 1, 3, 4, 5):
        assert (
            relative_error(result[line] / np.abs(x[line]).max(), expected[line] / np.abs(x[line]).max()) < LIMITS["f"]
        )


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
    result, expected = getattr(fft, name)(ctx, x, **arguments), reference(name)(wide(x), **arguments)
    assert np.isfinite(reference(name)(x, **arguments)).all()
    assert relative_error(result[0] / abs(value), expected[0] / abs(value)) < 2e-6


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
