"""Limits of input: invalid settings from any source are refused at once, in short sentences."""

import os
import time
import tracemalloc
from pathlib import Path

import pytest

from ocean.cli import BAD_INPUT, fail
from ocean.cli.file_commands import read_run
from ocean.common.errors import InputError, shown
from ocean.fft import FFTError
from ocean.fft.auto import TunedPlans
from ocean.settings import SettingsError, load_settings
from ocean.settings.files import resolve
from ocean.window import session as opening
from tests.messages import naming, unnamed
from tests.reports import make_report


def refusal(*paths, overrides=()):
    """Return the message that refuses these settings, within two seconds."""
    start = time.process_time()
    with pytest.raises(SettingsError) as error:
        resolve(load_settings(*paths, overrides=overrides))
    assert time.process_time() - start < 2
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sea.seed = " + "9" * 5000, "more than 64 bits"),
        ("sea.seed = 0x" + "f" * 5000, "more than 64 bits"),
        ("sea.seed = " + "9" * 30, "more than 64 bits"),
        ("sea = " + "{a = " * 2000 + "1" + "}" * 2000, "nested more than 32 deep"),
        ("sea = " + "[" * 30000, "nested more than 32 deep"),
        (".".join("a" * 60) + " = 1", "nested more than 32 deep"),
        (".".join("a" * 30000) + " = 1", "dots"),
        ("".join(f"key{i} = 1\n" for i in range(5000)), "more than 2000 values"),
        ("# " + "x" * 50_000_000, "more than 65536 bytes"),
        ("'" + "k" * 60000 + "' = 1", "unknown setting kkk"),
        (f"sea.wind.spectrum = '{'x' * 60000}'", "is not one of"),
    ],
    ids=["digits", "hex", "bits", "tables", "arrays", "key", "long key", "keys", "bytes", "name", "text"],
)
def test_absurd_settings_are_refused_at_once(tmp_path, text, message):
    (tmp_path / "x.toml").write_text(text)
    said = refusal(tmp_path / "x.toml")
    assert message in said
    assert len(said) < 500 + len(str(tmp_path))
    assert "\n" not in said


def test_a_long_path_is_shortened_in_a_message():
    said = refusal(overrides=[f"sky.panorama={'y' * 3000}"])
    assert unnamed(said, "sky.panorama no such file") == []
    assert len(said) <= 500


def test_a_thousand_wrong_keys_get_twenty_short_sentences(tmp_path):
    (tmp_path / "x.toml").write_text("".join(f"[sea.wind{i}]\nspeed = 1\n" for i in range(900)))
    sentences = refusal(tmp_path / "x.toml").split("; and ")
    assert sentences[1] == "881 more"
    assert len(sentences[0]) < 20 * 500


def test_absurd_single_settings_are_refused_at_once():
    assert "2000 are the most" in refusal(overrides=[f"a{i}=1" for i in range(100_000)])
    assert "more than 64 bits" in refusal(overrides=["sea.seed=0x" + "f" * 9999])
    assert "more than 64 bits" in refusal(overrides=["sea.seed=" + "9" * 5000])
    assert "single setting" in refusal(overrides=[".".join("a" * 9999) + "=1"])


def test_settings_that_no_file_can_hold_are_refused():
    """Names of files on Unix may have any bytes; Python marks those that are not UTF-8."""
    with pytest.raises(SettingsError, match=naming("'a\\udcff' UTF-8")):
        load_settings(overrides=["sky.panorama=a\udcff"])


def test_an_override_with_a_second_line_is_refused():
    assert "not a single setting" in refusal(overrides=["sea.seed=3\nfft.size=256"])
    assert "not a single setting" in refusal(overrides=["sea.seed=3\n[fft]\nsize=256"])
    assert load_settings(overrides=["sea.seed=3\n"]).sea.seed == 3


def test_a_byte_order_mark_is_no_part_of_the_settings(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbfsea.seed = 7\r\n")
    assert load_settings(tmp_path / "x.toml").sea.seed == 7


@pytest.mark.parametrize("key", ["sea.seed", "sea.wind.speed", "fft.fused", "sky.panorama", "sea.wind.spectrum"])
@pytest.mark.parametrize(
    "value", ["1", "1.0", "1.5", "'1'", "true", "'true'", "nan", "inf", "[1]", "{a = 1}", "2020-01-01", "0x1", "'x'"]
)
def test_single_settings_take_the_types_of_files(tmp_path, key, value):
    def outcome(*paths, overrides=()):
        try:
            return load_settings(*paths, overrides=overrides)
        except SettingsError as error:
            return str(error)

    (tmp_path / "x.toml").write_text(f"{key} = {value}")
    assert outcome(tmp_path / "x.toml") == outcome(overrides=[f"{key}={value}"])


@pytest.mark.parametrize("text", ["[" * 100_000, '{"rows": ' + "[" * 100_000, '{"schema_version": ' + "9" * 5000 + "}"])
def test_an_absurd_report_is_refused_in_a_short_sentence(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(InputError) as error:
        read_run(tmp_path / "report.json")
    assert len(str(error.value)) < 500 + len(str(tmp_path))


def test_an_absurd_record_of_the_quality_level_counts_as_none(tmp_path, monkeypatch, ctx):
    monkeypatch.setattr(opening, "record_file", lambda _: tmp_path / "quality.json")
    (tmp_path / "quality.json").write_text("[" * 50_000)
    assert opening.remembered(ctx) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_an_own_file_is_not_waited_for(tmp_path, monkeypatch, ctx):
    os.mkfifo(tmp_path / "own.json")
    monkeypatch.setattr(opening, "record_file", lambda _: tmp_path / "own.json")
    assert opening.remembered(ctx) is None
    with pytest.raises(FFTError, match="not a regular file"):
        TunedPlans.load(tmp_path / "own.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("read", [read_run, load_settings])
def test_a_named_pipe_is_not_waited_for(tmp_path, read):
    os.mkfifo(tmp_path / "x.toml")
    with pytest.raises(InputError, match="named pipe"):
        read(tmp_path / "x.toml")


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs pipes with paths")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sea.seed = 7", lambda path: load_settings(path).sea.seed == 7),
        (make_report().model_dump_json(), lambda path: read_run(path).kind == "capture"),
    ],
    ids=["settings", "report"],
)
def test_a_pipe_of_the_shell_is_read(text, found):
    read, write = os.pipe()
    with os.fdopen(read), os.fdopen(write, "w") as stream:
        stream.write(text)
        stream.close()
        assert found(Path(f"/dev/fd/{read}"))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs a device that never ends")
@pytest.mark.parametrize("is_device", [False, True])
def test_oversized_reports_are_refused_before_they_take_memory(tmp_path, is_device):
    path = Path("/dev/zero") if is_device else tmp_path / "report.json"
    if not is_device:
        with path.open("wb") as file:
            file.truncate(200_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="device" if is_device else "more than"):
            read_run(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_a_long_text_is_shortened_before_it_is_escaped():
    text = "x" * 10_000_000
    tracemalloc.start()
    try:
        said = shown(text)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert said.startswith("'xxx")
    assert len(said) < 200


def test_a_lack_of_memory_is_said(capsys):
    with pytest.raises(SystemExit):
        fail(MemoryError(), BAD_INPUT)
    assert unnamed(capsys.readouterr().err, "memory") == []
