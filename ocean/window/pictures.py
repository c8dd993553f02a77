"""Pictures of the window: drawn in steps, saved, and filmed. A file is complete or absent."""

import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Literal

import moderngl
import numpy as np
from numpy.typing import NDArray

from ocean.common.errors import InputError
from ocean.common.files import FILM, OutputError, abandoned, whole_files, write_picture, write_radiance, writing
from ocean.common.pictures import Movie, has_frame, rescue
from ocean.gpu.context import drain
from ocean.gpu.passes import Pass, Progress
from ocean.gpu.timing import FrameTimes
from ocean.settings import Settings, to_toml
from ocean.settings.files import resolve

What = Literal["picture", "window", "radiance", "maps"]


@contextmanager
def reporting(say: Callable[..., None], saved: object, path: Path | None = None) -> Iterator[None]:
    """Show that something was saved, with a button for its folder, or why it can't be."""
    try:
        yield
    except InputError as error:
        say(str(error), is_error=True)
    else:
        say(f"saved {saved}", path=path)


class Studio:
    """Requested pictures of the next frame, and the movie being recorded. `say` shows the results."""

    def __init__(self, say: Callable[..., None], folder: Path = Path("out")) -> None:
        self._say, self.folder = say, folder
        self._wanted: dict[What, Path] = {}
        self.movie: Movie | None = None
        """The movie being recorded. Meanwhile the view keeps its size, and a frame's time step is the movie's."""
        self.length = 0  # number of frames of the movie
        self._begun = 0.0  # start on the monotonic clock [s]

    @property
    def is_busy(self) -> bool:
        return self.movie is not None or bool(self._wanted)

    @property
    def seconds_left(self) -> float | None:
        """The time left [s] at the pace of the movie so far; None before its first frame."""
        if self.movie is None or self.movie.frames == 0:
            return None
        pace = (clock.monotonic() - self._begun) / self.movie.frames
        return pace * (self.length - self.movie.frames)

    def want(self, what: What) -> None:
        """Save the next frame: the view, the whole window, the view's light, or the maps of all cascades."""
        stem = "ocean" if what in ("picture", "radiance") else what
        path = self._wanted[what] = self.unused(stem, {"radiance": ".exr", "maps": ".npz"}.get(what, ".png"))
        if path.suffix != ".png":  # may wait for another sea; a picture of the window would have the message
            self._say(f"saving {path} …")

    def save(self, what: What, write: Callable[[Path], None]) -> None:
        """Write a file if it is wanted, and show its path or the error."""
        if path := self._wanted.pop(what, None):
            with reporting(self._say, path, path):
                write(path)

    def save_times(self, frames: Sequence[FrameTimes], passes: Mapping[str, Pass]) -> None:
        """Save times of frames as CSV and as trace events, and show the path or the error."""
        from ocean.capture.plots import write_trace
        from ocean.capture.report import write_frames

        if not frames:
            self._say("no frame is timed yet")
            return
        path = self.unused("times", ".csv")
        trace = path.with_suffix(".json")
        files = whole_files(self.folder, [path.name, trace.name])
        with reporting(self._say, f"{path} and {trace.name}", path), files as folder, writing(self.folder):
            write_frames(folder / path.name, frames)
            write_trace(folder / trace.name, {"window": (frames, passes)})

    def begin(self, size: tuple[int, int], seconds: float, fps: float) -> None:
        """Begin a movie. A picture of odd width or height loses a column or a row."""
        even = max(2, size[0] // 2 * 2), max(2, size[1] // 2 * 2)
        try:
            with writing(self.folder):
                self.movie = Movie(self.unused("ocean", ".mp4"), even, fps, outlives=True)
        except OutputError as error:
            self._say(str(error), is_error=True)
        self.length, self._begun = max(1, round(seconds * fps)), clock.monotonic()

    def film(self, picture: moderngl.Framebuffer) -> None:
        """Append a frame to the movie, if there is one and the frame has its size; the last frame ends it."""
        movie = self.movie
        if movie is None or picture.size != movie.size:
            return
        pixels = np.frombuffer(picture.read(components=3, alignment=1), np.uint8)
        self._write(lambda: movie.add(pixels.reshape(movie.size[1], movie.size[0], 3)[::-1]))
        if movie.frames >= self.length:
            self.finish()

    def finish(self) -> None:
        movie = self.movie
        if movie is None or movie.frames == 0:
            self.cancel()
            return
        self._write(movie.finish)
        self.movie = None
        self._say(f"saved {movie.path}", path=movie.path)

    def left(self, others: Sequence[Path]) -> Iterator[tuple[Path, Callable[[], None] | None, Callable[[], None]]]:
        """Yield the movies of killed windows in this folder and others, with functions that finish or delete each; the
        first is None for a movie without a whole frame."""
        places = (self.folder, *others)
        for folder, remove in chain.from_iterable(abandoned(place, FILM) for place in places):
            movies = list(folder.glob("*.mp4"))
            if not movies:
                remove()
            for movie in movies:
                yield movie, partial(self._rescue, movie, remove) if has_frame(movie) else None, remove

    def _rescue(self, movie: Path, remove: Callable[[], None]) -> None:
        path = movie.parents[1] / movie.name
        try:
            frames = rescue(movie, path)
        except (OSError, ValueError) as error:  # also PyAV's errors; the next start asks again
            self._say(f"can't finish {movie.name}: {error}", is_error=True)
            return
        self._say(f"saved {path}, {frames} frame{'s' * (frames != 1)}", path=path)
        remove()

    def _write(self, step: Callable[[], object]) -> None:
        try:
            with writing(self.folder):
                step()
        except Exception as error:  # PyAV also raises its own errors
            movie, self.movie = self.movie, None
            if movie and movie.leave():
                error.add_note("The movie so far stays: the next start offers to finish it.")
            raise

    def cancel(self) -> None:
        movie, self.movie = self.movie, None
        if movie:
            movie.cancel()
            self._say("movie cancelled, nothing saved")

    def unused(self, stem: str, suffix: str = "") -> Path:
        return self.folder / f"{stem}-{datetime.now():%Y%m%d-%H%M%S-%f}{suffix}"


def save_picture(path: Path, source: moderngl.Framebuffer | moderngl.Texture, settings: Settings) -> None:
    """Write a framebuffer as PNG, or a texture of light as EXR with the settings of the frame."""
    if isinstance(source, moderngl.Framebuffer):
        write_picture(path, source.size, source.read(components=3, alignment=1))
    else:
        light = np.frombuffer(source.read(), np.float16).reshape(source.height, source.width, 4)
        write_radiance(path, np.ascontiguousarray(light[::-1, :, :3]), to_toml(settings))


def save_maps(path: Path, fields: Mapping[str, NDArray[np.float32]], settings: Settings, at: float) -> None:
    """Write the maps of all cascades at a time of the sea [s], as `ocean export --format npz` does."""
    from ocean.export.formats.base import make_format
    from ocean.export.plan import Plan
    from ocean.export.sources import Snapshot, cascade_arrays

    plan = Plan(resolve(settings), 1, "npz", ("displacement", "derivatives"), start=at)
    form = make_format(plan)
    (name,) = form.names(0)
    with whole_files(path.parent, [path.name]) as folder, writing(path.parent):
        form.write(Snapshot(0, at, cascade_arrays(plan, fields)), folder)
        (folder / name).rename(folder / path.name)


PATIENCE = 0.5  # s after which the rest of a picture waits for the next frame
LONG = 1.0  # s; a step that took longer in the last picture is announced
SLOW = 3.0  # s after which any picture shows its progress
FEW_STEPS = 8  # steps after which a picture that waits for nonlinear waves counts as catching up


class Drawing:
    """The remaining steps of a picture, the times of the steps of earlier pictures, and the compiled programs."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._steps: Iterator[Progress] | None = None
        self._next: Progress | None = None
        self._took: dict[str, float] = {}  # time of each step [s], by its text
        self._began = 0.0  # s
        self._programs: object = None
        self.compiled: set[object] = set()  # programs that a whole picture has used: no driver compiles them again
        self.time = 0.0  # time of the sea in the picture [s]

    @property
    def is_on(self) -> bool:
        return self._steps is not None

    @property
    def is_interrupted(self) -> bool:
        return self._next is not None

    @property
    def is_catching_up(self) -> bool:
        """Whether the picture waits for nonlinear waves up to its time, which can take minutes."""
        return self._next is not None and self._next.caught_up is not None

    def begin(self, steps: Iterator[Progress], time: float, programs: object) -> None:
        """Begin a picture at a time of the sea [s] with these programs. `steps` yields each step before it is done."""
        self._steps, self.time, self._programs = steps, time, programs
        self._began = clock.perf_counter()

    def give_up(self) -> None:
        self._steps, self._next = None, None

    def go_on(self) -> bool:
        """Continue the picture, and return whether it is whole. An error abandons the picture."""
        if self._steps is None:
            return False
        began = before = clock.perf_counter()
        last, is_late = self._next, self.is_catching_up
        try:
            for number, step in enumerate(self._steps):
                if step.caught_up is not None and (is_late or number > FEW_STEPS):
                    drain(self._ctx)  # lets the clock see the GPU's remaining work
                now = clock.perf_counter()
                self._note(last, now - before)
                last, before = step, now
                if now - began + self._took.get(str(step), 0.0) > PATIENCE:
                    self._next = step
                    return False
        except Exception:
            self.give_up()
            raise
        self._note(last, clock.perf_counter() - before)
        self.compiled.add(self._programs)
        self.give_up()
        return True

    def _note(self, step: Progress | None, seconds: float) -> None:
        # Times of a first run may include compiling, which the next picture does not repeat.
        if step is not None and self._programs in self.compiled:
            self._took[str(step)] = seconds

    @property
    def notice(self) -> str:
        """A line on the next step of a picture that compiles or takes long; empty for other pictures."""
        is_compiled = self._programs in self.compiled
        is_slow = clock.perf_counter() > self._began + SLOW or self._took.get(str(self._next), 0.0) > LONG
        if not self.is_interrupted or (is_compiled and not is_slow):
            return ""
        if self.is_catching_up:
            return f"computing {self._next}; Esc switches to linear waves …"
        return f"{'drawing' if is_compiled else 'compiling'} {self._next} …"
