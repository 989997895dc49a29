"""Variants: pictures of a result with only some of its steps. Which are possible, and why others are not."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

from app.domain.catalog import ENTRIES
from engine.types.enhancements import Enhancement, in_pipeline_order
from engine.types.report import Maker, QualityReport

MAX_VARIANTS = 8
"""The most variants of one picture, including the base."""


class VariantState(StrEnum):
    """The state of a variant, as its owner sees it."""

    MAKING = "making"
    READY = "ready"
    ORIGINAL = "original"
    """All kept steps declined, so the picture is the original."""
    FAILED = "failed"


class VariantObstacle(StrEnum):
    """Why a variant with these steps is not made, or was tried and could not be made."""

    NOTHING_KEPT = "nothing_kept"
    """Without any step the picture would be the original."""
    NOTHING_LEFT_OUT = "nothing_left_out"
    """If no step is left out, the picture would be the result itself."""
    ENGINE_CHANGED = "engine_changed"
    """Another engine version made the result; a picture of the present version would also differ in other ways."""
    MADE_BY_SERVER = "made_by_server"
    """A generative server made one of the kept steps. It would make a different picture now, and each call costs
    money.
    """
    FILES_GONE = "files_gone"
    TOO_MANY = "too_many"
    UNUSABLE = "unusable"
    """The photo could not be decoded."""
    PROCESSING_FAILED = "processing_failed"


MESSAGES: Mapping[VariantObstacle, str] = {
    VariantObstacle.NOTHING_KEPT: "Without any step the picture is the original.",
    VariantObstacle.NOTHING_LEFT_OUT: "With all its steps the picture is the result itself.",
    VariantObstacle.ENGINE_CHANGED: "The result was made by an earlier version of the service, so other versions "
    "of it cannot be made. The result itself stays as it is.",
    VariantObstacle.MADE_BY_SERVER: "A step that would be kept was made by a generative server, which makes "
    "another picture each time.",
    VariantObstacle.FILES_GONE: "A file needed to make it was removed.",
    VariantObstacle.TOO_MANY: f"At most {MAX_VARIANTS} versions of one picture are made; download one of them.",
    VariantObstacle.UNUSABLE: "The photo could not be opened again.",
    VariantObstacle.PROCESSING_FAILED: "It could not be made. Ask for it again.",
}


def keep_steps(report: QualityReport, kept: Iterable[Enhancement]) -> tuple[Enhancement, ...]:
    """The steps of `kept` that are done by the report, in the order in which they are applied."""
    return tuple(in_pipeline_order(set(report.applied) & set(kept)))


def leave_out(report: QualityReport, left_out: Collection[Enhancement]) -> tuple[Enhancement, ...]:
    """The steps that are done by the report, without the steps in `left_out`."""
    return keep_steps(report, [each for each in report.applied if each not in left_out])


def exempt_steps(report: QualityReport) -> tuple[Enhancement, ...]:
    """The steps that are done by the report and need no disclosure, because they change only light and color. They
    are in the base.
    """
    return keep_steps(report, [each for each in report.applied if ENTRIES[each].disclosure is None])


def has_server_step(report: QualityReport) -> bool:
    """Whether a generative server made a step of a picture with this report."""
    return any(step.applied and step.maker is Maker.SERVER for step in report.steps)


def find_obstacle(report: QualityReport, kept: Sequence[Enhancement]) -> VariantObstacle | None:
    """Why a result with this report cannot be made again with only the `kept` steps; None if it can."""
    if not kept:
        return VariantObstacle.NOTHING_KEPT
    if len(kept) == len(report.applied):
        return VariantObstacle.NOTHING_LEFT_OUT
    if any(step.enhancement in kept and step.maker is Maker.SERVER for step in report.steps):
        return VariantObstacle.MADE_BY_SERVER
    return None
