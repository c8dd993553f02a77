"""Figures and claims from invented rows: what is drawn, rules on both sides of their limits, and the command that makes
them from reports."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ocean.bench.rows import Bench, BenchError, Row, with_winners
from ocean.common.facts import host_facts, program_facts, utc_now
from ocean.gpu.context import limits
from tests.messages import assert_refused, naming, unnamed
from tests.reports import GL
from tools.bench import main
from tools.papers import CLAIMS, beechwood, figures, govindaraju, mota, page, rao, write_papers
from tools.papers.benches import Benches, disjoint
from tools.papers.cases import NAIVE_ANGLES, PRIMES, RADER, prime
from tools.papers.claims import judge, markdown
from tools.papers.drawing import Bars, Figure, Lines, Table, draw


def bench(*rows, **changes):
    facts = {"gl": GL, "clock": "gpu", "clock_reason": "a test", "command": "ocean bench", "seconds": 1.0}
    facts |= {"created": utc_now(), "program": program_facts(Path("/nowhere")), "host": host_facts()}
    return Bench(**facts | {"rows": with_winners(rows)} | changes)


def row(workload, name, size, ms, **more):
    facts = {"batch": 1, "direction": "forward", "is_right": True, "relative_l2": 1e-7, "kind": "backend"}
    return Row(workload=workload, name=name, size=size, median_ms=ms, **facts | more)


def image(name, *times, sizes=(128, 256, 512), **more):
    return [row("image", name, size, ms, **more) for size, ms in zip(sizes, times, strict=False)]


def claim_of(key):
    (claim,) = (claim for claim in CLAIMS if claim.key == key)
    return claim


def verdict(key, *rows):
    """Return the finding of a claim from these rows."""
    return claim_of(key).rule(Benches((bench(*rows),)))


# -- Rows by name ------------------------------------------------------------------------------------------------------


def test_rows_are_found_by_their_fields():
    rows = [*image("dft", 1.0, 2.0), *image("dft", 3.0, options="radix=2"), row("line", "dft", 64, 4.0)]
    measured = Benches((bench(*rows), bench(row("image", "dft", 1024, 9.0), row("image", "dft", 128, 7.0))))
    assert measured.curve("median_ms", "image", "dft", options="") == {128: 1.0, 256: 2.0, 1024: 9.0}
    assert measured.curve("median_ms", "image", "dft", options="radix=2") == {128: 3.0}
    assert measured.curve(lambda one: one.median_ms * 2, "line", "dft") == {64: 8.0}
    assert measured.curve("gflops", "line", "dft") == {}


def test_wrong_results_count_only_for_errors():
    measured = Benches((bench(row("prime", "bluestein", 7, 1.0, is_right=False, relative_l2=0.5)),))
    assert measured.curve("median_ms", "prime", "bluestein") == {}
    assert measured.curve("relative_l2", "prime", "bluestein", is_right=None) == {7: 0.5}


def test_reports_of_several_machines_are_not_mixed(tmp_path):
    with pytest.raises(BenchError, match=naming("--from", tmp_path, "bench.json")):
        Benches.read(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        gl = GL.model_copy(update={"renderer": name})
        bench(row("line", "dft", 8, 1.0), gl=gl).write(tmp_path / name / "bench.json")
    with pytest.raises(BenchError, match=naming("one two 4.6")):
        Benches.read(tmp_path)
    bench(row("line", "dft", 16, 1.0), gl=None).write(tmp_path / "two/bench.json")  # a report of the CPU alone
    bench(row("line", "dft", 8, 1.0)).write(tmp_path / "one/bench.json")
    assert Benches.read(tmp_path).curve("median_ms", "line", "dft") == {8: 1.0, 16: 1.0}


# -- Claims ------------------------------------------------------------------------------------------------------------


def test_every_text_has_claims_that_are_unmeasured_without_rows():
    sources = {mota.SOURCE, beechwood.SOURCE, govindaraju.SOURCE, rao.SOURCE, rao.DAVIS}
    assert {claim.source for claim in CLAIMS} == sources
    nothing = Benches((bench(),))
    assert all(claim.rule(nothing) is None for claim in CLAIMS)
    text = markdown(nothing, CLAIMS)
    judged = [claim for claim in CLAIMS if claim.needs.startswith("*")]  # by definition, or in a trial
    assert text.count("not measured:") == 1 + len(CLAIMS) - len(judged)
    assert f"not measured: {len(CLAIMS)}" in text


def test_a_claim_fails_if_one_size_fails():
    stages = image("cooley-tukey-stages", 2.0, 2.0, 2.0)
    claim = "mota.one-pass-beats-stages"
    assert verdict(claim, *stages, *image("cooley-tukey", 1.0, 1.0, 1.9)).holds
    broken = verdict(claim, *stages, *image("cooley-tukey", 1.0, 1.0, 2.1))
    assert not broken.holds
    assert unnamed(broken.why, "not 512") == []
    assert unnamed(broken.number, "2.00 × 128 256 0.95 512") == []


def test_the_page_follows_from_the_stored_reports():
    """All rules, on reports of three machines."""
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.with_statements(text, page.reports()) == text


# -- Figures -----------------------------------------------------------------------------------------------------------

EXPECTED = [
    "mota-table-2", *(f"mota-{n}" for n in (13, 14, 15, 16, 17, 18, 20, 21)),
    *(f"govindaraju-{n}" for n in (6, 8, 11, 12, 13, 14, 15, 16, 17, 18)),
    *(f"rao-{n}" for n in range(1, 7)), "davis-1", "davis-2", *(f"beechwood-{n}" for n in (1, 2, 3)),
]  # fmt: skip


def test_curves_without_measurements_are_not_drawn(tmp_path):
    nothing = Benches((bench(),))
    assert [figure.name for figure in figures(nothing)] == EXPECTED
    assert all(figure.obstacle for figure in figures(nothing))
    lines = write_papers(nothing, tmp_path)
    assert len(lines) == len(EXPECTED)
    assert all("not drawn, not measured: " in line for line in lines)
    assert {path.name for path in tmp_path.iterdir()} == {"figures.md", "claims.md"}


def test_a_figure_omits_a_missing_peer(tmp_path):
    rows = [*image("stockham-radix2", 3.0, 4.0), *image("cooley-tukey", 3.5, 4.5)]
    (figure,) = [figure for figure in figures(Benches((bench(*rows),))) if figure.name == "mota-14"]
    assert figure.obstacle is None
    assert figure.missing == ["cuFFT"]


def test_rectangles_are_drawn_where_they_were_measured():
    four = row("ocean", "auto", 512, 1.0, gflops=1.0, batch=4)
    squares = [four, *image("auto", 1.0, gflops=1.0), *image("cufft", 0.5, gflops=2.0, options="graph")]
    rectangles = [row("rectangle", "auto", n, 1.0, gflops=3.0, lines=(1 << 24) // n) for n in (16, 4096)]

    def found(rows):
        return next(one for one in figures(Benches((bench(*rows),))) if one.name == "govindaraju-14")

    without, whole = found(squares), found([*squares, *rectangles])
    assert (without.obstacle, without.note, len(without.panels)) == (None, "without rectangles", 3)
    assert (whole.obstacle, whole.note) == (None, "")
    assert whole.panels[3].curves["ours (auto)"] == {16: 3.0, 4096: 3.0}


def test_drawings_contain_their_labels_as_text(tmp_path):
    lines = Lines("Times", {"a": {8: 1.0, 64: 2.0}, "b": {8: 3.0}}, "ms", dashed=("b",), level=1.0)
    bars, table = Bars("Parts", {"a": {"rows": 1.0, "columns": 2.0}}, "ms"), Table("Numbers", {"a": {8: 1.5}})
    names = draw(Figure("one", "a paper", "A title", [lines, bars, table], "a note"), tmp_path, "a card · its driver")
    assert names == ["one.png", "one.svg"]
    with Image.open(tmp_path / "one.png") as picture:
        assert picture.width > 900
        assert len(picture.convert("L").getcolors() or [0] * 256) > 10
    texts = "\n".join("".join(node.itertext()) for node in ElementTree.parse(tmp_path / "one.svg").iter())
    for words in ("A title · after a paper", "a card · its driver", "a note", "Times", "rows", "1.5", "64"):
        assert words in texts


def test_figures_are_made_from_reports(monkeypatch, capsys, tmp_path):
    (tmp_path / "in/image").mkdir(parents=True)
    rows = [*image("cooley-tukey-stages", 3.0, 4.0, submit_us=5.0), *image("cooley-tukey", 3.5, 4.5, submit_us=5.0)]
    bench(*rows).write(tmp_path / "in/image/bench.json")
    (tmp_path / "out").mkdir()
    for name in ("rao-1.png", "mine.png"):  # a figure of an earlier run, and a foreign file
        (tmp_path / "out" / name).touch()
    monkeypatch.setattr("sys.argv", ["bench", "--from", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    main()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "claims.md", "figures.md", "mine.png", "mota-13.png", "mota-13.svg",
    }  # fmt: skip
    assert GL.renderer in (tmp_path / "out/claims.md").read_text()
    assert "(mota-13.png)" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["bench", "--from", str(tmp_path / "out"), "--out", str(tmp_path / "more")])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "--from = " in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["bench", "--from", ".", "--tune", "--out", str(tmp_path / "more")])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert unnamed(capsys.readouterr().err, "--from --out") == []


def test_primes_have_raders_convolution_where_it_applies(ctx):
    """13 and 251 allow it, 509 and 16381 do not: the variant would be Bluestein's under another name."""
    primes = prime(ctx, (2, 13, 251, 509, 16381))
    assert [case.size for case in primes if RADER in case.variants] == [13, 251]
    assert all(NAIVE_ANGLES in case.variants for case in primes)


def test_the_longest_primes_are_single_lines(ctx, monkeypatch):
    monkeypatch.setattr("ocean.bench.cases.is_software", lambda ctx: False)
    monkeypatch.setattr("ocean.bench.cases.limits", lambda ctx: replace(limits(ctx), storage_bytes=1 << 31))
    cases = prime(ctx, PRIMES)
    assert [case.batch for case in (cases[0], *cases[-2:])] == [1 << 22, 1, 1]
    assert [case.size.bit_length() for case in cases] == [2, 2, *range(3, 25)]


def test_figures_are_drawn_after_a_bench(ctx, monkeypatch, capsys, tmp_path):
    asked = f"-w rectangle --sizes 16 --backends auto --rounds 6 --peers none --no-cache --figures --out {tmp_path}"
    monkeypatch.setattr("sys.argv", ["bench", *asked.split()])
    main()
    (rectangle,) = (one for one in Bench.read(tmp_path / "bench.json").rows if one.name == "auto")
    assert (rectangle.lines, rectangle.size, rectangle.batch) == (4096, 16, 1)
    assert rectangle.bytes == 2 * 2 * 65536 * 8
    assert "(govindaraju-14.png)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["-w", "rectangle", "--sizes", "65536"], "rectangle 65536"),
        (["-w", "prime", "--sizes", "61,64"], "prime 64"),
        (["-w", "frame", "--sizes", "1024", "--backends", "dft"], "--sizes --backends 1024 dft"),
    ],
)
def test_sizes_that_a_workload_does_not_have_are_refused(ocean_here, tmp_path, arguments, named):
    done = ocean_here("bench", *arguments, "--out", tmp_path / "out")
    assert_refused(done, named)


def test_the_page_of_a_text_lists_statements_with_verdicts(tmp_path, monkeypatch):
    claim = claim_of("mota.radix-4-twice-as-fast")
    source = claim.source
    monkeypatch.setattr(page, "DOCS", tmp_path)
    (tmp_path / "measurements").mkdir()
    bench(*image("stockham-radix2", 1.0), *image("stockham-radix4", 0.3)).write(tmp_path / "measurements/bench.json")
    old = f"before\n<!-- statements of {source} -->\n| old |\n<!-- /statements -->\nafter"
    machines = {"Card": Benches.read(tmp_path / "measurements")}
    text = page.with_statements(old, machines)
    assert text.startswith("before\n")
    assert text.endswith("\nafter")
    rows = {one.key: line for one in CLAIMS for line in text.splitlines() if f"| {one.statement} |" in line}
    assert rows.keys() == {one.key for one in CLAIMS if one.source == source}
    assert unnamed(rows[claim.key], "3.33 × 128 Card (measurements/bench.json) holds") == []
    assert page.with_statements(text, machines) == text


def test_one_report_of_one_machine_judges_a_statement(tmp_path):
    """The report with most samples judges, or with most rows, or else the newest; rows of other reports are added only
    if none has one of its sizes."""

    def written(name, day, *rows):
        made = bench(*rows).model_copy(update={"created": datetime(2026, 11, day, tzinfo=UTC)})
        (tmp_path / name).mkdir(parents=True)
        made.write(tmp_path / name / "bench.json")

    written("a/few", 9, *image("stockham-radix2", 1.0), *image("stockham-radix4", 0.3))
    written("b/older", 1, *image("stockham-radix2", 1.0, 1.0), *image("stockham-radix4", 0.3, 0.3))
    written("b/newer", 2, *image("stockham-radix2", 1.0, 1.0), *image("stockham-radix4", 0.9, 0.9))
    written("b/radix-4", 3, *image("stockham-radix4", 0.3, 0.3, 0.3))
    claim = claim_of("mota.radix-4-twice-as-fast")
    finding, measured = judge(claim, *(Benches.read(tmp_path / name) for name in "ab"))
    assert measured.folders == (str(tmp_path / "b/newer"),)
    assert unnamed(finding.number, "1.11 × 128 256") == []
    assert finding.holds is False
    assert page.is_news(*judge(claim, Benches.read(tmp_path / "a")), finding, measured)  # newer, with another verdict
    assert not page.is_news(finding, measured, finding, measured)

    written(
        "b/large", 1, *(row("image", name, 8192, ms) for name, ms in (("stockham-radix2", 3), ("stockham-radix4", 1)))
    )
    finding, measured = judge(claim, Benches.read(tmp_path / "b"))
    assert {*measured.folders} == {str(tmp_path / "b" / name) for name in ("newer", "large")}
    assert unnamed(finding.number, "1.11 × 128 256 3.00 8192") == []

    written("a/sampled", 1, *(one.model_copy(update={"samples": 30}) for one in bench_of(tmp_path / "a/few")))
    finding, measured = judge(claim, *(Benches.read(tmp_path / name) for name in "ab"))
    assert measured.folders == (str(tmp_path / "a/sampled"),)
    assert page.samples(finding, measured) == ""
    written("c", 1, *(one.model_copy(update={"samples": 6}) for one in bench_of(tmp_path / "a/few")))
    assert unnamed(page.samples(*judge(claim, Benches.read(tmp_path / "c"))), "6 samples") == []


def test_a_report_with_more_libraries_is_preferred_to_more_samples(tmp_path):
    for name, libraries, samples in (("all", ("scipy", "pyfftw"), 6), ("one", ("scipy",), 30)):
        rows = [
            row("cpu", library, 64, 1.0, part=part, workers=1, gflops=rate, samples=samples)
            for library in libraries
            for part, rate in (("lines", 3.0), ("single", 1.0))
        ]
        (tmp_path / name).mkdir()
        bench(*rows).write(tmp_path / name / "bench.json")
    _, measured = judge(claim_of("govindaraju.cpu-line-slower-than-batch"), Benches.read(tmp_path))
    assert measured.folders == (str(tmp_path / "all"),)


def bench_of(folder):
    return Bench.read(folder / "bench.json").rows


def test_reports_of_different_sizes_are_taken_together():
    """Each alone, and all; and never two that have a size in common."""
    pieces = [(bench(row("line", "dft", 1 << n, 1.0)), str(n)) for n in range(1, 21)]
    assert sorted(map(len, disjoint(pieces))) == [1] * 20 + [20]
    both = disjoint([*pieces[:2], (bench(*(one for piece in pieces[1:3] for one in piece[0].rows)), "both")])
    assert {frozenset(folder for _, folder in some) for some in both if len(some) > 1} == {
        frozenset(["1", "both"]),
        frozenset(["1", "2"]),
    }
