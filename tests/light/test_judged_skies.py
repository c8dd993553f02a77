"""The report of three ways to make a sky still says what they make."""

import json
from pathlib import Path

import pytest

from .judged_skies import DAY, compare, judged

REPORT = Path(__file__).parents[2] / "docs" / "measurements" / "software" / "air.json"
WAYS = ("hillaire", "hillaire, delta-scaled", "ours", "bruneton", "bruneton, four orders")


@pytest.mark.slow
def test_ways_to_make_a_sky_are_as_far_from_the_judge_as_reported():
    """In clear air, to half a percent of radiance. The judge's paths, drawn again, agree to their standard errors."""
    told = [row for row in json.loads(REPORT.read_text())["rows"] if row["turbidity"] == 2]
    found = [{key: value for key, value in row.items() if key not in WAYS} for row in told]
    compare(found)
    for row, then in zip(found, told, strict=True):
        assert [row[way] for way in WAYS] == pytest.approx([then[way] for way in WAYS], abs=0.005)
    places = {(row["wavelength"], row["elevation"], row["sun"], row["azimuth"]): row for row in told}
    for row in judged(2.0, 630.0, 30.0, DAY):
        then = places[630.0, 30.0, row["sun"], row["azimuth"]]
        assert row["judge"] == pytest.approx(then["judge"], rel=3 * (row["standard_error"] + then["standard_error"]))
