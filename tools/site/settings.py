"""The reference of the settings, generated from their declarations: every key with unit, range, default and meaning.

`python -m tools.site.settings` writes `configs/default.toml`, and pages of settings and commands in `docs/reference`.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic.fields import FieldInfo

from ocean.common.parameters import Parameters, choices_of, groups_of, hints_of, is_even, kind_of, range_of
from ocean.common.resources import config, presets
from ocean.fft import BACKENDS
from ocean.settings import Settings, to_toml

INTRODUCTION = """\
# Settings

Every key of a config and of `--set`, with its unit, its range and its default. A TOML file names the keys that it
changes and leaves the rest; of several files and `--set` the later one wins.

```toml
[sea.wind]
speed = 18.0

[fft]
backend = "stockham-radix4"
size = 256
```

is the same as `--set sea.wind.speed=18 --set fft.backend=stockham-radix4 --set fft.size=256`. A key that does not
exist, or a value out of its range, is refused in a sentence that names what would be right. `ocean config show` prints
the settings that a command line makes, `ocean config schema` a schema with which editors complete and check a file.
"""

DEFAULTS = """\
# All built-in defaults. A config that leaves out a key gets its value from here.
# Two keys of [sea] stand for keys of [sea.wind]: beaufort = 0 to 12 sets speed, and height to 0; state = 0 to 9 (WMO)
# sets height, period and speed.

"""


def default_config() -> str:
    return DEFAULTS + to_toml(Settings())


def settings() -> str:
    models: dict[str, list[type[Parameters]]] = {}
    parts = [INTRODUCTION, *preset_table(), *group(Settings, "", Settings(), models)]
    for name, kinds in models.items():
        parts += kind_tables(name, kinds)
    parts += backend_options()
    return "\n\n".join(part.strip() for part in parts) + "\n"


def preset_table() -> Iterator[str]:
    """Yield the table of presets, with the first sentence of their files."""
    yield "## Presets"
    yield (
        "`--config NAME` takes a file, or one of these by its name; `ocean config diff default gale` lists what"
        " one changes."
    )
    rows = []
    for name in presets():
        comment = [line[2:] for line in config(name).read_text(encoding="utf-8").split("\n\n")[0].splitlines()]
        rows.append(f"| `{name}` | {' '.join(comment)} |")
    yield table("preset", "what its file begins with", rows=rows)


def group(
    model: type[Parameters], path: str, defaults: Parameters, models: dict[str, list[type[Parameters]]]
) -> Iterator[str]:
    """Yield a section for the keys of a model, and sections for its groups. A key that is chosen by `kind` has one line
    here and is added to `models`, for a section of its own."""
    rows, below = [], []
    for name, field in model.model_fields.items():
        default, kinds = getattr(defaults, name), groups_of(field.annotation)
        if name == "options":
            rows.append(f"| `{name}` | | | [below](#options-of-the-backends) | {field.description} |")
        elif len(kinds) > 1:
            models[name] = kinds
            default_text = ", ".join(f"`{key} = {shown(value)}`" for key, value in default)
            rows.append(f"| `{name}` | | [models](#models-of-{name}) | {default_text} | {field.description} |")
        elif kinds:
            below.append((kinds[0], f"{path}.{name}".lstrip("."), default))
        else:
            rows.append(row(name, field, default))
    if path:
        yield f"## {path}"
        yield inspect.getdoc(model) or ""
    if rows:
        yield table("key", "unit", "range", "default", "meaning", rows=rows)
    for args in below:
        yield from group(*args, models)


def kind_tables(name: str, kinds: list[type[Parameters]]) -> Iterator[str]:
    """Yield the models that a key can choose, each with its parameters."""
    yield f"## Models of {name}"
    yield (
        f"`kind` chooses one, and the other keys are its own: `--set sea.wind.{name}.kind={kind_of(kinds[0])}`, or"
        f" a table `[sea.wind.{name}]` in a file; the same for `sea.swell.{name}`."
    )
    for kind in kinds:
        yield f"### {kind_of(kind)}"
        yield (inspect.getdoc(kind) or "").partition("\n\n")[0]
        rows = [row(key, field, field.default) for key, field in kind.model_fields.items() if key != "kind"]
        yield table("key", "unit", "range", "default", "meaning", rows=rows) if rows else "It has no parameters."


def backend_options() -> Iterator[str]:
    yield "## Options of the backends"
    yield (
        "Keys of `fft.options`, such as `--set fft.options.radix=8`; each belongs to the backends whose table has it."
        " [The FFT backends](../backends/index.md) says what they do."
    )
    for name, backend in BACKENDS.items():
        if backend.Options.model_fields:
            yield f"### {name}"
            yield backend.summary
            rows = [row(key, field, field.default) for key, field in backend.Options.model_fields.items()]
            yield table("key", "unit", "range", "default", "meaning", rows=rows)


def row(name: str, field: FieldInfo, default: Any) -> str:
    """Return a line of a table: key, unit, range or choices, default, meaning."""
    usual = "must be given" if field.is_required() else "" if default is None else f"`{shown(default)}`"
    cells = (f"`{name}`", hints_of(field).unit, choices(field), usual)
    return f"| {' | '.join(cells)} | {field.description or ''} |"


def choices(field: FieldInfo) -> str:
    low, high = range_of(field)
    if field.annotation is bool:
        return "`true`, `false`"
    if names := choices_of(field):
        return ", ".join(f"`{shown(choice)}`" for choice in names)
    if low is None or high is None:
        return "text" if field.annotation is str else ""
    is_whole = int in (field.annotation, *get_args(field.annotation))
    kind = "even, " if is_even(field) else "whole, " if is_whole else ""
    usual = f"; usual are {', '.join(map(str, hints_of(field).usual))}" if hints_of(field).usual else ""
    return f"{kind}{number(low)} to {number(high)}{usual}"


def number(value: float) -> str:
    return f"{value:.10g}".replace("e+0", "e")


def shown(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else number(value) if isinstance(value, float) else str(value)


def table(*heads: str, rows: list[str]) -> str:
    return "\n".join([f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|", *rows])


if __name__ == "__main__":
    from tools.site.command_line import command_line

    config("default").write_text(default_config(), encoding="utf-8")
    for name, page in (("settings", settings()), ("commands", command_line())):
        Path(f"docs/reference/{name}.md").write_text(page, encoding="utf-8")
