"""Stages of the transforms: they compute what numpy computes, access the elements that kernels log, and have the
published numbers of operations.

Shaders are changed so that each access to the storage writes a log entry: dispatch, invocation, element, and whether it
was read or written. The log does not depend on the results.
"""

import shutil
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ocean import fft
from ocean.fft import kernels
from ocean.fft.kernels import KernelTransform
from ocean.fft.options import REGISTERED
from ocean.fft.stages import IMAGES, Memory, butterfly_flops
from ocean.gpu import shaders
from ocean.gpu.shaders import ShaderLibrary
from tools.drawings.draw import FOLDER, Drawing, states
from tools.drawings.examples import EXAMPLES

from ..objects import back_halves
from .samples import few, relative_error

LOG = 7  # a free binding of storage buffers
ROOM = 1 << 15
# The number of the invocation along a row, by the layout of each kernel.
WHO = {
    "line.glsl": "group().y * THREADS + thread()",
    "lines.glsl": "thread()",
    "plane.glsl": "along()",
    "four_step.comp": "butterfly_index() * THREADS + thread()",
}
NOTE = """
layout(std430, binding = 7) buffer Log { int count; int unused[3]; ivec4 entries[]; };
void note(int kind, int half_, ivec3 p, int width) {
    if (p.y == 0 && p.z == 0 && p.x < width) entries[atomicAdd(count, 1)] = ivec4(kind, half_, p.x, who());
}
"""
SIMPLE = [(name, 16, {}) for name in REGISTERED]
PLANS = [
    ("stockham-radix2", 64, {"butterflies": 4}),
    ("stockham-radix4", 32, {"butterflies": 2}),
    ("naive", 32, {"invocations": "one-per-butterfly"}),
    ("dft", 13, {}),
    ("split-radix", 64, {}),
    ("bluestein", 13, {}),
    ("bluestein", 2053, {}),
    ("bluestein", 5, {"convolution": "rader"}),
    ("bluestein", 61, {"convolution": "rader"}),  # first and last radix differ
    ("stockham-registers", 105, {}),
    ("stockham-registers", 1000, {"radix": 4}),
    ("stockham-registers", 128, {"radix": "split"}),
    ("stockham-registers", 256, {"radix": 16, "lines": 4, "exchange": "float"}),
    ("stockham-global", 210, {"exchange": "sorted"}),
    ("stockham-global", 512, {"radix": 2}),
    ("four-step", 60, {}),
    ("four-step", 2048, {"longest": 64}),
    *(
        ("digit-reversal", size, {"radix": radix, "decimation": decimation, "memory": memory, **more})
        for radix in (2, 4, 8)
        for decimation in ("time", "frequency")
        for memory, size, more in (
            ("shared", 32, {}),
            ("global", 32, {}),
            ("hybrid", 256, {"group": 64}),
            ("hybrid", 512, {"group": 64}),
        )
    ),
]


@pytest.fixture
def plan_of_rows(ctx, releasing):
    """Return a function that makes plans for the rows of two fields."""

    def make(name, size, options):
        fields = releasing(fft.FieldLayers(ctx, (3, size), 1))
        return releasing(fft.plan(ctx, name, fields, options, axes=(fft.ROWS,)))

    return make


@pytest.fixture(scope="module")
def logging_library(context, tmp_path_factory):
    """Yield a library whose kernels log their accesses."""
    folder = tmp_path_factory.mktemp("logging") / "shaders"
    shutil.copytree(shaders.SHADERS, folder)
    for name, who in WHO.items():
        path = folder / "fft" / name
        text = path.read_text(encoding="utf-8")
        function = f"int who() {{ return {who}; }}\n"
        include = '#include "fft/elements.glsl"'
        path.write_text(text.replace(include, function + include) if include in text else text + function)
    path = folder / "fft" / "elements.glsl"
    text = path.read_text(encoding="utf-8").replace("#if BUFFER", NOTE + "#if BUFFER", 1)
    for half, memory in enumerate(("front", "back")):
        for kind, access in enumerate(("load", "store")):
            note = f"note({kind}, {half}, p, imageSize({memory}).x); "
            text = with_note(text, f"{access}_{memory}", note)
    path.write_text(text, encoding="utf-8")
    library = ShaderLibrary(context, folder)
    yield library
    library.release()


def with_note(text, name, note):
    """Insert the log entry into the body of the function for images, the second of two functions of that name."""
    before, images = text.split("#else\n#if PACKED == 1", 1)
    head, found, tail = images.partition(f" {name}(ivec3 p")
    arguments, opening, body = tail.partition(") { ")
    assert found
    assert opening
    return before + "#else\n#if PACKED == 1" + head + found + arguments + opening + note + body


def accesses_of(ctx, plan, monkeypatch):
    """Return the logged accesses of a forward run of the plan: (dispatch, kind, memory, element, invocation), each as
    often as it occurred."""
    fields, found, dispatch = plan.transforms[0].fields, Counter(), KernelTransform.dispatch
    halves = [fields.front.glo, None]
    log = ctx.buffer(reserve=16 * (ROOM + 1))
    number = -1

    def logged(transform, *groups):
        nonlocal number
        number += 1
        log.clear()
        log.bind_to_storage_buffer(LOG)
        dispatch(transform, *groups)
        ctx.memory_barrier()
        if transform.fields is fields:
            flipped = fields.front.glo != halves[0]
            entries = np.frombuffer(log.read(), np.int32).reshape(-1, 4)
            count = entries[0, 0]
            assert count < ROOM
            for kind, half, element, who in entries[1 : count + 1].tolist():
                found[number, kind, IMAGES[half ^ flipped], element, who] += 1

    monkeypatch.setattr(KernelTransform, "dispatch", logged)
    try:
        plan.forward()
    finally:
        log.release()
    return found


def described_accesses(flow):
    """Return the accesses of the stages, in the form of `accesses_of`."""
    found, number = Counter(), -1
    for stage, (source, target) in zip(flow.stages, pairwise(flow.memories), strict=True):
        number += stage.dispatches
        for node in stage.nodes:
            if source in IMAGES:
                found.update((number, 0, source, place, node.thread) for place in node.reads)
            if target in IMAGES:
                found.update((number, 1, target, place, node.thread) for place in node.writes)
    return found


@pytest.mark.parametrize(
    ("name", "size", "options"),
    [*SIMPLE, *few(PLANS)],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else str(value),
)
def test_stages_are_what_the_kernels_do(ctx, plan_of_rows, logging_library, monkeypatch, name, size, options):
    monkeypatch.setattr(kernels, "shader_library", lambda ctx: logging_library)
    plan = plan_of_rows(name, size, options)
    flow = plan.transforms[0].flow
    assert accesses_of(ctx, plan, monkeypatch) == described_accesses(flow)
    check_registers(flow)
    if name not in ("dft", "bluestein"):
        check_operations(flow)
    for stage in flow.stages:
        written = sorted(place for node in stage.nodes for place in node.writes)
        assert written == list(range(len(written)))  # each position by one invocation
    if size <= 512:
        x = np.random.default_rng().standard_normal((size, 2)) @ (1, 1j)
        assert relative_error(states(flow)[-1] @ x, np.fft.ifft(x, norm="forward")) < 1e-12


def check_registers(flow):
    """The invocation that wrote a register reads it, except in transforms that several invocations share."""
    for (before, after), memory in zip(pairwise(flow.stages), flow.memories[1:], strict=False):
        if memory is Memory.REGISTERS:
            owners = {place: node.thread for node in before.nodes for place in node.writes}
            for node in after.nodes:
                assert node.thread is None or {owners[place] for place in node.reads} <= {node.thread, None}


def check_operations(flow):
    """A kernel has a product for each root of a stage, and may have one where the root is 1."""
    for stage in flow.stages:
        least = most = 0
        for node in stage.nodes:
            factors = [*node.before, *node.after]
            is_move = len(node.reads) == 1
            added = 0 if is_move else butterfly_flops(len(node.reads))
            # A product by a power of i is free in a butterfly.
            least += added + 6 * sum(one is not None and (is_move or abs(one.value**4 - 1) > 1e-12) for one in factors)
            most += added + 6 * len(factors)
        # A stage on halves of elements has twice the butterflies, and roots between them.
        assert least <= stage.operation.flops <= most or "split" in stage.name or stage.operation.flops > least


@pytest.mark.parametrize(
    ("name", "size", "options", "flops", "barriers"),
    [
        ("stockham-radix2", 64, {}, 5 * 64 * 6, 5),  # 5 N log2 N
        ("cooley-tukey", 64, {}, 5 * 64 * 6, 5),
        ("cooley-tukey-stages", 64, {}, 5 * 64 * 6, 0),
        ("stockham-radix4", 256, {}, 17 / 4 * 256 * 8, 3),  # 4.25 N log2 N
        ("stockham-shared", 64, {}, 5 * 64 * 6 - 6 * 32, 10),
        ("stockham-registers", 256, {"radix": 4, "exchange": "vec4"}, 4 * 64 * 16 + 3 * 64 * 18, 5),
        ("stockham-registers", 256, {"radix": 4, "exchange": "vec2"}, 4 * 64 * 16 + 3 * 64 * 18, 11),
        ("stockham-global", 64, {"exchange": "sorted"}, 2 * 8 * (56 + 6 * 7), 2),
        ("dft", 64, {}, 8 * 64**2, 1),
        ("split-radix", 64, {}, None, 6),
        ("numpy", 64, {}, None, 0),
    ],
)
def test_operations_and_barriers_are_the_published_ones(plan_of_rows, name, size, options, flops, barriers):
    flow = plan_of_rows(name, size, options).transforms[0].flow
    assert flow.barriers == barriers
    if flops:
        assert flow.flops == flops


@pytest.mark.parametrize(("radix", "flops"), [(2, 4), (3, 16), (4, 16), (5, 48), (8, 56), (16, 168), (17, 436)])
def test_butterflies_count_their_operations(radix, flops):
    assert butterfly_flops(radix) == flops


def test_a_run_is_all_lines_of_all_fields(ctx, releasing):
    layers = releasing(fft.FieldLayers(ctx, 64, 3))
    plan = releasing(fft.plan(ctx, "stockham-radix2", layers, {"twiddles": "table"}))
    counts = plan.counts()
    assert counts.flops == 2 * 64 * 6 * 5 * 64 * 6  # axes, lines, fields
    assert counts.barriers == 2 * 5
    assert counts.storage_bytes == 2 * 3 * 64 * 64 * 16 + 2 * 64 * 8  # both halves, and a table for each axis
    assert counts.program_bytes is None or counts.program_bytes > 1000


@pytest.mark.parametrize(
    ("backend", "shape"),
    [
        *((name, (64, 64)) for name in ("stockham-shared", "stockham-registers", "dft", "digit-reversal", "auto")),
        ("bluestein", (64, 64)),
        ("bluestein", (2, 16381)),  # a convolution in memory
    ],
)
def test_kernels_in_place_neither_take_nor_count_a_second_half(ctx, releasing, backend, shape):
    layers = releasing(fft.FieldLayers(ctx, shape, 1))
    before = back_halves(layers)
    plan = releasing(fft.plan(ctx, backend, layers, axes=(fft.ROWS,)))
    plan.forward()
    assert back_halves(layers) <= before
    assert plan.counts().storage_bytes == layers.bytes + plan.transforms[0].own_bytes


@pytest.mark.parametrize("middle", ["image", "buffer"])
def test_storage_between_the_axes_is_counted(ctx, releasing, middle):
    layers = releasing(fft.FieldLayers(ctx, 32, 2))
    plan = releasing(fft.plan(ctx, "stockham-registers", layers, {"middle": middle, "twiddles": "computed"}))
    assert plan.counts().storage_bytes == (1 if middle == "image" else 2) * layers.bytes


@pytest.mark.parametrize("name", EXAMPLES)
def test_drawings_of_the_pages_show_the_stages(ctx, name):
    drawn = Drawing(name, EXAMPLES[name], ctx).draw()
    assert drawn == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
