"""Imports between packages go to lower packages only, without a cycle."""

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from ocean.render.debug_views import DEBUG_VIEWS
from ocean.settings import DebugViewName
from tools.counts import HOMES, imports, in_circles

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "common": "",
    "gpu": "common",
    "waves": "common",
    "fft": "gpu common",
    "settings": "fft waves common",
    "light": "common",
    "sea": "settings fft waves gpu common",
    "validation": "sea settings waves gpu",
    "render": "validation sea light settings waves gpu common",
    "bench": "render sea settings fft gpu common",
    "export": "render validation sea light settings fft waves gpu common",
    "capture": "render validation settings fft gpu common",
    "window": "capture export bench render validation sea settings fft waves gpu common",
    "cli": "window capture export bench render validation settings fft gpu common",
}
"""Packages that each package may import. A line names only packages of lines above it."""

WITHOUT = {
    "common waves light settings capture.report": "moderngl moderngl_window imgui_bundle",
    "gpu fft sea validation render capture bench export cli": "moderngl_window imgui_bundle",
    "window.camera": "moderngl moderngl_window",
}
"""Libraries that parts of the program do without."""


def package_of(module):
    """Return the package of a module, or "the public face" for a name of `ocean` itself."""
    if module.removeprefix("ocean.") in HOMES:
        return "the public face"
    return module.split(".")[1] if module.startswith("ocean.") else module.split(".")[0]


def test_the_root_holds_nothing_but_packages():
    files = {path.name for path in (ROOT / "ocean").iterdir() if path.is_file()}
    folders = {path.name for path in (ROOT / "ocean").iterdir() if any(path.rglob("*.py"))}
    assert files == {"__init__.py", "__init__.pyi", "__main__.py", "notebook.py", "py.typed"}
    assert folders - {"__pycache__"} == ALLOWED.keys()


def test_allowed_imports_go_down_without_circles():
    above = set()
    for package, below in ALLOWED.items():
        assert set(below.split()) <= above, f"{package} may import what stands beside or above it"
        above.add(package)


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_only_from_below(package):
    allowed = {package, *ALLOWED[package].split()}
    for module, names in imports().items():
        if package_of(module) == package:
            wrong = [name for name in names if name.startswith("ocean.") and package_of(name) not in allowed]
            assert not wrong, f"{module} imports {wrong}"


@pytest.mark.parametrize("package", ["ocean", "tools"])
def test_no_modules_import_each_other_in_a_circle(package):
    assert in_circles(package) == []


def test_the_program_imports_no_tools():
    assert [module for module, names in imports().items() if any(package_of(x) == "tools" for x in names)] == []


@pytest.mark.parametrize(("parts", "libraries"), WITHOUT.items())
def test_parts_load_without_optional_libraries(parts, libraries):
    for module, names in imports().items():
        if any(f"{module}.".startswith(f"ocean.{part}.") for part in parts.split()):
            found = {name.split(".")[0] for name in names} & set(libraries.split())
            assert not found, f"{module} imports {found}"


def users_of(library):
    """Return the modules that import a library."""
    return {module for module, names in imports().items() if any(name.split(".")[0] == library for name in names)}


def test_pyrr_lives_in_the_camera():
    assert users_of("pyrr") == {"ocean.render.camera"}


def test_the_interface_draws_through_one_module():
    interface = {module for module in users_of("moderngl") if module.startswith("ocean.window.ui.")}
    assert interface == {"ocean.window.ui.renderer", "ocean.window.ui.interface"}


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("ocean", ["moderngl", "numpy"]),
        ("ocean.waves", ["moderngl"]),
        ("ocean.cli", ["moderngl", "numpy", "imgui_bundle", "matplotlib"]),
        ("ocean.capture.run", ["imgui_bundle", "matplotlib", "scipy"]),
        ("ocean.window.session", ["matplotlib", "scipy"]),
    ],
)
def test_heavy_imports_are_lazy(module, absent):
    code = f"import sys, {module}; print([name for name in {absent} if name in sys.modules])"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert result.stdout.strip() == "[]"


def test_each_debug_view_of_the_settings_exists():
    assert tuple(DEBUG_VIEWS) == get_args(DebugViewName)
