"""Pictures and movies of what a window draws, into files that are there whole or not at all."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal

import moderngl
import numpy as np

from ocean.common.files import OutputError, write_picture, write_radiance, writing
from ocean.common.movie import Movie
from ocean.settings import Settings, to_toml

What = Literal["picture", "window", "radiance"]


class Studio:
    """What is to be saved of this frame, and the movie that is being made; `say` shows how it went."""

    def __init__(self, say: Callable[[str], None], folder: Path = Path("out")) -> None:
        self._say, self._folder = say, folder
        self._wanted: dict[What, Path] = {}
        self._movie: Movie | None = None
        self._length = 0  # frames of the movie

    @property
    def size(self) -> tuple[int, int] | None:
        """Size of the movie's frames, which the view has to have as long as one is made."""
        return self._movie.size if self._movie else None

    @property
    def step(self) -> float | None:
        """Seconds from one frame of the movie to the next, however long they take to draw."""
        return 1 / self._movie.fps if self._movie else None

    @property
    def progress(self) -> tuple[int, int] | None:
        """Frames of the movie that are done, and all."""
        return (self._movie.frames, self._length) if self._movie else None

    # -- Pictures ------------------------------------------------------------------------------------------------------

    def want(self, what: What) -> None:
        """Save the next frame: the sea, the window with all that is in it, or the sea's light."""
        stem, suffix = {"picture": ("ocean", ".png"), "window": ("window", ".png"), "radiance": ("ocean", ".exr")}[what]
        self._wanted[what] = self.unused(stem, suffix)

    def save(
        self, what: What, source: Callable[[], moderngl.Framebuffer | moderngl.Texture], settings: Settings
    ) -> None:
        """Save what is wanted; a refusal is said."""
        path = self._wanted.pop(what, None)
        if path is None:
            return
        try:
            save_picture(path, source(), settings)
        except OutputError as error:
            self._say(str(error))
        else:
            self._say(f"saved {path}")

    # -- Movies --------------------------------------------------------------------------------------------------------

    def begin(self, size: tuple[int, int], seconds: float, fps: float) -> None:
        """Begin a movie; of odd sizes a row or column is left out."""
        even = max(2, size[0] // 2 * 2), max(2, size[1] // 2 * 2)
        try:
            with writing(self._folder):
                self._movie = Movie(self.unused("ocean", ".mp4"), even, fps)
        except OutputError as error:
            self._say(str(error))
        self._length = max(1, round(seconds * fps))

    def film(self, picture: moderngl.Framebuffer) -> None:
        """Append a frame to the movie, if there is one and the frame has its size; the last one ends it.

        Raises:
            OutputError: when it can't be written, and nothing of the movie is left.
        """
        movie = self._movie
        if movie is None or picture.size != movie.size:
            return
        pixels = np.frombuffer(picture.read(components=3, alignment=1), np.uint8)
        self._write(lambda: movie.add(pixels.reshape(movie.size[1], movie.size[0], 3)[::-1]))
        if movie.frames >= self._length:
            self.finish()

    def finish(self) -> None:
        """End the movie with what it has.

        Raises:
            OutputError: when it can't be written, and nothing of the movie is left.
        """
        movie = self._movie
        if movie is None:
            return
        if movie.frames == 0:
            self.cancel()
            return
        self._write(movie.finish)
        self._movie = None
        self._say(f"saved {movie.path}")

    def _write(self, step: Callable[[], object]) -> None:
        try:
            with writing(self._folder):
                step()
        except Exception:  # not all of PyAV's errors are the system's
            self.cancel()
            raise

    def cancel(self) -> None:
        """End the movie and leave nothing of it."""
        movie, self._movie = self._movie, None
        if movie:
            movie.cancel()
            self._say("the movie was cancelled")

    def unused(self, stem: str, suffix: str = "") -> Path:
        """A name that says when, and that nothing has yet."""
        return self._folder / f"{stem}-{datetime.now():%Y%m%d-%H%M%S-%f}{suffix}"


def save_picture(path: Path, source: moderngl.Framebuffer | moderngl.Texture, settings: Settings) -> None:
    """A framebuffer as PNG, or a texture of light as EXR with the settings that it was made with.

    Raises:
        OutputError: when it can't be written.
    """
    if isinstance(source, moderngl.Framebuffer):
        write_picture(path, source.size, source.read(components=3, alignment=1))
    else:
        light = np.frombuffer(source.read(), np.float16).reshape(source.height, source.width, 4)
        write_radiance(path, np.ascontiguousarray(light[::-1, :, :3]), to_toml(settings))
