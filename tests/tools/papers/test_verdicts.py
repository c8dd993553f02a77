"""Remarks next to verdicts on the page of claims: missing rows, failed claims, and noise."""

import pytest

from ocean.bench.rows import Noise
from tests.messages import unnamed
from tests.reports import GL
from tools.papers import CLAIMS, figures
from tools.papers.benches import Benches
from tools.papers.claims import Finding, each, line, markdown, none, once, ranged, up_to

from .test_papers import bench, claim_of, image, row, verdict


def test_a_verdict_names_only_the_missing_measurements():
    claim = "govindaraju.mixed-cufft"
    cufft = [row("mixed", "cufft", size, 1.0, options="graph", gflops=2.0) for size in (2187, 6000)]
    ours = [row("mixed", "auto", size, 1.0, gflops=1.0) for size in (2187, 6000)]
    assert verdict(claim, *ours) is None  # the claim needs CUDA
    assert unnamed(verdict(claim, ours[0], *cufft), "no sizes 1000 3 5") == []
    assert verdict(claim, *ours, *cufft).number.startswith("median 0.50 ×")


def test_a_verdict_names_the_size_at_which_a_claim_fails():
    flops = {512: (3, 2, 1), 1024: (30, 20, 21), 2048: (300, 200, 100)}
    rows = [
        row("image", "digit-reversal", size, 1.0, options=options, real_flops=count)
        for size, counts in flops.items()
        for options, count in zip(("radix=2", "", "radix=8"), counts, strict=True)
    ]
    found = verdict("beechwood.fewer-operations", *rows)
    assert not found.holds
    assert found.number.endswith("at 1024")
    assert unnamed(found.why, "not 1024") == []


def test_each_report_states_its_noise():
    measured = Benches((bench(row("line", "dft", 64, 1.0), row("cpu", "scipy", 64, 1.0)),))
    assert unnamed(markdown(measured, []), "line, cpu: Noise not measured") == []


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


def threads(part, **ms):
    return [row("cpu", "group-loops", 1 << 20, time, part=part, workers=int(count[1:])) for count, time in ms.items()]


@pytest.mark.parametrize(("two", "holds"), [(6.0, True), (3.4, None)])
def test_super_linear_gains_do_not_decide_on_scaling(two, holds):
    """Two threads gain a factor of 2.9, as once published, though sixteen stay within the ideal."""
    found = verdict("rao.strong-scaling", *threads("strong", _1=10.0, _2=two, _16=2.0))
    assert found.holds is holds


def test_the_gain_of_threads_counts_the_longest_line():
    few = [
        row("cpu", name, 128, 1.0, part="four-step", workers=n)
        for name in ("four-step", "group-loops")
        for n in (1, 16)
    ]
    claim = "rao.half-the-threads"
    assert verdict(claim, *few).holds
    found = verdict(claim, *few, *threads("strong", _1=10.0, _16=1.0))
    assert unnamed(found.number, "10.00 × 16 threads 1M") == []
    assert found.holds is False


def noise(workload, size, share, part=None):
    return Noise(workload=workload, part=part, size=size, name="auto", first_ms=1, second_ms=1, difference=share)


def test_tolerance_is_the_worst_noise_of_a_workload():
    """The tolerance is never below TOO_NOISY."""
    seen = (noise("image", 64, 0.001), noise("image", 128, 0.046), noise("line", 64, 0.9), noise("prime", 7, 0.01))
    measured = Benches((bench(noise=seen),))
    assert [measured.tolerance(name) for name in ("image", "line", "prime")] == [0.046, 0.9, 0.02]
    cpu = noise("cpu", 64, 0.1, "single"), noise("cpu", 64, 7.0, "weak")
    assert Benches((bench(noise=cpu),)).tolerance("cpu", "single") == 0.1
    assert Benches((bench(noise=(noise("cpu", 64, 0.3),)),)).tolerance("cpu", "single") == 0.3  # an old report


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


def test_four_step_is_compared_with_loops_in_c():
    loops = [row("cpu", "group-loops", n, 1.0, part="four-step", workers=1, dimensions=1) for n in (64, 4096)]
    lines = [row("single", name, 4096, 0.1, transfers_ms=ms) for name, ms in (("naive", 2.0), ("auto", 0.25))]
    found = verdict("rao.gpu-comes-near", *loops, *lines)
    assert found.holds is True
    assert unnamed(found.number, "0.50 × 4096 auto 4 ×") == []
    assert verdict("rao.gpu-never-wins", *loops, *lines).holds
    assert verdict("rao.gpu-comes-near", *loops, lines[1]) is None
    fast, slow = (row("single", "naive", 4096, 0.1, transfers_ms=ms) for ms in (0.5, 3.0))
    assert verdict("rao.gpu-comes-near", *loops, fast).exceeds
    assert verdict("rao.gpu-never-wins", *loops, fast).holds is False
    assert verdict("rao.gpu-comes-near", *loops, slow).holds is False
    short = row("single", "naive", 64, 0.1, transfers_ms=9.0)
    assert unnamed(verdict("rao.gpu-comes-near", *loops, short), "no 4096") == []


# -- Claims that earlier reports could judge ---------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "holds"), [(2.5, True), (0.8, False)])
def test_an_error_of_cufft_that_doubles_for_mixed_lengths_counts(share, holds):
    rows = [
        row(workload, "cufft", n, 1.0, options="graph", relative_l2=error)
        for workload, n, error in (("line", 64, 1e-7), ("mixed", 60, share * 1e-7))
    ]
    assert verdict("govindaraju.cufft-mixed-error", *rows).holds is holds


def test_a_line_alone_on_the_cpu_is_slower_at_every_length():
    def rows(part, *rates):
        return [row("cpu", "scipy", n, 1.0, part=part, gflops=r) for n, r in zip((64, 128), rates, strict=True)]

    claim = "govindaraju.cpu-line-slower-than-batch"
    assert verdict(claim, *rows("single", 1.0, 1.0), *rows("lines", 2.0, 3.0)).holds
    assert verdict(claim, *rows("single", 1.0, 4.0), *rows("lines", 2.0, 3.0)).holds is False


def test_four_threads_are_compared_with_two():
    def rows(gains):
        rates = {2: 1.0, 4: gains}
        return [
            row("cpu", "scipy", n, 1.0, part="lines", workers=count, gflops=rate if count == 2 else rate[n])
            for count, rate in rates.items()
            for n in gains
        ]

    claim = "govindaraju.four-threads-equal-two"
    assert verdict(claim, *rows({64: 1.0, 1 << 10: 1.5, 1 << 17: 1.4, 1 << 18: 1.0})).holds
    assert not verdict(claim, *rows({64: 1.9, 1 << 10: 1.9, 1 << 17: 1.9, 1 << 18: 1.9})).holds
    assert unnamed(verdict(claim, *rows({64: 1.0})), "no lines 2^10 2^17") == []


@pytest.mark.parametrize(
    ("rates", "fastest", "slower"),
    [
        ((9.0, 60.0, 50.0, 40.0), True, True),
        ((9.0, 40.0, 45.0, 50.0), False, False),
        ((70.0, 60.0, 9.0, 65.0), False, False),
    ],
)
def test_a_line_for_each_thread_is_judged_with_the_best_number_of_threads(rates, fastest, slower):
    """The best number of threads counts: 1 has half the rates of 4."""
    rows = [
        row("cpu", "scipy", n, 1.0, part="line-a-thread", workers=count, gflops=rate * count / 4)
        for count in (1, 4)
        for n, rate in zip((64, 1 << 10, 1 << 17, 1 << 18), rates, strict=True)
    ]
    claims = "govindaraju.caches-peak", "govindaraju.caches-overflow"
    assert [verdict(claim, *rows).holds for claim in claims] == [fastest, slower]
    assert [verdict(claim, *(one for one in rows if one.size > 64)) for claim in claims] == [None, None]


@pytest.mark.parametrize(("gains", "holds"), [((2.1, 9.0), True), ((1.5, 9.0), False), ((2.02, 9.0), None)])
def test_a_long_line_alone_is_compared_with_the_cpu(gains, holds):
    """Short lines do not enter this verdict."""
    sizes = (64, 1 << 12, 1 << 20)
    rows = [row("single", "auto", n, 1.0, gflops=rate) for n, rate in zip(sizes, (0.1, *gains), strict=True)]
    cpu = [row("cpu", "pyfftw", n, 1.0, part="single", gflops=1.0) for n in sizes]
    assert verdict("govindaraju.line-beats-cpu", *rows, *cpu).holds is holds


@pytest.mark.parametrize(("other", "typical", "most"), [("cufft", (2.0, 4.0), 4.0), ("cpu", (8.0, 40.0), 19.0)])
def test_gains_of_long_lines_are_judged_by_median_and_maximum(other, typical, most):
    """The median of three lengths is typical; the largest is at least half of the claimed gain."""

    def found(claim, *gains):
        facts = {"options": "graph"} if other == "cufft" else {"part": "lines"}
        workload, name = ("line", "cufft") if other == "cufft" else ("cpu", "scipy")
        rows = [
            one
            for size, gain in zip((1 << 12, 1 << 14, 1 << 16), gains, strict=True)
            for one in (
                row("line", "auto", size, 1.0, gflops=gain),
                row(workload, name, size, 1.0, gflops=1.0, **facts),
            )
        ]
        return verdict(f"govindaraju.{claim}-{other}", *rows).holds

    low, high = typical
    assert found("lines", 0.1, 1.1 * low, high)
    assert not found("lines", 0.1, 0.9 * low, high)
    assert found("lines-most", 0.1, 0.1, 0.55 * most)
    assert not found("lines-most", 0.1, 0.1, 0.45 * most)


@pytest.mark.parametrize(("ratios", "holds"), [((5.0, 9.0, 6.0), True), ((4.0, 9.0, 6.0), False)])
def test_the_largest_error_is_in_proportion_to_the_root_mean_square(ratios, holds):
    rows = [
        row("line", "auto", n, 1.0, relative_l2=n * 1e-8, largest_error=n * 1e-8 * times)
        for n, times in zip((8, 64, 512), ratios, strict=True)
    ]
    assert verdict("govindaraju.largest-error-follows", *rows).holds is holds


def test_hierarchy_is_compared_with_global_memory():
    def rows(name, *rates):
        return [row("line", name, n, 1.0, gflops=r) for n, r in zip((1 << 12, 1 << 16), rates, strict=True)]

    claim = "govindaraju.hierarchy-degrades"
    assert verdict(claim, *rows("four-step", 3.0, 1.0), *rows("stockham-global", 2.0, 1.9)).holds
    assert not verdict(claim, *rows("four-step", 3.0, 3.0), *rows("stockham-global", 2.0, 1.9)).holds
    assert not verdict(claim, *rows("four-step", 3.0, 1.0), *rows("stockham-global", 2.0, 1.0)).holds
    assert verdict(claim, *rows("four-step", 3.0, 2.39), *rows("stockham-global", 2.0, 1.9)).holds is None  # by 2 %


def test_languages_are_similar_until_one_is_clearly_faster():
    def found(*cuda):
        sizes = (512, 1024)
        theirs = image("cuda-cooley-tukey", *cuda, sizes=sizes, kind="peer", options="stream")
        return verdict("mota.glsl-pulls-ahead", *image("cooley-tukey", 1.0, 1.0, sizes=sizes), *theirs)

    assert found(1.05, 1.3).holds
    assert found(1.05, 0.8).holds is False
    assert found(1.5, 1.5).why.startswith("not at 512; ")


def test_reversal_by_loop_is_slow_beyond_noise():
    rows = image("digit-reversal", 1.0, 1.0), image("digit-reversal", 1.5, 1.01, options="reversal=loop")
    assert verdict("beechwood.loops-slow", *rows[0], *rows[1]).holds is False  # 1 % is similar, not slow
    assert verdict("beechwood.loops-slow", *rows[0], *image("digit-reversal", 1.5, 1.5, options="reversal=loop")).holds


# -- Clocks ------------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("times", "holds"),
    [({1: 1.0, 2: 0.8}, True), ({1: 1.0, 2: 0.52}, False), ({1: 1.0, 2: 0.34}, None), ({1: 1.0, 2: 0.625}, None)],
)
def test_strong_scaling_is_judged_beyond_its_noise(times, holds):
    """Two threads gain at most a factor of 2. A gain below 80 % of this counts only beyond noise."""
    rows = [
        row("cpu", "group-loops", 1 << 20, ms, part="strong", workers=n, dimensions=1, kind="cpu")
        for n, ms in times.items()
    ]
    assert verdict("rao.strong-scaling", *rows).holds is holds


def test_every_verdict_names_its_rule():
    rows = [*image("stockham-radix2", 0.5, 1.0), *image("stockham-radix4", 0.3, 0.4), *image("cooley-tukey", 1.0, 2.0)]
    found = [claim.rule(Benches((bench(*rows),))) for claim in CLAIMS]
    findings = [one for one in found if isinstance(one, Finding)]
    assert len(findings) > 2
    assert all(one.rule for one in findings)


def test_a_noisy_size_hides_no_other_size():
    """The noise of the first report with the size counts; if none has it, the noise of the worst size counts."""

    def measured(*noises):
        return Benches(tuple(
            bench(row("line", "auto", 8, 1.0)).model_copy(update={"noise": tuple(
                Noise(workload="line", size=size, name="auto", first_ms=1.0, second_ms=1.0, difference=share)
                for size, share in noise.items()
            )})
            for noise in noises
        ))  # fmt: skip

    assert measured({8: 0.05, 64: 0.4}, {64: 0.1, 512: 0.001}).noise("line", [8, 64, 512, 4096]) == {
        8: 0.05, 64: 0.4, 512: 0.02, 4096: 0.4,
    }  # fmt: skip
