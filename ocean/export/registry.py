"""The export formats. To add one, write its class in a file beside this one and add its line to FORMATS."""

from dataclasses import dataclass
from typing import Literal, get_args

Content = Literal["maps", "textures", "mesh", "pictures", "waves"]


@dataclass(frozen=True)
class FormatEntry:
    """One format: its content, the class that writes it, and its limits."""

    content: Content
    home: str
    """Module and class for `pkgutil.resolve_name`: `make_format` imports the module when it is needed."""
    half: bool = False
    """Whether the format can hold 16-bit floats."""
    even_sides: bool = False
    """Whether width and height of its pictures must be even."""
    fewest_frames: int = 1
    """Fewest frames that readers accept."""
    most_frames: int | None = None
    """Most frames that the format can hold: graphics cards guarantee 2048 layers of a texture array."""


FORMATS = {
    "exr": FormatEntry("maps", "ocean.export.exr:ExrFormat", half=True),
    "npz": FormatEntry("maps", "ocean.export.arrays:NumpyFormat"),
    "zarr": FormatEntry("maps", "ocean.export.zarr_store:ZarrFormat"),
    "png16": FormatEntry("textures", "ocean.export.png16:Png16Format"),
    "raw": FormatEntry("textures", "ocean.export.raw:RawFormat", half=True),
    "dds": FormatEntry("textures", "ocean.export.dds:DdsFormat", half=True, most_frames=2048),
    "ktx2": FormatEntry("textures", "ocean.export.ktx2:Ktx2Format", half=True, most_frames=2048),
    "glb": FormatEntry("mesh", "ocean.export.meshes:MeshFormat"),
    "ply": FormatEntry("mesh", "ocean.export.meshes:MeshFormat"),
    "usd": FormatEntry("mesh", "ocean.export.usd:UsdFormat"),
    "png": FormatEntry("pictures", "ocean.export.pictures:PngFormat"),
    "mp4": FormatEntry("pictures", "ocean.export.pictures:MovieFormat", even_sides=True),
    "swd": FormatEntry("waves", "ocean.export.swd:SwdFormat", fewest_frames=2),
}


def listed() -> str:
    """Return the names of all formats, by content, for help texts."""
    return "; ".join(map(names, get_args(Content)))


def names(*contents: Content) -> str:
    """Return the names of the formats with these contents, for messages."""
    return ", ".join(name for name, entry in FORMATS.items() if entry.content in contents)
