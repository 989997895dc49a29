"""What is tried with a result that was sent back: by the flaw, what was done to it and what was tried before."""

import pytest

from app.domain.errors import InvalidRequest
from app.domain.flaws import Flaw, SendBackDetails
from app.domain.pictures import AS_ORDERED, PictureSettings
from app.domain.revisions import (
    MESSAGES,
    REMEDIES,
    STRENGTHS,
    WEAKENABLE_STEPS,
    RemakeChoice,
    RevisionObstacle,
    RevisionReason,
    choose_settings,
    find_doubt,
    list_lost_steps,
    plan_round,
)
from engine.effects.table import EFFECTS
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import HintedSurface, SceneHints
from engine.types.options import OPTIONS, DuskKind, EffectOptions, SkyKind
from engine.types.report import ChangeOutcome, Figure, Maker, QualityReport, Reason, StepOutcome

DECLUTTER, HDR, RENOVATION = Enhancement.DECLUTTER, Enhancement.HDR, Enhancement.RENOVATION
SKY, STAGING = Enhancement.SKY, Enhancement.STAGING


def report(*applied: Enhancement, maker: Maker = Maker.WORKER, figures: tuple[Figure, ...] = ()) -> QualityReport:
    steps = tuple(StepOutcome(enhancement=each, applied=True, maker=maker) for each in applied)
    return QualityReport(steps=steps, figures=figures)


def test_every_flaw_has_a_remedy_and_every_refusal_its_words() -> None:
    assert REMEDIES.keys() == set(Flaw)
    assert MESSAGES.keys() == set(RevisionObstacle)


def test_the_steps_that_are_said_to_do_less_are_those_that_can() -> None:
    assert {each for each, effect in EFFECTS.items() if effect.fades} == WEAKENABLE_STEPS


def test_chance_decides_anew_with_a_seed_that_was_never_tried() -> None:
    said, present = SendBackDetails(Flaw.FURNITURE_PLACE), PictureSettings(photo_seed=3, strength=0.65)
    assert plan_round(said, present, report(STAGING), 4) == PictureSettings(photo_seed=4, strength=0.65)


def test_less_is_done_step_by_step_until_a_person_has_to_look() -> None:
    present = AS_ORDERED
    for strength in STRENGTHS[1:]:
        settings = plan_round(SendBackDetails(Flaw.CAST), present, report(HDR), 1)
        assert settings == PictureSettings(strength=strength)
        present = settings
    assert plan_round(SendBackDetails(Flaw.CAST), present, report(HDR), 1) is None


@pytest.mark.parametrize(
    ("flaw", "step", "looks"),
    [
        (Flaw.TOO_DARK, HDR, ["darker", "as_is", "brighter"]),
        (Flaw.TOO_BRIGHT, HDR, ["brighter", "as_is", "darker"]),
        (Flaw.TOO_DARK, Enhancement.TWILIGHT, ["deep", "early"]),
        (Flaw.TOO_BRIGHT, Enhancement.TWILIGHT, ["early", "deep"]),
    ],
)
def test_what_is_too_dark_becomes_lighter_look_by_look(flaw: Flaw, step: Enhancement, looks: list[str]) -> None:
    (option,) = (each for each in OPTIONS if each.is_for([step]) and not each.is_for_all)
    ordered = EditRequest((step,), options=EffectOptions.of({option.name: looks[0]}))
    present = AS_ORDERED
    for look in looks[1:]:
        said = SendBackDetails(flaw), present, report(step), 1, ()
        present = plan_round(*said, present.request_for(ordered))
        assert present.request_for(ordered).chosen_options.chosen == {option.name: look}
    assert plan_round(SendBackDetails(flaw), present, report(step), 1, (), present.request_for(ordered)) is None
    assert plan_round(SendBackDetails(flaw), AS_ORDERED, report(DECLUTTER), 1) is None


def test_a_look_that_is_wanted_is_tried_and_one_that_is_there_already_is_not() -> None:
    warm, clouds = EffectOptions(sky=SkyKind.WARM), EffectOptions(sky=SkyKind.LIGHT_CLOUDS)
    made = AS_ORDERED, report(SKY), 1
    assert plan_round(SendBackDetails(Flaw.OTHER, options=warm), *made) == PictureSettings(options=warm)
    assert plan_round(SendBackDetails(Flaw.OTHER, options=clouds), *made) is None
    tired = [Flaw.OTHER] * 4
    assert plan_round(SendBackDetails(Flaw.OTHER, options=warm), *made, tired) == PictureSettings(options=warm)
    assert choose_settings(*made, RemakeChoice(options=warm)) == PictureSettings(options=warm)
    for misfit in (RemakeChoice(options=clouds), RemakeChoice(options=EffectOptions(dusk=DuskKind.EARLY))):
        with pytest.raises(InvalidRequest):
            choose_settings(*made, misfit)
    keys = {AS_ORDERED.key, PictureSettings(options=warm).key, PictureSettings(options=clouds).key}
    assert len(keys) == 3


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
    assert plan_round(SendBackDetails(flaw), AS_ORDERED, report(*steps), 1) is None


def test_a_flaw_that_two_tries_did_not_mend_is_a_persons() -> None:
    once, twice = [Flaw.FURNITURE_PLACE], [Flaw.FURNITURE_PLACE] * 2
    present = PictureSettings(photo_seed=1), report(STAGING), 2
    assert plan_round(SendBackDetails(Flaw.FURNITURE_PLACE), *present, once) == PictureSettings(photo_seed=2)
    assert plan_round(SendBackDetails(Flaw.FURNITURE_PLACE), *present, twice) is None
    assert plan_round(SendBackDetails(Flaw.FLOATING), *present, twice) is not None


def test_a_generative_server_makes_another_picture_of_the_same() -> None:
    made = report(DECLUTTER, maker=Maker.SERVER)
    assert plan_round(SendBackDetails(Flaw.SMEARED), AS_ORDERED, made, 1) == PictureSettings(photo_seed=1)


def test_what_the_customer_wants_left_out_is_left_out_beside_what_was_before() -> None:
    present = PictureSettings(strength=0.65, left_out=(STAGING,))
    settings = plan_round(SendBackDetails(Flaw.LEFT_OVER, without=DECLUTTER), present, report(DECLUTTER, HDR), 1)
    assert settings == PictureSettings(strength=0.65, left_out=(DECLUTTER, STAGING))


def test_with_hints_it_is_made_again_with_them_and_without_what_was_declined_and_refunded() -> None:
    hints = SceneHints(surfaces={HintedSurface.LAWN: ()})
    declined = StepOutcome(STAGING, applied=False, reason=Reason.ROOM_UNCLEAR)
    made = QualityReport(steps=(*report(DECLUTTER, HDR).steps, declined))
    said = SendBackDetails(Flaw.OTHER, hints=hints)
    present = PictureSettings(photo_seed=3, hints=SceneHints(clear=(((0, 0), (1, 0), (1, 1)),)))
    assert plan_round(said, present, made, 4) == PictureSettings(photo_seed=3, left_out=(STAGING,), hints=hints)
    tired = plan_round(SendBackDetails(Flaw.CAST, hints=hints), AS_ORDERED, report(HDR), 1, [Flaw.CAST] * 4)
    assert tired == PictureSettings(hints=hints)
    without = plan_round(SendBackDetails(Flaw.CAST, "", HDR, hints), AS_ORDERED, report(DECLUTTER, HDR), 1)
    assert without == PictureSettings(left_out=(HDR,), hints=hints)
    keys = {AS_ORDERED.key, *(PictureSettings(hints=each).key for each in (hints, SceneHints()))}
    assert len(keys) == 3


def test_a_change_that_is_done_now_and_was_refunded_is_for_a_person_to_decide() -> None:
    def changed(*applied: bool) -> QualityReport:
        changes = tuple(ChangeOutcome(index, ChangeType.FLOOR, each) for index, each in enumerate(applied))
        return QualityReport(steps=(StepOutcome(Enhancement.RENOVATION, applied=True, changes=changes),))

    def doubt(before: QualityReport, made: QualityReport) -> RevisionReason | None:
        return find_doubt(before, made, (), same_picture=False)

    assert doubt(changed(True, False), changed(True, True)) is RevisionReason.MORE_DONE
    assert doubt(changed(True, False), changed(True, False)) is None
    assert doubt(report(HDR), report(DECLUTTER, HDR)) is RevisionReason.MORE_DONE


def test_a_picture_that_nothing_speaks_against_takes_the_place() -> None:
    before = report(DECLUTTER, HDR)
    assert find_doubt(before, report(DECLUTTER, HDR), (), same_picture=False) is None
    assert find_doubt(before, report(HDR), (DECLUTTER,), same_picture=False) is None


def test_whatever_speaks_against_a_picture_is_told() -> None:
    before, both = report(DECLUTTER, HDR), (DECLUTTER, HDR)
    near = Figure(code="tonal_variety", value=4.1, minimum=4, fault=Reason.BLANK, margin=0.1)
    broken = Figure(code="tonal_variety", value=1, minimum=4, fault=Reason.BLANK, margin=0.1)
    bad = QualityReport(steps=report(*both).steps, figures=(broken,), reason=Reason.BLANK)
    assert find_doubt(before, report(*both), (), same_picture=True) is RevisionReason.SAME_PICTURE
    doubts = [
        (report(HDR), RevisionReason.STEP_DECLINED),
        (report(*both, figures=(near,)), RevisionReason.CHECKS_UNSURE),
        (bad, RevisionReason.CHECKS_FAILED),
    ]
    assert [find_doubt(before, made, (), same_picture=False) for made, _ in doubts] == [
        doubt for _, doubt in doubts
    ]


def test_the_steps_that_a_picture_lost_are_those_to_give_back() -> None:
    assert list_lost_steps(report(DECLUTTER, STAGING, HDR), report(HDR)) == [DECLUTTER, STAGING]
    assert list_lost_steps(report(HDR), report(HDR)) == []
