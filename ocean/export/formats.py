"""How a frame becomes files. A format says which files a frame has, and writes them into a folder that is not yet their
own. The same frame gives the same bytes, wherever and however often it is written.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ocean.export.frames import Frame
from ocean.export.plan import INSTALL, ExportError, Plan

_HOMES = {
    "exr": ("exr", "ExrFormat"),
    "npz": ("arrays", "NumpyFormat"),
    "zarr": ("zarr_store", "ZarrFormat"),
    "glb": ("meshes", "MeshFormat"),
    "ply": ("meshes", "MeshFormat"),
    "png": ("pictures", "PngFormat"),
    "mp4": ("pictures", "MovieFormat"),
}


class Format(ABC):
    """One format, for one plan. Names are relative to the export's folder, with `/` between their parts."""

    threads = 0
    """Threads that may write frames at once, while the next one is computed; with 0 the computing one writes."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def common(self) -> list[str]:
        """Files that belong to no frame and are there from the start; `prepare` makes them."""
        return []

    def prepare(self, aside: Path) -> None:
        """Make ready to write frames into `aside`."""
        return

    @abstractmethod
    def names(self, index: int) -> list[str]:
        """Files of a frame."""

    @abstractmethod
    def write(self, frame: Frame, aside: Path) -> None:
        """Write the files of a frame into `aside`, which was prepared."""

    def final(self) -> list[str]:
        """Files that are made of all frames; `finish` makes them."""
        return []

    def finish(self, path: Path, aside: Path, advance: Callable[[], None]) -> None:
        """Make the final files in `aside` of the frames in `path`, and say when one has been taken in."""
        return


def make_format(plan: Plan) -> Format:
    """The format of a plan.

    Raises:
        ExportError: where a package is missing that it needs.
    """
    module, name = _HOMES[plan.format]
    try:
        made: Format = getattr(import_module(f"ocean.export.{module}"), name)(plan)
    except ImportError as error:
        raise ExportError(
            f"--format {plan.format} needs a package that is not installed ({error.name}); {INSTALL}"
        ) from None
    return made
