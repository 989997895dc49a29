"""Drafts as tests of services need them."""

from app.container import Container
from app.domain import draft_parts
from app.domain.drafts import Content
from app.models import Draft, DraftPhoto
from app.services.orders import draft_orders, draft_photos, drafts
from app.services.orders.draft_orders import AgreedOrder, DraftOrders
from app.services.orders.draft_photos import NewFile
from app.services.uploads import quotas
from engine.types.enhancements import PhotoType
from tests import acts
from tests.conftest import PHOTO


def begin(container: Container, account_id: str, street: str = "12 Garden Lane") -> Draft:
    """A draft with an address."""
    with container.database.unit_of_work() as session:
        draft = drafts.begin(session, account_id, container.upload_quota, container.clock())
        drafts.write(session, draft, Content(street=street), container.clock())
    return draft


def add_photo(
    container: Container,
    draft: Draft,
    name: str = "room.jpg",
    is_reference: bool = False,
    is_sorted: bool = True,
) -> DraftPhoto:
    """A photo that has arrived, and that the customer sorted as an interior."""
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        file = NewFile(PhotoType.INTERIOR, name, is_reference, type_is_chosen=is_sorted)
        (photo,) = draft_photos.add_photos(session, held, [file], container.clock())
        quotas.reserve(session, held.upload_session_id, len(PHOTO), container.upload_quota)
        acts.put(container.storage, photo.storage_key, PHOTO)
        return draft_photos.confirm(session, container.storage, held, photo.id, container.clock())


def desk(container: Container) -> DraftOrders:
    """Where drafts are placed."""
    return DraftOrders(container.database, container.storage, False, container.time_limit, container.upload_quota)


def shown(container: Container, draft: Draft) -> AgreedOrder:
    """What its owner would see and agree to."""
    with container.database.read_session() as session:
        draft = drafts.get(session, draft.account_id, draft.id)
        sheet = draft_photos.as_draft_order(draft, draft_photos.get_all(session, draft), imagery=False, unsorted=())
    return AgreedOrder(draft_parts.price(sheet).credits, draft_orders.compute_mark(sheet))
