"""The figure of the page on speed: its bars end where the report says, and PNG and SVG are of one drawing."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from ocean.bench.rows import read_json
from tools.speed_table import FIGURE, HIDDEN, PAGE, Goal, Rows, device_of, draw, goals

SVG = "{http://www.w3.org/2000/svg}"
(REPORT,) = re.findall(r"one run\]\((\S+)\)", PAGE.read_text(encoding="utf-8"))
BENCH = read_json(PAGE.parent / REPORT)
FOLDER = (PAGE.parent / REPORT).parent


def drawing(folder):
    return ElementTree.parse(folder / f"{FIGURE}.svg")


def texts(tree):
    return ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]


def edges(tree, gid):
    """The least and the greatest x of what has this name."""
    (group,) = [one for one in tree.iter(f"{SVG}g") if one.get("id") == gid]
    paths = [path.get("d") for path in group.iter(f"{SVG}path") if "clip-path" in path.attrib]
    moved = [float(use.get("x")) for use in group.iter(f"{SVG}use")]
    x = moved or [float(value) for path in paths for value in re.findall(r"[ML] (\S+)", path)]
    return min(x), max(x)


def test_bars_and_marks_stand_where_the_report_says():
    tree, found = drawing(FOLDER), list(goals(Rows(BENCH.rows, BENCH.noise)))
    must = edges(tree, "must")[0]
    assert len(found) in (12, 13)  # earlier reports have no frames of a sea that were submitted
    for y, goal in enumerate(found):
        zero, end = edges(tree, f"goal-{y}")
        wanted = edges(tree, f"want-{y}")[0]
        assert (end - zero) / (must - zero) == pytest.approx(goal.effort(goal.value), abs=1e-4)
        assert (wanted - zero) / (must - zero) == pytest.approx(goal.effort(goal.limits[1]), abs=1e-4)
        if HIDDEN not in goal.verdict:
            assert (end > must) == (goal.verdict == "no")
            assert (end <= wanted) == (goal.verdict == "as wanted")
        assert {*goal.words} <= set(texts(tree))
    assert device_of(BENCH) in texts(tree)
    assert BENCH.gl.renderer in device_of(BENCH)
    assert BENCH.gl.version in device_of(BENCH)


@pytest.mark.parametrize(
    ("value", "noise", "verdict"),
    [
        (1.31, 0.0, "no"),
        (1.31, 0.02, "within the noise"),
        (1.29, 0.02, "within the noise"),
        (1.35, 0.02, "no"),
        (1.2, 0.02, "yes"),
        (1.11, 0.02, "yes, want within the noise"),
        (1.09, 0.02, "yes, want within the noise"),
        (1.09, 0.0, "as wanted"),
        (1.0, 0.02, "as wanted"),
    ],
)
def test_a_margin_smaller_than_the_noise_is_no_verdict(value, noise, verdict):
    assert Goal("", value, (1.3, 1.1), noise=noise).verdict == verdict
    assert Goal("", 1 / value, (1 / 1.3, 1 / 1.1), above=True, noise=noise).verdict == verdict


def test_both_files_are_of_that_report(tmp_path):
    """Drawn again they say the same; another release of matplotlib may move things a little."""
    draw(Rows(BENCH.rows, BENCH.noise), tmp_path, device_of(BENCH))
    assert texts(drawing(tmp_path)) == texts(drawing(FOLDER))
    again, there = (
        np.asarray(Image.open(folder / f"{FIGURE}.png").convert("RGB"), int) for folder in (tmp_path, FOLDER)
    )
    assert again.shape == there.shape
    assert np.abs(again - there).mean() < 2


def test_the_page_shows_it():
    text = PAGE.read_text(encoding="utf-8")
    for ending in ("png", "svg"):
        assert f"]({FOLDER.relative_to(PAGE.parent).as_posix()}/{FIGURE}.{ending})" in text
