"""The folders of configs and assets: beside the package in a checkout, inside it in an installed wheel."""

from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

PACKAGE = Path(__file__).parent.parent
PLACES = (PACKAGE / "_data", PACKAGE.parent)
Quality = Literal["automatic", "software", "low", "high", "ultra"]
"""Configs of qualities: the one that changes levels to hold the display's rate, and the levels, the lowest first.
`high` equals the built-in defaults."""
AUTOMATIC = "automatic"
LEVELS: tuple[str, ...] = get_args(Quality)[1:]


def folder(name: str) -> Path:
    """Return the folder `configs` or `assets`. Raises FileNotFoundError when the installation lacks it."""
    for place in PLACES:
        if (place / name).is_dir():
            return place / name
    raise FileNotFoundError(f"this installation has no folder {name!r}")


def config(name: str) -> Path:
    """Return the TOML file of a name such as `gale`."""
    return folder("configs") / f"{name}.toml"


def font_file() -> Path | None:
    """Return the interface's font, which comes with ImGui's bindings; None where a packager left it out."""
    spec = find_spec("imgui_bundle")
    path = Path(spec.origin).parent / "assets/fonts/Roboto/Roboto-Regular.ttf" if spec and spec.origin else None
    return path if path and path.exists() else None


def presets() -> list[str]:
    return sorted(path.stem for path in folder("configs").glob("*.toml"))
