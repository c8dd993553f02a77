"""The documentation: the site builds, links lead somewhere, and programs and commands on its pages run."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from typer.main import get_command

import ocean
from ocean import fft
from ocean.cli import app
from ocean.export.run import export
from ocean.sea.host import HostSea
from ocean.settings.vocabulary import settings_by_key
from tools.site.command_line import command_line
from tools.site.settings import settings
from tools.tables import pages

from .export.plans import plan

ROOT = Path(__file__).parents[1]
PATHS = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PATHS}


def blocks(text, language=""):
    """Return the blocks of code of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.slow  # which .ci/run builds by itself
def test_the_site_builds_and_names_every_setting(tmp_path):
    """A broken link or anchor ends the build."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", tmp_path]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_SEARCH": "false", "SITE_TABLES": "false"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, env=environment)
    assert built.returncode == 0, built.stderr
    reference = (tmp_path / "reference/settings.html").read_text("utf-8")
    assert [key for key in settings_by_key() if not re.search(rf"\b{key.split('.')[-1]}\b", reference)] == []


@pytest.mark.parametrize(("page", "make"), [("settings", settings), ("commands", command_line)])
def test_references_are_as_generated(page, make):
    """`python -m tools.site.settings` writes them."""
    assert PAGES[f"docs/reference/{page}.md"] == make()


def anchors(text):
    """Return the anchors that GitHub and mkdocs make of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    made = {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in headings}
    return made | {re.sub("-+", "-", one) for one in made}


def test_tables_of_transforms_are_those_of_the_report():
    """`python -m tools.tables` writes them."""
    assert {path: path.read_text("utf-8") for path in pages()} == pages()


def links(text):
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^ *```.*?^ *```|`[^`\n]*`", "", text, flags=re.M | re.S))


def test_every_report_is_cited_by_a_page():
    pages = {page: text for page, text in PAGES.items() if page != "docs/measurements/README.md"}
    cited = {(ROOT / page).parent.joinpath(one).resolve() for page, text in pages.items() for one in links(text)}
    reports = {path for path in (ROOT / "docs/measurements").rglob("*") if path.suffix in (".json", ".txt")}
    assert reports - cited == set()


def test_no_link_is_dead_in_a_checkout():
    """Links lead to files of the checkout, and to headings of its pages."""
    dead = []
    for page, text in PAGES.items():
        for target in links(text):
            name, _, anchor = target.partition("#")
            path = (ROOT / page).parent / name if name else ROOT / page
            if re.match(r"[a-z]+:", target) or (path.exists() and not anchor):
                continue
            key = path.resolve().relative_to(ROOT).as_posix()
            if not path.exists() or (key in PAGES and anchor not in anchors(PAGES[key])):
                dead.append(f"{page}: {target}")
    assert dead == []


def test_no_page_installs_from_the_index_a_name_that_is_not_registered():
    assert [page for page, text in PAGES.items() if re.search(r"\binstall\s+\S*fft-ocean", text)] == []


def test_files_named_by_pages_exist():
    """The two files of the backend that a tutorial adds are missing. Links of the README are not part of the site."""
    pattern = r"`((?:ocean|tests|tools|examples|assets)/[\w./-]+\.\w+)`"
    named = {path for text in PAGES.values() for path in re.findall(pattern, text)}
    named |= set(re.findall(r"\]\(([^)#:\s]+)[)#]", PAGES["README.md"]))
    assert {Path(path).stem for path in named if not (ROOT / path).exists()} == {"gentleman_sande"}


COMMANDS = {
    f"{page}: {found[1].strip()}"
    for page, text in PAGES.items()
    for line in "".join(re.findall(r"^ *```.*?^ *```", text, re.DOTALL | re.MULTILINE)).splitlines()
    if (found := re.search(r"(?:python -m ocean|^ocean) (?!-)([^>|#\"]+)", line))
}


@pytest.mark.parametrize("line", sorted(COMMANDS))
def test_documented_commands_parse(line):
    name, *arguments = shlex.split(line.partition(": ")[2])
    command = get_command(app).commands[name]
    while hasattr(command, "commands"):
        command = command.commands[arguments.pop(0)]
    command.make_context(name, arguments)


@pytest.mark.parametrize(("page", "printed"), [("README.md", "(3, 64, 64)"), ("docs/python.md", "at 12.5 s")])
def test_documented_python_runs(ctx, capsys, page, printed):
    code = "".join(blocks(PAGES[page], "python")).replace("fft.size=256", 'fft.size=64", "foam.resolution=64')
    code = code.replace("243", "27").replace("361", "25")
    code = re.sub(r"^ctx = .*$", "", code, flags=re.MULTILINE).replace("if query", "ctx.finish()\nif query")
    names = {"ctx": ctx}
    exec(code, names)
    assert printed in capsys.readouterr().out
    names["sea"].release()


OF_THE_SOURCE = {"docs/tutorials/add-a-backend.md", "docs/theory/nonlinear.md"}  # show how the program works inside
SHOWN = {page: "".join(blocks(text, "python")) for page, text in PAGES.items() if page not in OF_THE_SOURCE}
SHOWN |= {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "examples").glob("*.py")}
SHOWN["docs/sea.ipynb"] = "".join(
    "".join(cell["source"]) + "\n"
    for cell in json.loads((ROOT / "docs/sea.ipynb").read_text("utf-8"))["cells"]
    if cell["cell_type"] == "code" and "%" not in "".join(cell["source"])
)


@pytest.mark.parametrize("page", sorted(page for page, code in SHOWN.items() if "ocean" in code))
def test_readers_are_shown_promised_names(page):
    promised = {"ocean": {*ocean.__all__, "fft"}, "ocean.fft": {*fft.__all__}}
    promised["ocean.notebook"] = {"OceanView"}  # apart, because it needs an extra
    for node in ast.walk(ast.parse(SHOWN[page])):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("ocean"):
            assert {one.name for one in node.names} <= promised.get(node.module, set())


@pytest.fixture
def run_notebook(monkeypatch, context):
    """Yield a function that runs the cells of a notebook of docs and returns its variables."""
    plt.switch_backend("agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.setitem(plt.rcParams, "figure.dpi", 64)  # so that what the notebook sets is undone

    def run(name):
        names = {}
        for cell in json.loads((ROOT / "docs" / name).read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
        return names

    yield run
    plt.close("all")
    context.__enter__()  # the notebook may have made another current


def test_the_notebook_measures_the_promised_sea(run_notebook):
    names = run_notebook("sea.ipynb")
    assert np.mean(names["heights"]) == pytest.approx(names["promised"], rel=0.05)
    assert names["difference"] < 1e-5


def test_the_notebook_finds_the_height_of_an_exported_sea(run_notebook, tmp_path, monkeypatch):
    wanted = plan("sea.crests=first-order", format="zarr", fps=1.0, frames=4)
    export(wanted, tmp_path)
    monkeypatch.setenv("SEA", str(tmp_path))
    names = run_notebook("wave-height.ipynb")
    sea = HostSea(wanted.settings)
    sea.update(wanted.time(3))
    height = 4 * np.sqrt(sea.fields()["height"].var(axis=(1, 2), dtype="f8").sum())
    assert names["hs"].values[3] == pytest.approx(height, rel=1e-5)
    names["sea"].close()


SMALLER = {  # options that make a documented line take seconds
    "capture": "--config ci --frames 6 --warmup 1 --resolution 32x32",
    "bench": "--sizes 32 --rounds 6 --backends stockham-registers,stockham-shared --peers none",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["how-to/compare-kernels", "how-to/watch-frame-times", "tutorials/first-sea", "tutorials/compare-two-ffts"]
)
def test_commands_of_a_page_run(page, tmp_path):
    """The commands run in a shell from top to bottom, except the window's; a comparison may find something slower."""
    text = PAGES[f"docs/{page}.md"]
    (tmp_path / "my-sea.toml").write_text("".join(blocks(text, "toml")))
    lines = re.findall(r"^(?:seq|python -m ocean (?!window)).*$", "".join(blocks(text)), re.MULTILINE)
    assert lines
    for line in lines:
        more = next((options for name, options in SMALLER.items() if f"-m ocean {name} " in line), "")
        command = line.replace("python -m ocean", f"{sys.executable} -m ocean")
        command = re.sub(r"fft\.size=[\d,]+", "fft.size=32,64", command)
        run = {
            "shell": True,
            "cwd": tmp_path,
            "env": {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)},
        }
        done = subprocess.run(f"{command} {more}", **run, capture_output=True, text=True, timeout=300)
        assert done.returncode in (0, 3, 6), f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.slow
def test_the_backend_of_the_tutorial_takes_three_files_and_passes_the_tests_of_backends(tmp_path):
    tutorial = PAGES["docs/tutorials/add-a-backend.md"]
    for name in ("ocean", "configs", "assets", "tests", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    written = re.findall(r"Write `(\S+)`:\n\n```\w+\n(.*?)```", tutorial, re.DOTALL)
    assert len(written) == 2  # beside the registry
    for path, code in written:
        (tmp_path / path).write_text(code)
    registry = tmp_path / "ocean/fft/options.py"
    for line, added in re.findall(r"```diff\n (.*\n)\+(.*\n)```", tutorial):
        registry.write_text(registry.read_text().replace(line, line + added))
    (tests,) = re.findall(r'make test ARGS="(tests.*?)"', tutorial)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout
