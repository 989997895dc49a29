"""What is tried with a result that was sent back: by the flaw, what was done to it and what was tried before."""

from datetime import UTC, datetime

import pytest

from app.domain.catalogue import Enhancement
from app.domain.complaints import Flaw, SentBack
from app.domain.edit_requests import EditRequest
from app.domain.quality import Figure, Maker, QualityReport, Reason, StepOutcome
from app.domain.revisions import (
    AS_ORDERED,
    FADING,
    MESSAGES,
    REMEDIES,
    STRENGTHS,
    KeptPicture,
    NoRevision,
    RevisionReason,
    RoundSettings,
    find_doubt,
    list_lost,
    plan_round,
    request_for,
)
from app.engine.effects.table import EFFECTS

DECLUTTER, HDR, RENOVATION = Enhancement.DECLUTTER, Enhancement.HDR, Enhancement.RENOVATION
SKY, STAGING = Enhancement.SKY, Enhancement.STAGING


def report(*applied: Enhancement, maker: Maker = Maker.WORKER, figures: tuple[Figure, ...] = ()) -> QualityReport:
    steps = tuple(StepOutcome(enhancement=each, applied=True, maker=maker) for each in applied)
    return QualityReport(steps=steps, figures=figures)


def picture(of: QualityReport, digest: str, settings: RoundSettings = AS_ORDERED) -> KeptPicture:
    facts = {"storage_key": digest, "media_type": "image/jpeg", "width": 4, "height": 3, "size_bytes": 9}
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return KeptPicture(**facts, picture_sha256=digest, report=of, settings=settings, created_at=at)


def test_every_flaw_has_a_remedy_and_every_refusal_its_words() -> None:
    assert REMEDIES.keys() == set(Flaw)
    assert MESSAGES.keys() == set(NoRevision)


def test_the_steps_that_are_said_to_do_less_are_those_that_can() -> None:
    assert {each for each, effect in EFFECTS.items() if effect.fades} == FADING


def test_chance_decides_anew_with_a_seed_that_was_never_tried() -> None:
    tried = [RoundSettings(photo_seed=1), RoundSettings(photo_seed=3), AS_ORDERED]
    assert plan_round(SentBack(Flaw.FURNITURE_PLACE), report(STAGING), tried) == RoundSettings(photo_seed=4)


def test_less_is_done_step_by_step_until_a_person_has_to_look() -> None:
    tried = [AS_ORDERED]
    for strength in STRENGTHS[1:]:
        settings = plan_round(SentBack(Flaw.CAST), report(HDR), tried)
        assert settings == RoundSettings(strength=strength)
        tried.append(settings)
    assert plan_round(SentBack(Flaw.CAST), report(HDR), tried) is None


@pytest.mark.parametrize(
    ("flaw", "steps"),
    [
        (Flaw.SKY_ON_WALL, (SKY,)),
        (Flaw.OTHER, (STAGING,)),
        (Flaw.SMEARED, (DECLUTTER,)),
        (Flaw.CAST, (RENOVATION,)),
    ],
)
def test_what_a_worker_would_do_again_alike_is_a_persons(flaw: Flaw, steps: tuple[Enhancement, ...]) -> None:
    assert plan_round(SentBack(flaw), report(*steps), []) is None


def test_a_flaw_that_two_tries_did_not_mend_is_a_persons() -> None:
    once, twice = [Flaw.FURNITURE_PLACE], [Flaw.FURNITURE_PLACE] * 2
    tried = [RoundSettings(photo_seed=1)]
    assert plan_round(SentBack(Flaw.FURNITURE_PLACE), report(STAGING), tried, once) == RoundSettings(photo_seed=2)
    assert plan_round(SentBack(Flaw.FURNITURE_PLACE), report(STAGING), tried, twice) is None
    assert plan_round(SentBack(Flaw.FLOATING), report(STAGING), tried, twice) is not None


def test_a_generative_server_makes_another_picture_of_the_same() -> None:
    made = report(DECLUTTER, maker=Maker.SERVER)
    assert plan_round(SentBack(Flaw.SMEARED), made, []) == RoundSettings(photo_seed=1)


def test_what_the_customer_wants_left_out_is_left_out_beside_what_was_before() -> None:
    present = RoundSettings(strength=0.65, left_out=(STAGING,))
    settings = plan_round(SentBack(Flaw.LEFT_OVER, without=DECLUTTER), report(DECLUTTER, HDR), [present])
    assert settings == RoundSettings(strength=0.65, left_out=(DECLUTTER, STAGING))


def test_a_request_keeps_all_but_what_is_left_out() -> None:
    ordered = EditRequest.model_validate({"enhancements": [DECLUTTER, STAGING], "staging": {"style": "coastal"}})
    without = request_for(ordered, RoundSettings(left_out=(DECLUTTER,)))
    assert (without.steps, without.staging) == ([STAGING], ordered.staging)
    assert request_for(ordered, AS_ORDERED) == ordered


def test_a_picture_that_nothing_speaks_against_takes_the_place() -> None:
    before = picture(report(DECLUTTER, HDR), "a")
    assert find_doubt(before, picture(report(DECLUTTER, HDR), "b")) is None
    left_out = RoundSettings(left_out=(DECLUTTER,))
    assert find_doubt(before, picture(report(HDR), "b", left_out)) is None


def test_whatever_speaks_against_a_picture_is_told() -> None:
    before, both = picture(report(DECLUTTER, HDR), "a"), (DECLUTTER, HDR)
    near = Figure(code="tonal_variety", value=4.1, minimum=4, fault=Reason.BLANK, margin=0.1)
    broken = Figure(code="tonal_variety", value=1, minimum=4, fault=Reason.BLANK, margin=0.1)
    bad = QualityReport(steps=report(*both).steps, figures=(broken,), reason=Reason.BLANK)
    doubts = [
        (picture(report(*both), "a"), RevisionReason.SAME_PICTURE),
        (picture(report(HDR), "b"), RevisionReason.STEP_DECLINED),
        (picture(report(*both, figures=(near,)), "b"), RevisionReason.CHECKS_UNSURE),
        (picture(bad, "b"), RevisionReason.CHECKS_FAILED),
    ]
    assert [find_doubt(before, made) for made, _ in doubts] == [doubt for _, doubt in doubts]


def test_the_steps_that_a_picture_lost_are_those_to_give_back() -> None:
    assert list_lost(report(DECLUTTER, STAGING, HDR), report(HDR)) == [DECLUTTER, STAGING]
    assert list_lost(report(HDR), report(HDR)) == []
