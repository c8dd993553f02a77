"""Export as Zarr stores that xarray opens: `cascades.zarr` and `patch.zarr`. Names and units follow the CF conventions
(https://cfconventions.org) if these define them. Each frame is a chunk of each array, in a file of its own."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from numpy.typing import NDArray

from ocean import __version__
from ocean.export.formats import Format
from ocean.export.frame_sources import Snapshot
from ocean.export.maps import CASCADE_MAPS, CONVERGED, PATCH_MAPS
from ocean.export.plan import Plan
from ocean.settings import to_toml

CASCADES, PATCH = "cascades.zarr", "patch.zarr"
STORED: dict[str, Any] = {"fill_value": np.nan, "config": {"write_empty_chunks": True}}
"""Options of all arrays: a done frame has all its files."""
PARTS = {
    name: part
    for parts in (*CASCADE_MAPS.values(), *(each.parts for each in (*PATCH_MAPS.values(), CONVERGED)))
    for name, part in parts.items()
}


class ZarrFormat(Format):
    """Zarr stores of format 3."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._arrays: list[tuple[zarr.Array[Any], bool]] = []

    def common(self) -> list[str]:
        names = []
        for store, fields, coordinates in self._stores():
            names.append(f"{store}/zarr.json")
            names += [f"{store}/{name}/zarr.json" for name in (*coordinates, *fields)]
            names += [f"{store}/{name}/c/0" for name in coordinates]
        return names

    def names(self, index: int) -> list[str]:
        return [
            f"{store}/{name}/c/{index}" + "/0" * (3 if store == CASCADES else 2)
            for store, fields, _ in self._stores()
            for name in fields
        ]

    def prepare(self, aside: Path) -> None:
        plan, self._arrays = self.plan, []
        for store, fields, coordinates in self._stores():
            dimensions = ("cascade", "z", "x") if store == CASCADES else ("z", "x")
            shape = tuple(len(coordinates[name][0]) for name in dimensions)
            group = zarr.create_group(aside / store, attributes=self._facts())
            for name, (values, attributes) in coordinates.items():
                dimension = name if name in ("time", *dimensions) else "cascade"
                group.create_array(
                    name, data=values, chunks=values.shape, dimension_names=[dimension], attributes=attributes, **STORED
                )
            for name in fields:
                part = PARTS[name]
                attributes = {"long_name": part.words, "units": part.unit}
                if part.standard_name:
                    attributes["standard_name"] = part.standard_name
                if store == CASCADES:
                    attributes["coordinates"] = "side rotation"
                array = group.create_array(
                    name,
                    shape=(plan.frames, *shape),
                    chunks=(1, *shape),
                    dtype="f4",
                    dimension_names=("time", *dimensions),
                    attributes=attributes,
                    **STORED,
                )
                self._arrays.append((array, store == CASCADES))
            with warnings.catch_warnings(category=UserWarning, action="ignore"):  # consolidated metadata are not yet
                zarr.consolidate_metadata(aside / store)  # in the specification, but xarray wants them

    def write(self, frame: Snapshot, aside: Path) -> None:
        for array, of_cascades in self._arrays:
            array[frame.index] = (frame.cascades if of_cascades else frame.patch)[array.basename]

    def _facts(self) -> dict[str, Any]:
        return {
            "Conventions": "CF-1.11",
            "title": "A random sea",
            "source": f"ocean {__version__}",
            "choppiness": self.plan.settings.sea.choppiness,
            "config": to_toml(self.plan.settings),
        }

    def _stores(self) -> list[tuple[str, tuple[str, ...], dict[str, tuple[NDArray[np.float64], dict[str, Any]]]]]:
        """Return each store with the names of its arrays and its coordinates."""
        plan, stores = self.plan, []
        times = np.array([plan.time(i) for i in range(plan.frames)])
        time = (times, {"standard_name": "time", "long_name": "time of the sea", "units": "s", "axis": "T"})
        if plan.cascade_fields:
            texel = np.arange(plan.settings.fft.size) / plan.settings.fft.size
            tiles = plan.tiles
            coordinates: dict[str, tuple[NDArray[np.float64], dict[str, Any]]] = {
                "time": time,
                "cascade": (np.arange(float(len(tiles))), {"long_name": "cascade", "units": "1"}),
                "z": (texel, {"long_name": "place along the tile's z, in sides", "units": "1", "axis": "Y"}),
                "x": (texel, {"long_name": "place along the tile's x, in sides", "units": "1", "axis": "X"}),
                "side": (np.array([tile.side for tile in tiles]), {"long_name": "side of the tile", "units": "m"}),
                "rotation": (
                    np.array([tile.rotation for tile in tiles]),
                    {"long_name": "rotation of the tile, from x to z", "units": "rad"},
                ),
            }
            stores.append((CASCADES, plan.cascade_fields, coordinates))
        if plan.patch is not None:
            x, z = plan.patch.axes
            coordinates = {
                "time": time,
                "z": (z, {"long_name": "distance southwards", "units": "m", "axis": "Y"}),
                "x": (x, {"long_name": "distance eastwards", "units": "m", "axis": "X"}),
            }
            stores.append((PATCH, plan.patch_fields, coordinates))
        return stores
