"""The tables of figures: aims and marks, names of the worst for the terminal only, and their place in the page."""

import pytest

from bench.quality.places import PAGE
from bench.quality.rows import Row, as_json, as_markdown, as_text, from_json, skipped, written_between

ROWS = [
    Row("sky mask, median IoU", "0.961", "≥ 0.95", True, "17 photos", ["0.52 porch"]),
    Row("photos with false sky", "2", "0", False, "50 photos"),
    skipped("brackets", "enfuse is not installed"),
]


def test_the_table_marks_aims_and_names_the_worst_photos_below_their_line() -> None:
    lines = as_text(ROWS).splitlines()
    assert lines[1].split("  ")[0] == "sky mask, median IoU"
    assert "reached" in lines[1]
    assert lines[2].strip() == "0.52 porch"
    assert "missed" in lines[3]
    assert "skipped (enfuse is not installed)" in lines[4]


def test_the_page_has_the_same_table_without_names_of_photos() -> None:
    table = as_markdown(ROWS)
    assert "| sky mask, median IoU | 17 photos | 0.961 | ≥ 0.95 | reached |" in table
    assert "porch" not in table


def test_figures_kept_as_json_come_back_as_they_were() -> None:
    again = from_json(as_json({"sky": ROWS}))["sky"]
    assert as_text(again) == as_text(ROWS)
    assert [row.reached for row in again] == [True, False, None]


def test_the_table_takes_the_place_of_the_last_one() -> None:
    page = "Figures:\n<!-- figures -->\nold\n<!-- end of figures -->\nend\n"
    once = written_between(page, "figures", "new")
    assert once == "Figures:\n<!-- figures -->\nnew\n<!-- end of figures -->\nend\n"
    assert written_between(once, "figures", "new") == once
    with pytest.raises(ValueError, match="no place for figures"):
        written_between("nothing", "figures", "new")


def test_the_page_on_the_pictures_has_a_place_for_the_table() -> None:
    assert "| new |" in written_between(PAGE.read_text(), "figures", "| new |")
