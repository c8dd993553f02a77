"""The script that measures all reports of a folder again: each step names an existing workload, and a short step
runs."""

import sys

import pytest

from ocean.bench.command import TUNING, WORKLOADS
from ocean.bench.rows import Bench
from ocean.fft.measure import LEAST_SAMPLES
from tests.messages import naming, unnamed
from tools.measure import every_workload


def test_every_workload_has_a_step():
    asked = [step[step.index("-w") + 1] for step in every_workload.STEPS.values() if "-w" in step]
    assert {*",".join(asked).split(","), *TUNING} == {*WORKLOADS, *TUNING}
    assert set(every_workload.QUICK) <= set(every_workload.STEPS)
    assert int(every_workload.ROUNDS) == LEAST_SAMPLES


@pytest.mark.parametrize(
    "step", ["mixed", *(pytest.param(one, marks=pytest.mark.slow) for one in every_workload.STEPS if one != "mixed")]
)
def test_a_short_step_makes_a_report(tmp_path, monkeypatch, step):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert every_workload.run([*every_workload.command(step, quick=True), "--out", str(tmp_path / "out")]) > 0
    found = Bench.read(tmp_path / "out/bench.json")
    assert found.rows
    assert not (tmp_path / "cache/fft-ocean").exists()


def test_a_failed_measurement_is_reported(tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit, match=naming("bench.json", tmp_path)):
        every_workload.run(
            [sys.executable, "-m", "tools.bench", "--from", str(tmp_path), "--out", str(tmp_path / "out")]
        )
    monkeypatch.setattr("sys.argv", ["every_workload", str(tmp_path)])
    with pytest.raises(SystemExit):
        every_workload.main()
    assert unnamed(capsys.readouterr().err, tmp_path) == []
