"""The drawings of data flow in docs/backends.md: each network that is drawn is run, and counted against its plan."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import numpy as np
import pytest

from ocean import fft
from ocean.fft.storage import FieldLayers
from tools.drawings.draw import FOLDER, WIDTH, Drawing
from tools.drawings.examples import EXAMPLES

PAGE = FOLDER.parent / "backends.md"
UNDRAWN = {"auto"}  # picks among the others
ANY_SIZE = {"bluestein", "dft", "numpy"}
each_example = pytest.mark.parametrize("name", EXAMPLES)


def sections():
    """The page's sections by backend."""
    return dict(re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S))


def relative_error(result, expected):
    return np.linalg.norm(result - expected) / np.linalg.norm(expected)


@each_example
def test_what_is_drawn_is_the_transform(name):
    example = EXAMPLES[name]
    for size in {example.size, 16, 32, 64} | ({5, 7, 12, 13} if name in ANY_SIZE else set()):
        x = np.random.default_rng().standard_normal((size, 2)) @ (1, 1j)
        network = example.network(size).states()[-1]
        assert relative_error(network @ x, np.fft.ifft(x, norm="forward")) < 1e-12
        assert relative_error(network.conj() @ x, np.fft.fft(x)) < 1e-12


@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name in fft.BACKENDS])
def test_dispatches_and_bytes_are_those_of_the_plan(ctx, name, size):
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
def test_no_invocation_writes_what_another_does_and_every_place_is_written(name):
    for step in EXAMPLES[name].network(16).steps:
        written = sorted(place for node in step.nodes for place in node.writes)
        assert written == list(range(len(written)))


@each_example
def test_drawings_are_what_the_script_writes(name):
    written = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert written == Drawing(name, EXAMPLES[name]).draw(), "run `make drawings`"


def test_no_drawing_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(EXAMPLES)


@each_example
def test_drawings_fit_a_page_and_no_labels_overlap(name):
    svg = ET.parse(FOLDER / f"{name}.svg").getroot()
    assert float(svg.get("width")) <= WIDTH
    boxes = [
        tuple(float(box.get(side)) for side in ("x", "y", "width", "height"))
        for box in svg.iter("{http://www.w3.org/2000/svg}rect")
        if box.get("rx") == "3"  # cells and factors
    ]
    for (x, y, width, height), (u, v, wide, high) in combinations(boxes, 2):
        assert x + width <= u or u + wide <= x or y + height <= v or v + high <= y


def test_every_backend_has_a_section_with_its_drawing():
    assert set(fft.BACKENDS) <= set(sections())
    for name, section in sections().items():
        if name not in UNDRAWN:
            assert f"](drawings/{name}.svg)" in section, name
            for line in ("Dispatches", "Bytes", "Barriers", "Wins"):
                assert f"- **{line}**" in section, f"{name} does not say: {line}"


def table():
    """The cells of the page's table: backend, dispatches, bytes, barriers."""
    for row in re.findall(r"^\| \[`.*$", PAGE.read_text(encoding="utf-8"), re.M):
        name, *cells = (cell.strip(" $`") for cell in row.strip("|").split("|")[:4])
        yield re.match(r"\[`([\w-]+)", name)[1], *cells


def evaluated(cell, **symbols):
    """The value of a formula such as $2B(L + 1)$, the first one where a cell has two."""
    formula = re.split(r"\$|,| a part", cell)[0]
    return eval(re.sub(r"(?<=[\dA-Z])(?=[A-Z(])", "*", formula), symbols)


def test_the_table_says_what_the_networks_count():
    size = 64
    rows = {name: cells for name, *cells in table()}
    assert list(rows) == list(sections())
    for name, (dispatches, moved, barriers) in rows.items():
        if name in UNDRAWN:
            continue
        network = EXAMPLES[name].network(size)
        symbols = {"L": 6, "B": 1, "P": 2, "S": sum(step.name.startswith("radix") for step in network.steps)}
        assert evaluated(dispatches, **symbols) == network.dispatches, name
        assert evaluated(moved, **symbols) == network.transfers, name
        if barriers == "dispatches":
            assert network.barriers == 0 < network.dispatches - 1, name
        elif name not in ("four-step", "bluestein", "numpy"):  # refer to another row, or have none
            assert evaluated(barriers, **symbols) == network.barriers, name
