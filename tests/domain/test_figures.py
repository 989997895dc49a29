"""Figures have codes that programs rely on; reports stored before there were any are read as the codes."""

import pytest

from app.domain import figures
from app.domain.figures import MEANINGS, FigureCode, Unit
from app.domain.quality import Figure, QualityReport
from app.engine.generative import drift
from app.engine.quality import limits
from tests.architecture.source import ROOT


def test_every_figure_of_the_engine_has_a_code_and_every_code_a_meaning() -> None:
    scene = {limits.DOUBT, limits.TORN, limits.LIT}
    assert {*limits.LIMITS, *limits.INSIDE, *drift.LIMITS, *scene} == {*FigureCode}
    never_stored_by_name = {FigureCode.CUT_OBJECTS, FigureCode.UNCLEAR_BACKGROUND}
    assert {*MEANINGS} == {*FigureCode} == {*figures._FORMER.values()} | never_stored_by_name


def test_the_page_for_integrators_has_every_code() -> None:
    table = (ROOT / "docs" / "api.md").read_text()
    missing = [c for c, is_ in MEANINGS.items() if f"| `{c}` | {is_.label} | `{is_.unit}` |" not in table]
    assert missing == []


@pytest.mark.parametrize(
    ("name", "code", "edit"),
    [
        ("edges in their place", FigureCode.EDGE_DISPLACEMENT, ""),
        ("colour difference outside, 99th percentile", FigureCode.OUTSIDE_DIFFERENCE_P99, ""),
        ("Virtual staging: parts in their place", FigureCode.PARTS_IN_PLACE, "Virtual staging"),
        ("long forgotten, once", "long_forgotten_once", ""),
    ],
)
def test_a_stored_report_of_before_is_read_as_the_codes(name: str, code: str, edit: str) -> None:
    stored = f'{{"figures": [{{"name": "{name}", "value": 0.5, "minimum": 0.9, "fault": null, "margin": 0.1}}]}}'
    report = QualityReport.model_validate_json(stored)
    (figure,) = report.figures
    assert (figure.code, figure.edit, figure.value, figure.minimum) == (code, edit, 0.5, 0.9)
    assert QualityReport.model_validate(report.model_dump(mode="json")) == report


def test_a_figure_that_is_known_no_more_is_shown_by_its_code() -> None:
    old = Figure(code="long_forgotten", value=1)
    assert (old.label, old.unit) == ("Long forgotten", None)
    known = Figure(code=FigureCode.FURNITURE_HEIGHT, value=0.9)
    assert (known.label, known.unit) == ("Height of most of the furniture, in metres", Unit.METRES)
