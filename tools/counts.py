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
GRAPHICS = {"moderngl", "glcontext", "moderngl_window"}

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


def functions(node: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]


def rows() -> list[tuple[str, str, str]]:
    """Return the name of each count, its value at commit 5704ee32, and its value in this checkout."""
    files = tracked("ocean/*.py")
    texts = [path.read_text(encoding="utf-8") for path in files]
    trees = [ast.parse(text) for text in texts]
    classes = {
        node.name: sum(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body)
        for node in chain.from_iterable(map(ast.walk, trees))
        if isinstance(node, ast.ClassDef)
    }
    largest = max(classes, key=lambda name: classes[name])
    lengths = [one.end_lineno - one.lineno + 1 for tree in trees for one in functions(tree) if one.end_lineno]
    loaded = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = loaded.stdout.split()
    ours = [name for name in modules if name.split(".")[0] == "ocean"]
    graphics = "yes" if GRAPHICS & {*modules} else "no"
    of_tools = [module for module, names in imports().items() if any(one.split(".")[0] == "tools" for one in names)]
    circles, ignores = len(in_circles()), sum(text.count("type: ignore") for text in texts)
    reports = tracked("docs/measurements")
    megabytes = sum(path.stat().st_size for path in reports) / 1e6
    code = "\n".join(texts)
    return [
        ("lines; files of Python in `ocean/`", "34,127; 253", f"{lines(files):,}; {len(files)}"),
        (
            "mean lines of a file; of a function",
            "134; 8.1",
            f"{lines(files) / len(files):.0f}; {sum(lengths) / len(lengths):.1f}",
        ),
        ("methods of the largest class", "92 (`Desktop`)", f"{classes[largest]} (`{largest}`)"),
        (
            "modules of `ocean` that `import ocean.settings` loads; with a GL library",
            "66; yes",
            f"{len(ours)}; {graphics}",
        ),
        ("files in circles of imports; files of `ocean/` that import `tools`", "3; 3", f"{circles}; {len(of_tools)}"),
        ("`cast(`; `type: ignore` in `ocean/`", "20; 17", f"{len(re.findall(CAST, code))}; {ignores}"),
        ("lines of Python in `tests/`", "33,786", f"{lines(tracked('tests/*.py')):,}"),
        ("lines of Python in `tools/`", "9,603", f"{lines(tracked('tools/*.py')):,}"),
        ("files; MB in `docs/measurements`", "303; 13.6", f"{len(reports)}; {megabytes:.1f}"),
    ]


if __name__ == "__main__":
    table = "\n".join(markdown_lines(["", "before", "now"], rows()))
    print(table)
    text = PAGE.read_text(encoding="utf-8")
    marked = re.sub(r"(?<=<!-- counts -->\n).*?(?=\n<!-- /counts -->)", table, text, flags=re.DOTALL)
    PAGE.write_text(marked, encoding="utf-8")
