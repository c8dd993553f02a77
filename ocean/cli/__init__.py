"""The command line: options into settings, errors into one sentence and an exit status.

What a command needs is imported inside it, so that each starts fast. Docstrings are the manual (that of `root` has the
exit statuses): paragraphs are filled, indented lines stay.

`programs` and `files` hold the commands, `options` what they share, `completion` what a shell asks.
"""

import inspect
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ocean import __version__
from ocean.cli import completion, files, programs

FAILED, BAD_INPUT, NO_CONTEXT = 1, 2, 4
UsageError: Any = typer.BadParameter.__mro__[1]
"""What Click raises for arguments that make no sense. Typer has no name for it, and newer ones a Click of their own."""


class Root(TyperGroup):
    """The root of all commands, whose first argument may be an option of the window."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Options that the root does not know stand for `window` with these options."""
        known = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in known:
            args = ["window", *args]
        return super().parse_args(ctx, args)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ocean {__version__}")
        raise typer.Exit


def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """A real-time ocean: a random sea from oceanography's spectra, with FFT algorithms in GLSL that can be switched
    while it runs. Without a command it opens the window, with the options given.

    Settings come from TOML files (--config: a path, or a preset such as gale), then from single keys (--set), and later
    ones win. Completion in the shell knows keys and values; --install-completion sets it up.

    Examples:

      ocean
      ocean --fresh
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean capture --config gale --compare-backends --out out/gale
      ocean config show --config storm --set sea.seed=7

    Exit status: 0 done, 1 a mistake of the program, 2 bad input (the message names it), 3 slower than a baseline,
    4 no usable OpenGL, 130 stopped by Ctrl-C.
    """
    if context.invoked_subcommand is None:
        programs.window()


def filled(text: str) -> str:
    """Text whose paragraphs are lines, so that a terminal of any width breaks them; indented lines stay as they are."""
    return re.sub(r"(?<=\S)\n(?=\S)", " ", text)


def group(summary: str, **commands: Callable[..., None]) -> typer.Typer:
    """Commands under a name of their own."""
    made = typer.Typer(help=summary, no_args_is_help=True, rich_markup_mode="rich")
    for name, command in commands.items():
        made.command(name, help=manual(command))(command)
    return made


def manual(command: Callable[..., None]) -> str:
    """What a command's help says."""
    return filled(inspect.getdoc(command) or "")


app = typer.Typer(
    name="ocean",
    cls=Root,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.callback(invoke_without_command=True, help=manual(root))(root)
for command in (
    programs.window,
    programs.capture,
    programs.sea,
    programs.sweep,
    files.export,
    files.transform,
    files.image,
    programs.bench,
    programs.doctor,
):
    app.command(help=manual(command))(command)
app.add_typer(
    group(
        "Show, compare and describe configs.",
        show=files.config_show,
        diff=files.config_diff,
        schema=files.config_schema,
    ),
    name="config",
)
app.add_typer(group("Compare reports of captures and benches.", diff=files.report_diff), name="report")


def main() -> None:
    """Run the command line."""
    try:
        sys.exit(completion.run(partial(app, standalone_mode=False)))
    except UsageError as error:
        if message := error.format_message():  # none where a group without a command has shown its help
            fail(sentence(message), BAD_INPUT)
        sys.exit(BAD_INPUT)
    except Exception as error:
        if (status := status_of(error)) is None:
            raise
        fail(f"a shader does not compile: {error}" if status == FAILED else error, status)


def sentence(message: str) -> str:
    """A message of Click's as ours are: on one line, after a colon."""
    return " ".join(f"{message[0].lower()}{message[1:]}".split()).removesuffix(".")


def status_of(error: Exception) -> int | None:
    """The exit status of an error that a sentence explains; None for one that is a mistake of ours."""
    from ocean.common.errors import InputError
    from ocean.fft import FFTError
    from ocean.gpu.context import ContextError
    from ocean.gpu.shaders import ShaderError

    statuses = {InputError: BAD_INPUT, FFTError: BAD_INPUT, ShaderError: FAILED, ContextError: NO_CONTEXT}
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), None)


def fail(error: object, status: int) -> None:
    """Say what is wrong and leave."""
    typer.echo(f"ocean: {error}", err=True)
    sys.exit(status)
