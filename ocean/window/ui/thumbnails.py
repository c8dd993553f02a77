"""The small pictures of the presets, on the GPU."""

from pathlib import Path

import moderngl
from PIL import Image

from ocean.common.resources import folder


class Thumbnails:
    """Textures of the pictures in assets/presets, made when they are first shown."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._textures: dict[str, moderngl.Texture | None] = {}

    def of(self, name: str) -> moderngl.Texture | None:
        """Return the picture of a preset; None where it has none."""
        if name not in self._textures:
            path = Path(folder("assets")) / "presets" / f"{name}.jpg"
            self._textures[name] = self._read(path) if path.exists() else None
        return self._textures[name]

    def _read(self, path: Path) -> moderngl.Texture:
        with Image.open(path) as picture:
            texture = self._ctx.texture(picture.size, 4, picture.convert("RGBA").tobytes())
        texture.repeat_x = texture.repeat_y = False
        texture.label = f"thumbnail {path.stem}"
        return texture

    def release(self) -> None:
        for texture in filter(None, self._textures.values()):
            texture.release()
        self._textures.clear()
