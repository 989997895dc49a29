"""Boards whose photos workers have looked at, with a reader in place of the engine."""

from dataclasses import dataclass, field
from typing import Any, BinaryIO

from app.container import Container
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import NO_HINTS
from engine.types.outlook import ChangeForecast, HintPart, Outlook, Prospect, StepForecast
from engine.types.report import Reason
from tests.conftest import develop, look
from tests.portal.orders.wizard import at_enhancements, board_of, tick
from tests.portal.person import Person

E = Enhancement
LAWN = "There is no lawn in this photo."
UNCLEAR = "Unclear."
NIGHT = "It is night."
HARD_TO_TELL = "It is hard to tell."
TWO_COLORS = "Two colors are named."


@dataclass
class Reader:
    """Sees a lawn in all photos but those of the second house, not surely in those of the third. Furnishes no room
    of which nothing was said, takes the second one for a night outdoors, and renovates everything but walls.
    """

    requests: list[EditRequest] = field(default_factory=list)

    def read(self, photo: BinaryIO, request: EditRequest, context: EngineContext, *_: object) -> Outlook:
        self.requests.append(request)
        forecasts, photo_bytes = {}, photo.read()
        if b"exterior2" in photo_bytes:
            forecasts[E.GRASS] = StepForecast(E.GRASS, Prospect.NOT_POSSIBLE, None, Reason.NO_LAWN, LAWN)
        if b"exterior3" in photo_bytes:
            unsure = (HintPart.LAWN, Reason.LAWN_UNCLEAR, HARD_TO_TELL)
            forecasts[E.GRASS] = StepForecast(E.GRASS, Prospect.LIKELY, *unsure, unsure=True)
        if b"interior2" in photo_bytes:
            forecasts[E.HDR] = StepForecast(E.HDR, Prospect.NOT_POSSIBLE, None, Reason.ALREADY_DARK, NIGHT)
        if request.hints is None:
            unclear = Reason.ROOM_UNCLEAR
            forecasts[E.STAGING] = StepForecast(E.STAGING, Prospect.NEEDS_HINT, HintPart.ROOM, unclear, UNCLEAR)
        changes = tuple(_renovate(place, each.type) for place, each in enumerate(request.changes))
        forecasts[E.RENOVATION] = StepForecast(E.RENOVATION, Prospect.LIKELY, changes=changes)
        made = tuple(forecasts.get(each, StepForecast(each, Prospect.LIKELY)) for each in request.steps)
        return Outlook(4, 3, True, False, NO_HINTS, {}, None, None, b"", steps=made)


def _renovate(place: int, kind: ChangeType) -> ChangeForecast:
    if kind is ChangeType.WALLS:
        return ChangeForecast(place, kind, Prospect.NOT_POSSIBLE, None, Reason.NOT_UNDERSTOOD, TWO_COLORS)
    return ChangeForecast(place, kind, Prospect.LIKELY)


def checked(person: Person, container: Container) -> Any:
    """The person's newest board, after workers looked at what it chose."""
    develop(container)
    person.open(board_of(person, container))
    look(container)
    return person.open(board_of(person, container))


def with_room(person: Person, *effects: str) -> None:
    """Begin an order of one room, for which these effects are chosen."""
    with_houses(person, 0, interior=list(effects))


def with_houses(person: Person, houses: int = 2, **lists: list[str]) -> None:
    """Begin an order of houses and a room, for which this is chosen."""
    form = at_enhancements(person, interior=1, exterior=houses).forms["effects"]
    for name, ids in lists.items():
        tick(form, name, ids)
    person.send(form)


def looked_at(person: Person, container: Container, **lists: list[str]) -> Any:
    """The board of such an order, after workers looked at what was chosen."""
    with_houses(person, **lists)
    return checked(person, container)


def said(page: Any) -> dict[str, str]:
    """What the tiles forecast, by the names of their photos."""
    shots = page.html.select(".shot")
    lines = ((shot.select_one(".shot-name").text, shot.select_one(".forecast")) for shot in shots)
    return {name: " ".join(line.text.split()) if line else "" for name, line in lines}
