"""Exports of nonlinear waves that are killed: they resume from a checkpoint, with the files of an uninterrupted
export."""

import multiprocessing
import os
import signal

import pytest

from ocean.export.run import export
from ocean.export.sources import MapSource, WaveSource
from ocean.waves.nonlinear import CHECKPOINT_STEPS, HIDDEN, Checkpoints, Solver

from ..marks import slow
from .exports import contents
from .plans import plan

NONLINEAR = "sea.dynamics=nonlinear", "sea.order=2", "cascades.count=1"
KILLED_AT, FRAMES = 24, 28


def nonlinear(form):
    maps = {"npz": ("displacement",), "swd": ()}[form]
    return plan(*NONLINEAR, format=form, maps=maps, frames=FRAMES, fps=0.5)


def export_and_die(form, out):
    """Export until the process is killed at one of the last frames."""
    source = {"npz": MapSource, "swd": WaveSource}[form]
    frame = source.frame

    def killed(self, index):
        if index == KILLED_AT:
            os.kill(os.getpid(), signal.SIGKILL)
        return frame(self, index)

    source.frame = killed
    export(nonlinear(form), out)


@pytest.fixture
def steps(monkeypatch):
    """Return a list that grows with each step of the solver."""
    step, made = Solver.step, []
    monkeypatch.setattr(Solver, "step", lambda *of: made.append(of[1].time) or step(*of))
    return made


@pytest.mark.parametrize("form", ["npz", slow("swd")])
def test_a_killed_export_goes_on_from_a_checkpoint(tmp_path, capsys, steps, form):
    alone, out = tmp_path / "alone", tmp_path / "out"
    assert export(nonlinear(form), alone) == 0
    assert "nonlinear waves, percent 100 of 100" in capsys.readouterr().out
    assert not (alone / HIDDEN).exists()
    whole = len(steps)
    assert whole > 2 * CHECKPOINT_STEPS + 24
    steps.clear()
    process = multiprocessing.get_context("spawn").Process(target=export_and_die, args=(form, out))
    process.start()
    process.join(300)
    assert process.exitcode == -signal.SIGKILL
    assert len(list((out / HIDDEN).iterdir())) == 2
    assert export(nonlinear(form), out, resume=True) == 0
    assert len(steps) == whole - 2 * CHECKPOINT_STEPS
    assert contents(out) == contents(alone)


def test_damaged_checkpoints_and_those_of_other_waves_are_left_out(tmp_path, rng):
    checkpoints, state = Checkpoints(tmp_path), {"spectra": rng.normal(size=(4, 8))}
    for run, step in (("a", 96), ("a", 192), ("a", 288), ("b", 192)):
        checkpoints.keep(run, step, state)
    newest = tmp_path / HIDDEN / "a-00000192.waves"
    assert checkpoints.last("a", 250)[0] == 192
    whole = newest.read_bytes()
    flipped = (whole[:i] + bytes([byte ^ 1 << i % 8]) + whole[i + 1 :] for i, byte in enumerate(whole))
    for data in (whole[:-100], b"", *flipped):
        newest.write_bytes(data)
        step, found = checkpoints.last("a", 250)
        assert step == 96
        assert (found["spectra"] == state["spectra"]).all()
    assert checkpoints.last("b", 191) is None
