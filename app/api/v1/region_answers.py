"""The answers about regions: what a photo shows, and what each step would do."""

from base64 import b64encode
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from app.api.v1.answers import OrAbsent
from app.api.v1.plan_answers import PlanAnswer
from app.domain.api_types import WireAnswer
from app.domain.lifecycle import Status
from app.models import StoredOutlook
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import HintedSurface
from engine.types.outlook import HintPart, Prospect
from engine.types.report import Reason


class RegionsStatus(StrEnum):
    """Whether the photo was looked at."""

    PENDING = Status.PENDING.value
    READY = "ready"
    FAILED = Status.FAILED.value


class ChangeForecastAnswer(WireAnswer):
    """The forecast for one change of a renovation."""

    index: int = Field(description="Its place among the photo's renovation entries, from 0.")
    type: ChangeType
    prospect: Prospect
    hint: HintPart | None = Field(default=None, description="The part of hints that helps.")
    reason: Reason | None = Field(default=None, description="Why it would be declined, for programs.")
    message: Annotated[str | None, OrAbsent] = Field(default=None, description="The same for people.")


class StepForecastAnswer(WireAnswer):
    """The forecast for one enhancement."""

    enhancement: Enhancement
    prospect: Prospect = Field(
        description="`likely`; `needs_hint`: it would be declined, but perhaps not if you said what the photo "
        "shows, see `hint`; `not_possible`: whatever is said of the photo."
    )
    unsure: Annotated[bool | None, OrAbsent] = Field(
        default=None,
        description="With `likely`: what `reason` names may be misread, and the result wrong. Say what the photo "
        "shows, see `hint`, and it is sure. Absent where it is sure.",
    )
    hint: HintPart | None = Field(
        default=None, description="The part of hints that helps; only with `needs_hint` or if `unsure`."
    )
    reason: Reason | None = Field(default=None, description="Why it would be declined, or is unsure, for programs.")
    message: Annotated[str | None, OrAbsent] = Field(default=None, description="The same for people.")
    changes: Annotated[list[ChangeForecastAnswer] | None, OrAbsent] = Field(
        default=None, description="What would become of each change of a renovation."
    )


class CameraAnswer(WireAnswer):
    """The camera of a room's photo; angles are in degrees."""

    focal: float = Field(description="The focal length, in widths of the picture.")
    center: list[float] = Field(description="Where the lens's axis meets the picture, 0 to 1.")
    yaw: float = Field(description="To the right of the room's main direction.")
    pitch: float = Field(description="Downwards.")
    roll: float = Field(description="Clockwise.")
    height: float = Field(description="In meters over the floor.")
    ceiling: float | None = Field(default=None, description="In meters over the floor; absent if it is not seen.")
    scale_source: str = Field(description="What gave the meters: `hint`, `door`, `counter`, `ceiling` or `usual`.")
    certainty: float = Field(description="0 to 1.")


class LabelsAnswer(WireAnswer):
    """What each pixel shows."""

    names: list[str] = Field(description="What the numbers of the image stand for; the first is everything else.")
    image: str = Field(description="A PNG with a palette, in base64; of the photo's shape, at most 512 pixels.")


class SegmentAnswer(WireAnswer):
    """A piece of the photo, bounded by edges in the picture."""

    polygon: list[list[float]] = Field(description="Its outline, which hints accept.")
    seen: str = Field(description="What most of it shows: one of the names of `labels`.")
    certainty: float = Field(description="How sure that is, 0 to 1.")


class RegionsAnswer(WireAnswer):
    """What a photo shows, and what each step would do to it."""

    status: RegionsStatus = Field(
        description="`pending`: ask again in some seconds; `failed`: there is no answer, `message` says why."
    )
    message: str | None = Field(default=None, description="For people; only with `failed`.")
    width: int | None = Field(default=None, description="Of the photo, upright, in pixels.")
    height: int | None = Field(default=None, description="The same.")
    outdoors: bool | None = Field(default=None, description="Whether the photo was taken outside.")
    hinted: bool | None = Field(default=None, description="Whether hints were given and believed.")
    seen: dict[str, Any] | None = Field(
        default=None,
        description="What is seen, in the form of hints: correct it and send it in an order, see there.",
    )
    certainties: dict[HintedSurface, list[float]] | None = Field(
        default=None, description="How sure each outline in `seen.surfaces` is, 0 to 1, in the same order."
    )
    camera: CameraAnswer | None = Field(default=None, description="Absent where the room cannot be measured.")
    unclear: str | None = Field(default=None, description="Why there is no camera of a room, for programs.")
    labels: LabelsAnswer | None = Field(default=None, description="What each pixel shows.")
    segments: list[SegmentAnswer] | None = Field(
        default=None,
        description="The whole photo in pieces on real edges, at most 110: join those that are a surface.",
    )
    plan: PlanAnswer | None = Field(
        default=None, description="The floor plan of a room that can be measured, if virtual staging is asked for."
    )
    layout_preview: str | None = Field(
        default=None,
        description="A small JPEG in base64: the room with the furniture that `placements` of the hints place.",
    )
    steps: list[StepForecastAnswer] | None = Field(default=None, description="In the order in which they are done.")


def answer_outlook(row: StoredOutlook) -> RegionsAnswer:
    """The answer for an outlook that was requested."""
    if row.error is not None:
        return RegionsAnswer(status=RegionsStatus.FAILED, message=row.error)
    if row.content is None:
        return RegionsAnswer(status=RegionsStatus.PENDING)
    hints = row.edit_request.hints
    picture = row.layout_preview if hints and hints.placements else None
    preview = {"layout_preview": b64encode(picture).decode()} if picture else {}
    return RegionsAnswer.model_validate({"status": RegionsStatus.READY, **row.content, **preview})
