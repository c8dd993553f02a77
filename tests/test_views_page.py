"""docs/views.md shows every view as the table of views has it."""

from ocean.render.debug_views.legend import SCALES
from ocean.render.debug_views.table import STAGES
from ocean.settings import PICTURE
from tools.views import BEGIN, COLOURS, PAGE, PICTURES, page


def test_the_page_is_up_to_date():
    text = PAGE.read_text(encoding="utf-8")
    assert BEGIN in text
    assert page(text) == text, "run `make views`"
    assert COLOURS.keys() == SCALES.keys()
    assert {path.stem for path in PICTURES.glob("*.jpg")} == {PICTURE, *STAGES, "all"}
