"""Prepare a release, and check that package, citation and changelog agree.

python -m tools.release 0.2.0 --date 2026-12-01 --repository OWNER/NAME   # on release day, before the tag
python -m tools.release --check 0.2.0                                      # as release.yml does; needs no packages

The first fills in version, date (in the changelog also for *Unreleased*) and address of the repository, which is
`OWNER/fft-ocean` until then.
"""

import argparse
import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, CITATION, CHANGELOG = (ROOT / name for name in ("ocean/__init__.py", "CITATION.cff", "CHANGELOG.md"))
RECIPE = ROOT / "docs/maintainers/conda-forge.yaml"
PLACEHOLDER = "OWNER/fft-ocean"
NAMING = (ROOT / "README.md", CITATION, RECIPE)
"""Files that name the repository."""


def changed(path: Path, pattern: str, new: str) -> None:
    """Replace the one line of a file that matches."""
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"{path.relative_to(ROOT)} has {count} lines like {pattern} and not one")
    path.write_text(text, encoding="utf-8")


def prepare(version: str, day: str, repository: str) -> None:
    changed(PACKAGE, r'^__version__ = ".*"$', f'__version__ = "{version}"')
    changed(CITATION, r"^version: .*$", f"version: {version}")
    changed(CITATION, r"^date-released: .*$", f"date-released: {day}")
    changed(RECIPE, r'^  version: "[^"]*"$', f'  version: "{version}"')
    changed(CHANGELOG, rf"^## (Unreleased|{re.escape(version)} - .*)$", f"## {version} - {day}")
    for path in NAMING:
        path.write_text(path.read_text(encoding="utf-8").replace(PLACEHOLDER, repository), encoding="utf-8")


def faults(version: str) -> list[str]:
    """Return what is not ready for the release of a version."""
    expected = {
        PACKAGE: f'__version__ = "{version}"',
        CITATION: f"version: {version}",
        RECIPE: f'  version: "{version}"',
        CHANGELOG: f"## {version} - ",
    }
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in {*expected, *NAMING}}
    missing = [
        f"{path.name} has no line {line!r}"
        for path, line in expected.items()
        if not any(one.startswith(line) for one in lines[path])
    ]
    return missing + [f"{path.name} names no repository" for path in NAMING if PLACEHOLDER in "\n".join(lines[path])]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--date", default=date.today().isoformat(), metavar="YYYY-MM-DD")
    parser.add_argument("--repository", default=PLACEHOLDER, metavar="OWNER/NAME")
    parser.add_argument("--check", action="store_true", help="change nothing; say what is missing")
    given = parser.parse_args()
    if not given.check:
        prepare(given.version, given.date, given.repository)
    sys.exit("\n".join(faults(given.version)) or None)
