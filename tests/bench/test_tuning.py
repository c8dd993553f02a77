"""Tuning: the candidates, and the kept plans."""

from math import inf

import pytest

from ocean import fft
from ocean.bench import tuning
from ocean.bench.cases import Case
from ocean.bench.command import measure_case
from ocean.bench.contest import Request
from ocean.bench.rows import BenchError
from ocean.bench.tuning import Chosen
from ocean.fft import auto as tuned
from ocean.fft.auto import Auto, TunedPair, TunedPlan, TunedPlans
from ocean.fft.comparison import Comparison, options_text
from ocean.fft.options import BluesteinOptions
from ocean.fft.registers import StockhamRegisters
from ocean.fft.stockham import StockhamRadix2
from ocean.gpu.timing import ClockTrial
from tests.messages import assert_refused, naming, unnamed

from .conftest import picked, plans


def asked(ctx, workload="tune", rounds=3, **options):
    request = Request((workload,), rounds=rounds, **options)
    request.ctx, request.trial = ctx, ClockTrial(0.0, 1.0)
    return request


def tuned_for(ctx, size, *backends, seconds=inf):
    """Return the result of tuning backends for a size."""
    request = asked(ctx, sizes=(size,), backends=backends, seconds=seconds)
    (step,) = tuning.steps(request)
    return step()


@pytest.mark.slow
def test_a_bench_records_the_tuned_choice_of_auto(ctx, cache):
    """The row holds the backend, its options, and whether they come from tuning, so that it can be repeated."""
    request = asked(ctx, "ocean", backends=("auto", "stockham-registers"))
    case = Case("ocean", 16, 2, 4, "RGBA32F", inverse=True)
    options = {"lines": 4, "twiddles": "computed"}
    fft.use_tuned(ctx, plans(ctx, plans=(TunedPlan(size=16, layers=2, backend="stockham-registers", options=options),)))
    auto, registers = measure_case(request, case).rows[:2]
    assert (auto.chosen, auto.tuned) == ("twiddles=computed lines=4", True)
    assert auto.plan.startswith("stockham-registers")
    assert (registers.chosen, registers.tuned) == ("", None)
    fft.use_tuned(ctx, None)
    (auto, *_) = measure_case(request, case).rows
    assert (auto.chosen, auto.tuned) == ("", False)


@pytest.fixture
def timed_as(monkeypatch):
    """Return a function that sets the times of candidates: milliseconds by name and options, and the fraction by which
    the copy differs from the first candidate. Candidates are still checked."""
    monkeypatch.setattr(tuning, "LAYERS", (2,))
    honest = tuning.fused_pairs

    def pretend(times, chance=0.0, fused=False):
        monkeypatch.setattr(tuning, "fused_pairs", honest if fused else lambda *_: [])

        def run(comparison):
            said = {result: options_text(comparison.options[result]) for result in comparison.rows}
            for candidate in comparison.candidates:
                result = candidate.result
                candidate.check()
                name = f"{result.name} {said.get(result, '')}".strip()
                ms = times.get(name, times.get(result.name, 9.0))
                if result not in said and result.name != "copy":  # the reference of the first candidate
                    ms = comparison.candidates[0].result.median_ms * (1 + chance)
                result.samples_ms, result.repeats = [ms] * 6, 1
            return comparison.rows

        monkeypatch.setattr(Comparison, "run", run)

    return pretend


def kept_for(cache, size):
    plan = TunedPlans.load(cache).find(size, 2)
    return plan.backend, dict(plan.options)


def test_tuning_finds_and_saves_the_fastest(ctx, cache, monkeypatch, timed_as):
    monkeypatch.setattr(tuning, "FINALISTS", 1)
    timed_as({"stockham-shared": 1.0, "stockham-registers": 2.0, "dft": 3.0, "naive": 4.0, "copy": 0.5})
    found = tuned_for(ctx, 32, "stockham-shared", "dft", "naive")
    place = next(n for n, row in enumerate(found.rows) if row.kind == "copy")
    ranked, copy, others = found.rows[:place], found.rows[place], found.rows[place + 1 :]
    assert [row.name for row in ranked] == ["stockham-shared", "stockham-registers"]  # auto's built-in choice is last
    assert [row.name for row in others] == ["dft", "naive"]
    assert kept_for(cache, 32) == ("stockham-shared", {})
    assert all(row.is_right for row in found.rows)
    assert copy.gb_per_s == pytest.approx(copy.bytes / 0.5e6)
    assert {(noise.workload, noise.size) for noise in found.noise} == {("tune", 32)}
    assert all(row.real_flops and row.storage_mib for row in (*ranked, *others))
    assert unnamed(found.notes[0], "saved 32 2 stockham-shared", cache.name) == []
    tuned.use_cache()
    assert picked(ctx, 32) is fft.BACKENDS["stockham-shared"]


def test_gains_within_the_noise_do_not_count(ctx, cache, timed_as):
    """A gain of 10 %, of options or of backends, counts if times of equal work differ by 5 %, and does not count if
    they differ by 30 %."""
    times = {"stockham-registers": 1.0, "stockham-radix2": 0.9, "stockham-radix2 butterflies=4": 0.81}
    timed_as(times, chance=0.3)
    (note, _) = tuned_for(ctx, 16, "stockham-radix2").notes
    assert unnamed(note, "kept 16 2 stockham-registers stockham-radix2 10.0% 30.0%", cache.name) == []
    assert kept_for(cache, 16) == ("stockham-registers", {})
    timed_as(times, chance=0.05)
    (note, _) = tuned_for(ctx, 16, "stockham-radix2").notes
    assert unnamed(note, "saved 16 2 stockham-radix2", cache.name) == []
    assert kept_for(cache, 16) == ("stockham-radix2", {"butterflies": 4})


def test_a_plan_that_was_saved_stays_until_it_is_beaten(ctx, cache, timed_as):
    """Tuning of other backends keeps a saved plan too."""
    better = TunedPlan(size=16, layers=2, backend="stockham-radix2", options={"butterflies": 2})
    tuned.save(ctx, plans(ctx, plans=(better,)))
    tuned.use_cache()
    timed_as({"naive": 4.0, "stockham-radix2 butterflies=2": 1.0})
    found = tuned_for(ctx, 16, "naive")
    assert kept_for(cache, 16) == ("stockham-radix2", {"butterflies": 2})
    assert unnamed(found.notes[0], "kept 16 2 stockham-radix2", cache.name) == []
    assert [(row.name, row.options) for row in found.rows][:2] == [("stockham-radix2", "butterflies=2"), ("naive", "")]
    timed_as({"naive": 0.5, "stockham-radix2 butterflies=2": 1.0})
    tuned_for(ctx, 16, "naive")
    assert kept_for(cache, 16) == ("naive", {})


def test_no_cache_neither_uses_nor_removes_cached_options(ctx, cache, timed_as):
    """The run tunes another size than the cached one."""
    old = [TunedPlan(size=size, layers=2, backend="stockham-radix2") for size in (16, 64)]
    tuned.save(ctx, plans(ctx, plans=tuple(old)))
    tuned.use_cache(False)
    timed_as({"stockham-radix2": 2.0, "naive": 3.0, "stockham-registers": 1.0})
    assert unnamed(tuned_for(ctx, 16, "naive").notes[0], "kept 16 2 stockham-registers", cache.name) == []
    assert kept_for(cache, 16) == ("stockham-registers", {})
    assert kept_for(cache, 64) == ("stockham-radix2", {})


@pytest.fixture
def maps_take(monkeypatch):
    """Return a function that sets the times from waves to maps, by the radices of both fused axes. Results are checked
    as in the sea. The radix is the only tuned option."""

    def pretend(milliseconds):
        made = []
        honest = fft.fuse

        def fuse(*given, **options):
            made.append(honest(*given, **options))
            return made[-1]

        def measure(candidates, rounds):
            for one, plan in zip(candidates, made[-len(candidates) :], strict=True):
                one.check()
                radices = (set(step.division.radices) for step in plan.transforms)
                one.result.samples_ms, one.result.repeats = [milliseconds(*radices)] * 6, 1
            yield 1.0

        monkeypatch.setattr(fft, "fuse", fuse)
        monkeypatch.setattr(tuning, "measure", measure)
        monkeypatch.setattr(StockhamRegisters.Options, "tunable", lambda _, part: {"radix": ("auto", 2, 4)})

    return pretend


def registers(radix="auto", first="auto"):
    made = StockhamRegisters.Options
    return Chosen("stockham-registers", made(radix=radix), made(radix=first))


@pytest.mark.parametrize(("gain", "radix"), [(0.01, 2), (0.4, "auto")])
def test_fused_axes_are_tuned_by_the_time_of_their_maps(ctx, maps_take, gain, radix):
    """Stages of radix 2 take 30 % less time in the second axis and 20 % less in the first. This gain does not count if
    times of equal work differ by more."""
    maps_take(lambda first, second: 1.0 - 0.3 * (second == {2}) - 0.2 * (first == {2}))
    best, *others = tuning.fused_pairs(asked(ctx, rounds=6), 16, 2, registers(), registers(), gain)
    assert best.choice == registers(radix, radix)
    assert best.result.is_right
    assert [one.choice for one in others] == ([registers()] if radix == 2 else [])


def test_tuning_keeps_the_options_that_make_maps_fastest(ctx, cache, maps_take, timed_as):
    """Radix 2 halves the time of transforms, and doubles the time to make maps."""
    timed_as({"stockham-registers": 1.0, "stockham-registers radix=2": 0.5}, fused=True)
    maps_take(lambda first, second: 1.0 + (second == {2}))
    transform, maps = tuned_for(ctx, 16, "stockham-registers").notes[:2]
    assert unnamed(transform, "saved 16 2 stockham-registers", cache.name) == []
    assert unnamed(maps, "kept maps 16 2 stockham-registers") == []
    plan = TunedPlans.load(cache).find(16, 2)
    assert plan.options == {"radix": 2}
    assert plan.fused == TunedPair(backend="stockham-registers")


def test_tuning_ends_when_its_time_is_up(ctx, cache, timed_as):
    """Tuning saves the plans that it has found, and says that its time is up."""
    timed_as({"stockham-registers": 1.0, "stockham-radix2": 0.5, "stockham-radix2 butterflies=4": 0.1})
    found = tuned_for(ctx, 32, "stockham-registers", "stockham-radix2", seconds=0.0)
    assert kept_for(cache, 32) == ("stockham-radix2", {})
    assert unnamed(found.notes[-1], "32 2 time") == []


def test_tuning_refuses_a_size_that_no_backend_runs(ctx, cache, monkeypatch):
    monkeypatch.setattr(tuning, "LAYERS", (2,))
    with pytest.raises(BenchError, match=naming("60 cooley-tukey 16")):
        tuned_for(ctx, 60, "cooley-tukey", "auto")
    assert not cache.exists()


def test_the_table_lists_backends_that_are_wrong_or_cannot_run(ctx, cache, monkeypatch):
    monkeypatch.setattr(tuning, "LAYERS", (2,))
    monkeypatch.setattr(tuning, "fused_pairs", lambda *_: [])
    monkeypatch.setattr(StockhamRadix2, "error_limit", classmethod(lambda cls, *_: 1e-12))
    found = tuned_for(ctx, 48, "naive", "dft")
    assert [row.name for row in found.rows if row.obstacle] == ["naive"]
    found = tuned_for(ctx, 16, "stockham-radix2", "dft")
    (wrong,) = [row for row in found.rows if row.name == "stockham-radix2"]
    assert wrong.is_right is False
    assert wrong.median_ms > 0
    assert not wrong.winner


def test_options_less_accurate_than_the_defaults_do_not_count(ctx):
    choices = [Chosen("bluestein", BluesteinOptions(angles=angles)) for angles in ("exact", "naive")]
    ranking = tuning.ranked(asked(ctx), tuning.image_of(256, 1), choices)
    assert [entry.choice.options.angles for entry in ranking.entries] == ["exact"]


def test_lines_in_buffers_have_their_own_plans(ctx, cache, timed_as):
    """Images keep their plans. `auto` takes plans of lines only in buffers of single precision."""
    tuned.save(ctx, plans(ctx, plans=(TunedPlan(size=64, layers=2, backend="dft"),)))
    timed_as({"stockham-global": 1.0})
    request = asked(ctx, "tune-lines", sizes=(16, 64), backends=("stockham-global",))
    notes = [note for step in tuning.line_steps(request) for note in step().notes]
    assert unnamed(notes[-2], "saved lines 64 stockham-global", cache.name) == []
    assert unnamed(notes[-1], "lines stockham-global 16") == []
    kept = TunedPlans.load(cache)
    assert [(plan.size, plan.backend) for plan in kept.lines] == [(16, "stockham-global"), (64, "stockham-global")]
    assert [plan.backend for plan in kept.plans] == ["dft"]
    fft.use_tuned(ctx, kept)
    for double, backend in ((False, "stockham-global"), (True, "stockham-global"), (None, "stockham-registers")):
        images = double is None
        fields = fft.FieldLayers(ctx, 1, 1) if images else fft.FieldBuffers(ctx, (1, 32), 1, 1, double)
        assert Auto.choose(fields, 32)[0] is fft.BACKENDS[backend]
        fields.release()
    fft.use_tuned(ctx, None)


def test_a_cache_that_can_not_be_written_is_found_before_tuning(ocean_here, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "file"))
    monkeypatch.setattr("ocean.bench.command.measure", lambda _: pytest.fail("too late"))
    done = ocean_here("bench", "--tune", "--sizes", "32", "--out", tmp_path / "out")
    assert_refused(done, "can't write", tmp_path / "file")
