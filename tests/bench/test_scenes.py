"""Pictures as a workload: each pass of a frame, and its counts of drawn samples."""

import pytest

from ocean.bench import scenes
from ocean.bench.rows import Bench
from ocean.render.frame import FrameRenderer
from ocean.render.scene import SEA
from ocean.settings import load_settings
from tests.messages import unnamed


@pytest.mark.usefixtures("coarse_sky")
def test_a_scene_has_its_frame_its_sea_and_each_pass(ctx, ocean_here, monkeypatch, tmp_path):
    scene = scenes.Scene("default", "software", (64, 36))
    renderer = FrameRenderer(ctx, scene.settings, scene.size)
    drawing = {step.name for step in renderer.passes if step.group == SEA}
    renderer.release()
    monkeypatch.setattr(scenes, "SCENES", (scene,))
    monkeypatch.setattr(scenes, "SOFTWARE_SCENES", (scene,))
    done = ocean_here("bench", "-w", "scene", "--no-cache", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    frame, sea, *passes = Bench.read(tmp_path / "out/bench.json").rows
    assert (frame.name, sea.name, frame.part) == ("frame", "sea", "default at software")
    assert (frame.size, frame.lines) == (64, 36)
    names = [row.name for row in passes]
    assert {"mesh", "raster", "shading", "sky", "tone mapping"} < set(names)
    # In each sample, the time of the sea is the sum of its group's passes. Frames are timed as a whole, apart.
    assert {"mesh", "raster", "shading"} <= drawing
    sums = [sum(times) for times in zip(*(row.samples_ms for row in passes if row.name in drawing), strict=True)]
    assert sea.samples_ms == pytest.approx(sums)
    assert len(frame.samples_ms) == len(sums)
    assert 0.2 < frame.median_ms / sum(row.median_ms for row in passes) < 5
    assert frame.frames_per_second == pytest.approx(1e3 / frame.median_ms)
    assert 0 < frame.shadings <= frame.picture_samples
    assert frame.picture_samples >= 64 * 36 // 2  # the lower half is water
    assert frame.triangles > 100
    # The work of a frame is the sum of its passes' work, and the sea's that of the passes of its group.
    for whole, parts in ((frame, names), (sea, drawing)):
        counted = [row for row in passes if row.name in parts]
        assert whole.bytes == sum(row.bytes or 0 for row in counted)
        operations = sum((row.gflops or 0) * row.median_ms for row in counted)
        assert whole.gflops * whole.median_ms == pytest.approx(operations)
    transforms = [row for row in passes if row.name.endswith(("rows", "columns"))]
    assert all(row.gflops > 0 for row in transforms)
    assert len(transforms) == 2
    assert frame.submit_us > 0
    assert not any(row.winner or row.speedup for row in (frame, sea, *passes))
    assert unnamed((tmp_path / "out/bench.md").read_text(), "default software 64 × 36") == []


@pytest.mark.usefixtures("coarse_sky")
@pytest.mark.parametrize("samples", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_passes_count_their_work(ctx, samples):
    """Clouds and bloom are counted where they are drawn: a ray through clouds costs most of so small a sea."""
    wanted = ["fft.size=64", "foam.resolution=64", "sky.clouds=0.4", "sky.bloom=0.03", f"view.samples={samples}"]
    work = {}
    for name, more in {"cloudy": [], "clear": ["sky.clouds=0", "sky.veil=0", "sky.bloom=0"]}.items():
        renderer = FrameRenderer(ctx, load_settings(overrides=wanted + more), (64, 36))
        renderer.render(1.0)
        work[name] = {step.name: step.work() for step in renderer.passes}
        triangles, seen, shadings = renderer.surface.count_drawn()
        renderer.release()
    drawn = {"raster", "shading", "sky", "clouds", "bloom", "tone mapping"}
    assert set(work["cloudy"]) - set(work["clear"]) == {"clouds", "bloom"}
    for name in drawn | {"evolve+rows", "columns"} & set(work["cloudy"]):
        assert min(work["cloudy"][name]) > 0, name
    assert work["cloudy"]["clouds"].operations > 5 * work["clear"]["sky"].operations
    assert ("resolve" in work["clear"]) == (samples > 1)
    # A clear frame reads and writes each sample of 8 bytes, and shades each record of 48 bytes.
    assert work["clear"]["raster"].bytes >= 8 * seen
    assert work["clear"]["shading"].bytes >= 2 * 8 * seen + 2 * 48 * shadings
    assert work["clear"]["raster"].operations > triangles > 100
