"""The window Sea truth: its statements on the current sea. They are green for every preset, and red for a wrong sea."""

import dataclasses

import numpy as np
import pytest
from imgui_bundle import implot

from ocean.common import resources
from ocean.gpu.context import release_framebuffer
from ocean.settings import with_values
from ocean.validation import record
from ocean.validation.quantities import FOAM
from ocean.validation.record import largest_waves
from ocean.validation.survey import Survey, survey_of
from ocean.window.ui import theme
from ocean.window.ui.files import scenes
from ocean.window.ui.renderer import ImGuiRenderer
from ocean.window.ui.validation import draw, spelled

from .conftest import SIZE, STEP

PRESETS = list(scenes({name: resources.config(name) for name in resources.presets()}))


@pytest.fixture
def truth(pilot, desktop):
    """Open the window Sea truth of the running program, and wait for its survey."""
    desktop.paused = False
    pilot.press("T")
    pilot.until(lambda: is_complete(desktop))


def is_complete(desktop):
    gauge = desktop.renderer.gauge
    return gauge is not None and gauge.survey is not None and gauge.survey.is_complete


def colour_of(pilot, text):
    return pilot.colours[text]


def rounded(colour):
    return tuple(round(part, 3) for part in colour[:3])


def test_the_window_shows_predictions_and_measurements(pilot, desktop, truth):
    pilot.frames()
    survey = desktop.renderer.gauge.survey
    height = survey.quantities[0]
    for text in (
        "significant wave height",
        spelled(height.expected, height),
        spelled(height.measured, height),
        "foam coverage",
    ):
        assert text in pilot.texts, pilot.texts
    assert "not yet" in pilot.texts
    assert colour_of(pilot, spelled(height.measured, height)) == rounded(theme.GOOD)
    assert any(text.startswith("11 of 11 agree") for text in pilot.texts)
    assert survey.plot.measured is not None


def test_the_window_shows_the_largest_wave_at_the_buoy(pilot, desktop, truth, monkeypatch):
    """Frames half a second apart miss the tops of waves slightly."""
    monkeypatch.setattr(record, "FEWEST", 3)
    gauge = desktop.renderer.gauge
    monkeypatch.setattr(desktop, "settings", with_values(desktop.settings, {"window.time_scale": 10.0}))
    pilot.until(lambda: len(gauge.record.waves) >= 3)
    desktop.paused = True
    pilot.frames(3)
    largest = max(wave.height for wave in gauge.record.waves)
    (row,) = [row for row in largest_waves(gauge.record, desktop.renderer.gauge.survey) if row.name == "largest wave"]
    assert row.measured == largest
    assert {"largest wave", "highest crest", spelled(largest, row)} < set(pilot.texts)
    place = desktop.settings.buoy
    pilot.set({"buoy.x": place.x + 30})
    pilot.frames(4)
    assert not gauge.record.waves  # another position has another record


def test_a_quantity_that_disagrees_is_red(pilot, desktop, truth, monkeypatch):
    survey = desktop.renderer.gauge.survey
    rows = [dataclasses.replace(row, measured=row.expected + 5 * row.deviation) for row in survey.quantities[:1]]
    lie = Survey(survey.time, survey.predictions, (*rows, *survey.quantities[1:]), survey.plot)
    kept = property(lambda gauge: lie, lambda gauge, survey: None)
    monkeypatch.setattr(type(desktop.renderer.gauge), "survey", kept, raising=False)
    pilot.frames()
    assert colour_of(pilot, spelled(rows[0].measured, rows[0])) == rounded(theme.WRONG)
    headline = next(text for text in pilot.texts if "agree within" in text)
    assert headline.startswith("10 of 11")
    assert colour_of(pilot, headline) == rounded(theme.WRONG)


def test_the_sea_is_measured_only_while_the_window_is_open(pilot, desktop, truth):
    assert "gauge" in [step.name for step in desktop.renderer.passes]
    pilot.press("T")
    assert "gauge" not in [step.name for step in desktop.renderer.passes]
    pilot.click("Sea truth")
    assert "gauge" in [step.name for step in desktop.renderer.passes]
    assert desktop.renderer.gauge.survey is None or FOAM in [
        row.name for row in desktop.renderer.gauge.survey.quantities
    ]


def test_the_plot_agrees_with_draws(ctx, settings, monkeypatch):
    """At the peak, the band of 95 % of draws differs from its background."""
    survey = survey_of(settings)
    w, low, high = survey.plot.band
    peak = int(high.argmax())
    places = []

    def note_places():
        places[:] = [
            implot.plot_to_pixels(float(w[peak]), float(s))
            for s in (low[peak] ** 0.2 * high[peak] ** 0.8, 1.5 * high[peak])
        ]
        end()

    end = implot.end_plot
    monkeypatch.setattr(implot, "end_plot", note_places)  # first of the polar plot, then of the plot over frequency
    renderer = ImGuiRenderer(ctx)
    picture = ctx.simple_framebuffer(SIZE)
    for _ in range(3):  # windows appear once their size is known
        theme.fit(SIZE)
        renderer.begin(SIZE, 1.0, STEP)
        draw(SIZE[0], False, survey)
        picture.clear()
        renderer.draw(picture)
    pixels = np.frombuffer(picture.read(components=3), "u1").reshape(*SIZE[::-1], 3)[::-1].astype(int)
    band, behind = (pixels[round(place.y), round(place.x)] for place in places)
    release_framebuffer(picture)
    renderer.release()
    assert (band - behind).max() > 20


def test_a_paused_sea_is_not_said_to_be_measured(pilot, desktop):
    waits = lambda: any(text.startswith("measuring") for text in pilot.texts)  # noqa: E731
    desktop.paused = False
    desktop.actions.validation.run()
    pilot.frames(2)
    assert waits()
    desktop.paused = True
    pilot.frames(2)
    assert not waits()
