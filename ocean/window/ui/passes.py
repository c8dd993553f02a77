"""Sentences on the passes of a frame, and the stage that shows what each of them makes."""

from typing import NamedTuple


class Note(NamedTuple):
    """Work of a pass, and the debug view of its output; empty where none shows it."""

    help: str
    stage: str = ""


MAPS = "displacement"
NOTES = {
    "amplitudes": Note("Blends the amplitudes of the old sea with those of the new one.", "amplitudes"),
    "evolve": Note("Turns the phase of each wave to the time of the frame and packs the fields.", "packed"),
    "evolve+rows": Note("Evolves the waves while it loads them for the first axis of the transform.", "packed"),
    "evolve + FFT": Note("All passes of the transform together: spectrum in, maps out.", MAPS),
    "FFT": Note("All passes of the transform together: spectrum in, maps out.", MAPS),
    "rows": Note("Transforms the packed fields along the first axis.", "packed"),
    "columns": Note("Transforms the packed fields along the second axis. The result is the maps.", MAPS),
    "mip levels": Note("Averages the maps over areas, for water that is far away.", "slope-variance"),
    "foam": Note("Adds foam where the surface folds, lets it drift, and fades it.", "foam"),
    "gauge": Note("Measures the sea for Sea truth."),
    "sky tables": Note("Computes how the air scatters sunlight, once for each sun and air.", "light-sky"),
    "environment": Note("Draws the sky in all directions for reflections.", "light-sky"),
    "buoy pose": Note("Finds the water line of the buoy."),
    "ride": Note("Keeps the eye above the waves."),
    "mesh": Note("Chooses triangles as fine as the picture needs, and displaces their corners.", "wireframe"),
    "raster": Note("Finds the nearest triangle of each sample.", "overdraw"),
    "shading": Note("Lights the water: reflections, glitter, light from below, foam and air.", "normals"),
    "resolve": Note("Averages the samples of each pixel."),
    "clouds": Note("Marches rays through the clouds, a part of them in each frame."),
    "sky": Note("Draws sky, sun and clouds where there is no water."),
    "exposure": Note("Measures the picture's light and adapts the exposure."),
    "bloom": Note("Spreads bright light as a lens does."),
    "tone mapping": Note("Maps the light to the range of the display."),
    "stage": Note("Draws the values of the stage that is shown."),
    "legend": Note("Gives the values their colours and draws the legend."),
    "interface": Note("Draws panels, menus and overlay."),
    "frame": Note("All passes together: the time that the sea and the interface take."),
}
"""A note for each pass of the window and for each sum in its table."""


def note(name: str) -> Note:
    """Return the note of a pass; backends of several dispatches end their passes in `rows` or `columns`."""
    return NOTES.get(name) or NOTES.get(name.split()[-1], Note(""))
