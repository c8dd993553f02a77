"""The vocabulary of configs: a JSON schema for editors, and the keys and values of `--set` for shells.

Both follow from the declarations of the settings.
"""

import glob
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.fields import FieldInfo

from ocean.common.parameters import Hints, choices_of, fields, hints_of, is_even, locate, range_of
from ocean.fft.options import OPTIONS
from ocean.settings import Tree
from ocean.settings.files import PARTS
from ocean.settings.model import Settings

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Words = list[tuple[str, str]]  # completions, each with a line of help


# -- For shells --------------------------------------------------------------------------------------------------------


def complete_setting(text: str) -> Words:
    """Return completions of `key.path=value`: keys; and values after the equals sign, or once a single key matches."""
    key, equals, value = text.partition("=")
    declared = settings_by_key()
    if key in (f"{part}.{name}" for part, name in PARTS.items()):
        return [(f"{key}={path}", "") for path in paths(value)]
    if equals:
        return [(f"{key}={word}", help) for word, help in values(declared.get(key, [])) if word.startswith(value)]
    keys = [name for name in declared if name.startswith(key)]
    if len(keys) == 1 and (known := values(declared[keys[0]])):
        return [(f"{keys[0]}={word}", help) for word, help in known]
    return [(f"{name}=", describe(declared[name][0])) for name in keys]


def complete_axis(text: str, configs: list[str]) -> Words:
    """Return completions of `key.path=value,value`; the axis `config` takes the given configs."""
    listed, comma, last = text.rpartition(",")
    key = text.partition("=")[0]
    if "=" not in text:
        own = [("config=", "TOML files or presets.")] if "config".startswith(text) else []
        return own + complete_setting(text)
    if key == "config":
        found = [(f"config={name}", "") for name in configs if name.startswith(last if comma else text[7:])]
    else:
        found = complete_setting(f"{key}={last}" if comma else text)
    return [(f"{listed},{word.partition('=')[2]}" if comma else word, help) for word, help in found]


def paths(text: str) -> list[str]:
    """Return the files and folders whose paths begin with a text, or with what follows its last comma. Hidden ones need
    their dot; folders end in a slash."""
    listed, comma, last = text.rpartition(",")
    start, name = os.path.split(last)
    folder, begin = os.path.expanduser(start), listed + comma + last.removesuffix(name)
    found = sorted(glob.glob(f"{glob.escape(name)}*", root_dir=folder or None))
    return [f"{begin}{one}{'/' if os.path.isdir(os.path.join(folder, one)) else ''}" for one in found]


def settings_by_key() -> dict[str, list[FieldInfo]]:
    """Return the declarations of each key path; several if kinds or backends share it."""
    found: dict[str, list[FieldInfo]] = {}
    for path, field in fields(Settings):
        found.setdefault(path, []).append(field)
    for model in OPTIONS.values():
        for name, field in model.model_fields.items():
            found.setdefault(f"fft.options.{name}", []).append(field)
    return found


def values(declared: list[FieldInfo]) -> Words:
    """Return likely values of a setting: all values if they can be listed; for a number the usual ones, or the ends of
    its range and the default."""
    words: dict[str, str] = {}
    for field in declared:
        for word in _words(field):
            words.setdefault(word, describe(field))
    return list(words.items())


def _words(field: FieldInfo) -> Iterator[str]:
    if field.annotation is bool:
        yield from ("true", "false")
    elif words := choices_of(field) or hints_of(field).usual:
        yield from map(str, words)
    else:
        low, high = range_of(field)
        yield from (f"{number:g}" for number in (low, field.default, high) if isinstance(number, int | float))


def describe(field: FieldInfo) -> str:
    low, high = range_of(field)
    unit = f" {hints_of(field).unit}".rstrip()
    limits = f" {low:.10g} to {high:.10g}{unit}." if low is not None and high is not None else ""
    return (field.description or "") + limits


def explain(key: str, declared: list[FieldInfo], chosen: Tree, usual: Tree) -> Iterator[str]:
    """Yield lines on a setting: value, default, and unit, range or choices, and meaning of each declaration."""
    value, default = (_value(tree, key) for tree in (chosen, usual))
    defaults = [default] if default is not None else [field.default for field in declared if not field.is_required()]
    unset = "none" if defaults[:1] == [None] else "not used by the chosen kind or backend"
    yield f"value: {unset if value is None else json.dumps(value)}"
    said = dict.fromkeys("none" if each is None else json.dumps(each) for each in defaults)
    yield f"default: {' or '.join(said) or 'must be given'}"
    alike: dict[str, list[FieldInfo]] = {}  # several kinds may share a declaration
    for field in declared:
        alike.setdefault(describe(field), []).append(field)
    for same in alike.values():
        field, (low, high) = same[0], range_of(same[0])
        listed = [str(word) for one in same for word in choices_of(one)]
        choices = ["true", "false"] if field.annotation is bool else listed
        limits = "" if low is None or high is None else f"{'even, ' * is_even(field)}{low:.10g} to {high:.10g}"
        meaning = field.description or locate(key.split(".")[:-1], Settings)[2].description  # of a kind, its group's
        lines = ("unit", hints_of(field).unit), ("range", limits), ("choices", ", ".join(dict.fromkeys(choices)))
        yield from (f"{what}: {said}" for what, said in (*lines, ("meaning", meaning)) if said)


def _value(tree: Any, key: str) -> Any:
    for part in key.split("."):
        tree = tree.get(part) if isinstance(tree, Mapping) else None
    return tree


# -- For editors -------------------------------------------------------------------------------------------------------


def schema() -> Tree:
    """Return the JSON schema of a TOML config. It does not cover rules that involve the whole sea, such as a loop that
    is too short for its waves."""
    tree = Settings.model_json_schema()
    options = {name: model.model_json_schema() for name, model in OPTIONS.items()}
    fft = tree["$defs"]["FFTSettings"]
    kinds = list({str(one): one for one in options.values()}.values())
    fft["properties"]["options"] = {"description": "Options of the backend.", "anyOf": kinds}
    fft["allOf"] = [
        {
            "if": {"properties": {"backend": {"const": name}}, "required": ["backend"]},
            "then": {"properties": {"options": one}},
        }
        for name, one in options.items()
    ]
    tree["$defs"].pop("Parameters", None)
    return {"$schema": DIALECT, **_for_people(tree), "title": "Settings of the FFT ocean"}


def _for_people(tree: Any) -> Any:
    """Return the schema without the keys for the panel. Units and usual values go where editors show them; a model with
    kinds also accepts the name of a kind."""
    if isinstance(tree, list):
        return [_for_people(item) for item in tree]
    if not isinstance(tree, Mapping):
        return tree
    found = {key: _for_people(value) for key, value in tree.items() if key not in Hints._fields}
    if unit := tree.get("unit"):
        found["description"] += f" [{unit}]"
    if usual := tree.get("usual"):
        found["examples"] = list(usual)
    if "discriminator" in tree:
        found["anyOf"] = [*found.pop("oneOf"), {"enum": list(found.pop("discriminator")["mapping"])}]
    if isinstance(found.get("title"), str):
        del found["title"]
    return found
