"""A live sea in a notebook, run headless by the kernel of Jupyter."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))
CELLS = (
    """
from ocean import load_settings
from ocean.notebook import OceanView
small = ["fft.size=32", "cascades.count=1", "foam.resolution=64", "view.edge_pixels=20", "sky.plain=true"]
view = OceanView(load_settings("software", overrides=small), size=(96, 54))
view.snapshot()
""",
    """
import math
first, before = view.draw(), view.settings.view
view.handle_event({"type": "pointer_down", "x": 10, "y": 10, "buttons": (1,)})
view.handle_event({"type": "pointer_move", "x": 30, "y": 10, "buttons": (1,)})
view.handle_event({"type": "pointer_up", "x": 30, "y": 10, "buttons": ()})
view.handle_event({"type": "key_down", "key": "w", "modifiers": ("Shift",)})
view.draw()
view.draw()
view.handle_event({"type": "key_up", "key": "w", "modifiers": ()})
view.handle_event({"type": "wheel", "dx": 0, "dy": -200})
view.handle_event({"type": "key_down", "key": " "})
view.handle_event({"type": "resize", "width": 64, "height": 40, "ratio": 1.0})
after, time = view.settings.view, view.time
still = view.draw().astype(float)
view.draw()
assert view.times["frame"] > 0 and len(view.times) > 5
view.apply({"sea.wind.speed": 20, "sky.sun_elevation": 40})
last = view.draw()
assert not view.times, "times of other settings"
while not view.times:
    view.draw()
assert "amplitudes" not in view.times, "times of two seas"
assert first.shape == (54, 96, 3) and last.shape == (40, 64, 3), (first.shape, last.shape)
assert after.heading != before.heading and (after.x, after.z) != (before.x, before.z)
assert view.time == time, "it does not pause"
assert first.std() > 5 and abs(last - still).mean() > 5, (first.std(), abs(last - still).mean())
assert view.times["frame"] > 0 and len(view.times) > 5
try:
    view.apply({"sea.wind.speed": -1})
except Exception as error:
    print(type(error).__name__, view.settings.sea.wind.speed)
view.handle_event({"type": "resize", "width": 10**6, "height": 10**6})
view.apply({"view.mode": "orbit"})
before = view.settings.view
view.handle_event({"type": "wheel", "dx": 0, "dy": math.nan})
assert view.settings.view == before
assert view.draw().shape == (40, 64, 3)
view.close()
for size in ((10**9, 10**9), (64,)):
    try:
        OceanView(load_settings("software", overrides=small), size)
    except ValueError as error:
        print(type(error).__name__)
""",
)


def test_a_sea_runs_and_is_steered_in_a_notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    place = tmp_path / "kernels" / "python3"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(
        book, timeout=300, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    html = "".join(output.get("data", {}).get("text/html", "") for output in book.cells[0].outputs)
    assert "base64," in html
    said = "".join(output.get("text", "") for output in book.cells[1].outputs)
    assert said.split() == ["SettingsError", "20.0", "SettingsError", "ValueError"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_finds_the_program_from_its_own_folder(notebook):
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    first = "".join(next(cell["source"] for cell in cells if cell["cell_type"] == "code"))
    command = [sys.executable, "-c", f"{first}\nimport ocean"]
    subprocess.run(command, cwd=notebook.parent, check=True, timeout=300)
