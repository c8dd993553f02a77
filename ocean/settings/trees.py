"""Settings as trees of plain values, before they are checked: of TOML files and the command line, one over another."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ocean.common.errors import InputError
from ocean.settings.sea import spell_out

Tree = dict[str, Any]


class SettingsError(InputError):
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
    """The tree `below` with the values of `above` over it. Tables merge; where both name a kind or backend, and not the
    same, what belongs to the old one goes."""

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
    """A value at a key path as a tree."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return _plainly(value)


def _plainly(tree: Tree) -> Tree:
    """A layer of settings without shorthands, so that the last layer to say something wins, however it says it."""
    try:
        return {**tree, "sea": spell_out(tree["sea"])} if "sea" in tree else tree
    except ValueError as error:
        raise SettingsError(str(error)) from None
