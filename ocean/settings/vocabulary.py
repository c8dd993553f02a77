"""What can be written in a config, for editors and shells: a JSON schema, and the keys and values that `--set` takes.

All of it comes from the declarations of the settings.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic.fields import FieldInfo

from ocean.common.explanations import fields
from ocean.common.parameters import range_of, unit_of, usual_of
from ocean.fft import BACKENDS
from ocean.settings.model import Settings
from ocean.settings.trees import Tree

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Words = list[tuple[str, str]]
"""What may be typed, each with a line of help."""


# -- For shells --------------------------------------------------------------------------------------------------------


def complete_setting(text: str) -> Words:
    """How `key.path=value` may go on: keys, and behind the sign of equality (or once a key is the only one) values."""
    key, equals, value = text.partition("=")
    declared = settings_by_key()
    if equals:
        return [(f"{key}={word}", help) for word, help in values(declared.get(key, [])) if word.startswith(value)]
    keys = [name for name in declared if name.startswith(key)]
    if len(keys) == 1 and (known := values(declared[keys[0]])):
        return [(f"{keys[0]}={word}", help) for word, help in known]
    return [(f"{name}=", describe(declared[name][0])) for name in keys]


def complete_axis(text: str, configs: list[str]) -> Words:
    """How `key.path=value,value` may go on; the axis `config` takes these."""
    listed, comma, last = text.rpartition(",")
    key = text.partition("=")[0]
    if "=" not in text:
        return [
            *([("config=", "TOML files or presets.")] if "config".startswith(text) else []),
            *complete_setting(text),
        ]
    if key == "config":
        found = [(f"config={name}", "") for name in configs if name.startswith(last if comma else text[7:])]
    else:
        found = complete_setting(f"{key}={last}" if comma else text)
    return [(f"{listed},{word.partition('=')[2]}" if comma else word, help) for word, help in found]


def settings_by_key() -> dict[str, list[FieldInfo]]:
    """The declarations of each key path; several where kinds or backends share it."""
    found: dict[str, list[FieldInfo]] = {}
    for path, field in fields(Settings):
        found.setdefault(path, []).append(field)
    for backend in BACKENDS.values():
        for name, field in backend.Options.model_fields.items():
            found.setdefault(f"fft.options.{name}", []).append(field)
    return found


def values(declared: list[FieldInfo]) -> Words:
    """Words worth a try for a setting: all there are where they can be listed; of a number the usual ones, or the ends
    of its range and the default."""
    words: dict[str, str] = {}
    for field in declared:
        for word in _words(field):
            words.setdefault(word, describe(field))
    return list(words.items())


def _words(field: FieldInfo) -> Iterator[str]:
    options = get_args(field.annotation)
    if field.annotation is bool:
        yield from ("true", "false")
    elif options and not any(isinstance(option, type) for option in options):  # a Literal
        yield from map(str, options)
    elif usual := usual_of(field):
        yield from map(str, usual)
    else:
        low, high = range_of(field)
        yield from (f"{number:g}" for number in (low, field.default, high) if isinstance(number, int | float))


def describe(field: FieldInfo) -> str:
    """The line of help, with unit and range."""
    low, high = range_of(field)
    unit = f" {unit_of(field)}" if unit_of(field) else ""
    limits = f" {low:.10g} to {high:.10g}{unit}." if low is not None and high is not None else ""
    return (field.description or "") + limits


# -- For editors -------------------------------------------------------------------------------------------------------


def schema() -> Tree:
    """The JSON schema of a TOML config. What only a whole sea can tell, such as a loop that is too short for its waves,
    is beyond it."""
    tree = Settings.model_json_schema()
    options = {name: backend.Options.model_json_schema() for name, backend in BACKENDS.items()}
    fft = tree["$defs"]["FFTSettings"]
    fft["properties"]["options"] = {
        "description": "Options of the backend.",
        "anyOf": list({str(one): one for one in options.values()}.values()),
    }
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
    """Without what only the panel reads; units and usual values where editors show them. A model that is chosen by its
    kind may be named by it alone, or leave it to the config below."""
    if isinstance(tree, list):
        return [_for_people(item) for item in tree]
    if not isinstance(tree, Mapping):
        return tree
    found = {key: _for_people(value) for key, value in tree.items() if key not in ("logarithmic", "unit", "usual")}
    if unit := tree.get("unit"):
        found["description"] += f" [{unit}]"
    if usual := tree.get("usual"):
        found["examples"] = list(usual)
    if "discriminator" in tree:
        found["anyOf"] = [*found.pop("oneOf"), {"enum": list(found.pop("discriminator")["mapping"])}]
    if isinstance(found.get("title"), str):
        del found["title"]
    return found
