"""The schema and completion, against the settings; completion runs in a real shell, word by word."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ocean.cli.options import complete_configs
from ocean.common.parameters import choices_of, hints_of, range_of
from ocean.common.resources import config, folder, presets
from ocean.fft import BACKENDS
from ocean.settings import Settings, SettingsError, flat, load_settings, parse_override, settings_from, to_tree
from ocean.settings.vocabulary import complete_axis, complete_setting, explain, schema, settings_by_key, values
from tests.messages import unnamed

ROOT = Path(__file__).parents[2]
SCHEMA = schema()
CHECK = Draft202012Validator(SCHEMA)
KEYS = settings_by_key()


# -- The schema --------------------------------------------------------------------------------------------------------


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["WindSettings"]["properties"]["speed"]["description"].endswith(" [m/s]")


@pytest.mark.parametrize("path", sorted(folder("configs").glob("*.toml")), ids=lambda path: path.stem)
def test_configs_match_the_schema(path: Path) -> None:
    CHECK.validate(tomllib.loads(path.read_text()))


@pytest.mark.parametrize("backend", BACKENDS)
def test_complete_settings_match_the_schema(backend: str) -> None:
    CHECK.validate(to_tree(load_settings(overrides=[f"fft.backend={backend}"])))


@pytest.mark.parametrize(
    "text",
    [
        'sea.wind.spectrum = "tma"',
        "sea.wind.spectrum.gamma = 2.0",
        "sea.beaufort = 7",
        "sea.state = 4",
        'fft = { backend = "stockham-global", options = { radix = 8 } }',
        "fft.options.radix = 4",  # options of a backend that a config below names
    ],
)
def test_short_forms_match_the_schema(text: str) -> None:
    CHECK.validate(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "sea.wind.sped = 1.0",
        "sea.wind.speed = 41.0",
        'sea.wind.speed = "fast"',
        'sea.wind.spectrum = "jonswop"',
        'sea.wind.spectrum = { kind = "pierson-moskowitz", gamma = 3.0 }',
        "fft.size = 101",
        "view.samples = 3",
        'fft = { backend = "dft", options = { radix = 8 } }',
        "fft.options.radish = 4",
        "ocean = 1",
    ],
)
def test_the_schema_refuses_values_that_settings_refuse(text: str) -> None:
    tree = tomllib.loads(text)
    with pytest.raises(SettingsError):
        settings_from(tree)
    assert not CHECK.is_valid(tree)


NUMBERS = {key: range_of(found[0]) for key, found in KEYS.items() if None not in range_of(found[0]) and len(found) == 1}


@settings(max_examples=60)
@given(st.sampled_from(sorted(NUMBERS)), st.floats(-0.5, 1.5), st.booleans())
def test_ranges_of_schema_and_settings_agree(key: str, share: float, is_whole: bool) -> None:
    """Settings and schema agree at values in a range and around it, whole or not, unless other settings decide."""
    low, high = NUMBERS[key]
    assert low is not None
    assert high is not None
    value = low + share * (high - low)
    assume(is_whole or value != round(value))  # in JSON 0.0 is a whole number
    tree = parse_override(f"{key}={round(value) if is_whole else value!r}") if "sea.state" not in key else {}
    try:
        settings_from(tree)
    except SettingsError as error:
        agrees = not CHECK.is_valid(tree) or "below four longest" in str(error) or not _is_of_range(str(error))
    else:
        agrees = CHECK.is_valid(tree)
    assert agrees, tree


def _is_of_range(message: str) -> bool:
    return " is outside " in message or " is not " in message


# -- Completion --------------------------------------------------------------------------------------------------------


def words(found: list[tuple[str, str]]) -> list[str]:
    return [word for word, _ in found]


def test_every_setting_can_be_completed() -> None:
    everything = [
        to_tree(Settings()),
        *(to_tree(load_settings(overrides=[f"fft.backend={name}"])) for name in BACKENDS),
    ]
    assert {key for tree in everything for key in flat(tree)} - {"fft.options"} <= set(KEYS)
    for key in KEYS:
        assert any(word.startswith(key) for word in words(complete_setting(key[:-1]))), key


@pytest.mark.parametrize("key", sorted(key for key in KEYS if not key.startswith(("fft.options", "sea.wind.sp"))))
def test_settings_accept_every_completed_word(key: str) -> None:
    """Other settings may forbid ends of ranges."""
    for word, _ in values(KEYS[key]):
        message = ""
        try:
            load_settings(overrides=[f"{key}={word}"])
        except SettingsError as error:
            message = str(error)
        assert not _is_of_range(message)


def test_completions_continue_typed_words() -> None:
    assert words(complete_setting("sea.wind.speed=")) == [f"sea.wind.speed={speed}" for speed in ("0", "10", "40")]
    assert words(complete_setting("fft.backend=stockham-r")) == [
        "fft.backend=stockham-radix2",
        "fft.backend=stockham-radix4",
        "fft.backend=stockham-registers",
    ]
    assert words(complete_setting("buoy.sh")) == ["buoy.show=true", "buoy.show=false"]
    assert "sea.wind.spectrum.kind=tma" in words(complete_setting("sea.wind.spectrum.kind="))
    assert complete_setting("nothing") == complete_setting("nothing=") == []
    assert "0 to 40 m/s" in dict(complete_setting("sea.wind.sp"))["sea.wind.speed="]


def test_axes_are_completed_after_commas() -> None:
    assert words(complete_axis("fft.backend=dft,four", [])) == ["fft.backend=dft,four-step"]
    assert words(complete_axis("config=calm,g", ["calm", "gale"])) == ["config=calm,gale"]
    assert words(complete_axis("con", [])) == ["config="]


@pytest.mark.parametrize("key", ["sea.wind.spectrum.path", "sea.swell.spectrum.path", "sky.panorama"])
def test_paths_are_completed(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "buoys").mkdir()
    for name in ("buoys/a.data_spec", "buoys/b.swdir", ".hidden"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    assert words(complete_setting(f"{key}=")) == [f"{key}=buoys/"]
    assert words(complete_setting(f"{key}=buoys/")) == [f"{key}=buoys/a.data_spec", f"{key}=buoys/b.swdir"]
    assert words(complete_setting(f"{key}={tmp_path}/bu")) == [f"{key}={tmp_path}/buoys/"]
    assert words(complete_setting(f"{key}=x,buoys/b")) == [f"{key}=x,buoys/b.swdir"]
    assert complete_setting(f"{key}=none/") == []


BASH = shutil.which("bash")
LINES = {
    "ocean config ": ["show", "diff", "list", "explain", "schema"],
    "ocean capture --set view.samples=": ["1", "2", "4", "8"],
    "ocean capture --set sea.wind.spectrum.path=buoys/a": ["buoys/a.data_spec"],
    "ocean capture --set=view.sam": ["view.samples=1", "view.samples=2", "view.samples=4", "view.samples=8"],
    "ocean capture --matrix view.samples=1 config=calm,ga": ["calm,gale"],
    "ocean capture --matrix fft.backend=dft,four": ["dft,four-step"],
    "ocean capture --matrix config=ga": ["gale"],
    "ocean capture --matrix conf": ["config="],
}


@pytest.mark.skipif(BASH is None, reason="no bash")
def test_bash_completes(tmp_path: Path) -> None:
    """The test calls the function of the program's completion script as bash does, with words split by bash."""
    (tmp_path / "buoys").mkdir()
    (tmp_path / "buoys/a.data_spec").touch()
    program = tmp_path / "ocean"
    start = "import sys; sys.argv[0] = 'ocean'; from ocean.cli import main; main()"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -c "{start}" "$@"\n')
    program.chmod(0o755)
    assert BASH is not None
    show = f"{shlex.quote(str(program))} --show-completion; exit $?"  # click asks for the calling shell
    script = subprocess.run([BASH, "--norc", "-c", show], capture_output=True, text=True, check=True)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    calls = [script.stdout]
    for line in LINES:
        pieces = line.replace("=", " = ").split(" ")
        pieces = [piece for i, piece in enumerate(pieces) if piece or i == len(pieces) - 1]
        if line.endswith("="):
            pieces.pop()
        calls.append(f"COMP_WORDS=({' '.join(map(shlex.quote, pieces))}); COMP_CWORD={len(pieces) - 1}")
        calls.append("_ocean_completion ocean; printf '%s\\n' \"${COMPREPLY[*]}\"")
    done = subprocess.run(
        [BASH, "--norc", "-c", "\n".join(calls)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        cwd=tmp_path,
    )
    assert done.stderr == ""
    assert [line.split() for line in done.stdout.splitlines()] == list(LINES.values())


def test_descriptions_of_presets_come_from_their_files() -> None:
    assert words(complete_configs("")) == presets()
    ((name, said),) = complete_configs("bree")
    assert name == "breeze"
    assert unnamed(said, "Beaufort 5") == []
    assert said in " ".join(line.lstrip("# ") for line in config("breeze").read_text().splitlines())


# -- For readers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(KEYS))
def test_a_setting_is_explained_by_a_line_for_each_fact(key: str) -> None:
    tree = to_tree(Settings())
    lines = [line.partition(": ") for line in explain(key, KEYS[key], tree, tree)]
    said = {what: [value for name, _, value in lines if name == what] for what, _, _ in lines}
    assert [len(said[what]) for what in ("value", "default")] == [1, 1]
    assert len(said["meaning"]) == len({(field.description, range_of(field)) for field in KEYS[key]})
    assert all(value for _, _, value in lines)
    for field in KEYS[key]:
        low, high = range_of(field)
        assert low is None or any(value.endswith(f"{low:.10g} to {high:.10g}") for value in said["range"])
        assert not hints_of(field).unit or hints_of(field).unit in said["unit"]
        known = {word for value in said.get("choices", []) for word in value.split(", ")}
        assert known >= ({"true", "false"} if field.annotation is bool else {*map(str, choices_of(field))})


def test_what_is_unset_unused_or_required_is_said() -> None:
    tree = to_tree(Settings())
    start = {key: [*explain(key, KEYS[key], tree, tree)][:2] for key in KEYS}
    assert start["sea.beaufort"] == ["value: none", "default: none"]
    assert start["sea.wind.spectrum.cutoff"][1] == "default: 0.01"
    assert start["fft.options.longest"] == ["value: not used by the chosen kind or backend", "default: 256"]
    assert start["sea.wind.spectrum.path"][1] == "default: must be given"
