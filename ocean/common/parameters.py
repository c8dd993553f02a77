"""Declarations of parameters, and validation errors as sentences.

Default, unit, range and a line of help are stated once, beside the code that uses the parameter. Validation, `--set`,
sliders and documentation follow from it. An error names key path, value, range, and the nearest valid name.
"""

import difflib
import types
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, PrivateAttr, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import core_schema

from ocean.common.errors import SHOWN, clipped, plain, shown

TunedPart = Literal["plain", "first"]


class OneOf:
    """Annotation of a text that must be one of these names; a Literal for names that are computed."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.literal_schema(list(self.names))


class Parameters(BaseModel):
    """A frozen group of parameters: a change makes a new value, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _take_no_switch_for_a_number(cls, values: Any) -> Any:
        """Refuse true and false for numbers. Python would take them for 1 and 0, so they become text here."""
        if not isinstance(values, dict):
            return values
        for name, field in cls.model_fields.items():
            if isinstance(values.get(name), bool) and (field.annotation in (int, float) or choices_of(field)):
                values = {**values, name: str(values[name]).lower()}
        return values

    @classmethod
    def names(cls) -> str:
        return ", ".join(cls.model_fields) or "none"

    @classmethod
    def tunable(cls, of: TunedPart = "plain") -> dict[str, tuple[Any, ...]]:
        """Return the options that a tuner may try for kernels of this kind, each with all its values."""
        tuned = {name: field for name, field in cls.model_fields.items() if hints_of(field).tunable in (True, of)}
        return {name: choices for name, field in tuned.items() if (choices := choices_of(field))}


class UnreadError(RuntimeError):
    """A file's content was used before `ocean.settings.files.resolve` read it."""


class Content(ABC):
    """The content of files, as a value: equal where the checksum is."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Checksum of all values."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and (self is other or self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)


class FileParameters(Parameters):
    """Parameters that name files, whose content `ocean.settings.files.resolve` adds to the value."""

    named_by: ClassVar[frozenset[str]]
    """Parameters that decide the content; the others may change without another reading."""

    _content: Content | None = PrivateAttr(None)

    @property
    def content(self) -> Content | None:
        return self._content

    def with_content(self, content: Content) -> Self:
        copy = self.model_copy()
        copy._content = content
        return copy

    def read_content(self) -> Any:
        """Return the content. Raises UnreadError when it has not been read."""
        if self._content is None:
            names = ", ".join(f"{name} = {shown(getattr(self, name))}" for name in sorted(self.named_by))
            raise UnreadError(f"a file has not been read: {names}; ocean.settings.files.resolve reads it")
        return self._content


class Hints(NamedTuple):
    """Facts of a parameter for panel, help and tuning, beside those that pydantic checks."""

    unit: str = ""  # empty for counts, ratios, switches and names
    logarithmic: bool = False
    usual: tuple[float, ...] = ()
    zero: str = ""
    tunable: bool | TunedPart = False


def parameter(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    logarithmic: bool = False,
    even: bool = False,
    usual: tuple[float, ...] = (),
    zero: str = "",
    example: str | None = None,
    shorthand: bool = False,
    tunable: bool | TunedPart = True,
) -> Any:
    """Declare one parameter: its default, a line of help, the closed range [low, high] and the unit.

    `logarithmic` gives the panel a slider that moves by factors, for ranges of several decades. An `even` number must
    be even. The panel lists the `usual` values; others can be typed. It shows the word `zero` in place of 0, and begins
    with the `example` where the default is `...`, which means that a value must be given. A `shorthand` is an integer
    that its model replaces by other values, so that it is read and never written. A `tunable` parameter changes the
    speed and not the result: for all kernels, for plain ones, or for the first axis of fused ones.
    """
    bounds: dict[str, Any] = {"ge": low, "le": high, "multiple_of": 2 if even else None}
    if shorthand:
        bounds |= {"strict": True, "exclude": True}
    if example is not None:
        bounds["examples"] = [example]
    extra = Hints(unit, logarithmic, usual, zero, tunable)._asdict()
    return Field(default, description=help, json_schema_extra=extra, **bounds)


def opening_value(field: FieldInfo) -> Any:
    """Return the default of a field, or its example where a value must be given."""
    return field.examples[0] if field.is_required() and field.examples else field.default


def choices_of(field: FieldInfo) -> tuple[Any, ...]:
    """Return the names or numbers that a field accepts; none if they can't be listed."""
    if get_origin(field.annotation) is Literal:
        return get_args(field.annotation)
    return next((mark.names for mark in field.metadata if isinstance(mark, OneOf)), ())


def hints_of(field: FieldInfo) -> Hints:
    extra: Any = field.json_schema_extra
    return Hints(**extra) if isinstance(extra, dict) else Hints()


def range_of(field: FieldInfo) -> tuple[float | None, float | None]:
    """Return the closed range [low, high] of a field, with None for an open end."""
    bounds: dict[str, float] = {}
    for constraint in field.metadata:
        for side in ("ge", "le"):
            if (value := getattr(constraint, side, None)) is not None:
                bounds[side] = value
    return bounds.get("ge"), bounds.get("le")


def is_even(field: FieldInfo) -> bool:
    return any(getattr(constraint, "multiple_of", None) == 2 for constraint in field.metadata)


MOST, LONGEST = 19, 500  # problems that a message names, and the characters of each


def explain(error: ValidationError, model: type[Parameters], prefix: str = "") -> str:
    """Return a validation error of `model` as sentences: key path below `prefix`, value, and range or nearest name."""
    problems = error.errors(include_url=False)
    sentences = [clipped(_sentence(problem, model, prefix), LONGEST) for problem in problems[:MOST]]
    rest = [f"and {len(problems) - MOST} more"] if len(problems) > MOST else []
    return "; ".join(sentences + rest)


def _sentence(problem: Any, model: type[Parameters], prefix: str) -> str:
    path, owner, field = locate(problem["loc"], model)
    path = [plain(clipped(part, SHOWN)) for part in path]
    full = ".".join([*([prefix] if prefix else []), *path])
    value, kind, context = problem["input"], problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        _, _, group = locate(problem["loc"][:-1], model)
        kinds = {} if group is None else kinds_of(group)
        if others := [name for name, one in kinds.items() if path[-1] in one.model_fields]:
            own = kind_of(owner) if owner else "this"
            return f"{full} = {shown(value)} belongs to {', '.join(others)}, not to {own}"
        known = list(owner.model_fields) if owner else []
        inner: list[str] = []
        while isinstance(value, Mapping) and len(value) == 1:  # wind.speed comes as {"wind": {"speed": 10}}
            (name,) = value
            inner, value = [*inner, plain(clipped(name, SHOWN))], value[name]
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
    if names := choice_names(field):
        if kind == "union_tag_not_found":
            return f"{full} = {shown(value)} lacks its kind, which is one of {', '.join(names)}"
        tag = value.get("kind") if kind == "union_tag_invalid" and isinstance(value, Mapping) else value
        return not_one_of(full, tag, names)
    if field is not None and None not in (bounds := range_of(field)):
        unit = f" {hints_of(field).unit}".rstrip()
        allowed = f"{bounds[0]:.10g} to {bounds[1]:.10g}{unit}"
        if kind in ("greater_than_equal", "less_than_equal"):
            return f"{full} = {shown(value)} is outside {allowed}"
        is_whole = int in (field.annotation, *get_args(field.annotation))
        number = "an even number" if is_even(field) else "a whole number" if is_whole else "a number"
        return f"{full} = {shown(value)} is not {number} from {allowed}"
    if kind in ("model_type", "dict_type") and field is not None:
        groups = groups_of(field.annotation)
        return f"{full} = {shown(value)} is not a table of settings, which are {' or '.join(g.names() for g in groups)}"
    if kind in ("bool_parsing", "bool_type"):
        return f"{full} = {shown(value)} is not true or false"
    if kind == "string_type":
        return f"{full} = {shown(value)} is not text in quotes"
    return f"{full} = {shown(value)}: {problem['msg'][0].lower()}{problem['msg'][1:]}"


def not_one_of(key: str, value: object, known: Iterable[str]) -> str:
    """Return the sentence on an unknown name, with the closest known one."""
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
    """Yield the settings of a model with their key paths, as declared, and a path of several kinds once for each."""
    for name, field in model.model_fields.items():
        groups = groups_of(field.annotation)
        if not groups:
            yield prefix + name, field
        for group in groups:
            yield from fields(group, f"{prefix}{name}.")


def key_paths(model: type[Parameters]) -> list[str]:
    return list(dict.fromkeys(path for path, _ in fields(model)))


def locate(loc: Iterable[Any], model: type[Parameters]) -> tuple[list[str], type[Parameters] | None, Any]:
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
        here = groups_of(field.annotation) if field else []
    return path, owner, field


def groups_of(annotation: Any) -> list[type[Parameters]]:
    """Return the models in an annotation; several if `kind` chooses between them."""
    if isinstance(annotation, type) and issubclass(annotation, Parameters):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, Annotated):
        return [model for part in get_args(annotation) for model in groups_of(part)]
    return []


def choice_names(field: Any) -> list[str]:
    """Return the names or numbers that a field accepts, or the kinds of a group."""
    return [] if field is None else list(kinds_of(field)) or [str(choice) for choice in choices_of(field)]


def kinds_of(field: FieldInfo) -> dict[str, type[Parameters]]:
    """Return the models between which the `kind` of a group chooses, by name."""
    return {kind_of(model): model for model in groups_of(field.annotation) if "kind" in model.model_fields}


def kind_of(model: type[Parameters]) -> str:
    return str(model.model_fields["kind"].default)
