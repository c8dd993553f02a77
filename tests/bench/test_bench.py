"""The bench: its rows against independent counts, its files against each other, and the command."""

import csv
import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ocean.bench import command
from ocean.bench.cases import SEVERAL, Case
from ocean.bench.command import bench
from ocean.bench.contest import SEEDS, Found, MadeSea, Request, SeaRows
from ocean.bench.rows import Bench, Noise, Row, group_of
from ocean.bench.tables import markdown, table
from ocean.capture.compare import DONE, INCONCLUSIVE, diff
from ocean.cli.file_commands import read_run
from ocean.fft.measure import LEAST_SAMPLES
from ocean.gpu.context import is_software_renderer
from ocean.gpu.timing import Stopwatch
from ocean.sea.sea import Sea
from tests.messages import unnamed

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(ocean_here, tmp_path_factory):
    out = tmp_path_factory.mktemp("bench") / "out"
    few = ("--backends", "stockham-radix2,four-step,auto", "--rounds", LEAST_SAMPLES, "--no-cache")
    twice = ("-w", "ocean,image,line,image", "--sizes", "32,32")
    done = ocean_here("bench", *twice, *few, "--out", out)
    assert done.returncode == 0, done.stderr
    return done, Bench.read(out / "bench.json"), out


def rows_of(bench, workload, name):
    return [row for row in bench.rows if (row.workload, row.name) == (workload, name)]


def test_rows_agree_with_an_independent_count(run):
    _, bench, _ = run
    (radix2,) = rows_of(bench, "ocean", "stockham-radix2")
    elements = 4 * 32 * 32
    assert radix2.bytes == 2 * 5 * 2 * elements * 8  # axes, stages, in and out, bytes of a complex number
    assert radix2.dispatches == 2
    assert radix2.barriers == 2 * 4
    assert radix2.real_flops == 5 * elements * 10  # the convention counts radix 2
    assert radix2.gflops == pytest.approx(radix2.real_flops / radix2.median_ms / 1e6)
    assert radix2.gb_per_s == pytest.approx(radix2.bytes / radix2.median_ms / 1e6)
    assert radix2.storage_mib >= 2 * elements * 8 / 2**20
    (copy,) = rows_of(bench, "ocean", "copy")
    assert (copy.bytes, copy.kind, copy.relative_l2) == (2 * elements * 8, "copy", 0.0)
    for row in (radix2, copy):
        assert row.copy_share == pytest.approx(row.gb_per_s / bench.copy_gb_per_s)
    assert [row.batch for row in rows_of(bench, "image", "four-step")] == [1, 1, 2, 2]
    assert [row.direction for row in rows_of(bench, "image", "four-step")] == ["forward", "inverse"] * 2
    (line,) = rows_of(bench, "line", "auto")
    assert line.dimensions == 1
    assert line.batch * line.size == (1 << 17 if is_software_renderer(bench.gl.renderer) else 1 << 23)
    assert (line.options, line.plan) == ("", "stockham-registers 8×4 lines=8 parts=1")
    assert unnamed(run[0].stdout, "auto", line.plan) == []
    variants = [row.options for row in rows_of(bench, "image", "stockham-radix2")]
    assert variants == ["", "butterflies=2", "butterflies=4", "butterflies=8", "", "", ""]


def test_the_sea_is_measured_beside_the_transforms(run):
    rows = [row for row in run[1].rows if row.part in ("maps", "sea")]
    separate, halves, fused, sea, with_halves = rows
    (submit,) = [row for row in run[1].rows if row.part == "submit"]
    assert (submit.name, submit.dispatches, submit.clock, submit.is_right) == ("sea", sea.dispatches, "thread", True)
    assert submit.median_ms * 1e3 == submit.submit_us
    assert (submit.gflops, submit.gb_per_s, submit.real_flops) == (None, None, None)  # only rows of GPU times have them
    dispatches = [(row.part, row.name, row.dispatches) for row in (separate, halves, fused)]
    assert dispatches == [("maps", "separate", 3), ("maps", "half-derivatives", 2), ("maps", "fused", 2)]
    assert [(row.part, row.name) for row in (sea, with_halves)] == [("sea", "sea"), ("sea", "half-derivatives")]
    assert with_halves.dispatches > sea.dispatches > 3  # with foam and the mip levels of one or two arrays
    assert (separate.speedup, sea.speedup) == (1.0, 1.0)  # each is the first row of its part
    assert fused.speedup == pytest.approx(separate.median_ms / fused.median_ms)
    (transform,) = [row for row in rows_of(run[1], "ocean", "auto") if row.part == "transform"]
    assert separate.real_flops == fused.real_flops == sea.real_flops == transform.real_flops
    assert all(row.barriers and row.storage_mib for row in rows)
    assert fused.bytes < halves.bytes < separate.bytes < sea.bytes < with_halves.bytes
    assert all(row.submit_us > 0 and row.options == "cascades=1" for row in rows)


def test_the_sea_of_several_cascades_is_measured_twice(ctx, releasing):
    """The reference measures the size of the sea and has memory of its own."""
    stopwatch = releasing(Stopwatch(ctx, "wall"))
    contestants = releasing(
        SeaRows(ctx, Case("ocean", 32, 2, 4, "RGBA32F", inverse=True, seas=(1, SEVERAL)), stopwatch)
    )
    assert [(first.name, again.name) for first, again in contestants.twins] == [("fused", "fused"), ("sea", "sea")]
    twins = contestants.candidates[-2:]
    assert [one.result for one in twins] == [again for _, again in contestants.twins]
    rows = contestants.rows("wall", lambda case, clock, result, **values: values)
    assert len(rows) == len(contestants.candidates) - 2
    for twin in twins:
        twin.check()
        assert twin.result.is_right


def test_each_submitted_frame_has_its_own_time(ctx, releasing, monkeypatch):
    """Each frame begins at a new time and its maps are right, as in the program. The queue is empty before each
    batch."""
    stopwatch, begun, waits = Stopwatch(ctx, "wall"), [], []
    contestants = releasing(SeaRows(ctx, Case("ocean", 16, 2, 4, "RGBA32F", inverse=True, seas=(1,)), stopwatch))
    begin = Sea.begin
    monkeypatch.setattr(Sea, "begin", lambda sea, *given: begun.append(given) or begin(sea, *given))
    frames = contestants.candidates[-1]
    frames.drain = lambda: waits.append(len(begun))
    frames.check()
    assert frames.result.is_right
    frames.sample()
    frames.sample()
    times, places = zip(*begun, strict=True)
    assert len(set(times)) == len(set(places)) == len(begun)
    assert len(waits) == 2
    assert len(frames.result.submit_samples_ms) == len(begun) - 1 - len(waits)  # without the check and first frames
    first = contestants.candidates[0]
    first.check()  # sets its sea to its own time again
    assert first.result.is_right
    stopwatch.release()


SAMPLES = {"samples_ms", "transfer_samples_ms"}  # in the JSON alone


def test_times_are_in_order(run):
    for row in run[1].rows:
        assert row.min_ms <= row.p5_ms <= row.median_ms <= row.p95_ms
        assert row.samples == LEAST_SAMPLES or (row.part == "submit" and row.samples >= LEAST_SAMPLES)
        assert row.outliers <= row.samples == len(row.samples_ms)
        assert row.is_right
        assert row.part != "transform" or row.transfers_ms == np.median(row.transfer_samples_ms) > 0
        assert row.relative_l2 < 1e-6
        assert row.relative_l2 <= row.largest_error < 1e-5 or row.kind == "copy"
    for group in {group_of(row) for row in run[1].rows}:
        competing = [row for row in run[1].rows if group_of(row) == group and row.kind != "copy"]
        (winner,) = [row for row in competing if row.winner]
        assert winner.median_ms == min(row.median_ms for row in competing)


def test_csv_json_and_tables_hold_the_same(run):
    done, bench, folder = run
    with (folder / "bench.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(bench.rows)
    for line, row in zip(lines, bench.rows, strict=True):
        assert line == {
            key: "" if value is None else str(value) for key, value in row.model_dump(exclude=SAMPLES).items()
        }
    text = (folder / "bench.md").read_text()
    assert text == markdown(bench)
    for row in bench.rows:
        for cell in table([row])[1][0][1]:
            assert cell in text
            assert cell in done.stdout
    assert json.loads((folder / "bench.json").read_text())["schema_version"] == 1


def test_the_report_says_how_to_repeat_it(run):
    done, bench, _ = run
    assert unnamed(bench.command, "bench -w ocean,image,line,image --sizes 32,32") == []
    assert bench.clock in ("gpu", "wall")
    assert 0 <= bench.seed < SEEDS
    assert bench.gl.renderer
    assert [peer.name for peer in bench.peers] == ["cufft", "vkfft"]
    assert len(bench.noise) == 6
    assert bench.noise_statement in " ".join(done.stdout.split("\n"))


def test_the_report_tells_a_quiet_machine_from_a_noisy_one(run):
    def said(*differences):
        same = {"workload": "ocean", "size": 64, "name": "auto", "first_ms": 1, "second_ms": 1}
        noise = tuple(Noise(**same, difference=one) for one in differences)
        return run[1].model_copy(update={"noise": noise}).noise_statement

    quiet, noisy = said(0.001, 0.012), said(0.001, 0.05)
    assert unnamed(quiet, "1.2% auto ocean 64") == []
    assert unnamed(noisy, "too noisy 2% 1 of 2 5.0% auto ocean 64") == []
    assert "noisy" not in quiet
    assert "not measured" in said()


def test_reports_with_the_fewest_rounds_can_be_compared(run, capsys):
    path = run[2] / "bench.json"
    assert diff(read_run(path), read_run(path), 0.25) in (DONE, INCONCLUSIVE)  # a run against itself, with its noise
    said = capsys.readouterr().out
    assert "Slower" not in said
    assert "too few" not in said


def test_a_seed_repeats_a_run_and_each_run_has_its_own(ctx):
    case = Case("ocean", 16, 2, 4, "RGBA32F", inverse=True)

    def made(seed):
        there = replace(case, seed=seed)
        sea = MadeSea(ctx, 16, 1, seed)
        maps, time = sea.expected, sea.time
        sea.release()
        return there.input(), maps, time

    first, again, other = made(5), made(5), made(6)
    for one, same, another in zip(first, again, other, strict=True):
        assert np.array_equal(one, same)
        assert not np.array_equal(one, another)
    seeds = {Request(("ocean",)).seed for _ in range(4)}
    assert len(seeds) > 1  # all are equal once in 2^93 runs


def works(size=8):
    return lambda: Found([Row(workload="line", name="auto", size=size, batch=1, median_ms=1.0)])


def test_a_failing_case_leaves_the_others(monkeypatch, tmp_path, capsys):
    def fail():
        raise RuntimeError("out of memory\nsomewhere")

    monkeypatch.setitem(command.WORKLOADS, "line", lambda request: [works(2), fail, works(8)])
    request = Request(("line",))
    with pytest.raises(RuntimeError, match="out of memory"):
        bench(request, tmp_path / "out")
    found = Bench.read(tmp_path / "out/bench.json")
    assert [row.size for row in found.rows] == [2, 8]
    (note,) = found.notes
    assert unnamed(note, "2 of 3 line RuntimeError out of memory") == []
    assert note in capsys.readouterr().out
    monkeypatch.setitem(command.WORKLOADS, "line", lambda request: [fail])
    with pytest.raises(RuntimeError, match="out of memory"):
        bench(request, tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_ctrl_c_keeps_the_measured_cases(monkeypatch, tmp_path):
    def stop():
        raise KeyboardInterrupt

    monkeypatch.setitem(command.WORKLOADS, "line", lambda request: [works(), stop, works()])
    with pytest.raises(KeyboardInterrupt):
        bench(Request(("line",)), tmp_path)
    found = Bench.read(tmp_path / "bench.json")
    assert len(found.rows) == 1
    (note,) = found.notes
    assert unnamed(note, "Ctrl-C 2 of 3 line") == []

    def stops(rows):
        signal.raise_signal(signal.SIGINT)
        return rows

    monkeypatch.setitem(command.WORKLOADS, "line", lambda request: [works()])
    monkeypatch.setattr(command, "with_winners", stops)
    with pytest.raises(KeyboardInterrupt):
        bench(Request(("line",)), tmp_path / "late")
    assert len(Bench.read(tmp_path / "late/bench.json").rows) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without telling it")
def test_a_terminated_bench_keeps_the_measured_cases(tmp_path):
    words = "--workload line --sizes 8,16,32,64,128,256 --backends stockham-global --rounds 6 --out"
    command = [sys.executable, "app.py", "bench", *words.split(), str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert "case 1 of 6" in process.stdout.readline()
        process.terminate()
        process.communicate(timeout=300)
    assert process.returncode == 130
    assert 0 < len({row.size for row in Bench.read(tmp_path / "bench.json").rows}) < 6
