"""Settings: all choices of a user as one frozen value, and how it is loaded, changed and written.

A change makes a new value (`with_values`). Each part of the program compares the value that it was built from with the
new one. Settings name files and never open them; `ocean.settings.files` does. Values of files and of the command line
are trees of plain values, which merge in layers before they are validated.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from pathlib import Path
from typing import Any, TypeVar

import tomli_w
from pydantic import ValidationError

from ocean.common import errors
from ocean.common.errors import InputError, clipped, reason, shown
from ocean.common.parameters import LONGEST, FileParameters, Parameters, explain, nearest_or_all
from ocean.settings.model import PICTURE as PICTURE
from ocean.settings.model import SHORTHANDS, spell_out, wind_of
from ocean.settings.model import USUAL_SIZES as USUAL_SIZES
from ocean.settings.model import CaptureSettings as CaptureSettings
from ocean.settings.model import DebugViewName as DebugViewName
from ocean.settings.model import FFTSettings as FFTSettings
from ocean.settings.model import FoamSettings as FoamSettings
from ocean.settings.model import SeaSettings as SeaSettings
from ocean.settings.model import Settings as Settings
from ocean.settings.model import SkySettings as SkySettings
from ocean.settings.model import ViewSettings as ViewSettings
from ocean.settings.model import WaterSettings as WaterSettings

Tree = dict[str, Any]
P = TypeVar("P", bound=Parameters)


class SettingsError(InputError):
    """Settings that can't be used; the message names the key path, the value and a valid value."""


# -- Loading, changing, writing ----------------------------------------------------------------------------------------


def load_settings(*paths: str | Path, overrides: Iterable[str] = ()) -> Settings:
    """Return settings from TOML files or presets such as "gale" (later ones win), then from
    `key.path=value` overrides.

    Raises:
        SettingsError: when a file can't be read, or a key or value is wrong.
    """
    if wrong := [path for path in paths if not isinstance(path, str | Path)]:
        raise SettingsError(f"a config is the name of a preset or a path, not {shown(wrong[0])}")
    files = [read_toml(find_config(path)) for path in paths]
    single = [overrides] if isinstance(overrides, str) or not isinstance(overrides, Iterable) else list(overrides)
    if wrong := [one for one in single if not isinstance(one, str)]:
        raise SettingsError(f"overrides are texts such as 'fft.size=256', not {shown(wrong[0])}")
    if len(single) > errors.MOST_VALUES:
        raise SettingsError(f"{len(single)} single settings are given, and {errors.MOST_VALUES} are the most")
    names = {text.partition("=")[0].strip() for text in single}
    for name in [name for name in SHORTHANDS if f"sea.{name}" in names]:
        same = *SHORTHANDS, *(f"wind.{key}" for key in wind_of(name, 1))
        if len(both := sorted(names & {f"sea.{one}" for one in same})) > 1:
            raise SettingsError(f"{both[0]} and {both[1]} set the same value; leave one of them out")
    chosen = reduce(merge, map(parse_override, single), Tree())  # an option may stand before its backend
    given = reduce(merge, [*files, chosen], Tree())  # layers merge first: in the defaults every kind has a name
    return settings_from(merge(Settings(), given))


def settings_from(tree: Mapping[str, Any]) -> Settings:
    """Validate a tree of plain values; missing values have their defaults. Raises SettingsError when a key or value is
    wrong."""
    try:
        errors.check(tree)
    except ValueError as error:
        raise SettingsError(f"these are not settings: {error}") from None
    return _validated(Settings, tree)


def with_values(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return settings with the values at some key paths changed, such as {"sea.wind.speed": 12.0}. A new FFT backend
    drops the options of the old one.

    Raises:
        SettingsError: when a key or value is wrong.
        TypeError: for settings of another type.
    """
    if not isinstance(settings, Settings):
        raise TypeError(f"expected Settings, not {type(settings).__name__}; load_settings makes them of a preset")
    if not isinstance(values, Mapping) or not all(isinstance(path, str) for path in values):
        raise SettingsError(f"values are a table by key path, such as {{'sea.wind.speed': 12.0}}, not {shown(values)}")
    given = reduce(merge, (nested(*pair) for pair in values.items()), Tree())
    return settings_from(merge(settings, given))


def with_size(settings: Settings, size: tuple[int, int]) -> Settings:
    """Return settings whose picture has a width and a height [px]. Raises ValueError for any other size."""
    if not isinstance(size, Sequence) or len(size) != 2:
        raise ValueError(f"size is the width and the height of the picture, not {shown(size)}")
    return with_values(settings, {"capture.width": size[0], "capture.height": size[1]})


def value_at(settings: Parameters, path: str) -> Any:
    return reduce(getattr, path.split("."), settings)


def to_tree(settings: Settings) -> Tree:
    """Return settings as plain values, complete."""
    return settings.model_dump(mode="json")


def to_toml(settings: Settings) -> str:
    """Return settings as TOML, complete. Characters in texts that would command a terminal are escaped."""
    text = tomli_w.dumps(to_tree(settings))
    return "".join(c if c.isprintable() or c == "\n" else f"\\U{ord(c):08x}" for c in text)


def _validated(model: type[P], tree: Mapping[str, Any], path: str = "") -> P:
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(explain(error, model, path)) from None


# -- Trees of plain values ---------------------------------------------------------------------------------------------


def find_config(name: str | Path) -> Path:
    """Return the path of a config. A text with a slash or with the suffix .toml names a file, and any other text a
    preset, so that no file in the working folder hides one. `gale.toml` and `configs/gale.toml` are the preset if there
    is no such file. Raises SettingsError when there is no such config."""
    from ocean.common.resources import config, presets

    path, is_file = Path(name), os.path.exists(name) and not os.path.isdir(name)
    names_file = isinstance(name, Path) or path.suffix == ".toml" or bool({"/", os.sep} & {*name})
    is_name = path.suffix in ("", ".toml") and (str(name) == path.name or path.parent.name == "configs")
    if not (is_file and names_file) and is_name and path.stem in presets():
        return config(path.stem)
    if names_file and os.path.exists(name):
        return path
    is_override = "=" in str(name)
    hint = "; did you mean --set, or overrides?" if is_override else nearest_or_all(path.stem, presets())
    if is_file:
        hint = f"; a file's name needs a slash, as in ./{name}"
    raise SettingsError(f"there is no config {shown(str(name))}{hint}")


def read_toml(path: Path) -> Tree:
    """Return the tree of a TOML file, with shorthands spelled out. Raises SettingsError when the file can't be read."""
    text = ""
    try:
        text = errors.read_bytes(path, errors.MOST_SETTINGS).decode("utf-8-sig")  # some editors write a byte order mark
        tree = errors.parse_toml(text)
    except OSError as error:
        raise SettingsError(f"can't read {path}: {reason(error)}") from None
    except ValueError as error:
        number = re.search(r"at line (\d+)", str(error))
        line = f": {shown(text.splitlines()[int(number[1]) - 1].strip())}" if number else ""
        raise SettingsError(f"{path} is not valid TOML: {clipped(str(error), LONGEST)}{line}") from None
    return _plainly(tree)


def parse_override(text: str) -> Tree:
    """Return `a.b=value` as a tree. The value is read as TOML, or else as a bare string. Raises SettingsError when the
    text is not of this form."""
    path, equals, raw = text.partition("=")
    if not equals or not path.strip():
        raise SettingsError(f"--set {shown(text)} is not of the form key.path=value, such as fft.size=256")
    try:
        tree = errors.parse_toml(f"value = {raw}")
    except tomllib.TOMLDecodeError:
        tree = {"value": raw}
    except ValueError as error:
        raise SettingsError(f"{shown(text)} can't be used: {error}") from None
    if path.count(".") >= errors.DEEPEST or len(tree) > 1:
        raise SettingsError(f"{shown(text)} is not a single setting, of the form key.path=value")
    return nested(path.strip(), tree["value"])


def nested(path: str, value: Any) -> Tree:
    """Return the tree of one value at a key path, with shorthands spelled out."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return _plainly(value)


def merge(below: Mapping[str, Any] | Parameters, above: Mapping[str, Any], path: str = "") -> Tree:
    """Return the tree or group `below` with the values of `above` in place of its own.

    Tables merge. If `above` names another kind or backend, the parameters of the old one are dropped. Groups without
    values in `above` are valid and stay unchanged. `path` is the key path of `below`, for messages. Raises
    SettingsError when a wrong value changes a group whose file has been read.
    """
    old = dict(below)
    if _has_another("kind", old, above):
        return dict(above)
    merged = {**old, **above}
    for name, value in above.items():
        group, here = old.get(name), f"{path}.{name}" if path else name
        if isinstance(group, Mapping | Parameters) and isinstance(value, Mapping):
            merged[name] = merge(group, value, here)
            if isinstance(group, FileParameters) and group.content and not value.keys() & {*group.named_by, "kind"}:
                merged[name] = _validated(type(group), merged[name], here).with_content(group.content)
    if _has_another("backend", old, above):
        merged["options"] = above.get("options", {})
    return merged


def flat(tree: Mapping[str, Any], prefix: str = "") -> Tree:
    """Return the values of a tree by key path."""
    leaves: Tree = {}
    for key, value in tree.items():
        leaves |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return leaves


def differences(before: Settings | Mapping[str, Any], now: Settings | Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the key paths at which settings or trees differ, with both values; `nothing` is a missing one."""
    a, b = (flat(to_tree(one) if isinstance(one, Settings) else one) for one in (before, now))
    pairs = {key: (a.get(key, "nothing"), b.get(key, "nothing")) for key in dict.fromkeys((*a, *b))}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _has_another(name: str, below: Mapping[str, Any], above: Mapping[str, Any]) -> bool:
    return name in below and name in above and below[name] != above[name]


def _plainly(tree: Tree) -> Tree:
    """Return a layer of settings without shorthands, so that the last layer wins whether or not it uses one."""
    try:
        return {**tree, "sea": spell_out(tree["sea"])} if "sea" in tree else tree
    except ValueError as error:
        raise SettingsError(str(error)) from None


# -- Quality levels ----------------------------------------------------------------------------------------------------

ELSEWHERE = re.compile(r"(?!window\.automatic)(window|capture)\.")
"""Keys of a level's config that do not belong to quality."""


@cache
def level_values(name: str) -> dict[str, Any]:
    """Return the values of a quality level or of quality automatic, `configs/NAME.toml`, by key path.

    All levels have the same keys. They change only the cost, so that a user's scene stays unchanged. Raises
    SettingsError when the file can't be read.
    """
    from ocean.common.resources import config

    values = flat(read_toml(config(name)))
    return {path: value for path, value in values.items() if not ELSEWHERE.match(path)}


@lru_cache(maxsize=4)
def level_of(settings: Settings) -> str | None:
    """Return the quality level whose values the settings have; None without one."""
    from ocean.common.resources import LEVELS

    return next((name for name in LEVELS if not changes_to(settings, name)), None)


def changes_to(settings: Settings, name: str) -> dict[str, Any]:
    """Return the values of a level that differ from the settings, by key path."""
    return {path: value for path, value in level_values(name).items() if value_at(settings, path) != value}
