"""Transforms in registers: divisions of a line, butterflies against their matrices, and mixed radices."""

import shutil
from dataclasses import replace
from itertools import product

import moderngl
import numpy as np
import pytest

from ocean import fft
from ocean.fft.options import FFTError, RegisterOptions, StockhamOptions
from ocean.fft.registers import (
    FASTEST,
    FASTEST_FUSED,
    FASTEST_LINES,
    FASTEST_OF_MANY,
    LIGHT,
    MANY_LAYERS,
    ODD_RADICES,
    PRODUCTS,
    SOFTWARE,
    StockhamRegisters,
    divide,
    factors,
    fits_registers,
    used_radices,
)
from ocean.gpu.bindings import Storage
from ocean.gpu.context import FEWEST_REGISTERS, REGISTERS, limits, registers_of
from ocean.gpu.shaders import SHADERS, ShaderLibrary, shader_library
from tests.messages import naming

from ..marks import slow
from .samples import (
    BEYOND,
    EVEN_RADICES,
    PRIMES,
    SMOOTH,
    buffers,
    check,
    check_rows,
    few,
    images,
    noise,
    relative_error,
)

LIMIT = 1e-6  # relative L2
BUTTERFLIES = sorted({*EVEN_RADICES, *ODD_RADICES, *PRODUCTS})
MIXED_BACKENDS = ("stockham-registers", "stockham-global")


def check_square(ctx, size, options=None, fields=2, backend="stockham-registers"):
    check(ctx, backend, images(ctx, size, layers=-(-fields // 2), packed=min(fields, 2)), options)


def test_every_butterfly_is_tested_and_used():
    files = (SHADERS / "fft" / "butterflies").glob("dft*.glsl")
    assert sorted(int(path.stem.removeprefix("dft")) for path in files) == BUTTERFLIES


@pytest.mark.parametrize("times", [2, *(pytest.param(times, marks=pytest.mark.slow) for times in (16, BEYOND))])
def test_a_radix_is_a_file_and_a_number(ctx, releasing, monkeypatch, tmp_path, times):
    """The test adds a butterfly for the next prime to a copy of the shaders, in the first stage and in a later one."""
    shutil.copytree(SHADERS, tmp_path / "shaders")
    table = "const Real {0}[] = Real[]({1});"
    angles = 2 * np.pi * np.arange(1, BEYOND // 2 + 1) / BEYOND
    values = {"COS": np.cos(angles), "SIN": np.sin(angles)}
    lines = [table.format(name, ", ".join(f"Real({value:.17f}lf)" for value in row)) for name, row in values.items()]
    text = "\n".join(['#include "fft/prime.glsl"', *lines, f"PRIME_DFT({BEYOND}, COS, SIN)", ""])
    (tmp_path / f"shaders/fft/butterflies/dft{BEYOND}.glsl").write_text(text)
    library = releasing(ShaderLibrary(ctx, tmp_path / "shaders"))
    monkeypatch.setattr("ocean.fft.kernels.shader_library", lambda ctx: library)
    monkeypatch.setattr("ocean.fft.registers.ODD_RADICES", (BEYOND, *ODD_RADICES))
    x = noise(2, times * BEYOND)
    result = fft.fft(ctx, x, "stockham-registers", options={"radix": 16, "twiddles": "computed"})
    assert relative_error(result, np.fft.fft(x.astype("c16"))) < LIMIT


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("radix", BUTTERFLIES)
def test_a_butterfly_equals_its_dft_matrix(ctx, radix, direction):
    x = noise(radix, 2)  # both halves of a texel
    defines = {
        "RADIX": radix,
        "ELEMENTS": radix,
        "SIZE": radix,
        "TABLE_ROOTS": 0,
        "NATIVE_ROOTS": 0,
        "PACKED": 2,
        "DOUBLE": 0,
        **used_radices(radix),
    }
    probe = shader_library(ctx).compute("fft/probe_butterfly.comp", **defines)
    sink = ctx.buffer(x.tobytes())
    sink.bind_to_storage_buffer(Storage.SINK)
    if "direction" in probe:
        probe["direction"] = direction
    probe.run(1)
    ctx.memory_barrier(moderngl.Context.BUFFER_UPDATE_BARRIER_BIT)
    result = np.frombuffer(sink.read(), "c8").reshape(radix, 2)
    sink.release()
    turns = np.outer(np.arange(radix), np.arange(radix)) / radix
    matrix = np.exp(direction * 2j * np.pi * turns)
    assert relative_error(result, matrix @ x.astype("c16")) < 2e-7


WAYS = ("vec4", "vec2", "float", "arrays"), ("none", "padded")
EXCHANGES = [{"exchange": exchange, "padding": padding} for exchange, padding in product(*WAYS)]


@pytest.mark.parametrize(("size", "radix", "stages"), [(2 * 729, 8, 4), (1 << 11, 2, 11)])
def test_a_line_has_as_many_stages_as_it_needs(ctx, size, radix, stages):
    assert len(factors(size, radix)) == stages
    check_rows(ctx, "stockham-registers", size, {"radix": radix})


SPLIT_OPTIONS = [
    {},
    {"padding": "none"},
    {"lines": 1},
    {"lines": 8},
    {"roots": "powers", "twiddles": "computed"},
    {"rows": "along"},
]


@pytest.mark.parametrize("options", SPLIT_OPTIONS)
@pytest.mark.parametrize("size", [16, slow(128)])
def test_a_stage_on_halves_is_right(ctx, size, options):
    assert divide(size, fft.ROWS, RegisterOptions(radix="split")).split
    check_square(ctx, size, {"radix": "split", **options}, fields=4)


@pytest.mark.parametrize(("backend", "size"), [("four-step", 128 * 128), ("bluestein", 61)])
def test_a_stage_on_halves_works_within_other_transforms(ctx, backend, size):
    check_rows(ctx, backend, size, {"radix": "split"})


def test_elements_of_one_number_have_no_halves(ctx):
    for size, element_bytes in ((128, 8), (64, 16)):
        division = divide(size, fft.ROWS, RegisterOptions(radix="split"), element_bytes)
        assert division == divide(size, fft.ROWS, RegisterOptions(radix=8), element_bytes)
    check_square(ctx, 16, {"radix": "split"}, fields=1)


@pytest.mark.parametrize("options", EXCHANGES)
def test_exchanges_work_at_a_size_of_several_factors(ctx, options):
    check_square(ctx, 24, options)


@pytest.mark.slow
@pytest.mark.parametrize(("radix", "exchange", "padding"), list(product(EVEN_RADICES, *WAYS)))
def test_options_work_together_at_a_size_of_several_factors(ctx, radix, exchange, padding):
    """Ten lines, two in each group's row, are five rows: they do not fill groups of two rows."""
    options = {"radix": radix, "lines": 2, "exchange": exchange, "padding": padding}
    check(ctx, "stockham-registers", buffers(ctx, 5, 84), options, (fft.ROWS,))


def made_of(ctx, storage, options):
    """Return the options that `auto` resolves to for rows of 512, without defaults."""
    fields = storage(ctx, (4, 512))
    plan = fft.plan(ctx, "stockham-registers", fields, options, axes=(fft.ROWS,))
    settled = plan.transforms[0].options
    plan.release()
    fields.release()
    return settled.model_dump(exclude_defaults=True)


def pretend(monkeypatch, renderer):
    """Let the kernels take this context for llvmpipe, or for a GPU of a vendor."""
    monkeypatch.setattr("ocean.fft.registers.is_software", lambda ctx: renderer == "llvmpipe")
    registers = REGISTERS.get(renderer, FEWEST_REGISTERS)
    monkeypatch.setattr("ocean.fft.registers.limits", lambda ctx: replace(limits(ctx), registers=registers))


@pytest.fixture(params=["NVIDIA", "Intel", "llvmpipe"])
def measured(request, monkeypatch):
    """Return the options measured as fastest for rows of 512."""
    pretend(monkeypatch, request.param)
    return SOFTWARE if request.param == "llvmpipe" else FASTEST[512][0]


def test_measured_options_are_used_for_images_and_lines(ctx, measured):
    layers = [lambda ctx, shape, n=packed: fft.FieldLayers(ctx, shape, 1, n) for packed in (1, 2)]
    buffers = [lambda ctx, shape, n=packed: fft.FieldBuffers(ctx, shape, 1, n) for packed in (1, 2)]
    assert made_of(ctx, layers[1], {}) == measured
    for storage in (layers[0], buffers[1]):
        assert made_of(ctx, storage, {}) == {}
    assert made_of(ctx, buffers[0], {}) == ({} if measured is SOFTWARE else FASTEST_LINES[512])


@pytest.mark.parametrize(
    "chosen", [{"padding": "none"}, {"twiddles": "computed"}, {"radix": 16}, {"rows": "along"}, {"columns": 8}]
)
def test_chosen_options_leave_the_others_as_measured(ctx, measured, chosen):
    settled = made_of(ctx, lambda ctx, shape: fft.FieldLayers(ctx, shape, 1), chosen)
    assert settled == measured | chosen


@pytest.mark.parametrize(("size", "layers"), few([*((size, 1) for size in (128, *FASTEST)), (512, MANY_LAYERS)]))
@pytest.mark.usefixtures("measured")
def test_measured_options_give_right_images(ctx, size, layers):
    check(ctx, "stockham-registers", images(ctx, 4, size, layers=layers), axes=(fft.ROWS,))


@pytest.mark.parametrize("size", few(FASTEST_LINES))
@pytest.mark.usefixtures("measured")
def test_measured_options_give_right_lines(ctx, size):
    check(ctx, "stockham-registers", buffers(ctx, 5, size, packed=1), axes=(fft.ROWS,))


@pytest.mark.parametrize(("vendor", "values"), [("NVIDIA Corporation", 128), ("Intel", 32), ("AMD", 32), ("", 32)])
def test_the_vendor_tells_how_many_values_stay_in_registers(vendor, values):
    assert registers_of(vendor) == values


def test_many_layers_at_once_take_other_kernels(ctx, monkeypatch):
    pretend(monkeypatch, "NVIDIA")
    few, many = (made_of(ctx, lambda ctx, shape, n=n: fft.FieldLayers(ctx, shape, n), {}) for n in (2, MANY_LAYERS))
    assert few == FASTEST[512][0]
    assert many == FASTEST_OF_MANY[512][0]


@pytest.mark.parametrize(("size", "double"), list(product((64, 210, 1000), (False, True))))
def test_results_sorted_before_they_are_written_are_right(ctx, size, double):
    fields = buffers(ctx, 5, size, packed=1, double=double)
    plan = check(ctx, "stockham-global", fields, {"exchange": "sorted"}, (fft.ROWS,))
    assert any(stage.name == "sort" for stage in plan.transforms[0].flow.stages)


SPILLS = [  # size, radix, sharing, lines; by Mesa 22.3.6 for Gen9 (tools.registers)
    *((1024, radix, sharing, lines) for lines in (1, 2) for radix, sharing in ((8, "held"), (8, "packed"))),
    *((1024, 4, sharing, 2) for sharing in ("held", "packed")),
    *((2048, 4, sharing, lines) for lines in (1, 2) for sharing in ("held", "packed")),
    *((2048, 8, sharing, 1) for sharing in ("held", "packed")),
    *((2048, radix, "apart", 2) for radix in (4, 8)),
]
KEEPS = [
    *((1024, radix, "apart", lines) for radix in (4, 8) for lines in (1, 2)),
    *((1024, 4, sharing, 1) for sharing in ("held", "packed")),
    *((2048, radix, "apart", 1) for radix in (4, 8)),
    (512, 4, "packed", 2),
]


@pytest.mark.parametrize(("case", "keeps"), [*((case, False) for case in SPILLS), *((case, True) for case in KEEPS)])
def test_the_rule_for_registers_agrees_with_the_spills_of_a_compiler(ctx, monkeypatch, case, keeps):
    pretend(monkeypatch, "Intel")
    size, radix, sharing, lines = case
    options = StockhamOptions(radix=radix, lines=lines, exchange="vec2", padding="padded")
    assert fits_registers(ctx, divide(size, fft.ROWS, options), sharing) == keeps


@pytest.mark.parametrize("size", [128, *FASTEST])
@pytest.mark.parametrize("vendor", ["NVIDIA", "Intel"])
def test_a_gpu_takes_the_fastest_options_that_fit_its_registers(ctx, monkeypatch, vendor, size):
    """Nothing is compiled: only the choice counts, for both axes alone and for the first one fused."""
    pretend(monkeypatch, vendor)
    fields, options = fft.FieldLayers(ctx, (size, size), 2), StockhamOptions()
    alone = [StockhamRegisters.resolved(options, size, axis, fields) for axis in (fft.ROWS, fft.COLUMNS)]
    fusion = StockhamRegisters.fusion(fields, options)
    fields.release()
    assert all(fits_registers(ctx, divide(size, axis, one)) for axis, one in enumerate(alone))
    assert fits_registers(ctx, divide(size, fft.ROWS, fusion.first), fusion.sharing)
    if vendor == "NVIDIA" and size in FASTEST:
        assert alone == [StockhamOptions(**values) for values in FASTEST[size]]
        assert fusion.first in [StockhamOptions(**values) for values in FASTEST_FUSED[size]]
    light = [StockhamOptions(**values) for values in LIGHT]
    assert [one in light for one in (*alone, fusion.first)] == {
        ("Intel", 1024): [False, False, True],
        ("Intel", 2048): [True, True, True],
    }.get((vendor, size), [False] * 3)


def test_a_chosen_radix_beyond_the_registers_is_obeyed(ctx, monkeypatch):
    pretend(monkeypatch, "Intel")
    fields = fft.FieldLayers(ctx, (4, 2048), 1)
    settled = StockhamRegisters.resolved(StockhamOptions(radix=16), 2048, fft.ROWS, fields)
    fields.release()
    assert settled == StockhamOptions(**FASTEST[2048][0])


CASES = [case for case in product((1024, 2048), (fft.ROWS, fft.COLUMNS), LIGHT) if case[0] * case[2]["lines"] <= 2048]
"""Sizes, axes and options; two lines of 2048 exceed 32 KiB, and the registers of all that have more."""


@pytest.mark.parametrize(("size", "axis", "values"), few(CASES))
def test_light_options_give_right_images(ctx, size, axis, values):
    shape = (4, size) if axis == fft.ROWS else (size, 4)
    check(ctx, "stockham-registers", images(ctx, *shape), values, axes=(axis,))


def test_groups_shrink_where_shared_memory_is_too_small(ctx):
    """The group has eight lines of 512. The general division exchanges them in quarters."""
    settled = made_of(ctx, lambda ctx, shape: fft.FieldLayers(ctx, shape, 1), {"lines": 8, "padding": "padded"})
    assert settled == {"lines": 8, "padding": "padded"}


@pytest.mark.parametrize("backend", MIXED_BACKENDS)
@pytest.mark.parametrize("size", [1, BEYOND, 2 * BEYOND, 1021])
def test_other_sizes_are_refused_with_the_reason(ctx, backend, size):
    with pytest.raises(FFTError, match=naming(PRIMES, size)):
        fft.transform(ctx, np.ones((size, size)), backend)


@pytest.mark.parametrize(
    ("radix", "order", "butterflies"),
    [pytest.param(16, "rising", 4, marks=pytest.mark.slow), (16, "level", 2), (8, "rising", 2), (4, "level", 4)],
)
@pytest.mark.parametrize("size", [64, *(pytest.param(size, marks=pytest.mark.slow) for size in (96, 176, 512))])
def test_orders_and_butterflies_compute_the_same_transform(ctx, size, radix, order, butterflies):
    check_square(ctx, size, {"radix": radix, "order": order, "butterflies": butterflies})


def test_options_that_ask_too_much_are_refused_with_the_reason(ctx):
    unpadded = {"lines": 8, "exchange": "vec4", "padding": "none", "radix": 16}
    with pytest.raises(FFTError, match=naming("128 KiB shared memory")):
        fft.transform(ctx, np.ones((1024, 1024)), "stockham-registers", options=unpadded)
    with pytest.raises(FFTError, match="4096 invocations"):
        fft.transform(ctx, np.ones((2048, 2048)), "stockham-registers", options={"lines": 8, "radix": 4})


# -- Divisions, without a GPU ------------------------------------------------------------------------------------------


def test_factors_divide_a_length():
    assert factors(1) == ()
    assert factors(2 * BEYOND) is None
    assert factors(143) == (13, 11)
    assert factors(1260, 4) == (7, 5, 3, 3, 4)
    assert factors(1260, 4, element_bytes=8) == (15, 7, 3, 4)
    assert factors(625, element_bytes=8) == (5,) * 4
    assert factors(3**7 * 5**3, element_bytes=8) == (15, 15, 15, 9, 9)
    assert factors(128, 8) == (8, 8, 2)
    assert factors(128, 8, "rising") == (2, 8, 8)
    assert factors(128, 8, "level") == (8, 4, 4)
    assert factors(1024, 16, "level") == (16, 8, 8)
    assert factors(3 * 32, 16, "rising") == (3, 2, 16)


def test_powers_of_two_have_a_default_division():
    """The division has radices, an exchange, and padding by the stride of the first stage."""
    expected = {
        256: ((8, 8, 4), 2, 8),
        512: ((8, 8, 8), 2, 8),
        1024: ((8, 8, 8, 2), 2, 8),
        2048: ((8, 8, 8, 4), 2, 8),
        4096: ((8,) * 4, 2, 0),
    }
    for size, (radices, parts, padding) in expected.items():
        division = divide(size, fft.ROWS, RegisterOptions())
        assert (division.radices, division.parts, division.padding) == (radices, parts, padding)


@pytest.mark.parametrize("radix", EVEN_RADICES)
def test_divisions_cover_the_line_within_opengl_s_limits(radix):
    for size in [*SMOOTH, 2048]:
        for axis, element_bytes in product((fft.ROWS, fft.COLUMNS), (8, 16)):
            division = divide(size, axis, RegisterOptions(radix=radix), element_bytes)
            assert division.size == size
            assert set(division.radices) <= {*ODD_RADICES, *PRODUCTS, *EVEN_RADICES[: EVEN_RADICES.index(radix) + 1]}
            assert division.threads * max(division.radices) == size
            assert division.group_threads <= 1024
            assert division.shared_bytes <= 32768
            assert division.elements <= 32  # (17, 3, 16): two butterflies of 16 in each invocation


@pytest.mark.parametrize("radix", EVEN_RADICES)
@pytest.mark.parametrize("butterflies", [1, 2, 4])
def test_an_invocation_computes_the_requested_number_of_butterflies(radix, butterflies):
    """An invocation makes fewer if it would otherwise hold more than 64 elements."""
    for size in (*SMOOTH, 512, 2048):
        division = divide(size, fft.ROWS, RegisterOptions(radix=radix, butterflies=butterflies))
        assert division.elements <= 64
        if size >= radix * butterflies and size & (size - 1) == 0:
            assert division.elements == division.size // division.threads == radix * butterflies
