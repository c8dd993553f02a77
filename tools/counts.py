"""The graph of imports, and the counts of docs/architecture.md, from the files that git tracks. Prints the counts and
writes them into the page: `python -m tools.counts`."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import ocean
from ocean.common.records import markdown_lines

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/architecture.md"
LOADED = "import sys, ocean.settings; print(*sys.modules)"
CAST = r"\bcast\("
LONG = 40  # lines of a function
GRAPHICS = {"moderngl", "glcontext", "moderngl_window"}

FACES = {"ocean", "ocean.__main__", "ocean.notebook"}  # modules that no package uses
HOMES = {*ocean.__all__} - {"__version__"}
"""Names of `ocean` that load modules of its packages, which therefore use none of them."""


@cache
def imports(package: str = "ocean") -> dict[str, list[str]]:
    """Return the sorted names of the modules that each module of a package imports, inside functions too."""
    paths = sorted((ROOT / package).rglob("*.py"))
    known = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}

    def names(path: Path) -> Iterator[str]:
        folder = path.relative_to(ROOT).parent.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                above = folder[: len(folder) - node.level + 1] if node.level else ()
                source = ".".join((*above, *filter(None, [node.module])))
                for alias in node.names:
                    part = f"{source}.{alias.name}"
                    yield part if part in known or (source == "ocean" and alias.name in HOMES) else source
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
                "import_module",
                "resolve_name",
            ):
                yield from (str(one.value).split(":")[0] for one in node.args if isinstance(one, ast.Constant))

    return {module: sorted(set(names(path))) for module, path in known.items()}


def in_circles(package: str = "ocean") -> list[str]:
    """Return the modules of a package that import each other in circles, or lead from one to another."""
    known = imports(package)
    below = {module: {name for name in names if name in known} for module, names in known.items()}
    below.pop("ocean", None)  # the public face, which loads its names when they are first used
    while leaves := [module for module, names in below.items() if not names & below.keys()]:
        for leaf in leaves:
            del below[leaf]
    return sorted(below)


def tracked(pattern: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def lines(paths: list[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def arrows() -> tuple[int, int]:
    """Return how many modules import another one, counted in pairs, and how many packages; without the public faces."""
    inner = {module: names for module, names in imports().items() if module not in FACES}
    pairs = {(module, name) for module, names in inner.items() for name in names if name in inner}
    packages = {(module.split(".")[1], name.split(".")[1]) for module, name in pairs}
    return len(pairs), sum(one != other for one, other in packages)


def methods(node: ast.ClassDef) -> int:
    return sum(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body)


def rows() -> list[tuple[str, str, str, str]]:
    """Return the name of each count, its value at commit 5704ee32, its target, and its value in this checkout."""
    files = tracked("ocean/*.py")
    texts = [path.read_text(encoding="utf-8") for path in files]
    nodes = [*chain.from_iterable(ast.walk(ast.parse(text)) for text in texts)]
    largest = max((node for node in nodes if isinstance(node, ast.ClassDef)), key=lambda node: methods(node))
    lengths = [
        node.end_lineno - node.lineno + 1
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    ]
    loaded = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = loaded.stdout.split()
    ours = [name for name in modules if name.split(".")[0] == "ocean"]
    graphics = "yes" if GRAPHICS & {*modules} else "no"
    of_tools = [module for module, names in imports().items() if any(one.split(".")[0] == "tools" for one in names)]
    circles, ignores = len(in_circles()), sum(text.count("type: ignore") for text in texts)
    reports = tracked("docs/measurements")
    megabytes = sum(path.stat().st_size for path in reports) / 1e6
    mean, long = sum(lengths) / len(lengths), sum(length > LONG for length in lengths) / len(lengths)
    casts = len(re.findall(CAST, "\n".join(texts)))
    return [
        ("lines of Python in `ocean/`", "34,127", "28,500", f"{lines(files):,}"),
        ("files of Python in `ocean/`", "253", "170", f"{len(files)}"),
        (
            f"lines of a function: mean; more than {LONG}",
            "8.1; 0.9 %",
            "",
            f"{mean:.1f}; {long:.1%}".replace("%", " %"),
        ),
        ("methods of the largest class", "92 (`Desktop`)", "40", f"{methods(largest)} (`{largest.name}`)"),
        (
            "modules of `ocean` that `import ocean.settings` loads; with a GL library",
            "66; yes",
            "12; no",
            f"{len(ours)}; {graphics}",
        ),
        (
            "files in circles of imports; files of `ocean/` that import `tools`",
            "3; 3",
            "0; 0",
            f"{circles}; {len(of_tools)}",
        ),
        ("imports between modules; between packages", "1,308; 65", "", "{:,}; {}".format(*arrows())),
        ("`cast(`; `type: ignore` in `ocean/`", "20; 17", "5; 8", f"{casts}; {ignores}"),
        ("lines of Python in `tests/`", "33,786", "26,000", f"{lines(tracked('tests/*.py')):,}"),
        ("lines of Python in `tools/`", "9,603", "6,500", f"{lines(tracked('tools/*.py')):,}"),
        ("files; MB in `docs/measurements`", "303; 13.6", "100; 5", f"{len(reports)}; {megabytes:.1f}"),
    ]


if __name__ == "__main__":
    table = "\n".join(markdown_lines(["", "before", "target", "now"], rows()))
    print(table)
    text = PAGE.read_text(encoding="utf-8")
    marked = re.sub(r"(?<=<!-- counts -->\n).*?(?=\n<!-- /counts -->)", table, text, flags=re.DOTALL)
    PAGE.write_text(marked, encoding="utf-8")
