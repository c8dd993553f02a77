"""The script that measures all of a folder again: each step is a bench that there is, and a short one runs."""

import sys

import pytest

from ocean.bench.rows import Bench
from ocean.bench.workloads import WORKLOADS
from ocean.fft.measure import LEAST_SAMPLES
from tools import measure


def test_every_workload_has_a_step():
    asked = {
        step: arguments[arguments.index("-w") + 1] for step, arguments in measure.STEPS.items() if "-w" in arguments
    }
    assert {*",".join(asked.values()).split(","), "tune", "tune-lines"} == set(WORKLOADS)
    assert set(measure.QUICK) <= set(measure.STEPS)
    assert int(measure.ROUNDS) == LEAST_SAMPLES


@pytest.mark.parametrize(
    "step", ["mixed", *(pytest.param(one, marks=pytest.mark.slow) for one in measure.STEPS if one != "mixed")]
)
def test_a_short_step_makes_a_report(tmp_path, monkeypatch, step):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert measure.run([*measure.command(step, quick=True), "--out", str(tmp_path / "out")]) > 0
    found = Bench.read(tmp_path / "out/bench.json")
    assert found.rows
    assert not (tmp_path / "cache/fft-ocean").exists()


def test_a_failed_measurement_is_reported(tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit, match=r"there is no bench\.json in"):
        measure.run([sys.executable, "app.py", "bench", "--from", str(tmp_path), "--out", str(tmp_path / "out")])
    monkeypatch.setattr("sys.argv", ["measure", str(tmp_path)])
    with pytest.raises(SystemExit):
        measure.main()
    assert f"{tmp_path} is there already" in capsys.readouterr().err
