"""Storage of transforms: every backend on every kind of storage, in rectangles, along one axis, and in split
dispatches."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from ocean import fft
from ocean.fft import kernels
from ocean.fft.kernels import parts
from ocean.gpu.context import limits
from ocean.gpu.shaders import SHADERS, ShaderSource
from tests.messages import naming

from .samples import BEYOND, check, few, images, noise

BACKENDS = tuple(fft.BACKENDS)
ON_THE_GPU = tuple(name for name in BACKENDS if name != "numpy")
DOUBLE = ("stockham-global", "bluestein", "auto", "numpy")
STORAGES = {
    "images of one number": lambda ctx, shape, layers: fft.FieldLayers(ctx, shape, layers, 1),
    "images of two numbers": lambda ctx, shape, layers: fft.FieldLayers(ctx, shape, layers, 2),
    "buffers of one number": lambda ctx, shape, layers: fft.FieldBuffers(ctx, shape, layers, 1),
    "buffers of two numbers": lambda ctx, shape, layers: fft.FieldBuffers(ctx, shape, layers, 2),
    "buffers in double precision": lambda ctx, shape, layers: fft.FieldBuffers(ctx, shape, layers, 1, True),
}
SINGLE = [name for name in STORAGES if "double" not in name]
BOTH = (fft.ROWS, fft.COLUMNS)


def make(ctx, storage, shape, layers=1):
    """Return a storage of this kind, filled with noise, and the noise."""
    fields = STORAGES[storage](ctx, shape, layers)
    return fields, noise(layers * fields.packed, *shape, dtype=fields.dtype)


@pytest.mark.parametrize("storage", STORAGES)
def test_written_lines_are_read_back_row_after_row_from_either_half(ctx, storage):
    fields, x = make(ctx, storage, (5, 12), layers=3)
    assert (fields.height, fields.width) == (5, 12)
    assert (fields.length(fft.ROWS), fields.lines(fft.ROWS)) == (12, 5)
    assert (fields.length(fft.COLUMNS), fields.lines(fft.COLUMNS)) == (5, 12)
    assert fields.double == ("double" in storage)
    assert fields.bytes == x.nbytes
    fields.write(x)
    np.testing.assert_array_equal(fields.read(), x)
    lying = np.frombuffer(fields.front.read(), fields.dtype).reshape(3, 5, 12, fields.packed)
    np.testing.assert_array_equal(lying[2, 4, 11], x[2 * fields.packed :, 4, 11])
    front, back = fields.front, fields.back
    fields.swap()
    assert (fields.front, fields.back) == (back, front)
    fields.write(2 * x)
    fields.swap()
    np.testing.assert_array_equal(fields.read(), x)
    fields.release()


MOST = {"texture_size": 16, "texture_layers": 3, "storage_bytes": 16 * 64}  # limits of a small GPU


@pytest.mark.parametrize(
    ("make_fields", "named"),
    [
        (lambda ctx: fft.FieldLayers(ctx, (1, 17), 1), "16 1 17"),
        (lambda ctx: fft.FieldLayers(ctx, (17, 1), 1), "16 17 1"),
        (lambda ctx: fft.FieldLayers(ctx, 4, 4), "layers 3 4"),
        (lambda ctx: fft.FieldLayers(ctx, (0, 4), 1), "0 4"),
        (lambda ctx: fft.FieldBuffers(ctx, (0, 4), 1), "0 4"),
        (lambda ctx: fft.FieldBuffers(ctx, (4, -4), 1), "4 -4"),
        (lambda ctx: fft.FieldLayers(ctx, 4, 0), "0 layers"),
        (lambda ctx: fft.FieldBuffers(ctx, 4, 0), "0 layers"),
        (lambda ctx: fft.FieldBuffers(ctx, (1, 65), 1), "1040 bytes"),
        (lambda ctx: fft.FieldLayers(ctx, 4, 1, 3), "one two 3"),
        (lambda ctx: fft.FieldBuffers(ctx, 4, 1, 2, True), "one 2"),
    ],
)
def test_impossible_storage_is_refused_with_the_reason(ctx, monkeypatch, make_fields, named):
    monkeypatch.setattr("ocean.fft.storage.limits", lambda ctx: replace(limits(ctx), **MOST))
    with pytest.raises(fft.FFTError, match=naming(named)):
        make_fields(ctx)


@pytest.mark.parametrize("shape", [(2, 4, 4), (4, 4, 8), (4, 8), (8, 8, 4), (0,), ()])
@pytest.mark.parametrize("storage", STORAGES)
def test_fields_of_another_shape_are_not_written(ctx, storage, shape):
    fields, x = make(ctx, storage, (8, 4), 3)
    fields.write(x)
    with pytest.raises(fft.FFTError, match=naming("shape 8 4", *shape)):
        fields.write(np.ones(shape))
    np.testing.assert_array_equal(fields.read(), x)
    fields.release()


@pytest.mark.parametrize("shape", [(2, 4, 4), (-1, -4, 4), (0, 4, 4)])
def test_a_view_has_as_many_elements(ctx, releasing, shape):
    fields = releasing(fft.FieldBuffers(ctx, 4, 1, 1))
    assert fields.reshaped(4, 2, 2).read().shape == (4, 2, 2)
    with pytest.raises(fft.FFTError, match="16"):
        fields.reshaped(*shape)


@pytest.mark.parametrize("axes", [(), (2,), (-1,), (0, 0), (0, 1, 2)])
def test_other_axes_are_refused(ctx, axes):
    fields, _ = make(ctx, SINGLE[0], (16, 16))
    with pytest.raises(fft.FFTError, match=naming("axes 0 1", *axes)):
        fft.plan(ctx, "stockham-shared", fields, axes=axes)
    fields.release()


@pytest.mark.parametrize(("backend", "storage"), few(product(BACKENDS, SINGLE)))
def test_every_backend_runs_on_every_storage(ctx, backend, storage):
    """Rows of the rectangle have an odd number of radix-2 stages, columns an even number."""
    check(ctx, backend, STORAGES[storage](ctx, (16, 32), 2))


@pytest.mark.parametrize(
    ("backend", "axis", "storage"), few(product(BACKENDS, BOTH, ["images of one number", "buffers of two numbers"]))
)
def test_every_backend_transforms_along_one_axis(ctx, backend, axis, storage):
    """The backend can't transform the length of the other axis."""
    fields = STORAGES[storage](ctx, (3, 32) if axis == fft.ROWS else (32, 3), 1)
    check(ctx, backend, fields, axes=(axis,))


@pytest.mark.parametrize("shape", [(16, 32), (12, 7), (11, BEYOND), (1, 30)])
@pytest.mark.parametrize("backend", DOUBLE)
def test_backends_run_in_double_precision(ctx, backend, shape):
    if backend == "stockham-global" and not {BEYOND, 1}.isdisjoint(shape):
        fields, _ = make(ctx, "buffers in double precision", shape)
        with pytest.raises(fft.FFTError, match="stockham-global"):
            fft.plan(ctx, backend, fields)
        fields.release()
    else:
        check(ctx, backend, STORAGES["buffers in double precision"](ctx, shape, 2))


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name not in DOUBLE])
def test_backends_without_double_precision_refuse_it(ctx, backend):
    fields, _ = make(ctx, "buffers in double precision", (16, 16))
    with pytest.raises(fft.FFTError, match=naming(backend, "single double stockham-global bluestein auto numpy")):
        fft.plan(ctx, backend, fields)
    fields.release()


SPLIT_OPTIONS = {
    "digit-reversal": [{"memory": "shared"}, {"memory": "hybrid", "group": 64}, {"memory": "global"}],
    "naive": [{"invocations": how} for how in ("one-per-group", "one-per-butterfly")],
}
SPLIT = [(name, options) for name in ON_THE_GPU for options in SPLIT_OPTIONS.get(name, [{}])]


@pytest.fixture
def at_most(monkeypatch):
    """Return a function that limits the groups of a dispatch, and returns a list of the split grids."""
    grids = []

    def split(groups, most):
        grids.append(groups)
        return parts(groups, most)

    def limit(groups):
        monkeypatch.setattr(kernels, "parts", split)
        monkeypatch.setattr(kernels, "limits", lambda ctx: replace(limits(ctx), groups=groups))
        return grids

    return limit


@pytest.mark.parametrize(("backend", "options"), few(SPLIT))
def test_dispatches_beyond_the_gpus_limit_are_split(ctx, at_most, backend, options):
    split = at_most(3)
    shape = (128, 128) if "group" in options else (16, 32)
    check(ctx, backend, STORAGES["buffers of two numbers"](ctx, shape, 4), options)
    assert len(split) >= 4  # both axes in both directions


def test_steps_of_a_long_convolution_are_split(ctx, at_most):
    split = at_most(100)
    check(ctx, "bluestein", images(ctx, 2, 5003, packed=1), axes=(fft.ROWS,))
    assert any(groups[0] > 100 for groups in split)


PLAIN = {"LOAD_INCLUDE": "fft/load.glsl", "STORE_INCLUDE": "fft/store.glsl"}
SYNCHRONISING = [path for path in SHADERS.glob("**/*.comp") if "synchronise_storage()" in path.read_text()]


@pytest.mark.parametrize("path", SYNCHRONISING, ids=lambda path: path.stem)
def test_storage_shared_within_a_group_is_declared_coherent(path):
    """A barrier makes only coherent stores visible to other invocations. No software renderer shows a missing
    qualifier."""
    assert len(SYNCHRONISING) >= 4
    lines = ShaderSource(SHADERS, path.relative_to(SHADERS).as_posix(), PLAIN).lines
    declared = next(number for number, line in enumerate(lines) if ") SHARING " in line)
    assert "#define SHARING coherent" in lines[:declared]
