"""Maps as arrays: OpenEXR, NumPy archives, and Zarr stores that xarray opens."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ocean import __version__
from ocean.common.files import system_errors
from ocean.export.formats.base import Format
from ocean.export.maps import MEANING, Part
from ocean.export.plan import Plan
from ocean.export.sources import Floats, Snapshot
from ocean.settings import to_toml

CHANNELS = {"dx": "R", "height": "G", "dz": "B"}
"""Channel names of a cascade's displacement: as R, G and B, so that other programs show x, y and z as a picture."""

TILE_COMMENT = (
    "A tile of the sea, repeating over side [m], turned from x to z by rotation [rad]; the first texel lies on its "
    f"corner, columns run along its x, rows along its z. {MEANING} R, G and B are dx, height and dz: world x (east), y "
    "(up) and z (south)."
)
PATCH_COMMENT = "A patch of the world; columns run east from x [m], rows south from z [m], spacing [m] apart."


class ExrFormat(Format):
    """OpenEXR files with scan lines in ZIP compression, of 32 or 16 bits."""

    def names(self, index: int) -> list[str]:
        cascades = len(self.plan.tiles) if self.plan.cascade_parts else 0
        names = [f"cascade{i}.{index:06d}.exr" for i in range(cascades)]
        return names + ([f"patch.{index:06d}.exr"] if self.plan.patch_parts else [])

    def write(self, frame: Snapshot, folder: Path) -> None:
        if self.plan.cascade_parts:
            for i, tile in enumerate(self.plan.tiles):
                channels = {CHANNELS.get(name, name): frame.cascades[name][i] for name in self.plan.cascade_parts}
                facts = {"cascade": i, "side": np.array([tile.side]), "rotation": np.array([tile.rotation])}
                save_exr(folder / f"cascade{i}.{frame.index:06d}.exr", self.plan, frame, channels, TILE_COMMENT, facts)
        if self.plan.patch_parts and self.plan.patch is not None:
            x, z = self.plan.patch.axes
            channels = {name: frame.patch[name] for name in self.plan.patch_parts}
            facts = {"x": x[:1], "z": z[:1], "spacing": np.array([self.plan.patch.spacing])}
            save_exr(folder / f"patch.{frame.index:06d}.exr", self.plan, frame, channels, PATCH_COMMENT, facts)


def save_exr(
    path: Path, plan: Plan, frame: Snapshot, channels: dict[str, Floats], comment: str, facts: dict[str, Any]
) -> None:
    """Write one file. Arrays of one float64 become attributes of double precision."""
    import OpenEXR

    header = {
        "compression": OpenEXR.ZIP_COMPRESSION,
        "type": OpenEXR.scanlineimage,
        "comments": comment,
        "software": f"ocean {__version__}",
        "config": to_toml(plan.settings),
        "frame": frame.index,
        "time": np.array([frame.time]),
        **facts,
    }
    dtype = np.float16 if plan.half else np.float32
    pixels = {name: np.ascontiguousarray(array, dtype) for name, array in channels.items()}
    with system_errors(path.parent):
        OpenEXR.File(header, pixels).write(str(path))


class NumpyFormat(Format):
    """NumPy archives, from which `numpy.load` gives each array by its name.

    Arrays of the cascades are (cascade, z, x), with `side` [m] and `rotation` [rad] of the tiles. Arrays of the patch
    are (z, x); their names begin with `patch_`, and `patch_x` and `patch_z` [m] are their axes.
    """

    def names(self, index: int) -> list[str]:
        return [f"frame.{index:06d}.npz"]

    def write(self, frame: Snapshot, folder: Path) -> None:
        plan = self.plan
        arrays: dict[str, Any] = {name: frame.cascades[name] for name in plan.cascade_parts}
        if plan.cascade_parts:
            arrays |= {"side": [tile.side for tile in plan.tiles], "rotation": [tile.rotation for tile in plan.tiles]}
        if plan.patch is not None:
            arrays |= {f"patch_{name}": frame.patch[name] for name in plan.patch_parts}
            arrays["patch_x"], arrays["patch_z"] = plan.patch.axes
        arrays |= {"time": frame.time, "config": to_toml(plan.settings), "software": f"ocean {__version__}"}
        np.savez(folder / self.names(frame.index)[0], **arrays)


CASCADES, PATCH = "cascades.zarr", "patch.zarr"
AXES = {"time": "T", "z": "Y", "x": "X"}
STORED: dict[str, Any] = {"fill_value": np.nan, "config": {"write_empty_chunks": True}}
"""Options of all arrays. Empty chunks are written too, so that a completed frame has all its files."""


class ZarrFormat(Format):
    """Zarr stores of format 3."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._arrays: list[tuple[Any, bool]] = []

    def common(self) -> list[str]:
        names = []
        for store, parts, coordinates in self._stores():
            names.append(f"{store}/zarr.json")
            names += [f"{store}/{name}/zarr.json" for name in (*coordinates, *parts)]
            names += [f"{store}/{name}/c/0" for name in coordinates]
        return names

    def names(self, index: int) -> list[str]:
        return [
            f"{store}/{name}/c/{index}" + "/0" * (3 if store == CASCADES else 2)
            for store, parts, _ in self._stores()
            for name in parts
        ]

    def prepare(self, folder: Path) -> None:
        import zarr

        self._arrays = []
        for store, parts, coordinates in self._stores():
            dimensions = ("cascade", "z", "x") if store == CASCADES else ("z", "x")
            shape = tuple(len(coordinates[name][0]) for name in dimensions)
            group = zarr.create_group(folder / store, attributes=self._facts())
            for name, (values, part) in coordinates.items():
                named = [name if name in ("time", *dimensions) else "cascade"]
                attributes = part.attributes | ({"axis": AXES[name]} if name in AXES else {})
                group.create_array(
                    name, data=values, chunks=values.shape, dimension_names=named, attributes=attributes, **STORED
                )
            for name, part in parts.items():
                array = group.create_array(
                    name,
                    shape=(self.plan.frames, *shape),
                    chunks=(1, *shape),
                    dtype="f4",
                    dimension_names=("time", *dimensions),
                    attributes=part.attributes | ({"coordinates": "side rotation"} if store == CASCADES else {}),
                    **STORED,
                )
                self._arrays.append((array, store == CASCADES))
            with warnings.catch_warnings(category=UserWarning, action="ignore"):  # consolidated metadata are not yet
                zarr.consolidate_metadata(folder / store)  # in the specification, but xarray wants them

    def write(self, frame: Snapshot, folder: Path) -> None:
        for array, of_cascades in self._arrays:
            array[frame.index] = (frame.cascades if of_cascades else frame.patch)[array.basename]

    def _facts(self) -> dict[str, Any]:
        return {
            "Conventions": "CF-1.11",
            "title": "A random sea",
            "source": f"ocean {__version__}",
            "comment": MEANING,
            "config": to_toml(self.plan.settings),
        }

    def _stores(self) -> Iterator[tuple[str, dict[str, Part], dict[str, tuple[NDArray[np.float64], Part]]]]:
        """Yield each store with its arrays and its coordinates."""
        plan, tiles, size = self.plan, self.plan.tiles, self.plan.settings.fft.size
        time = np.array([plan.time(i) for i in range(plan.frames)]), Part("time of the sea", "s", "time")
        if plan.cascade_parts:
            texel = np.arange(size) / size
            axes = {
                "time": time,
                "cascade": (np.arange(float(len(tiles))), Part("cascade")),
                "z": (texel, Part("place along the tile's z, in sides")),
                "x": (texel, Part("place along the tile's x, in sides")),
                "side": (np.array([tile.side for tile in tiles]), Part("side of the tile", "m")),
                "rotation": (
                    np.array([tile.rotation for tile in tiles]),
                    Part("rotation of the tile, from x to z", "rad"),
                ),
            }
            yield CASCADES, plan.cascade_parts, axes
        if plan.patch is not None:
            x, z = plan.patch.axes
            south, east = Part("distance southwards", "m"), Part("distance eastwards", "m")
            yield PATCH, plan.patch_parts, {"time": time, "z": (z, south), "x": (x, east)}
