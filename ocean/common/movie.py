"""Movies made frame by frame, for windows and exports; a movie file is complete or absent."""

import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ocean.common.files import OutputError

QUALITY, PRESET = "18", "veryfast"
"""x264's constant rate factor (0 is lossless, 18 is visually lossless) and its preset: half the time of the default,
and films of the sea are no larger."""


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
        self._frame = av.VideoFrame
        try:
            rate = Fraction(fps).limit_denominator(1001)  # such as 24000/1001
            self._stream = self._file.add_stream("libx264", rate=rate, options={"crf": QUALITY, "preset": PRESET})
            self._stream.width, self._stream.height, self._stream.pix_fmt = *size, "yuv420p"
            self._file.start_encoding()
        except BaseException:
            self.cancel()
            raise

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture, (height, width, 3), rows from the top down."""
        self._file.mux(self._stream.encode(self._frame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")))
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
