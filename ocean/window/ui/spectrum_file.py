"""The wind sea's spectrum from a file, in the panel: the choice of a file and of its records, and a plot of both."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from imgui_bundle import imgui, implot

from ocean.settings.model import SeaSettings
from ocean.waves.dispersion import Array
from ocean.waves.spectra import FileSpectrum, SpectrumRecord, station_number
from ocean.window.ui import theme
from ocean.window.ui.theme import em, tooltip
from ocean.window.ui.widgets import Editor

POINTS = 200  # of the sea's curve


def draw(edit: Editor, browse: Callable[[], None]) -> None:
    """Draw the controls if the wind sea's spectrum comes from a file. `browse` opens the dialog for another file."""
    spectrum = edit.settings.sea.wind.spectrum
    if not (isinstance(spectrum, FileSpectrum) and isinstance(record := spectrum.content, SpectrumRecord)):
        return
    if imgui.button("Browse###browse", (-em(1.9), 0)):
        browse()
    tooltip("Choose another file of a wave spectrum.")
    for name, label, names, chosen in (
        ("time", "Record", record.times, spectrum.time % max(len(record.times), 1)),
        ("station", "Station", record.stations, station_number(spectrum.station, record.stations)),
    ):
        if len(names) > 1:
            choose(edit, f"sea.wind.spectrum.{name}", label, names, chosen)
    if record.source:
        theme.wrapped(record.source, theme.FAINT)
    plot(record, edit.settings.sea)


def choose(edit: Editor, path: str, label: str, names: Sequence[str], chosen: int) -> None:
    """Draw a list of a file's times or stations, with their numbers."""
    edit.label(label, False)
    imgui.set_next_item_width(-em(1.9))
    if imgui.begin_combo(f"##records {path}", f"{chosen}  {names[chosen]}"):
        clipper = imgui.ListClipper()  # a buoy's year has 9,000 records
        clipper.begin(len(names))
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                picked, _ = imgui.selectable(f"{number}  {names[number]}", number == chosen)
                if picked and number != chosen:
                    edit.changes[path] = number
        imgui.end_combo()
    else:
        tooltip(f"{len(names)} in this file.\n{path}")


def plot(record: SpectrumRecord, sea: SeaSettings) -> None:
    """Plot the variance density of the file over that of the whole sea, wind sea and swell."""
    if not implot.begin_plot("##file spectrum", (-1, em(12)), implot.Flags_.no_inputs):
        return
    implot.setup_axes("frequency [Hz]", "density [m²/Hz]", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    implot.setup_legend(implot.Location_.south, implot.LegendFlags_.outside | implot.LegendFlags_.horizontal)
    file, whole = curves(record, sea)
    implot.plot_line("sea", *whole, implot.Spec(line_color=theme.TEXT, line_weight=3.0))
    implot.plot_line("file", *file, implot.Spec(line_color=theme.ACCENT, line_weight=1.4))
    implot.end_plot()


@lru_cache(maxsize=2)
def curves(record: SpectrumRecord, sea: SeaSettings) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return frequencies [Hz] and variance densities [m²/Hz] of a file, and of the sea in the file's range."""
    frequency = np.linspace(record.frequency[0], record.frequency[-1], POINTS)
    w = 2 * math.pi * np.maximum(frequency, 1e-6)
    density = 2 * math.pi * sum((system.density(w) for system in sea.systems), np.zeros(POINTS))
    return (record.frequency, record.over_frequency()), (frequency, density)
