"""The passes of frames: times of kernels, whatever Python takes to submit them."""

import pytest

from ocean.bench import frames
from ocean.bench.request import Request
from ocean.gpu.stopwatch import Stopwatch
from ocean.gpu.timing import ClockTrial


@pytest.mark.parametrize("clock", ["gpu", "wall"])
def test_every_timed_frame_begins_behind_work_that_outlasts_its_submission(ctx, monkeypatch, clock):
    honest, asked, submitted = Stopwatch.head_start, [], []

    def head_start(stopwatch, submit_ms):
        asked.append(submit_ms)
        honest(stopwatch, submit_ms)

    monkeypatch.setattr(Stopwatch, "head_start", head_start)
    request = Request(("frame",))
    request.ctx, request.trial = ctx, ClockTrial(1.0, 1.0 if clock == "gpu" else 2.0)
    with frames.open_frames(request, frames.settings_of(request, 16)) as running:
        for _ in range(4):
            (one,) = running.passes("stockham-shared")
            assert {"fft rows", "fft columns"} < set(one.passes)
            submitted.append(one.cpu_ms)
    assert len(asked) == 4
    assert all(wanted > took for wanted, took in zip(asked[1:], submitted, strict=False))  # passes are part of a frame
