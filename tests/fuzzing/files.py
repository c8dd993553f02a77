"""Damaged files: spectra, samples, pictures, panoramas, reports and saved states, with bytes changed, removed and
repeated, and with absurd numbers."""

import io
import re
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ocean.cli.file_commands import read_run
from ocean.cli.image import read_picture
from ocean.cli.transform import read_samples
from ocean.common.resources import folder as resources
from ocean.fft.auto import TunedPlans
from ocean.settings import Settings, load_settings, settings_from
from ocean.settings.files import resolve
from ocean.window import session
from ocean.window.camera import CameraPath
from tests.reports import make_report

Reader = Callable[[Path], Any]
LATE = 5.0  # s for an input of the process that reads files


NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
NUMBERS = (
    *("nan", "inf", "-inf", "1e300", "-1e300", "1e-300", "5e-324", "9.96921e+36", "1e30", "1e5", "-1", "0", "999"),
    *("99999999999999999999", "2147483648", "-9223372036854775809", "0x10", "1_0", "", "abc", "\0"),
)
VALUES = (float("nan"), float("inf"), 1e300, -1e300, 1e-300, 5e-324, 9.96921e36, -1.0, 0.0)


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Return data with bytes changed, removed or repeated, or with other numbers, as text or as bytes."""
    kind, size = rng.integers(7), len(data)
    first, last = sorted(int(i) for i in rng.integers(0, size + 1, 2))
    if kind == 0:
        return data[:first]
    if kind == 1:
        return data[:first] + data[last:]
    if kind == 2:
        return data[:last] + data[first:last] * 3 + data[last:]
    if kind == 3:
        return data[:first] + b"9" * int(rng.integers(1, 6000)) + data[first:]
    if kind == 4 and (numbers := list(NUMBER.finditer(data))):
        start = int(rng.integers(len(numbers)))
        chosen = numbers[start : start + int(rng.choice([1, 1, 3, 40]))]
        new = str(rng.choice(NUMBERS)).encode()
        pieces = [data[: chosen[0].start()]]
        for one, after in zip(chosen, [*chosen[1:], None], strict=True):
            pieces += [new, data[one.end() : after.start() if after else size]]
        return b"".join(pieces)
    if kind == 5 and size >= 8:
        form = str(rng.choice(["<d", ">d", "<f", ">f"]))
        value = struct.pack(
            form, VALUES[rng.integers(len(VALUES))] if form[1] == "d" else float(rng.choice([np.nan, np.inf, -1, 1e30]))
        )
        place = int(rng.integers(size // 4 - 1)) * 4
        return data[:place] + value + data[place + len(value) :]
    changed = np.frombuffer(data, np.uint8).copy()
    end = min(size, int(rng.choice([64, 1024, size])))
    changed[rng.integers(0, end, rng.integers(1, 9))] = rng.integers(0, 256)
    return changed.tobytes()


def spectrum(path: Path, longest: float = LATE) -> None:
    """Read the sea of a file, and check that its densities are finite."""
    named = load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path='{path}'"])
    sea = resolve(named, longest=longest).sea
    shape = sea.wind.spectrum.shape(sea.wind.speed, sea.wind.fetch)
    assert np.isfinite(shape.density(np.linspace(0.01, 50.0, 200))).all(), "densities that are not finite"


def panorama(path: Path) -> None:
    resolve(load_settings(overrides=[f"sky.panorama='{path}'"]), longest=LATE)


def restored(path: Path) -> None:
    """Read a saved state and its settings, as the window does."""
    if state := session.load(path):
        resolve(settings_from(state.settings), longest=LATE)


def samples(folder: Path, rng: np.random.Generator) -> dict[str, tuple[bytes, str, Reader]]:
    """Return small files of every kind: contents, name, and a function that reads them."""
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
    for name, values in ("real", rng.random(20)), ("complex", rng.random(20) + 1j), ("integer", np.arange(20)):
        np.save(stream := io.BytesIO(), values)
        found[f"{name} npy"] = stream.getvalue(), "x.npy", lambda path: read_samples(str(path))
    found["samples"] = b"1 2\n3,4\n\n5 # five\n" * 9, "x.txt", lambda path: read_samples(str(path))
    buoy = resources("assets") / "example-buoy.data_spec"
    found["buoy"] = buoy.read_bytes()[:4000], "x.data_spec", spectrum
    with suppress(ImportError):
        import xarray

        axes = {"time": np.arange(3), "freq": np.linspace(0.05, 0.4, 12), "dir": np.arange(12) * 30.0}
        sea = xarray.Dataset({"efth": (("time", "freq", "dir"), rng.random((3, 12, 12)) * 1e-3)}, axes)
        sea.to_netcdf(folder / "x.nc", encoding={"efth": {"zlib": True, "chunksizes": (1, 12, 12)}})
        found["netcdf"] = (folder / "x.nc").read_bytes(), "x.nc", spectrum

        from tests.waves import foreign_files

        np.random.seed(26)  # noqa: NPY002, of the phases of a FUNWAVE file
        for write in foreign_files.FILES:
            path = Path(write(folder))
            if path.is_file():  # without folders of zarr
                found[write.__name__] = path.read_bytes(), path.name, spectrum
    found["report"] = make_report().model_dump_json().encode(), "x.json", read_run
    state = session.LastState.of(Settings(), CameraPath()).model_dump_json().encode()
    found["window.json"] = state, "window.json", restored
    found["tuned plans"] = TunedPlans(gpu="g", driver="d").model_dump_json().encode(), "x.json", TunedPlans.load
    return found


def attempt(rng: np.random.Generator, folder: Path, kinds: dict[str, tuple[bytes, str, Reader]]) -> tuple[str, Any]:
    """Return a damaged file as text, and a function that reads it."""
    name = str(rng.choice(list(kinds)))
    data, file, read = kinds[name]
    (folder / file).write_bytes(made := damaged(rng, data))
    return f"{name}: {made[:200]!r}", lambda: read(folder / file)
