"""Drawings of each FFT backend's data flow, `docs/drawings/NAME.svg`: `make drawings`.

Columns are states of the line, with a cell for each place, coloured by its memory. A cell names the sample or result
that it holds, or else its place; the stages are evaluated to find it. Lines between columns lead from inputs to
outputs, with a colour for each invocation.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.fft.stages import DataFlow, Factor, Memory, Node, Stage
from ocean.gpu.context import create_headless_context
from tools.drawings.examples import EXAMPLES, Example

Operator = NDArray[np.complex128]
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
INK, PALE = "#1f2328", "#59636e"
ADVANCE = {"x": 7, "X": 9, "w": 9, "c": 7, "B": 9, "F": 9}  # widths of letters at 12 px, and of digits at 9 px
DIGIT = 5

FOLDER = Path(__file__).parent.parent.parent / "docs" / "drawings"
PAPER, EDGE, BAND, ALARM = "#ffffff", "#d1d9e0", "#f1f3f6", "#cf222e"
FILLS = {  # colours of a cell and its border
    Memory.FRONT: ("#dcebff", "#3f7fc1"),
    Memory.BACK: ("#dcebff", "#3f7fc1"),
    Memory.SHARED: ("#ffe8bf", "#bf7d0c"),
    Memory.REGISTERS: ("#d9f2dc", "#35934a"),
    Memory.HOST: ("#e8e2f8", "#7a5fc0"),
}
KINDS = {Memory.FRONT: "image", Memory.BACK: "image"}
THREADS = ("#0072b2", "#c8500a", "#00916b", "#b5518f", "#7d6608", "#3a9fd8", "#6a46a8", "#6b6b6b")
NOBODY = "#8c959f"

MARGIN, TOP, PITCH = 16, 66, 32
CELL, CELL_HEIGHT = 30, 22
STUB, LABEL = 8, 42  # room between a cell and the fan of lines, without and with a factor
MARK = 14  # room for a barrier
STRAIGHT, FAN, WIDEST = 26, 58, 130  # widths of a fan: for moves within a row, and limits for others
NARROWEST, WIDTH = 520, 800  # widths of a drawing


class Canvas:
    def __init__(self) -> None:
        self.root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", attrib={"font-family": FONT})

    def add(self, tag: str, **attributes: object) -> ET.Element:
        named = {name.strip("_").replace("_", "-"): text(value) for name, value in attributes.items()}
        return ET.SubElement(self.root, tag, named)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: object) -> None:
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, **style)

    def label(self, x: float, y: float, words: str, size: float = 11, fill: str = INK, **style: object) -> ET.Element:
        element = self.add("text", x=x, y=y, font_size=size, fill=fill, **style)
        element.text = words
        return element

    def symbol(self, x: float, y: float, letter: str, below: int, above: int | str | None = None) -> None:
        """Draw a letter with an index and a power, around x. Every part has a fixed place, because renderers differ in
        text widths."""
        indices = [(str(below), y + 3.5)] + ([(str(above), y - 5.5)] if above is not None else [])
        left = x - (ADVANCE[letter] + DIGIT * max(len(word) for word, _ in indices)) / 2
        self.label(left, y, letter, 12, font_style="italic")
        for word, height in indices:
            self.label(left + ADVANCE[letter], height, word, 9)


def text(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def stays(stage: Stage) -> bool:
    return all(len(node.reads) <= 1 and set(node.reads) <= set(node.writes) for node in stage.nodes)


def shown(stage: Stage) -> tuple[Node, ...]:
    """Return the nodes whose factors are drawn: all, or a middle one if nodes share inputs."""
    read = [place for node in stage.nodes for place in node.reads]
    return stage.nodes if len(read) == len(set(read)) else (stage.nodes[3],)


def turn(node: Node, q: int, r: int) -> int:
    """Return the power of w_R of input q in output r, where R is the number of inputs."""
    return (-1 if node.backwards else 1) * q * r % len(node.reads)


def values(factors: tuple[Factor | None, ...], count: int) -> Operator:
    return np.array([factor.value if factor else 1.0 for factor in factors or (None,) * count], np.complex128)


def matrix(node: Node) -> Operator:
    turns = [[turn(node, q, r) for q in range(len(node.reads))] for r in range(len(node.writes))]
    core = np.exp(2j * np.pi * np.array(turns) / len(node.reads))
    return values(node.after, len(node.writes))[:, None] * core * values(node.before, len(node.reads))


def states(flow: DataFlow) -> list[Operator]:
    """Return the matrices from the input to the values at all positions, at first and after each stage."""
    found: list[Operator] = [np.eye(flow.size, dtype=np.complex128)]
    for stage in flow.stages:
        count = 1 + max(place for node in stage.nodes for place in node.writes)
        state = np.zeros((count, flow.size), np.complex128)
        for node in stage.nodes:
            state[list(node.writes)] += matrix(node) @ found[-1][list(node.reads)]
        found.append(state)
    return found


class Drawing:
    def __init__(self, name: str, example: Example, ctx: moderngl.Context) -> None:
        self.name, self.example = name, example
        self.flow = example.flow(ctx)
        self.states = states(self.flow)
        self.canvas = Canvas()
        moved = [all(len(node.reads) <= 1 for node in stage.nodes) for stage in self.flow.stages]
        self.untouched = [all(moved[:number]) for number in range(len(self.states))]
        stages = self.flow.stages
        self.rows = max(len(state) for state in self.states)
        self.stubs = [
            (stub(node.before for node in stage.nodes), stub(node.after for node in stage.nodes)) for stage in stages
        ]
        self.marks = [
            MARK if stage.waits or (stage.dispatches and number) else 0 for number, stage in enumerate(stages)
        ]
        fixed = 2 * MARGIN + CELL * len(self.states) + sum(map(sum, self.stubs)) + sum(self.marks)
        wide = [stage for stage in stages if not stays(stage)]
        room = WIDTH - fixed - STRAIGHT * (len(stages) - len(wide))
        fan = max(FAN, min(WIDEST, room // len(wide)))
        self.fans = [STRAIGHT if stays(stage) else fan for stage in stages]
        self.columns = [float(MARGIN)]
        for mark, stubs, width in zip(self.marks, self.stubs, self.fans, strict=True):
            self.columns.append(self.columns[-1] + CELL + mark + sum(stubs) + width)
        self.width = max(self.columns[-1] + CELL + MARGIN, NARROWEST)
        shift = (self.width - MARGIN - CELL - self.columns[-1]) / 2
        self.columns = [x + shift for x in self.columns]
        self.bottom = TOP + PITCH * self.rows

    def y(self, place: int, count: int) -> float:
        """Return the y coordinate of the middle of a cell, in a column of `count` cells."""
        return TOP + PITCH * (place + (self.rows - count) / 2 + 0.5)

    def draw(self) -> str:
        height = self.bottom + 64
        root = self.canvas.root
        root.set("viewBox", f"0 0 {text(self.width)} {height}")
        root.set("width", text(self.width))
        root.set("height", str(height))
        ET.SubElement(root, "title").text = f"Data flow of {self.name} at N = {self.example.size}"
        style = {"fill": PAPER, "stroke": EDGE}
        self.canvas.add("rect", x=0.5, y=0.5, width=self.width - 1, height=height - 1, rx=8, **style)
        self.heading()
        self.bands()
        for number, stage in enumerate(self.flow.stages):
            self.stage(number, stage)
        for number, memory in enumerate(self.flow.memories):
            self.column(number, memory)
        self.legend()
        for element in root:
            element.tail = "\n"
        return ET.tostring(root, encoding="unicode") + "\n"

    def heading(self) -> None:
        flow = self.flow
        options = "".join(f", {key} = {value}" for key, value in self.example.options.items())
        name = self.canvas.label(MARGIN, 22, self.name, 13, font_weight="bold")
        ET.SubElement(name, "tspan", {"font-weight": "normal"}).text = f"  N = {self.example.size}{options}"
        facts = [
            counted(flow.dispatches, "dispatch"),
            f"{flow.transfers if flow.transfers > 1 else ''}B moved",
        ]
        if barriers := sum(stage.waits for stage in flow.stages):
            facts.append(counted(barriers, "barrier"))
        self.canvas.label(self.width - MARGIN, 22, " · ".join(facts), 11, PALE, text_anchor="end")

    def bands(self) -> None:
        """Draw a grey band for each dispatch, from its inputs to its outputs."""
        begins = [number for number, stage in enumerate(self.flow.stages) if stage.dispatches]
        for count, (first, end) in enumerate(pairwise([*begins, len(self.flow.stages)])):
            left = self.columns[first] + CELL + self.marks[first]
            right = self.columns[end]
            height = self.bottom - TOP + 36
            self.canvas.add("rect", x=left, y=TOP - 32, width=right - left, height=height, rx=4, fill=BAND)
            title = "dispatch" if len(begins) == 1 else f"dispatch {count + 1}"
            self.canvas.label((left + right) / 2, TOP - 19, title, 10, PALE, text_anchor="middle")

    def stage(self, number: int, stage: Stage) -> None:
        left = self.columns[number] + CELL
        counts = len(self.states[number]), len(self.states[number + 1])
        if self.marks[number]:
            self.barrier(left + MARK / 2)
        start = left + self.marks[number]
        fan = start + self.stubs[number][0], start + self.stubs[number][0] + self.fans[number]
        right = self.columns[number + 1]
        middle = (start + right) / 2
        self.canvas.label(middle, TOP - 4, stage.name, 10, INK, text_anchor="middle")
        labelled = shown(stage)
        for node in sorted(stage.nodes, key=lambda node: node in labelled):
            style = {"stroke": colour(node.thread), "stroke_width": 1.4}
            if node not in labelled:
                style["stroke_opacity"] = 0.25
            if len(node.reads) > 4 and len(node.writes) > 1:
                self.box(node, (left, right), fan, counts)
            else:
                self.lines(node, (left, right), fan, counts, style)
        for node in labelled:
            for place, factor in zip(node.reads, node.before, strict=False):
                self.factor(start + self.stubs[number][0] / 2, self.y(place, counts[0]), factor, node.thread)
            for place, factor in zip(node.writes, node.after, strict=False):
                self.factor(right - self.stubs[number][1] / 2, self.y(place, counts[1]), factor, node.thread)

    def lines(
        self,
        node: Node,
        ends: tuple[float, float],
        fan: tuple[float, float],
        counts: tuple[int, int],
        style: dict[str, object],
    ) -> None:
        """Draw a line from each input to each output: broken for a subtraction, dotted for another rotation."""
        for place in node.reads:
            self.canvas.line(ends[0], self.y(place, counts[0]), fan[0], self.y(place, counts[0]), **style)
        for place in node.writes if node.reads else ():
            self.canvas.line(fan[1], self.y(place, counts[1]), ends[1], self.y(place, counts[1]), **style)
        for q, source in enumerate(node.reads):
            for r, target in enumerate(node.writes):
                turned = 2 * turn(node, q, r) / len(node.reads)
                dashes = {} if turned == 0 else {"stroke_dasharray": "5 3" if turned == 1 else "1.5 2.5"}
                self.canvas.line(
                    fan[0], self.y(source, counts[0]), fan[1], self.y(target, counts[1]), **style, **dashes
                )

    def box(self, node: Node, ends: tuple[float, float], fan: tuple[float, float], counts: tuple[int, int]) -> None:
        """Draw a box for a large transform, without its flow."""
        for place in node.reads:
            self.canvas.line(ends[0], self.y(place, counts[0]), fan[0], self.y(place, counts[0]), stroke=NOBODY)
        for place in node.writes:
            self.canvas.line(fan[1], self.y(place, counts[1]), ends[1], self.y(place, counts[1]), stroke=NOBODY)
        top, bottom = self.y(min(node.reads), counts[0]) - 10, self.y(max(node.reads), counts[0]) + 10
        style = {"rx": 4, "fill": PAPER, "stroke": NOBODY}
        self.canvas.add("rect", x=fan[0], y=top, width=fan[1] - fan[0], height=bottom - top, **style)
        conjugate = "*" if node.backwards else None
        self.canvas.symbol((fan[0] + fan[1]) / 2, (top + bottom) / 2 + 4, "F", len(node.reads), conjugate)

    def factor(self, x: float, y: float, factor: Factor | None, thread: int | None) -> None:
        if factor:
            style = {"rx": 3, "fill": PAPER, "stroke": colour(thread), "stroke_width": 0.7}
            self.canvas.add("rect", x=x - 15, y=y - 9, width=30, height=18, **style)
            self.canvas.symbol(x, y + 4, factor.symbol, factor.below, factor.above)

    def barrier(self, x: float) -> None:
        for offset in (-1.5, 1.5):
            self.canvas.line(x + offset, TOP, x + offset, self.bottom, stroke=ALARM, stroke_width=1.2)

    def column(self, number: int, memory: Memory) -> None:
        x, state = self.columns[number], self.states[number]
        fill, border = FILLS[memory]
        for place, row in enumerate(state):
            y = self.y(place, len(state))
            style = {"rx": 3, "fill": fill, "stroke": border}
            self.canvas.add("rect", x=x, y=y - CELL_HEIGHT / 2, width=CELL, height=CELL_HEIGHT, **style)
            if found := content(row, self.untouched[number]):
                self.canvas.symbol(x + CELL / 2, y + 4, *found)
            else:
                word = str(place) if row.any() else "zero"
                self.canvas.label(x + CELL / 2, y + 4, word, 10, PALE, text_anchor="middle")
        self.canvas.label(x + CELL / 2, self.bottom + 14, memory, 9.5, PALE, text_anchor="middle")

    def legend(self) -> None:
        x, y = float(MARGIN), self.bottom + 44
        kinds = {KINDS.get(memory, str(memory)): FILLS[memory] for memory in self.flow.memories}
        for kind, (fill, border) in kinds.items():
            self.canvas.add("rect", x=x, y=y - 9, width=12, height=12, rx=2, fill=fill, stroke=border)
            x = self.word(x + 17, y, kind)
        if any(self.marks):
            for offset in (0, 3):
                self.canvas.line(x + offset, y - 10, x + offset, y + 3, stroke=ALARM, stroke_width=1.2)
            x = self.word(x + 9, y, "barrier")
        threads = {node.thread for stage in self.flow.stages for node in stage.nodes if node.thread is not None}
        if threads:
            x = self.word(x, y, "invocation", gap=5)
            for thread in sorted(threads):
                self.canvas.line(x, y - 3, x + 10, y - 3, stroke=colour(thread), stroke_width=3)
                x = self.word(x + 13, y, str(thread), gap=7)
            x += 8
        turns = {
            2 * turn(node, q, r) / len(node.reads)
            for stage in self.flow.stages
            for node in stage.nodes
            if len(node.reads) <= 4
            for q in range(len(node.reads))
            for r in range(len(node.writes))
        }
        for dashes, word, there in (("5 3", "× −1", 1 in turns), ("1.5 2.5", "× ±i", 0.5 in turns)):
            if there:
                self.canvas.line(x, y - 3, x + 22, y - 3, stroke=INK, stroke_width=1.4, stroke_dasharray=dashes)
                x = self.word(x + 27, y, word)

    def word(self, x: float, y: float, words: str, gap: float = 18) -> float:
        self.canvas.label(x, y, words, 10.5, PALE)
        return x + 5.4 * len(words) + gap


def stub(factors: Iterable[tuple[Factor | None, ...]]) -> int:
    """Return the room between cells and fan, for factors if there are any."""
    return LABEL if any(map(any, factors)) else STUB


def colour(thread: int | None) -> str:
    return NOBODY if thread is None else THREADS[thread % len(THREADS)]


def counted(number: int, what: str) -> str:
    plural = "es" if what.endswith("h") else "s"
    return f"{number} {what}{'' if number == 1 else plural}"


def content(row: Operator, untouched: bool) -> tuple[str, int] | None:
    """Return the sample x_n in a place before any addition, or the result X_k."""
    n = np.arange(len(row))
    for index in range(len(row)):
        if untouched and np.array_equal(row, n == index):
            return "x", index
        if np.allclose(row, np.exp(2j * np.pi * index * n / len(row)), rtol=0, atol=1e-12):
            return "X", index
    return None


def main() -> None:
    context = create_headless_context()
    for name, example in EXAMPLES.items():
        (FOLDER / f"{name}.svg").write_text(Drawing(name, example, context).draw(), encoding="utf-8")
    context.release()


if __name__ == "__main__":
    main()
