"""The counts of docs/architecture.md as a Markdown table, from the files that git tracks: `python -m tools.counts`."""

import ast
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

from ocean.common.records import markdown_lines
from tools.imports import imports, in_circles

ROOT = Path(__file__).parents[1]
LOADED = "import sys, ocean.settings; print(*sys.modules)"
CAST = r"\bcast\("
GRAPHICS = {"moderngl", "glcontext", "moderngl_window"}


def tracked(pattern: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def lines(paths: list[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def functions(node: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]


def rows() -> list[tuple[str, str]]:
    """Return names and values of the counts."""
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
    reports = tracked("docs/measurements")
    megabytes = sum(path.stat().st_size for path in reports) / 1e6
    code = "\n".join(texts)
    return [
        ("lines; files of Python in `ocean/`", f"{lines(files):,}; {len(files)}"),
        ("mean lines of a file; of a function", f"{lines(files) / len(files):.0f}; {sum(lengths) / len(lengths):.1f}"),
        ("methods of the largest class", f"{classes[largest]} (`{largest}`)"),
        ("modules of `ocean` that `import ocean.settings` loads; with a GL library", f"{len(ours)}; {graphics}"),
        ("files in circles of imports; files of `ocean/` that import `tools`", f"{len(in_circles())}; {len(of_tools)}"),
        ("`cast(`; `type: ignore` in `ocean/`", f"{len(re.findall(CAST, code))}; {code.count('type: ignore')}"),
        ("lines of Python in `tests/`", f"{lines(tracked('tests/*.py')):,}"),
        ("lines of Python in `tools/`", f"{lines(tracked('tools/*.py')):,}"),
        ("files; MB in `docs/measurements`", f"{len(reports)}; {megabytes:.1f}"),
    ]


if __name__ == "__main__":
    print("\n".join(markdown_lines(["", "now"], rows())))
