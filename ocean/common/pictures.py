"""Films, PNGs as their frames, and panoramas.

A panorama is a picture of all directions (equirectangular, 2:1) from an .hdr (Radiance RGBE) or .exr file.
"""

import hashlib
import math
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import read_bytes, reason
from ocean.common.files import FILM, UNFINISHED, OutputError, unfinished
from ocean.common.parameters import Content

if TYPE_CHECKING:
    from av import VideoFrame


QUALITY, PRESET, PIXELS = "18", "veryfast", "yuv420p"
"""x264's constant rate factor (0 is lossless, 18 is visually lossless); its preset, which takes half the time of the
default and makes films of the sea no larger; the pixel format."""


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
    """An H.264 movie in an MP4 file, absent until `finish`. A context manager finishes it, or cancels it on errors."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float, outlives: bool = False) -> None:
        """Begin a movie; the format needs even numbers in `size`. If it `outlives` a killed program, its frames stay in
        a folder named FILM, from which `rescue` takes them. Raises OutputError when PyAV is not installed, and OSError
        when the file can't be written, here and in all methods."""
        try:
            import av
        except ImportError:
            raise OutputError("movies need PyAV; `python -m pip install av` installs it") from None
        self.path, self.size, self.fps = path, size, fps
        self.frames = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._closing = ExitStack()
        prefix = FILM if outlives else UNFINISHED
        self._unfinished = self._closing.enter_context(unfinished(path.parent, prefix)) / path.name
        self._outlives, fragments = outlives, {"movflags": "frag_every_frame+empty_moov", "flush_packets": "1"}
        self._file: Any = None
        try:
            self._file = av.open(str(self._unfinished), "w", format="mp4", options=fragments if outlives else {})
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
        if self._outlives:
            rescue(self._unfinished, self.path)
        else:
            os.replace(self._unfinished, self.path)
        self._closing.close()

    def cancel(self) -> None:
        with suppress(Exception):  # a movie that is discarded need not be written
            self._file.close()
        self._closing.close()

    def leave(self) -> bool:
        """End a movie that can't be written any more, as on a full disk. Return whether whole frames stay for `rescue`,
        under a name that no later movie has."""
        with suppress(Exception):
            self._file.close()
        if stays := has_frame(self._unfinished):
            folder = self._unfinished.parent
            folder.rename(f"{folder}-left")
        self._closing.close()
        return stays

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.cancel()


def has_frame(left: Path) -> bool:
    """Return whether a movie that may be truncated has a whole frame."""
    import av

    with suppress(OSError, ValueError), av.open(str(left)) as film:  # PyAV's errors are of these classes
        return any(packet.dts is not None for packet in film.demux(video=0))
    return False


def rescue(left: Path, path: Path) -> int:
    """Copy the frames of a truncated movie into a whole one, without encoding them again; return how many.
    Raises ValueError or OSError when there is none, or the file can't be written."""
    import av

    frames, made = 0, left.with_suffix(".whole")
    with av.open(str(left)) as old, av.open(str(made), "w", format="mp4") as new:
        stream = new.add_stream_from_template(old.streams.video[0])
        with suppress(av.error.InvalidDataError):  # at the end
            for packet in old.demux(video=0):
                if packet.dts is not None:
                    packet.stream = stream
                    new.mux(packet)
                    frames += 1
    if not frames:
        raise ValueError(f"{left} has no whole frame")
    os.replace(made, path)
    return frames


EXR = b"\x76\x2f\x31\x01"  # first bytes of an OpenEXR file
MOST_COLUMNS = 16384
MOST_BYTES = 5 * MOST_COLUMNS * MOST_COLUMNS // 2  # size of a Radiance file with the most columns

RINGING = 0.01
"""Largest negative value relative to the brightest: filters that sharpen leave such values beside the sun."""

REC709 = 0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290
"""Chromaticities x, y of red, green, blue and white (ITU-R BT.709-6)."""
XYZ = 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1 / 3, 1 / 3  # the same of CIE's XYZ; in Radiance white has equal values
MOST_MIXED = 100.0  # largest element of a matrix between colours; wide gamuts have 3
UNSAID = (0.0,) * 8, (0.64, 0.33, 0.29, 0.60, 0.15, 0.06, 1 / 3, 1 / 3)
"""Chromaticities that programs write where they know none: Photoshop, and Radiance's own."""
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
"""Matrix from XYZ to the cone responses that adapt independently (Lam 1985; ICC.1:2022, annex E)."""

Pixels = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Picture(Content):
    """The light of all directions: `pixels` (rows, columns, 3), top down, and a remark on replaced values, if any."""

    pixels: Pixels
    remark: str = ""

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.pixels.data).hexdigest()


def read_panorama(files: Sequence[Path]) -> Picture:
    """Return the light in a file. Raises ValueError when the file can't be read, is not twice as wide as high, or has
    values that are not light."""
    (file,) = files
    if not os.path.isfile(file):
        raise ValueError("there is no such file; name an .hdr or .exr picture of all directions")
    try:
        with file.open("rb") as stream:
            start = stream.read(4)
        if start.startswith(b"#?"):
            pixels, primaries = read_hdr(file)
        elif start == EXR:
            pixels, primaries = read_exr(file)
        else:
            raise ValueError("a panorama must be a Radiance HDR or an OpenEXR picture")
    except OSError as error:
        raise ValueError(f"the file can't be read: {reason(error)}") from None
    except MemoryError:
        raise ValueError("the picture is larger than the memory") from None
    picture = _light(np.ascontiguousarray(pixels))
    if any(np.allclose(primaries, known, atol=1e-3) for known in (REC709, *UNSAID)):
        return picture
    mixed = picture.pixels @ to_rec709(primaries).T.astype(np.float32)
    return replace(picture, pixels=np.maximum(mixed, 0, dtype=np.float32))  # some colours lie outside of Rec. 709


def to_rec709(primaries: Sequence[float]) -> NDArray[np.float64]:
    """Return the matrix (3, 3) from linear RGB of these chromaticities, in the order of `REC709`, to that of Rec. 709.
    White stays white. Raises ValueError when no light has such primaries."""
    x, y = np.reshape([primaries, REC709], (2, 4, 2)).transpose(2, 0, 1)
    try:
        with np.errstate(all="ignore"):
            cones = BRADFORD @ np.stack([x, y, 1 - x - y], axis=1)
            colours, white = cones[..., :3], cones[..., 3:] / y[:, None, 3:]
            own, wanted = colours * np.linalg.solve(colours, white).transpose(0, 2, 1)
            matrix = np.linalg.solve(wanted, own * (white[1] / white[0]))
    except np.linalg.LinAlgError:
        matrix = np.full((3, 3), math.nan)
    if not np.abs(matrix).max() < MOST_MIXED:
        raise ValueError(f"the picture has impossible chromaticities, {', '.join(f'{one:g}' for one in primaries)}")
    return matrix


def _light(pixels: Pixels) -> Picture:
    """Return the light of pixels: small negative values become 0, infinities the largest finite value."""
    brightest = float(pixels[np.isfinite(pixels)].max(initial=0.0))
    wrong = np.isnan(pixels) | (pixels < -RINGING * brightest)
    if brightest == 0 or wrong.any():
        where = f"; {_places(pixels, wrong)}" if wrong.any() else ""
        raise ValueError(f"a panorama must hold light: numbers, none below 0 and some above{where}")
    dark, infinite = pixels < 0, np.isinf(pixels)
    if not (dark.any() or infinite.any()):
        return Picture(pixels)
    replaced = (dark, 0), (infinite, brightest)
    said = [f"{_places(pixels, which)} is taken for {value:.4g}" for which, value in replaced if which.any()]
    return Picture(np.clip(pixels, 0, brightest), f"The panorama holds values that are not light: {'; '.join(said)}.")


def _places(pixels: Pixels, which: NDArray[np.bool_]) -> str:
    """Return the number of such values, and the first with its column and row from the top left."""
    row, column, channel = np.argwhere(which)[0]
    others = np.count_nonzero(which) - 1
    first = f"{pixels[row, column, channel]:.4g} at column {column}, row {row}"
    return first + (f" (and {others} more)" if others else "")


def read_exr(path: Path) -> tuple[Pixels, Sequence[float]]:
    """Return the RGB of an OpenEXR file in its display window, black beyond its data, and the chromaticities; needs the
    package `OpenEXR`."""
    try:
        import OpenEXR
    except ImportError:
        raise ValueError("EXR files need the package OpenEXR: python -m pip install openexr") from None
    try:
        with OpenEXR.File(str(path), header_only=True) as file:
            headers = [dict(part.header) for part in file.parts]  # closing empties them
            windows = np.array([(*one["displayWindow"], *one["dataWindow"]) for one in headers], np.int64)
    except (RuntimeError, KeyError, ValueError, TypeError):
        raise ValueError("the file is not an EXR picture with red, green and blue") from None
    columns, rows = (int(side) for side in windows[0, 1] - windows[0, 0] + 1)
    check_size(rows, columns)
    if (windows[:, 3] - windows[:, 2]).max() >= MOST_COLUMNS:
        raise ValueError(f"the EXR picture has a data window of more than {MOST_COLUMNS} columns or rows")
    try:
        with OpenEXR.File(str(path), separate_channels=True) as file:  # grouped channels must have one type
            channels = {
                (f"{header['name']}." if len(headers) > 1 and "." not in name else "")
                + re.sub(r"\b[rgby]$", lambda small: small[0].upper(), name): (one, at)
                for part, header, at in zip(file.parts, headers, windows[:, 2] - windows[:, 0], strict=True)
                for name, one in part.channels.items()
                if one.pixels.dtype.kind == "f"  # integers are numbers of objects
            }
    except (RuntimeError, KeyError, ValueError, OSError):
        raise ValueError("the EXR picture is damaged") from None
    # Layers are prefixes, such as Blender's `ViewLayer.Combined.R`, or names of parts; the one without comes first.
    layers: dict[str, set[str]] = {}
    for name in channels:
        layer, dot, channel = name.rpartition(".")
        layers.setdefault(layer + dot, set()).add(channel)
    for suffixes, others in ("RGB", set[str]()), ("YYY", {"X", "Z", "RY", "BY"}):  # vectors and colours are not grey
        found = [layer for layer, has in layers.items() if {*suffixes} <= has and not others & has]
        main = [layer for layer in found if re.search(r"combined|beauty|^(rgba?\.)?$", layer.lower())] or found
        main = [layer for layer in main if layer.lower().startswith("composite.")] or main  # of all of Blender's layers
        if len(main) > 1 and "" not in main:
            raise ValueError(f"the EXR picture has several layers, {', '.join(main)[:100]}; save the one that is light")
        if main:
            data = np.stack([channels[min(main) + suffix][0].pixels for suffix in suffixes], axis=-1)
            x, y = channels[min(main) + suffixes[0]][1]
            pixels = np.zeros((rows, columns, 3), np.float32)
            seen = data[max(-y, 0) :, max(-x, 0) :][: max(rows - max(y, 0), 0), : max(columns - max(x, 0), 0)]
            pixels[max(y, 0) :, max(x, 0) :][: seen.shape[0], : seen.shape[1]] = seen
            return pixels, headers[0].get("chromaticities", REC709)
    raise ValueError(f"the EXR picture has no red, green and blue, and no grey (Y); it has {', '.join(channels)[:100]}")


def check_size(rows: int, columns: int) -> None:
    """Raise ValueError for a size that no panorama has, before pixels take memory."""
    if columns != 2 * rows:
        raise ValueError(f"a panorama must be twice as wide as high, not {columns}x{rows}")
    if not 2 <= columns <= MOST_COLUMNS:
        raise ValueError(f"a panorama must have 2 to {MOST_COLUMNS} columns, not {columns}")


def read_hdr(path: Path) -> tuple[Pixels, Sequence[float]]:
    """Return the RGB of a Radiance picture (Ward 1991), rows from the top down, whatever its order of rows and columns,
    and the chromaticities. Each line is flat or run-length encoded separately, in the new code or the old."""
    data = read_bytes(path, MOST_BYTES)
    head = re.match(rb"(#\?[^\n]*\n(?:[^\n]*\n)*?)\r?\n([-+][XY]) +(\d{1,9}) +([-+][XY]) +(\d{1,9}) *\r?\n", data)
    if not head or head[2][1:] == head[4][1:]:
        raise ValueError("the file is not a Radiance picture: its header ends without the size")
    lines, length = int(head[3]), int(head[5])
    check_size(*((lines, length) if head[2][1:] == b"Y" else (length, lines)))
    exposure = _exposure(head[1].decode("latin-1"))
    try:
        rgbe = _scanlines(np.frombuffer(data, np.uint8, offset=head.end()), lines, length)
    except (ValueError, IndexError):
        raise ValueError("the Radiance picture is truncated or damaged") from None
    if head[2] in (b"+Y", b"-X"):  # from the bottom, or from the right
        rgbe = rgbe[::-1]
    if head[4] in (b"+Y", b"-X"):
        rgbe = rgbe[:, ::-1]
    if head[2][1:] == b"X":
        rgbe = rgbe.transpose(1, 0, 2)
    scale = np.ldexp(1.0, rgbe[..., 3:].astype(int) - 136) / exposure
    light = np.asarray((rgbe[..., :3] + 0.5) * np.where(rgbe[..., 3:] > 0, scale, 0.0), dtype=np.float32)
    if re.search(rb"^FORMAT\s*=.*_xyze", head[1], re.MULTILINE):
        return light, XYZ
    said = re.findall(rb"^PRIMARIES\s*=([^\r\n]*)", head[1], re.MULTILINE)
    try:
        return light, np.array(said[-1].split() if said else REC709, np.float64).reshape(8).tolist()
    except ValueError:
        raise ValueError(f"the picture has an impossible line PRIMARIES={said[-1].decode('latin-1')[:60]}") from None


def _exposure(head: str) -> NDArray[np.float64]:
    """Return the product of all lines of EXPOSURE and COLORCORR, (3,), by which light was multiplied; light has a GAMMA
    of 1. Lines with a blank before them belong to pictures that this one was made of."""
    product = np.ones(3)
    for line in re.findall(r"^(?:EXPOSURE|COLORCORR|GAMMA)\s*=[^\r\n]*", head, re.MULTILINE | re.IGNORECASE):
        name, words = line.strip().split("=")[0].strip().upper(), line.split("=", 1)[1].split()
        try:
            factors = np.array(words, np.float64).reshape(3 if name == "COLORCORR" else 1)
        except ValueError:
            factors = np.zeros(1)
        product = product * factors
        if not ((product > 0) & (product < math.inf)).all() or (name == "GAMMA" and factors[0] != 1):
            raise ValueError(f"the Radiance picture has an impossible line {line.strip()[:60]!r}")
    return product


def _scanlines(body: NDArray[np.uint8], lines: int, length: int) -> NDArray[np.uint8]:
    """Return RGBE of shape (lines, length, 4)."""
    picture = np.empty((lines, length, 4), np.uint8)
    at = 0
    for line in picture:
        if 8 <= length < 32768 and tuple(body[at : at + 4]) == (2, 2, length >> 8, length & 255):
            at = _new_runs(body, at + 4, line)
        else:
            at = _old_runs(body, at, line)
    return picture


def _new_runs(body: NDArray[np.uint8], at: int, line: NDArray[np.uint8]) -> int:
    """Fill a line, (length, 4), from its four channels one after another, in runs: a count above 128 repeats a byte, a
    count below precedes as many bytes. Return the place after the line."""
    channels = np.empty(line.size, np.uint8)
    filled = 0
    while filled < line.size:
        count = int(body[at])
        if count > 128:
            channels[filled : filled + count - 128] = body[at + 1]
            filled, at = filled + count - 128, at + 2
        elif count and at + 1 + count <= len(body):
            channels[filled : filled + count] = body[at + 1 : at + 1 + count]
            filled, at = filled + count, at + 1 + count
        else:
            raise ValueError
    if filled != line.size:
        raise ValueError
    line[:] = channels.reshape(4, -1).T
    return at


def _old_runs(body: NDArray[np.uint8], at: int, line: NDArray[np.uint8]) -> int:
    """Fill a line from pixels; (1, 1, 1, n) repeats the last pixel n times, or 256 n times if it directly follows
    another such pixel. Return the end of the line."""
    filled, shift = 0, 0
    while filled < len(line):
        pixels = body[at : at + 4 * min(len(line) - filled, 1024)]
        if len(pixels) < 4:
            raise ValueError
        pixels = pixels[: len(pixels) // 4 * 4].reshape(-1, 4)
        runs = np.flatnonzero((pixels[:, :3] == 1).all(axis=1))
        flat = int(runs[0]) if len(runs) else len(pixels)
        if flat:
            line[filled : filled + flat] = pixels[:flat]
            filled, at, shift = filled + flat, at + 4 * flat, 0
        elif filled == 0 or filled + (count := int(pixels[0, 3]) << shift) > len(line):
            raise ValueError
        else:
            line[filled : filled + count] = line[filled - 1]
            filled, at, shift = filled + count, at + 4, shift + 8
    return at
