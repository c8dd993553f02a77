"""The command line as a person types it: help, errors in one sentence, exit statuses."""

import json
import re
import shlex
import tomllib
from importlib import metadata
from time import process_time

import pytest
from typer.main import get_command

from ocean.capture.batch import REGRESSION
from ocean.cli import BAD_INPUT, FAILED, NO_CONTEXT, app, filled, root
from ocean.cli.options import TOLERANCE
from ocean.common.parameters import range_of
from ocean.common.resources import config, presets
from ocean.export.run import INTERRUPTED
from ocean.settings import CaptureSettings, load_settings, settings_from, to_toml
from ocean.settings.vocabulary import schema

from ..commands import ROOT, ocean


def leaves(group, path=()):
    """Return every command below a group, by the words that call it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(leaves(get_command(app)))


@pytest.mark.parametrize("words", [(), ("config",), ("report", "diff"), ("capture",)])
def test_help_says_what_a_command_does(words):
    result = ocean(*words, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout
    assert result.stderr == ""
    assert ("Example" in result.stdout) == (words != ("config",))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_manual_pages_have_examples_that_parse(words):
    """A page has a sentence, then paragraphs, then examples. The examples are parsed as the shell would hand them over,
    and not run."""
    first, *rest = COMMANDS[words].help.split("\n\n")
    assert first.endswith(".")
    assert any(part in ("Example:", "Examples:") for part in rest)
    examples = [line.strip() for part in rest if part.startswith("  ") for line in part.splitlines()]
    assert examples
    for example in examples:
        assert len(example) <= 96, "breaks on a usual terminal"
        command = example.partition("> ")[0].rpartition("| ")[2]
        program, *arguments = shlex.split(command)
        assert program == "ocean"
        assert tuple(arguments[: len(words)]) == words
        COMMANDS[words].make_context(" ".join(words), arguments[len(words) :])


def documented():
    """Return the commands in the blocks of code that documents have."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        is_code = False
        for line in path.read_text().splitlines():
            is_code ^= line.startswith("```")
            found = re.search(r"(?:python app\.py|^ocean) (?!-)([^>|#\"]+)", line)
            if is_code and found:
                yield f"{path.name}: {found[1].strip()}"


@pytest.mark.parametrize("line", list(documented()))
def test_documents_have_commands_that_parse(line):
    arguments = shlex.split(line.partition(": ")[2])
    words = next(words for words in COMMANDS if tuple(arguments[: len(words)]) == words)
    COMMANDS[words].make_context(" ".join(words), arguments[len(words) :])


def test_exit_statuses_are_said_wherever_they_are_listed():
    statuses = {0, FAILED, BAD_INPUT, REGRESSION, NO_CONTEXT, INTERRUPTED}
    for text in (root.__doc__, (ROOT / "docs/commands.md").read_text()):
        (said,) = re.findall(r"Exit status: (.*?)\.\n", text, re.DOTALL)
        assert {int(number) for number in re.findall(r"(\d+) \w", said)} == statuses


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_option_is_explained(words):
    for parameter in COMMANDS[words].params:
        assert parameter.help, f"{' '.join(words)} {parameter.name}"


def test_paragraphs_are_filled_and_examples_are_not():
    assert (
        filled("One\ntwo.\n\nExamples:\n\n  a\n  b\n\nEnd\nof it.") == "One two.\n\nExamples:\n\n  a\n  b\n\nEnd of it."
    )


def test_configs_are_shown_compared_and_described(ocean_here, tmp_path):
    shown = ocean("config", "show", "--config", "gale", "--set", "fft.size=64")
    (tmp_path / "my.toml").write_text(shown.stdout)
    assert load_settings(tmp_path / "my.toml") == load_settings(config("gale"), overrides=["fft.size=64"])
    difference = ocean_here("config", "diff", "gale", tmp_path / "my.toml")
    assert difference.stdout == "fft.size: 512 -> 64\n"
    assert json.loads(ocean_here("config", "schema").stdout) == schema()


@pytest.mark.parametrize("name", [*presets(), "file"])
def test_every_config_can_be_shown(name):
    """A spectrum from a file has values that TOML lacks when they are not there."""
    path = "assets/example-buoy.data_spec"
    file = ["sea.wind.spectrum.kind=file", f"sea.wind.spectrum.path={path}"]
    settings = load_settings(overrides=file) if name == "file" else load_settings(config(name))
    assert settings_from(tomllib.loads(to_toml(settings))) == settings


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["config", "diff", "gale", "gail"], "there is no config 'gail'; did you mean gale?"),
        (["config", "show", "--config", "fft.size=64"], "there is no config 'fft.size=64'; did you mean --set, or"),
        (["config", "show", "--set", "sea.wind.sped=1"], "did you mean sea.wind.speed?"),
        (["report", "diff", "no.json", "no.json"], "can't read the report no.json"),
        (["report", "diff", "docs/measurements/h200/scene/bnech.json", "x"], "did you mean docs/measurements/"),
        (["transform", "nowhere/x.npy"], "there is no folder nowhere"),
        (
            ["capture", "--baseline", "docs/measurements/h200/ocean/bench.json", "--out", "out"],
            "bench.json is no report of schema version 3: it is of a bench; a capture writes report.json\n",
        ),
        (
            ["capture", "--baseline", "no.json", "--out", "out"],
            "--baseline: can't read the report no.json: no such file or directory; a capture writes report.json\n",
        ),
        (["report", "diff", "--tolerance", "-1", "a", "b"], "--tolerance = -1 is not a share from 0 to 2"),
        (["capture", "fft.size=64", "--out", "out"], "an axis such as fft.size=256,512 comes after --matrix"),
        (["capture", "--matrix", "fft.size=64,65", "--out", "out"], "fft.size = 65 is not an even number"),
        (["capture", "--matrix", "fft.size", "--out", "out"], "is not of the form key.path=value,value"),
        (["bench"], "ocean: --out is missing; name a folder, such as --out out/bench\n"),
        (["window", "--quit-after", "0"], "ocean: --quit-after = '0' is not a whole number from 1 up"),
        (["transform", "-", "--lines", "0"], "ocean: --lines = '0' is not a whole number from 1 up"),
        (
            ["capture", "--frames", "some", "--out", "out"],
            "--frames = 'some' is not a whole number from 1 to 1000000\n",
        ),
        (
            ["report", "diff", "--tolerance", "25", "a", "b"],
            "--tolerance = 25 is not a share from 0 to 2; 25 % is --",
        ),
        (["capture", "--trace", "--frames", "2", "--out", "out"], "--trace takes a value, and '--frames' is an option"),
        (["config", "diff", "default"], "missing argument 'now'; write ocean config diff BEFORE NOW"),
        (["config", "diff", "default", "gale", "calm"], "argument(s) (calm); write ocean config diff BEFORE NOW\n"),
        (["config", "show", "--set", "wind.speed=10"], "wind.speed = 10; did you mean sea.wind.speed?"),
        (["config", "show", "--set", "sea.wnd.speed=10"], "sea.wnd.speed = 10; did you mean sea.wind.speed?"),
        (["config", "show", "--set", "sea.wind.speed"], "'sea.wind.speed' is not of the form key.path=value, such as"),
        (["export", "--loop", "30", "--duration", "20", "--out", "out"], "is no multiple of --loop = 30 s"),
        (["export", "--loop", "4", "--duration", "2", "--out", "out"], "ocean: --loop = 4 s is below four longest"),
        (["capture", "--out", "README.md"], "--out = 'README.md' is a file; name a folder, such as --out out/"),
        (["bench", "--out", "README.md"], "--out = 'README.md' is a file; name a folder, such as --out out/"),
        (["sweep", "--no-such"], "ocean: no such option: --no-such"),
        (["sweep", "--no-such"], "; ocean sweep --help lists all"),
        (["report", "make"], "ocean: no such command 'make'; there are diff\n"),
        (["ocean"], "no such command 'ocean'; there are window, capture, "),
        (["captur"], "no such command 'captur'; did you mean capture?"),
        (["config", "show", "--config", "nonexist"], "there is no config 'nonexist'; there are breeze, calm, "),
        (["doctor", "more"], "got unexpected extra argument(s) (more); write a command such as ocean doctor --config"),
        (["config", "show", "gale"], "got unexpected extra argument(s) (gale); did you mean --config gale?\n"),
        (["config", "show", "a", "b"], "write a command such as ocean config show --config"),
        (["--fresh", "--quality", "sofware"], "did you mean software?"),  # the window's
        (["storm"], "no such command 'storm'; did you mean --config storm?\n"),
        (["sea", "--config", "storm.tml"], "there is no config 'storm.tml'; did you mean storm?\n"),
        (["sea", "--confg", "storm"], "no such option: --confg; did you mean --config?\n"),
        (["transform", "-", "--set", "fft.backend=dft"], "choose one by --backend\n"),
        (["report", "diff", "docs/measurements/h200/ocean", "x"], "; did you mean docs/measurements/h200/ocean/be"),
        (["report", "diff", "docs/measurements/h200/ocean/bench.md", "x"], "; did you mean docs/measurements/h200/oc"),
        (["capture", "--trace"], "--trace has no value; name a file, such as --trace out/trace.json\n"),
        (["capture", "--out", ""], "--out is empty; name a folder, such as --out out/"),
        (["export", "--out=", "--maps", "displacement"], "--out is empty; name a folder, such as --out out/"),
        (["bench", "-o", ""], "-o is empty; name a folder, such as --out out/bench\n"),
        (["capture", "--out", "out", "--baseline", ""], "--baseline is empty; name a file, such as --baseline out/"),
        (["capture", "--out", "out", "--warmup"], "--warmup has no value; write --warmup WARMUP\n"),
        (["window", "--fresh=1"], "option '--fresh' does not take a value\n"),
        (["sweep", "--workers", "257"], "--workers = '257' is not a whole number from 1 to 256\n"),
        (["config", "show", "--set", "sea.cascades=9"], "sea.cascades = 9; did you mean cascades.count?"),
        (["config", "show", "--set", "sea.spectrum=foo"], "sea.spectrum = 'foo'; did you mean sea.wind.spectrum?"),
    ],
)
def test_bad_input_of_each_command_is_one_sentence(ocean_here, arguments, message):
    result = ocean_here(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["frames", "warmup"])
def test_options_have_the_bounds_of_their_settings(name):
    (option,) = (one for one in COMMANDS["capture",].params if one.name == name)
    assert (option.min, option.max) == range_of(CaptureSettings.model_fields[name])


def test_options_tell_the_defaults_of_their_settings():
    defaults = CaptureSettings()
    told = {one.name: one.show_default for one in COMMANDS["capture",].params if isinstance(one.show_default, str)}
    values = {"frames": defaults.frames, "warmup": defaults.warmup, "resolution": f"{defaults.width}x{defaults.height}"}
    values["tolerance"] = TOLERANCE
    assert {name: text.rpartition(", ")[2] for name, text in told.items()} == {n: str(v) for n, v in values.items()}


def test_a_group_without_a_command_shows_its_help():
    result = ocean("config")
    assert (result.returncode, result.stderr) == (2, "")
    assert "schema" in result.stdout


def test_the_version_is_printed():
    assert ocean("--version").stdout.startswith("ocean ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "fft.size=101"], "fft.size = 101 is not an even number from 16 to 4096"),
        (
            ["--set", "fft.size=94", "--set", "fft.backend=stockham-shared"],
            "fft.backend = 'stockham-shared' can't run fft.size = 94: it needs a power of two from 16 up, not 94; ",
        ),
        (["--set", "sea.wind.sped=1"], "did you mean sea.wind.speed?"),
        (["--set", "sea.wind.speed=1e9"], "is outside 0 to 40 m/s"),
        (["--set", "sea.beaufort=13"], "sea.beaufort = 13 is outside 0 to 12"),
        (["--config", "gail"], "did you mean gale?"),
        (["--frames", "0"], "--frames = '0' is not a whole number from 1 to 1000000"),
        (["--resolution", "big"], "is not of the form 1280x720"),
        (["--resolution", "99999x64"], "--resolution = 99999x64: a width of 99999 is outside 16 to 16384 pixels\n"),
        (["--tolerance", "-1"], "--tolerance = -1 is not a share from 0 to 2"),
        (["--tolerance", "0.2"], "--tolerance = 0.2 compares with a baseline; name one by --baseline FILE"),
    ],
)
@pytest.mark.parametrize("command", ["capture"])
def test_bad_input_is_one_sentence_and_status_2(ocean_here, tmp_path, command, arguments, message):
    out = tmp_path / "out"
    result = ocean_here(command, "--out", out, *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not out.exists()


def test_bad_settings_stop_the_window_before_it_opens(ocean_here):
    result = ocean_here("window", "--set", "view.samples=3")
    assert result.returncode == 2
    assert "view.samples = 3 is not one of 1, 2, 4, 8" in result.stderr


def test_doctor_says_every_fact():
    result = ocean("doctor")
    assert result.returncode == 0
    for word in (
        f"packages: moderngl {metadata.version('moderngl')}, ",
        "context: egl",
        "vendor:",
        "renderer:",
        "version:",
        "limits:",
        "timers:",
        "clock",
        "stockham-shared: 16, 32, 64, 128, 256",
        "  not 96, 240, 360, 480, 1000: needs a power of two from 16 up\n",
        "stockham-registers: 16, 32, 64, 96, 128, 240, 256, 360, 480, 512, 1000, 1024",
    ):
        assert word in result.stdout


def test_doctor_lists_what_a_frame_takes_of_memory(ocean_here):
    """The sum agrees with its parts, each rounded to a hundredth of a MiB, and the maps have their size."""
    result = ocean_here("doctor", "--config", "software", "--set", "fft.size=64", "--set", "window.width=320")
    assert result.returncode == 0
    _, _, listed = result.stdout.partition("memory at 64 x 64, 320 x ")
    *parts, whole = re.findall(r"^ *([\d.]+) MiB  (.+)$", listed, re.MULTILINE)
    assert float(whole[0]) == pytest.approx(sum(float(mib) for mib, _ in parts), abs=0.005 * (len(parts) + 1))
    maps = sum(6 * 16 * (64 >> level) ** 2 for level in range(7))
    assert [mib for mib, what in parts if "64 x 64 x 6 4f4, 7 levels" in what] == [f"{maps / 2**20:.2f}"]


def test_doctor_answers_soon_for_full_frames(ocean_here):
    """Memory is counted without drawing, which takes minutes on a software renderer."""
    start = process_time()
    result = ocean_here("doctor", "--set", "fft.size=256", "--set", "view.samples=8")
    assert process_time() - start < 10
    assert "memory at 256 x 256, 1600 x 900" in result.stdout
    assert "records, buffer" in result.stdout


@pytest.mark.parametrize("command", [["doctor"], ["capture", "--out", "nowhere"]])
def test_missing_opengl_ends_with_one_sentence_and_status_4(command, tmp_path):
    """Mesa finds no driver, and there is no display to fall back to."""
    result = ocean(
        *command,
        LIBGL_DRIVERS_PATH=str(tmp_path),
        __EGL_VENDOR_LIBRARY_DIRS=str(tmp_path),
        DISPLAY="",
    )
    assert result.returncode == 4
    assert "No OpenGL 4.3 context could be made" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (ROOT / "nowhere").exists()


@pytest.mark.parametrize("command", [["doctor"], ["capture", "--out", "nowhere"]])
def test_opengl_41_is_pointed_to_its_example(command):
    result = ocean(*command, MESA_GL_VERSION_OVERRIDE="4.1", MESA_GLSL_VERSION_OVERRIDE="410", DISPLAY="")
    assert result.returncode == 4
    assert "compute shaders" in result.stderr
    assert "examples/opengl41.py in the program's source" in result.stderr


def test_sea_says_what_a_sea_must_measure_without_opengl(ocean_here, tmp_path):
    nothing = {"LIBGL_DRIVERS_PATH": str(tmp_path), "__EGL_VENDOR_LIBRARY_DIRS": str(tmp_path), "DISPLAY": ""}
    arguments = ("sea", "--config", "gale", "--set", "fft.size=128")
    result = ocean(*arguments, **nothing)
    assert (result.returncode, result.stderr) == (0, "")
    for word in ("significant wave height", "6.637", "3 x 128²", "Beaufort 8 (gale)", "WMO sea state 7", "Cox"):
        assert word in result.stdout
    tree = json.loads(ocean_here(*arguments, "--json").stdout)
    rows = {row["name"]: row for row in tree["quantities"]}
    assert rows["significant wave height"]["integral"] == pytest.approx(6.637, abs=1e-3)
    assert rows["foam coverage"]["expected"] == pytest.approx(3.84e-6 * 18**3.41, rel=1e-6)
    assert all({"integral", "expected", "deviation", "unit", "help"} <= set(row) for row in rows.values())


def test_a_sea_that_makes_no_sense_is_refused(ocean_here):
    result = ocean_here("sea", "--set", "sea.wind.spectrum=tma", "--set", "sea.dispersion=deep")
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
