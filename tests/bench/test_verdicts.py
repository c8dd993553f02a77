"""What the page of claims says beside its verdicts: what was missing, where a claim fails, and how noisy it was."""

from ocean.bench.papers.claims import markdown
from ocean.bench.papers.measured import Measured

from .test_papers import bench, row, verdict


def test_what_is_missing_is_said_and_not_what_was_there():
    statement = "Mixed lengths: 2 to 8 times as fast as cuFFT"
    cufft = [row("mixed", "cufft", size, 1.0, options="graph", gflops=2.0) for size in (2187, 6000)]
    ours = [row("mixed", "auto", size, 1.0, gflops=1.0) for size in (2187, 6000)]
    assert verdict(statement, *ours) is None  # it takes CUDA
    assert verdict(statement, ours[0], *cufft) == "no sizes from 1000 on but powers of 3 and of 5"
    assert verdict(statement, *ours, *cufft).number.startswith("median 0.50 ×")


def test_the_size_at_which_a_claim_fails_is_the_one_shown():
    flops = {512: (3, 2, 1), 1024: (30, 20, 21), 2048: (300, 200, 100)}
    rows = [
        row("image", "digit-reversal", size, 1.0, options=options, real_flops=count)
        for size, counts in flops.items()
        for options, count in zip(("radix=2", "", "radix=8"), counts, strict=True)
    ]
    found = verdict("Higher radices take fewer operations", *rows)
    assert not found.holds
    assert found.number.endswith("at 1024")
    assert found.why.startswith("not at 1024,")


def test_each_report_says_how_noisy_it_was():
    measured = Measured((bench(row("line", "dft", 64, 1.0), row("cpu", "scipy", 64, 1.0)),))
    assert "- line, cpu: Noise was not measured." in markdown(measured, [])
