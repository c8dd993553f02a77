"""The documentation: the site builds without a warning, links lead somewhere, and what it says to type works."""

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from html.parser import HTMLParser
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from pymdownx.slugs import slugify

from ocean.common.parameters import unit_of
from ocean.fft import BACKENDS
from ocean.gpu.timing import ClockTrial
from ocean.settings import Settings
from ocean.settings.explanations import key_paths
from ocean.settings.vocabulary import settings_by_key
from tools import gallery as render

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
JOBS = ("compare-kernels", "read-the-kernels", "tune-a-sea", "watch-frame-times")


class Page(HTMLParser):
    """What a built page has: words, rows of tables, formulas, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.words, self.formulas, self.rows = [], [], 0, []
        self._hidden, self._in_cell = 0, False
        self.feed(path.read_text(encoding="utf-8"))
        self.text = "".join(self.words)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.formulas += tag == "math"
        self._hidden += tag in ("script", "style", "code", "math")
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")
        self._in_cell |= tag == "td"
        if tag in ("script", "img", "iframe") or (tag == "link" and found.get("rel") == "stylesheet"):
            self.loaded.append(found.get("src") or found.get("href") or "")

    def handle_endtag(self, tag):
        self._in_cell &= tag != "td"
        self._hidden -= tag in ("script", "style", "code", "math")

    def handle_data(self, data):
        if not self._hidden:
            self.words.append(data)
        if self._in_cell:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as `make docs` builds it: a link or anchor that leads nowhere, or a page without a place, ends that."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    return {path.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("*.html")}


def test_every_document_is_a_page(site):
    written = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    wanted = {str(path).replace("README", "index") for path in written}
    assert set(site) - wanted == {"404.html", "reference/commands.html", "reference/settings.html"} | {
        f"{path.stem}.html" for path in (ROOT / "docs").glob("*.ipynb")
    }
    assert wanted <= set(site)
    assert {f"how-to/{name}.html" for name in JOBS} <= wanted


def test_formulas_are_mathml_and_nothing_comes_from_elsewhere(site):
    for name, page in site.items():
        assert not re.search(r"\$|\\[a-zA-Z]+|\\\(", page.text.replace("C:\\", "")), name
        assert not [address for address in page.loaded if re.match(r"(https?:)?//", address)], name
    theory = (ROOT / "docs/theory.md").read_text(encoding="utf-8")
    inline = re.findall(r"\$[^$]+\$", re.sub(r"```.*?```|`[^`\n]*`", "", theory, flags=re.DOTALL))
    assert site["theory.html"].formulas == len(inline) + theory.count("```math")


def test_the_reference_has_every_setting(site):
    """By name, unit and meaning, as often as it is declared."""
    rows = [tuple(row) for row in site["reference/settings.html"].rows if len(row) == 5]
    for path, declared in settings_by_key().items():
        key = path.rpartition(".")[2]
        if key == "kind":
            continue
        for field in declared:
            assert any(row[:2] == (key, unit_of(field)) and row[4] == field.description for row in rows), path
    shown = {row[0] for row in rows}
    options = {name for backend in BACKENDS.values() for name in backend.Options.model_fields}
    groups = {"spectrum", "spreading", "options"}
    assert shown == {path.rpartition(".")[2] for path in key_paths(Settings)} - {"kind"} | options | groups


def slugs(path):
    """The anchors of a Markdown file's headings."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL), re.M
    )
    return {slugify(case="lower")(re.sub(r"[`*]", "", heading), "-") for heading in headings}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)\s]+)\)", README))))
def test_the_readmes_links_lead_somewhere(link):
    path, _, anchor = link.partition("#")
    if path.startswith("https://"):
        return
    assert (ROOT / path).exists()
    assert not anchor or anchor in slugs(ROOT / path)


def test_the_readmes_example_runs(ctx, capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {"ctx": ctx}
    exec(re.sub(r"^ctx = .*$", "", block.replace("fft.size=256", "fft.size=64"), flags=re.MULTILINE), names)
    assert capsys.readouterr().out.startswith("(3, 64, 64) ")
    names["sea"].release()


@pytest.fixture
def contexts(context):
    """Whoever makes a context of its own leaves that of the other tests current."""
    yield
    context.__enter__()


def test_the_notebook_prints_what_it_shows(monkeypatch, contexts):
    """Cell by cell, in order, as it stands in the repository; and it draws where it shows a picture."""
    matplotlib.use("agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setitem(plt.rcParams, "figure.dpi", 64)  # so that what the notebook sets is undone
    names = {}
    for cell in json.loads((ROOT / "docs/sea.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        with redirect_stdout(io.StringIO()) as printed:
            exec("".join(cell["source"]), names)
        outputs = cell["outputs"]
        assert printed.getvalue() == "".join("".join(one["text"]) for one in outputs if one["output_type"] == "stream")
        assert len(plt.get_fignums()) == sum("image/png" in one.get("data", {}) for one in outputs)
        plt.close("all")


def test_the_clock_is_quoted_as_doctor_says_it():
    page = (ROOT / "docs/how-to/compare-kernels.md").read_text(encoding="utf-8")
    for trial in (ClockTrial(1.0, 1.0), ClockTrial(1.0, 9.0)):
        assert f"{trial.clock} clock`" in page


def test_make_bench_benches(ocean_here, tmp_path):
    """What the Makefile asks of the program, and what a person adds to it."""
    smaller = f"--sizes 16 --backends stockham-shared --peers none --out {tmp_path}"
    lines = subprocess.run(
        ["make", "-n", "bench", f"ARGS={smaller}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    (line,) = (line for line in lines if "app.py bench" in line)
    done = ocean_here(*line.split("app.py ")[1].split())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bench.json").exists()


SMALLER = {
    "capture": "--config ci --frames 6 --warmup 1 --resolution 32x32 --set fft.size=32",
    "matrix": "--config ci --frames 6 --warmup 1 --resolution 32x32",
    "bench": "--sizes 32 --rounds 6 --backends stockham-registers,stockham-shared,dft --peers none",
    "export": "--duration 0.1 --size 32 --set fft.size=32 --config ci",
}
"""What is put behind a documented line, so that it takes seconds."""
LOOSE = dict.fromkeys(("diff", "capture", "matrix"), (0, 3))  # with a baseline of so few samples anything may come out


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*(f"how-to/{name}" for name in JOBS), "tutorials/first-sea", "tutorials/compare-two-ffts"]
)
def test_a_page_can_be_followed(name, tmp_path):
    """Its files and its commands from top to bottom, but for the window's, in a shell."""
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    for table in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[:1]:
        (tmp_path / "my-sea.toml").write_text(table, encoding="utf-8")
    (tmp_path / "out/stored").mkdir(parents=True)
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for language, block in blocks if not language for line in block.splitlines()]
    lines += re.findall(r"`((?:seq[^`]*\| )?python app\.py transform [^`]*)`", text)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}  # where a tuned plan lies is its own
    done = 0
    for line in lines:
        if not re.search(r"python app\.py (?!window)|^seq", line):
            continue
        found = re.search(r"app\.py (?:report |config )?(\w+)", line)
        word = "matrix" if "--matrix" in line else found[1] if found else ""
        line = line.replace("\\|", "|").replace("python app.py", f"{sys.executable} {ROOT / 'app.py'}")
        if word == "matrix":
            line = re.sub(r"fft\.size=[\d,]+", "fft.size=32,64", line)
        if word == "export":
            line = re.sub(r"--resolution \d+x\d+", "--resolution 64x36", line)
        run = subprocess.run(
            f"{line} {SMALLER.get(word, '')}",
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert run.returncode in LOOSE.get(word, (0,)), f"{line}\n{run.stdout}\n{run.stderr}"
        if word == "bench":  # as a job that stores what it has measured
            (tmp_path / "out/stored/bench.json").write_bytes(next(tmp_path.glob("out/*/bench.json")).read_bytes())
        done += 1
    assert done >= 3


def test_the_gallerys_page_shows_its_scenes():
    """Twelve, each with its picture and what gives it away."""
    folder, scenes = ROOT / "docs/gallery", render.scenes()
    assert (folder / "README.md").read_text(encoding="utf-8") == render.page()
    assert len(scenes) == 12
    for scene in scenes:
        assert (folder / f"{scene['name']}.jpg").stat().st_size > 10_000
        assert scene["flaw"]
