"""An SVG under construction: shapes, words, and symbols with indices."""

import xml.etree.ElementTree as ET

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
INK, PALE = "#1f2328", "#59636e"
ADVANCE = {"x": 7, "X": 9, "w": 9, "c": 7, "B": 9, "F": 9}  # widths of letters at 12 px, and of digits at 9 px
DIGIT = 5


class Canvas:
    """SVG under construction."""

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
