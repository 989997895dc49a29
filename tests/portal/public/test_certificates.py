"""What a public page certifies: in words, only what was measured and passed."""

import shlex

from app.models import PublicPicture
from app.portal.public.certificates import certify
from engine.types.figures import FigureCode
from engine.types.report import Figure, QualityReport, Reason


def picture(*figures: Figure, **columns: object) -> PublicPicture:
    made = PublicPicture(number=3, original_key="uploads/a/b.png", altered_key="results/c.jpg")
    made.enhancements, made.report = ["sky_enhancement", "grass_enhancement"], QualityReport(figures=figures)
    for name, value in columns.items():
        setattr(made, name, value)
    return made


def figure(code: FigureCode, value: float, **limits: float) -> Figure:
    return Figure(code=code, value=value, fault=Reason.OUTSIDE_CHANGED, **limits)


OUTSIDE = figure(FigureCode.OUTSIDE_DIFFERENCE, 0.24, maximum=1)
EDGES = figure(FigureCode.EDGE_DISPLACEMENT, 0.991, minimum=0.9)


def test_what_passed_is_said_with_its_figures() -> None:
    told = certify(picture(OUTSIDE, figure(FigureCode.OUTSIDE_DIFFERENCE_P99, 1.9, maximum=3), EDGES))
    assert told.sentences == (
        "Outside the altered areas, colors differ by 0.2 on average, and by 1.9 in the worst hundredth "
        "(CIEDE2000; 1 is just noticeable).",
        "Walls and the edges of the building or room are where they were (agreement 99 %).",
    )
    assert not told.doubts


def test_of_other_light_no_difference_of_colors_is_told() -> None:
    told = certify(picture(figure(FigureCode.OUTSIDE_DIFFERENCE, 21.0), EDGES))
    assert told.sentences[0] == "The light of the whole picture changed: shapes were compared, colors were not."
    assert "21" not in "".join(told.sentences)


def test_doors_and_windows_are_spoken_of_only_where_they_were_measured() -> None:
    none = figure(FigureCode.NEW_OPENINGS, 0, maximum=0)
    still = figure(FigureCode.OPENING_DISPLACEMENT, 0.001, maximum=0.008)
    assert "door" not in "".join(certify(picture(OUTSIDE, EDGES)).sentences)
    assert certify(picture(none, still)).sentences == (
        "No door or window was added, and none moved (by 0.1 % of the width at most).",
    )


def test_what_did_not_pass_is_a_doubt_and_never_certified() -> None:
    told = certify(
        picture(
            figure(FigureCode.OUTSIDE_DIFFERENCE, 1.4, maximum=1),
            figure(FigureCode.EDGE_DISPLACEMENT, 0.7, minimum=0.9),
            figure(FigureCode.NEW_OPENINGS, 1, maximum=0),
            figure(FigureCode.OPENING_DISPLACEMENT, 0, maximum=0.008),
        )
    )
    assert not told.sentences
    assert len(told.doubts) == 3
    assert told.doubts[2] == "A door or window was added or moved."


def test_without_measures_or_digests_nothing_is_claimed() -> None:
    told = certify(picture())
    assert (told.sentences, told.doubts, told.command) == ((), (), "")


def test_the_command_names_both_files_what_was_altered_and_both_digests() -> None:
    told = certify(picture(original_sha256="c" * 64, copy_sha256="a" * 64, altered_sha256="b" * 64))
    assert shlex.split(told.command) == [
        *("python", "-m", "engine", "--verify", "picture-3-original.jpg", "picture-3-altered.jpg"),
        *("--steps", "sky_enhancement,grass_enhancement", "--sha256", "a" * 64, "b" * 64),
    ]
