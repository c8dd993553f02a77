"""Pictures as a workload: each pass of a frame, and what it drew."""

import pytest

from ocean.bench import scenes
from ocean.bench.rows import Bench
from ocean.render.frame import SEA, FrameRenderer
from ocean.settings import load_settings
from tests.messages import unnamed


def test_a_scene_has_its_frame_its_sea_and_each_pass(ctx, ocean_here, monkeypatch, tmp_path):
    scene = scenes.Scene("default", "software", (64, 36))
    renderer = FrameRenderer(ctx, scene.settings, scene.size)
    drawing = {step.name for step in renderer.passes if step.group == SEA}
    renderer.release()
    monkeypatch.setattr(scenes, "SOFTWARE_SCENES", (scene,))
    done = ocean_here("bench", "-w", "scene", "--no-cache", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    frame, sea, *passes = Bench.read(tmp_path / "out/bench.json").rows
    assert (frame.name, sea.name, frame.part) == ("frame", "sea", "default at software")
    assert (frame.size, frame.lines) == (64, 36)
    names = [row.name for row in passes]
    assert {"mesh", "raster", "shading", "sky", "tone mapping"} < set(names)
    # By sample, a frame is the sum of its passes, and the sea the sum of the passes of its group.
    assert {"mesh", "raster", "shading"} <= drawing
    for whole, parts in ((frame, names), (sea, drawing)):
        sums = [sum(times) for times in zip(*(row.samples_ms for row in passes if row.name in parts), strict=True)]
        assert whole.samples_ms == pytest.approx(sums)
    assert frame.frames_per_second == pytest.approx(1e3 / frame.median_ms)
    assert 0 < frame.shadings <= frame.picture_samples
    assert frame.picture_samples >= 64 * 36 // 2  # the lower half is water
    assert frame.triangles > 100
    # What is counted of a frame is the sea and the passes with counts of their own.
    counted = [row for row in (sea, *passes) if row.bytes and row.name not in drawing]
    assert frame.bytes == sum(row.bytes for row in counted)
    assert frame.gflops * frame.median_ms == pytest.approx(sum((row.gflops or 0) * row.median_ms for row in counted))
    transforms = [row for row in passes if row.name.endswith(("rows", "columns"))]
    assert all(row.gflops > 0 for row in transforms)
    assert len(transforms) == 2
    assert frame.submit_us > 0
    assert not any(row.winner or row.speedup for row in (frame, sea, *passes))
    assert unnamed((tmp_path / "out/bench.md").read_text(), "default software 64 × 36") == []


def test_work_is_counted_for_passes_of_a_cloudy_frame(ctx):
    renderer = FrameRenderer(ctx, load_settings(overrides=["fft.size=64", "foam.resolution=64"]), (16, 9))
    names = {step.name for step in renderer.passes}
    renderer.release()
    drawn = scenes.Drawn(100, 100, 50, 16 * 9, 16 * 4, True, True, {})
    work = drawn.work
    assert set(work) - {"frame", "sea"} <= names
    assert all(bytes_ > 0 and flops > 0 for bytes_, flops in work.values())
    clear = drawn._replace(is_cloudy=False, blooms=False).work
    assert clear["clouds"] == clear["bloom"] == (0, 0)
    assert clear["frame"][1] < work["frame"][1] / 2  # rays through clouds cost most of so small a sea


@pytest.mark.parametrize("options", [("--sizes", 64), ("--backends", "auto")])
def test_scenes_take_no_sizes_and_no_backends(ocean_here, tmp_path, options):
    done = ocean_here("bench", "-w", "scene", *options, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert unnamed(done.stderr, "--sizes --backends") == []


def test_every_scene_is_of_settings_that_there_are():
    for scene in (*scenes.SCENES, *scenes.SOFTWARE_SCENES):
        assert scene.settings.view.field_of_view > 0
    assert len(set(scenes.SCENES)) == len(scenes.SCENES)
