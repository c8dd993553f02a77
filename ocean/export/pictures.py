"""Pictures as a capture draws them: PNG, and a movie that is made of them once all are there."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from ocean.export.formats import Format
from ocean.export.frames import Frame
from ocean.export.plan import Plan
from ocean.movie import Movie


class PngFormat(Format):
    """A picture a frame."""

    def names(self, index: int) -> list[str]:
        return [f"frame.{index:06d}.png"]

    def write(self, frame: Frame, aside: Path) -> None:
        capture = self.plan.settings.capture
        picture = Image.frombytes("RGB", (capture.width, capture.height), frame.picture)
        picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(aside / self.names(frame.index)[0])


class MovieFormat(PngFormat):
    """Pictures and, of all of them, a movie."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        import av  # noqa: F401  # missed now and not after the last picture

    def final(self) -> list[str]:
        return ["sea.mp4"]

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        capture = self.plan.settings.capture
        movie = Movie(aside / "sea.mp4", (capture.width, capture.height), self.plan.fps)
        try:
            for index in range(self.plan.frames):
                with Image.open(path / self.names(index)[0]) as picture:
                    movie.add(np.asarray(picture))
                advance()
        except BaseException:
            movie.cancel()
            raise
        movie.finish()
