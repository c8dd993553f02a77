"""Descriptions of figures, and their drawing as PNG and SVG.

matplotlib is imported inside of the functions. They draw with Agg and SVG, and each closes its figure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ocean.capture.plots import COLOURS, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STRONG = tuple(COLOURS[i] for i in (0, 5, 2, 4, 6, 7, 8, 1, 9))  # without yellow, which is too pale for lines
MARKERS = "osD^vP*X"  # one fewer than colours, so that 72 lines all differ
PANEL_WIDTH, PANEL_HEIGHT, LINE_HEIGHT = 5.6, 4.0, 0.26  # inches
LETTERS = 14.5  # of a heading, in an inch


@dataclass(frozen=True)
class Panel:
    title: str
    curves: Mapping[str, Mapping[Any, float]]  # points of each name

    @property
    def missing(self) -> list[str]:
        return [name for name, curve in self.curves.items() if not curve]

    @property
    def can_be_drawn(self) -> bool:
        return any(self.curves.values())


@dataclass(frozen=True)
class Lines(Panel):
    """Curves over sizes or threads. At least one of them, and all in `required`, must have points."""

    y: str
    x: str = "N"
    log_x: bool = True
    log_y: bool = True
    required: tuple[str, ...] = ()
    dashed: tuple[str, ...] = ()
    level: float | None = None  # height of a horizontal line

    @property
    def can_be_drawn(self) -> bool:
        return all(self.curves[name] for name in self.required) and super().can_be_drawn


@dataclass(frozen=True)
class Bars(Panel):
    """Bars with values by group for each name."""

    y: str


@dataclass(frozen=True)
class Table(Panel):
    """Table of numbers by name and size. The values in `published` are the paper's."""

    published: tuple[str, ...] = ()
    form: str = "{:.4g}"

    @property
    def can_be_drawn(self) -> bool:
        return any(curve for name, curve in self.curves.items() if name not in self.published)


@dataclass(frozen=True)
class Figure:
    name: str  # name of the files
    source: str
    title: str
    panels: Sequence[Panel]
    note: str = ""  # differences from the source
    clocks: tuple[str, ...] = ()  # clocks of the shown times, in words

    @property
    def obstacle(self) -> str | None:
        """Return the reason why the figure can't be drawn, or None."""
        empty = [panel.title for panel in self.panels if not panel.can_be_drawn]
        return f"not measured: {'; '.join(empty)}" if empty else None

    @property
    def missing(self) -> list[str]:
        return list(dict.fromkeys(name for panel in self.panels for name in panel.missing))


def draw(figure: Figure, folder: Path, device: str) -> list[str]:
    """Draw a figure into a folder and return the names of its files."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    columns = min(2, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    height = max(
        LINE_HEIGHT * (2 + len(one.curves)) if isinstance(one, Table) else PANEL_HEIGHT for one in figure.panels
    )
    named = dict.fromkeys(name for panel in figure.panels for name in panel.curves)
    styles = {name: style(place) for place, name in enumerate(named)}
    title = [f"{figure.title} · after {figure.source}", device, *([figure.note] if figure.note else [])]
    # Text stays text in an SVG, and equal drawings make equal files.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ocean", "font.size": 9}):
        width = max(PANEL_WIDTH * columns, 9.0)
        canvas = Canvas(figsize=(width, height * rows + 0.8), layout="constrained")
        FigureCanvasAgg(canvas)
        for place, panel in enumerate(figure.panels, 1):
            axes = canvas.add_subplot(rows, columns, place)
            axes.set_title(panel.title, fontsize=10, loc="left", color=INK)
            if isinstance(panel, Lines):
                draw_lines(axes, panel, styles)
            elif isinstance(panel, Bars):
                draw_bars(axes, panel, styles)
            elif isinstance(panel, Table):
                draw_table(axes, panel)
        lines = [line for part in title for line in wrap(part, int(width * LETTERS))]
        canvas.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=9, color=INK)
        return save(canvas, folder, figure.name)


def save(canvas: "Canvas", folder: Path, name: str) -> list[str]:
    from PIL import Image

    files, pixels = [f"{name}.png", f"{name}.svg"], BytesIO()
    canvas.savefig(pixels, dpi=90)
    picture = Image.open(pixels).convert("RGB").quantize(64, Image.Quantize.FASTOCTREE)  # a third of the size
    picture.save(folder / files[0], optimize=True)
    canvas.savefig(folder / files[1], metadata={"Date": None})
    return files


def style(place: int) -> tuple[str, str]:
    return STRONG[place % len(STRONG)], MARKERS[place % len(MARKERS)]


def draw_lines(axes: "Axes", panel: Lines, styles: Mapping[str, tuple[str, str]]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    for name, curve in panel.curves.items():
        if curve:
            colour, marker = styles[name]
            line = "--" if name in panel.dashed else "-"
            axes.plot(list(curve), list(curve.values()), line, color=colour, marker=marker, markersize=4, label=name)
    if panel.level is not None:
        axes.axhline(panel.level, color=INK, linewidth=0.8, linestyle=":")
    if panel.log_x:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(base=2, numticks=9))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: short(x)))
    if panel.log_y:
        axes.set_yscale("log")
        values = [y for curve in panel.curves.values() for y in curve.values() if y > 0]
        decades = max(values) / min(values)
        marks = (1.0,) if decades > 200 else (1.0, 2.0, 5.0) if decades > 10 else (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
        axes.yaxis.set_major_locator(LogLocator(subs=marks, numticks=20))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    else:
        axes.set_ylim(bottom=0)
    finish(axes, panel.x, panel.y)


def short(x: float) -> str:
    """Return a short form of a size: 2048, 64k, 2M; k is 1024."""
    for unit, step in (("M", 1 << 20), ("k", 1 << 10)):
        if x >= 10_000 and x % step == 0:
            return f"{x / step:.0f}{unit}"
    return f"{x:.0f}"


def digits(value: float) -> str:
    """Return three digits or more, without an exponent: 9.61, 23.4, 1455."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def draw_bars(axes: "Axes", panel: Bars, styles: Mapping[str, tuple[str, str]]) -> None:
    """Draw groups of bars, each bar with its number."""
    curves = {name: values for name, values in panel.curves.items() if values}
    groups = list(dict.fromkeys(group for values in curves.values() for group in values))
    width = 0.8 / len(curves)
    for place, (name, values) in enumerate(curves.items()):
        at = [groups.index(group) + (place - (len(curves) - 1) / 2) * width for group in values]
        drawn = axes.bar(at, list(values.values()), 0.92 * width, color=styles[name][0], label=name)
        axes.bar_label(drawn, fmt=digits, fontsize=7, padding=1)
    axes.set_xticks(range(len(groups)), groups)
    axes.margins(y=0.18)
    finish(axes, "", panel.y)


def finish(axes: "Axes", x: str, y: str) -> None:
    """Finish axes of lines and bars. The legend lies below, where it covers nothing."""
    handles, _ = axes.get_legend_handles_labels()
    columns = min(3, len(handles))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=columns, fontsize=7.5, frameon=False)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_table(axes: "Axes", panel: Table) -> None:
    """Draw a row for each name and a column for each size."""
    sizes = sorted({x for curve in panel.curves.values() for x in curve})
    rows = {name: curve for name, curve in panel.curves.items() if curve}
    cells = [[panel.form.format(curve[x]) if x in curve else "" for x in sizes] for curve in rows.values()]
    axes.axis("off")
    made = axes.table(
        cells, rowLabels=list(rows), colLabels=[short(x) for x in sizes], loc="upper center", edges="horizontal"
    )
    made.auto_set_font_size(False)
    made.set_fontsize(9)
    made.scale(1, 1.3)
