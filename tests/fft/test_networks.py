"""Networks of the transforms: each computes the transform that numpy computes, and matches the accesses that kernels
log.

The tests change the shaders so that each access to storage writes a log entry: dispatch, invocation, element, and
whether it was read or written. The log does not depend on the results.
"""

import shutil
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ocean import fft
from ocean.fft.kernels import KernelTransform
from ocean.fft.networks import NETWORKS, Memory, network_of
from ocean.fft.networks.network import IMAGES
from ocean.gpu import shaders
from ocean.gpu.shaders import ShaderLibrary

from .samples import few

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
SIMPLE = [(name, 32, {}) for name in fft.BACKENDS if name != "numpy" and (name == "auto" or name in NETWORKS)]
PLANS = [
    *((name, 16, {}) for name, _, _ in SIMPLE),
    ("stockham-radix2", 64, {"butterflies": 4}),
    ("stockham-radix4", 32, {"butterflies": 2}),
    ("naive", 32, {"invocations": "one-per-butterfly"}),
    ("dft", 13, {}),
    ("bluestein", 13, {}),
    ("bluestein", 2053, {}),
    ("stockham-registers", 105, {}),
    ("stockham-registers", 1000, {"radix": 4}),
    ("stockham-registers", 96, {"radix": 2}),
    ("stockham-registers", 256, {"radix": 16, "lines": 4, "exchange": "float"}),
    ("stockham-global", 210, {"exchange": "sorted"}),
    ("stockham-global", 512, {"radix": 2}),
    ("stockham-global", 64, {}),
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
each_plan = pytest.mark.parametrize(
    ("name", "size", "options"),
    [*SIMPLE, *few(PLANS)],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else str(value),
)


@pytest.fixture
def plan_of_rows(ctx):
    """Yield a function that makes plans for the rows of two fields, and release the plans."""
    made = []

    def make(name, size, options):
        fields = fft.FieldLayers(ctx, (3, size), 1)
        made.extend([fields, plan := fft.plan(ctx, name, fields, options, axes=(fft.ROWS,))])
        return plan

    yield make
    for one in made:
        one.release()


@pytest.fixture
def talking_shaders(ctx, tmp_path, monkeypatch):
    """Yield a library whose kernels log their accesses, in place of the library of the context."""
    folder = tmp_path / "shaders"
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
            width = f"imageSize({memory}).x"
            text, count = replace_image_access(text, f"{access}_{memory}", f"note({kind}, {half}, p, {width}); ")
            assert count == 1
    path.write_text(text, encoding="utf-8")
    library, own = ShaderLibrary(ctx, folder), shaders.shader_library(ctx)
    monkeypatch.setattr(ctx, "extra", library)
    yield
    monkeypatch.setattr(ctx, "extra", own)
    library.release()


def replace_image_access(text, name, note):
    """Insert the log entry into the body of the function for images, the second of two functions of that name."""
    before, images = text.split("#else\n#if PACKED == 1", 1)
    head, brace, tail = images.partition(f" {name}(ivec3 p")
    arguments, opening, body = tail.partition(") { ")
    return before + "#else\n#if PACKED == 1" + head + brace + arguments + opening + note + body, int(bool(opening))


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


def expected_accesses(network):
    """Return the accesses of a network, in the form of `accesses_of`."""
    found, number = Counter(), -1
    for step, (source, target) in zip(network.steps, pairwise(network.memories), strict=True):
        number += step.dispatch
        for node in step.nodes:
            if source in IMAGES:
                found.update((number, 0, source, place, node.thread) for place in node.reads)
            if target in IMAGES:
                found.update((number, 1, target, place, node.thread) for place in node.writes)
    return found


@each_plan
def test_kernels_access_the_elements_of_the_network(
    ctx, plan_of_rows, talking_shaders, monkeypatch, name, size, options
):
    plan = plan_of_rows(name, size, options)
    assert accesses_of(ctx, plan, monkeypatch) == expected_accesses(network_of(plan.transforms[0]))


@each_plan
def test_networks_compute_the_transform_and_match_the_counts_of_the_plan(plan_of_rows, name, size, options):
    (transform,) = plan_of_rows(name, size, options).transforms
    network = network_of(transform)
    assert network.dispatches == transform.dispatches
    if Memory.PADDED not in network.memories:  # the plan counts its bytes too
        assert network.transfers * transform.fields.bytes == transform.bytes_moved
    if size <= 512:
        x = np.random.default_rng().standard_normal((size, 2)) @ (1, 1j)
        result = network.states()[-1] @ x
        expected = np.fft.ifft(x, norm="forward")
        assert np.linalg.norm(result - expected) < 1e-12 * np.linalg.norm(expected)


@each_plan
def test_an_invocation_keeps_its_registers(plan_of_rows, name, size, options):
    """The invocation that wrote a register reads it, except in transforms that several invocations share."""
    network = network_of(plan_of_rows(name, size, options).transforms[0])
    for (before, after), memory in zip(pairwise(network.steps), network.memories[1:], strict=False):
        if memory is Memory.REGISTERS:
            owners = {place: node.thread for node in before.nodes for place in node.writes}
            for node in after.nodes:
                assert {owners[place] for place in node.reads} <= {node.thread} or None in (
                    node.thread,
                    *(owners[place] for place in node.reads),
                )
