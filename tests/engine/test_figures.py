"""Figures have codes that programs rely on, each with a meaning."""

from engine.generative import drift
from engine.quality import limits
from engine.types.figures import MEANINGS, FigureCode, Unit
from engine.types.report import Figure
from tests.architecture.source import ROOT


def test_every_figure_of_the_engine_has_a_code_and_every_code_a_meaning() -> None:
    scene = {
        FigureCode.SKY_DOUBT,
        FigureCode.TORN_SKY,
        FigureCode.LIT_GLASS,
        FigureCode.DARK_GLASS,
        FigureCode.LAWN_DOUBT,
    }
    facts = {
        FigureCode.STRAIGHTENED,
        FigureCode.DISTORTION_CORRECTED,
        FigureCode.LENS_KNOWN,
        FigureCode.CROPPED_SHARE,
        FigureCode.FACES_BLURRED,
        FigureCode.PLATES_BLURRED,
    }
    assert {*limits.LIMITS, *limits.ROOM_LIMITS, *drift.LIMITS, *scene, *facts} == {*FigureCode}
    assert {*MEANINGS} == {*FigureCode}


def test_the_page_for_integrators_has_every_code() -> None:
    table = (ROOT / "docs" / "api.md").read_text()
    missing = [c for c, is_ in MEANINGS.items() if f"| `{c}` | {is_.label} | `{is_.unit}` |" not in table]
    assert missing == []


def test_a_figure_that_is_known_no_more_is_shown_by_its_code() -> None:
    old = Figure(code="long_forgotten", value=1)
    assert (old.label, old.unit) == ("Long forgotten", None)
    known = Figure(code=FigureCode.FURNITURE_HEIGHT, value=0.9)
    assert (known.label, known.unit) == ("Height of most of the furniture, in meters", Unit.METERS)
