"""Prepare a release, and check that package, citation and changelog agree.

python -m tools.release 0.2.0 --date 2026-12-01 --repository OWNER/NAME   # on release day, before the tag
python -m tools.release --check 0.2.0                                      # as release.yml does; needs no packages
python -m tools.release --links 0.2.0 --repository OWNER/NAME              # before it builds

The first fills in version, date (in the changelog also for *Unreleased*) and address of the repository, which is
`OWNER/fft-ocean` until then. The last makes links and pictures of the README absolute, at the version's tag, because
the package index shows the page without its folder.
"""

import argparse
import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, CITATION, CHANGELOG = (ROOT / name for name in ("ocean/__init__.py", "CITATION.cff", "CHANGELOG.md"))
PROJECT, README = ROOT / "pyproject.toml", ROOT / "README.md"
RECIPE = ROOT / "docs/maintainers/conda-forge.yaml"
PLACEHOLDER = "OWNER/fft-ocean"
NAMING = (README, CITATION, RECIPE, PROJECT)
"""Files that name the repository."""


class ReleaseError(ValueError):
    """A release that can't be prepared; the message says why."""


def prepare(version: str, day: str, repository: str) -> None:
    """Write version, date and repository into all files, or into none."""
    for name, value, form in (
        ("version", version, r"\d+\.\d+\.\d+\w*"),
        ("--date", day, r"\d{4}-\d\d-\d\d"),
        ("--repository", repository, r"[\w-]+/[\w.-]+"),
    ):
        if not re.fullmatch(form, value, re.ASCII):
            raise ReleaseError(f"{name} = {value!r} is not of the form of 0.2.0, 2026-12-01 or OWNER/NAME")
    try:
        date.fromisoformat(day)
    except ValueError:
        raise ReleaseError(f"--date = {day!r} is not a calendar date") from None
    changes = (  # file, line to replace, how a message calls it, new line
        (PACKAGE, r'__version__ = ".*"', "`__version__ = ...`", f'__version__ = "{version}"'),
        (CITATION, r"version: .*", "`version: ...`", f"version: {version}"),
        (CITATION, r"date-released: .*", "`date-released: ...`", f"date-released: {day}"),
        (RECIPE, r'  version: "[^"]*"', "`  version: ...`", f'  version: "{version}"'),
        (
            CHANGELOG,
            rf"## (Unreleased|{re.escape(version)} - .*)",
            f"`## Unreleased` or `## {version} - ...`",
            f"## {version} - {day}",
        ),
    )
    texts = {path: path.read_text(encoding="utf-8") for path in {PACKAGE, CHANGELOG, *NAMING}}
    for path, pattern, line, new in changes:
        texts[path], count = re.subn(rf"^{pattern}$", new, texts[path], flags=re.MULTILINE)
        if count != 1:
            raise ReleaseError(f"{path.name} must have one line {line}, and has {count or 'none'}")
    for path, text in texts.items():
        if path in NAMING:
            text = text.replace(PLACEHOLDER, repository).replace("cd fft-ocean", f"cd {repository.partition('/')[2]}")
        path.write_text(text, encoding="utf-8")


def absolute(page: str, version: str, repository: str) -> str:
    """Return a page of the checkout's root whose links and pictures hold anywhere."""
    for before, place in ((r"!\[[^]]*\]", "raw.githubusercontent.com/{}/v{}"), (r"\]", "github.com/{}/blob/v{}")):
        page = re.sub(rf"({before})\((?!\w+:|#)", rf"\1(https://{place.format(repository, version)}/", page)
    return page


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
    parser.add_argument("--links", action="store_true", help="only make the README's links absolute")
    given = parser.parse_args()
    if given.links:
        README.write_text(absolute(README.read_text(encoding="utf-8"), given.version, given.repository), "utf-8")
        sys.exit()
    if not given.check:
        try:
            prepare(given.version, given.date, given.repository)
        except ReleaseError as error:
            parser.exit(2, f"{error}; nothing was changed\n")
    sys.exit("\n".join(faults(given.version)) or None)
