"""Folders of exports that are killed at any moment, run twice or resumed: finished files are neither lost nor
damaged."""

import json
import multiprocessing
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from ocean.common.files import UNFINISHED
from ocean.export import run as folders
from ocean.export.formats.arrays import NumpyFormat
from ocean.export.plan import ExportError, Patch
from ocean.export.run import export, write_run
from ocean.export.sources import MapSource, Snapshot
from tests.messages import naming, unnamed

from ..light.test_panorama import write_hdr
from ..marks import slow
from .exports import ROOT, assert_whole, contents, many, start, sums_in
from .plans import everything, plan


def killed_at_random(out, wanted, kills, seed):
    """Start an export again and again. Kill each after a random number of further files and a random delay. Runs are
    forked from a process that has imported the program, so that there is time for many."""
    moments = random.Random(seed)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["ocean.export.run", "ocean.export.formats.arrays"])
    for _ in range(kills):
        process = processes.Process(target=export, args=(wanted, out), kwargs={"resume": True})
        process.start()
        further = sums_in(out) + moments.randrange(5)
        while sums_in(out) < further and process.is_alive():
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.02))
        process.kill()
        process.join()
        lines = (out / folders.SUMS).read_text().splitlines(keepends=True) if sums_in(out) else []
        for digest, name in (line.rstrip("\n").split("  ") for line in lines if line.endswith("\n")):
            assert folders.checksum(out / name) == digest
    return sums_in(out)


@pytest.mark.parametrize(("form", "kills"), [("npz", 6), *(slow(form, 20) for form in ("exr", "npz", "zarr"))])
def test_an_export_killed_at_any_moment_resumes(tmp_path, finished, form, kills):
    wanted = many(form)
    before = killed_at_random(tmp_path, wanted, kills, 11)
    assert before > kills / 2
    assert export(wanted, tmp_path, resume=True) == 0
    assert_whole(tmp_path)
    assert contents(tmp_path) == finished(form)


def test_ctrl_c_leaves_no_half_written_file(tmp_path):
    process = start(tmp_path, "--format", "npz", "--duration", "200")  # more than it can finish in time
    while sums_in(tmp_path) < 3:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    done = sums_in(tmp_path)  # the list may lack a frame that is already written
    assert errors.count("\n") == 1
    assert unnamed(errors, f"stopped {done} of 6000 frames --resume") == []
    assert {path.suffix or path.name for path in tmp_path.iterdir()} <= {".npz", ".json", ".lock", folders.SUMS}
    assert_whole(tmp_path)


# -- Two at once, and another export -----------------------------------------------------------------------------------


def test_a_second_export_into_a_folder_is_refused(tmp_path, monkeypatch):
    """The second export reports this and changes nothing; the first goes on."""
    entered, leave, results = threading.Event(), threading.Event(), []
    write = NumpyFormat.write

    def slowly(self, frame, aside):
        entered.set()
        assert leave.wait(300)
        write(self, frame, aside)

    monkeypatch.setattr(NumpyFormat, "write", slowly)
    first = threading.Thread(target=lambda: results.append(export(plan(), tmp_path)))
    first.start()
    try:
        assert entered.wait(300)
        with pytest.raises(ExportError, match=naming("another export", tmp_path)):
            export(plan(), tmp_path, resume=True)
    finally:
        leave.set()
        first.join()
    assert results == [0]
    assert_whole(tmp_path)


def test_the_record_has_the_tiles_of_the_files(tmp_path):
    """Programs that read no EXR attributes find the sides in the record."""
    export(plan(frames=1), tmp_path)
    tiles = json.loads((tmp_path / "export.json").read_text())["tiles"]
    data = np.load(tmp_path / "frame.000000.npz")
    assert [tile["side"] for tile in tiles] == data["side"].tolist()
    assert [tile["rotation"] for tile in tiles] == data["rotation"].tolist()


def test_an_export_is_not_overwritten(tmp_path):
    export(plan(), tmp_path)
    before = contents(tmp_path)
    with pytest.raises(ExportError, match=naming("an export --resume another folder")):
        export(plan(), tmp_path)
    with pytest.raises(ExportError, match=naming("another export fps 24.0 30.0")):
        export(plan(fps=30.0), tmp_path, resume=True)
    with pytest.raises(ExportError, match=naming("sea.wind.speed 15.0 5.0")):
        export(plan("sea.wind.speed=5"), tmp_path, resume=True)
    assert contents(tmp_path) == before
    (tmp_path / folders.RECORD).write_text("{")
    with pytest.raises(ExportError, match="choose another folder"):
        export(plan(), tmp_path, resume=True)


@pytest.mark.parametrize("key", ["sea.wind.spectrum.path", "sky.panorama"])
def test_an_export_does_not_go_on_with_a_file_that_was_replaced(tmp_path, key):
    """The frames would otherwise show two seas or two skies."""
    pytest.importorskip("wavespectra")
    file = tmp_path / "x.data_spec"
    words = {"sea.wind.spectrum.path": "sea.wind.spectrum={kind='file',path='%s'}", "sky.panorama": "sky.panorama='%s'"}

    def of(number):
        if key == "sky.panorama":
            write_hdr(file, np.full((2, 4, 3), number, np.float32), compressed=False)
        else:
            head = "#YY MM DD hh mm Sep_Freq < spec_1 (freq_1) spec_2 (freq_2) >"
            file.write_text(f"{head}\n2024 01 01 00 00 9.9 {number} (0.1) {number} (0.2)\n")
        return plan(words[key] % file)

    export(of(0.5), tmp_path / "out")
    with pytest.raises(ExportError, match=rf"contents\.{key}"):
        export(of(0.25), tmp_path / "out", resume=True)
    wanted = of(0.5)
    assert export(wanted, tmp_path / "out", resume=True) == 0
    of(0.25)
    wanted = pickle.loads(pickle.dumps(wanted))
    if key == "sky.panorama":  # workers read the panorama; a spectrum is part of the settings
        with pytest.raises(ExportError, match=r"contents\.sky\.panorama"):
            write_run([0], wanted, str(tmp_path / "out"))
    else:
        assert list(write_run([0], wanted, str(tmp_path / "out"))) == [0]


# -- Resuming ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["zarr", slow("exr")])
def test_resuming_makes_only_damaged_files_again(tmp_path, monkeypatch, capsys, form):
    wanted = everything(form)
    export(wanted, tmp_path)
    expected = contents(tmp_path)
    made = []
    frame = MapSource.frame
    monkeypatch.setattr(MapSource, "frame", lambda self, index: made.append(index) or frame(self, index))
    assert export(wanted, tmp_path, resume=True) == 0
    assert made == []
    assert unnamed(capsys.readouterr().out, f"checking {sums_in(tmp_path)} of {sums_in(tmp_path)}") == []
    names = {
        "exr": ("cascade0.000001.exr", "patch.000003.exr"),
        "zarr": ("cascades.zarr/height/c/1/0/0/0", "patch.zarr/foam/c/3/0/0"),
    }[form]
    data = bytearray((tmp_path / names[0]).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / names[0]).write_bytes(data)
    (tmp_path / names[1]).unlink()
    with (tmp_path / folders.SUMS).open("a") as file:
        file.write("0123abc")  # a truncated line
    (tmp_path / f"{UNFINISHED}killed").mkdir()
    assert export(wanted, tmp_path, resume=True) == 0
    assert unnamed(capsys.readouterr().out, "2 damaged") == []
    assert made == [1, 3]
    assert contents(tmp_path) == expected


@pytest.mark.parametrize("device", ["/proc/self/mem", "/dev/zero", None])
def test_a_file_that_can_not_be_read_is_made_again(tmp_path, capsys, device):
    """No process can read its address 0; /dev/zero and a pipe never end."""
    export(plan(), tmp_path)
    expected = contents(tmp_path)
    (frame := tmp_path / "frame.000002.npz").unlink()
    if device:
        frame.symlink_to(device)
    else:
        os.mkfifo(frame)
    assert export(plan(), tmp_path, resume=True) == 0
    assert unnamed(capsys.readouterr().out, "1 damaged frame.000002.npz") == []
    assert contents(tmp_path) == expected


def test_a_list_or_record_that_is_a_pipe_is_not_waited_for(tmp_path):
    export(plan(), tmp_path)
    for name in (folders.SUMS, folders.RECORD):
        (tmp_path / name).unlink()
        os.mkfifo(tmp_path / name)
        if name == folders.SUMS:
            assert export(plan(), tmp_path, resume=True) == 0
            assert sums_in(tmp_path) == len(list(tmp_path.glob("*.npz")))
    with pytest.raises(ExportError, match=naming(tmp_path / folders.RECORD)):
        export(plan(), tmp_path, resume=True)


def test_errors_caused_by_ctrl_c_count_as_ctrl_c(tmp_path, monkeypatch, capsys):
    """Ctrl-C makes `shutil.rmtree` close a folder twice."""

    def finish(*_):
        try:
            raise KeyboardInterrupt
        finally:
            os.close(-1)

    monkeypatch.setattr(folders, "finish", finish)
    assert export(plan(), tmp_path) == folders.INTERRUPTED
    assert unnamed(capsys.readouterr().err, "stopped 5 of 5 frames --resume") == []


def test_ctrl_c_stops_the_check_of_files(tmp_path, monkeypatch, capsys):
    export(plan(), tmp_path)
    expected = contents(tmp_path)
    checksum, checked = folders.checksum, []

    def stop_at_the_third(path):
        checked.append(path)
        if len(checked) == 3:
            raise KeyboardInterrupt
        return checksum(path)

    monkeypatch.setattr(folders, "checksum", stop_at_the_third)
    assert export(plan(), tmp_path, resume=True) == folders.INTERRUPTED
    assert unnamed(capsys.readouterr().err, "stopped checked --resume") == []
    assert contents(tmp_path) == expected
    assert export(plan(), tmp_path, resume=True) == 0
    assert len(checked) == 3 + 5


def test_an_export_killed_before_its_first_frame_goes_on(tmp_path):
    """The folder holds only a record, or nothing."""
    (tmp_path / folders.RECORD).write_text(json.dumps(plan().record()))
    assert export(plan(), tmp_path, resume=True) == 0
    shutil.rmtree(tmp_path)
    assert export(plan(), tmp_path, resume=True) == 0
    assert len(list(tmp_path.glob("*.npz"))) == 5


def test_the_movie_is_made_once_all_pictures_are_there(tmp_path, monkeypatch):
    """Pictures of noise need no GPU."""
    monkeypatch.setattr(folders, "own_context", lambda *_: nullcontext())
    monkeypatch.setattr(folders, "open_source", noise)
    wanted = plan("capture.width=64", "capture.height=48", format="mp4", maps=(), device="gpu")
    assert export(wanted, tmp_path) == 0
    (tmp_path / "sea.mp4").unlink()
    assert export(wanted, tmp_path, resume=True) == 0
    assert (tmp_path / "sea.mp4").stat().st_size > 1000
    assert_whole(tmp_path)


class noise:
    """Source of pictures of noise."""

    def __init__(self, wanted, ctx, folder=None):
        self.wanted = wanted

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def catch_up(self, index):
        return ()

    def grow_foam(self, index, advance):
        advance()

    def frame(self, index):
        return Snapshot(index, 0.0, picture=np.random.default_rng(index).bytes(64 * 48 * 3))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["exr", "zarr"])
def test_memory_stays_flat_over_ten_thousand_frames(tmp_path, form):
    """After the first thousand frames, memory grows by the list of checksums (two and a half times its characters), by
    its text while it is written (twice: as characters and as bytes), and by at most 4 MB more: a leak of one 16 KB
    frame in thirty."""
    arguments = ("--set", "fft.size=32", "--set", "cascades.count=1", "--maps", "displacement", "--fps", "100")
    command = [sys.executable, "app.py", "export", "--device", "cpu", "--format", form, *arguments]
    command += ["--duration", "100", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    used = {}
    while process.poll() is None:
        done = sums_in(tmp_path / "out")
        status = Path(f"/proc/{process.pid}/status").read_text()
        resident = next((line for line in status.splitlines() if line.startswith("VmRSS")), "0 0").split()[1]
        used[done] = int(resident) / 1024
        time.sleep(0.5)
    assert process.returncode == 0
    early = max(memory for done, memory in used.items() if done < max(used) / 10)
    listed = (tmp_path / "out" / folders.SUMS).stat().st_size / 2**20
    assert max(used.values()) < early + 4.5 * listed + 4


@pytest.mark.parametrize("form", ["npz", "png16", "raw", "dds", "ktx2", "swd", "usd"])
def test_the_cost_includes_the_files_that_combine_frames(tmp_path, capsys, form):
    maps = {"usd": ("height",), "swd": ()}.get(form, ("displacement",))
    patch = Patch(32.0, 32.0, 0.5) if form == "usd" else None
    assert export(plan("fft.size=64", format=form, maps=maps, patch=patch, frames=4), tmp_path) == 0
    said = float(re.search(r"about ([0-9.e+]+) MB", capsys.readouterr().out)[1])
    assert said == pytest.approx(sum(file.stat().st_size for file in tmp_path.iterdir()) / 1e6, rel=0.1)


@pytest.mark.parametrize("form", ["exr", "npz", "zarr", "png16", "raw", "dds", "glb", "usd"])
def test_an_export_that_is_surely_too_large_asks_before_its_first_frame(tmp_path, capsys, monkeypatch, form):
    """The least size is at most that of the files, and not far below."""
    patch, maps = Patch(32.0, 32.0, 0.5), ("displacement", "height")
    maps = () if form in ("glb", "usd") else maps[:1] if form in ("png16", "raw", "dds") else maps
    wanted = plan("fft.size=64", format=form, maps=maps, patch=None if len(maps) == 1 else patch, frames=3)
    with pytest.raises(ExportError, match=naming("3 frames least MB --yes")):
        export(wanted, tmp_path, most=1.0)
    assert [file.name for file in tmp_path.iterdir()] == [folders.LOCK]
    least = float(re.search(r"least ([0-9.e+]+) MB", capsys.readouterr().out)[1])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert export(wanted, tmp_path, most=1.0) == 0
    whole = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()) / 1e6
    assert least < whole < 2.5 * least


def test_large_costs_are_said_without_an_exponent(tmp_path, capsys):
    with pytest.raises(ExportError):
        export(plan("fft.size=64", format="exr", maps=("displacement",), frames=50_000), tmp_path, most=1.0)
    assert re.search(r"50000 frames take at least \d+,\d+ MB$", capsys.readouterr().out, re.MULTILINE)


def test_the_first_frame_which_compiles_does_not_count(tmp_path, capsys, monkeypatch):
    frame, wanted = MapSource.frame, many("npz")

    def late(self, index):
        time.sleep(2.0 * (index == 0))
        return frame(self, index)

    monkeypatch.setattr(MapSource, "frame", late)
    with pytest.raises(ExportError):
        export(wanted, tmp_path, most=1.0001 * 36 * wanted.least_bytes)
    assert float(re.search(r"36 frames take .* and (.+) s$", capsys.readouterr().out, re.MULTILINE)[1]) < 60


def test_foam_may_be_zeros_and_does_not_count():
    with_foam = plan("fft.size=64", format="exr", maps=("displacement", "foam"), patch=Patch(32.0, 32.0, 0.5), frames=9)
    assert with_foam.least_bytes == plan("fft.size=64", format="exr", maps=("displacement",), frames=9).least_bytes > 0


@pytest.mark.parametrize("workers", [None, 1])
def test_the_second_frame_tells_the_cost_and_a_large_export_asks(tmp_path, capsys, finished, workers):
    """Without a terminal nobody answers, and the export stops with its second frame."""
    wanted = many("npz")
    with pytest.raises(ExportError, match=naming("36 frames MB --resume --yes")):
        export(wanted, tmp_path, most=1.0001 * 36 * wanted.least_bytes, workers=workers)
    assert sums_in(tmp_path) == 2
    size = sum(file.stat().st_size for file in tmp_path.glob("*.npz")) / 2
    assert f"36 frames take about {36 * size / 1e6:.3g} MB" in capsys.readouterr().out
    assert export(wanted, tmp_path, resume=True, workers=workers) == 0
    assert "34 frames take about" in capsys.readouterr().out
    assert contents(tmp_path) == finished("npz")
