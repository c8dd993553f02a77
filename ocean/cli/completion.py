"""Completion of values on the command line. Typer completes the names of options itself.

bash breaks words at `=` and replaces only the last piece. So for bash the pieces are joined before Typer sees them, and
pieces already in the shell are removed from the answers.
"""

import io
import os
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

Words = list[tuple[str, str]]
"""Completions, each with a line of help."""


def run(app: Callable[[], Any]) -> Any:
    """Run the command line and return its result, or answer a shell that asks for completions."""
    if os.environ.get("_OCEAN_COMPLETE") != "complete_bash":
        return app()
    words, current = joined(os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"]))
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(current)
    before_break = re.sub(r"^--[\w-]+=", "", words[current]).rpartition("=")
    answers = io.StringIO()
    try:
        with redirect_stdout(answers):
            return app()
    finally:
        for answer in answers.getvalue().splitlines():
            print(answer.removeprefix("".join(before_break[:2])))


def joined(words: list[str], current: int) -> tuple[list[str], int]:
    """Return the words up to the current one without bash's breaks at `=`, and the index of the current one. Blanks
    beside a `=` look like breaks, and are dropped."""
    whole: list[str] = []
    for i, word in enumerate([*words, ""][: current + 1]):
        if i > 1 and (word == "=" or words[i - 1] == "="):
            whole[-1] += word
        else:
            whole.append(word)
    return whole, len(whole) - 1


def settings(incomplete: str) -> Words:
    from ocean.settings.vocabulary import complete_setting

    return complete_setting(incomplete)


def axes(incomplete: str) -> Words:
    from ocean.common.resources import presets
    from ocean.settings.vocabulary import complete_axis

    return complete_axis(incomplete, presets())


def configs(incomplete: str) -> Words:
    """Return presets of `--config`, with their first line. If none fits, shells complete files."""
    from ocean.common.resources import config, presets

    fitting = [name for name in presets() if name.startswith(incomplete)]
    return [(name, config(name).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")) for name in fitting]


def backends(incomplete: str) -> Words:
    from ocean.fft import BACKENDS

    return [(name, backend.summary) for name, backend in BACKENDS.items() if name.startswith(incomplete)]


def one_of(*names: str) -> Callable[[str], list[str]]:
    """Return a function that returns the choices that start with the typed text."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]
