"""Where configs and assets lie: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path

from ocean.common.errors import InputError

PACKAGE = Path(__file__).parent.parent
PLACES = (PACKAGE / "_data", PACKAGE.parent)
LEVELS = ("software", "low", "high", "ultra")
"""Configs that are levels of quality, the lowest first; `high` is what the built-in defaults are."""


def folder(name: str) -> Path:
    """The folder `configs` or `assets`.

    Raises:
        FileNotFoundError: when the installation lacks it.
    """
    for place in PLACES:
        if (place / name).is_dir():
            return place / name
    raise FileNotFoundError(f"this installation has no folder {name!r}")


def config(name: str) -> Path:
    """The TOML file of a name such as `gale`."""
    return folder("configs") / f"{name}.toml"


def presets() -> list[str]:
    """The names of all configs."""
    return sorted(path.stem for path in folder("configs").glob("*.toml"))


TOOLS_MISSING = "needs the folder `tools` of a checkout, which this installation lacks"


def has_tools() -> bool:
    """Return whether the authors' tools are there: in a checkout, and not in an installed wheel."""
    return (PACKAGE.parent / "tools" / "papers").is_dir()


def need_tools(what: str) -> None:
    """Raise InputError where the authors' tools are missing that `what` needs."""
    if not has_tools():
        raise InputError(f"{what} {TOOLS_MISSING}")
