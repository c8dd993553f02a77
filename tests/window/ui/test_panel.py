"""The panel, by real clicks: every backend and size, edits, files, and impossible requests."""

from time import perf_counter_ns, sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import imgui, implot

from ocean.common import isolated
from ocean.common.parameters import choices_of, kinds_of, range_of
from ocean.common.resources import config, folder
from ocean.fft import BACKENDS
from ocean.fft.auto import Auto
from ocean.fft.textbook import CooleyTukey
from ocean.render.frame import FrameRenderer
from ocean.sea import blend
from ocean.settings import level_of, load_settings, value_at, with_values
from ocean.settings.files import resolve
from ocean.validation.quantities import FOAM
from ocean.validation.survey import survey_of
from ocean.waves import statistics, systems
from ocean.waves.spectra import SpectrumRecord
from ocean.window import actions
from ocean.window.changes import Change
from ocean.window.ui import theme
from ocean.window.ui.panel import Way, describe, wind_sea, without_effect
from ocean.window.ui.validation import spelled
from ocean.window.ui.widgets import leaves, tidy
from tests.messages import unnamed

from ...light.test_panorama import write_hdr


def fields_of(desktop):
    """Return all fields of the sea as one array."""
    desktop.renderer.sea.update(12.0)
    return np.stack(list(desktop.renderer.sea.fields().values()))


FEW = "auto", "stockham-radix4", "four-step", "dft"


@pytest.mark.parametrize(
    ("sizes", "backends"), [((64,), FEW), pytest.param((128, 64), tuple(BACKENDS), marks=pytest.mark.slow)]
)
def test_backends_make_the_same_maps(pilot, desktop, sizes, backends):
    sea = desktop.renderer.sea
    for size in sizes:
        pilot.choose("fft.size", str(size))
        pilot.until(lambda size=size: sea.size == size)
        expected = None
        for backend in backends:
            if desktop.settings.fft.backend != backend:
                pilot.choose("fft.backend", backend)
            assert (desktop.settings.fft.backend, desktop.settings.fft.size) == (backend, size)
            made = Auto.choose(sea.storage, size)[0] if backend == "auto" else BACKENDS[backend]
            assert {type(transform) for transform in sea.plan.transforms} == {made}
            fields = fields_of(desktop)
            expected = fields if expected is None else expected
            assert np.abs(fields - expected).max() < 1e-5 * np.abs(expected).max()


def test_any_even_size_is_typed_and_the_usual_ones_are_listed(pilot, desktop):
    sea = desktop.renderer.sea
    pilot.choose("fft.backend", "stockham-registers")
    pilot.choose("fft.size", "96")
    pilot.until(lambda: sea.size == 96)
    pilot.type("##fft.size typed", "70")
    assert desktop.settings.fft.size == 70
    pilot.until(lambda: sea.size == 70)
    assert fields_of(desktop).any()


@pytest.mark.usefixtures("undrawn")
def test_an_impossible_size_is_refused_with_the_reason(pilot, desktop):
    """The list shows such a size in grey. A sentence refuses a typed one, and the sea stays."""
    pilot.choose("fft.backend", "stockham-shared")
    pilot.choose("fft.size", "240")
    assert desktop.settings.fft.size == 32
    pilot.hover("240")  # the list is still open
    pilot.frames(40)
    assert any(unnamed(text, "16 240") == [] for text in pilot.texts)
    pilot.click("64")
    for typed, reason in (
        ("94", "fft.backend stockham-shared fft.size 94 16"),
        ("101", "fft.size 101 even 16 4096"),
        ("8192", "fft.size 8192 16 4096"),
    ):
        pilot.type("##fft.size typed", typed)
        assert desktop.settings.fft.size == 64
        assert any(unnamed(text, reason) == [] for text in pilot.texts)


def test_a_backend_keeps_its_options(pilot, desktop):
    below = pilot.place("##sea.wind.speed")
    pilot.choose("fft.backend", "stockham-radix4")
    pilot.click("Options")
    pilot.choose("fft.options.butterflies", "2")
    assert pilot.place("##sea.wind.speed") == below  # rows stay in place under the mouse
    pilot.press("ESCAPE")
    pilot.choose("fft.backend", "numpy")
    pilot.choose("fft.backend", "stockham-radix4")
    assert desktop.settings.fft.options.butterflies == 2


@pytest.mark.usefixtures("undrawn")
def test_a_backend_that_cannot_run_is_grey_with_the_reason(pilot, desktop, monkeypatch):
    monkeypatch.setattr(CooleyTukey, "obstacle", classmethod(lambda *_: "needs a larger GPU"))
    pilot.choose("fft.backend", "cooley-tukey")
    pilot.click("cooley-tukey")  # the list is still open
    assert desktop.settings.fft.backend == "auto"
    pilot.hover("cooley-tukey")
    pilot.frames(40)
    assert "needs a larger GPU" in pilot.texts


def test_settings_that_the_gpu_refuses_leave_the_old_ones(pilot, desktop):
    before = desktop.settings
    pilot.choose("fft.backend", "stockham-radix4")
    pilot.click("Options")
    pilot.choose("fft.options.butterflies", "8")
    pilot.press("ESCAPE")
    pilot.choose("fft.size", "64")
    assert desktop.settings.fft.options.butterflies == 8
    fft = desktop.settings.fft.model_copy(update={"size": 8, "backend": "stockham-radix4"})  # the model refuses 8
    desktop.put(Change(before.model_copy(update={"fft": fft})))
    pilot.frames(2)
    assert any("power of two" in text for text in pilot.texts)
    assert desktop.settings.fft.size == 64


def test_a_sea_that_fails_later_is_reported_and_the_old_one_stays(pilot, desktop, monkeypatch):
    def make_sea_change(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(blend, "make_sea_change", make_sea_change)
    before = desktop.settings
    pilot.set({"sea.seed": 2})
    pilot.until(lambda: "no room" in desktop.interface.message)
    assert desktop.settings == desktop.renderer.settings == before
    pilot.frames(2)
    assert desktop.failure is None


@pytest.mark.usefixtures("undrawn")
def test_a_slider_changes_one_value(pilot, desktop):
    before = desktop.settings
    pilot.click("##sea.wind.speed", along=0.8)
    speed = desktop.settings.sea.wind.speed
    assert 28 < speed < 36
    assert speed == round(speed, 1)
    changed = desktop.settings.sea.wind.model_copy(update={"speed": before.sea.wind.speed})
    assert changed == before.sea.wind
    pilot.click("×##reset sea.wind.speed")
    assert desktop.settings.sea.wind == before.sea.wind


@pytest.mark.usefixtures("undrawn")
def test_settings_that_contradict_each_other_are_refused(pilot, desktop):
    pilot.type("##sea.loop_period", "2")
    assert desktop.settings.sea.loop_period == 0
    assert any("sea.loop_period" in text for text in pilot.texts)


@pytest.mark.usefixtures("undrawn")
def test_a_sea_state_is_given_in_four_ways_and_shown_in_the_others(pilot, desktop):
    assert "10 m/s · 5 fresh breeze" in pilot.texts
    pilot.choose("way", "Beaufort number")
    assert desktop.settings.sea.wind.speed == 10  # until the number is changed
    assert "##sea.wind.speed" not in pilot.places
    pilot.click("##sea.beaufort", along=0.65)
    assert desktop.settings.sea.wind.speed == systems.beaufort_speed(8)
    assert "18.92 m/s · 8 gale" in pilot.texts

    pilot.choose("way", "height and period")
    wind = desktop.settings.sea.wind
    before = statistics.predicted_height(load_settings(overrides=["sea.beaufort=8"]).sea.systems)
    assert wind.height == pytest.approx(before, rel=0.005)  # its three digits
    assert wind.period == pytest.approx(statistics.predicted_peak_period([desktop.settings.sea.systems[0]]), rel=0.005)
    pilot.type("##sea.wind.height", "3")
    pilot.type("##sea.wind.period", "9")
    assert "3 m, 9 s · 5 rough" in pilot.texts
    assert "##sea.wind.speed" in pilot.places  # it still determines spreading and foam

    pilot.choose("way", "WMO sea state")
    assert desktop.settings.sea.wind.height == 3
    pilot.click("##sea.state", along=0.99)
    assert desktop.settings.sea.wind.height == systems.PHENOMENAL
    pilot.click("##sea.state", along=0.01)
    assert not desktop.settings.sea.systems
    assert "0 m, 0 s · 0 glassy" in pilot.texts

    pilot.choose("way", "height and period")
    assert desktop.settings.sea.wind.height == systems.sea_state_height(1)
    pilot.choose("way", "wind and fetch")
    assert desktop.settings.sea.wind.height == 0


@pytest.mark.usefixtures("undrawn")
def test_the_section_follows_settings_changed_elsewhere(pilot, desktop):
    def fields():
        return {name for name in pilot.places if name in ("##sea.beaufort", "##sea.wind.speed", "##sea.wind.height")}

    pilot.choose("way", "Beaufort number")
    assert fields() == {"##sea.beaufort"}
    pilot.set({"sea.wind.height": 2.0})
    pilot.frames(3)
    assert fields() == {"##sea.wind.height", "##sea.wind.speed"}
    pilot.click("×##reset sea.wind.height")
    assert fields() == {"##sea.wind.speed"}


@pytest.mark.usefixtures("undrawn")
def test_an_input_that_the_spectrum_lacks_is_grey_with_the_reason(pilot, desktop):
    pilot.choose("sea.wind.spectrum", "elfouhaily")
    for way in ("WMO sea state", "height and period"):
        pilot.choose("way", way)
        pilot.hover(way)  # the list is still open
        pilot.frames(40)
        assert any(unnamed(text, "elfouhaily height period jonswap") == [] for text in pilot.texts)
        assert desktop.settings.sea.wind.height == 0
        pilot.click("wind and fetch")


@pytest.mark.usefixtures("undrawn")
def test_a_remark_names_a_fully_developed_or_too_high_sea(pilot, desktop):
    remark = desktop.settings.sea.remark
    assert remark
    place = pilot.place("##sea.swell.height")
    assert remark in pilot.texts
    pilot.type("##sea.wind.fetch", "20000")
    assert remark not in pilot.texts
    assert pilot.place("##sea.swell.height") == place  # messages move nothing under the mouse
    before = desktop.settings
    for values, text in (
        ({"sea.swell.height": 5.0, "sea.swell.period": 4.0}, "Too steep"),
        ({"sea.wind.speed": 0.0}, "none"),
    ):
        desktop.put(Change(with_values(before, values)))
        pilot.frames(3)
        assert any(shown.startswith(text) for shown in pilot.texts)
        assert pilot.place("##sea.swell.height") == place
    desktop.put(Change(before))
    pilot.frames(3)
    pilot.type("##sea.depth", "2")
    pilot.choose("way", "height and period")
    pilot.type("##sea.wind.height", "4")
    amber = [colour for text, colour in pilot.colours.items() if unnamed(text, "Too high depth 4 m") == []]
    assert amber == [pytest.approx(theme.WARNING[:3], abs=1e-3)]


@pytest.mark.usefixtures("undrawn")
def test_a_click_raises_the_wind_of_a_high_sea_without_whitecaps(pilot, desktop):
    pilot.set({"sea.wind.height": 8.0, "sea.wind.period": 12.0, "sea.wind.speed": 10.0})
    pilot.frames(3)
    assert any("Few whitecaps" in text and "10 m/s" in text for text in pilot.texts)
    before = desktop.settings
    pilot.click("Raise the wind to 19 m/s")
    after = desktop.settings
    assert (after.sea.wind.speed, after.sea.wind.height) == (19.0, 8.0)
    assert after.foam.coverage(after.sea).total > 3 * before.foam.coverage(before.sea).total
    assert "Raise the wind to 19 m/s###raise wind" not in pilot.places


def test_the_wave_height_belongs_to_the_current_sea():
    storm = load_settings(config("storm"))
    shown = {
        size: dict(row[:2] for row in describe(storm.sea, storm.foam, 3, size))["Wave height"] for size in (32, 512)
    }
    assert shown == {32: "4.04 m of 8.40 m", 512: "8.40 m"}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("overrides", [[], ["foam.amount=0.3"], ["foam.law=monahan-1980"], ["sea.choppiness=0"]])
def test_panel_and_sea_truth_name_one_coverage(overrides):
    settings = resolve(load_settings(config("hurricane"), overrides=["fft.size=32", *overrides]))
    shown = dict(row[:2] for row in describe(settings.sea, settings.foam, 3, 32))["Whitecaps"]
    expected = survey_of(settings)[FOAM].expected
    assert shown.replace(",", " ").split()[:2] == [f"{100 * expected:.2g}", "%"]
    assert spelled(expected, survey_of(settings)[FOAM]) == f"{100 * expected:.2g} %"


def test_each_derived_number_has_definition_source_and_range():
    settings = load_settings(config("hurricane"))
    rows = describe(settings.sea, settings.foam, 3, 32)
    for _, _, text in rows:
        _, source, span = text.split("\n")
        assert source.startswith("Source: ")
        assert span.startswith("Range: ")


def test_a_model_used_twice_has_the_default_of_each_place(pilot, desktop):
    gamma = "sea.swell.spectrum.gamma"
    pilot.set({"sea.swell.height": 1.0})  # without a swell it has no effect
    pilot.frames(2)
    assert f"##{gamma}" in pilot.places
    assert f"×##reset {gamma}" not in pilot.places
    pilot.type(f"##{gamma}", "2")
    pilot.click(f"×##reset {gamma}")
    assert desktop.settings.sea.swell.spectrum.gamma == 6


@pytest.mark.usefixtures("undrawn")
def test_a_kind_brings_its_own_parameters(pilot, desktop):
    assert "##sea.wind.spectrum.gamma" in pilot.places
    pilot.choose("sea.wind.spectrum", "pierson-moskowitz")
    assert desktop.settings.sea.wind.spectrum.kind == "pierson-moskowitz"
    pilot.frames()
    assert "##sea.wind.spectrum.gamma" not in pilot.places


def test_a_file_drives_the_sea_and_a_missing_one_is_named(pilot, desktop):
    pilot.choose("sea.wind.spectrum", "file")
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    pilot.frames()
    before = desktop.settings
    pilot.type("##sea.wind.spectrum.path", "absent.nc")
    assert desktop.settings == before
    assert any(unnamed(text, "sea.wind.spectrum.path absent.nc") == [] for text in pilot.texts)


@pytest.fixture
def slow_file(monkeypatch):
    """Return two lists of a slow reader of spectra: it waits while the first is empty, and appends to the second when
    it is cancelled."""
    made, stopped = [], []

    def call(*_, longest, is_cancelled):
        while not made:
            sleep(0.001)
            if is_cancelled():
                stopped.append(1)
                raise isolated.Cancelled
        return made[0]

    monkeypatch.setattr(isolated, "call", call)
    place = str(perf_counter_ns())
    monkeypatch.setattr(isolated, "folder", lambda: place)  # as for a file that was never read
    return made, stopped


@pytest.mark.usefixtures("undrawn")
def test_the_ways_to_give_a_sea_have_the_whole_line(pilot):
    pilot.frames(2)
    (low, high), (_, right) = pilot.places["##way"], pilot.places["Sea truth###truth button"]
    assert high.x == pytest.approx(right.x, abs=2.0)
    assert high.x - low.x - 1.5 * imgui.get_frame_height() >= imgui.calc_text_size(Way.HEIGHT.value).x


@pytest.mark.usefixtures("undrawn")
def test_height_and_period_of_a_file_stay(pilot, desktop):
    desktop.on_files_dropped_event(5, 5, [folder("assets") / "example-buoy.data_spec"])
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    height, period = wind_sea(desktop.settings.sea)
    pilot.frames(2)
    pilot.choose("way", "height and period")
    wind = desktop.settings.sea.wind
    assert wind.spectrum.kind == "jonswap"
    assert (wind.height, wind.period) == pytest.approx((height, period), rel=0.005)


@pytest.mark.usefixtures("undrawn")
def test_the_window_draws_while_a_file_is_read(pilot, desktop, slow_file):
    made, _ = slow_file
    pilot.choose("sea.wind.spectrum", "file")
    pilot.type("##sea.wind.speed", "12")
    pilot.frames(2)
    assert any(unnamed(text, "reading example-buoy.data_spec s Esc") == [] for text in pilot.texts)
    assert desktop.settings.sea.wind.spectrum.kind == "jonswap"
    made.append(SpectrumRecord(np.array([0.1, 0.2]), None, np.ones((2, 1))))
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    assert desktop.settings.sea.wind.speed == 12.0
    assert not desktop.interface.files.status


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda pilot, desktop: pilot.choose("sea.wind.spectrum", "pierson-moskowitz"), "pierson-moskowitz"),
        (lambda pilot, desktop: pilot.take_preset("gale"), "jonswap"),  # as before the request for the file
        (lambda pilot, desktop: actions.travel(desktop, "undo", "settings"), "jonswap"),
    ],
)
def test_another_sea_replaces_the_file_that_is_being_read(pilot, desktop, slow_file, change, kind):
    made, stopped = slow_file
    pilot.type("##sea.wind.speed", "12")  # undo reverts this change
    pilot.choose("sea.wind.spectrum", "file")
    change(pilot, desktop)
    pilot.until(lambda: stopped)
    made.append(SpectrumRecord(np.array([0.1, 0.2]), None, np.ones((2, 1))))
    pilot.frames(2)
    assert desktop.settings.sea.wind.spectrum.kind == kind


@pytest.mark.usefixtures("undrawn")
def test_escape_stops_the_reading_of_a_file(pilot, desktop, slow_file):
    made, stopped = slow_file
    pilot.choose("sea.wind.spectrum", "file")
    pilot.press("ESCAPE")
    pilot.until(lambda: stopped)
    made.append(SpectrumRecord(np.array([0.1, 0.2]), None, np.ones((2, 1))))
    pilot.frames(2)
    assert unnamed(desktop.interface.message, "stopped example-buoy.data_spec") == []
    assert desktop.settings.sea.wind.spectrum.kind == "jonswap"


@pytest.mark.usefixtures("undrawn")
def test_presets_change_the_sea_and_not_how_it_is_computed(pilot, desktop):
    fft, speeds = desktop.settings.fft, []
    for name in ("Swell", "Calm", "Breeze", "Shallow bay", "Crossing seas", "Gale", "Storm", "Hurricane"):
        pilot.click(f"{name}##preset")
        assert desktop.settings.fft == fft
        assert desktop.settings.view.edge_pixels == 40
        speeds.append(desktop.settings.sea.wind.speed)
    assert desktop.changes.title("undo") == "preset hurricane"
    assert speeds == [1.5, 3.0, 8.0, 9.0, 12.0, 18.0, 25.0, 35.0]
    assert desktop.settings.view.altitude >= 18


def test_the_buoy_appears_in_view(pilot, desktop):
    for section in ("FFT", "Sea"):
        pilot.click(section)  # make room
    pilot.click("Buoy")
    pilot.click("##buoy.show")
    assert desktop.settings.buoy.show
    pilot.click("##buoy.show")
    assert not desktop.settings.buoy.show
    pilot.click("Bring it here")
    buoy, view = desktop.settings.buoy, desktop.settings.view
    assert buoy.show
    assert np.hypot(buoy.x - view.x, buoy.z - view.z) == pytest.approx(2.5 * view.altitude, abs=0.1)
    heading = np.degrees(np.arctan2(buoy.x - view.x, view.z - buoy.z)) % 360
    assert heading == pytest.approx(view.heading, abs=1)
    assert "buoy pose" in [step.name for step in desktop.renderer.passes]


@pytest.mark.usefixtures("undrawn")
def test_a_level_is_chosen_live(pilot, desktop, ctx):
    before = desktop.settings.window
    pilot.choose("quality", "low")
    pilot.frames()
    assert level_of(desktop.settings) == "low"
    assert desktop.settings.window == before
    pilot.choose("quality", "software")
    pilot.frames()
    assert level_of(desktop.settings) == "software"
    assert ctx.error == "GL_NO_ERROR"


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e4), st.floats(0, 1))
def test_a_dragged_value_is_rounded(low, width, share):
    high = low + width
    step = max(10.0**-power for power in range(7) if 10.0**-power <= (high - low) / 100 or power == 6)
    value = low + share * (high - low)
    found = tidy(value, low, high, logarithmic=False)
    assert found / step == pytest.approx(round(found / step), abs=1e-3)
    assert abs(found - value) <= step / 2 * (1 + 1e-6)


@given(st.floats(1e-3, 1e6))
def test_a_scale_of_factors_shows_three_digits(value):
    found = tidy(value, 1e-3, 1e6, logarithmic=True)
    assert found == pytest.approx(value, rel=5.1e-3)
    assert f"{found:.12g}" == f"{float(f'{value:.3g}'):.12g}"


SMALL = (
    *("fft.size=16", "cascades.count=1", "foam.resolution=64", "view.edge_pixels=40", "sky.plain=false"),
    *("foam.amount=3", "sea.wind.speed=18", "view.samples=2"),
)


def another(value, info):
    """Return another valid value of a setting."""
    if kinds := kinds_of(info):
        return {"kind": list(kinds)[-1]}
    if choices := choices_of(info):
        return next(choice for choice in reversed(choices) if choice != value)
    low, high = range_of(info)
    return type(value)(low + 0.4 * (high - low))


@pytest.mark.parametrize(
    "values",
    [
        ("sky.clouds=0", "sky.veil=0", "foam.amount=0", "view.samples=1"),
        ("sky.plain=true", "sea.wind.height=3", "view.dive=3"),
        ("sky.panorama={}", "stage.view=jacobian"),
        ("fft.size=32", "sea.wind.spectrum.kind=file", "sea.wind.spectrum.path=wave-train.swn"),
    ],
    ids=["bare", "plain", "panorama", "file"],
)
def test_settings_without_effect_change_no_bit_of_the_picture(ctx, tmp_path, values):
    write_hdr(tmp_path / "sky.hdr", np.full((8, 16, 3), 0.5, np.float32), compressed=False)
    overrides = [value.format(tmp_path / "sky.hdr") for value in values]
    settings = resolve(load_settings("software", overrides=[*SMALL, *overrides]))

    def picture(changed):
        renderer = FrameRenderer(ctx, changed, (64, 48))
        try:
            renderer.sea.update(10.0)
            renderer.render(10.5)
            return renderer.picture.read()
        finally:
            renderer.release()

    usual, fields = picture(settings), dict(leaves(settings))
    assert picture(with_values(settings, {"sea.seed": 5, "stage.view": "picture"})) != usual
    inert = without_effect(settings, fuses=True).keys() & fields.keys()
    assert len(inert) > 12
    others = {path: another(value_at(settings, path), fields[path]) for path in inert}
    assert picture(with_values(settings, others)) == usual


@pytest.mark.usefixtures("undrawn")
def test_a_spectrum_file_is_browsed_with_its_records_and_its_curve_is_the_seas(pilot, desktop, monkeypatch):
    file, curves, draw = folder("assets") / "example-buoy.data_spec", {}, implot.plot_line

    def noted(name, x, y, *rest):
        curves[name] = np.array(x), np.array(y)
        draw(name, x, y, *rest)

    monkeypatch.setattr(implot, "plot_line", noted)
    pilot.set({"sea.swell.height": 0.0})
    pilot.frames(2)
    pilot.choose("way", "file")
    pilot.frames(2)
    pilot.type("##file", str(file))
    pilot.until(lambda: desktop.settings.sea.wind.spectrum.kind == "file")
    times = desktop.settings.sea.wind.spectrum.content.times
    assert len(times) > 1
    for number in (len(times) - 1, 0):
        if number == 0:
            pilot.choose("records sea.wind.spectrum.time", f"0  {times[0]}")
            pilot.until(lambda: desktop.settings.sea.wind.spectrum.time == 0)
        pilot.frames(3)
        frequency, density = curves["file"]
        np.testing.assert_array_equal(density, desktop.settings.sea.wind.spectrum.content.over_frequency())
        expected = np.interp(curves["sea"][0], frequency, density)  # both are linear between the file's values
        np.testing.assert_allclose(curves["sea"][1], expected, atol=1e-6 * density.max())
    pilot.click("Browse###browse")
    pilot.frames(2)
    assert str(file.parent) in pilot.texts  # where the next file is likely
    pilot.press("ESCAPE")
    pilot.frames(2)
    pilot.choose("way", "height and period")
    assert desktop.settings.sea.wind.spectrum.kind == "jonswap"
    assert desktop.settings.sea.wind.height > 0


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("leave", "is_taken"), [("ENTER", True), ("TAB", True), ("click", True), ("ESCAPE", False)])
def test_a_typed_text_is_taken_when_its_field_is_left(pilot, desktop, monkeypatch, leave, is_taken):
    taken = []
    monkeypatch.setattr(
        desktop.interface.files, "read", lambda settings, request: taken.append(request.make(settings).sky.panorama)
    )
    pilot.press("F", ctrl=True)
    pilot.frames(3)
    desktop.on_unicode_char_entered("panorama ")
    pilot.frames(4)
    pilot.click("##sky.panorama", along=0.2)
    desktop.on_unicode_char_entered("sky.hdr")
    pilot.frames(3)
    if leave == "click":
        pilot.click("changed")
    else:
        pilot.press(leave)
    pilot.frames(4)
    assert taken == (["sky.hdr"] if is_taken else [])


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("leave", "size"), [("click", 64), ("ESCAPE", 32)])
def test_a_typed_size_is_taken_when_its_field_is_left(pilot, desktop, leave, size):
    pilot.click("##fft.size typed", along=0.2)
    pilot.press("A", ctrl=True)
    desktop.on_unicode_char_entered("64")
    pilot.frames(2)
    if leave == "ESCAPE":
        pilot.press(leave)
    else:
        pilot.click("##fft.fused")
    pilot.frames(2)
    assert desktop.newest.fft.size == size
