"""Validation errors as sentences: key path, value, range, and the nearest valid name."""

import difflib
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from ocean.common.parameters import Parameters, is_even, range_of, unit_of
from ocean.common.reading import SHOWN, clipped, shown

MOST, LONGEST = 19, 500
"""Problems that a message names, and the characters of each."""


def explain(error: ValidationError, model: type[Parameters], prefix: str = "") -> str:
    """Return a validation error of `model` as sentences: key path (below `prefix`), value, and range or nearest
    name."""
    problems = error.errors(include_url=False)
    sentences = [clipped(_sentence(problem, model, prefix), LONGEST) for problem in problems[:MOST]]
    rest = [f"and {len(problems) - MOST} more"] if len(problems) > MOST else []
    return "; ".join(sentences + rest)


def _sentence(problem: Any, model: type[Parameters], prefix: str) -> str:
    path, owner, field = _locate(problem["loc"], model)
    path = [clipped(part, SHOWN) for part in path]
    full = ".".join([*([prefix] if prefix else []), *path])
    value, kind, context = problem["input"], problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        if others := [_kind(group) for group in _siblings(problem["loc"], model) if path[-1] in group.model_fields]:
            return f"{full} = {shown(value)} belongs to {', '.join(others)}, not to {_kind(owner) if owner else 'this'}"
        known = list(owner.model_fields) if owner else []
        inner: list[str] = []
        while isinstance(value, Mapping) and len(value) == 1:  # wind.speed comes as {"wind": {"speed": 10}}
            (name,) = value
            inner, value = [*inner, clipped(name, SHOWN)], value[name]
        ending = [*path, *inner] if inner else path[-1:]
        elsewhere = [key for key in key_paths(model) if key.split(".")[-len(ending) :] == ending]
        elsewhere = elsewhere or [key.removesuffix(".kind") for key in key_paths(model) if ending[-1] in key.split(".")]
        hint = f"; did you mean {elsewhere[0]}?" if elsewhere else ""
        hint = hint or nearest_or_all(path[-1], known, full.rpartition(".")[0])
        return f"unknown setting {'.'.join([full, *inner])} = {shown(value)}{hint}"
    if kind == "missing" and field is not None:
        example = f", such as {field.examples[0]}" if field.examples else ""
        return f"{full} must be given{example}: {str(field.description).rstrip('.').lower()}"
    if kind == "value_error":  # raised by a validator of this program, which names the key
        return str(context["error"])
    if names := _choices(field):
        if kind == "union_tag_not_found":
            return f"{full} = {shown(value)} lacks its kind, which is one of {', '.join(names)}"
        tag = value.get("kind") if kind == "union_tag_invalid" and isinstance(value, Mapping) else value
        return not_one_of(full, tag, names)
    if field is not None and None not in (bounds := range_of(field)):
        unit = f" {unit_of(field)}" if unit_of(field) else ""
        allowed = f"{bounds[0]:.10g} to {bounds[1]:.10g}{unit}"
        if kind in ("greater_than_equal", "less_than_equal"):
            return f"{full} = {shown(value)} is outside {allowed}"
        is_whole = int in (field.annotation, *get_args(field.annotation))
        number = "an even number" if is_even(field) else "a whole number" if is_whole else "a number"
        return f"{full} = {shown(value)} is not {number} from {allowed}"
    if kind in ("model_type", "dict_type") and field is not None:
        groups = _models(field.annotation)
        return f"{full} = {shown(value)} is not a table of settings, which are {' or '.join(g.names() for g in groups)}"
    if kind in ("bool_parsing", "bool_type"):
        return f"{full} = {shown(value)} is not true or false"
    if kind == "string_type":
        return f"{full} = {shown(value)} is not text in quotes"
    return f"{full} = {shown(value)}: {problem['msg'][0].lower()}{problem['msg'][1:]}"


def not_one_of(key: str, value: object, known: Iterable[str]) -> str:
    """Return the sentence on a value that is none of the known names, with the closest one."""
    names = list(known)
    hint = nearest(value, names) if isinstance(value, str) else ""
    return f"{key} = {shown(value)} is not one of {', '.join(names)}{hint}"


def nearest(name: str, known: list[str], prefix: str = "") -> str:
    """Return a hint at the closest valid name, or nothing."""
    match = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {prefix + '.' if prefix else ''}{match[0]}?" if match else ""


def nearest_or_all(name: str, known: list[str], prefix: str = "") -> str:
    """Return a hint at the closest valid name, or all of them."""
    return nearest(name, known, prefix) or (f"; there are {', '.join(known)}" if known else "; leave it out")


def fields(model: type[Parameters], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every setting of a model with its key path, in order of declaration. A path that several kinds of a group
    share comes once for each kind."""
    for name, field in model.model_fields.items():
        groups = _models(field.annotation)
        if not groups:
            yield prefix + name, field
        for group in groups:
            yield from fields(group, f"{prefix}{name}.")


def key_paths(model: type[Parameters]) -> list[str]:
    return list(dict.fromkeys(path for path, _ in fields(model)))


def _locate(loc: Iterable[Any], model: type[Parameters]) -> tuple[list[str], type[Parameters] | None, Any]:
    """Return the key path of a pydantic location (without tags of unions), the model that owns it, and its field."""
    path: list[str] = []
    owner: type[Parameters] | None = model
    here: list[type[Parameters]] = [model]
    field = None
    for part in loc:
        kinds = [m for m in here if "kind" in m.model_fields and m.model_fields["kind"].default == part]
        if kinds:
            here = kinds
            continue
        path.append(str(part))
        owner = here[0] if here else None
        field = owner.model_fields.get(str(part)) if owner else None
        here = _models(field.annotation) if field else []
    return path, owner, field


def _models(annotation: Any) -> list[type[Parameters]]:
    if isinstance(annotation, type) and issubclass(annotation, Parameters):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, Annotated):
        return [model for part in get_args(annotation) for model in _models(part)]
    return []


def _choices(field: Any) -> list[str]:
    """Return the names or numbers that a field accepts, or the kinds of a group."""
    if field is None:
        return []
    kinds = [_kind(model) for model in _models(field.annotation) if "kind" in model.model_fields]
    return kinds or [str(choice) for choice in get_args(field.annotation) if get_origin(field.annotation) is Literal]


def _siblings(loc: Sequence[Any], model: type[Parameters]) -> list[type[Parameters]]:
    """Return the kinds of the group that has the parameter at a pydantic location."""
    _, _, field = _locate(loc[:-1], model)
    return [] if field is None else [group for group in _models(field.annotation) if "kind" in group.model_fields]


def _kind(model: type[Parameters]) -> str:
    return str(model.model_fields["kind"].default)
