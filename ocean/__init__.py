"""The FFT ocean: `load_settings` reads `Settings`, `Sea` computes the sea on a GPU, `make_sea` on a GPU or the
processor, and `render_picture` draws it.

Names load when they are first used, so that `ocean.waves` imports without a GPU library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ocean.export.pictures import render_picture
    from ocean.gpu.shaders import shader_source
    from ocean.sea.sea import Sea, make_sea
    from ocean.settings import Settings, load_settings, with_values

__version__ = "0.1.0"
__all__ = [
    "Sea",
    "Settings",
    "__version__",
    "load_settings",
    "make_sea",
    "render_picture",
    "shader_source",
    "with_values",
]

_HOMES = {
    "Sea": "ocean.sea.sea",
    "Settings": "ocean.settings",
    "load_settings": "ocean.settings",
    "make_sea": "ocean.sea.sea",
    "render_picture": "ocean.export.pictures",
    "shader_source": "ocean.gpu.shaders",
    "with_values": "ocean.settings",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
