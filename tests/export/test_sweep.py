"""Parameter studies: one table, read by an external library, of cases that are each measured once."""

import sys

import numpy as np
import pandas
import pyarrow
import pytest

from ocean.cli.options import read_cases
from ocean.export import sweep as module
from ocean.export.plan import ExportError
from ocean.export.run import INTERRUPTED, SUMS
from ocean.export.sweep import TABLE, SweepCase, alike, sweep
from ocean.sea.host import HostSea
from ocean.validation.gauge import APART
from ocean.validation.survey import survey_of
from tests.messages import naming, unnamed

SMALL = ["fft.size=64", "cascades.count=2", "foam.resolution=64", "capture.frames=6", "capture.warmup=1"]


def cases(*axes, device="cpu"):
    found = read_cases([], SMALL, list(axes), [], {}).values()
    return [SweepCase(index, choice, settings, device) for index, (choice, settings) in enumerate(found)]


def table(folder):
    return pandas.read_parquet(folder / TABLE)


def test_a_row_agrees_with_the_fields_and_the_spectrum(tmp_path):
    wanted = cases("config=calm,gale", "sea.seed=3,4")
    assert sweep(wanted, tmp_path) == 0
    rows = table(tmp_path)
    assert list(rows.config) == ["calm", "calm", "gale", "gale"]
    assert list(rows["sea.seed"]) == [3, 4, 3, 4]
    assert (rows.frames == 6).all()
    assert ((rows.frame_ms_min <= rows.frame_ms) & (rows.frame_ms <= rows.frame_ms_p95)).all()
    assert rows.obstacle.isna().all()
    for case, (_, row) in zip(wanted, rows.iterrows(), strict=True):
        sea, promised = HostSea(case.settings), survey_of(case.settings).quantities
        sea.update(7 / 60 + APART)
        fields = sea.fields()
        height = 4 * np.sqrt(np.square(fields["height"], dtype="f8").mean((1, 2)).sum())
        slopes = sum(np.square(fields[name], dtype="f8").mean((1, 2)).sum() for name in ("slope_x", "slope_z"))
        assert row.significant_wave_height_m == pytest.approx(height, rel=1e-6)
        assert row.slope_variance_along_wind + row.slope_variance_across_wind == pytest.approx(slopes, rel=1e-6)
        assert row.peak_period_s_expected == next(q.expected for q in promised if q.name == "peak period")
        assert abs(row.mean_direction_deg - row.mean_direction_deg_expected) < 4 * row.mean_direction_deg_deviation
        assert row.foam_coverage_integral == next(q.integral for q in promised if q.name == "foam coverage")


def test_a_resumed_sweep_measures_no_case_twice(tmp_path, monkeypatch, capsys):
    wanted = cases("sea.wind.speed=0,5,9,12")
    make_row, made = module.make_row, []

    def stop_at_the_third(case, ran):
        made.append(case.index)
        if len(made) == 3:
            raise KeyboardInterrupt
        return make_row(case, ran)

    monkeypatch.setattr(module, "make_row", stop_at_the_third)
    assert sweep(wanted, tmp_path) == INTERRUPTED
    assert unnamed(capsys.readouterr().err, "2 of 4 cases --resume") == []
    assert not (tmp_path / TABLE).exists()
    with pytest.raises(ExportError, match=naming("cases.case.000001.json.sea.wind.speed 5.0 6.0")):
        sweep(cases("sea.wind.speed=0,6,9,12"), tmp_path, resume=True)
    assert sweep(wanted, tmp_path, resume=True) == 0
    assert made == [0, 1, 2, 2, 3]
    assert unnamed(capsys.readouterr().out, "checking 2 of 2") == []
    assert list(table(tmp_path)["sea.wind.speed"]) == [0, 5, 9, 12]
    assert table(tmp_path).significant_wave_height_m[0] == 0
    assert len((tmp_path / SUMS).read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (["auto", 4, None], ["auto", "4", None]),
        ([True, "auto", 0.5], ["true", "auto", "0.5"]),
        ([1, 2.5, None], [1, 2.5, None]),
        ([True, False], [True, False]),
        ([True, 2], ["true", "2"]),
        (["a", None], ["a", None]),
        ([None, None], [None, None]),
    ],
)
def test_values_of_several_types_make_a_column(given, written):
    assert pyarrow.array(alike(given)).to_pylist() == written


def test_an_option_that_is_a_word_or_a_number_has_a_column_of_words(tmp_path):
    options = [*SMALL, "fft.backend=stockham-registers"]
    wanted = read_cases([], options, ["fft.options.radix=auto,4"], [], {}).values()
    assert sweep([SweepCase(index, *case, "cpu") for index, case in enumerate(wanted)], tmp_path) == 0
    assert list(table(tmp_path)["fft.options.radix"]) == ["auto", "4"]


def test_a_sweep_runs_from_the_command_line_on_the_gpu(ocean_here, tmp_path):
    """No GPU can run one of the cases. Passes are timed by the clock that suits this device."""
    settings = [option for value in SMALL for option in ("--set", value)]
    axes = ("--matrix", "fft.backend=dft,stockham-radix2", "fft.size=32,24")
    result = ocean_here("sweep", *axes, *settings[2:], "--out", str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")
    rows = table(tmp_path)
    assert list(rows["fft.size"]) == [32, 24, 32, 24]
    assert list(rows.obstacle.isna()) == [True, True, True, False]
    assert "power of two" in rows.obstacle[3]
    ran = rows[rows.obstacle.isna()]
    assert ran.clock.isin(["wall", "gpu"]).all()
    passes = ran.filter(regex=r"^pass_.*_ms$")
    assert passes.shape[1] >= 4
    assert (passes.sum(axis=1) > 0).all()
    assert (passes.sum(axis=1) < 1.5 * ran.frame_ms).all()
    assert ran.significant_wave_height_m[0] == pytest.approx(ran.significant_wave_height_m[2], rel=1e-5)


def test_a_missing_package_is_reported_before_anything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ExportError, match=naming("pyarrow pip install")):
        sweep(cases("sea.seed=1"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
