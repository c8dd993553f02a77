"""Reports held against a baseline of the same or another machine, without a GPU."""

from pathlib import Path
from typing import Any

import pytest

from ocean.capture.compare import LEAST_SAMPLES, Changes, case_obstacle, device_obstacle
from ocean.capture.compare import compare as compare_groups
from ocean.capture.report import Report
from ocean.capture.run import capture
from ocean.common.errors import InputError
from ocean.settings import Settings, to_tree, with_values
from tests.messages import naming, unnamed
from tests.reports import COMPARED, GL, make_case, make_report, timed


def compare(before: Report, now: Report, tolerance: float) -> dict[str, Changes]:
    return compare_groups(before.groups(), now.groups(), tolerance)


def refusal(settings: Settings, baseline: Any) -> str | None:
    return case_obstacle("", settings, make_report(("", baseline)))


def moves(now: Report, before: Report, tolerance: float) -> dict[str, Any]:
    """Return the values of the only case that changed, by name."""
    changes = compare(before, now, tolerance)[""].changes
    return {change.name: change for change in changes if change.verdict != "unchanged"}


@pytest.mark.parametrize("clock", ["gpu", "wall"])
@pytest.mark.parametrize("machine", [0.2, 1.0, 1.7, 30.0])
def test_a_slower_machine_does_not_count_as_a_regression(machine: float, clock: str) -> None:
    now, before = make_report(machine=machine, clock=clock), make_report(clock=clock)
    assert compare(before, now, 0.05)[""].machine == pytest.approx(machine)
    assert moves(now, before, 0.05) == {}


@pytest.mark.parametrize("machine", [0.5, 1.0, 3.0])
def test_a_program_that_is_slower_everywhere_is_a_regression(machine: float) -> None:
    moved = moves(make_report(program=1.5, machine=machine), make_report(), 0.25)
    assert set(moved) == COMPARED - {"tone mapping"}  # that one moved by 0.2 % of a frame
    assert all(move.verdict == "slower" and move.ratio == pytest.approx(1.5) for move in moved.values())
    assert moves(make_report(program=1.2, machine=machine), make_report(), 0.25) == {}


def test_a_slower_host_shows_by_the_wall_clock_only() -> None:
    slow, fast = make_report(clock="wall", host=9.0), make_report(clock="wall", host=1.0)
    assert list(moves(slow, fast, 0.25)) == ["frame with host"]
    assert moves(make_report(host=9.0), make_report(host=1.0), 0.25) == {}


def test_a_reference_workload_that_takes_no_time_is_refused() -> None:
    before = make_report()
    case = make_case()
    rows = (*(row for row in case.rows if row.kind != "reference"), timed("reference memory", 0.0, "reference"))
    empty = make_report(("", case.model_copy(update={"rows": rows})))
    with pytest.raises(InputError, match="reference"):
        compare(before, empty, 0.25)


def test_cases_are_compared_by_name() -> None:
    before = make_report(("a", make_case()), ("b", make_case()), ("c", make_case()))
    now = make_report(("b", make_case(program=2.0)), ("a", make_case()))
    found = compare(before, now, 0.25)
    assert {name: bool(changes.of("slower")) for name, changes in found.items()} == {"a": False, "b": True}
    assert unnamed(case_obstacle("d", Settings(), before) or "", "d a b c") == []
    assert unnamed(case_obstacle("", Settings(), before) or "", "several a b c") == []
    assert case_obstacle("a", Settings(), before) is None
    skipped = before.model_copy(update={"obstacles": {"d": "too large"}})
    assert case_obstacle("d", Settings(), skipped) is None


def test_other_settings_are_named() -> None:
    baseline = make_case()
    settings = with_values(Settings(), {"sea.seed": 9})
    assert refusal(Settings(), baseline) is None
    assert unnamed(refusal(settings, baseline) or "", "sea.seed 1 9") == []
    many = with_values(settings, {"sea.depth": 9.0, "fft.size": 64, "view.x": 1.0, "view.z": 1.0})
    assert unnamed(refusal(many, baseline) or "", "2 more --baseline") == []


def test_too_few_frames_are_refused_before_the_first(tmp_path: Path) -> None:
    """The capture refuses them before it makes a context."""
    for frames, refused in ((LEAST_SAMPLES - 1, True), (LEAST_SAMPLES, False)):
        settings = with_values(Settings(), {"capture.frames": frames})
        before = make_report(("", make_case().model_copy(update={"settings": to_tree(settings)})))
        assert (case_obstacle("", settings, before) is not None) == refused
        if refused:
            before.write(tmp_path / "before.json")
            with pytest.raises(InputError, match=naming("capture.frames 5 --frames 6")):
                capture({"": settings}, tmp_path / "out", baselines=[tmp_path / "before.json"])
    assert not (tmp_path / "out").exists()


def test_settings_of_the_window_do_not_count() -> None:
    assert refusal(with_values(Settings(), {"window.width": 800}), make_case()) is None


def test_baselines_from_before_a_setting_have_its_default() -> None:
    tree = to_tree(Settings())
    del tree["buoy"]["show"]
    baseline = make_case().model_copy(update={"settings": tree})
    assert refusal(Settings(), baseline) is None
    assert "buoy.show" in (refusal(with_values(Settings(), {"buoy.show": True}), baseline) or "")
    gone = baseline.model_copy(update={"settings": tree | {"gravity": 9.81}})
    assert "gravity" in (refusal(Settings(), gone) or "")


def test_other_devices_are_named() -> None:
    assert device_obstacle(GL.model_copy(update={"version": "4.7"}), "gpu", GL, "gpu") is None  # a driver is a change
    assert "Card (Maker)" in (device_obstacle(GL.model_copy(update={"renderer": "Other"}), "gpu", GL, "gpu") or "")
    assert unnamed(device_obstacle(GL, "wall", GL, "gpu") or "", "gpu wall clock") == []
    assert "none" in (device_obstacle(GL, "gpu", None, None) or "")
