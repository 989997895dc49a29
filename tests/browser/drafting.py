"""Drafts of orders at every step of the wizard."""

from dataclasses import dataclass
from typing import Any

from app.domain.catalog import ServiceType
from app.domain.drafts import Content
from app.domain.limits import MAX_FILE_BYTES
from app.services.orders import (
    draft_arrivals,
    draft_forecasts,
    draft_groups,
    draft_photos,
    draft_removals,
    drafts,
)
from app.services.orders.draft_photos import NewFile
from app.services.previews import photo_facts
from app.services.uploads import quotas
from engine.outlook.reading import PhotoOutlooks
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, RoomType, Style
from tests.browser.world import Who, World, inside, outside
from tests.conftest import look

LINES = {"street": "7 Elm Street", "city": "Springfield", "region": "IL", "postcode": "62704"}
STAGED = EditRequest(
    enhancements=(Enhancement.STAGING,),
    staging=Staging(style=Style.SCANDINAVIAN, room_type=RoomType.LIVING_ROOM),
)
RENOVATED = EditRequest(
    enhancements=(Enhancement.RENOVATION, Enhancement.HDR),
    changes=(
        RenovationChange(
            change_type=ChangeType.FLOOR,
            change_description="Wide oak planks in a light, matt finish",
            reference_text="Like an old farmhouse, without gloss",
        ),
    ),
)
UNSAID = EditRequest(enhancements=(Enhancement.RENOVATION, Enhancement.STAGING), changes=(RenovationChange(),))
CLEARED = EditRequest(enhancements=(Enhancement.DECLUTTER, Enhancement.STAGING))
CLASHING = EditRequest(enhancements=(Enhancement.FURNITURE_REMOVAL,))


@dataclass
class Shot:
    """One photo of a draft."""

    name: str
    content: bytes
    type: PhotoType
    edit_request: EditRequest | None = None


def shots(first: EditRequest | None = None, second: EditRequest | None = None) -> list[Shot]:
    """A house and two of its rooms."""
    return [
        Shot("front.jpg", outside(), PhotoType.EXTERIOR),
        Shot("living-room.jpg", inside(0), PhotoType.INTERIOR, first),
        Shot("bedroom.jpg", inside(1), PhotoType.INTERIOR, second),
    ]


CHOSEN = {
    **LINES,
    "exterior_enhancements": (Enhancement.GRASS, Enhancement.SKY),
    "interior_enhancements": (Enhancement.HDR,),
}
# What was said, and the photos: one draft for each place where one may have stopped.
STOPPED: dict[str, tuple[dict[str, Any], list[Shot]]] = {
    "begun": (LINES, []),
    "photos": (LINES, shots()),
    "framed": (LINES, shots()),
    "limited": ({**CHOSEN, "service_type": ServiceType.INTERIOR}, shots()),
    "unsaid": (CHOSEN, shots(UNSAID, CLASHING)),
    "full": (CHOSEN, shots(STAGED, RENOVATED)),
    "barred": ({**CHOSEN, "city": "Pasadena", "region": "CA", "mls": "crmls"}, shots(STAGED, RENOVATED)),
    "removed": (CHOSEN, shots()),
    "many": (
        CHOSEN,
        [*shots(), *(Shot(f"room-{number}.jpg", inside(2), PhotoType.INTERIOR) for number in range(60))],
    ),
    "shown": (CHOSEN, shots(CLEARED)[:2]),
    "declined": (CHOSEN, [*shots()[:1], Shot("yard.jpg", inside(1), PhotoType.EXTERIOR)]),
    "new": ({}, []),  # last: whoever begins an order gets the one that was never touched
}


def seed(world: World) -> None:
    """All of them; and one complete draft of somebody without credits."""
    for name, (said, photos) in STOPPED.items():
        begin(world, name, Who.CUSTOMER, said, photos)
    with world.container.database.unit_of_work() as session:
        framed = drafts.get_open(session, world.people[Who.CUSTOMER].account_id, world.drafts["framed"])
        draft_groups.merge(session, framed, world.photos["framed"][1:], world.clock())
    begin(world, "poor", Who.NEWCOMER, *STOPPED["full"])
    _leave_behind(world)


def _leave_behind(world: World) -> None:
    """In one of them a photo that was taken out, and one that never came."""
    with world.container.database.unit_of_work() as session:
        draft = drafts.get_open(session, world.people[Who.CUSTOMER].account_id, world.drafts["removed"])
        draft_removals.remove(session, draft, world.photos["removed"][1:2], world.clock())
        lost = draft_photos.add_photos(session, draft, [NewFile(PhotoType.INTERIOR, "kitchen.jpg")], world.clock())
        draft_arrivals.stop_expecting(session, draft, [each.id for each in lost], world.clock())


def begin(world: World, name: str, who: Who, said: dict[str, Any], photos: list[Shot]) -> str:
    """One draft, with its files in the store; its id."""
    here, now = world.container, world.clock()
    if said:
        said = {**said, "street": f"{7 + 4 * len(world.drafts)} Elm Street"}
    with here.database.unit_of_work() as session:
        draft = drafts.begin(session, world.people[who].account_id, here.upload_quota, now)
        if said:
            drafts.write(session, draft, Content(**said), now)
        for shot in photos:
            (photo,) = draft_photos.add_photos(
                session, draft, [NewFile(shot.type, shot.name, type_is_chosen=True)], now
            )
            quotas.reserve(session, draft.upload_session_id, len(shot.content), here.upload_quota)
            _store(world, shot, photo.storage_key)
            draft_photos.confirm(session, here.storage, draft, photo.id, now)
            if shot.edit_request is not None:
                draft_photos.write(session, draft, photo.id, shot.edit_request, now)
        world.drafts[name] = draft.id
        world.photos[name] = [each.id for each in draft_photos.get_all(session, draft)]
    return world.drafts[name]


def look_at(world: World, name: str) -> None:
    """Have workers look at the photos of one of them, whose previews are made; the engine furnishes by itself."""
    here, account_id = world.container, world.people[Who.CUSTOMER].account_id
    here.outlooks = PhotoOutlooks()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, account_id, world.drafts[name])
        rows = draft_photos.get_all(session, draft)
        facts = photo_facts.get_all(session, [each.storage_key for each in rows])
        order = draft_photos.as_draft_order(draft, rows, imagery=False, unsorted=())
        files = draft_forecasts.list_files(rows, facts)
        draft_forecasts.ask(session, draft_forecasts.read(session, account_id, order, files), world.clock())
    look(here)


def _store(world: World, shot: Shot, key: str) -> None:
    writing = world.container.storage.create(key, MAX_FILE_BYTES)
    try:
        writing.write(shot.content)
        writing.publish()
    finally:
        writing.discard()
