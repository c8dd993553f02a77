"""The FFT ocean: `load_settings` reads `Settings`, `Sea` computes the sea on a GPU, `make_sea` on a GPU or the
processor, and `render_picture` draws it.

`__init__.pyi` lists the public names. They load when they are first used, so that `ocean.waves` imports without a GPU
library.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.2.0"


def late_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """Return `__all__` and `__getattr__` of a package whose names load when they are first used.

    They are listed in the stub beside the package's `file`, in lines of the form `from MODULE import NAME as NAME`.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    lines = [line.split() for line in stub.splitlines() if line.startswith("from ") and " as " in line]
    homes = {name: module for _, module, _, name, *_ in lines}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return list(homes), load


_names, __getattr__ = late_names(__name__, __file__)
__all__ = ["__version__", *_names]
