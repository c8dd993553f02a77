"""The export formats. To add one, write its class in a file beside this one and add its line to FORMATS."""

from dataclasses import dataclass
from typing import Literal, get_args

Content = Literal["maps", "textures", "mesh", "pictures", "waves", "pages"]


@dataclass(frozen=True)
class FormatEntry:
    """One format: its content, the class that writes it, and its limits."""

    content: Content
    home: str
    """Module below this one, and class; `make_format` imports the module when it is needed. A page has a function."""
    needs: str = ""  # the package that writes it, if the program can be installed without it
    half: bool = False  # whether the format can hold 16-bit floats
    even_sides: bool = False  # whether width and height of its pictures must be even
    fewest_frames: int = 1  # fewest frames that readers accept
    most_frames: int | None = None
    """Maximum number of frames that the format can hold: graphics cards guarantee 2048 layers of a texture array."""
    least: float = 1.0  # smallest size of a file over that of its arrays


FORMATS = {
    "exr": FormatEntry("maps", "arrays:ExrFormat", "OpenEXR", half=True, least=0.5),
    "npz": FormatEntry("maps", "arrays:NumpyFormat"),
    "zarr": FormatEntry("maps", "arrays:ZarrFormat", "zarr", least=0.5),
    "png16": FormatEntry("textures", "textures:Png16Format", "av", least=0.25),
    "raw": FormatEntry("textures", "textures:RawFormat", half=True),
    "dds": FormatEntry("textures", "textures:DdsFormat", half=True, most_frames=2048),
    "ktx2": FormatEntry("textures", "textures:Ktx2Format", half=True, most_frames=2048),
    "glb": FormatEntry("mesh", "meshes:MeshFormat", "trimesh"),
    "ply": FormatEntry("mesh", "meshes:MeshFormat", "trimesh"),
    "usd": FormatEntry("mesh", "meshes:UsdFormat", "pxr"),
    "png": FormatEntry("pictures", "pictures:PngFormat"),
    "mp4": FormatEntry("pictures", "pictures:MovieFormat", "av", even_sides=True),
    "swd": FormatEntry("waves", "swd:SwdFormat", fewest_frames=2),
    "html": FormatEntry("pages", "page:write_page", most_frames=1),
}


def listed() -> str:
    """Return the names of all formats, by content, for help texts."""
    return "; ".join(map(names, get_args(Content)))


def names(*contents: Content) -> str:
    """Return the names of the formats with these contents, for messages."""
    return ", ".join(name for name, entry in FORMATS.items() if entry.content in contents)
