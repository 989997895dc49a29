"""Upload URLs, step 1 of an order from uploads."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint

from app.api.v1.answers import UPLOAD_MESSAGE, UploadSessionAnswer, UploadTarget
from app.api.v1.operations import Operation, serve
from app.domain import limits
from app.domain.actors import Scope
from app.domain.errors import InvalidRequest, OpenSessionsExceeded
from app.domain.order_files import UploadRequest
from app.domain.order_rules import read_upload_request
from app.domain.sending import AddressNotAllowedError
from app.models import UploadSession
from app.services.uploads import bucket_uploads, fetches, uploads
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from app.web.fault_messages import path
from engine.types.enhancements import PhotoType
from engine.types.media import FORMATS

blueprint = Blueprint("uploads_v1", __name__)

NOTES = f"""PUT each photo's raw bytes to its `uploadUrl`, without a key: 200 with an ETag and no body. A second PUT
before the order replaces the file. {FORMATS}, judged by content (415), up to {limits.MAX_FILE_MEGABYTES} MB
(413, also when the files that your account uploaded and did not order use up its quota). 403 for a forged
URL, 410 for one past its time, 409 once the files are ordered. With `Content-MD5` or `x-amz-checksum-sha256`, the
digest in base64, a file that comes damaged is not kept (400 `checksum_mismatch`). Scripts of pages may PUT if the
key lists the page's origin (CORS). `files` are fetched from their URLs instead, under the same limits; an order
takes one once it has come, and a PUT to its `uploadUrl` takes its place. A URL that leads to another host
answers as S3 does (403 also past its time; of the checksums it takes `Content-MD5`), and the file is checked when
it is ordered (400, naming the file)."""


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/upload-urls",
        scope=Scope.ORDERS_WRITE,
        summary="Get signed URLs to upload photos to",
        body=UploadRequest,
        answer=UploadSessionAnswer,
        notes=NOTES,
        refusals=(OpenSessionsExceeded,),
    ),
)
def create_upload_urls() -> UploadSessionAnswer:
    """Open an upload session, sign an upload URL for each file, and let workers fetch files given by URL."""
    content = json_object()
    wanted = read_upload_request(content)
    _check_urls(wanted)
    idempotency.begin(content)
    here = container()
    with idempotency.effect() as made:
        counts = (_count_slots(wanted, PhotoType.INTERIOR), _count_slots(wanted, PhotoType.EXTERIOR))
        upload_session = uploads.open_session(
            made.session, actor().account_id, here.upload_quota, here.clock(), *counts, key_id=actor().key_id
        )
        places = _place_files(upload_session, wanted)
        urls = {key: wanted.files[place].url for key, place in places.items()}
        fetches.request(made.session, upload_session, urls, here.clock())
        made.answer = answer = _answer(upload_session, wanted.frames_per_photo, places)
    return answer


def _check_urls(wanted: UploadRequest) -> None:
    """Raise InvalidRequest for malformed or forbidden URLs. Workers look up the hosts later."""
    faults = {}
    for place, file in enumerate(wanted.files):
        try:
            container().file_source.check(file.url)
        except AddressNotAllowedError as refused:
            faults[path(("files", place, "url"))] = str(refused)
    if faults:
        raise InvalidRequest(faults)


def _count_slots(wanted: UploadRequest, photo_type: PhotoType) -> int:
    photos = wanted.interior_count if photo_type is PhotoType.INTERIOR else wanted.exterior_count
    return wanted.frames_per_photo * photos + sum(file.type is photo_type for file in wanted.files)


def _place_files(upload_session: UploadSession, wanted: UploadRequest) -> dict[str, int]:
    """Storage key -> place in the request, for the files to fetch, which are the last ones of their type."""
    places: dict[str, int] = {}
    for photo_type in PhotoType:
        mine = [place for place, file in enumerate(wanted.files) if file.type is photo_type]
        slots = [slot for slot in uploads.list_slots(upload_session) if slot.type is photo_type]
        places |= {slot.key: place for slot, place in zip(slots[len(slots) - len(mine) :], mine, strict=True)}
    return places


def _answer(upload_session: UploadSession, frames: int, places: Mapping[str, int]) -> UploadSessionAnswer:
    seconds = container().settings.upload_url_seconds
    return UploadSessionAnswer(
        upload_session_id=upload_session.id,
        interior_urls=_targets(upload_session, PhotoType.INTERIOR, frames, places),
        exterior_urls=_targets(upload_session, PhotoType.EXTERIOR, frames, places),
        expires_in=seconds,
        message=UPLOAD_MESSAGE,
    )


def _targets(
    upload_session: UploadSession, photo_type: PhotoType, frames: int, places: Mapping[str, int]
) -> list[UploadTarget]:
    here = container()
    seconds = here.settings.upload_url_seconds
    return [
        UploadTarget(
            upload_url=bucket_uploads.upload_url(here.storage, slot.key, seconds),
            file_path=slot.key,
            index=slot.index,
            type=slot.type,
            file=places.get(slot.key),
            **(_find_place(slot.index, frames) if frames > 1 and slot.key not in places else {}),
        )
        for slot in uploads.list_slots(upload_session)
        if slot.type is photo_type
    ]


def _find_place(index: int, frames: int) -> dict[str, Any]:
    """The photo that the file with this index belongs to, and which of its frames the file is."""
    photo, frame = divmod(index, frames)
    return {"photo": photo, "frame": frame, "group": f"photo-{photo}"}
