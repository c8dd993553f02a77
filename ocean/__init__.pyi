from collections.abc import Callable
from typing import Any

from ocean.export.formats.pictures import render_picture as render_picture
from ocean.gpu.shaders import shader_source as shader_source
from ocean.sea.sea import Sea as Sea
from ocean.sea.sea import make_sea as make_sea
from ocean.settings import Settings as Settings
from ocean.settings import load_settings as load_settings
from ocean.settings import with_values as with_values

__version__: str
__all__: list[str]

def late_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]: ...
