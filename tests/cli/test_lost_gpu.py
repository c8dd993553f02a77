"""A GPU that was reset or hangs ends a command with one sentence and a status of its own; finished work stays."""

import json
import os
import time
from functools import partial

import pytest

from ocean.bench import command
from ocean.bench.contest import Found
from ocean.cli import GPU_LOST
from ocean.export.sources import FrameSource
from ocean.gpu import context
from ocean.gpu.context import DeviceLostError, Fence, drain, is_lost, of_context, refuse_lost

TINY = ("--config", "software", "--set", "fft.size=32", "--set", "foam.resolution=64")
PICTURE = ("--set", "capture.width=32", "--set", "capture.height=18", "--set", "foam.amount=0")
pytestmark = pytest.mark.usefixtures("coarse_sky")
HANGS = "the GPU did not end its work in 0.2 s"


@pytest.fixture
def watch(ctx):
    """Return the state of the session's context, which no test leaves lost."""
    watch = of_context(ctx, context._Watch)
    before = dict(vars(watch))
    yield watch
    vars(watch).update(before)


@pytest.fixture
def hang(monkeypatch):
    """Return a function that lets the GPU hang once it has done so many fences, or be reset then."""

    def begin(after=0, reset=False):
        passed_within, asked, hung = Fence._passed_within, [], []

        def stuck(fence, nanoseconds):
            if len(asked) >= after:
                hung[:] = hung or [time.monotonic()]
                assert time.monotonic() < hung[0] + 60, "this wait has no end"
                if reset:
                    of_context(fence.ctx, context._Watch).status = lambda: 0x8253
                return False
            asked.append(fence)
            while not passed_within(fence, nanoseconds):  # a busy machine is no lost GPU
                pass
            return True

        monkeypatch.setattr(Fence, "_passed_within", stuck)
        monkeypatch.setattr(context, "is_software", lambda ctx: False)
        monkeypatch.setattr(context, "HANGS_AFTER", 0.2)
        monkeypatch.setattr(os, "_exit", lambda status: (_ for _ in ()).throw(SystemExit(status)))

    return begin


def test_the_driver_is_asked(ctx, watch):
    """Mesa has the function. It answers that nothing was reset."""
    assert watch.status.__class__.__name__ == "CFunctionType"
    assert watch.status() == 0
    refuse_lost(ctx)
    drain(ctx)
    assert not is_lost(ctx)


def test_a_gpu_that_never_signals_is_waited_for_only_so_long(ctx, watch, hang):
    hang()
    begin = time.monotonic()
    with pytest.raises(DeviceLostError, match=HANGS):
        drain(ctx)
    assert time.monotonic() - begin >= 0.2
    assert is_lost(ctx)
    with pytest.raises(DeviceLostError, match=HANGS):
        refuse_lost(ctx)


def test_a_software_renderer_may_take_longer(ctx, watch, hang, monkeypatch):
    hang()
    answers = iter([False] * 9 + [True])
    monkeypatch.setattr(context, "is_software", lambda ctx: True)
    monkeypatch.setattr(Fence, "_passed_within", lambda *_: time.sleep(0.03) or next(answers))
    drain(ctx)


@pytest.mark.parametrize(("status", "cause"), [(0x8253, "of this program"), (0x8254, "other"), (0x8255, "unknown")])
def test_a_reset_ends_a_wait_at_once(ctx, watch, hang, status, cause):
    hang()
    watch.status = lambda: status
    with pytest.raises(DeviceLostError, match=rf"the GPU was reset .*{cause}"):
        drain(ctx)


def test_a_fence_that_the_driver_refuses_has_not_passed(ctx, watch, monkeypatch):
    real = context.gl_function
    refusing = lambda ctx, name, *kinds: (lambda *_: None) if name == "glFenceSync" else real(ctx, name, *kinds)  # noqa: E731
    monkeypatch.setattr(context, "gl_function", refusing)
    with pytest.raises(RuntimeError, match="no fence"):
        Fence(ctx)
    watch.status = lambda: 0x8254
    with pytest.raises(DeviceLostError, match="reset"):
        Fence(ctx)


@pytest.mark.parametrize("reset", [False, True])
def test_a_capture_ends_with_a_sentence(ocean_here, tmp_path, hang, reset):
    hang(after=1, reset=reset)
    done = ocean_here("capture", *TINY, "--resolution", "32x18", "--frames", "2", "--out", tmp_path / "out")
    assert done.returncode == GPU_LOST
    said = "the GPU was reset by work of this program" if reset else HANGS
    assert done.stderr == f"ocean: {said}; a newer driver, a smaller picture or a smaller fft.size may help\n"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("form", ["png", "npz"])
def test_an_export_keeps_its_finished_frames(ocean_here, tmp_path, hang, monkeypatch, form):
    run = partial(
        ocean_here, "export", *TINY, *PICTURE, "--format", form, "--duration", "0.4", "--fps", "10", "--out", tmp_path
    )
    frame = FrameSource.frame

    def hangs_at_two(source, index):
        if index == 2:
            hang()
        return frame(source, index)

    monkeypatch.setattr(FrameSource, "frame", hangs_at_two)
    done = run()
    assert done.returncode == GPU_LOST
    assert done.stderr.count("\n") == 1
    assert "2 of 4 frames are done and whole, and --resume makes the others" in done.stderr
    monkeypatch.undo()
    assert len(list(tmp_path.glob(f"*.{form}"))) == 2
    assert run("--resume").returncode == 0
    assert len(list(tmp_path.glob(f"*.{form}"))) == 4


def test_a_bench_keeps_its_rows(ocean_here, tmp_path, hang, monkeypatch):
    hang(after=1 << 30)
    real = command.WORKLOADS["line"]

    def steps(request):
        def lose():
            of_context(request.ctx, context._Watch).lost = HANGS
            refuse_lost(request.ctx)
            return Found()

        first, *_ = real(request)
        return [first, lose, first]

    monkeypatch.setitem(command.WORKLOADS, "line", steps)
    sizes = "--sizes", "16", "--backends", "stockham-shared", "--workload", "line"
    done = ocean_here("bench", *sizes, "--out", tmp_path)
    assert done.returncode == GPU_LOST, done.stderr
    assert done.stderr.startswith(f"ocean: {HANGS}; ")
    assert "case 2 of 3, of line, lost the GPU" in done.stdout
    assert [row["size"] for row in json.loads((tmp_path / "bench.json").read_text())["rows"]].count(16) >= 1
