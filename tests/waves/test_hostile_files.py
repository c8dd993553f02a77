"""Files of spectra that are damaged or hold numbers that no sea has."""

import gzip
import json
import pickle
from contextvars import copy_context

import numpy as np
import pytest

from ocean.settings import SettingsError, contents, load_settings, with_values
from ocean.waves.spectra import child, file, formats, reader
from ocean.waves.statistics import predicted_height
from ocean.waves.systems import swell
from tests.messages import naming, unnamed

xarray = pytest.importorskip("xarray")
ENDLESS = "SWAN 1\nLONLAT\n 99999999999999999999 number of locations\n 1.0 2.0\n"
"""A file that wavespectra reads until memory is exhausted."""


def netcdf(path, density, **options):
    frequency = np.linspace(0.05, 0.4, 24)
    values = np.broadcast_to(density, (40, 24, 36)).astype("f4")
    axes = {"time": np.arange(40).astype("M8[h]").astype("M8[ns]"), "freq": frequency, "dir": np.arange(36) * 10.0}
    sea = xarray.Dataset({"efth": (("time", "freq", "dir"), values)}, axes)
    sea.to_netcdf(path, encoding={"efth": {"zlib": True, "chunksizes": (1, 24, 36), **options}})


def refusal(path):
    with pytest.raises(SettingsError) as error:
        load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"])
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_damaged_chunk_is_refused_in_one_sentence(tmp_path, rng):
    netcdf(tmp_path / "x.nc", rng.random((40, 24, 36)) * 1e-3)
    data = bytearray((tmp_path / "x.nc").read_bytes())
    data[len(data) // 3 :: 97] = bytes(len(data[len(data) // 3 :: 97]))
    (tmp_path / "x.nc").write_bytes(data)
    assert "can't be read" in refusal(tmp_path / "x.nc")


def test_a_crash_of_the_library_is_reported_in_one_sentence(tmp_path, monkeypatch):
    """The process is killed by a signal while it reads."""
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    start = child.start

    def crash():
        process = start()
        process.kill()
        process.wait()
        return process

    with monkeypatch.context() as patch:
        patch.setattr(child, "running", None)
        patch.setattr(child, "start", crash)
        assert "crashes on it (status -9)" in refusal(path)
    assert load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"])


def test_a_file_that_is_read_without_end_is_refused_in_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "x.swn").write_text(ENDLESS)
    monkeypatch.setattr(child, "running", None)  # the process ends at its memory limit
    monkeypatch.setattr(child, "LONGEST", 0.1)
    assert unnamed(refusal(tmp_path / "x.swn"), "longer 0.1 s") == []


def test_the_process_ends_by_itself_when_the_program_is_gone(tmp_path):
    """A program that is killed can't end its reading process."""
    (tmp_path / "x.swn").write_text(ENDLESS)
    process = child.start()
    pickle.dump((0.1, str(tmp_path), [tmp_path / "x.swn"], "auto", -1, 0), process.stdin)
    process.stdin.flush()
    assert process.wait(30) != 0  # 1, or a crash of faulthandler, which prints the stack of a thread that still runs


def test_waiting_for_an_answer_can_be_split_and_cancelled(tmp_path):
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    for name in ("x.swn", "y.swn"):
        (tmp_path / name).write_text(ENDLESS)
    asked = copy_context()
    asked.run(child.patience.set, 0.0)
    with pytest.raises(child.StillReading, match="data_spec"):
        asked.run(child.read_apart, [path], "auto", -1, 0)
    assert len(child.read_apart([path], "auto", -1, 0).frequency) == 2
    for name in ("x.swn", "y.swn"):  # the second waits for the first
        with pytest.raises(child.StillReading, match="swn"):
            asked.run(child.read_apart, [tmp_path / name], "auto", -1, 0)
    child.stop()
    asked.run(child.patience.set, 20.0)  # less than reading either file takes
    assert len(asked.run(child.read_apart, [path], "auto", -1, 0).frequency) == 2


def test_a_file_that_took_too_long_is_tried_again_after_a_minute(tmp_path, monkeypatch):
    tries = []

    def read_apart(*_):
        tries.append(1)
        raise child.TooLongError("too long")

    monkeypatch.setattr(file, "read_apart", read_apart)
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert refusal(path) == refusal(path) == "sea.wind.too long"
    path.write_text(path.read_text() + "\n")
    refusal(path)
    assert len(tries) == 2
    later = file.monotonic() + file.AGAIN
    monkeypatch.setattr(file, "monotonic", lambda: later)
    refusal(path)
    assert len(tries) == 3


def test_settings_keep_the_file_that_they_read(tmp_path):
    """Settings are equal as long as their file has the same contents."""
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    words = ["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"]
    first, same = load_settings(overrides=words), load_settings(overrides=words)
    buoy(path, [0.4, 0.8], [0.1, 0.2])
    other = load_settings(overrides=words)
    path.unlink()
    assert first == same != other
    assert contents(first) == contents(same) != contents(other)
    heights = [predicted_height(one.sea.systems) for one in (first, other, with_values(first, {"view.x": 1.0}))]
    assert heights[1] == pytest.approx(2 * heights[0], rel=1e-6)
    assert heights[2] == heights[0]
    assert with_values(first, {"sea.wind.spectrum.tail": False}).sea.wind.spectrum.tail is False
    assert with_values(first, {"sea.wind.spectrum": "jonswap"}).sea.wind.spectrum.kind == "jonswap"
    with pytest.raises(SettingsError, match=naming("sea.wind.spectrum.path no file")):
        with_values(first, {"sea.wind.spectrum.path": str(path)})


def test_a_process_whose_answer_nobody_waited_for_ends(tmp_path, monkeypatch):
    """If the process went on, it would answer the next question with this answer."""

    def interrupted(stream):
        raise KeyboardInterrupt

    monkeypatch.setattr(child, "running", None)
    monkeypatch.setattr(pickle, "load", interrupted)
    with pytest.raises(KeyboardInterrupt):
        child.read_apart([tmp_path / "x"], "auto", -1, 0)
    assert child.running is None


def test_a_removed_current_folder_does_not_crash_the_reader(tmp_path, monkeypatch):
    path = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert len(child.read_apart([path], "auto", -1, 0).frequency) == 2


@pytest.mark.parametrize("value", [9.97e36, 1e30, 1e6])
def test_fill_values_without_a_mark_are_refused(tmp_path, value):
    density = np.full((40, 24, 36), 1e-4)
    density[-1, 3, 5] = value
    netcdf(tmp_path / "x.nc", density, _FillValue=None)
    assert "beyond 100000 m²/Hz" in refusal(tmp_path / "x.nc")


def buoy(path, densities, frequencies):
    head = "#YY MM DD hh mm Sep_Freq < spec_1 (freq_1) spec_2 (freq_2) >"
    values = " ".join(f"{density} ({frequency})" for density, frequency in zip(densities, frequencies, strict=True))
    path.write_text(f"{head}\n2024 01 01 00 00 9.999 {values}\n")
    return path


@pytest.mark.parametrize(
    ("densities", "frequencies", "named"),
    [
        ([0.1, 1e30, 0.3], [0.033, 0.038, 0.043], "100000 m²/Hz 1e+30 0.038"),
        ([0.1, 1e300, 0.3], [0.033, 0.038, 0.043], "100000 m²/Hz 1e+300 0.038"),
        ([0.1, 9e4, 0.3], [0.03, 0.1, 0.2], "Hs 350 100"),
        ([0.0, 9e4], [99.999, 100.0], "Hs 6e+03 100"),
        *(
            ([0.1, 0.2, 0.3], [0.033, 0.038, value], f"frequency {value:g} 1e-06 100")
            for value in (np.inf, 1e30, 1e300, -0.1, 1e-300)
        ),
    ],
)
def test_a_buoy_that_writes_no_sea_is_refused(tmp_path, densities, frequencies, named):
    assert unnamed(refusal(buoy(tmp_path / "x.data_spec", densities, frequencies)), named) == []


@pytest.mark.parametrize("value", [1e-100, 1e-300, 5e-324])
def test_waves_whose_squares_underflow_are_ignored(tmp_path, value):
    path = buoy(tmp_path / "x.data_spec", [value] * 3, [0.05, 0.1, 0.2])
    assert load_settings(overrides=["sea.wind.spectrum=file", f"sea.wind.spectrum.path={path}"]).sea.systems == ()
    assert swell(value, 9.0, 0.0, 40.0).is_flat


@pytest.mark.parametrize(
    ("directions", "density", "named"),
    [
        ([0.0, np.nan, 180.0], 1e-3, "direction nan degrees -360 720"),
        ([0.0, 90.0, np.inf], 1e-3, "direction inf degrees"),
        ([0.0, 90.0, 1e300], 1e-3, "direction 1e+300 degrees"),
        ([30.0, 30.0, 30.0], 1e-3, "direction twice"),
        (["a", "b"], 1e-3, "direction no number"),
        ([], 1e-3, "0 directions"),
        ([0.0, 360.0], 1e-3, "directions all 0"),
        ([0.0, 120.0, 240.0], 5e4, "100000 1.8e+07"),
    ],
)
def test_invalid_directions_are_refused(tmp_path, directions, density, named):
    axes = {"freq": [0.05, 0.1, 0.2], "dir": directions}
    efth = xarray.DataArray(np.full((3, len(directions)), density), axes, ("freq", "dir"), "efth")
    efth.to_dataset().to_netcdf(tmp_path / "x.nc")
    assert unnamed(refusal(tmp_path / "x.nc"), named) == []


def test_a_closed_circle_has_its_first_direction_at_both_ends(tmp_path):
    axes = {"freq": [0.05, 0.1, 0.2], "dir": [0.0, 120.0, 240.0, 360.0]}
    whole = xarray.DataArray(np.full((3, 4), 1e-3), axes, ("freq", "dir"), "efth").to_dataset()
    found = []
    for name, sea in ("closed", whole), ("open", whole.isel(dir=slice(3))):
        sea.to_netcdf(tmp_path / f"{name}.nc")
        path = f"sea.wind.spectrum.path={tmp_path}/{name}.nc"
        found.append(predicted_height(load_settings(overrides=["sea.wind.spectrum=file", path]).sea.systems))
    assert found[0] == found[1] > 0


def test_a_file_that_unpacks_beyond_its_bound_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "MOST_TEXT", 1 << 20)
    monkeypatch.setattr(file, "read_apart", reader.read)  # read in this process, because the bound is set here
    for start in ("{", "#YY MM DD hh mm\n"):
        (tmp_path / "x.gz").write_bytes(gzip.compress(start.encode() + bytes(2 << 20)))
        assert unnamed(refusal(tmp_path / "x.gz"), "1 MiB") == []
    first = buoy(tmp_path / "x.data_spec", [0.1, 0.2], [0.1, 0.2])
    assert unnamed(refusal(f"{first},{','.join([f'{tmp_path}/x.gz'] * 4)}"), "x.gz 1 MiB") == []
    (tmp_path / "x.json").write_text(json.dumps({"a": "b" * (2 << 20)}))
    assert unnamed(refusal(tmp_path / "x.json"), "1 MiB") == []


def test_a_broken_link_is_refused_in_one_sentence(tmp_path):
    pytest.importorskip("zarr")
    (tmp_path / "zarr.json").write_text("{}")
    (tmp_path / "link").symlink_to("nowhere")
    assert unnamed(refusal(tmp_path), "link no such file") == []
