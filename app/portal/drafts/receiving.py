"""Files of a form on their way into a draft: into the store while they arrive, judged by content and limit."""

from app.domain.errors import Refusal
from app.models import DraftPhoto
from app.portal.drafts.wizard import page
from app.portal.visitors import visitor
from app.services import draft_photos, drafts, uploads
from app.services.draft_photos import Announced
from app.web.context import container
from app.web.form_parts import FilePart


def receive(part: FilePart, file: Announced) -> DraftPhoto:
    """Take one file in. Raises a Refusal with its reason; then nothing is left of the file."""
    here, account_id, draft_id = container(), visitor().account_id, page().draft.id
    with here.database.unit_of_work() as session:
        draft = drafts.own_open(session, account_id, draft_id)
        (photo,) = draft_photos.make_room(session, draft, [file], here.clock())
    try:
        with uploads.Reception(here.storage.create(photo.storage_key, uploads.MAX_FILE_BYTES)) as reception:
            for chunk in part.chunks:
                reception.take(chunk)
            # An order placed meanwhile must keep the photos it was placed for.
            with here.database.unit_of_work() as session:
                draft = drafts.own_open(session, account_id, draft_id)
                reception.end()
                return draft_photos.confirm(session, here.storage, draft, photo.id, here.clock())
    except Refusal:
        with here.database.unit_of_work() as session:
            draft_photos.forget_unfinished(session, drafts.own(session, account_id, draft_id), [photo.id])
        raise


def reason(refusal: Refusal) -> str:
    """Why a file was not taken, in words for its row."""
    details = [str(each) for each in (refusal.details or {}).values()]
    return details[0] if details else refusal.message
