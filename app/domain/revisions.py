"""Results sent back as not right: what is tried for each kind of flaw, how a round ends, and when there is none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from app.domain.errors import InvalidRequest
from app.domain.flaws import Flaw, SentBack
from app.domain.pictures import PictureSettings
from app.domain.variants import has_server_step, leave_out
from engine.types.enhancements import Enhancement
from engine.types.report import Certainty, QualityReport

MAX_ROUNDS = 5
"""Of one photo: so often its owner may send it back, and a reviewer before that."""
REVISABLE_FOR = timedelta(days=14)
"""So long after a job's results were there one may be sent back, and no longer than the files are kept."""
ANSWERED_WITHIN = timedelta(days=1)
"""One that waited longer for a person when its files go gets its price back."""
TRIES = 2
"""So often the same flaw is tried by workers before a person looks."""
STRENGTHS = (1.0, 0.65, 0.4)
"""How much of the change is done, one after the other, by steps that can do less."""


class RevisionStatus(StrEnum):
    """Where a round stands."""

    MAKING = "making"
    IN_REVIEW = "in_review"
    DONE = "done"


class RevisionOutcome(StrEnum):
    """How a round ended: with another picture, with the picture as it was, with credits, with nothing, or taken
    back by the one who began it.
    """

    REVISED = "revised"
    KEPT = "kept"
    REFUNDED = "refunded"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class RevisionReason(StrEnum):
    """Why a round is a person's to decide, or why it ended so."""

    NO_REMEDY = "no_remedy"
    """Nothing that a worker could try helps against this flaw."""
    SAME_PICTURE = "same_picture"
    CHECKS_UNSURE = "checks_unsure"
    CHECKS_FAILED = "checks_failed"
    STEP_DECLINED = "step_declined"
    """A step that was done before was not done again."""
    BY_REVIEWER = "by_reviewer"
    """A reviewer chose what was tried, and looks at it."""
    DOWNLOADED = "downloaded"
    """It is without a step whose price would be refunded, and the results were downloaded with that step."""
    PROCESSING_FAILED = "processing_failed"
    UNUSABLE = "unusable"
    FILES_GONE = "files_gone"
    UNANSWERED = "unanswered"
    """Nobody answered before the files went."""
    RETENTION_ENDED = "retention_ended"
    """It was sent back too shortly before the files went."""


class NoRevision(StrEnum):
    """Why a result cannot be sent back now, or a round not be taken back."""

    NOT_APPROVED = "not_approved"
    ROUND_OPEN = "round_open"
    TOO_MANY_ROUNDS = "too_many_rounds"
    REFUNDED = "refunded"
    ROUND_DONE = "round_done"


MESSAGES: Mapping[NoRevision, str] = {
    NoRevision.NOT_APPROVED: "This photo has no usable result that could be sent back; its price was refunded.",
    NoRevision.ROUND_OPEN: "This result was already sent back. Wait for the answer.",
    NoRevision.TOO_MANY_ROUNDS: f"A result can be sent back {MAX_ROUNDS} times; this one was.",
    NoRevision.REFUNDED: "The price of this photo was refunded, so it cannot be redone.",
    NoRevision.ROUND_DONE: "This round is over, so it cannot be withdrawn.",
}


class Remedy(StrEnum):
    """What is tried against a flaw where the customer leaves it to us."""

    ANOTHER_SEED = "another_seed"
    """Chance decides anew: other furniture, other clouds; a generative server makes another picture."""
    LESS = "less"
    """The steps that can do less of their change do less."""
    REVIEWER = "reviewer"
    """What went wrong would go wrong again: a person looks."""


REMEDIES: Mapping[Flaw, Remedy] = {
    Flaw.SKY_ON_WALL: Remedy.REVIEWER,
    Flaw.OLD_SKY_LEFT: Remedy.REVIEWER,
    Flaw.WIRE_CUT: Remedy.REVIEWER,
    Flaw.TWIG_ERASED: Remedy.REVIEWER,
    Flaw.LAWN_ON_GROUND: Remedy.LESS,
    Flaw.LAWN_ON_BUSH: Remedy.LESS,
    Flaw.LIT_WRONG: Remedy.ANOTHER_SEED,
    Flaw.PANE_DARK: Remedy.ANOTHER_SEED,
    Flaw.MURKY: Remedy.REVIEWER,
    Flaw.DAY_SHADOWS: Remedy.REVIEWER,
    Flaw.DARKENED_WRONG: Remedy.LESS,
    Flaw.LEFT_OVER: Remedy.ANOTHER_SEED,
    Flaw.SMEARED: Remedy.ANOTHER_SEED,
    Flaw.MELTED: Remedy.ANOTHER_SEED,
    Flaw.PAINTED_WRONG: Remedy.ANOTHER_SEED,
    Flaw.FURNITURE_SCALE: Remedy.ANOTHER_SEED,
    Flaw.FURNITURE_PLACE: Remedy.ANOTHER_SEED,
    Flaw.FLOATING: Remedy.ANOTHER_SEED,
    Flaw.CAST: Remedy.LESS,
    Flaw.NOISE: Remedy.LESS,
    Flaw.BLOB: Remedy.LESS,
    Flaw.HALO: Remedy.LESS,
    Flaw.NOTHING_DONE: Remedy.REVIEWER,
    Flaw.OTHER: Remedy.REVIEWER,
}
SEEDED = frozenset({Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT, Enhancement.STAGING})
"""Steps in which chance decides something that can be seen, no matter who makes them."""
FADING = frozenset({Enhancement.GRASS, Enhancement.HDR, Enhancement.FLAMBIENT})
"""Steps that can do less of their change, see engine.effect."""


@dataclass(frozen=True, slots=True)
class MakeChoice:
    """What a reviewer wants otherwise than in the picture that is to be made again."""

    another_seed: bool = False
    less: bool = False
    left_out: Collection[Enhancement] = ()


def plan_round(
    said: SentBack, present: PictureSettings, report: QualityReport, seed: int, flaws_before: Sequence[Flaw] = ()
) -> PictureSettings | None:
    """What to try on a picture with these settings and this report that was sent back; None where only a person can
    help. No picture of the photo had the `seed`.

    `flaws_before` were said in the rounds before: one that was said TRIES times is a person's.
    """
    if said.without is not None:
        return present.without([said.without])
    remedy = Remedy.REVIEWER if list(flaws_before).count(said.flaw) >= TRIES else REMEDIES[said.flaw]
    if remedy is Remedy.ANOTHER_SEED and has_chance(report):
        return present.model_copy(update={"photo_seed": seed})
    return weaken(present, report) if remedy is Remedy.LESS else None


def choose_settings(
    present: PictureSettings, report: QualityReport, seed: int, chosen: MakeChoice
) -> PictureSettings:
    """What a reviewer's choice makes of the `present` settings of a picture with this report; no picture of the
    photo had the `seed`. Raises InvalidRequest where nothing is chosen, or what cannot be.
    """
    settings, left_out = present, set(chosen.left_out)
    if left_out:
        if not left_out < set(report.applied):
            raise InvalidRequest({"left_out": "Leave out steps that were done, and keep at least one."})
        settings = settings.without(left_out)
    if chosen.less:
        weaker = weaken(settings, report)
        if weaker is None:
            raise InvalidRequest({"less": "No step of this picture can do less than it did."})
        settings = weaker
    if chosen.another_seed:
        settings = settings.model_copy(update={"photo_seed": seed})
    if settings == present:
        raise InvalidRequest({"left_out": "Choose at least one thing to change."})
    return settings


def weaken(present: PictureSettings, report: QualityReport) -> PictureSettings | None:
    """The same with less of the steps that can do less; None where none can, or they do the least already."""
    left = [each for each in STRENGTHS if each < present.strength]
    if not left or not FADING & set(report.applied):
        return None
    return present.model_copy(update={"strength": left[0]})


def has_chance(report: QualityReport) -> bool:
    """Whether a result with this report comes out another where chance decides anew."""
    return has_server_step(report) or bool(SEEDED & set(report.applied))


def find_doubt(
    before: QualityReport, made: QualityReport, left_out: Collection[Enhancement], *, same_picture: bool
) -> RevisionReason | None:
    """Why a person has to look at a picture that was made again without these steps before it takes the place of
    the one before; None where nothing speaks against it. `same_picture`: whether it came out as that one is.
    """
    if same_picture:
        return RevisionReason.SAME_PICTURE
    if leave_out(before, left_out) != made.applied:
        return RevisionReason.STEP_DECLINED
    doubts = {Certainty.UNSURE: RevisionReason.CHECKS_UNSURE, Certainty.SURE_BAD: RevisionReason.CHECKS_FAILED}
    return doubts.get(made.certainty)


def list_lost(before: QualityReport, after: QualityReport) -> list[Enhancement]:
    """The steps that a picture had and the one in its place has not: their price is refunded."""
    return [each for each in before.applied if each not in after.applied]


def can_leave_out(report: QualityReport) -> bool:
    """Whether a result with this report can be made without one of its steps and still be another than its
    original.
    """
    return len(report.applied) > 1
