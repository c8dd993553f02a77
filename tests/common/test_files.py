"""Files that appear whole or not at all, and paths that the system refuses."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from ocean.common.errors import InputError, read_bytes
from ocean.common.files import OutputError, whole_files, write_text
from ocean.common.resources import config
from ocean.fft import auto as tuned
from ocean.settings import SettingsError, find_config, load_settings
from ocean.window import session as last_state
from tests.messages import naming

TOO_LONG = "x" * 300  # for any file system


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Forbid to enter a folder, also as root, by changing to another user."""
    user = os.geteuid()
    folder.chmod(0)
    try:
        if user == 0:
            os.seteuid(65534)
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["pipe", "link"])
def test_devices_and_pipes_are_not_replaced(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(OutputError, match=naming(name, "device")), whole_files(tmp_path, [name]):
        pytest.fail("too late")
    assert (tmp_path / name).is_fifo()


@pytest.mark.parametrize(
    ("place", "name", "message"),
    [
        (TOO_LONG, "a", "file name too long"),
        (f"{TOO_LONG}/out", "a", "file name too long"),
        ("", TOO_LONG, "file name too long"),
        ("", f"{TOO_LONG}/a", "file name too long"),
        ("", "file/a", "not a directory"),
        ("file", "a", "file exists"),
        ("file/out", "a", "not a directory"),
        ("", "folder", "it is a folder"),
    ],
)
def test_unwritable_outputs_are_refused_before_any_work(tmp_path: Path, place: str, name: str, message: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match=rf"^can't write .*: {message}$"), whole_files(tmp_path / place, ["b", name]):
        pytest.fail("too late")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_folder_that_may_not_be_entered_is_refused(tmp_path: Path) -> None:
    for out in (tmp_path, tmp_path / "out", tmp_path / "some" / "out"):
        with (
            locked(tmp_path),
            pytest.raises(OutputError, match=naming(out, "permission denied")),
            whole_files(out, ["a"]),
        ):
            pytest.fail("too late")
    assert list(tmp_path.iterdir()) == []


def test_files_appear_together_and_not_after_an_error(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"

    def break_off(folder: Path) -> None:
        (folder / "a").touch()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), whole_files(out, ["a", "case/b"]) as folder:
        break_off(folder)
    assert not out.exists()
    with whole_files(out, ["a", "case/b"]) as folder:
        (folder / "case").mkdir()
        (folder / "a").touch()
        (folder / "case" / "b").touch()
        assert not (out / "a").exists()
    (out / "a").write_text("old")
    with pytest.raises(ZeroDivisionError), whole_files(out, ["a", "case/b"]) as folder:
        break_off(folder)
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*")) == ["a", "case", "case/b"]
    assert (out / "a").read_text() == "old"


def test_a_config_that_is_neither_file_nor_preset_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gale").mkdir()
    assert find_config("gale") == find_config("configs/gale.toml") == config("gale")
    assert load_settings("gale") == load_settings(config("gale"))
    Path("gale").rmdir()
    for name in ("./gale", "./gale.toml"):
        with pytest.raises(SettingsError, match="did you mean gale"):
            find_config(name)
    Path("gale").touch()
    assert find_config("gale") == config("gale")  # no file hides a preset
    assert Path(find_config("./gale")) == find_config(Path("gale")) == Path("gale")
    for name in (TOO_LONG, f"{TOO_LONG}/gale", "away/gale", "gail"):
        with pytest.raises(SettingsError, match="no config"):
            find_config(name)
    with locked(tmp_path), pytest.raises(SettingsError, match="no config"):
        find_config(str(tmp_path / "mine.toml"))


def test_an_unreadable_session_is_refused_and_a_missing_one_is_empty(tmp_path: Path) -> None:
    assert last_state.load(tmp_path / "absent" / "window.json") is last_state.EMPTY
    with pytest.raises(InputError, match=naming("name too long")):
        last_state.load(tmp_path / TOO_LONG)
    with locked(tmp_path), pytest.raises(InputError, match=naming("window.json permission denied")):
        last_state.load(tmp_path / "window.json")


def test_an_unreachable_cache_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = SimpleNamespace(info={"GL_RENDERER": "Card", "GL_VERSION": "4.6"})
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path))
    with locked(tmp_path):
        assert tuned.read(gpu) is None


def test_a_full_disk_is_found_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="no space"), whole_files(tmp_path / "out", ["a"]):
        pytest.fail("too late")
    assert list(tmp_path.iterdir()) == []


def test_files_of_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    """Other files of the same folder are accepted, and so are later runs."""
    with whole_files(tmp_path, ["a"], alone=True) as folder:
        with pytest.raises(OutputError, match="another process"), whole_files(tmp_path, ["a"], alone=True):
            pass
        with whole_files(tmp_path, ["b"], alone=True) as other:
            (other / "b").touch()
        (folder / "a").touch()
    with whole_files(tmp_path, ["a"], alone=True):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_devices_and_long_files_are_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "long").open("wb") as file:
        file.truncate(1 << 40)
    for path in (Path("/dev/zero"), tmp_path / "long"):
        with pytest.raises(ValueError, match=r"device|more than 1000 bytes"):
            read_bytes(path, 1000)


def test_a_text_is_on_the_disk_before_it_replaces_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems keep the new name without the new content when the system crashes."""
    order, replace = [], os.replace
    monkeypatch.setattr(os, "fsync", lambda _: order.append("content"))
    monkeypatch.setattr(os, "replace", lambda *paths: (order.append("name"), replace(*paths)))
    write_text(tmp_path / "sea.toml", "sea.seed = 3\n")
    assert order == ["content", "name"]
