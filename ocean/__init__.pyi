from collections.abc import Callable
from typing import Any

from ocean.common.errors import InputError as InputError
from ocean.export.formats.pictures import Picture as Picture
from ocean.export.formats.pictures import render_picture as render_picture
from ocean.gpu.bindings import Sampler as Sampler
from ocean.gpu.context import AllocationError as AllocationError
from ocean.gpu.context import ContextError as ContextError
from ocean.gpu.context import DeviceLostError as DeviceLostError
from ocean.gpu.context import create_headless_context as create_headless_context
from ocean.gpu.shaders import ShaderError as ShaderError
from ocean.gpu.shaders import shader_source as shader_source
from ocean.sea.query import Crest as Crest
from ocean.sea.query import highest_crest as highest_crest
from ocean.sea.sea import ChangeError as ChangeError
from ocean.sea.sea import Sea as Sea
from ocean.sea.sea import make_sea as make_sea
from ocean.settings import Settings as Settings
from ocean.settings import SettingsError as SettingsError
from ocean.settings import load_settings as load_settings
from ocean.settings import with_values as with_values
from ocean.waves.statistics import predicted_height as predicted_height

__version__: str
__all__: list[str]

def late_names(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]: ...
