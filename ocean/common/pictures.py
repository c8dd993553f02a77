"""Films, PNGs as their frames, and panoramas.

A film is complete or absent. A panorama is a picture of all directions (equirectangular, 2:1) from an .hdr (Radiance
RGBE) or .exr file.
"""

import hashlib
import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import read_bytes, reason
from ocean.common.files import OutputError, unfinished
from ocean.common.parameters import Content

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
    """Write a picture, (height, width, 3), as a PNG in half the time that Pillow takes. Threads run in
    parallel, whereas Pillow takes Python's lock for every 64 KiB."""
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
    frame: VideoFrame = frames[0].reformat(format=PIXELS, dst_color_range=ColorRange.MPEG)  # PNG has the range of JPEG
    frame.pict_type = PictureType.NONE  # the type of a PNG would make each frame a key frame
    return frame


class Movie:
    """An H.264 movie in an MP4 file, which lies in a temporary folder until `finish`. A context manager finishes it, or
    cancels it after an exception."""

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
        path.parent.mkdir(parents=True, exist_ok=True)
        self._closing = ExitStack()
        self._unfinished = self._closing.enter_context(unfinished(path.parent)) / path.name
        self._file: Any = None
        try:
            self._file = av.open(str(self._unfinished), "w", format="mp4")
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
        self._closing.close()

    def cancel(self) -> None:
        with suppress(Exception):  # a movie that is discarded need not be written
            self._file.close()
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self.finish()
        else:
            self.cancel()


EXR = b"\x76\x2f\x31\x01"
"""First bytes of an OpenEXR file."""
MOST_COLUMNS = 16384
MOST_BYTES = 5 * MOST_COLUMNS * MOST_COLUMNS // 2  # size of a Radiance file with the most columns

Pixels = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Picture(Content):
    """The light of all directions: `pixels` (rows, columns, 3), rows from the top down."""

    pixels: Pixels

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.pixels.data).hexdigest()


def read_panorama(files: Sequence[Path]) -> Picture:
    """Return the light in a file.

    Raises:
        ValueError: when the file can't be read, is not twice as wide as high, or has values that are not light.
    """
    (file,) = files
    if not os.path.isfile(file):
        raise ValueError("there is no such file; name an .hdr or .exr picture of all directions")
    try:
        with file.open("rb") as stream:
            start = stream.read(4)
        if start.startswith(b"#?"):
            pixels = read_hdr(file)
        elif start == EXR:
            pixels = read_exr(file)
        else:
            raise ValueError("a panorama must be a Radiance HDR or an OpenEXR picture")
    except OSError as error:
        raise ValueError(f"the file can't be read: {reason(error)}") from None
    except MemoryError:
        raise ValueError("the picture is larger than the memory") from None
    if not np.isfinite(pixels).all() or pixels.min() < 0 or pixels.max() <= 0:
        raise ValueError("a panorama must hold light: finite numbers, none below 0 and some above")
    return Picture(np.ascontiguousarray(pixels))


def read_exr(path: Path) -> Pixels:
    """Return the RGB of an OpenEXR file; needs the package `OpenEXR`."""
    try:
        import OpenEXR
    except ImportError:
        raise ValueError("EXR files need the package OpenEXR: python -m pip install openexr") from None
    try:
        with OpenEXR.File(str(path), header_only=True) as file:
            low, high = file.header()["dataWindow"]
    except (RuntimeError, KeyError, ValueError, TypeError):
        raise ValueError("the file is not an EXR picture with red, green and blue") from None
    check_size(*(int(b) - int(a) + 1 for a, b in zip(reversed(low), reversed(high), strict=True)))
    try:
        with OpenEXR.File(str(path)) as file:
            channels = file.channels()
            pixels = channels["RGB"].pixels if "RGB" in channels else channels["RGBA"].pixels
    except (RuntimeError, KeyError, ValueError, OSError):
        raise ValueError("the file is not an EXR picture with red, green and blue") from None
    return np.asarray(pixels[..., :3], dtype=np.float32)


def check_size(rows: int, columns: int) -> None:
    """Raise ValueError for a size that no panorama has, before pixels take memory."""
    if columns != 2 * rows:
        raise ValueError(f"a panorama must be twice as wide as high, not {columns}x{rows}")
    if not 2 <= columns <= MOST_COLUMNS:
        raise ValueError(f"a panorama must have 2 to {MOST_COLUMNS} columns, not {columns}")


def read_hdr(path: Path) -> Pixels:
    """Return the RGB of a Radiance picture (Ward 1991), run-length encoded or flat."""
    data = read_bytes(path, MOST_BYTES)
    header, blank, rest = data.partition(b"\n\n")
    size, _, body = rest.partition(b"\n")
    fields = size.split()
    if not header.startswith(b"#?") or not blank or len(fields) != 4 or fields[0] != b"-Y" or fields[2] != b"+X":
        raise ValueError("the file is not a Radiance picture with rows from the top")
    if b"_xyze" in header:
        raise ValueError("the Radiance picture has XYZ colours; save it with RGB colours (FORMAT=32-bit_rle_rgbe)")
    try:
        rows, columns = int(fields[1][:9]), int(fields[3][:9])
    except ValueError:
        raise ValueError("the Radiance picture is truncated or damaged") from None
    check_size(rows, columns)
    try:
        rgbe = _scanlines(np.frombuffer(body, np.uint8), rows, columns)
    except (ValueError, IndexError):
        raise ValueError("the Radiance picture is truncated or damaged") from None
    scale = np.ldexp(1.0, rgbe[..., 3].astype(int) - 136)
    return np.asarray((rgbe[..., :3] + 0.5) * np.where(rgbe[..., 3:] > 0, scale[..., None], 0.0), dtype=np.float32)


def _scanlines(body: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """Return RGBE of shape (rows, columns, 4).

    A line that begins with 2, 2 and its width has its four channels one after another, in runs: a count above 128
    repeats a byte, a count below precedes as many bytes.
    """
    if not 8 <= columns < 32768 or tuple(body[:4]) != (2, 2, columns >> 8, columns & 255):
        return body[: rows * columns * 4].reshape(rows, columns, 4)
    picture = np.empty((rows, 4, columns), np.uint8)
    at = 0
    for row in picture:
        at += 4
        line = row.reshape(-1)
        filled = 0
        while filled < 4 * columns:
            count = int(body[at])
            if count > 128:
                line[filled : filled + count - 128] = body[at + 1]
                filled, at = filled + count - 128, at + 2
            elif count and at + 1 + count <= len(body):
                line[filled : filled + count] = body[at + 1 : at + 1 + count]
                filled, at = filled + count, at + 1 + count
            else:
                raise ValueError
        if filled != 4 * columns:
            raise ValueError
    return picture.transpose(0, 2, 1)
