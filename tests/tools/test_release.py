"""`tools.release`, in a copy of the files that it changes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.release import CHANGELOG, CITATION, NAMING, PACKAGE, README, ROOT, absolute

FILES = sorted({"tools/release.py", *(str(path.relative_to(ROOT)) for path in (PACKAGE, CHANGELOG, *NAMING))})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def release(checkout: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tools.release", *words]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def test_a_release_is_prepared_and_passes_its_check(checkout: Path) -> None:
    log = checkout / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## Unreleased\n\n- New.\n")
    assert release(checkout, "1.2.3", "--date", "2027-01-02", "--repository", "one/ocean").returncode == 0
    assert "## 1.2.3 - 2027-01-02\n" in log.read_text()
    assert "date-released: 2027-01-02\n" in (checkout / CITATION.name).read_text()
    assert "git clone https://github.com/one/ocean && cd ocean && make demo" in (checkout / README.name).read_text()
    assert release(checkout, "--check", "1.2.3").returncode == 0
    assert release(checkout, "--check", "1.2.4").returncode == 1


@pytest.mark.parametrize(
    ("words", "log", "said"),
    [
        (["1.2.3"], "# Changelog\n\n## 1.2.2 - 2026-01-01\n", "CHANGELOG.md must have one line `## Unreleased`"),
        (["1.2.3"], "## Unreleased\n\n## 1.2.3 - 2026-01-01\n", "and has 2"),
        (["next"], "## Unreleased\n", "version = 'next'"),
        (["1.2.3", "--date", "today"], "## Unreleased\n", "--date = 'today'"),
        (["1.2.3", "--date", "2026-13-45"], "## Unreleased\n", "--date = '2026-13-45'"),
        (["1.2.3", "--repository", "ocean"], "## Unreleased\n", "--repository = 'ocean'"),
    ],
)
def test_what_cannot_be_released_is_said_and_changes_nothing(
    checkout: Path, words: list[str], log: str, said: str
) -> None:
    (checkout / "CHANGELOG.md").write_text(log)
    before = {name: (checkout / name).read_bytes() for name in FILES}
    done = release(checkout, *words)
    assert (done.returncode, said in done.stderr, done.stderr.count("\n")) == (2, True, 1)
    assert {name: (checkout / name).read_bytes() for name in FILES} == before


def test_links_of_the_readme_hold_on_the_package_index() -> None:
    page = absolute(README.read_text("utf-8"), "1.2.3", "one/ocean")
    assert re.findall(r"\]\((?!https://|#)[^)]*\)", page) == []
    assert re.findall(r"!\[[^]]*\]\((?!https://(?:raw|img|github.com/OWNER/fft-ocean/actions))[^)]*\)", page) == []
    start = "https://raw.githubusercontent.com/one/ocean/v1.2.3/"
    assert all((ROOT / path).is_file() for path in re.findall(rf"{start}([^)]*)\)", page))
    assert f"({start}docs/gallery/film.webp)" in page
    assert "(https://github.com/one/ocean/blob/v1.2.3/docs/window.md)" in page
