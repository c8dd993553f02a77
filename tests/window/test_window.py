"""The real program in a real window, operated by a real mouse and keyboard."""

import json
import signal
import time

import av
import numpy as np
import pytest
import tomli_w
from PIL import Image

from ocean.cli import GPU_LOST
from ocean.common.resources import config
from ocean.gpu.context import is_software_renderer
from ocean.settings import load_settings, to_tree
from tests.messages import unnamed

from .conftest import AT_SOFTWARE, SMALL, run_window, wait_for

pytestmark = pytest.mark.window
SIZE = 1024, 640  # size of the window at the level `software`
VIEW = slice(40, 600), slice(300, 750)  # rows and columns that show only the sea
PANEL = slice(40, 600), slice(10, 270)
OPEN_WATER = 500, 500
MOVIE = "window.movie_length=0.5", "window.movie_fps=10"


def picture(path):
    return np.asarray(Image.open(path)).astype(int)


def shows_sea_and_panel(shown):
    """Return whether a picture of the window has a dark panel on the left, and in the middle sky above water."""
    sky, water = shown[VIEW][:200], shown[VIEW][-200:]
    return shown[PANEL].mean() < 60 < sky.mean() and water.mean() < sky.mean() and water.std() > 5


@pytest.mark.parametrize("library", ["glfw", "pyglet"])
def test_the_window_quits_after_its_frames_and_saves_a_picture(start, tmp_path, library):
    program = start("--window", library, "--quit-after", "5", "--screenshot", "shots/last.png")
    assert program.end() == (0, "")
    shown = picture(tmp_path / "shots" / "last.png")
    assert shown.shape == (SIZE[1], SIZE[0], 3)
    assert shows_sea_and_panel(shown)
    assert not program.state.exists()


HANGS = """
import sys
from ocean.cli import main
from ocean.gpu import context
from ocean.window.desktop import Desktop

render = Desktop.on_render

def hanging(desktop, *times):
    if desktop.frames == 3:
        desktop.studio.begin(desktop.interface.view_pixels, 9.0, 10.0)
    if desktop.studio.movie and desktop.studio.movie.frames == 2:
        context.HANGS_AFTER, context.is_software = 0.5, lambda ctx: False
        context.Fence._passed_within = lambda *_: False
        desktop.screenshot = "never.png"
    render(desktop, *times)

Desktop.on_render = hanging
main()
"""


def test_a_hung_gpu_ends_the_window_and_keeps_session_and_movie(display, tmp_path):
    done = run_window(tmp_path, *AT_SOFTWARE, "--set", "sea.seed=77", code=HANGS, DISPLAY=display)
    assert done.returncode == GPU_LOST, done.stderr
    assert done.stderr.startswith("ocean: the GPU did not end its work in 0.5 s; ")
    assert done.stderr.count("\n") == 1
    kept = json.loads((tmp_path / "state" / "fft-ocean" / "window.json").read_text())
    assert kept["settings"]["sea"]["seed"] == 77
    assert not (tmp_path / "never.png").exists()
    (movie,) = tmp_path.rglob("*.mp4")
    with av.open(movie) as film:
        assert len(list(film.decode(video=0))) >= 2


def test_the_window_opens_on_wayland(wayland, tmp_path):
    done = run_window(tmp_path, *AT_SOFTWARE, "--quit-after", "5", "--screenshot", "last.png", **wayland)
    assert (done.returncode, done.stderr) == (0, "")
    assert shows_sea_and_panel(picture(tmp_path / "last.png"))


def test_a_session_is_kept_and_restored(start, tmp_path):
    """Drop a file, move the camera, resize, minimise, go full screen, save a picture and a movie, and quit. The next
    start restores the session. Files that are dropped there, offered as few types of data, change it, and closing the
    window keeps it."""
    program = start()
    window = program.window()
    program.xdotool("windowfocus", "--sync", window)
    wait_for(lambda: program.size() == SIZE, "window of the software profile")

    def saved(kind, key, program=program, suffix=".png", patience=3):
        """Press a key until another picture or movie is saved; repeat it after some seconds."""
        before = set((tmp_path / "out").glob(f"{kind}-*{suffix}"))
        for _ in range(30):
            program.keys(key)
            end = time.monotonic() + patience
            while time.monotonic() < end:
                if found := set((tmp_path / "out").glob(f"{kind}-*{suffix}")) - before:
                    return found.pop()
                time.sleep(0.1)
        pytest.fail(f"{key} saved nothing")

    first = picture(saved("window", "F12"))
    assert first.shape == (SIZE[1], SIZE[0], 3)
    assert shows_sea_and_panel(first)
    changed = ["sea.seed=77", "sea.wind.speed=25", "fft.backend=stockham-radix4", "fft.size=32"]
    dropped = load_settings("configs/software.toml", overrides=[*SMALL, *changed, *MOVIE])
    (tmp_path / "dropped.toml").write_text(tomli_w.dumps(to_tree(dropped)))
    program.drop(tmp_path / "dropped.toml")
    wait_for(lambda: np.abs(picture(saved("window", "F12"))[PANEL] - first[PANEL]).mean() > 0.5, "change of the panel")
    program.xdotool("mousemove", "--window", window, *OPEN_WATER)  # keys go to the panel while the mouse is on it
    saved("window", "F12")  # wait until a frame has read the mouse and the dropped file's kernels are compiled
    program.xdotool("keydown", "w")
    saved("window", "F12")  # a frame was drawn while the key was held
    program.xdotool("keyup", "w")
    saved("window", "F12")  # earlier keys have arrived
    program.keys("ctrl+shift+2")
    for size in ((200, 120), SIZE):
        program.xdotool("windowsize", "--sync", window, *size)
        wait_for(lambda size=size: program.size() == size, "window of another size")
    minimise = lambda: program.xdotool("windowminimize", window)  # noqa: E731 -- may get lost between size changes
    wait_for(lambda: minimise() or not program.windows(), "minimised window")
    program.xdotool("windowmap", "--sync", window)
    program.xdotool("windowfocus", "--sync", program.window())
    program.keys("F11")
    wait_for(lambda: program.size() == (1280, 800), "full screen")
    wait_for(lambda: picture(saved("window", "F12")).shape == (800, 1280, 3), "picture of the full screen")
    program.keys("F11")
    wait_for(lambda: program.size() == SIZE, "window as it was")
    wait_for(lambda: picture(saved("ocean", "p")).shape[1] < 0.6 * SIZE[0], "picture of the view only")
    with av.open(str(saved("ocean", "r", suffix=".mp4", patience=120))) as film:
        assert film.streams.video[0].frames == 5
    program.keys("shift+3", "shift+3", "ctrl+q")
    assert program.end() == (0, "")
    state = json.loads(program.state.read_text())
    kept = state["settings"]
    assert list(state["bookmarks"]) == ["2"]
    assert (kept["stage"]["view"], kept["stage"]["field"]) == ("packed", "dx")
    assert (kept["fft"]["backend"], kept["fft"]["size"], kept["sea"]["seed"]) == ("stockham-radix4", 32, 77)
    assert kept["sea"]["wind"]["speed"] == 25
    assert np.hypot(kept["view"]["x"] - dropped.view.x, kept["view"]["z"] - dropped.view.z) > 0
    again = start(plain=True)
    again.xdotool("windowfocus", "--sync", again.window())
    saved("window", "F12", again)
    assert again.size() == SIZE
    again.keys("ctrl+shift+4")  # a bookmark saves the state
    state = wait_for(lambda: "4" in (now := json.loads(again.state.read_text()))["bookmarks"] and now, "bookmark")
    assert state["settings"] == kept
    for types, speed in ((1, 21), (3, 22)):  # a scene file does not change how the sea is computed
        (tmp_path / f"{types}.toml").write_text(f"[sea.wind]\nspeed = {speed}\n")
        again.drop(tmp_path / f"{types}.toml", types)
        saved("window", "F12", again)
    again.keys("Escape", "alt+F4")
    assert again.end() == (0, "")
    left = json.loads(again.state.read_text())["settings"]
    assert left["sea"]["wind"]["speed"] == 22
    assert (left["fft"], left["window"], left["sky"]["plain"]) == (kept["fft"], kept["window"], True)


def test_a_killed_window_leaves_its_session(start, tmp_path):
    program = start()
    program.xdotool("windowfocus", "--sync", program.window())
    wait_for(lambda: program.keys("F12") or list((tmp_path / "out").glob("window-*")), "frame")
    program.keys("ctrl+shift+2")
    state = wait_for(lambda: program.state.exists() and json.loads(program.state.read_text()), "session")
    assert list(state["bookmarks"]) == ["2"]
    program.keys("F")
    shown = lambda: json.loads(program.state.read_text())["settings"]["stage"]["view"]  # noqa: E731
    wait_for(lambda: shown() == "wireframe", "change")
    program.process.kill()
    program.end()
    assert json.loads(program.state.read_text())["running"]


@pytest.mark.skipif(
    not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN,
    reason="needs a terminal that hangs up; nohup has none",
)
def test_a_closed_terminal_ends_the_session_as_a_closed_window_does(start, tmp_path):
    program = start()
    program.xdotool("windowfocus", "--sync", program.window())
    wait_for(lambda: program.keys("F12") or list((tmp_path / "out").glob("window-*")), "frame")
    program.keys("ctrl+shift+2")
    wait_for(lambda: program.state.exists() and json.loads(program.state.read_text())["running"], "session")
    program.process.send_signal(signal.SIGHUP)
    assert program.end()[0] == 130
    assert not json.loads(program.state.read_text())["running"]


def test_a_state_that_cannot_be_saved_is_reported_at_the_end(start, tmp_path):
    (tmp_path / "state").write_text("in the way")
    program = start()
    program.xdotool("windowfocus", "--sync", program.window())
    wait_for(lambda: program.keys("F12") or list((tmp_path / "out").glob("window-*")), "frame")
    program.keys("ctrl+q")
    status, said = program.end()
    assert (status, said.count("\n")) == (2, 1)
    assert unnamed(said, tmp_path / "state/fft-ocean") == []


@pytest.mark.slow
def test_the_first_start_measures_the_quality_level_of_this_device(start, tmp_path, monkeypatch):
    """The first start also measures software renderers, before any shader is compiled. Its frames have the level that
    it found."""
    for name in ("XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    program = start("--quit-after", "3", "--screenshot", "first.png", plain=True)
    sizes = set()
    while program.process.poll() is None:
        found = program.xdotool("search", "--onlyvisible", "--name", "FFT ocean$").split()
        texts = (program.xdotool("getwindowgeometry", "--shell", one) for one in found)
        sizes |= {tuple(line for line in text.split() if line.startswith(("WIDTH", "HEIGHT"))) for text in texts}
        time.sleep(0.2)
    assert sizes - {()} == {("WIDTH=1024", "HEIGHT=640")}  # the window does not jump
    assert program.end() == (0, "")
    (record,) = (tmp_path / "cache" / "fft-ocean").glob("quality-*.json")
    found = json.loads(record.read_text())
    if is_software_renderer(found["gpu"]):
        assert found["level"] == "software"
    window = load_settings(config(found["level"])).window
    shown = picture(tmp_path / "first.png")
    assert shown.shape == (window.height, window.width, 3)
    assert shows_sea_and_panel(shown)


TELLING = """
import platformdirs
from ocean.cli import app
from ocean.window.desktop import Desktop
release = Desktop.release

def tell(desktop):
    if not desktop.is_released:
        drawn, shown = desktop.renderer.targets.hdr, desktop.renderer.size
        print(desktop.automatic, drawn.width / shown[0], desktop.settings.view.scale)
    release(desktop)

Desktop.release = tell
platformdirs.user_cache_dir = lambda *_, **__: "cache"  # the driver keeps its own
app()
"""


def test_a_first_start_begins_with_quality_automatic_and_draws_slow_frames_smaller(display, tmp_path):
    """Two samples per pixel and smaller triangles are too slow for software renderers, and fast for a GPU."""
    overrides = "fft.size=64", "foam.resolution=64", "view.edge_pixels=5", "view.samples=2"
    words = [part for override in overrides for part in ("--set", override)]
    done = run_window(tmp_path, "--quit-after", "24", *words, code=TELLING, DISPLAY=display)
    assert done.returncode == 0, done.stderr
    said, drawn, own = done.stdout.strip().rsplit(maxsplit=2)
    assert unnamed(said, "automatic ms") == []
    assert own == "1.0"
    if "software" in said:
        assert "software at 50 %" in said
        assert float(drawn) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("arguments", "status", "named"),
    [
        ((), 4, "OpenGL 4.3 display capture"),
        (("--window", "glwf"), 2, "--window glwf pyglet glfw sdl2"),
    ],
)
def test_files_that_cannot_be_opened_are_named_in_one_sentence(arguments, status, named, tmp_path):
    result = run_window(tmp_path, *arguments)
    assert result.returncode == status
    assert unnamed(result.stderr, named) == []
    assert "Traceback" not in result.stderr
