"""How a parameter is declared: once, beside the code that uses it, with unit, range and a line of help.

The declaration feeds TOML validation, `--set`, the panel's sliders and the documentation, so none of them repeats it.
"""

from typing import Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

Part = Literal["plain", "first"]


class Parameters(BaseModel):
    """A frozen group of parameters: a change makes a new value, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _take_no_switch_for_a_number(cls, values: Any) -> Any:
        """To Python true is 1; whoever writes it for a number has mixed up two parameters, and reads that in words."""
        if not isinstance(values, dict):
            return values
        kinds = {name: field.annotation for name, field in cls.model_fields.items()}
        numbers = {name for name, kind in kinds.items() if kind in (int, float) or get_origin(kind) is Literal}
        return {k: str(v).lower() if isinstance(v, bool) and k in numbers else v for k, v in values.items()}

    @classmethod
    def names(cls) -> str:
        """The parameters' names, as a list in a sentence."""
        return ", ".join(cls.model_fields) or "none"

    @classmethod
    def tunable(cls, of: Part = "plain") -> dict[str, tuple[Any, ...]]:
        """The choices that a tuner of such kernels may try, each with all of its values."""
        found: dict[str, tuple[Any, ...]] = {}
        for name, field in cls.model_fields.items():
            extra = field.json_schema_extra
            if get_origin(field.annotation) is Literal and isinstance(extra, dict) and extra["tunable"] in (True, of):
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
    shorthand: bool = False,
    tunable: bool | Part = True,
) -> Any:
    """Declare one parameter: its default, what it does, the closed range [low, high] and the unit it is given in.

    `logarithmic` asks the panel for a slider that moves by factors, for ranges of several decades. Of `even` numbers
    the odd ones are refused. `usual` values are those that the panel lists; others are typed. A `shorthand` is a whole
    number that its model replaces by what it stands for, so that it is read and never written. One that is not
    `tunable` changes what comes out and not only how fast; one may be so of plain kernels only, or of the first axis of
    fused ones, where it changes nothing of the others.
    """
    extra = {"unit": unit, "logarithmic": logarithmic, "usual": usual, "tunable": tunable}
    multiple = 2 if even else None
    read_only = {"strict": True, "exclude": True} if shorthand else {}
    limits = {"ge": low, "le": high, "multiple_of": multiple}
    return Field(default, description=help, json_schema_extra=cast(Any, extra), **cast(Any, limits | read_only))


def unit_of(field: FieldInfo) -> str:
    """The unit that a field was declared with; empty for counts, ratios, switches and names."""
    extra = field.json_schema_extra
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""


def range_of(field: FieldInfo) -> tuple[float | None, float | None]:
    """The closed range [low, high] that a field was declared with; None where it is open."""
    bounds: dict[str, float] = {}
    for constraint in field.metadata:
        for side in ("ge", "le"):
            if (value := getattr(constraint, side, None)) is not None:
                bounds[side] = value
    return bounds.get("ge"), bounds.get("le")


def is_logarithmic(field: FieldInfo) -> bool:
    """Whether the field's slider moves by factors."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("logarithmic", False))


def is_even(field: FieldInfo) -> bool:
    """Whether the field takes even numbers only."""
    return any(getattr(constraint, "multiple_of", None) == 2 for constraint in field.metadata)


def usual_of(field: FieldInfo) -> tuple[float, ...]:
    """The values that the panel lists for a number; empty where it lists none."""
    extra = field.json_schema_extra
    return cast(tuple[float, ...], extra.get("usual", ())) if isinstance(extra, dict) else ()
