"""The graph of imports: which modules import which, and the circles among them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ocean

ROOT = Path(__file__).parents[1]
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
