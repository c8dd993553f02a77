"""The command line: turns options into settings, and errors into one sentence and an exit status.

A command imports what it needs when it runs, so that each starts fast. Docstrings are the manual (`root` lists the exit
statuses): paragraphs are filled, indented lines stay.

`programs` and `file_commands` hold the commands, `options` their shared options and the completion in shells.
"""

import inspect
import itertools
import os
import re
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup

from ocean import __version__
from ocean.cli import file_commands, options, programs, streams
from ocean.common.errors import clipped, plain

LONGEST = 10_000  # characters of a message
FAILED, BAD_INPUT, NO_CONTEXT, GPU_LOST = 1, 2, 4, 5
UsageError: Any = typer.BadParameter.__mro__[1]
"""Click's error for wrong arguments. Typer has no name for it, and newer versions contain a Click."""
NUMBER_ERRORS = "int_parsing", "float_parsing", "greater_than_equal", "less_than_equal"  # pydantic's names
NOUNS = {"DIR": "a folder", "FILE": "a file"}  # the values that metavars of options stand for


class Group(TyperGroup):
    """A group of commands, which answers an unknown command with the nearest command, or with all."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        from ocean.common.parameters import nearest_or_all

        if args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            hint = as_config(args[0]) or nearest_or_all(args[0], list(self.commands))
            raise UsageError(f"no such command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)


class Root(Group):
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
        bool, Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Run a real-time ocean: a random sea from oceanography's spectra, with FFT algorithms in GLSL that can be switched
    while it runs. Without a command, the window opens with the options given.

    Settings come from TOML files (--config: a path, or a preset such as gale), then from single keys (--set). Later
    settings win. --install-completion makes your shell complete commands, keys and values.

    Examples:

      ocean
      ocean --fresh
      ocean window --config gale --set fft.backend=stockham-radix4
      ocean capture --config gale --compare-backends --out out/gale
      ocean config show --config storm --set sea.seed=7

    Exit status: 0 done, 1 a bug in the program, 2 bad input (the message names it), 3 slower than a baseline or
    wrong values, 4 no usable OpenGL, 5 a GPU that was reset or hangs, 6 inconclusive, too noisy to compare with a
    baseline, 130 stopped by Ctrl-C.
    """
    if context.invoked_subcommand is None:
        programs.window()


def group(summary: str, **commands: Callable[..., None]) -> typer.Typer:
    made = typer.Typer(cls=Group, help=summary, no_args_is_help=True, rich_markup_mode="rich")
    for name, command in commands.items():
        made.command(name, cls=Command, help=manual(command))(command)
    return made


def manual(command: Callable[..., None]) -> str:
    """Return a docstring with the lines of each paragraph joined, so that a terminal of any width breaks them."""
    return re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(command) or "")


class Command(TyperCommand):
    """A command that refuses an option in place of another one's value, and an empty name of a folder or file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        parameters: list[Any] = self.params
        options = [one for one in parameters if one.param_type_name == "option" and not one.is_flag]
        valued = {name: option for option in options for name in option.opts}
        words = list(itertools.takewhile(lambda word: word != "--", args))
        joined = [(name, value) for name, equals, value in (word.partition("=") for word in words) if equals]
        for word, value in [*itertools.pairwise(words), *joined]:
            option = valued.get(word)
            if option and value.startswith("--"):
                raise UsageError(f"{word} takes a value, and {value!r} is an option; {remedy(option, self)}", ctx)
            if option and not value and option.metavar in NOUNS:  # an empty path would be the current folder
                raise UsageError(f"{word} is empty; {remedy(option, self)}", ctx)
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = error.ctx or ctx  # the parser of newer Typers forgets it
            raise


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
    file_commands.series,
    file_commands.export,
    file_commands.transform,
    file_commands.image,
    programs.bench,
    programs.doctor,
):
    app.command(cls=Command, help=manual(command))(command)
configs = group(
    "Show, compare, list and explain configs.",
    show=file_commands.config_show,
    diff=file_commands.config_diff,
    list=file_commands.config_list,
    explain=file_commands.config_explain,
    schema=file_commands.config_schema,
)
app.add_typer(configs, name="config")
app.add_typer(group("Compare reports of captures and benches.", diff=file_commands.report_diff), name="report")


def main(arguments: list[str] | None = None) -> None:
    for name in ("SIGTERM", "SIGHUP"):  # also a closed terminal keeps what Ctrl-C keeps; nohup ignores it
        if signal.getsignal(number := getattr(signal, name, signal.SIGTERM)) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    with streams.lasting():
        run(arguments)


def run(arguments: list[str] | None = None) -> None:
    try:
        sys.exit(options.answer_shell(partial(app, arguments, prog_name=program(), standalone_mode=False)))
    except UsageError as error:
        if message := explained(error):  # none after the help of a group without a command
            fail(message, BAD_INPUT)
        sys.exit(BAD_INPUT)
    except Exception as error:
        if (status := status_of(error)) is None:
            raise
        fail(f"a shader does not compile: {error}" if status == FAILED else error, status)


def program() -> str:
    """Return the words that started the program, for its manual; completion is always of `ocean`."""
    if "_OCEAN_COMPLETE" in os.environ or any(word.endswith("-completion") for word in sys.argv):
        return "ocean"
    return {"__main__.py": "python -m ocean", "app.py": "python app.py"}.get(os.path.basename(sys.argv[0]), "ocean")


def explained(error: Any) -> str:
    """Return Click's message as one sentence with the remedy."""
    from ocean.common.parameters import nearest, not_one_of

    context, kind, parameter = error.ctx, error.__class__.__name__, getattr(error, "param", None)
    message = error.format_message()
    words = " ".join(f"{message[:1].lower()}{message[1:]}".split()).removesuffix(".")
    if kind == "NoSuchOption":
        known = [name.lstrip("-") for one in context.command.params for name in one.opts]
        hint = nearest(error.option_name.lstrip("-"), known).replace("mean ", "mean --")
        return f"no such option: {error.option_name}{hint or f'; {called(context)} --help lists all'}"
    if kind == "BadOptionUsage":
        option = next(one for one in context.command.params if error.option_name in one.opts)
        return words if option.is_flag else f"{error.option_name} has no value; {remedy(option, context.command)}"
    arguments = [one.name.upper() for one in context.command.params if one.param_type_name == "argument"]
    if parameter and parameter.param_type_name == "argument":
        return f"{words}; write {' '.join([called(context), *arguments])}"
    if parameter and kind == "MissingParameter":
        return f"{parameter.opts[0]} is missing; {remedy(parameter, context.command)}"
    if parameter and hasattr(error.__cause__, "errors"):  # pydantic's
        problem = error.__cause__.errors()[0]
        _, is_choice, names = problem["msg"].removesuffix(".").partition(" is not one of ")
        if is_choice:
            return not_one_of(parameter.opts[0], problem["input"], [name.strip("'") for name in names.split(", ")])
        if problem["type"] in NUMBER_ERRORS:
            low, high = parameter.min, parameter.max  # floats, if they bound a float
            number = "a number" if problem["type"] == "float_parsing" or isinstance(low, float) else "a whole number"
            bounds = "" if low is None else f" from {low:g} up" if high is None else f" from {low:g} to {high:.10g}"
            return f"{parameter.opts[0]} = {problem['input']!r} is not {number}{bounds}"
    if parameter:
        given = re.sub(r"^(?:dir|directory|file|path) (?=')", "", words.rpartition(": ")[2])
        return f"{parameter.opts[0]} = {given}; {remedy(parameter, context.command)}"
    if words.startswith("got unexpected extra argument"):
        if arguments:
            return f"{words}; write {' '.join([called(context), *arguments])}"
        *_, example = examples(context.command)
        hint = as_config(words.rpartition("(")[2].rstrip(")"))
        return words + (hint or f"; write a command such as {example}")
    return words


def as_config(word: str) -> str:
    """Return a hint at --config if a word names a preset or a TOML file, or nothing."""
    from ocean.common.resources import presets

    return f"; did you mean --config {word}?" if word in presets() or word.endswith(".toml") else ""


def called(context: Any) -> str:
    """Return the words that call a command, independent of the started file."""
    return f"{called(context.parent)} {context.info_name}" if context.parent else "ocean"


def remedy(option: Any, command: Any) -> str:
    """Return a hint on the form of an option: from an example of the command's manual, or from its metavar."""
    metavar = option.metavar or option.name.upper()
    for example in examples(command):
        if found := re.search(rf" {option.opts[0]} (\S+)", example):
            return f"name {NOUNS.get(metavar, 'one')}, such as {option.opts[0]} {found[1]}"
    return f"write {option.opts[0]} {metavar}"


def examples(command: Any) -> list[str]:
    return [line.strip() for line in command.help.splitlines() if line.startswith("  ")]


def status_of(error: Exception) -> int | None:
    """Return the exit status of an error that a sentence explains, or None for a bug."""
    from ocean.common.errors import InputError
    from ocean.gpu.context import ContextError, DeviceLostError
    from ocean.gpu.shaders import ShaderError

    statuses = {InputError: BAD_INPUT, MemoryError: BAD_INPUT, ShaderError: FAILED, ContextError: NO_CONTEXT}
    statuses[DeviceLostError] = GPU_LOST
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), None)


def fail(error: object, status: int) -> None:
    text = str(error) or ("the memory is not enough" if isinstance(error, MemoryError) else type(error).__name__)
    lines = [text] if status == BAD_INPUT else text.splitlines()  # others are the program's own words
    typer.echo(f"ocean: {clipped(chr(10).join(map(plain, lines)), LONGEST)}", err=True)
    if status == GPU_LOST:
        sys.stdout.flush()
        os._exit(status)  # at a usual end, the driver may wait for the GPU
    sys.exit(status)
