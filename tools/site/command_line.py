"""The reference of the command line, generated from the commands."""

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from ocean.cli import app

INTRODUCTION = """\
# Commands and options

What `--help` says, on one page. In a checkout, write `python -m ocean` for `ocean`. How the commands work together is
described in [The command line](../commands.md).
"""

OF_TYPER = ("install_completion", "show_completion")  # options that the manual text explains


def command_line() -> str:
    return "\n\n".join(part.strip() for part in (INTRODUCTION, *section("ocean", get_command(app)))) + "\n"


def section(name: str, command: Any) -> Iterator[str]:
    """Yield the section of a command or group, and the sections below it."""
    yield f"## {name}"
    yield from manual(command.help)
    rows = [row(parameter) for parameter in command.params if parameter.name not in OF_TYPER]
    if rows:
        yield "\n".join(["| option | | default |", "| --- | --- | --- |", *rows])
    for below, one in getattr(command, "commands", {}).items():
        yield from section(f"{name} {below}", one)


def manual(text: str) -> Iterator[str]:
    """Return the paragraphs of a command's help, with its indented examples as code."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("  "):
            yield "\n".join(["```", *(line.strip() for line in paragraph.splitlines()), "```"])
        else:
            yield re.sub(r"(?<!\w)(--[a-z-]+)", r"`\1`", paragraph)


def row(parameter: Any) -> str:
    is_argument = parameter.param_type_name == "argument"
    value = parameter.metavar or parameter.opts[0].lstrip("-").upper()
    names = value if is_argument else ", ".join(parameter.opts) + ("" if parameter.is_flag else f" {value}")
    default = "required" if parameter.required else parameter.default if parameter.default not in (None, False) else ""
    return f"| `{names}` | {parameter.help} | {default} |"
