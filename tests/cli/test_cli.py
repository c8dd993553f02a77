"""The command line: help, errors in one sentence, and exit statuses."""

import json
import math
import re
import shlex
import tomllib
from importlib import metadata
from time import process_time

import pytest
from typer.main import get_command

from ocean.capture.compare import INCONCLUSIVE, REGRESSION
from ocean.cli import BAD_INPUT, FAILED, GPU_LOST, NO_CONTEXT, app, root
from ocean.cli.options import TOLERANCE
from ocean.common.parameters import range_of
from ocean.common.resources import config, presets
from ocean.export.run import INTERRUPTED
from ocean.settings import CaptureSettings, load_settings, settings_from, to_toml
from ocean.settings.vocabulary import schema

from ..commands import ROOT, ocean
from ..messages import assert_refused, unnamed


def leaves(group, path=()):
    """Return all commands below a group, by the words that call them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(leaves(get_command(app)))
CAPTURE = ["capture", "--out", "out"]


@pytest.mark.parametrize("words", [(), ("config",), ("report", "diff"), ("capture",)])
def test_help_describes_each_command(ocean_here, words):
    result = ocean_here(*words, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout
    assert result.stderr == ""
    assert ("Example" in result.stdout) == (words != ("config",))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_manual_pages_have_examples_that_parse(words):
    """A page has a sentence, paragraphs, and examples. The test splits the examples as a shell does, and parses them
    without running them."""
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


def test_help_lists_every_exit_status():
    statuses = {0, FAILED, BAD_INPUT, REGRESSION, INCONCLUSIVE, NO_CONTEXT, GPU_LOST, INTERRUPTED}
    listed = root.__doc__.partition("Exit status")[2].partition(".\n")[0]
    assert {int(number) for number in re.findall(r"\b(\d+) \w", listed)} == statuses


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_option_is_explained(words):
    for parameter in COMMANDS[words].params:
        assert parameter.help, f"{' '.join(words)} {parameter.name}"


def test_configs_are_shown_compared_and_described(ocean_here, tmp_path):
    shown = ocean_here("config", "show", "--config", "gale", "--set", "fft.size=64")
    (tmp_path / "my.toml").write_text(shown.stdout)
    assert load_settings(tmp_path / "my.toml") == load_settings(config("gale"), overrides=["fft.size=64"])
    difference = ocean_here("config", "diff", "gale", tmp_path / "my.toml")
    assert difference.stdout == "fft.size: 512 -> 64\n"
    assert json.loads(ocean_here("config", "schema").stdout) == schema()


@pytest.mark.parametrize("name", [*presets(), "file"])
def test_every_config_can_be_shown(name):
    """The values of a missing spectrum file can't be written as TOML."""
    path = "assets/example-buoy.data_spec"
    file = ["sea.wind.spectrum.kind=file", f"sea.wind.spectrum.path={path}"]
    settings = load_settings(overrides=file) if name == "file" else load_settings(config(name))
    assert settings_from(tomllib.loads(to_toml(settings))) == settings


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["config", "diff", "gale", "gail"], "gail gale"),
        (["config", "show", "--config", "fft.size=64"], "fft.size=64 --set"),
        (["config", "show", "--set", "sea.wind.sped=1"], "sea.wind.sped sea.wind.speed"),
        (["report", "diff", "no.json", "no.json"], "no.json"),
        (["transform", "nowhere/x.npy"], "nowhere"),
        (["capture", "--baseline", "no.json", "--out", "out"], "--baseline no.json report.json"),
        (["report", "diff", "--tolerance", "-1", "a", "b"], "--tolerance -1 0 2"),
        (["report", "diff", "--tolerance", "25", "a", "b"], "--tolerance 25 0 2 0.25"),
        (["capture", "fft.size=64", "--out", "out"], "--matrix"),
        (["capture", "--matrix", "fft.size=64,65", "--out", "out"], "fft.size 65 even"),
        (["capture", "--matrix", "fft.size", "--out", "out"], "fft.size key.path=value,value"),
        (["bench"], "--out out/bench"),
        (["window", "--quit-after", "0"], "--quit-after 0 1"),
        (["transform", "-", "--lines", "0"], "--lines 0 1"),
        (["series", "--spacing", "0", "--out", "x.csv"], "--spacing 0 0.01 a number"),
        (["capture", "--frames", "some", "--out", "out"], "--frames some 1 1000000"),
        (["capture", "--trace", "--frames", "2", "--out", "out"], "--trace --frames"),
        (["config", "diff", "default"], "ocean config diff BEFORE NOW"),
        (["config", "diff", "default", "gale", "calm"], "calm ocean config diff BEFORE NOW"),
        (["config", "show", "--set", "wind.speed=10"], "wind.speed sea.wind.speed"),
        (["config", "show", "--set", "sea.wnd.speed=10"], "sea.wnd.speed sea.wind.speed"),
        (["config", "show", "--set", "sea.wind.speed"], "sea.wind.speed key.path=value"),
        (["export", "--loop", "30", "--duration", "40", "--out", "out"], "--loop 30"),
        (["export", "--loop", "4", "--duration", "2", "--out", "out"], "--loop 4"),
        (["capture", "--out", "README.md"], "--out README.md folder out/"),
        (["bench", "--out", "README.md"], "--out README.md folder out/"),
        (["sweep", "--no-such"], "--no-such ocean sweep --help"),
        (["report", "make"], "make diff"),
        (["ocean"], "window capture"),
        (["captur"], "captur capture"),
        (["config", "show", "--config", "nonexist"], "nonexist breeze calm"),
        (["doctor", "more"], "more ocean doctor"),
        (["config", "show", "gale"], "--config gale"),
        (["config", "show", "a", "b"], "ocean config show --config"),
        (["--fresh", "--quality", "sofware"], "sofware software"),  # options of the window
        (["storm"], "--config storm"),
        (["sea", "--config", "storm.tml"], "storm.tml storm"),
        (["sea", "--confg", "storm"], "--confg --config"),
        (["transform", "-", "--set", "fft.backend=dft"], "--backend"),
        (["capture", "--trace"], "--trace file out/trace.json"),
        (["capture", "--out", ""], "--out folder out/"),
        (["export", "--out=", "--maps", "displacement"], "--out folder out/"),
        (["bench", "-o", ""], "-o folder out/bench"),
        (["capture", "--out", "out", "--baseline", ""], "--baseline file"),
        (["capture", "--out", "out", "--warmup"], "--warmup"),
        (["window", "--fresh=1"], "--fresh"),
        (["sweep", "--workers", "257"], "--workers 257 1 256"),
        (["config", "show", "--set", "sea.cascades=9"], "sea.cascades cascades.count"),
        (["config", "show", "--set", "sea.spectrum=foo"], "sea.spectrum sea.wind.spectrum"),
        (["window", "--set", "view.samples=3"], "view.samples 3 1 2 4 8"),  # before it opens
        (["sea", "--set", "sea.wind.spectrum=tma", "--set", "sea.dispersion=deep"], "tma deep"),
        ([*CAPTURE, "--set", "fft.size=94", "--set", "fft.backend=stockham-shared"], "fft.backend fft.size 94 16"),
        ([*CAPTURE, "--frames", "0"], "--frames 0 1 1000000"),
        ([*CAPTURE, "--resolution", "big"], "--resolution big 1280x720"),
        ([*CAPTURE, "--resolution", "99999x64"], "--resolution 99999x64 16 16384 pixels"),
        ([*CAPTURE, "--tolerance", "0.2"], "--tolerance 0.2 --baseline"),
    ],
)
def test_bad_input_of_each_command_is_refused_in_one_sentence(ocean_here, arguments, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").touch()
    result = ocean_here(*arguments)
    assert_refused(result, named)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize("path", ["bnech.json", ".", "bench.md"])
def test_a_report_beside_the_named_path_is_suggested(ocean_here, tmp_path, path):
    (tmp_path / "bench.json").write_text("{}")
    (tmp_path / "bench.md").touch()
    result = ocean_here("report", "diff", tmp_path / path, "x")
    assert_refused(result, tmp_path / "bench.json")


def test_a_bench_is_no_baseline_of_a_capture(ocean_here, tmp_path):
    (tmp_path / "bench.json").write_text('{"schema_version": 1, "rows": []}')
    result = ocean_here("capture", "--baseline", tmp_path / "bench.json", "--out", tmp_path / "out")
    assert_refused(result, "bench.json bench capture report.json")


@pytest.mark.parametrize("name", ["frames", "warmup"])
def test_options_have_the_bounds_of_their_settings(name):
    (option,) = (one for one in COMMANDS["capture",].params if one.name == name)
    assert (option.min, option.max) == range_of(CaptureSettings.model_fields[name])


def test_options_tell_the_defaults_of_their_settings():
    defaults = CaptureSettings()
    shown = {one.name: one.show_default for one in COMMANDS["capture",].params if isinstance(one.show_default, str)}
    values = {"frames": defaults.frames, "warmup": defaults.warmup, "resolution": f"{defaults.width}x{defaults.height}"}
    values["tolerance"] = TOLERANCE
    assert {name: text.rpartition(", ")[2] for name, text in shown.items()} == {n: str(v) for n, v in values.items()}


def test_the_version_is_printed(ocean_here):
    assert ocean_here("--version").stdout.startswith("ocean ")


def test_a_group_without_a_command_shows_its_help(ocean_here):
    result = ocean_here("config")
    assert (result.returncode, result.stderr) == (2, "")
    assert "schema" in result.stdout


def test_doctor_lists_every_fact(ocean_here):
    result = ocean_here("doctor")
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
        "not 96, 240, 360, 480, 1000:",
        "stockham-registers: 16, 32, 64, 96, 128, 240, 256, 360, 480, 512, 1000, 1024",
    ):
        assert word in result.stdout


def test_doctor_lists_the_memory_of_a_frame(ocean_here):
    """The parts, each rounded to 0.01 MiB, add up to the sum, and the maps have their size."""
    result = ocean_here("doctor", "--config", "software", "--set", "fft.size=64", "--set", "window.width=320")
    assert result.returncode == 0
    _, _, listed = result.stdout.partition("memory at 64 x 64, 320 x ")
    *parts, whole = re.findall(r"^ *([\d.]+) MiB  (.+)$", listed, re.MULTILINE)
    assert float(whole[0]) == pytest.approx(sum(float(mib) for mib, _ in parts), abs=0.005 * (len(parts) + 1))
    maps = sum(6 * 16 * (64 >> level) ** 2 for level in range(7))
    assert [mib for mib, what in parts if "64 x 64 x 6 4f4, 7 levels" in what] == [f"{maps / 2**20:.2f}"]


def test_doctor_answers_quickly_for_full_frames(ocean_here):
    """Doctor counts memory without drawing, which takes minutes on a software renderer."""
    start = process_time()
    result = ocean_here("doctor", "--set", "fft.size=256", "--set", "view.samples=8")
    assert process_time() - start < 10
    assert "memory at 256 x 256, 1600 x 900" in result.stdout


def test_missing_opengl_ends_with_one_sentence_and_status_4(tmp_path):
    """Mesa finds no driver, and there is no display as a fallback."""
    nothing = {"LIBGL_DRIVERS_PATH": str(tmp_path), "__EGL_VENDOR_LIBRARY_DIRS": str(tmp_path), "DISPLAY": ""}
    result = ocean("doctor", **nothing)
    assert result.returncode == 4
    assert unnamed(result.stderr, "OpenGL 4.3") == []
    assert "Traceback" not in result.stderr


def test_opengl_41_is_pointed_to_its_example():
    result = ocean(
        "capture", "--out", "nowhere", MESA_GL_VERSION_OVERRIDE="4.1", MESA_GLSL_VERSION_OVERRIDE="410", DISPLAY=""
    )
    assert result.returncode == 4
    assert unnamed(result.stderr, "compute examples/opengl41.py") == []
    assert not (ROOT / "nowhere").exists()


def test_sea_prints_expected_statistics_without_opengl(ocean_here, tmp_path):
    nothing = {"LIBGL_DRIVERS_PATH": str(tmp_path), "__EGL_VENDOR_LIBRARY_DIRS": str(tmp_path), "DISPLAY": ""}
    arguments = ("sea", "--config", "gale", "--set", "fft.size=128", "--set", "foam.law=monahan-1980")
    result = ocean(*arguments, **nothing)
    assert (result.returncode, result.stderr) == (0, "")
    for word in ("significant wave height", "6.637", "3 x 128²", "Beaufort 8 (gale)", "WMO sea state 7", "Cox"):
        assert word in result.stdout
    tree = json.loads(ocean_here(*arguments, "--json").stdout)
    rows = {row["name"]: row for row in tree["quantities"]}
    assert rows["significant wave height"]["integral"] == pytest.approx(6.637, abs=1e-3)
    assert rows["foam coverage"]["expected"] == pytest.approx(3.84e-6 * 18**3.41, rel=1e-6)
    assert all({"integral", "expected", "deviation", "unit", "help"} <= set(row) for row in rows.values())
    assert unnamed(tree["notes"]["energy"], "27.7") == []  # 1025 g Hs² / 16
    g, height, peak, friction = 9.81, 6.637, 17.07, 0.823
    level = 0.05 * g / peak**3 * math.sqrt(friction / peak) * (g * height) ** 3 * (peak**2 / (g * height)) ** 0.6
    assert unnamed(tree["notes"]["breaking fronts"], f"{level:.2g}", f"{0.4 * peak:.1f} {0.8 * peak:.1f}") == []
    calm = json.loads(ocean_here("sea", "--set", "sea.wind.speed=3", "--json").stdout)
    assert "breaking fronts" not in calm["notes"]


def test_presets_are_listed_and_settings_explained(ocean_here):
    listed = ocean_here("config", "list").stdout
    assert [line.split()[0] for line in listed.splitlines()] == presets()
    assert all(line.endswith(".") for line in listed.splitlines())
    said = ocean_here("config", "explain", "sea.wind.speed", "--config", "gale").stdout
    assert unnamed(said, "18.0 10.0 m/s 0 40") == []
    for key, hint in (("sea.wind.sped", "sea.wind.speed"), ("sea.wind", "sea.wind.direction")):
        refused = ocean_here("config", "explain", key)
        assert (refused.returncode, hint in refused.stderr) == (BAD_INPUT, True)
