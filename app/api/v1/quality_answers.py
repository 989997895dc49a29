"""Models of the answer with the quality report of a job."""

from typing import Annotated

from pydantic import Field

from app.api.v1.answers import OrAbsent
from app.domain.api_types import WireAnswer
from app.domain.evidence import FurnitureEvidence
from app.domain.fields import FileName, ImageId, Index, JobId, PhotoId
from app.domain.lifecycle import Status
from engine.types.enhancements import ChangeType, Enhancement, PhotoType
from engine.types.figures import FigureCode, Unit
from engine.types.outlook import HintPart
from engine.types.report import Figure, Maker, Reason, Verdict

_FIGURE = Figure(code=FigureCode.SIZE_KEPT, value=1, minimum=1)


class ChangeAnswer(WireAnswer):
    """The outcome of one change of a renovation."""

    index: int = Field(description="Its place among the photo's renovation entries, from 0.")
    type: ChangeType
    applied: bool = Field(description="False where it was declined; what it cost was refunded.")
    reason: Reason | None = Field(default=None, description="Why it was declined, for programs; only then.")
    message: Annotated[str | None, OrAbsent] = Field(
        default=None, description="Why it was declined, or what of it was left out, for people."
    )


class StepAnswer(WireAnswer):
    """The outcome of one enhancement of a photo."""

    enhancement: Enhancement
    applied: bool = Field(description="False where it declined; what it cost for this photo alone was refunded.")
    reason: Reason | None = Field(default=None, description="Why it declined, for programs; only then.")
    message: Annotated[str | None, OrAbsent] = Field(
        default=None, description="For people: why it declined, or what it left undone."
    )
    maker: Maker | None = Field(
        default=None,
        description="Who made the picture: our worker by itself, or the operator's generative server.",
        examples=[Maker.WORKER],
    )
    changes: Annotated[list[ChangeAnswer] | None, OrAbsent] = Field(
        default=None, description="What became of each change of a renovation that was worked change by change."
    )
    furniture: Annotated[list[FurnitureEvidence] | None, OrAbsent] = Field(
        default=None, description="Of virtual staging that our worker made: the pieces that it added, with sizes."
    )


class FigureAnswer(WireAnswer):
    """One measured value, with its limits if it has any."""

    code: str = Field(description="What was measured, for programs. New figures may come.", examples=[_FIGURE.code])
    label: str = Field(description="What was measured, for people.", examples=[_FIGURE.label])
    unit: Unit | None = Field(
        default=None, description="What the value counts: a share is 0 to 1, yes is 1.", examples=[_FIGURE.unit]
    )
    edit: Annotated[str | None, OrAbsent] = Field(
        default=None,
        description="The edit by a generative server that was measured; absent for the whole.",
    )
    value: float = Field(examples=[_FIGURE.value])
    minimum: float | None = Field(
        default=None, description="The value may not be below it.", examples=[_FIGURE.minimum]
    )
    maximum: float | None = Field(default=None, description="The value may not be above it.")
    passed: bool = Field(description="Whether the value keeps its limits.")
    fault: Reason | None = Field(default=None, description="Why the result is rejected when a limit is broken.")


class PhotoQualityAnswer(WireAnswer):
    """The result of the checks of the picture made of one photo."""

    id: PhotoId = Field(description="The photo, as in the order result's assets.")
    file_name: FileName = Field(description="Your own name of it, or one of ours.")
    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    verdict: Verdict = Field(description="Only what is `approved` can be downloaded.", examples=[Verdict.APPROVED])
    image_id: ImageId | None = Field(
        default=None, description="The result, as in the downloads; absent until the job is decided."
    )
    reason: Reason | None = Field(default=None, description="Why it was rejected, for programs; only then.")
    message: str | None = Field(default=None, description="Why it was rejected, for people; only then.")
    hint: HintPart | None = Field(
        default=None, description="The part of `hints` with which what was not done may be done when ordered again."
    )
    steps: list[StepAnswer] = Field(description="What became of each enhancement, in the order of the work.")
    figures: list[FigureAnswer] = Field(description="What was measured.")
    hinted: bool = Field(description="Whether hints said what the photo shows.", examples=[False])


class QualityAnswer(WireAnswer):
    """The quality report of a job."""

    job_id: JobId
    status: Status = Field(description="Where the job stands now.", examples=[Status.APPROVED])
    photos: list[PhotoQualityAnswer] = Field(description="Every photo of the job, at most 100: exterior first.")
