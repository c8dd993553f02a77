"""The comparison of backends: its errors reveal faults, and its numbers follow from the given data."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocean import fft
from ocean.fft.comparison import Comparison, CopyKernel
from ocean.fft.measure import BREATH, PIECE, Candidate, Measurement, errors, measure
from ocean.fft.stockham import StockhamRadix2
from ocean.fft.storage import FieldBuffers
from ocean.gpu.timing import SECONDS, Pace


@pytest.fixture
def spectrum():
    rng = np.random.default_rng(7)
    return (rng.standard_normal((4, 64, 64)) + 1j * rng.standard_normal((4, 64, 64))).astype("c8")


def compare(ctx, spectrum, **options):
    layers = fft.FieldLayers(ctx, 64, 2)
    comparison = Comparison(layers, lambda: layers.write(spectrum), clock="wall", rounds=3, **options)
    comparison.run()
    comparison.release()
    return {row.name: row for row in comparison.rows}


def test_every_backend_is_right_and_measured(ctx, spectrum):
    rows = compare(ctx, spectrum)
    assert list(rows) == list(fft.BACKENDS)
    for row in rows.values():
        assert row.obstacle is None
        assert row.is_right
        assert 0 < row.relative_l2 < row.error_limit <= 2e-6
        assert row.wrong_values == 0
        assert len(row.samples_ms) == 3
        assert row.median_ms > 0
        assert row.submit_us <= row.median_ms * 1.5e3
        assert row.gb_per_s == pytest.approx(row.bytes / row.median_ms / 1e6)
    first = rows["cooley-tukey-stages"]
    assert first.speedup == 1.0
    assert first.dispatches == 12
    assert rows["stockham-shared"].dispatches == 2
    assert rows["stockham-shared"].bytes == 2 * 2 * 2 * 64 * 64 * 16
    assert rows["stockham-radix4"].bytes * 2 == rows["stockham-radix2"].bytes


def test_a_duplicate_shares_neither_plan_nor_memory(ctx, releasing, spectrum):
    """The result of the duplicate stays right if the first result changes. The duplicate has no row."""
    layers = fft.FieldLayers(ctx, 64, 2)
    comparison = releasing(
        Comparison(layers, lambda: layers.write(spectrum), backends=[("dft", None)], clock="wall", rounds=3)
    )
    (first,) = comparison.candidates
    duplicate = comparison.duplicate_of(first)
    assert comparison.plans[duplicate.result] is not comparison.plans[first.result]
    duplicate.check()
    first.fill()
    assert duplicate.result.is_right
    assert (first.read() == spectrum).all()
    assert not np.allclose(duplicate.read(), spectrum)
    comparison.candidates.append(duplicate)
    (row,) = comparison.run()
    assert len(row.samples_ms) == len(duplicate.result.samples_ms) == 3
    other = replace(first, result=Measurement("a peer"), run=lambda: None)
    assert comparison.duplicate_of(other).run is other.run


def test_a_case_has_a_bound(ctx, spectrum, monkeypatch):
    """Every candidate has a sample, however long it takes."""
    monkeypatch.setattr("ocean.fft.measure.LONGEST", 0.0)
    rows = compare(ctx, spectrum)
    assert {len(row.samples_ms) for row in rows.values()} == {1}


def test_double_precision_is_held_to_its_own_accuracy(ctx):
    buffers = fft.FieldBuffers(ctx, 16, 1, 1, double=True)
    x = np.random.default_rng().standard_normal((1, 16, 16)) + 0j
    choices = [("stockham-global", None), ("bluestein", {"angles": "naive"}), ("dft", None)]
    comparison = Comparison(buffers, lambda: buffers.write(x), backends=choices, clock="wall", rounds=3)
    exact, naive, single = comparison.run()
    comparison.release()
    assert 0 < exact.relative_l2 < exact.error_limit == 1e-13
    assert 1e-13 < naive.relative_l2 < naive.error_limit
    assert "single precision only" in single.obstacle


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (("fftw", None), "no FFT backend 'fftw'"),
        (("dft", {"radix": 4}), "dft: options.radix"),
        (("dft", StockhamRadix2.Options(butterflies=2)), "dft: options.butterflies"),
    ],
)
def test_backends_and_options_that_are_not_there_are_refused(ctx, releasing, choice, message):
    layers = releasing(fft.FieldLayers(ctx, 16, 1))
    with pytest.raises(fft.FFTError, match=message):
        Comparison(layers, lambda: None, backends=[choice], clock="wall")


def test_a_fault_in_one_backend_shows(ctx, spectrum, monkeypatch):
    honest = StockhamRadix2.run

    def forgetful(transform, inverse):
        honest(transform, inverse != (transform.axis == fft.COLUMNS))  # the wrong sign in one axis

    monkeypatch.setattr(StockhamRadix2, "run", forgetful)
    rows = compare(ctx, spectrum)
    assert not rows["stockham-radix2"].is_right
    assert rows["stockham-radix2"].wrong_values > 0.9 * spectrum.size
    assert all(row.is_right for name, row in rows.items() if name not in ("stockham-radix2", "stockham-radix4"))


def test_a_single_wrong_value_is_counted():
    expected = np.ones((4, 8, 8), "c16")
    result = expected.astype("c8")
    result[1, 2, 3] += 1.1e-5
    result[0, 1, 1] += 0.9e-5
    assert errors(result, expected, 1e-6).wrong == 1
    result[0, 0, 0] = np.nan
    assert errors(result, expected, 1e-6).wrong == 2


def test_wrong_values_are_counted_relative_to_their_parts():
    expected = np.full((2, 4), 1e-3 + 1j, "c16")
    result = expected.astype("c8")
    result[0, 0] += 2e-6  # the real part is off by 2e-3 of itself
    result[1, 1] += 2e-4j  # the imaginary part is off by 2e-4 of itself
    assert errors(result, expected, 1e-6).off == 1
    result[1, 1] += 2e-3j
    result[0, 1] = np.nan
    assert errors(result, expected, 1e-6).off == 3


def test_a_backend_that_cannot_run_says_why(ctx, spectrum, monkeypatch):
    monkeypatch.setattr(StockhamRadix2, "obstacle", classmethod(lambda *_: "no room"))
    rows = compare(ctx, spectrum)
    assert rows["stockham-radix2"].obstacle == "no room"
    assert rows["stockham-radix2"].median_ms == 0


def test_rows_have_neither_times_that_were_not_measured_nor_accuracies_that_are_no_numbers():
    absent = Measurement("stockham-shared", obstacle="too little shared memory")
    wrong = Measurement("numpy", relative_l2=float("nan"), wrong_values=7, samples_ms=[1.0], submit_samples_ms=[0.1])
    row, other = (one.backend_row("gpu") for one in (absent, wrong))
    assert (row.obstacle, row.median_ms, row.relative_l2) == ("too little shared memory", None, None)
    assert (other.relative_l2, other.wrong_values) == (None, 7)


class Ticking:
    """GPU with a clock of its own on which each run takes about 10 ms, and no two times are equal. It is slow until it
    has worked for half a second, and again after two idle seconds."""

    clock = "gpu"

    def __init__(self, monkeypatch):
        self.now, self.runs, self.worked, self.slept = 0.0, 0, 0.0, 0
        monkeypatch.setattr("ocean.fft.measure.time.perf_counter", lambda: self.now)

    def work(self):
        self.now += 0.01
        self.worked += 0.01

    def idle(self):
        self.now += 2.0
        self.worked = 0.0

    def rate(self):
        self.work()
        return 1980.0 if self.worked > 0.5 else 345.0

    def time(self, run, repeats=1):
        run()
        self.slept += self.worked <= 0.5
        self.work()
        self.runs += 1
        return 1.0 + self.runs, 0.01

    def enough(self, run):
        return 1


class Elsewhere(Ticking):
    """Backend of the CPU; the GPU idles while it runs."""

    def __init__(self, gpu):
        self.gpu = gpu

    def time(self, run, repeats=1):
        run()
        self.gpu.idle()
        return 1.0, 0.0


def test_the_gpu_is_awake_before_each_timed_step(monkeypatch):
    """After a backend of the CPU, the GPU raises its clock before it is timed. A caller that draws frames between the
    steps waits no longer than the slowest sample."""
    timer, values = Ticking(monkeypatch), np.ones(4, complex)
    candidates = [
        Candidate(
            Measurement(name, error_limit=1.0), Elsewhere(timer) if name == "numpy" else timer, int, lambda: values,
            lambda: values, lambda: values, idles=name == "numpy",
        )
        for name in ("a", "numpy", "b", "numpy", "numpy")
    ]  # fmt: skip
    took, before, progress = [], 0.0, []
    for reached in measure(candidates, 6):
        took.append(timer.now - before)
        before = timer.now
        progress.append(reached.share)
        assert not reached.number or reached.name == candidates[reached.number - 1].result.name
    assert max(took) < 2.0 + BREATH
    assert progress == sorted(progress)
    assert progress[-1] == 1
    assert timer.slept == 0
    assert min(len(one.result.samples_ms) for one in candidates) == 6


class Stopped(Ticking):
    """GPU whose second timed run takes ten seconds instead of a millisecond."""

    def time(self, run, repeats=1):
        super().time(run)
        return 1e4 if self.runs == 2 else 1.0, 0.01


def test_a_sample_that_the_driver_stopped_ends_no_measurement(monkeypatch):
    values = np.ones(4, complex)
    candidate = Candidate(
        Measurement("a", error_limit=1.0), Stopped(monkeypatch), int, int, lambda: values, lambda: values
    )
    assert [*measure([candidate], 30)][-1].share == 1
    assert len(candidate.result.samples_ms) == 30


def test_a_gpu_that_stays_slow_is_waited_for_once(monkeypatch):
    """A hot GPU never reaches its former speed. The new speed is expected from then on."""
    timer, now = Ticking(monkeypatch), []
    pace = Pace(lambda: timer.rate() and 1000.0 - len(now))
    for _ in pace.keep():
        pass
    assert timer.now == pytest.approx(SECONDS, abs=0.02)
    now += range(600)
    for often in (SECONDS, 0.01, 0.01):
        before = timer.now
        for _ in pace.keep():
            pass
        assert timer.now - before == pytest.approx(often, abs=0.02)


# -- The copy that transforms are compared with, and errors of values ----------------------------------------


@pytest.mark.parametrize(
    ("lines", "width"), [*((300, width) for width in (2, 3, 8, 13, 16, 17, 64)), (1, 4096), (2, 4096), (9, 300)]
)
def test_copies_of_short_or_few_lines_use_all_invocations(ctx, releasing, lines, width):
    """Each of the 256 invocations of a group has an element, except where lines or their width are rounded up to a
    power of two."""
    rng = np.random.default_rng()
    x = rng.standard_normal((1, lines, width, 2), np.float32).view(np.complex64)[..., 0]
    fields = releasing(FieldBuffers(ctx, (lines, width), 1, packed=1))
    plan = releasing(fft.FFTPlan((copy := CopyKernel(fields),)))
    along, across = copy.group
    assert along * across == 256
    assert min(width, 16) <= along < 2 * width
    assert across < 2 * lines
    fields.write(x)
    plan.forward()
    assert (fields.read() == x).all()
    assert copy.bytes_moved == 2 * x.nbytes


def test_neighbours_read_elements_a_stride_apart(ctx, releasing):
    fields = releasing(FieldBuffers(ctx, (1, 64), 1, packed=1))
    plan = releasing(fft.FFTPlan((CopyKernel(fields, stride=8),)))
    fields.write(np.arange(64, dtype="c8")[None, None])
    plan.forward()
    assert (fields.read().reshape(8, 8) == np.arange(64).reshape(8, 8).T).all()


@given(st.integers(1, 64), st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6))
def test_the_largest_error_is_no_less_than_the_relative_one(count, seed, scale):
    rng = np.random.default_rng(seed)
    exact = scale * (rng.standard_normal(count) + 1j * rng.standard_normal(count))
    found = exact + 1e-3 * scale * rng.standard_normal(count)
    relative, _, _, largest, _ = errors(found, exact, 1e-6)
    assert largest == pytest.approx(np.abs(found - exact).max() / np.sqrt(np.mean(np.abs(exact) ** 2)))
    assert relative <= largest * (1 + 1e-12) <= relative * np.sqrt(count) * (1 + 1e-9)


def test_a_value_where_zero_is_expected_is_infinitely_wrong():
    nothing = np.zeros(4, np.complex128)
    assert errors(nothing, nothing, 1e-6).largest == 0
    assert errors(nothing + 1, nothing, 1e-6).largest == np.inf


def test_errors_in_every_piece_count():
    exact = np.ones((2, PIECE // 2 + 3), np.complex128)
    found = exact.copy()
    found[0, 0] += 0.5
    found[1, -1] += 1.0
    result = errors(found, exact, 1e-6)
    assert (result.wrong, result.off, result.largest, result.largest_off) == (2, 2, 1.0, 1.0)
    assert result.relative == pytest.approx(np.sqrt(1.25 / exact.size))
