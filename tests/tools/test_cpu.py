"""The CPU's transforms against numpy in double precision, and the rows of the workload `cpu`."""

import os
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocean.bench.contest import Request
from ocean.bench.rows import BenchError
from ocean.common import facts
from ocean.gpu import timing
from tests.messages import naming, unnamed
from tools.cpu import host_timer, precision
from tools.cpu import workload as cpu
from tools.cpu.transforms import IN_C, OWN, FourStep, NoCompilerError, in_c, library

from ..fft.samples import relative_error

REQUEST = Request(("cpu",), rounds=3)


@pytest.fixture(autouse=True)
def short_samples(monkeypatch):
    """Take short samples, on any processor, with threads that do not spin where others may have it."""
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")  # read when the library is loaded
    monkeypatch.setattr(cpu, "LONG_MS", 1.0)
    monkeypatch.setattr(host_timer, "rate_here", lambda: 1.0)
    monkeypatch.setattr(timing, "SECONDS", 0.02)  # a processor's best rate is known sooner than a GPU's


def line(size, seed, dtype):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(size) + 1j * rng.standard_normal(size)).astype(dtype)


@pytest.mark.parametrize("name", OWN)
@settings(max_examples=25)
@given(log2_size=st.integers(0, 8), seed=st.integers(0, 2**32), inverse=st.booleans())
def test_each_transform_agrees_with_its_defining_sum(name, log2_size, seed, inverse):
    x = line(1 << log2_size, seed, "c16")
    before = x.copy()
    found = OWN[name](x, inverse)
    assert found.dtype == x.dtype
    assert relative_error(found, np.fft.ifft(x, norm="forward") if inverse else np.fft.fft(x)) < 1e-14 * (log2_size + 1)
    assert (x == before).all()


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", IN_C)
@settings(max_examples=25)
@given(log2_size=st.integers(0, 8), seed=st.integers(0, 2**32), inverse=st.booleans())
def test_each_transform_in_c_agrees_with_its_defining_sum(name, dtype, log2_size, seed, inverse):
    x = line(1 << log2_size, seed, dtype)
    found, exact = in_c(library(), name.replace("-", "_"), x, inverse), x.astype("c16")
    assert found.dtype == x.dtype
    limit = 1e-14 * (log2_size + 1) if dtype == "c16" else 1e-6
    assert relative_error(found, np.fft.ifft(exact, norm="forward") if inverse else np.fft.fft(exact)) < limit


@pytest.mark.parametrize("threads", [1, 3, 8])
@settings(max_examples=25)
@given(log2_size=st.integers(0, 12), seed=st.integers(0, 2**32), inverse=st.booleans())
def test_threads_share_a_line(threads, log2_size, seed, inverse):
    x = line(1 << log2_size, seed, "c8")
    transform = FourStep(threads)
    found = transform(x, inverse)
    transform.release()
    exact = x.astype("c16")
    assert found.dtype == x.dtype
    assert relative_error(found, np.fft.ifft(exact, norm="forward") if inverse else np.fft.fft(exact)) < 1e-6


def test_one_slow_run_does_not_count_as_long_work(monkeypatch):
    """A run takes 0.1 ms, but the machine is busy during the second timed run."""
    now, runs = 0.0, 0
    warm = round(host_timer.WARM_SECONDS / 1e-4)

    def run():
        nonlocal now, runs
        runs += 1
        now += 0.05 if runs == warm + 2 else 1e-4

    monkeypatch.setattr(host_timer.time, "perf_counter", lambda: now)
    assert cpu.HostTimer().enough(run) == 16


def test_short_runs_are_batched_to_measurable_samples(monkeypatch):
    """A run takes a microsecond."""
    now = 0.0

    def run():
        nonlocal now
        now += 1e-6

    monkeypatch.setattr(host_timer.time, "perf_counter", lambda: now)
    timer = cpu.HostTimer()
    repeats = timer.enough(run)
    assert repeats * timer.time(run, repeats)[0] > host_timer.LEAST_MS / 2


def test_a_sample_is_its_fastest_batch(monkeypatch):
    """The scheduler runs other work on the processor during every second batch."""
    now, runs = 0.0, 0

    def run():
        nonlocal now, runs
        runs += 1
        now += 1e-4 if (runs - 1) // 10 % 2 else 5e-4

    monkeypatch.setattr(host_timer.time, "perf_counter", lambda: now)
    monkeypatch.setattr(host_timer, "warm", lambda run: None)
    assert cpu.HostTimer(25.0).time(run, 10) == (pytest.approx(0.1), 0.0)
    assert 0.02 < now < 0.06


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system binds no thread to a processor")
def test_samples_are_taken_on_processors_at_full_speed(monkeypatch):
    """A group of one thread avoids processors that share their core; threads of other groups may move."""
    before = os.sched_getaffinity(0)
    slow = min(before) if len(before) > 1 else None
    monkeypatch.setattr(host_timer, "rate_here", lambda: 1.0 if os.sched_getaffinity(0) == {slow} else 2.0)
    each_look = SimpleNamespace(perf_counter=partial(next, count(0.0, 1e-3)))  # 1 ms, also on a busy machine
    monkeypatch.setattr(timing, "time", each_look)
    places = []

    def place(x, inverse):
        places.append(os.sched_getaffinity(0))
        return OWN["iterative-dit"](x, inverse)

    monkeypatch.setitem(OWN, "iterative-dif", place)
    cpu.measure_group(REQUEST, lambda: cpu.written("single", 16))
    assert os.sched_getaffinity(0) == before
    del places[:2]  # the result is checked before anything is timed
    assert {slow} not in places
    assert all(len(one) == 1 for one in places)
    group = cpu.Group("lines", 16)
    group.add("iterative-dif", lambda x: place(x[0], False)[None], workers=2)
    places.clear()
    cpu.measure_group(REQUEST, lambda: group)
    assert all(one == before for one in places)


@pytest.mark.skipif(not host_timer.TASKS.is_dir(), reason="asks Linux what threads do")
def test_timing_waits_for_threads_that_still_work(monkeypatch):
    """OpenMP's threads spin after a transform. The code has run once before it is timed."""
    monkeypatch.setattr(host_timer, "MOST_RESTS", 1 << 20)  # other programs may have the processor meanwhile
    ended, said = [], []

    def spin():
        while time.perf_counter() < end:
            np.sort(numbers)  # lets other threads run
        ended.append(True)

    numbers = np.random.default_rng(1).standard_normal(1 << 18)
    end = time.perf_counter() + 0.1
    thread = threading.Thread(target=spin)
    thread.start()
    cpu.HostTimer().time(lambda: said.append(bool(ended)))
    thread.join()
    assert len(said) > 1
    assert all(said)
    assert not host_timer.others_work()


def test_only_allowed_processors_count(monkeypatch, tmp_path):
    """A container has a fraction of the machine's time, and the container around it may have a smaller fraction."""
    inner = tmp_path / "pod" / "box"
    inner.mkdir(parents=True)
    (tmp_path / "own").write_text("1:name=systemd:/elsewhere\n0::/pod/box\n")
    monkeypatch.setattr(facts, "GROUPS", tmp_path)
    monkeypatch.setattr(facts, "OWN", tmp_path / "own")
    monkeypatch.setattr(facts.os, "sched_getaffinity", lambda _: range(16), raising=False)
    assert cpu.threads() == [1, 2, 4, 8, 16]
    (inner / "cpu.max").write_text("max 100000\n")
    assert facts.usable() == 16
    (tmp_path / "pod" / "cpu.max").write_text("650000 100000\n")
    assert cpu.threads() == [1, 2, 4, 6]
    (inner / "cpu.max").write_text("50000 100000\n")
    assert facts.usable() == 1
    (tmp_path / "own").unlink()
    assert facts.usable() == 16


def test_rows_name_transform_and_threads():
    found = cpu.measure_group(REQUEST, lambda: cpu.written("there-and-back", 64, round_trip=True))
    assert [row.name for row in found.rows] == [*OWN, *(f"{name}-c" for name in IN_C), "numpy", "scipy", "pyfftw"]
    assert [row.plan for row in found.rows][-2:] == ["", "FFTW_ESTIMATE"]
    for row in found.rows:
        assert (row.workload, row.kind, row.direction, row.clock) == ("cpu", "cpu", "both", "wall")
        assert row.is_right
        assert row.submit_us is None
        assert len(row.samples_ms) == row.samples == 3
        assert row.gflops == pytest.approx(2 * 5 * 64 * 6 / (row.median_ms * 1e6))
    assert [noise.name for noise in found.noise] == ["scipy"]


def test_a_part_runs_alone(monkeypatch):
    monkeypatch.setattr(cpu, "measure_group", lambda _, make: make().part)
    for part in cpu.PARTS[:-1]:  # the last one has sizes of its own
        found = {step() for step in cpu.steps(replace(REQUEST, sizes=(64, 61, 30)), (part,))}
        assert found == {part}


def test_each_number_of_threads_has_rows():
    found = cpu.measure_group(REQUEST, lambda: cpu.batches("mixed", 30, 8, [1, 2]))
    named = [(row.name, row.workers, row.options) for row in found.rows]
    assert named[:3] == [("numpy", 1, ""), ("scipy", 1, ""), ("scipy", 2, "2 threads")]
    assert all(row.is_right for row in found.rows)
    shared = cpu.measure_group(REQUEST, lambda: cpu.shared("strong", 1024, [1, 2]))
    assert [(row.name, row.workers, row.is_right) for row in shared.rows] == [
        (name, workers, True) for workers in (1, 2) for name in ("four-step", "group-loops", "all-loops")
    ]


def test_loops_without_a_compiler_report_it(monkeypatch):
    def missing(*_):
        raise NoCompilerError("gcc")

    monkeypatch.setattr(cpu, "GroupLoops", missing)
    found = cpu.measure_group(REQUEST, lambda: cpu.shared("strong", 256, [1]))
    assert [row.obstacle for row in found.rows[1:]] == ["gcc", "gcc"]


def test_double_precision_is_compared_with_more_digits():
    (step,) = precision.steps(replace(REQUEST, sizes=(1 << 12,)))
    numpy, exact, *listed = rows = step().rows
    assert {row.storage for row in rows} == {"complex128"}
    assert all(0 < row.relative_l2 < 1e-14 and row.largest_error < 1e-13 for row in (numpy, exact))
    assert all(10 * exact.relative_l2 < row.relative_l2 < 1e-11 for row in listed)  # products of roots lose digits
    assert all(row.is_right and row.median_ms is None for row in rows)


def test_precision_takes_powers_of_two():
    with pytest.raises(BenchError, match=naming("precision 12")):
        precision.steps(replace(REQUEST, sizes=(16, 12)))


def test_a_wrong_transform_is_reported(monkeypatch):
    monkeypatch.setitem(OWN, "iterative-dif", lambda x, inverse: x)
    found = cpu.measure_group(REQUEST, lambda: cpu.written("single", 16))
    assert {row.name for row in found.rows if row.is_right is False} == {"iterative-dif"}


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyfftw", None)
    found = cpu.measure_group(REQUEST, lambda: cpu.batches("lines", 16, 4, [1]))
    assert unnamed(found.rows[-1].obstacle, "pyfftw pip install") == []


def test_each_workload_gets_its_sizes():
    assert [cpu.kind_of(size) for size in (2, 3, 6, 1021, 1024, 1080)] == [
        "lines", "primes", "mixed", "primes", "lines", "mixed",
    ]  # fmt: skip
    parts = [make().part for make in cpu.groups((4, 9))]
    weak = ["weak"] * sum(count & (count - 1) == 0 for count in cpu.threads())
    shared = ["four-step", "strong", *weak]
    squares = ["there-and-back", "single", *shared, *2 * ["images"]]
    threads = 2 * len(cpu.threads()) * ["line-a-thread"]
    assert parts == [*squares, *2 * ["rectangles"], "lines", "mixed", *threads]
    assert "images" not in [make.args[0] for make in cpu.groups((3_000_000,))]
