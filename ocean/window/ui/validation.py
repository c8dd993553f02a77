"""The window *Sea truth*: predictions of the spectrum, measurements of the running sea, and their agreement.

Takes a survey and draws it; knows no GPU.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from imgui_bundle import imgui, imgui_ctx, implot
from numpy.typing import NDArray

from ocean.sea.nonlinear import Energies
from ocean.validation.fronts import FITTED, Fronts
from ocean.validation.quantities import FOAM, LIMIT, Quantity
from ocean.validation.record import WaveRecord, largest_waves
from ocean.validation.survey import SpectrumPlot, Survey
from ocean.waves.statistics import WATER_DENSITY
from ocean.window.ui import theme
from ocean.window.ui.theme import coloured, copy_buttons, em, headings, right, swatch, tooltip

HEADINGS = ("Quantity", "unit", "predicted", "measured", "allowed")
WIDTH = 38.0  # em
MARGIN = 12.0  # distance from the menu and from the view's right edge
PEAKS = 2.5  # peak frequencies from the middle of the polar plot to its edge
DECADES = 5  # decades of density in the plot over frequency
DOTS = (0.1, 0.8, 0.35), (0.4, 1.3, 0.55), (1.0, 2.2, 0.9)
"""Dots of the polar plot: minimum fraction of the highest density, radius [px], opacity."""
MEASURED = theme.rgb("ffd27d")
SEA_COLOURS = "0c1319", "123f52", "1a6a80", "2f9fb5", "8be6ee"


def draw(
    edge: float,
    paused: bool,
    survey: Survey | None,
    record: WaveRecord | None = None,
    energies: Energies | None = None,
    fronts: Fronts | None = None,
) -> bool:
    """Draw the survey of the running sea, the largest waves of a record, the energy of nonlinear waves, and the
    breaking fronts; None while there is none. The window appears at the right edge of the view. Return whether it stays
    open."""
    drawn = imgui.internal.find_window_by_name("Sea truth###truth")
    bar = imgui.get_style().scrollbar_size if drawn is not None and drawn.scrollbar_y else 0.0
    width = min(em(WIDTH) + bar, imgui.get_io().display_size.x)
    place = max(0.0, edge - MARGIN - width), imgui.get_main_viewport().work_pos.y + MARGIN
    imgui.set_next_window_pos(place, imgui.Cond_.appearing)
    imgui.set_next_window_size((width, 0))
    flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_nav | imgui.WindowFlags_.no_collapse
    with imgui_ctx.begin("Sea truth###truth", True, flags | imgui.WindowFlags_.no_docking) as window:
        if survey is None:
            waits = "measuring … After a change the sea has to settle first."
            coloured("The sea is paused. It is measured while it runs." if paused else waits, theme.FAINT)
        else:
            judged = [row.agrees for row in survey.quantities if row.agrees is not None]
            text = f"{sum(judged)} of {len(judged)} agree within {LIMIT:g} deviations of one draw"
            coloured(text, theme.GOOD if survey.agrees else theme.WRONG)
            imgui.same_line()
            coloured(f"· {survey.time:.1f} s", theme.FAINT)
            largest = largest_waves(record, survey) if record is not None else []
            draw_table(survey, largest, list(unjudged(survey, energies, fronts)))
            copy_buttons(HEADINGS, lambda: map(cells, (*survey.quantities, *largest)))
            if survey.plot is not None:
                draw_polar(survey.plot)
                imgui.same_line()
                draw_frequencies(survey.plot)
    return bool(window.opened)


def draw_table(survey: Survey, largest: Sequence[Quantity], others: Sequence[tuple[str, ...]]) -> None:
    if not imgui.begin_table("truth", 5, imgui.TableFlags_.row_bg):
        return
    imgui.table_setup_column("", imgui.TableColumnFlags_.width_stretch)
    for width in (5.4, 5.4, 5.6, 4.4):
        imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(width))
    headings("Quantity", "predicted", "measured", "allowed", "deviation")
    for row in survey.quantities:
        draw_row(row, theme.FAINT if row.agrees is None else theme.GOOD if row.agrees else theme.WRONG)
    for row in largest:  # a rogue wave is not an error
        draw_row(row, theme.TEXT if row.agrees else theme.ACCENT)
    for name, text, *numbers in others:
        imgui.table_next_row()
        imgui.table_next_column()
        coloured(name, theme.FAINT)
        tooltip(text)
        for number in numbers:
            right(number, theme.FAINT)
    imgui.end_table()


def draw_row(row: Quantity, colour: theme.Colour) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    swatch(colour)
    imgui.text(row.name)
    tooltip(f"{row.help}\nThe spectrum without a grid: {spelled(row.integral, row)}")
    right(spelled(row.expected, row))
    right("not yet" if row.measured is None else spelled(row.measured, row), colour)
    right(f"± {spelled(LIMIT * row.deviation, row)}", theme.FAINT)
    right("" if row.miss is None else f"{row.miss:.1f} sd", theme.FAINT)


def unjudged(survey: Survey, energies: Energies | None, fronts: Fronts | None) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table that are not judged: name, help, and numbers."""
    yield (
        "slope variance below the mesh",
        "Mean square slope, measured at sea at this wind, of waves that are too short for the maps. It is\n"
        "shaded as roughness, not drawn.",
        f"{survey.predictions.unresolved_slopes:.4f}",
    )
    if energies is not None:
        text = "Per area of the sea, to second order in steepness. Predicted: that of the linear sea at the start.\n"
        text += "Waves exchange energy; except for the losses, its sum is constant within a few thousandths."
        sums = (f"{WATER_DENSITY * energy:.4g} kJ/m²" for energy in (energies.start, energies.now))
        yield "energy of the longest waves", text, *sums
        broken, filtered = (f"{lost / (energies.start or 1.0):.2%}" for lost in (energies.broken, energies.filtered))
        text = "Fraction of that energy that breaking crests have lost since the waves started."
        yield "lost to breaking", text, "", broken
        text = "Fraction of that energy that the filter of the shortest solved waves has taken since then."
        yield "taken by the filter", text, "", filtered
    if fronts is not None:
        low, high = fronts.fitted
        text = (
            f"Fronts of {low:.1f} to {high:.1f} m/s, {FITTED[0]:g} to {FITTED[1]:g} of the peak's speed, in "
            f"{fronts.area / 1e6:.2f} km² of the foam map since the sea began.\n"
            "Λ(c) dc is the length of breaking fronts with speeds from c to c + dc, per area.\n"
            "Observed: the fit of Sutherland and Melville (2013)."
        )
        power, ratio = ("not yet",) * 2 if fronts.fit is None else (f"{value:.2f}" for value in fronts.fit)
        yield "power of c in Λ(c)", text, "-6", power, "± 1"
        yield "Λ(c) over the observed one", text, "1", ratio, "½ to 2"


def draw_polar(plot: SpectrumPlot) -> None:
    side = em(17.0)
    flags = implot.Flags_.canvas_only | implot.Flags_.no_inputs | implot.Flags_.equal
    if not implot.begin_plot("##polar", (side, side), flags):
        return
    limit = plot.limit
    implot.setup_axes("", "", implot.AxisFlags_.no_decorations, implot.AxisFlags_.no_decorations)
    implot.setup_axes_limits(-limit, limit, -limit, limit, implot.Cond_.always)
    implot.push_colormap(sea_colours())
    low, high = implot.Point(-limit, -limit), implot.Point(limit, limit)
    implot.plot_heatmap("##theory", np.ascontiguousarray(plot.image), 0.0, 1.0, "", low, high)
    implot.pop_colormap()
    angle = np.linspace(0, 2 * np.pi, 73)
    for part in (0.4, 0.8):
        circle = implot.Spec(line_color=(1, 1, 1, 0.16))
        implot.plot_line(f"##{part:.2f}", part * limit * np.sin(angle), part * limit * np.cos(angle), circle)
        implot.plot_text(f"{part * PEAKS:g} fp", 0.7 * part * limit, -0.7 * part * limit)
    share = plot.dots[2] ** 2
    for (least, size, opacity), most in zip(DOTS, (*(dot[0] for dot in DOTS[1:]), np.inf), strict=True):
        x, y, _ = plot.dots[:, (share >= least) & (share < most)]
        spec = implot.Spec(
            line_weight=0.0,
            marker=implot.Marker_.circle,
            marker_size=size,
            marker_line_color=(0, 0, 0, 0),
            marker_fill_color=(*MEASURED[:3], opacity),
        )
        implot.plot_scatter(f"##{size}", np.ascontiguousarray(x), np.ascontiguousarray(y), spec)
    implot.plot_text("N", 0.0, 0.93 * limit)
    implot.plot_text("E", 0.93 * limit, 0.0)
    implot.end_plot()
    tooltip(
        "Directions of the waves, north up, out to 2.5 peak frequencies (fp). Blue: the spectrum. Dots: waves that "
        "were measured in two maps of the sea, half a second apart."
    )


def draw_frequencies(plot: SpectrumPlot) -> None:
    if not implot.begin_plot("##frequencies", (-1, em(17.0)), implot.Flags_.no_inputs):
        return
    w, density = plot.theory
    top = float(density.max())
    implot.setup_axes("ω [rad/s]", "S [m² s]")
    for axis in (implot.ImAxis_.x1, implot.ImAxis_.y1):
        implot.setup_axis_scale(axis, implot.Scale_.log10)
    floor = top * 10.0**-DECADES
    right_edge = float(w[density > floor][-1])
    implot.setup_axes_limits(w[0], max(right_edge, 2 * w[0]), floor, 3 * top, implot.Cond_.always)
    implot.setup_legend(implot.Location_.south, implot.LegendFlags_.outside | implot.LegendFlags_.horizontal)
    band = implot.Spec(fill_color=theme.ACCENT, fill_alpha=0.6)  # ImPlot squares the opacity
    rings, low, high = (positive(part, floor) for part in plot.band)
    implot.plot_shaded("95 % of draws", rings, low, high, band)
    implot.plot_line("spectrum", w, positive(density, floor), implot.Spec(line_color=theme.TEXT))
    if (measured := plot.measured) is not None:
        spec = implot.Spec(line_color=MEASURED, line_weight=1.6)
        implot.plot_line("measured", measured.w, positive(measured.density, floor), spec)
    implot.end_plot()


def cells(row: Quantity) -> list[str]:
    """Return a row for a copied table, in the order of HEADINGS. Values that were not measured are empty."""
    numbers = (row.expected, row.measured, LIMIT * row.deviation)
    return [row.name, row.unit, *("" if number is None else f"{number:.6g}" for number in numbers)]


def sea_colours() -> int:
    """Return the number of the plots' colours for water, made at first use."""
    known = int(implot.get_colormap_index("sea"))
    colours = np.array([theme.packed(theme.rgb(code)) for code in SEA_COLOURS], np.uint32)
    return known if known >= 0 else int(implot.add_colormap("sea", colours, False))


def positive(values: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """Return values that a logarithmic axis accepts."""
    return np.maximum(values, 1e-3 * floor)


def spelled(value: float, row: Quantity) -> str:
    """Return a value of a quantity with its unit, with as many digits as its deviation makes sensible."""
    if row.name == FOAM:  # as in the panel
        return f"{100 * value:.2g} %"
    digits = 3 if row.deviation <= 0 else int(np.clip(np.ceil(1 - np.log10(row.deviation)), 0, 6))
    return f"{value:.{digits}f}{'' if row.unit == '1' else row.unit if row.unit == '°' else ' ' + row.unit}"
