"""The FFT ocean: `load_settings` reads `Settings`, `Sea` computes the sea on a GPU, `make_sea` on a GPU or the
processor, and `render_picture` draws it.

`__init__.pyi` lists the public names. They load when they are first used, so that `ocean.waves` imports without a GPU
library.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """Return the module of each public name, from lines of the form `from MODULE import NAME as NAME`."""
    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    lines = [line.split() for line in stub.splitlines() if line.startswith("from ")]
    return {name: module for _, module, _, name, *_ in lines}


_HOMES = _homes()
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
