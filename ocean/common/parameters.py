"""Declarations of parameters: default, unit, range and a line of help, stated once beside the code that uses the
parameter.

TOML validation, `--set`, the panel's sliders and the documentation follow from the declaration.
"""

from typing import Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

TunedPart = Literal["plain", "first"]


class Parameters(BaseModel):
    """A frozen group of parameters: a change makes a new value, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _take_no_switch_for_a_number(cls, values: Any) -> Any:
        """Refuse true and false for numbers. Python would take them for 1 and 0, so they become text here."""
        if not isinstance(values, dict):
            return values
        kinds = {name: field.annotation for name, field in cls.model_fields.items()}
        numbers = {name for name, kind in kinds.items() if kind in (int, float) or get_origin(kind) is Literal}
        return {k: str(v).lower() if isinstance(v, bool) and k in numbers else v for k, v in values.items()}

    @classmethod
    def names(cls) -> str:
        return ", ".join(cls.model_fields) or "none"

    @classmethod
    def tunable(cls, of: TunedPart = "plain") -> dict[str, tuple[Any, ...]]:
        """Return the options that a tuner may try for kernels of this kind, each with all its values."""
        found: dict[str, tuple[Any, ...]] = {}
        for name, field in cls.model_fields.items():
            if get_origin(field.annotation) is Literal and _declared(field, "tunable", False) in (True, of):
                found[name] = get_args(field.annotation)
        return found


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
    extra = {"unit": unit, "logarithmic": logarithmic, "usual": usual, "zero": zero, "tunable": tunable}
    multiple = 2 if even else None
    read_only = {"strict": True, "exclude": True} if shorthand else {}
    limits = {"ge": low, "le": high, "multiple_of": multiple}
    more = cast(Any, limits | read_only | ({} if example is None else {"examples": [example]}))
    return Field(default, description=help, json_schema_extra=cast(Any, extra), **more)


def opening_value(field: FieldInfo) -> Any:
    """Return the default of a field, or its example where a value must be given."""
    return field.examples[0] if field.is_required() and field.examples else field.default


def unit_of(field: FieldInfo) -> str:
    """Return the unit of a field, or nothing for counts, ratios, switches and names."""
    return str(_declared(field, "unit", ""))


def _declared(field: FieldInfo, name: str, default: Any) -> Any:
    extra = field.json_schema_extra
    return extra.get(name, default) if isinstance(extra, dict) else default


def range_of(field: FieldInfo) -> tuple[float | None, float | None]:
    """Return the closed range [low, high] of a field, with None for an open end."""
    bounds: dict[str, float] = {}
    for constraint in field.metadata:
        for side in ("ge", "le"):
            if (value := getattr(constraint, side, None)) is not None:
                bounds[side] = value
    return bounds.get("ge"), bounds.get("le")


def is_logarithmic(field: FieldInfo) -> bool:
    """Return whether the field's slider moves by factors."""
    return bool(_declared(field, "logarithmic", False))


def is_even(field: FieldInfo) -> bool:
    return any(getattr(constraint, "multiple_of", None) == 2 for constraint in field.metadata)


def zero_of(field: FieldInfo) -> str:
    """Return the word that the panel shows in place of 0; empty where it shows the number."""
    return str(_declared(field, "zero", ""))


def usual_of(field: FieldInfo) -> tuple[float, ...]:
    """Return the values that the panel lists for a number, which may be none."""
    return cast(tuple[float, ...], _declared(field, "usual", ()))
