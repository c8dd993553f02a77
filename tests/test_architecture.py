"""Who may know whom: arrows only go down."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ocean.settings import VIEWS
from ocean.stages import STAGES

PACKAGE = Path(__file__).parent.parent / "ocean"
LEVELS = [
    {"cli"},
    {"diff", "matrix", "opening", "sweep"},
    {"desktop", "comparing", "first_start", "last_state", "studio", "capture", "doctor", "transform", "image", "bench"}
    | {"export.run", "export.options"},
    {"export"},
    {"ui", "tables", "plots", "timeline", "render.frame", "samples", "trace"},
    {"render"},
    {"gauge"},
    {"simulation"},
    {"worker", "query", "survey", "host"},
    {"foam_rules"},
    {"cascades", "spectrum_textures"},
    {"spectrum", "foam", "maps"},
    {"tuned"},
    {"movie"},
    {"baseline", "changes", "files", "frames", "quality", "reference", "report", "settings", "vocabulary"},
    {"trees"},
    {"sea_settings", "stages"},
    {"cuda"},
    {"fft", "waves", "light"},
    {"gpu"},
    {"explanations"},
    {"common", "parameters", "processors", "resources"},
]
ABOVE_NOTHING = {"", "__init__"}


def level_of(module):
    for depth, names in enumerate(LEVELS):
        if module in names:
            return depth
    parent = module.rpartition(".")[0]
    return level_of(parent) if parent else None


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        yield name, path


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value))
def test_arrows_go_down(module, path):
    if module in ABOVE_NOTHING:
        return
    depth = level_of(module)
    assert depth is not None, f"{module} has no level; give it one"
    for name in imports(path):
        if name.startswith("ocean.") and (target := level_of(name.removeprefix("ocean."))) is not None:
            assert target >= depth, f"{module} imports {name}, which stands above it"


FORBIDDEN = {
    "waves": ("moderngl", "ocean.gpu", "ocean.fft"),
    "light": ("moderngl", "ocean.gpu", "ocean.fft", "ocean.waves"),
    "gpu": ("ocean.waves", "ocean.settings", "moderngl_window", "imgui_bundle"),
    "fft": ("ocean.waves", "ocean.settings"),
    "simulation": ("moderngl_window", "imgui_bundle"),
    "spectrum": ("moderngl_window", "imgui_bundle"),
    "foam": ("moderngl_window", "imgui_bundle"),
    "gauge": ("moderngl_window", "imgui_bundle"),
    "survey": ("moderngl", "moderngl_window", "imgui_bundle"),
    "query": ("moderngl_window", "imgui_bundle"),
    "render": ("moderngl_window", "imgui_bundle"),
    "ui.panel": ("moderngl",),
    "ui.overlay": ("moderngl",),
    "ui.truth": ("moderngl",),
    "ui.comparison": ("moderngl",),
    "ui.journey": ("moderngl", "moderngl_window", "imgui_bundle"),
    "ui.undo": ("moderngl", "moderngl_window", "imgui_bundle"),
    "movie": ("moderngl", "moderngl_window", "imgui_bundle"),
}


@pytest.mark.parametrize(("part", "names"), FORBIDDEN.items())
def test_parts_keep_to_themselves(part, names):
    for module, path in modules():
        if module == part or module.startswith(part + "."):
            found = [name for name in imports(path) if name.split(".")[0] in names or name.startswith(tuple(names))]
            wanted = [name for name in found if not (names == ("moderngl",) and name.startswith("moderngl_"))]
            assert not wanted, f"{module} imports {wanted}"


def test_pyrr_lives_in_the_camera():
    users = [module for module, path in modules() if any(name.split(".")[0] == "pyrr" for name in imports(path))]
    assert users == ["render.camera"]


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("ocean", ["moderngl", "numpy"]),
        ("ocean.waves", ["moderngl"]),
        ("ocean.cli", ["moderngl", "numpy", "imgui_bundle", "matplotlib"]),
        ("ocean.capture", ["imgui_bundle", "matplotlib", "scipy"]),
        ("ocean.opening", ["matplotlib", "scipy"]),
    ],
)
def test_heavy_imports_are_lazy(module, absent):
    code = f"import sys, {module}; print([name for name in {absent} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE.parent, check=True)
    assert result.stdout.strip() == "[]"


def test_each_view_of_the_settings_has_a_stage():
    assert tuple(STAGES) == VIEWS
