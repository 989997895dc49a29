"""Files of a form on their way into a draft: into the store while they arrive, judged by content and limit."""

from app.domain.errors import InvalidRequest, Refusal, Unavailable
from app.domain.ports import StorageUnavailableError
from app.models import DraftPhoto
from app.portal.orders.wizard.steps import page
from app.portal.visitors import visitor
from app.services import draft_photos, drafts, uploads
from app.services.draft_photos import Announced
from app.services.shares import Reservation
from app.web.context import container
from app.web.form_parts import FilePart


def receive(part: FilePart, file: Announced) -> DraftPhoto:
    """Take one file in. Raises a Refusal with its reason; then nothing is left of the file."""
    here, account_id, draft_id = container(), visitor().account_id, page().draft.id
    with here.database.unit_of_work() as session:
        draft = drafts.own_open(session, account_id, draft_id)
        (photo,) = draft_photos.make_room(session, draft, [file], here.clock())
    room = Reservation(here.database, uploads.session_of(photo.storage_key), here.upload_quota)
    try:
        with uploads.Reception(here.storage, photo.storage_key, room) as reception:
            for chunk in part.chunks:
                reception.take(chunk)
            # An order placed meanwhile must keep the photos it was placed for.
            with here.database.unit_of_work() as session:
                draft = drafts.own_open(session, account_id, draft_id)
                reception.end(session)
                return draft_photos.confirm(session, here.storage, draft, photo.id, here.clock())
    except Exception as broken:
        with here.database.unit_of_work() as session:
            draft_photos.forget_unfinished(session, drafts.own(session, account_id, draft_id), [photo.id])
        if isinstance(broken, StorageUnavailableError):
            raise Unavailable from broken
        raise


def reason(refusal: Refusal) -> str:
    """Why a file was not taken, in words for its row."""
    details = refusal.details if isinstance(refusal, InvalidRequest) else None
    return next(map(str, details.values())) if details else refusal.message
