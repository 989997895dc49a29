"""A draft is placed once, as it was shown, and stays as it was when it cannot be."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.catalog import ServiceType
from app.domain.drafts import Content
from app.domain.errors import InsufficientCredits, InvalidFields, NotFound
from app.domain.field_errors import FaultCode
from app.models import Draft, DraftPhoto, Job
from app.services.orders import draft_photos, draft_selections, drafts
from app.services.orders.draft_orders import AgreedOrder
from engine.types.enhancements import Enhancement, PhotoType
from tests import reading
from tests.conftest import Api, develop
from tests.fakes import make_facts
from tests.services.drafting import add_photo, begin, desk, shown

CONTENT = Content(
    street="12 Garden Lane",
    service_type=ServiceType.INTERIOR,
    interior_enhancements=(Enhancement.HDR,),
)


@pytest.fixture
def draft(api: Api, container: Container) -> Draft:
    """A draft that lacks nothing."""
    draft = begin(container, api.account_id)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        drafts.write(session, held, CONTENT, container.clock())
    add_photo(container, draft)
    return draft


def test_a_draft_becomes_one_order_however_many_presses_come_at_once(draft: Draft, container: Container) -> None:
    seen = shown(container, draft)

    def press(_: int) -> str | None:
        return desk(container).place(draft.account_id, draft.id, seen, container.clock()).job_id

    with ThreadPoolExecutor(4) as pool:
        placed = set(pool.map(press, range(8)))
    assert len(placed) == 1
    assert None not in placed
    assert reading.count(container, Job) == 1


def test_what_is_not_as_it_was_shown_is_not_placed(draft: Draft, container: Container) -> None:
    seen = shown(container, draft)
    for other in (
        AgreedOrder(seen.credits + 1, seen.mark),
        AgreedOrder(seen.credits, "x"),
        AgreedOrder(Decimal("NaN"), seen.mark),
    ):
        assert desk(container).place(draft.account_id, draft.id, other, container.clock()).job_id is None
    add_photo(container, draft)
    assert desk(container).place(draft.account_id, draft.id, seen, container.clock()).job_id is None
    assert reading.count(container, Job) == 0


def test_nothing_is_placed_before_every_photo_is_sorted(draft: Draft, container: Container) -> None:
    seen = shown(container, draft)
    guess = [PhotoType.INTERIOR]
    container.previews.facts = lambda content: make_facts(content, guessed_type=guess[0])
    add_photo(container, draft, is_sorted=False)

    def refuse() -> None:
        with pytest.raises(InvalidFields) as refused:
            desk(container).place(draft.account_id, draft.id, seen, container.clock())
        assert [each.code for each in refused.value.faults] == [FaultCode.NOT_SORTED]
        assert reading.count(container, Job) == 0

    refuse()
    guess[0] = None
    develop(container)
    refuse()  # nobody can tell
    rows = reading.found(container, select(DraftPhoto).where(~DraftPhoto.type_is_chosen))
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_selections.set_type(session, held, [row.id for row in rows], PhotoType.INTERIOR, container.clock())
    assert desk(container).place(draft.account_id, draft.id, shown(container, draft), container.clock()).job_ids


def test_without_the_credits_the_draft_stays(draft: Draft, container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        costly = CONTENT.model_copy(
            update={"interior_enhancements": (Enhancement.STAGING, Enhancement.FURNITURE_REMOVAL)}
        )
        drafts.write(session, held, costly, container.clock())
    for _ in range(50 - 1):
        add_photo(container, draft)
    assert api.credits() == 100
    api.order(interior=[b"\xff\xd8\xff\xe0" + b"." * 100])
    with pytest.raises(InsufficientCredits):
        desk(container).place(draft.account_id, draft.id, shown(container, draft), container.clock())
    with container.database.read_session() as session:
        assert drafts.get(session, draft.account_id, draft.id).job_id is None
    assert api.credits() == 99.5


def test_a_file_that_went_away_is_told_before_anything_is_charged(
    draft: Draft, container: Container, api: Api
) -> None:
    with container.database.read_session() as session:
        (photo,) = draft_photos.get_all(session, draft)
    seen = shown(container, draft)
    container.storage.delete(photo.storage_key)
    with pytest.raises(InvalidFields) as refused:
        desk(container).place(draft.account_id, draft.id, seen, container.clock())
    assert [fault.where for fault in refused.value.faults] == [("interiorFiles", 0, "filePath")]
    assert api.credits() == 100


def test_another_account_cannot_place_it(draft: Draft, container: Container, other_api: Api) -> None:
    with pytest.raises(NotFound):
        desk(container).place(other_api.account_id, draft.id, shown(container, draft), container.clock())
