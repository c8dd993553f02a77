"""Movies made frame by frame, for windows and exports, and PNGs as their frames; a movie file is complete or absent."""

import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ocean.common.files import OutputError

if TYPE_CHECKING:
    from av import VideoFrame

QUALITY, PRESET, PIXELS = "18", "veryfast", "yuv420p"
"""x264's constant rate factor (0 is lossless, 18 is visually lossless); its preset, which takes half the time of the
default for films of the sea that are no larger; the pixel format."""


def to_frame(picture: NDArray[np.uint8]) -> "VideoFrame":
    """Return a picture, (height, width, 3), rows from the top down, as a frame of a movie."""
    import av

    return av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")


def write_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture, (height, width, 3), as a PNG in half the time that Pillow takes. Threads do not wait for each
    other meanwhile: Pillow takes Python's lock for every 64 KiB."""
    import av

    codec: Any = av.CodecContext.create("png", "w")
    codec.height, codec.width = picture.shape[:2]
    codec.pix_fmt, codec.time_base, codec.thread_count = "rgb24", Fraction(1), 1
    codec.options = {"compression_level": "1", "pred": "sub"}  # files a tenth larger, in a tenth of the time
    path.write_bytes(b"".join(map(bytes, [*codec.encode(to_frame(picture)), *codec.encode(None)])))


def read_png(path: Path) -> "VideoFrame":
    """Return a PNG as a frame of a movie, in the movie's pixel format."""
    import av
    from av.video.frame import PictureType
    from av.video.reformatter import ColorRange

    codec: Any = av.CodecContext.create("png", "r")
    codec.thread_count = 1
    frames = codec.decode(av.Packet(path.read_bytes())) or codec.decode(None)
    frame: VideoFrame = frames[0].reformat(format=PIXELS, dst_color_range=ColorRange.MPEG)  # a PNG has JPEG's
    frame.pict_type = PictureType.NONE  # the type of a PNG would make each frame a key frame
    return frame


class Movie:
    """An H.264 movie in an MP4 file. Until `finish` it has a temporary name beside its path. A context manager finishes
    it, or cancels it after an exception."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        """Begin a movie; the format needs even numbers in `size`.

        Raises:
            OutputError: when PyAV is not installed.
            OSError: when the file can't be written, here and in all methods.
        """
        try:
            import av
        except ImportError:
            raise OutputError("movies need PyAV; `python -m pip install av` installs it") from None
        self.path, self.size, self.fps = path, size, fps
        self.frames = 0
        self._unfinished = path.with_name(f".{path.name}.unfinished")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: Any = av.open(str(self._unfinished), "w", format="mp4")
        try:
            rate = Fraction(fps).limit_denominator(1001)  # such as 24000/1001
            self._stream = self._file.add_stream("libx264", rate=rate, options={"crf": QUALITY, "preset": PRESET})
            self._stream.width, self._stream.height, self._stream.pix_fmt = *size, PIXELS
            self._stream.codec_context.thread_type = "AUTO"  # PyAV's default lets threads work on one frame only
            self._file.start_encoding()
        except BaseException:
            self.cancel()
            raise

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture, (height, width, 3), rows from the top down."""
        self.add_frame(to_frame(picture))

    def add_frame(self, frame: "VideoFrame") -> None:
        """Append a frame, as `to_frame` and `read_png` return it."""
        self._file.mux(self._stream.encode(frame))
        self.frames += 1

    def finish(self) -> None:
        """Write the remaining frames, and give the file its name."""
        self._file.mux(self._stream.encode())
        self._file.close()
        os.replace(self._unfinished, self.path)

    def cancel(self) -> None:
        with suppress(Exception):  # a movie that is discarded need not be written
            self._file.close()
        self._unfinished.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self.finish()
        else:
            self.cancel()
