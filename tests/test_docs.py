"""The documentation: the site builds without a warning, links lead somewhere, and the commands on its pages work."""

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from pymdownx.slugs import slugify

import ocean
from ocean.settings.vocabulary import settings_by_key

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
JOBS = ("compare-kernels", "read-the-kernels", "tune-a-sea", "watch-frame-times")


def test_pictures_take_ten_megabytes_at_most():
    """A clone brings all pictures with it."""
    found = [path for name in ("docs", "assets", "tests") for path in (ROOT / name).rglob("*.*")]
    pictures = [path for path in found if path.suffix in {".png", ".jpg", ".webp", ".svg", ".gif"}]
    assert 0 < sum(path.stat().st_size for path in pictures) <= 10e6


@pytest.mark.slow  # which .ci/run builds by itself
def test_the_site_builds_with_every_page_and_every_setting(tmp_path):
    """A link or an anchor that leads nowhere, or a page without a place, ends the build. Pages load nothing from other
    hosts, and the reference names every setting."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", tmp_path]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_SEARCH": "false", "SITE_TABLES": "false"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=environment)
    assert built.returncode == 0, built.stderr
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    written = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {str(path).replace("README", "index") for path in written} <= set(pages)
    for name, page in pages.items():
        assert not re.search(r"<(?:script|img|iframe)[^>]* src=.?(?:https?:)?//", page), name
    entries = re.findall(
        r'<a href="([^"#]+)" class="md-nav__link.*?<span class="md-ellipsis">(.*?)</span>', pages["index.html"], re.S
    )
    titles = [re.sub(r"<[^>]+>", "", title).strip() for _, title in set(entries)]
    assert len(titles) > 50
    assert len(set(titles)) == len(titles)
    for name in set(ocean.__all__) - {"__version__"}:
        assert f'id="ocean.{name}"' in pages["reference/python.html"]
    assert pages["theory/spectra.html"].count("<math") > 10
    for key in settings_by_key():
        assert re.search(rf"\b{key.rpartition('.')[2]}\b", pages["reference/settings.html"]), key


def test_files_that_pages_name_are_there():
    """Files of the backend that a tutorial adds are left out."""
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")}
    named = {
        (page.name, path)
        for page, text in pages.items()
        for path in re.findall(r"`((?:ocean|tests|tools|examples|assets)/[\w./-]+\.\w+)`", text)
    }
    assert len(named) > 50
    assert {path for _, path in named if not (ROOT / path).exists()} == {
        "ocean/fft/gentleman_sande.py",
        "ocean/shaders/fft/gentleman_sande.comp",
    }


def test_sources_of_the_theory_are_listed():
    """An author and a year, as in *Rice 1945* or *Koepke (1984)*, has an entry of that author and year."""
    entries = re.split(r"\n- ", (ROOT / "docs/theory/sources.md").read_text(encoding="utf-8"))
    listed = {
        (found[1], found[2]) for entry in entries if (found := re.match(r"([^\s,.]+).*?\((\d{4})\)", entry, re.S))
    }
    name = r"[A-ZÁ](?:'[A-Z])?[\w-]+"
    cited = rf"({name})(?:, {name})*(?: and {name}| et al\.)?(?:'s)? \(?((?:18|19|20)\d\d)\b"
    missing = {
        (page.name, *found)
        for page in (ROOT / "docs/theory").glob("*.md")
        for found in re.findall(cited, " ".join(page.read_text(encoding="utf-8").split()))
        if found not in listed and page.name != "sources.md"
    }
    assert missing == set()


def slugs(path):
    """Return the anchors of a Markdown file's headings."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {slugify(case="lower")(re.sub(r"[`*]", "", line), "-") for line in re.findall(r"^#+ (.*)$", text, re.M)}


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


def test_the_example_of_functions_runs(ctx):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.DOTALL)
    names = {"ctx": ctx}
    exec(next(block for block in blocks if "fft.rfft2" in block), names)
    spectrum = np.fft.rfft2(names["picture"])
    spectrum[..., 40:, :] = 0
    np.testing.assert_allclose(names["smooth"], np.fft.irfft2(spectrum, names["picture"].shape[1:]), atol=1e-4)


@pytest.fixture
def contexts(context):
    """Whoever makes a context of its own leaves that of the other tests current."""
    yield
    context.__enter__()


def test_the_notebook_prints_what_it_shows(monkeypatch, contexts):
    """Each cell prints what the repository shows, in order, and draws where there is a picture."""
    matplotlib.use("agg")
    plt.close("all")  # of other tests
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


SMALLER = {
    "capture": "--config ci --frames 6 --warmup 1 --resolution 32x32 --set fft.size=32",
    "matrix": "--config ci --frames 6 --warmup 1 --resolution 32x32",
    "bench": "--sizes 32 --rounds 6 --backends stockham-registers,stockham-shared,dft --peers none",
    "export": "--size 32 --set fft.size=32 --config ci",
}
"""Options added to a documented line, so that it takes seconds."""
LOOSE = dict.fromkeys(("diff", "capture", "matrix"), (0, 3))  # with a baseline of so few samples anything may come out


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*(f"how-to/{name}" for name in JOBS), "tutorials/first-sea", "tutorials/compare-two-ffts"]
)
def test_a_page_can_be_followed(name, tmp_path):
    """The page's files and commands run in a shell from top to bottom, but for the window's."""
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
            line += " --fps 0.2" if "--loop" in line else " --duration 0.1"  # a loop takes whole periods
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
