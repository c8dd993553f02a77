"""The wheel, installed as a person would, and every command of it from a shell, in a folder far from any checkout."""

import json
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.messages import unnamed
from tests.window.conftest import display  # noqa: F401 - a fixture

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).parent.parent
SMALL = "--config ci --frames 6 --warmup 1 --resolution 64x36"


class Shell:
    """A folder of its own, and a shell that finds the installed program."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder = folder
        kept = {
            key: os.environ[key] for key in ("HOME", "LANG", "TMPDIR", "LIBGL_ALWAYS_SOFTWARE") if key in os.environ
        }
        self.environment = {**kept, "PATH": f"{bin}:/usr/bin:/bin", "COLUMNS": "120"}

    def __call__(self, line: str, *status: int) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            line, shell=True, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=180
        )
        assert done.returncode in (status or (0,)), f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Built without a network from a copy of the sources, so that the checkout can't lend anything; dependencies are
    those of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    source, venv = folder / "source", folder / "venv"
    source.mkdir()
    for name in ("ocean", "configs", "assets"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    run = [sys.executable, "-m"]
    subprocess.run(
        [*run, "hatchling", "build", "-t", "wheel", "-d", folder], cwd=source, check=True, capture_output=True
    )
    shutil.rmtree(source)
    subprocess.run([*run, "venv", "--without-pip", venv], check=True)
    (wheel,) = folder.glob("*.whl")
    (packages,) = venv.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    pip = [*run, "pip", "--python", venv / "bin" / "python", "install", "--no-deps", "--no-index", "--quiet", wheel]
    subprocess.run(pip, check=True, capture_output=True)
    home = folder / "elsewhere"
    home.mkdir()
    return Shell(home, venv / "bin")


def report(shell: Shell, name: str) -> dict[str, Any]:
    return dict(json.loads((shell.folder / name / "report.json").read_text()))


def test_an_installed_program_runs_from_its_folder(shell: Shell) -> None:
    done = shell("python -c 'import ocean, ocean.common.resources as r; print(ocean.__file__, r.folder(\"configs\"))'")
    package, configs = map(Path, done.stdout.split())
    assert ROOT not in package.parents
    assert configs == package.parent / "_data" / "configs"
    assert shell("ocean --version").stdout.startswith("ocean ")
    assert "Commands" in shell("ocean --help").stdout


def test_doctor_names_the_renderer(shell: Shell) -> None:
    assert "renderer:" in shell("ocean doctor").stdout


def test_two_captures_agree_and_a_slower_one_is_found(shell: Shell) -> None:
    shell(f"ocean capture {SMALL} --out first --trace first.json")
    shell(f"ocean capture {SMALL} --out second --baseline first/report.json --tolerance 2", 0, 6)  # few frames
    assert report(shell, "first")["program"]["git_commit"] is None
    assert json.loads((shell.folder / "first.json").read_text())["traceEvents"]
    with Image.open(shell.folder / "first" / "frame.png") as a, Image.open(shell.folder / "second" / "frame.png") as b:
        assert np.array_equal(np.asarray(a), np.asarray(b))
        assert np.asarray(a).std() > 5
    markdown = shell("ocean report diff first/report.json first/report.json --tolerance 2 --markdown", 0, 6).stdout
    assert "| `frame` |" in markdown
    slower = json.loads((shell.folder / "second" / "report.json").read_text())
    (shading,) = (row for row in slower["cases"][""]["rows"] if row["name"] == "shading")
    shading["samples_ms"] = [1e4 * ms for ms in shading["samples_ms"]]
    (shell.folder / "slower.json").write_text(json.dumps(slower))
    assert "shading" in shell("ocean report diff first/report.json slower.json", 3).stdout


def test_a_matrix_captures_each_case(shell: Shell) -> None:
    shell(f"ocean capture {SMALL} --matrix fft.backend=dft,four-step fft.size=32 --out kernels")
    assert list(report(shell, "kernels")["cases"]) == [
        "fft.backend=dft,fft.size=32",
        "fft.backend=four-step,fft.size=32",
    ]
    assert (shell.folder / "kernels" / "fft.backend=dft,fft.size=32" / "timings.png").exists()


def test_configs_are_shown_and_compared(shell: Shell) -> None:
    shell("ocean config show --config storm --set sea.seed=7 > my.toml")
    assert shell("ocean config diff storm my.toml").stdout == "sea.seed: 1 -> 7\n"
    shell("ocean config schema > ocean.schema.json")
    assert json.loads((shell.folder / "ocean.schema.json").read_text())["title"]


def test_transform_agrees_with_numpy(shell: Shell) -> None:
    done = shell("seq 1 12 | ocean transform - --backend stockham-radix4 --trace --out spectrum.txt")
    assert "stage 1" in done.stdout
    spectrum = np.loadtxt(shell.folder / "spectrum.txt") @ [1, 1j]
    assert np.allclose(spectrum, np.fft.fft([*range(1, 13), 0, 0, 0, 0]), atol=1e-4)


def test_all_files_in_the_home_folder_are_on_the_page_of_removal(shell: Shell, display: str) -> None:  # noqa: F811
    home = shell.folder / "home"
    home.mkdir()
    shell(f"HOME={home} ocean capture {SMALL} --out caches")
    software = "--config ci --set window.width=320 --set window.height=180"
    shell(f"HOME={home} DISPLAY={display} ocean window {software} --quit-after 3")
    page = (ROOT / "docs" / "how-to" / "remove.md").read_text(encoding="utf-8")
    places = tuple(re.findall(r"`~(/[^`*]+)", page))
    found = [str(path).removeprefix(str(home)) for path in home.rglob("*") if path.is_file()]
    assert found
    assert [path for path in found if not path.startswith(places)] == []


def test_image_restores_the_picture(shell: Shell) -> None:
    Image.fromarray(np.random.default_rng(3).integers(0, 256, (20, 36), np.uint8)).save(shell.folder / "photo.png")
    shell("ocean image photo.png --out image")
    with Image.open(shell.folder / "photo.png") as photo, Image.open(shell.folder / "image" / "roundtrip.png") as back:
        assert np.array_equal(np.asarray(photo), np.asarray(back.convert("L")))


def test_the_window_saves_a_picture(shell: Shell, display: str) -> None:  # noqa: F811 - as pytest has it
    software = "--config ci --set window.width=320 --set window.height=180"
    shell(f"DISPLAY={display} ocean window {software} --quit-after 3 --screenshot window.png")
    with Image.open(shell.folder / "window.png") as picture:
        assert np.asarray(picture).std() > 5


def test_assets_are_found_by_name(shell: Shell) -> None:
    spectrum = "--set sea.wind.spectrum.kind=file --set sea.wind.spectrum.path=example-buoy.data_spec"
    shell(f"ocean config show {spectrum}")
    assert shell(f"ocean capture {SMALL} {spectrum} --set buoy.show=true --out buoy").stderr == ""  # no library's log


def test_mistakes_are_reported(shell: Shell) -> None:
    assert unnamed(shell("ocean capture --config gail --out nothing", 2).stderr, "gail gale") == []
    assert unnamed(shell("ocean report diff a.json b.json", 2).stderr, "a.json") == []
    assert not (shell.folder / "nothing").exists()


def test_a_bench_names_the_libraries_that_it_lacks(shell: Shell) -> None:
    shell("ocean bench --sizes 16 --backends dft --rounds 6 --out bench")
    assert unnamed((shell.folder / "bench" / "bench.md").read_text(), "cufft not measured CuPy vkfft") == []


def test_a_scene_report_has_its_passes(shell: Shell) -> None:
    """The command of docs/how-to/send-a-scene-report.md."""
    shell("ocean bench --workload scene --seconds 40 --out out/scene")
    rows = json.loads((shell.folder / "out" / "scene" / "bench.json").read_text())["rows"]
    assert {"frame", "sea", "raster", "shading"} <= {row["name"] for row in rows}


def test_settings_are_completed(shell: Shell) -> None:
    """The test asks as fish does."""
    shell.environment |= {"_OCEAN_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    try:
        done = shell("_TYPER_COMPLETE_ARGS='ocean capture --set sea.wind.sp' ocean")
    finally:
        del shell.environment["_OCEAN_COMPLETE"], shell.environment["_TYPER_COMPLETE_FISH_ACTION"]
    assert unnamed(done.stdout, "sea.wind.speed= 0 40 m/s") == []
