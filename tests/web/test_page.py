"""The page of a sea in a real browser: its fields, its draw and its heights are the program's, and it survives."""

import base64
import gzip
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from ocean.cli import main
from ocean.common.resources import PACKAGE, folder
from ocean.export.formats import page as pages
from ocean.sea.host import HostSea
from ocean.settings import Settings, load_settings, with_values
from ocean.waves import FIELDS
from ocean.waves.amplitudes import draw
from tests.web.browser import EXECUTABLE, Page, chromium

pytestmark = pytest.mark.skipif(
    EXECUTABLE is None and "CI" not in os.environ, reason="this system has no Chromium, which opens the page"
)
TIMES = 0.0, 12.3, 40_000.5  # s
BOUND = 5e-3  # of a field's deviation; see `test_fields`
WAITS = 300  # s
ENCODED = """(values => { const bytes = new Uint8Array(values.buffer); let text = "";
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return btoa(text); })"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        page.size(64, 36)
        yield page


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "sea.html"
    path.write_text(pages.page(load_settings("gale"), "sea", presets=("gale", "hurricane")))
    return path


def opened(browser: Page, path: Path, fragment: str, draws: bool = False) -> None:
    """Open a page that stands still; unless it `draws`, only its waves are computed."""
    browser.messages.clear()
    browser.open(path, f"#paused&size=64&{fragment}")
    until(browser, "globalThis.sea && (sea.isDrawn || sea.sea)")
    if not draws:
        browser.run("sea.advance = () => {}; sea.draw = () => { if (!sea.isFilled) sea.fill(); }")


def data_of(text: str) -> dict[str, Any]:
    """Return the data in the HTML of a page."""
    packed = text.partition('id="data">')[2].partition("</script>")[0]
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return data


def until(browser: Page, condition: str) -> None:
    begun = time.monotonic()
    while not browser.run(f"Boolean({condition})"):
        assert time.monotonic() - begun < WAITS, browser.messages
        time.sleep(0.05)


def numbers(browser: Page, script: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(browser.run(f"{ENCODED}({script})")), np.float32)


def picture(browser: Page) -> np.ndarray:
    """Draw, and return the picture, (height, width, 4), 0 to 255, bottom row first."""
    script = """(() => {
        sea.draw();
        const { gl } = sea.graphics, { width, height } = gl.canvas, bytes = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        return Float32Array.from([height, width, ...bytes]);
    })()"""
    height, width, *values = numbers(browser, script)
    return np.reshape(values, (int(height), int(width), 4))


def rows_of_fields(browser: Page, cascade: int, size: int) -> np.ndarray:
    """Return 16 rows of the eight fields of a cascade, (field, row, column)."""
    parts = []
    for image in (0, 1):
        every = f"(_, i) => Math.floor(i / {4 * size}) % {size // 16} === 0"
        script = f"sea.graphics.read(sea.waves.cascades[{cascade}], {image}).filter({every})"
        parts.append(numbers(browser, script).reshape(16, size, 4))
    height, dxz, dx, dz, slope_x, slope_z, dxx, dzz = np.moveaxis(np.concatenate(parts, -1), -1, 0)
    named = {"height": height, "dx": dx, "dz": dz, "slope_x": slope_x, "slope_z": slope_z}
    named |= {"dxx": dxx, "dzz": dzz, "dxz": dxz}
    return np.stack([named[name] for name in FIELDS])


def errors(
    browser: Page, name: str, size: int, radices: tuple[int, ...] = (2, 4), times: tuple[float, ...] = TIMES
) -> np.ndarray:
    """Return the errors of fields over their deviations, (radix, time and cascade, field, row, column)."""
    sea, wanted, found = HostSea(with_values(load_settings(name), {"fft.size": size})), [], []
    for moment in times:
        sea.update(moment)
        wanted.append([sea.fields()[field] for field in FIELDS])
    for radix in radices:
        browser.run(f"sea.set({{ sea: '{name}', size: {size}, radix: {radix} }}); sea.draw()")
        for moment, fields in zip(times, np.array(wanted), strict=True):
            browser.run(f"sea.waves.update({moment}, [0, 0])")
            for cascade in range(3):
                deviations = fields[:, cascade].std(axis=(1, 2))[:, None, None]
                error = rows_of_fields(browser, cascade, size) - fields[:, cascade, :: size // 16]
                found.append(error / deviations)
    return np.stack(found)


@pytest.fixture(scope="module")
def page_of_waves(browser: Page, path: Path) -> Page:
    opened(browser, path, "")
    return browser


@pytest.mark.parametrize("size", pages.SIZES)
def test_fields(page_of_waves: Page, size: int) -> None:
    """The maps are half floats, whose rounding has a deviation of 2.2e-4. The table rounds amplitudes by up to
    30 / 65535 / 4, or 7e-5 as one deviation, and interpolation adds up to 9e-4, in the longest waves of the hurricane.
    Five deviations of the sum are 4.7e-3. Sizes from 256 on, which have only more stages, are compared at one time."""
    if size == pages.SIZES[0]:
        assert np.abs(errors(page_of_waves, "hurricane", size, (4,))).max() < BOUND
    few = ((2, 4), TIMES[-1:]) if size > 128 else ()
    assert np.abs(errors(page_of_waves, "gale", size, *few)).max() < BOUND


def test_half_float_targets(browser: Page, path: Path) -> None:
    """A stage of the transform rounds to half floats: the error's deviation is 2^-11 / sqrt(12) to twice that. At 128,
    two axes of seven stages of radix 2 add sqrt(14) times 2.8e-4: 1.1e-3. The largest of all texels may reach four
    times that, so the bound holds for the deviation of the error."""
    script = """
        const ask = WebGL2RenderingContext.prototype.getExtension;
        WebGL2RenderingContext.prototype.getExtension = function (name) {
            return name === "EXT_color_buffer_float" ? null : ask.call(this, name);
        };"""
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    opened(browser, path, "")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)
    assert browser.run("sea.graphics.precise") == "RGBA16F"
    found = errors(browser, "gale", 128)
    assert found.std(axis=(-1, -2)).max() < BOUND


def test_random_factors(browser: Page) -> None:
    shells = 20
    script = (PACKAGE / "web/random.js").read_text()
    got = numbers(browser, f"(() => {{ {script}; return drawFactors(9007199254740993n, 542576058112n, {shells}); }})()")
    wanted = draw(9007199254740993, 542576058112, 64, shells)
    x, z, real, imaginary = got.reshape(-1, 4).T
    placed = np.zeros_like(wanted)
    placed[z.astype(int), x.astype(int)] = real + 1j * imaginary
    assert np.abs(placed - wanted).max() < 1e-6


def test_significant_height(browser: Page, path: Path) -> None:
    opened(browser, path, "time=7")
    browser.run("sea.waves.update(7, [0, 0])")
    sea = HostSea(with_values(load_settings("gale"), {"fft.size": 64}))
    sea.update(7.0)
    wanted = 4 * np.sqrt((sea.fields()["height"].astype(float) ** 2).mean(axis=(1, 2)).sum())
    assert browser.run("sea.waves.measuredHeight()") == pytest.approx(wanted, rel=0.01)


def test_picture_and_lost_context(browser: Page, path: Path) -> None:
    opened(browser, path, "", draws=True)
    until(browser, "sea.isDrawn")
    before = picture(browser)
    assert 50 < np.median(before[..., :3]) < 240
    assert before[..., 0].std() > 10
    browser.run("globalThis.lost = sea.graphics.gl.getExtension('WEBGL_lose_context'); lost.loseContext()")
    until(browser, "!sea.graphics")
    browser.run("sea.set({ elevation: 20 }); lost.restoreContext()")
    until(browser, "sea.graphics && sea.isDrawn")
    browser.run("sea.set({ elevation: sea.data.seas.gale.settings.sky.sun_elevation })")
    assert picture(browser) == pytest.approx(before, abs=1)
    assert not [message for message in browser.messages if "GPU stall" not in message]


def test_the_sea_has_no_holes(browser: Page, path: Path) -> None:
    """The sky is cleared away before the sea is drawn, so holes in the mesh are magenta."""
    opened(browser, path, "", draws=True)
    browser.size(480, 270)
    browser.run("""{
        const { graphics } = sea, { gl } = graphics, sky = graphics.program("sky");
        gl.clearColor(1, 0, 1, 1);
        graphics.draw = function (program, ...rest) {
            Object.getPrototypeOf(graphics).draw.call(this, program, ...rest);
            if (program === sky) gl.clear(gl.COLOR_BUFFER_BIT);
        };
    }""")
    ahead = is_sea(browser)
    found = {}
    for pitch in (-45, -60, -89):  # the last two show the water below the eye
        browser.run(f"sea.look({{ pitch: {pitch}, field_of_view: 80 }})")
        found[pitch] = is_sea(browser)
    browser.run("sea.look({ altitude: 0.5, pitch: -20, field_of_view: 30 })")  # lower than the crests
    low = [is_sea(browser) for _ in range(4) if browser.run("sea.state.time += 2")]
    browser.size(64, 36)
    assert not ahead[-1].any()
    horizon = int(np.flatnonzero(ahead.any(axis=1)).max())
    assert ahead[: horizon - 12].all(), np.argwhere(~ahead[: horizon - 12])[:9]
    assert found[-45][:200].all()
    assert found[-60].all()
    assert found[-89].all()
    assert np.all(low)


def is_sea(browser: Page) -> np.ndarray:
    return np.asarray((picture(browser)[..., :3] != (255, 0, 255)).any(axis=-1))


def test_wrong_starts_are_ignored_and_a_small_panel_is_closed(browser: Page, path: Path) -> None:
    browser.open(path, "#paused&sea=constructor&size=100&radix=3&time=soon&wind=&elevation=up")
    until(browser, "globalThis.sea && sea.isDrawn")
    light = load_settings("gale")
    state = browser.run("sea.state")
    assert state["size"] in pages.SIZES
    assert [state[key] for key in ("sea", "radix", "time")] == ["gale", 4, 0]
    assert [state[key] for key in ("wind", "elevation")] == [light.sea.wind.direction, light.sky.sun_elevation]
    assert not browser.run("document.getElementById('panel').open")


def test_turned_wind_and_settings(browser: Page, path: Path, tmp_path: Path) -> None:
    opened(browser, path, "")
    browser.run("sea.set({ wind: 120, elevation: 30, size: 128 }); sea.draw()")
    browser.run("sea.look({ heading: 370 })")
    until(browser, "document.getElementById('settings').href.includes('heading%20%3D%2010%0A')")
    link = browser.run("document.getElementById('settings').href")
    (tmp_path / "sea.toml").write_text(unquote(link.partition(",")[2]))
    settings = load_settings(tmp_path / "sea.toml")
    gale = load_settings("gale")
    turned = gale.sea.swell.direction + 120 - gale.sea.wind.direction
    changed = {"sea.wind.direction": 120.0, "sea.swell.direction": turned, "sky.sun_elevation": 30.0, "fft.size": 128}
    changed["view.heading"] = 10.0
    assert settings == with_values(gale, changed)
    found = HostSea(settings)
    found.update(3.0)
    browser.run("sea.waves.update(3, [0, 0])")
    wanted = found.fields()["height"][0][::8]
    assert np.abs(rows_of_fields(browser, 0, 128)[0] - wanted).max() < BOUND * wanted.std()


@pytest.mark.usefixtures("coarse_sky")
def test_hostile_names_are_text(browser: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "</title></script><script>globalThis.isTaken = true</script><img src=x onerror='globalThis.isTaken = true'>"
    place = tmp_path / name
    place.mkdir(parents=True)
    spectrum = place / "\"';\\ ${1} {{SCRIPT}}.swn"
    spectrum.write_bytes((folder("assets") / "wave-train.swn").read_bytes())
    tree = {"kind": "file", "path": str(spectrum), "tail": False}
    settings = with_values(Settings(), {"sea.swell.spectrum": tree, "sea.wind.speed": 0.0})
    path = tmp_path / "hostile.html"
    path.write_text(pages.page(settings, name, presets=("gale",)))
    opened(browser, path, "")
    assert browser.run("globalThis.isTaken") is None
    assert browser.run("document.title").startswith(name)
    (tmp_path / "sea.toml").write_text(browser.run("sea.toml()"))
    assert str(tmp_path) not in path.read_text()  # folders are nobody else's business
    monkeypatch.chdir(place)
    here = with_values(settings, {"sea.swell.spectrum": tree | {"path": spectrum.name}})
    assert load_settings(tmp_path / "sea.toml").sea.swell.spectrum == here.sea.swell.spectrum
    refused = browser.run(
        "document.body.append(Object.assign(document.createElement('script'), { text: 'isTaken = 1' }))"
    )
    assert refused is None
    assert browser.run("globalThis.isTaken") is None


@pytest.mark.parametrize(("first", "later", "size"), [(300, 2, 512), (300, 12, 128), (1, 300, 64)])
def test_start_measures_and_chooses(browser: Page, path: Path, first: int, later: int, size: int) -> None:
    """Times of the first frame, which compiles, and of later ones [ms]."""
    opened(browser, path, "")
    browser.run(f"""(() => {{
        let now = 0, next = {first};
        performance.now = () => now;
        sea.draw = () => {{ now += next; next = {later}; }};
        sea.waves.measuredHeight = () => 1;
        sea.measure();
    }})()""")
    assert browser.run("sea.state.size") == size


def test_time_passes(browser: Page, path: Path) -> None:
    browser.messages.clear()
    browser.open(path, "#size=64&sea=hurricane")
    until(browser, "globalThis.sea?.state?.time > 0.05")
    browser.run("sea.set({ isPaused: true })")
    assert 0 < browser.run("sea.waves.measuredHeight()") < 10
    assert not [message for message in browser.messages if "GPU stall" not in message]


def test_keys_and_touch(browser: Page, path: Path) -> None:
    opened(browser, path, "")
    browser.size(320, 180)

    def view() -> dict[str, float]:
        found: dict[str, float] = browser.run("sea.state.view")
        return found

    def touch(kind: str, *places: tuple[int, int]) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    before = view()
    for key in ("ArrowLeft", "ArrowUp", "W", "r"):  # W as with caps lock
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key)
    turned = view()
    assert (turned["heading"], turned["pitch"]) == (before["heading"] - 2, before["pitch"] + 1)
    assert turned["altitude"] > before["altitude"]
    assert (turned["x"], turned["z"]) != (before["x"], before["z"])
    touch("touchStart", (240, 120))
    touch("touchMove", (200, 120))
    touch("touchEnd")
    dragged = view()
    assert dragged["heading"] > turned["heading"]
    touch("touchStart", (200, 120), (240, 120))
    touch("touchMove", (180, 120), (280, 120))
    touch("touchEnd")
    browser.size(64, 36)
    assert view()["field_of_view"] < dragged["field_of_view"]


def test_reduced_motion(browser: Page, path: Path) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    browser.open(path, "#size=64&sea=hurricane")
    until(browser, "globalThis.sea && document.getElementById('message').textContent.includes('less motion')")
    browser.call("Emulation.setEmulatedMedia", features=[])
    assert browser.run("sea.state.isPaused")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key=" ")
    assert browser.run("document.getElementById('message').hidden")
    assert not browser.run("sea.state.isPaused")


def test_changes_compile_nothing_again(browser: Page, path: Path) -> None:
    opened(browser, path, "")
    browser.run("sea.fill(); globalThis.programs = Object.keys(sea.graphics.programs).length")
    browser.run("[10, 20, 30].forEach(wind => { sea.set({ wind }); sea.draw(); })")
    assert browser.run("Object.keys(sea.graphics.programs).length - programs") == 0


def test_says_what_is_missing(browser: Page, path: Path) -> None:
    script = "HTMLCanvasElement.prototype.getContext = () => null"
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    browser.open(path)
    until(browser, "(document.getElementById('message')?.textContent ?? '').includes('WebGL 2')")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)


def test_says_what_fails_in_a_frame(browser: Page, path: Path) -> None:
    script = """{
        const write = WebGL2RenderingContext.prototype.shaderSource;
        WebGL2RenderingContext.prototype.shaderSource = function (shader, text) {
            write.call(this, shader, text.replace("void main", "wrong"));
        };
    }"""
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    browser.open(path, "#size=64")
    until(browser, "(document.getElementById('message')?.textContent ?? '').includes('ERROR')")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)


@pytest.mark.usefixtures("coarse_sky")
def test_flat_water(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "flat.html"
    path.write_text(pages.page(with_values(Settings(), {"sea.wind.speed": 0.0}), "flat", presets=()))
    opened(browser, path, "", draws=True)
    until(browser, "sea.isDrawn")
    assert browser.run("sea.waves.measuredHeight()") == 0
    assert picture(browser)[0].mean() > 10


@pytest.mark.usefixtures("coarse_sky")
def test_a_changed_preset_is_shown_under_any_name() -> None:
    settings = load_settings("gale", overrides=["sea.wind.speed=5"])
    text = pages.page(settings, "gale", presets=("gale",))
    data = data_of(text)
    speeds = {name: sea["settings"]["sea"]["wind"]["speed"] for name, sea in data["seas"].items()}
    assert speeds == {"gale": 18.0, data["first"]: 5.0}


@pytest.mark.usefixtures("coarse_sky")
def test_command_writes_one_small_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\nsea\udcff.html"
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["export", "--format", "html", "--config", "gale", "--set", "sea.wind.speed=9", "--out", str(path)])
    assert path.stat().st_size < 2e6
    assert list(tmp_path.iterdir()) == [path]
    assert capsys.readouterr().out.endswith("a\\x1b[31m\\nsea\\udcff.html\n")
    text = path.read_text()
    data = data_of(text)
    assert set(data["seas"]) == {*pages.PRESETS, path.stem}
    assert "http://" not in text
    assert "https://" not in text
