"""A room of a draft of which people show what it shows, with a reader in place of the engine."""

import base64
import io
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.models import DraftPhoto
from engine.outlook.reading import KeepPreview
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.floor_plan import FloorPlan, PlannedLayout, PlannedPiece
from engine.types.hints import Direction, LineHint, RoomHint, SceneHints, ThingHint, ThingKind
from engine.types.outlook import HintPart, Outlook, Prospect, Segment, StepForecast
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from tests.conftest import look
from tests.portal.person import Person

LEFT = ((0.0, 0.6), (0.5, 0.6), (0.5, 1.0), (0.0, 1.0))
RIGHT = ((0.5, 0.6), (1.0, 0.6), (1.0, 1.0), (0.5, 1.0))
WALL = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.6), (0.0, 0.6))
CHAIR = ((0.2, 0.5), (0.3, 0.5), (0.3, 0.8))
CROSSED = "0.1000,0.1000 0.6000,0.6000 0.6000,0.1000 0.1000,0.6000"
EDGES = (
    LineHint(Direction.UP, (0.5, 0.1), (0.5, 0.6)),
    LineHint(Direction.ALONG, (0.0, 0.9), (0.5, 0.6)),
    LineHint(Direction.ACROSS, (0.5, 0.6), (1.0, 0.7)),
)


SOFA = PlannedPiece("sofa", True, 0.5, 2.0, 90.0, 2.2, 0.9, 0.8, at=(0.4, 0.8), faces=(0.6, 0.8))
RUG = PlannedPiece("rug", False, 0.5, 2.0, 0.0, 2.0, 3.0, 0.01, flat=True)
PLAN = FloorPlan(
    camera=(0.0, 0.0),
    floor=(((-2.0, 1.0), (2.0, 1.0), (2.0, 4.0)),),
    clear=(((-2.0, 1.0), (-1.0, 1.0), (-1.0, 2.0)),),
    walls=(((-2.0, 4.0), (2.0, 4.0)),),
    to_picture=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    layouts=(PlannedLayout((SOFA, RUG)), PlannedLayout((RUG,))),
)


@dataclass
class Reader:
    """Sees a room with a floor of which it is unsure, a wall and a chair; staging waits for floor and edges."""

    needed: tuple[HintPart, ...] = (HintPart.FLOOR, HintPart.ROOM)
    fault: UnusablePhotoError | None = None
    plan: FloorPlan | None = None
    preview: bytes | None = None

    def read(
        self, photo: BinaryIO, request: EditRequest, context: EngineContext, keep_preview: KeepPreview
    ) -> Outlook:
        if self.fault is not None:
            raise self.fault
        known = request.hints or SceneHints()
        if known.placements and self.preview:
            keep_preview(self.preview)
        given = {HintPart(f"surfaces.{each}") for each in known.surfaces} | (
            {HintPart.ROOM} if known.room else set()
        )
        waits = next((part for part in self.needed if part not in given), None)
        step = StepForecast(Enhancement.STAGING, Prospect.LIKELY)
        if waits is not None:
            step = StepForecast(Enhancement.STAGING, Prospect.NEEDS_HINT, waits, Reason.ROOM_UNCLEAR, "Unclear.")
        seen = SceneHints(room=RoomHint(EDGES), things=(ThingHint(ThingKind.FURNITURE, CHAIR),))
        segments = Segment(LEFT, "floor", 0.4), Segment(RIGHT, "floor", 0.9), Segment(WALL, "wall", 0.9)
        return Outlook(
            4, 3, False, False, seen, {}, None, None, b"", steps=(step,), segments=segments, plan=self.plan
        )


def photo_of(container: Container) -> DraftPhoto:
    with container.database.read_session() as session:
        return session.scalars(select(DraftPhoto)).one()


def hints_of(container: Container) -> SceneHints:
    found = photo_of(container).edit_request.hints
    assert found is not None
    return found


def url(container: Container, part: str = "") -> str:
    row = photo_of(container)
    return f"/drafts/{row.draft_id}/photos/{row.id}/hints{part and '/'}{part}"


def points(outline: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:.4f},{y:.4f}" for x, y in outline)


def pieces(page: TestResponse) -> dict[str, bool]:
    """The pieces on the page by their outline, and whether they are chosen."""
    return {box["value"]: box.has_attr("checked") for box in page.html.select("[data-pieces] input")}


def mask(width: int, height: int) -> str:
    image = Image.new("1", (width, height))
    image.paste(1, (0, height // 2, width, height))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def save(person: Person, page: TestResponse, value: str = "save", status: int = 200) -> TestResponse:
    return person.send(page.forms["desk"], "go", status, value)


def ask(person: Person, container: Container, part: str) -> TestResponse:
    """The page of a question, after workers looked at the photo as it is now."""
    person.open(url(container, part))
    look(container)
    return person.open(url(container, part))
