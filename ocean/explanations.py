"""What is wrong with a setting, in a sentence to act on: key path, value, range and nearest valid name."""

import difflib
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import ValidationError

from ocean.parameters import Parameters, is_even, range_of, unit_of


def explain(error: ValidationError, model: type[Parameters], prefix: str = "") -> str:
    """A validation error of `model` as sentences: key path (below `prefix`), value, and range or nearest name."""
    return "; ".join(_sentence(problem, model, prefix) for problem in error.errors())


def _sentence(problem: Any, model: type[Parameters], prefix: str) -> str:
    path, owner, field = _locate(problem["loc"], model)
    full = ".".join([*([prefix] if prefix else []), *path])
    value, kind, context = problem["input"], problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        known = list(owner.model_fields) if owner else []
        elsewhere = [key for key in key_paths(model) if key.rpartition(".")[2] == path[-1]]
        hint = f"; did you mean {elsewhere[0]}?" if elsewhere else nearest(path[-1], known, full.rpartition(".")[0])
        return f"unknown setting {full} = {value!r}" + (hint or "; there are " + ", ".join(known))
    if kind == "value_error":  # one of our own validators, which names the key itself
        return str(context["error"])
    if kind in ("literal_error", "union_tag_invalid"):
        names = _choices(field, context)
        tag = value.get("kind") if isinstance(value, Mapping) else value
        hint = nearest(tag, names) if isinstance(tag, str) else ""
        return f"{full} = {tag!r} is not one of {', '.join(names)}{hint}"
    if field is not None and None not in (bounds := range_of(field)):
        unit = f" {unit_of(field)}" if unit_of(field) else ""
        allowed = f"{bounds[0]:.10g} to {bounds[1]:.10g}{unit}"
        if kind in ("greater_than_equal", "less_than_equal"):
            return f"{full} = {value} is outside {allowed}"
        is_whole = int in (field.annotation, *get_args(field.annotation))
        number = "an even number" if is_even(field) else "a whole number" if is_whole else "a number"
        return f"{full} = {value!r} is not {number} from {allowed}"
    if kind in ("model_type", "dict_type") and field is not None:
        groups = _models(field.annotation)
        return f"{full} = {value!r} is not a table of settings, which are {' or '.join(g.names() for g in groups)}"
    return f"{full} = {value!r}: {problem['msg'][0].lower()}{problem['msg'][1:]}"


def nearest(name: str, known: list[str], prefix: str = "") -> str:
    """A hint at the valid name that comes closest, if one does."""
    match = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    return f"; did you mean {prefix + '.' if prefix else ''}{match[0]}?" if match else ""


def key_paths(model: type[Parameters], prefix: str = "") -> Iterator[str]:
    """Every key path of a model's settings, in order of declaration."""
    for name, field in model.model_fields.items():
        groups = _models(field.annotation)
        if not groups:
            yield prefix + name
        for group in groups:
            yield from key_paths(group, f"{prefix}{name}.")


def _locate(loc: Iterable[Any], model: type[Parameters]) -> tuple[list[str], type[Parameters] | None, Any]:
    """The key path of a pydantic location (without the tags of unions), the model that owns it and its field."""
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


def _choices(field: Any, context: Mapping[str, Any]) -> list[str]:
    if "expected_tags" in context:
        return [tag.strip().strip("'") for tag in context["expected_tags"].split(",")]
    return [str(choice) for choice in get_args(field.annotation)] if field is not None else []
