"""Networks drawn in docs/backends: each is run, and compared with the counts of its plan."""

import numpy as np
import pytest

from ocean import fft
from ocean.fft.storage import FieldLayers
from tools.drawings.examples import EXAMPLES

ANY_SIZE = {"bluestein", "dft", "numpy"}
each_example = pytest.mark.parametrize("name", EXAMPLES)


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


@each_example
def test_drawn_networks_compute_the_transform(name):
    example = EXAMPLES[name]
    for size in {example.size, 16, 32, 64} | ({5, 7, 12, 13} if name in ANY_SIZE else set()):
        x = np.random.default_rng().standard_normal((size, 2)) @ (1, 1j)
        network = example.network(size).states()[-1]
        assert relative_error(network @ x, np.fft.ifft(x, norm="forward")) < 1e-12
        assert relative_error(network.conj() @ x, np.fft.fft(x)) < 1e-12


@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name in fft.BACKENDS])
def test_dispatches_and_bytes_agree_with_the_plan(ctx, name, size):
    network = EXAMPLES[name].network(size)
    layers = FieldLayers(ctx, size, 1)
    plan = fft.plan(ctx, name, layers, EXAMPLES[name].options)
    try:
        assert network.dispatches == plan.transforms[0].dispatches
        assert network.transfers * layers.bytes == plan.transforms[0].bytes_moved
    finally:
        plan.release()
        layers.release()


@each_example
def test_every_place_is_written_by_one_invocation(name):
    for step in EXAMPLES[name].network(16).steps:
        written = sorted(place for node in step.nodes for place in node.writes)
        assert written == list(range(len(written)))
