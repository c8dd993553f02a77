"""Pictures as a capture draws them: PNG, and a movie that is made of them once all are there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ocean.export.formats import Format
from ocean.export.frames import Frame
from ocean.export.plan import Plan

Pixels = NDArray[np.uint8]


class PngFormat(Format):
    """A picture a frame."""

    COMPRESSION = 6
    """zlib's level."""

    def names(self, index: int) -> list[str]:
        return [f"frame.{index:06d}.png"]

    def write(self, frame: Frame, aside: Path) -> None:
        picture = Image.fromarray(pixels(self.plan, frame))
        picture.save(aside / self.names(frame.index)[0], compress_level=self.COMPRESSION)


class MovieFormat(PngFormat):
    """Pictures and, of all of them, H.264 in an MP4."""

    COMPRESSION = 1
    """Pictures on their way to something smaller: a quarter of the time."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        import av  # noqa: F401  # missed now and not after the last picture

    def final(self) -> list[str]:
        return ["sea.mp4"]

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        with movie_encoder(aside / "sea.mp4", self.plan) as encode:
            for index in range(self.plan.frames):
                with Image.open(path / self.names(index)[0]) as picture:
                    encode(np.asarray(picture))
                advance()


def pixels(plan: Plan, frame: Frame) -> Pixels:
    """The picture of a frame, (height, width, 3), rows from the top down."""
    capture = plan.settings.capture
    return np.frombuffer(frame.picture, np.uint8).reshape(capture.height, capture.width, 3)[::-1]


QUALITY = "18"
"""x264's constant rate factor: 0 is lossless, 18 looks like it."""


@contextmanager
def movie_encoder(path: Path, plan: Plan) -> Iterator[Callable[[Pixels], None]]:
    """Encodes one picture after the other, and writes the movie that they make."""
    import av

    capture = plan.settings.capture
    with av.open(str(path), "w") as movie:
        rate = Fraction(plan.fps).limit_denominator(1001)  # 24000/1001 is a rate
        stream = movie.add_stream("libx264", rate=rate, options={"crf": QUALITY})
        stream.width, stream.height, stream.pix_fmt = capture.width, capture.height, "yuv420p"

        def encode(picture: Pixels) -> None:
            movie.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")))

        yield encode
        movie.mux(stream.encode())
