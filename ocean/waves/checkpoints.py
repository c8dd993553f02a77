"""Checkpoints: states of nonlinear waves in files, from which a killed program goes on."""

import hashlib
import io
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocean.common.files import own_place

HIDDEN = ".waves"
"""Subfolder of the checkpoints."""
DIGEST = hashlib.sha256().digest_size
"""Bytes of the checksum at the start of a file, before an NPZ archive."""


class Checkpoints:
    """The states of runs of waves, in a subfolder of a folder. A file is whole or absent, after a power failure too."""

    SUFFIX = ".waves"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, run: str, step: int, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Write the state after a number of steps."""
        path = own_place(self.folder, f"{HIDDEN}/{run}-{step:08d}{self.SUFFIX}", is_followed=False)
        if path.exists():  # another worker wrote the same state
            return
        archive = io.BytesIO()
        np.savez(archive, **state)  # type: ignore[arg-type]  # numpy's stub lacks named arrays
        number, unfinished = tempfile.mkstemp(prefix="unfinished-", dir=path.parent)
        with os.fdopen(number, "wb") as file:
            file.write(hashlib.sha256(archive.getbuffer()).digest())
            file.write(archive.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)

    def last(self, run: str, most: int) -> tuple[int, dict[str, NDArray[np.generic]]] | None:
        """Return the latest number of steps, up to `most`, with its state. A damaged file counts as absent."""
        for path in sorted((self.folder / HIDDEN).glob(f"{run}-*{self.SUFFIX}"), reverse=True):
            step = int(path.stem.removeprefix(f"{run}-"))
            if step > most:
                continue
            try:
                data = path.read_bytes()
            except OSError:
                continue
            if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST]:
                with np.load(io.BytesIO(data[DIGEST:])) as state:
                    return step, dict(state)
        return None


def fingerprint(amplitudes: NDArray[np.generic], *values: object) -> str:
    """Return a name for the run of waves with these amplitudes and values."""
    found = hashlib.sha256(repr(values).encode())
    found.update(np.ascontiguousarray(amplitudes).tobytes())
    return found.hexdigest()[:16]
