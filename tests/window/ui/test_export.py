"""The dialog that exports the sea: estimate, run, progress and cancel, by the program's own command line."""

import signal
import time

import numpy as np
import pytest

from ocean.export.formats import FORMATS

pytestmark = pytest.mark.usefixtures("undrawn")


def open_dialog(pilot, form):
    pilot.click("File")
    pilot.hover("Export")
    pilot.frames(12)
    pilot.click("Sea to files: maps, mesh, film …")
    pilot.frames(2)
    pilot.click("##format")
    pilot.click(form)
    pilot.frames(2)


def wait(pilot, condition):
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, (pilot.desktop.interface.message, pilot.texts[-5:])
        pilot.frames()
        time.sleep(0.05)


def test_the_sea_is_estimated_and_exported(pilot, desktop, tmp_path):
    open_dialog(pilot, "maps: npz")
    pilot.type("##Length", "0.5")
    pilot.type("##Rate", "8")
    pilot.choose("texels", "64")
    pilot.frames(2)
    dialog = desktop.exporting
    pilot.click("Estimate")
    assert dialog.is_busy
    wait(pilot, lambda: not dialog.is_busy)
    pilot.frames(2)
    assert any("4 frames take about" in text for text in pilot.texts), pilot.texts
    (folder,) = (tmp_path / "out").glob("export-*[0-9]")
    assert len(list(folder.glob("*.npz"))) == 2
    pilot.click("Export###run export")
    wait(pilot, lambda: not dialog.is_busy)
    assert not desktop.interface.is_error, desktop.interface.message
    found = sorted(folder.glob("*.npz"))
    assert len(found) == 4
    with np.load(found[-1]) as maps:
        assert maps["height"].shape[1:] == (64, 64)
    assert desktop.interface.saved.parent.absolute() == folder


@pytest.fixture
def background():
    """Programs in the background of a script, and those that they start, ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("background")
def test_an_export_is_cancelled_and_keeps_whole_frames(pilot, desktop, tmp_path):
    open_dialog(pilot, "maps: npz")
    pilot.type("##Length", "3000")
    pilot.choose("texels", "64")
    dialog = desktop.exporting
    pilot.frames(2)
    pilot.click("Estimate")
    wait(pilot, lambda: not dialog.is_busy)
    pilot.frames(2)
    pilot.click("Export###run export")
    (folder,) = (tmp_path / "out").glob("export-*[0-9]")
    wait(pilot, lambda: len(list(folder.glob("*.npz"))) > 2)  # so the signal meets a run, not the start of Python
    pilot.click("Cancel###cancel export")
    wait(pilot, lambda: not dialog.is_busy)
    assert desktop.interface.is_error
    found = sorted(folder.glob("*.npz"))
    assert 2 < len(found) < 1000
    pilot.frames(2)
    pilot.click("Export###run export")  # goes on in the same folder
    wait(pilot, lambda: len(list(folder.glob("*.npz"))) > len(found))
    pilot.click("Cancel###cancel export")
    wait(pilot, lambda: not dialog.is_busy)
    for path in found:
        with np.load(path) as maps:
            assert maps["height"].shape[1:] == (64, 64)


@pytest.mark.parametrize(("form", "named"), [("mesh: glb", "patch"), ("textures for engines: png16", "foam")])
def test_what_cannot_be_exported_is_said_before(pilot, desktop, form, named):
    open_dialog(pilot, form)
    assert "Estimate###run export" in pilot.places
    if FORMATS[form.partition(": ")[2]].content == "mesh":
        pilot.type("##Length", "0")
        named = "duration"
    else:
        pilot.click("foam##map")
    pilot.frames(2)
    assert "Estimate###run export" not in pilot.places
    assert any(named in text for text in pilot.texts)


def test_a_page_is_one_file_without_length_and_rate(pilot, desktop):
    open_dialog(pilot, "maps: npz")
    pilot.type("##Rate", "0")
    pilot.frames(2)
    assert any(text.startswith("fps = 0") for text in pilot.texts)  # no option of the command line
    pilot.choose("format", "page for browsers: html")
    pilot.frames(2)
    assert "one page, into a new file" in pilot.texts
    assert not {"##Length", "##Rate", "##loop"} & pilot.places.keys()
    assert "Export###run export" in pilot.places  # a mistake in a field of another format hinders no page
