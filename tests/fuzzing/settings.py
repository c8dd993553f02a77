"""Random settings: absurd values, keys, trees and bytes, in files and in single settings."""

import string
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np

from ocean.cli import BAD_INPUT, status_of
from ocean.common.parameters import fields
from ocean.common.resources import config as preset
from ocean.common.resources import presets
from ocean.settings import Settings, load_settings, to_toml

KEYS = sorted({path for path, _ in fields(Settings)} | {"sea", "fft", "sea.wind", "sky", "window"})
VALUES = (
    *("0", "-1", "1e400", "-0.0", "nan", "inf", "9" * 400, "9" * 5000, "0x" + "f" * 40, "0b" + "1" * 70, "1_0", "1__0"),
    *(
        "true",
        "True",
        "''",
        "'x'",
        '"\\u0000"',
        "'" + "x" * 3000 + "'",
        "[]",
        "[1]",
        "[" * 60 + "]" * 60,
        "{}",
        "{a=1}",
    ),
    *("1979-05-27", "07:32:00", "{kind='file'}", "{kind='file',path='/dev/null'}", "{kind='jonswap',gamma=1e9}"),
    *("'jonswap'", "'file'", "'auto'", "bluestein", "cooley-tukey", "3\nsea.seed=4", "é", "\x00", "\ud800", "=", "#"),
    *("'/etc/passwd'", "'../../x'", "'/dev/zero'", "{kind='file',path='README.md'}", "{kind='file',path='docs'}"),
)
TOKENS = (*"[]{}=.,'\"#\n\r\t \\", "[[", "]]", '"""', "'''", "sea", "wind", "fft", "size", "1", "e", "_", "\ufeff", "é")


def key(rng: np.random.Generator) -> str:
    """Return a key path: an existing one, or one with a changed part."""
    chosen = str(rng.choice(KEYS))
    parts = chosen.split(".")
    kind = rng.integers(8)
    if kind == 0:
        parts[rng.integers(len(parts))] = "".join(rng.choice(list(string.ascii_letters), rng.integers(0, 12)))
    elif kind == 1:
        parts += parts * int(rng.integers(1, 12))
    elif kind == 2:
        parts = parts[:-1]
    return ".".join(parts)


def value(rng: np.random.Generator) -> str:
    """Return a value in valid or invalid TOML."""
    kind = rng.integers(4)
    if kind == 0:
        return repr(float(10 ** rng.uniform(-20, 20) * rng.choice([-1, 1])))
    if kind == 1:
        return str(rng.integers(-10, 5000))
    return str(VALUES[rng.integers(len(VALUES))])


def text(rng: np.random.Generator) -> bytes:
    """Return a settings file: lines of keys and values, a damaged preset, or tokens in any order."""
    kind = rng.integers(4)
    if kind == 0:
        data = np.frombuffer(preset(str(rng.choice(presets()))).read_bytes(), np.uint8).copy()
        data[rng.integers(0, len(data), rng.integers(1, 6))] = rng.integers(0, 256)
        return data.tobytes()
    if kind == 1:
        tokens = (TOKENS[i] for i in rng.integers(0, len(TOKENS), rng.integers(1, 200)))
        return "".join(tokens).encode("utf-8", "surrogatepass")
    lines = (f"{key(rng)} = {value(rng)}" for _ in range(rng.integers(1, 8)))
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def attempt(rng: np.random.Generator, folder: Path) -> tuple[str, Callable[[], object]]:
    """Return a random input, and a function that reads it. It must return settings that survive writing and reading, or
    raise InputError with a short message."""
    if rng.integers(4) == 0:
        file = folder / "x.toml"
        file.write_bytes(data := text(rng))
        return repr(data), lambda: accepted(load_settings(file), file)
    overrides = [f"{key(rng)}={value(rng)}" for _ in range(rng.integers(1, 4))]
    if rng.integers(4) == 0:
        overrides.append(f"sea.dynamics={rng.choice(['nonlinear', 'non-linear'], p=[0.9, 0.1])}")
    return repr(overrides), lambda: accepted(load_settings(overrides=overrides), folder / "x.toml")


def accepted(settings: Settings, file: Path) -> str:
    """Return "accepted" after writing and reading the settings."""
    shown = repr(settings).encode("utf-8", "surrogatepass")
    if crc32(shown) % 16 == 0:  # one input in 16, because it takes ten times as long as the rest
        file.write_text(to_toml(settings), encoding="utf-8", errors="surrogatepass")
        assert load_settings(file) == settings, "settings that read back as others"
    return "accepted"


def outcome(read: Callable[[], object]) -> str:
    """Return "accepted" or "refused", or "ended" if a process had to be ended. Raise any other error."""
    try:
        read()
    except Exception as error:
        if status_of(error) != BAD_INPUT:
            raise
        said = str(error)
    else:
        return "accepted"
    assert len(said) <= 20 * 502, "a message that is too long"
    assert "\n" not in said, "a message of several lines"
    return "ended" if "takes longer than" in said else "refused"
