"""Pictures as a capture draws them: PNG, and a movie that is made of them once all are there."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
from PIL import Image

from ocean.export.formats import Format
from ocean.export.frames import Frame
from ocean.export.plan import Plan


class PngFormat(Format):
    """A picture a frame."""

    def names(self, index: int) -> list[str]:
        return [f"frame.{index:06d}.png"]

    def write(self, frame: Frame, aside: Path) -> None:
        capture = self.plan.settings.capture
        picture = Image.frombytes("RGB", (capture.width, capture.height), frame.picture)
        picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save(aside / self.names(frame.index)[0])


class MovieFormat(PngFormat):
    """Pictures and, of all of them, H.264 in an MP4."""

    QUALITY = "18"
    """x264's constant rate factor: 0 is lossless, 18 looks like it."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        import av  # noqa: F401  # missed now and not after the last picture

    def final(self) -> list[str]:
        return ["sea.mp4"]

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        import av

        capture = self.plan.settings.capture
        with av.open(str(aside / "sea.mp4"), "w") as movie:
            rate = Fraction(self.plan.fps).limit_denominator(1001)  # 24000/1001 is a rate
            stream = movie.add_stream("libx264", rate=rate, options={"crf": self.QUALITY})
            stream.width, stream.height, stream.pix_fmt = capture.width, capture.height, "yuv420p"
            for index in range(self.plan.frames):
                with Image.open(path / self.names(index)[0]) as picture:
                    movie.mux(stream.encode(av.VideoFrame.from_ndarray(np.asarray(picture), format="rgb24")))
                advance()
            movie.mux(stream.encode())
