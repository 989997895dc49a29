"""How pictures are made otherwise than ordered, and which is a variant of which."""

from app.domain.pictures import AS_ORDERED, PictureSettings
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, Style
from engine.types.report import QualityReport, StepOutcome

DECLUTTER, HDR, STAGING = Enhancement.DECLUTTER, Enhancement.HDR, Enhancement.STAGING
ORDERED = EditRequest((DECLUTTER, STAGING, HDR), Staging(style=Style.COASTAL))


def report(*applied: Enhancement) -> QualityReport:
    return QualityReport(
        steps=tuple(StepOutcome(enhancement=each, applied=each in applied) for each in ORDERED.steps)
    )


def test_a_request_keeps_all_but_what_is_left_out() -> None:
    without = PictureSettings(left_out=(DECLUTTER, HDR)).request_for(ORDERED)
    assert (without.steps, without.staging) == ([STAGING], ORDERED.staging)
    assert AS_ORDERED.request_for(ORDERED) == EditRequest(tuple(ORDERED.steps), ORDERED.staging)


def test_no_two_settings_have_one_key() -> None:
    every = [
        AS_ORDERED,
        PictureSettings(photo_seed=1),
        PictureSettings(strength=0.4),
        PictureSettings(left_out=(HDR,)),
    ]
    assert len({each.key for each in every}) == len(every)


def test_the_same_steps_kept_are_the_same_settings_in_whichever_order_they_are_named() -> None:
    assert AS_ORDERED.keeping(ORDERED, [HDR, STAGING]) == AS_ORDERED.keeping(ORDERED, [STAGING, HDR])


def test_a_picture_with_fewer_of_the_steps_is_a_variant() -> None:
    kept = AS_ORDERED.keeping(ORDERED, [HDR])
    assert AS_ORDERED.list_kept(ORDERED, report(DECLUTTER, STAGING, HDR), kept) == (HDR,)


def test_what_differs_in_more_than_steps_is_none() -> None:
    whole = report(DECLUTTER, STAGING, HDR)
    for other in (PictureSettings(photo_seed=1, left_out=(HDR,)), PictureSettings(strength=0.4, left_out=(HDR,))):
        assert AS_ORDERED.list_kept(ORDERED, whole, other) == ()


def test_neither_all_steps_nor_none_are_a_variant() -> None:
    whole = report(DECLUTTER, STAGING, HDR)
    assert AS_ORDERED.list_kept(ORDERED, whole, AS_ORDERED) == ()
    assert AS_ORDERED.list_kept(ORDERED, whole, AS_ORDERED.without(ORDERED.steps)) == ()


def test_a_step_that_declined_in_the_result_is_in_no_variant_of_it() -> None:
    declined = report(STAGING, HDR)
    assert AS_ORDERED.list_kept(ORDERED, declined, PictureSettings(left_out=(HDR,))) == ()
    assert AS_ORDERED.list_kept(ORDERED, declined, AS_ORDERED.keeping(ORDERED, [STAGING])) == (STAGING,)
