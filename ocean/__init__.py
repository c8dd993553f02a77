"""The FFT ocean. `Sea` computes it on a GPU, `Settings` and `load_settings` say what it is like.

The names load when they are first used, so that the parts that need no GPU (`ocean.waves`) import without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ocean.sea.sea import Sea
    from ocean.settings import Settings, load_settings

__version__ = "0.1.0"
__all__ = ["Sea", "Settings", "__version__", "load_settings"]

_HOMES = {"Sea": "ocean.sea.sea", "Settings": "ocean.settings", "load_settings": "ocean.settings"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
