"""Files of settings: settings name them, and `resolve` opens them in a separate process."""

import pickle

import pytest

from ocean.common.isolated import Cancelled
from ocean.common.parameters import UnreadError
from ocean.settings import SettingsError, load_settings, with_values
from ocean.settings.files import Resolution, contents, resolve
from ocean.waves.statistics import predicted_height
from tests.messages import naming
from tests.waves.spectrum_files import buoy_of, netcdf_of

SLOW = "0.1 1.0\n" * 2_000_000
"""A table that takes a few seconds to read."""


def named(path):
    return load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"])


def test_resolved_settings_keep_the_file_that_they_read(tmp_path):
    """Settings are equal as long as their file has the same content; resolving reads a file that has changed."""
    path = buoy_of(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert named(path) == named(path)
    first, same = resolve(named(path)), resolve(named(path))
    assert resolve(first) is first
    assert pickle.loads(pickle.dumps(first)) == first
    buoy_of(path, [0.4, 0.8], [0.1, 0.2])
    other = resolve(named(path))
    path.unlink()
    assert first == same != other
    assert contents(first) == contents(same) != contents(other)
    heights = [predicted_height(one.sea.systems) for one in (first, other, with_values(first, {"view.x": 1.0}))]
    assert heights[1] == pytest.approx(2 * heights[0], rel=1e-6)
    assert heights[2] == heights[0]
    assert resolve(with_values(first, {"sea.wind.spectrum.tail": False})).sea.systems
    assert with_values(first, {"sea.wind.spectrum": "jonswap"}).sea.wind.spectrum.kind == "jonswap"
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path no file")):
        resolve(with_values(first, {"sea.wind.spectrum.path": str(path)}))


def test_settings_name_files_without_opening_them(tmp_path):
    settings = named(tmp_path / "absent.nc")
    assert with_values(settings, {"sea.seed": 3}).sea.seed == 3
    with pytest.raises(UnreadError, match="absent"):
        settings.sea.systems  # noqa: B018
    with pytest.raises(SettingsError, match=naming("sea.wind height 0")):
        with_values(settings, {"sea.wind.height": 2.0})


def test_a_sea_is_checked_when_its_file_has_been_read(tmp_path):
    settings = with_values(named(buoy_of(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])), {"sea.loop_period": 9.0})
    with pytest.raises(SettingsError, match=naming("sea.loop_period 9 20 s")):
        resolve(settings)


def test_a_damaged_chunk_is_refused_in_one_sentence(tmp_path, rng):
    netcdf_of(tmp_path / "x.nc", rng.random((40, 24, 36)) * 1e-3)
    data = bytearray((tmp_path / "x.nc").read_bytes())
    data[len(data) // 3 :: 97] = bytes(len(data[len(data) // 3 :: 97]))
    (tmp_path / "x.nc").write_bytes(data)
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path x.nc can't be read")) as error:
        resolve(named(tmp_path / "x.nc"))
    assert "\n" not in str(error.value)


def test_a_broken_link_is_refused_in_one_sentence(tmp_path):
    pytest.importorskip("zarr")
    (tmp_path / "zarr.json").write_text("{}")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path link no such file")):
        resolve(named(tmp_path))


def test_a_file_that_takes_too_long_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "x.txt").write_text(SLOW)
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path x.txt longer 0.1 s")):
        resolve(named(tmp_path / "x.txt"), longest=0.1)


def test_reading_tells_the_file_and_can_be_cancelled(tmp_path):
    (tmp_path / "x.txt").write_text(SLOW)
    read = []
    with pytest.raises(Cancelled):
        resolve(named(tmp_path / "x.txt"), read.append, lambda: bool(read))
    assert read == ["x.txt"]
    Resolution(named(tmp_path / "x.txt")).cancel()
    (tmp_path / "x.hdr").write_bytes(b"#?RADIANCE\n\n-Y 4 +X 8\n" + bytes([9, 9, 9, 128]) * 32)
    settings = load_settings(overrides=[f"sky.panorama={tmp_path}/x.hdr"])
    assert (resolution := Resolution(settings)).result(60.0) == resolve(settings)
    assert resolution.file == "x.hdr"
