"""Files on their way into a draft: sent with a form, or by the uploader, which asks for places and URLs in JSON."""

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import zip_longest
from typing import Annotated

from flask import jsonify, render_template, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, Field, StringConstraints

from app.adapters.signed_urls import UPLOADS, Permission
from app.domain import limits
from app.domain.catalogue import PhotoType
from app.domain.drafts import Step, read
from app.domain.errors import InvalidRequest, Refusal, TooLarge, Unavailable, UnsupportedMedia
from app.domain.faults import Fault, FaultCode
from app.domain.orders import MAX_FILES
from app.domain.ports import StorageUnavailableError
from app.models import DraftPhoto
from app.portal.orders.wizard.steps import blueprint, page, reload_page, render_step
from app.portal.visitors import visitor
from app.services.orders import draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.services.uploads import arrivals, uploads
from app.services.uploads.quotas import Reservation
from app.web.bodies import json_object
from app.web.context import container
from app.web.errors import STATUS
from app.web.fault_messages import describe_faults, message
from app.web.form_parts import FilePart

FileName = Annotated[str, StringConstraints(max_length=1000)]
Size = Annotated[int, Field(ge=1, le=limits.MAX_FILE_BYTES)]
Id = Annotated[str, StringConstraints(max_length=40)]

_REFUSALS: Mapping[FaultCode, type[Refusal]] = {
    FaultCode.FILE_TOO_LARGE: TooLarge,
    FaultCode.NO_PICTURE: UnsupportedMedia,
}
"""How a file is refused once it lies in the bucket: as the service itself does it."""


class Places(BaseModel):
    """Files that wait to be uploaded; their sizes, in bytes, where the page knows them."""

    type: PhotoType
    names: Annotated[list[FileName], Field(min_length=1, max_length=MAX_FILES)]
    sizes: Annotated[list[Size], Field(max_length=MAX_FILES)] = []


class AnotherUrl(BaseModel):
    """What the next URL of a file is for; `direct` is false where the store could not be reached from the page."""

    size: Size | None = None
    direct: bool = True


class PhotoOrder(BaseModel):
    """Photos in the order they stand on the page."""

    ids: Annotated[list[Id], Field(max_length=2 * MAX_FILES)]


def receive(part: FilePart, file: NewFile) -> DraftPhoto:
    """Take one file in. Raises a Refusal with its reason; then nothing is left of the file."""
    here, account_id, draft_id = container(), visitor().account_id, page().draft.id
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, account_id, draft_id)
        (photo,) = draft_photos.add_photos(session, draft, [file], here.clock())
    reservation = Reservation(here.database, uploads.session_of(photo.storage_key), here.upload_quota)
    try:
        with uploads.PhotoUpload(here.storage, photo.storage_key, reservation) as reception:
            for chunk in part.chunks:
                reception.take(chunk)
            # An order placed meanwhile must keep the photos it was placed for.
            with here.database.unit_of_work() as session:
                draft = drafts.get_open(session, account_id, draft_id)
                reception.end(session)
                return draft_photos.confirm(session, here.storage, draft, photo.id, here.clock())
    except Exception as broken:
        with here.database.unit_of_work() as session:
            draft_photos.forget_unfinished(session, drafts.get(session, account_id, draft_id), [photo.id])
        if isinstance(broken, StorageUnavailableError):
            raise Unavailable from broken
        raise


def explain_refusal(refusal: Refusal) -> str:
    """Why a file was not taken, in words for its row."""
    details = describe_faults(refusal) if isinstance(refusal, InvalidRequest) else None
    return next(map(str, details.values())) if details else refusal.message


def answer_in_json(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Answer refusals in JSON, as the uploader reads them."""

    @wraps(view)
    def answer(**values: str) -> ResponseReturnValue:
        try:
            return view(**values)
        except Refusal as refusal:
            return jsonify(message=explain_refusal(refusal)), STATUS[type(refusal)]

    return answer


@blueprint.post("/<draft_id>/uploads")
@answer_in_json
def make_places() -> ResponseReturnValue:
    """A place and a URL for each file."""
    wanted = read(Places, json_object())
    files = [NewFile(wanted.type, name) for name in wanted.names]
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        rows = draft_photos.add_photos(session, draft, files, here.clock())
    made = zip_longest(rows, wanted.sizes[: len(rows)])
    return jsonify(places=[{"id": row.id, "url": _make_url(row.storage_key, size)} for row, size in made])


@blueprint.post("/<draft_id>/uploads/<photo_id>/url")
@answer_in_json
def renew_url(photo_id: str) -> ResponseReturnValue:
    """Another URL, when the first one's time was over, or the store it led to could not be reached."""
    wanted = read(AnotherUrl, json_object() if request.is_json else {})
    with container().database.read_session() as session:
        row = draft_photos.get(session, page().draft, photo_id)
    return jsonify(url=_make_url(row.storage_key, wanted.size, direct=wanted.direct))


@blueprint.post("/<draft_id>/uploads/<photo_id>/arrived")
@answer_in_json
def note_arrival(photo_id: str) -> ResponseReturnValue:
    """The file is there: its row as any reload, on any device, shows it from now on."""
    here, account_id = container(), visitor().account_id
    with here.database.read_session() as session:
        key = draft_photos.get(session, page().draft, photo_id).storage_key
    if fault := here.arrivals.take_in(account_id, page().draft.upload_session_id, [key]).get(key):
        raise _REFUSALS[fault](message(Fault((), fault)))
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, account_id, page().draft.id)
        photo = draft_photos.confirm(session, here.storage, draft, photo_id, here.clock())
    reload_page()
    return jsonify(row=render_template("portal/orders/wizard/_file.html", photo=photo, page=page()))


@blueprint.post("/<draft_id>/uploads/order")
@answer_in_json
def arrange() -> ResponseReturnValue:
    """Keep the order of the rows."""
    wanted, here = read(PhotoOrder, json_object()), container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        draft_photos.arrange(session, draft, wanted.ids, here.clock())
    return jsonify(kept=True)


@blueprint.get("/<draft_id>/photos/previews")
def previews() -> ResponseReturnValue:
    """The small pictures made since, of those the page waits for; htmx asks again while any is missing."""
    asked = request.args.get("waiting", "")[: 40 * 2 * MAX_FILES].split(",")
    rows = [page().rows[photo_id] for photo_id in asked if photo_id in page().rows]
    waiting = [row for row in rows if page().waits(row)]
    return render_step(Step.PHOTOS, "_previews", made=[row for row in rows if row not in waiting], waiting=waiting)


def _make_url(key: str, size_bytes: int | None, *, direct: bool = True) -> str:
    here = container()
    seconds = here.settings.upload_url_seconds
    if not direct:
        return here.urls.make(UPLOADS, Permission(key, ""), seconds).removeprefix(here.settings.base_url)
    url = arrivals.upload_url(here.storage, key, seconds, size_bytes)
    # Our own store is where the page is, by whatever name it was opened.
    return url.removeprefix(here.settings.base_url)
