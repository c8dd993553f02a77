"""The loop that checks rows of a bench: its choice of rows, its times, and its verdicts."""

import json
from datetime import UTC, datetime

import pytest

from ocean.bench.rows import Bench, BenchError, Row
from ocean.common.facts import gl_facts, host_facts, program_facts
from tests.messages import naming, unnamed
from tools.measure import independent
from tools.measure.independent import RESULT, rows_of


def row(name, size, ms=1.0, **more):
    return Row(workload="ocean", name=name, size=size, batch=4, median_ms=ms, **more)


@pytest.fixture
def report(ctx, tmp_path):
    """Return a report of this device with the given times."""

    def write(*rows):
        facts = {"program": program_facts(), "gl": gl_facts(ctx.info), "host": host_facts()}
        reasons = {"clock": "wall", "clock_reason": "none", "command": "ocean bench", "seconds": 1}
        Bench(created=datetime.now(UTC), **facts, **reasons, rows=rows).write(tmp_path / "bench.json")
        return tmp_path / "bench.json"

    return write


def test_rows_of_the_nearest_size_are_compared(report):
    bench = Bench.read(
        report(
            *(row(name, size) for size in (64, 256, 512) for name in ("stockham-shared", "stockham-registers")),
            row("stockham-radix4", 64),
            row("stockham-radix4", 128, ms=None, obstacle="no room"),
            row("stockham-shared", 1024, options="radix=8"),
            row("stockham-shared", 1024, part="maps"),
        )
    )
    nearest = [(one.name, one.size) for one in rows_of(bench, independent.ROWS, exactly=False)]
    assert nearest == [("stockham-radix4", 64), ("stockham-registers", 512), ("stockham-shared", 512)]
    assert [one.size for one in rows_of(bench, ["stockham-shared@256"], exactly=True)] == [256]
    with pytest.raises(BenchError, match=naming("ocean 1024 stockham-shared")):
        rows_of(bench, ["stockham-shared@1024"], exactly=True)
    with pytest.raises(BenchError, match=naming("auto BACKEND@SIZE")):
        rows_of(bench, ["auto"], exactly=True)


def test_times_that_are_far_apart_do_not_agree(ctx, report, monkeypatch, capsys):
    """An hour for a transform is wrong on any machine; the loop's time is right."""
    monkeypatch.setattr(independent, "WARM_SECONDS", 0.05)
    monkeypatch.setattr(independent, "create_headless_context", lambda: NotReleased(ctx))
    path = report(row("stockham-shared", 16, ms=3.6e6))
    assert independent.main([str(path), "--loop", "5", "--rows", "stockham-shared@16"]) == 1
    assert unnamed(capsys.readouterr().out, "stockham-shared 16 3600000.0000 ms 5 -100.0% NOT AGREE") == []
    found = json.loads((path.parent / RESULT).read_text())
    assert (found["renderer"], found["version"]) == (ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"])
    (one,) = found["rows"]
    assert (one["agrees"], one["transforms"]) == (False, 5)
    assert 0 < one["loop_ms"] < 1e3
    monkeypatch.setattr(independent, "loop_ms", lambda *_: (one["loop_ms"], 5))
    path = report(row("stockham-shared", 16, ms=one["loop_ms"] * 1.04))
    assert independent.main([str(path), "--rows", "stockham-shared@16"]) == 0
    assert unnamed(capsys.readouterr().out, "-3.8% agree 5%") == []


def test_a_report_of_another_device_is_refused(ctx, report, monkeypatch, capsys):
    monkeypatch.setattr(independent, "create_headless_context", lambda: NotReleased(ctx))
    path = report(row("stockham-shared", 16))
    path.write_text(path.read_text().replace(ctx.info["GL_RENDERER"], "NVIDIA H200"))
    with pytest.raises(SystemExit) as refused:
        independent.main([str(path), "--rows", "stockham-shared@16"])
    assert refused.value.code == 2
    assert unnamed(capsys.readouterr().err, "NVIDIA H200") == []


class NotReleased:
    """The shared context, which survives the release by a program."""

    def __init__(self, ctx):
        self._ctx = ctx

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def release(self):
        pass
