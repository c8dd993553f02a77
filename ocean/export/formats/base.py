"""The interface of an export format: the names of a frame's files, and their writing.

Equal frames give equal bytes on every machine.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import TypeVar

from ocean.export.formats import FORMATS
from ocean.export.plan import INSTALL, ExportError, Plan
from ocean.export.sources import Snapshot


class Format(ABC):
    """One format, for one plan. File names are relative to the export's folder, with `/` between their parts."""

    threads = 0  # threads that may write frames while the next frame is computed; with 0 the computing thread writes

    whole = 1.0  # bytes of all files over those of the frames: `final` files hold the frames again

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def common(self) -> list[str]:
        """Return the files that do not belong to a frame; `prepare` makes them."""
        return []

    def prepare(self, folder: Path) -> None:
        """Prepare a folder for frames."""
        return

    @abstractmethod
    def names(self, index: int) -> list[str]:
        """Return the files of a frame."""

    @abstractmethod
    def write(self, frame: Snapshot, folder: Path) -> None:
        """Write the files of a frame into a folder that `prepare` has prepared."""

    def final(self) -> list[str]:
        """Return the files that combine all frames; `finish` makes them."""
        return []

    def finish(self, path: Path, folder: Path, advance: Callable[[], None]) -> None:
        """Make the final files in `folder` from the frames in `path`, and call `advance` after each frame."""
        return


def make_format(plan: Plan) -> Format:
    """Return the format of a plan. Raises ExportError when a package that the format needs is not installed."""
    entry = FORMATS[plan.format]
    try:
        if entry.needs:
            import_module(entry.needs)
        made: Format = resolve_name(f"ocean.export.formats.{entry.home}")(plan)
    except ImportError as error:
        raise ExportError(f"--format {plan.format} needs the package {error.name}; {INSTALL}") from None
    return made


Item = TypeVar("Item")
Result = TypeVar("Result")


def read_ahead(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Yield the results of a function for items, in order, while up to `threads` threads work on the next items. The
    calling thread makes the items; if `threads` is 0, it does all the work. An error of the function or of an
    item is raised in place of its result."""
    if threads == 0:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[Result]] = deque()
        making = iter(items)
        while True:
            try:
                begun.append(pool.submit(function, next(making)))
            except StopIteration:
                break
            except Exception as error:  # after the results of earlier items
                begun.append(Future())
                begun[-1].set_exception(error)
                break
            if len(begun) > threads:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()
