"""Remarks next to verdicts on the page of claims: missing rows, failed claims, and noise."""

import math

import numpy as np
import pytest

from ocean.bench.rows import Noise
from ocean.common.facts import host_facts
from tests.messages import unnamed
from tests.reports import GL
from tools.papers import figures
from tools.papers.benches import Benches
from tools.papers.claims import ERRORS, LARGEST, each, law, line, markdown, none, once, ranged, up_to

from .test_papers import bench, claim_of, image, row, verdict


def test_a_verdict_names_only_the_missing_measurements():
    claim = "govindaraju.mixed-cufft"
    cufft = [row("mixed", "cufft", size, 1.0, options="graph", gflops=2.0) for size in (2187, 6000)]
    ours = [row("mixed", "auto", size, 1.0, gflops=1.0) for size in (2187, 6000)]
    assert verdict(claim, *ours) is None  # the claim needs CUDA
    assert unnamed(verdict(claim, ours[0], *cufft), "no sizes 1000 3 5") == []
    assert verdict(claim, *ours, *cufft).number.startswith("median 0.50 ×")


def test_operations_are_judged_at_powers_of_the_radix():
    flops = {512: (3, 3, 1), 1024: (30, 20, 31), 2048: (300, 400, 400)}
    rows = [
        row("image", "digit-reversal", size, 1.0, options=options, real_flops=count)
        for size, counts in flops.items()
        for options, count in zip(("radix=2", "", "radix=8"), counts, strict=True)
    ]
    assert verdict("beechwood.fewer-operations", *rows).holds
    assert not verdict("beechwood.fewer-operations", *(one.model_copy(update={"real_flops": 1}) for one in rows)).holds


@pytest.mark.parametrize("claim", ["mota.stockham-beats-cooley-tukey", "mota.halfway-to-cufft"])
def test_images_are_judged_in_both_directions(claim):
    """Forward the claim holds, and inverse it does not."""
    names = ("stockham-radix2", ""), ("cooley-tukey", ""), ("stockham-radix4", ""), ("cufft", "graph")

    def rows(times, direction):
        columns = zip(names, times, strict=True)
        return [row("image", name, 128, ms, options=options, direction=direction) for (name, options), ms in columns]

    forward, inverse = rows((2.0, 3.0, 1.0, 0.5), "forward"), rows((2.0, 1.5, 1.9, 0.5), "inverse")
    assert verdict(claim, *forward).holds
    both = verdict(claim, *forward, *inverse)
    assert both.holds is False
    assert unnamed(both.number, "forward inverse") == []
    assert unnamed(verdict(claim, *forward, *rows((2.0, 3.0, 1.0, 0.5), "inverse")).number, "both ways") == []


@pytest.mark.parametrize(("peak", "holds"), [(1.1, True), (1.02, None), (0.9, False), (1.4, False)])
def test_powers_of_8_are_compared_with_their_neighbours(peak, holds):
    """Rates through global memory also rise with the length, by 1 % a size."""
    rates = {1 << n: 1.01**n * (peak if n % 3 == 0 else 1) for n in range(11, 17)}
    rows = [row("line", "stockham-global", n, 1.0, gflops=rate) for n, rate in rates.items()]
    assert verdict("govindaraju.rate-oscillates", *rows).holds is holds


@pytest.mark.parametrize(("share", "holds"), [(1.2, True), (1.005, None), (0.8, False)])
def test_errors_are_compared_at_equal_length(share, holds):
    """Errors of powers of two grow as log N. Those of mixed lengths are `share` of them at their length, and
    less than their median, as lengths are short; a prime beyond the last power of two does not count."""

    def rows(workload, sizes, factor):
        return [row(workload, "auto", n, 1.0, relative_l2=1e-8 * factor * math.log2(n)) for n in sizes]

    two, mixed = rows("line", (4, 1 << 22, 1 << 23), 1), rows("mixed", (9, 15, 45), share)
    found = verdict("govindaraju.powers-of-two-err-least", *two, *mixed, *rows("prime", (7, 16777213), 1.5))
    assert found.holds is holds
    assert unnamed(found.number, f"{share:.2f} × 1.50 ×") == []
    assert unnamed(found.rule, "equal length") == []
    assert unnamed(verdict("govindaraju.mixed-errors-ours", *two, *mixed).number, f"{share:.2f} ×") == []


@pytest.mark.parametrize(("factor", "holds"), [(1.2, True), (1.0, None), (0.8, False), (1.5, False)])
def test_slightly_more_means_at_most_twice(factor, holds):
    """cuFFT's errors are `factor` times ours, so their variance is the square of it."""
    errors = {9: 1e-7, 15: 2e-7, 45: 4e-7}
    ours = [row("mixed", "auto", n, 1.0, relative_l2=error) for n, error in errors.items()]
    theirs = [row("mixed", "cufft", n, 1.0, options="graph", relative_l2=factor * error) for n, error in errors.items()]
    assert verdict("govindaraju.cufft-wider-range", *ours, *theirs).holds is holds


@pytest.mark.parametrize(("cost", "holds"), [(1.5, True), (1.01, None), (0.9, False)])
def test_passes_of_cubes_are_compared_with_lines_as_long(cost, holds):
    """Three passes take `cost` times as long as three copies, and a pass over lines as long as a copy. Caches may hold
    128^3, which has fewer elements than a batch of 2^23."""
    rows = [row("line", name, n, 1.0, batch=2**23 // n) for n in (128, 256) for name in ("auto", "copy")]
    for n in (128, 256):
        rows += [row("cube", "auto", n, 3 * cost if n == 256 else 9.0, dispatches=3), row("cube", "copy", n, 1.0)]
    found = verdict("govindaraju.dimensions-cost", *rows)
    assert found.holds is holds
    assert unnamed(found.number, f"{cost:.2f} × 256") == []


@pytest.mark.parametrize(
    ("ms", "holds"), [((8.0, 9.0), True), ((4.0, 6.0), False), ((5.0, 6.0), None), ((6.0, 4.0), False)]
)
def test_reads_that_share_no_transaction_count(ms, holds):
    """Reads 2 elements apart share one, and take as long as contiguous ones; those 16 and 32 apart take `ms`."""
    times = {1: 1.0, 2: 1.0, **dict(zip((16, 32), ms, strict=True))}
    rows = [row("reads", "reads", 1 << 24, one, options=f"stride={stride}") for stride, one in times.items()]
    assert verdict("govindaraju.gaps", *rows).holds is holds


@pytest.mark.parametrize(("last", "holds"), [(3.0, True), (2.0, None), (1.5, False)])
def test_long_lines_may_begin_anywhere(last, holds):
    rates = {1024: 3.0, 4096: 0.5, 16384: last}
    ours = [row("single", "auto", n, 1.0, gflops=rate) for n, rate in rates.items()]
    theirs = [row("cpu", "scipy", n, 1.0, gflops=1.0, part="single") for n in rates]
    found = verdict("govindaraju.line-beats-cpu", *ours, *theirs)
    assert found.holds is holds
    assert ("from 16k on" in found.number) is (holds is True)


# -- What noise hides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "holds"),
    [((1.0, 1.0), True), ((1.0, 1.96), None), ((1.0, 2.04), None), ((1.0, 2.2), False), ((1.96, 2.2), False)],
)
def test_differences_within_noise_are_no_verdict(times, holds):
    gains, noise = {n: 2 / time for n, time in zip((64, 128), times, strict=True)}, {64: 0.05, 128: 0.05}
    found = each(gains, "", noise, "a reason")
    assert found.holds is holds
    assert none(gains, "", noise, "", 1).holds is not True
    assert once(gains, "", noise, "").holds is (True if times[0] == 1 else None)
    assert unnamed(found.rule, "1 × noise 5.0%") == []
    if holds is None:
        assert unnamed(found.why, "noise 128") == []


@pytest.mark.parametrize(
    ("found", "holds", "exceeds"), [(1.8, False, False), (1.95, None, False), (2.2, True, False), (9.0, True, True)]
)
def test_up_to_four_means_from_two_to_eight(found, holds, exceeds):
    one, other = up_to(found, 4, "", 0.05, ""), ranged(found, 2, 8, "", 0.05, "")
    assert (one.holds, one.exceeds) == (other.holds, other.exceeds) == (holds, exceeds)


@pytest.mark.parametrize(
    ("power", "holds", "limit"),
    [
        (1.0, True, 0.45),
        (0.7, True, 0.45),
        (0.55, None, 0.45),
        (0.5, False, 0.45),
        (1.05, None, 0.05),
        (1.2, False, 0.05),
    ],
)
def test_growth_has_a_rule_and_a_reason(power, holds, limit):
    """From 2^10 to 2^20 log N has the power 0.10 and N log N 1.10. N is the nearest law halfway to both, and noise
    shifts powers by 0.01."""
    found = law({n: n**power for n in (2**10, 2**15, 2**20)}, "N", "a reason", {2**10: 0.1})
    assert found.holds is holds
    assert unnamed(found.rule, f"growth N within {limit} noise 0.01") == []
    assert found.why == ("noise hides it" if holds is None else "a reason")


@pytest.mark.parametrize(("error", "holds"), [(1.97e-7, True), (1.99e-7, None), (2.01e-7, None), (2.03e-7, False)])
def test_errors_near_a_bound_are_no_verdict(error, holds):
    """They have one seed: twice another's error is the bound."""
    cufft = row("line", "cufft", 64, 1.0, options="graph", relative_l2=error)
    found = verdict("govindaraju.similar-for-powers-of-two", row("line", "auto", 64, 1.0, relative_l2=1e-7), cufft)
    assert found.holds is holds
    if holds is None:
        assert unnamed(found.why, "1% bound") == []


def test_noise_of_errors_covers_other_seeds():
    """Errors and largest errors of numpy's transform in single precision, with fewer numbers than a bench has."""
    for n in (8, 1024):
        found = []
        for seed in range(6):
            values = np.random.default_rng(seed).standard_normal((1 << 18, 2), np.float32)
            x = values.view(np.complex64).reshape(-1, n)
            apart = abs(np.fft.fft(x) - np.fft.fft(x.astype(np.complex128)))
            found.append((np.sqrt(np.mean(apart**2)), np.max(apart)))
        spread, largest = (max(values) / min(values) - 1 for values in zip(*found, strict=True))
        assert 0 < spread < ERRORS < largest < LARGEST


def noise(workload, size, share, part=None):
    return Noise(workload=workload, part=part, size=size, name="auto", first_ms=1, second_ms=1, difference=share)


def test_tolerance_is_the_worst_noise_of_a_workload():
    """The tolerance is never below TOO_NOISY. No noise is of this size."""

    def tolerance(measured, workload, part=None):
        return measured.noise(workload, [9], part)[9]

    seen = (noise("image", 64, 0.001), noise("image", 128, 0.046), noise("line", 64, 0.9), noise("prime", 7, 0.01))
    measured = Benches((bench(noise=seen),))
    assert [tolerance(measured, name) for name in ("image", "line", "prime")] == [0.046, 0.9, 0.02]
    cpu = noise("cpu", 64, 0.1, "single"), noise("cpu", 64, 7.0, "weak")
    assert tolerance(Benches((bench(noise=cpu),)), "cpu", "single") == 0.1
    assert tolerance(Benches((bench(noise=(noise("cpu", 64, 0.3),)),)), "cpu", "single") == 0.3  # an old report


@pytest.mark.parametrize(
    ("samples", "spread", "both", "holds"),
    [
        (6, 0.1, 1, True),
        (6, 0.5, 1, None),
        (30, 0.5, 1, True),
        (1, 0.0, 1, None),
        (6, 0.35, 1, True),
        (6, 0.35, 2, None),
    ],
)
def test_scatter_of_both_rows_is_noise(samples, spread, both, holds):
    """The gain is 20 %. The interval of a median shrinks with the root of the number of samples; a single sample has no
    interval. The intervals of both rows count."""
    more = {"samples": samples, "p5_ms": 1 - spread / 2, "p95_ms": 1 + spread / 2}
    quiet = Noise(workload="image", size=128, name="auto", first_ms=1, second_ms=1, difference=0.0)
    rows = [*image("stockham-radix2", 1.0, **more), *image("cooley-tukey", 1.2, **(more if both == 2 else {}))]
    found = claim_of("mota.stockham-beats-cooley-tukey").rule(Benches((bench(*rows, noise=(quiet,)),)))
    assert found.holds is holds


@pytest.mark.parametrize(
    ("samples", "noise", "holds"),
    [((2.0,) * 30, 0.02, True), ((1.0, 2.0, 3.0) * 2, 0.5, None), ((2.0, 2.0, 9.0, 9.0), 3.5, None), ((), 1.0, None)],
)
def test_transfers_have_their_own_noise(samples, noise, holds):
    """Lines take 1.5 times as long on the GPU as on the CPU. Kernels do not scatter. Times with transfers are constant,
    or scatter, or have late samples that differ from the early ones, or have no samples."""
    there = row(
        "single", "naive", 64, 0.1, transfers_ms=2.0, transfer_samples_ms=samples, samples=6, p5_ms=0.1, p95_ms=0.1
    )
    loops = row("cpu", "group-loops", 64, 4 / 3, part="four-step", workers=1)
    measured = Benches((bench(there, loops),))
    assert claim_of("rao.gpu-never-wins").rule(measured).holds is holds
    assert measured.noise("single", [64], value="transfers_ms")[64] == pytest.approx(noise, rel=0.1)
    assert measured.noise("single", [64])[64] == 0.02


TABLES = "twiddles=table radix=2 memory=global reversal=table"


@pytest.mark.parametrize(
    ("element", "holds"),
    [
        ({16: 90, 16384: 2.5, 32768: 2.2, 65536: 1.2, 1 << 20: 1}, True),
        ({16: 90, 16384: 9.0, 32768: 9.0, 131072: 1.9, 1 << 20: 1}, False),
        ({16: 90, 16384: 9.0, 32768: 9.0, 65536: 2.0, 1 << 20: 1}, None),
        ({16: 90, 4096: 1.5, 16384: 1.2, 32768: 1.2, 1 << 20: 1}, False),
    ],
)
def test_overhead_is_that_of_the_variant_of_the_text(element, holds):
    """Its lines take these times an element; those of `auto` would always hold."""
    rows = [
        row("single", name, n, ms / 9, options=options, transfers_ms=ms, transfer_samples_ms=(ms,) * 30)
        for name, options, times in (("digit-reversal", TABLES, element), ("auto", "", {**element, 32768: 1}))
        for n, ms in ((n, n * each_ms) for n, each_ms in times.items())
    ]
    found = verdict("davis.overhead-amortised", *rows)
    assert found.holds is holds
    assert unnamed(found.rule, "their tables noise") == []
    assert verdict("davis.overhead-amortised", *(one for one in rows if one.name == "auto")) is None
    mostly = verdict("davis.mostly-overhead", *rows)
    assert mostly.holds is (element[32768] > 2)
    assert unnamed(mostly.rule, "their tables noise") == []


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (2.0, None), (9.0, False)])
def test_a_gpu_pays_where_the_variant_of_the_text_does(factor, holds):
    """The transform with their tables is as fast as loops in C at 2048 elements, or at 4096 or 32768 if loops are
    faster."""
    theirs = [
        row("single", "digit-reversal", n, 1.0, options=TABLES, transfers_ms=1.0, transfer_samples_ms=(1.0,) * 30)
        for n in (1 << k for k in range(9, 17))
    ]
    loops = [
        row("cpu", "group-loops", one.size, one.size / 2048 / factor * 1.01, part="four-step", workers=1)
        for one in theirs
    ]
    assert verdict("davis.break-even", *theirs, *loops).holds is holds
    assert verdict("davis.break-even", *loops) is None


@pytest.mark.parametrize(("ms", "holds"), [(1.0, None), (4.0, True)])
def test_scatter_of_a_slower_library_is_no_noise(ms, holds):
    """A line alone has half the rate of a batch by FFTW. The times of scipy, which takes `ms`, scatter."""

    def rows(part, factor):
        more = {"part": part, "workers": 1}
        scatter = {"samples": 6, "p5_ms": ms / 2, "p95_ms": 3 * ms}
        yield row("cpu", "pyfftw", 64, factor, gflops=1 / factor, **more)
        yield row("cpu", "scipy", 64, ms * factor, gflops=1.01 / ms / factor, **more, **scatter)

    assert verdict("govindaraju.cpu-line-slower-than-batch", *rows("lines", 1), *rows("single", 2)).holds is holds


def test_lines_that_leave_cores_idle_are_not_compared():
    """A batch of the CPU has one line of 2^20 elements."""
    ours = [row("line", "auto", n, 1.0, gflops=100.0) for n in (4096, 1 << 20)]
    theirs = [row("cpu", "pyfftw", n, 1.0, gflops=rate, part="lines") for n, rate in ((4096, 10.0), (1 << 20, 1.0))]
    host = host_facts().model_copy(update={"logical_cores": 4})
    found = claim_of("govindaraju.lines-most-cpu").rule(Benches((bench(*ours, *theirs, host=host),)))
    assert found.holds
    assert not found.exceeds


def test_radices_are_compared_where_plans_differ_in_nothing_else():
    """With radix 9 the line of 360 takes half of the time, but more lines share a group."""
    plans = {360: ("9×5×8 lines=3", "5×3×3×8 lines=2"), 729: ("9×9×9 lines=1", "3×3×3×3×3×3 lines=1")}
    rows = [
        row("mixed", "stockham-registers", n, ms, options=options, plan=f"stockham-registers {plan}")
        for n, both in plans.items()
        for plan, options, ms in zip(both, ("", "odd=primes"), (1.0, 2.0 if n == 360 else 0.8), strict=True)
    ]
    assert verdict("govindaraju.powers-of-three-as-radices", *rows).holds is False
    assert verdict("govindaraju.powers-of-three-as-radices", *rows[:2]) is None


def test_verdicts_hidden_by_noise_are_counted():
    rows = [*image("stockham-radix2", 0.98, 1.0), *image("cooley-tukey", 1.0, 2.0)]
    claims = [claim_of("mota.stockham-beats-cooley-tukey")]
    quiet, loud = (Benches((bench(*rows, noise=(noise("image", 128, share),)),)) for share in (0.001, 0.046))
    assert unnamed(markdown(loud, claims), "1 can't be told noise 128") == []
    assert claims[0].rule(quiet).holds is True
    assert line(claims[0], claims[0].rule(quiet)).endswith("| *holds* |")


# -- What can't be judged ----------------------------------------------------------------------------------------------


def test_submitting_is_not_measured_on_software_renderers():
    parts = [
        row("frame", name, 512, 1.0, part=part, submit_us=us, options="1920x1080")
        for part in ("rows", "columns")
        for name, us in (("cooley-tukey-stages", 100.0), ("stockham-radix2", 20.0))
    ]
    software = GL.model_copy(update={"renderer": "llvmpipe (LLVM 15.0.6, 256 bits)"})
    claim = claim_of("mota.less-to-submit-512")
    on_cpu, on_gpu = Benches((bench(*parts, gl=software),)), Benches((bench(*parts),))
    assert "software" in claim.rule(on_cpu)
    assert unnamed(claim.rule(on_gpu).number, "0.2 ms 0.04") == []

    def titles(measured, name):
        return [panel.title for one in figures(measured) if one.name == name for panel in one.panels]

    both, alone = titles(on_gpu, "mota-20"), titles(on_cpu, "mota-20")
    assert len(both) == 2
    assert unnamed(both[1], "submit CPU 512") == []
    assert alone == both[:1]
    assert len(titles(on_cpu, "mota-13")) == 1


def test_a_figure_names_the_clocks_of_what_it_shows():
    rows = [
        *image("stockham-radix2", 3.0, 4.0, clock="gpu"),
        *image("cooley-tukey", 3.5, 4.5, clock="gpu"),
        *image("cufft", 1.0, 2.0, clock="cuda", kind="peer", options="graph"),
        row("cpu", "iterative-dit", 128, 1.0, part="there-and-back", clock="wall"),
        row("cpu", "iterative-dit", 128, 1.0, part="single", clock="wall"),
        row("single", "auto", 128, 1.0, clock="gpu", transfers_ms=2.0),
        *(row("prime", "bluestein", 7, 1.0, clock="gpu", options=options) for options in ("", "angles=naive")),
    ]
    drawn = {one.name: one.clocks for one in figures(Benches((bench(*rows),))) if not one.obstacle}
    assert drawn["mota-14"] == ("GPU timestamps", "CUDA events")
    assert drawn["mota-table-2"] == ("wall clock",)
    assert drawn["davis-1"] == ("GPU timestamps", "wall clock")
    assert drawn["govindaraju-6"] == ()
