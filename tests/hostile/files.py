"""Damaged files: spectra, pictures, panoramas, reports and kept states, with bytes changed, cut and repeated."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ocean.cli.files import read_run
from ocean.cli.image import read_picture
from ocean.common.errors import InputError
from ocean.common.radiance import read_radiance
from ocean.common.resources import folder as resources
from ocean.fft.auto import TunedPlans
from ocean.settings import Settings, load_settings
from ocean.window import session
from ocean.window.ui.journey import Journey

Reader = Callable[[Path], Any]


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Return data with some bytes changed, a piece cut out or repeated, or a digit run made long."""
    kind, size = rng.integers(5), len(data)
    first, last = sorted(int(i) for i in rng.integers(0, size + 1, 2))
    if kind == 0:
        return data[:first]
    if kind == 1:
        return data[:first] + data[last:]
    if kind == 2:
        return data[:last] + data[first:last] * 3 + data[last:]
    if kind == 3:
        return data[:first] + b"9" * int(rng.integers(1, 6000)) + data[first:]
    changed = np.frombuffer(data, np.uint8).copy()
    end = min(size, int(rng.choice([64, 1024, size])))
    changed[rng.integers(0, end, rng.integers(1, 9))] = rng.integers(0, 256)
    return changed.tobytes()


def spectrum(path: Path) -> Settings:
    return load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path='{path}'"])


def panorama(path: Path) -> None:
    """Read past the cache; settings turn ValueError into a sentence."""
    read_radiance.cache_clear()
    try:
        read_radiance(str(path))
    except ValueError as error:
        raise InputError(str(error)) from None


def restored(path: Path) -> None:
    """Read a kept state and its settings, as the window does."""
    if state := session.load(path):
        state.restored()


def samples(folder: Path, rng: np.random.Generator) -> dict[str, tuple[bytes, str, Reader]]:
    """Return small files of every kind: contents, name, and what reads them."""
    noise = Image.fromarray(rng.integers(0, 256, (24, 32, 3), np.uint8))
    found: dict[str, tuple[bytes, str, Reader]] = {}
    for kind in ("PNG", "JPEG", "TIFF", "WEBP"):
        noise.save(folder / "picture", kind)
        data = (folder / "picture").read_bytes()
        found[kind.lower()] = data, "x.png", lambda path: read_picture(path, "luminance")
    found["hdr"] = b"#?RADIANCE\n\n-Y 16 +X 32\n" + rng.bytes(16 * 32 * 4), "x.hdr", panorama
    with suppress(ImportError):
        import OpenEXR

        pixels = {"RGB": rng.random((16, 32, 3), np.float32)}
        OpenEXR.File({"type": OpenEXR.scanlineimage}, pixels).write(str(folder / "x.exr"))
        found["exr"] = (folder / "x.exr").read_bytes(), "x.exr", panorama
    buoy = resources("assets") / "example-buoy.data_spec"
    found["buoy"] = buoy.read_bytes()[:4000], "x.data_spec", spectrum
    with suppress(ImportError):
        import xarray

        axes = {"time": np.arange(3), "freq": np.linspace(0.05, 0.4, 12), "dir": np.arange(12) * 30.0}
        sea = xarray.Dataset({"efth": (("time", "freq", "dir"), rng.random((3, 12, 12)) * 1e-3)}, axes)
        sea.to_netcdf(folder / "x.nc", encoding={"efth": {"zlib": True, "chunksizes": (1, 12, 12)}})
        found["netcdf"] = (folder / "x.nc").read_bytes(), "x.nc", spectrum
    reports = (Path(__file__).parents[2] / "docs/measurements").rglob("*.json")
    report = sorted(reports, key=lambda path: path.stat().st_size)
    found["report"] = report[0].read_bytes()[:20000], "x.json", read_run
    state = session.LastState.of(Settings(), "", Journey()).model_dump_json().encode()
    found["window.json"] = state, "window.json", restored
    found["tuned plans"] = TunedPlans(gpu="g", driver="d").model_dump_json().encode(), "x.json", TunedPlans.load
    return found


def attempt(rng: np.random.Generator, folder: Path, kinds: dict[str, tuple[bytes, str, Reader]]) -> tuple[str, Any]:
    """Return a damaged file as text, and what reads it."""
    name = str(rng.choice(list(kinds)))
    data, file, read = kinds[name]
    (folder / file).write_bytes(made := damaged(rng, data))
    return f"{name}: {made[:200]!r}", lambda: read(folder / file)
