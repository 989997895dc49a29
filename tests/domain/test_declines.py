"""What was declined and can be shown: which question that is, and when it costs no more than was refunded."""

from decimal import Decimal

import pytest

from app.domain.declines import DecidedPhoto, find_decline, find_payable, list_paid_steps
from app.domain.pictures import AS_ORDERED, PictureSettings
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType
from engine.types.hints import HintedSurface, SceneHints
from engine.types.outlook import HintPart
from engine.types.report import ChangeOutcome, QualityReport, Reason, StepOutcome, Verdict

FLOOR_SHOWN = SceneHints(surfaces={HintedSurface.FLOOR: ()})
GRASS, SKY, TWILIGHT = Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT
GOLDEN, HDR, STAGING = Enhancement.GOLDEN_HOUR, Enhancement.HDR, Enhancement.STAGING
FLOOR, WALLS = RenovationChange(ChangeType.FLOOR, "light oak"), RenovationChange(ChangeType.WALLS, "sage green")


def done(step: Enhancement) -> StepOutcome:
    return StepOutcome(step, applied=True)


def declined(step: Enhancement, reason: Reason) -> StepOutcome:
    return StepOutcome(step, applied=False, reason=reason)


def decided(
    *steps: StepOutcome,
    reason: Reason | None = None,
    kind: PhotoType = PhotoType.INTERIOR,
    changes: tuple[RenovationChange, ...] = (),
    hints: SceneHints | None = None,
    settings: PictureSettings = AS_ORDERED,
    name: str = "pho_1",
) -> DecidedPhoto:
    ordered = EditRequest(tuple(step.enhancement for step in steps), changes=changes, hints=hints)
    report = QualityReport(steps=steps, reason=reason)
    verdict = Verdict.REJECTED if reason else Verdict.APPROVED
    return DecidedPhoto(name, kind, ordered, settings, report, verdict, reason)


def lost(*steps: StepOutcome, **facts: object) -> DecidedPhoto:
    return decided(*steps, reason=Reason.ALL_STEPS_DECLINED, **facts)


def test_of_a_partly_done_photo_only_what_was_declined_is_ordered_again() -> None:
    found = find_decline(decided(done(HDR), declined(STAGING, Reason.NO_FREE_PLACE)))
    assert found is not None
    assert (found.part, found.request.steps, found.price) == (HintPart.FLOOR, [STAGING], 1)


def test_of_a_renovation_done_in_part_only_the_changes_that_were_not() -> None:
    changes = (ChangeOutcome(0, ChangeType.FLOOR, True), ChangeOutcome(1, ChangeType.WALLS, False, SURFACE))
    found = find_decline(decided(StepOutcome(RENOVATION, True, changes=changes), changes=(FLOOR, WALLS)))
    assert found is not None
    assert (found.part, found.request.changes, found.price) == (HintPart.WALL, (WALLS,), 1)


SURFACE, RENOVATION = Reason.SURFACE_NOT_FOUND, Enhancement.RENOVATION


def test_a_declined_renovation_asks_for_the_first_of_its_surfaces_that_is_not_shown() -> None:
    asked = find_decline(lost(declined(RENOVATION, SURFACE), changes=(FLOOR, WALLS)))
    again = find_decline(lost(declined(RENOVATION, SURFACE), changes=(FLOOR, WALLS), hints=FLOOR_SHOWN))
    assert asked is not None
    assert again is not None
    assert (asked.part, asked.price) == (HintPart.FLOOR, 2)
    assert (again.part, again.request.hints) == (HintPart.WALL, FLOOR_SHOWN)


def test_a_rejected_photo_is_ordered_again_whole_with_the_hints_of_its_last_picture() -> None:
    later = PictureSettings(hints=FLOOR_SHOWN)
    found = find_decline(lost(declined(HDR, Reason.NOT_AVAILABLE), declined(STAGING, NO_PLACE), settings=later))
    assert found is not None
    assert (found.part, found.request.steps) == (HintPart.PLACEMENTS, [STAGING, HDR])
    assert found.request.hints == FLOOR_SHOWN


NO_PLACE = Reason.NO_FREE_PLACE


@pytest.mark.parametrize(
    "photo",
    [
        decided(done(HDR)),
        lost(declined(STAGING, Reason.ALREADY_FURNISHED)),
        lost(declined(STAGING, Reason.NOT_INTERIOR)),
        lost(declined(RENOVATION, SURFACE), changes=(RenovationChange(ChangeType.FIXTURES, "brass taps"),)),
        decided(done(HDR), declined(STAGING, NO_PLACE), reason=Reason.NOISY),
        decided(done(HDR), declined(STAGING, NO_PLACE), reason=Reason.REVIEWER),
    ],
    ids=["all done", "nothing to show", "another place", "no surface", "noise", "a reviewer refused"],
)
def test_where_nothing_that_is_shown_helps_nothing_is_asked(photo: DecidedPhoto) -> None:
    assert find_decline(photo) is None


def test_a_picture_whose_windows_were_not_found_asks_for_them() -> None:
    found = find_decline(decided(done(TWILIGHT), reason=Reason.NOTHING_LIT, kind=PhotoType.EXTERIOR))
    assert found is not None
    assert (found.part, found.price) == (HintPart.PANE, Decimal("1.5"))


NO_LAWN = declined(GRASS, Reason.NO_LAWN)
NO_SKY = declined(SKY, Reason.NO_SKY)
UNLIT = declined(TWILIGHT, Reason.NOTHING_LIT)


def outside(*steps: StepOutcome, name: str) -> DecidedPhoto:
    every_declined = not any(step.applied for step in steps)
    reason = Reason.ALL_STEPS_DECLINED if every_declined else None
    return decided(*steps, reason=reason, kind=PhotoType.EXTERIOR, name=name)


@pytest.mark.parametrize(
    ("photos", "paid", "offered"),
    [
        ([outside(NO_LAWN, name="a")], 0, {"a": 1}),
        ([outside(done(SKY), NO_LAWN, name="a")], 1, {"a": 1}),
        ([outside(NO_SKY, NO_LAWN, name="a")], 0, {"a": 2}),
        ([outside(done(SKY), done(GRASS), name="a"), outside(done(SKY), NO_LAWN, name="b")], 2, {}),
        ([outside(done(SKY), name="a"), outside(NO_SKY, name="b")], 1, {}),
        ([outside(done(SKY), NO_LAWN, name="a"), outside(NO_SKY, NO_LAWN, name="b")], 1, {"a": 1, "b": 1}),
        ([outside(done(SKY), done(GRASS), name="a"), outside(UNLIT, name="b")], 2, {}),
        ([outside(done(SKY), done(GRASS), name="a"), outside(declined(GOLDEN, Reason.NO_SKY), name="b")], 2, {}),
        ([outside(done(SKY), done(GRASS), name="a"), outside(NO_LAWN, name="b")], 1, {"b": 1}),
    ],
    ids=[
        "nothing was delivered",
        "one of two was",
        "both were refunded",
        "another photo got the lawn",
        "another photo got the sky",
        "of two, one was refunded",
        "dusk alone costs more than was refunded",
        "the third was in the price",
        "a lawn came free after it was refunded",
    ],
)
def test_outside_what_was_not_refunded_is_not_sold_again(
    photos: list[DecidedPhoto], paid: int, offered: dict[str, int]
) -> None:
    found = find_payable(photos, Decimal(paid))
    assert {photo_id: each.price for photo_id, each in found.items()} == offered


@pytest.mark.parametrize(
    ("photos", "paid", "free"),
    [
        ([outside(done(SKY), done(GRASS), name="a"), outside(done(SKY), NO_LAWN, name="b")], 2, [GRASS]),
        ([outside(done(SKY), name="a"), outside(NO_SKY, NO_LAWN, name="b")], 1, [SKY]),
        (
            [outside(done(SKY), done(GRASS), name="a"), outside(declined(GOLDEN, Reason.NO_SKY), name="b")],
            2,
            [GOLDEN],
        ),
        ([outside(done(SKY), done(GRASS), name="a"), outside(UNLIT, name="b")], 2, []),
        ([outside(done(SKY), done(GRASS), name="a"), outside(NO_LAWN, name="b")], 1, []),
        ([outside(NO_LAWN, NO_SKY, name="b")], 0, []),
        ([outside(NO_LAWN, NO_SKY, name="b")], 1, []),
    ],
    ids=[
        *(
            "another has it",
            "one of two",
            "the third was in the price",
            "dusk was not",
            "came free",
            "all refunded",
        ),
        "either, not both",
    ],
)
def test_outside_what_others_got_may_be_done_without_another_charge(
    photos: list[DecidedPhoto], paid: int, free: list[Enhancement]
) -> None:
    assert list_paid_steps(photos, "b", Decimal(paid)) == free
    sold = find_payable(photos, Decimal(paid)).get("b")
    assert not (sold and set(sold.request.steps) <= set(free)), "nothing is both free and sold"


def test_a_room_has_nothing_that_was_paid_for_together() -> None:
    assert list_paid_steps([lost(declined(STAGING, NO_PLACE), name="b")], "b", Decimal(2)) == ()
