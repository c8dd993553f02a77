"""Settings as trees of plain values, before they are checked: of TOML files and the command line, one over another."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ocean.sea_settings import spell_out_state

Tree = dict[str, Any]


class SettingsError(ValueError):
    """Settings that can't be used; the message names the key path, the value and what would be right."""


def flat(tree: Mapping[str, Any], prefix: str = "") -> Tree:
    """A tree of values by key path."""
    leaves: Tree = {}
    for key, value in tree.items():
        leaves |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return leaves


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The key paths at which two trees differ, with both values; `nothing` where one has none."""
    a, b = flat(before), flat(now)
    pairs = {key: (a.get(key, "nothing"), b.get(key, "nothing")) for key in dict.fromkeys((*a, *b))}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def read_toml(path: Path) -> Tree:
    """The tree of a TOML file."""
    try:
        return _plainly(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"can't read {path}: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no valid TOML: {error}") from None


def parse_override(text: str) -> Tree:
    """`a.b=value` as a tree; the value is read as TOML, or else as a bare string."""
    path, equals, raw = text.partition("=")
    if not equals or not path.strip():
        raise SettingsError(f"{text!r} is not of the form key.path=value")
    try:
        value = tomllib.loads(f"value = {raw}")["value"]
    except tomllib.TOMLDecodeError:
        value = raw
    return nested(path.strip(), value)


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> Tree:
    """The tree `below` with the values of `above` over it. Tables merge; where a kind or backend changes, what belongs
    to the old one goes."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            merged[key] = dict(value) if value.get("kind", old.get("kind")) != old.get("kind") else merge(old, value)
        elif isinstance(value, Mapping) and isinstance(old, str):
            merged[key] = {"kind": old, **value}
        else:
            merged[key] = value
    if "options" not in above and merged.get("backend") != below.get("backend"):
        merged.pop("options", None)
    return merged


def nested(path: str, value: Any) -> Tree:
    """A value at a key path as a tree."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return _plainly(value)


def _plainly(tree: Tree) -> Tree:
    """A layer of settings without shorthands, so that the last layer to say something wins, however it says it."""
    try:
        return {**tree, "sea": spell_out_state(tree["sea"])} if "sea" in tree else tree
    except ValueError as error:
        raise SettingsError(str(error)) from None
