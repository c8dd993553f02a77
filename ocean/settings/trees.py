"""Trees of plain values, before validation: from TOML files and the command line, merged in layers."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ocean.common.errors import DEEPEST, MOST_SETTINGS, InputError, clipped, parse_toml, read_bytes, reason, shown
from ocean.common.parameters import LONGEST, nearest_or_all
from ocean.common.resources import config, presets
from ocean.settings.sea_settings import spell_out

Tree = dict[str, Any]


class SettingsError(InputError):
    """Settings that can't be used; the message names the key path, the value and a valid value."""


def flat(tree: Mapping[str, Any], prefix: str = "") -> Tree:
    leaves: Tree = {}
    for key, value in tree.items():
        leaves |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return leaves


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the key paths at which two trees differ, with both values; `nothing` stands for a missing value."""
    a, b = flat(before), flat(now)
    pairs = {key: (a.get(key, "nothing"), b.get(key, "nothing")) for key in dict.fromkeys((*a, *b))}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def find_config(name: str | Path) -> Path:
    """Return the path of a config, given a path or the name of a preset. A folder does not hide a preset."""
    path, is_file = Path(name), os.path.exists(name) and not os.path.isdir(name)
    is_name = path.suffix in ("", ".toml") and (path.parent == Path() or path.parent.name == "configs")
    if not is_file and is_name and path.stem in presets():
        return config(path.stem)
    if not os.path.exists(name):
        is_override = "=" in str(name)
        hint = "; did you mean --set, or overrides?" if is_override else nearest_or_all(path.stem, presets())
        raise SettingsError(f"there is no config {shown(str(name))}{hint}")
    return path


def read_toml(path: Path) -> Tree:
    text = ""
    try:
        text = read_bytes(path, MOST_SETTINGS).decode("utf-8-sig")  # some editors write a byte order mark
        tree = parse_toml(text)
    except OSError as error:
        raise SettingsError(f"can't read {path}: {reason(error)}") from None
    except ValueError as error:
        number = re.search(r"at line (\d+)", str(error))
        line = f": {shown(text.splitlines()[int(number[1]) - 1].strip())}" if number else ""
        raise SettingsError(f"{path} is not valid TOML: {clipped(str(error), LONGEST)}{line}") from None
    return _plainly(tree)


def parse_override(text: str) -> Tree:
    """Return `a.b=value` as a tree. The value is read as TOML, or else as a bare string."""
    path, equals, raw = text.partition("=")
    if not equals or not path.strip():
        raise SettingsError(f"--set {shown(text)} is not of the form key.path=value, such as fft.size=256")
    try:
        tree = parse_toml(f"value = {raw}")
    except tomllib.TOMLDecodeError:
        tree = {"value": raw}
    except ValueError as error:
        raise SettingsError(f"{shown(text)} can't be used: {error}") from None
    if path.count(".") >= DEEPEST or len(tree) > 1:
        raise SettingsError(f"{shown(text)} is not a single setting, of the form key.path=value")
    return nested(path.strip(), tree["value"])


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> Tree:
    """Return the tree `below` with the values of `above` in place of its own.

    Tables merge. If `above` names another kind or backend, the parameters of the old one are dropped.
    """

    def has_another(name: str) -> bool:
        return name in below and name in above and below[name] != above[name]

    if has_another("kind"):
        return dict(above)
    merged = {**below, **above}
    for key, value in above.items():
        old = below.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            merged[key] = merge(old, value)
    if has_another("backend"):
        merged["options"] = above.get("options", {})
    return merged


def nested(path: str, value: Any) -> Tree:
    for part in reversed(path.split(".")):
        value = {part: value}
    return _plainly(value)


def _plainly(tree: Tree) -> Tree:
    """Return a layer of settings without shorthands, so that the last layer wins whether or not it uses one."""
    try:
        return {**tree, "sea": spell_out(tree["sea"])} if "sea" in tree else tree
    except ValueError as error:
        raise SettingsError(str(error)) from None
