"""Files behind signed URLs: PUT takes an upload, GET and HEAD give a file, whole or by Range."""

import io
from collections.abc import Iterable
from typing import BinaryIO, Final
from urllib.parse import quote

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.wsgi import FileWrapper, wrap_file

from app.adapters.signed_urls import FILES, UPLOADS
from app.domain import checksums, limits
from app.domain.checksums import Checksums
from app.domain.errors import NotFound, TooLarge, require_found
from app.domain.file_names import attachment
from app.domain.ports import FileStat
from app.services.previews import previews
from app.services.uploads import fetches, uploads
from app.services.uploads.quotas import Reservation
from app.web import cors
from app.web.bodies import accept_body, arrival_time, receive
from app.web.context import container
from engine.types.media import fit_file_name, sniff

blueprint = Blueprint("files", __name__)
cors.install(blueprint)

CHUNK_BYTES: Final = 256 * 1024
STORE_URL_SECONDS: Final = 60
"""How long the store's URL is valid to which a client is redirected."""
ACCEL: Final = "X-Accel-Redirect"
"""The header that tells nginx which file to send in place of this answer."""


def _admit_upload(token: str) -> None:
    here = container()
    key = here.urls.read(UPLOADS, token).key
    _read_checksums()
    with here.database.read_session() as session:
        uploads.lock_open(session, uploads.session_of(key))


def _read_checksums() -> Checksums:
    sent = request.headers
    return checksums.read({name: sent[name] for name in checksums.HEADERS if name in sent})


@blueprint.put(f"{UPLOADS}<token>")
@accept_body(limits.MAX_FILE_BYTES, _admit_upload)
def upload(token: str) -> ResponseReturnValue:
    """Store the body under the URL's key if it has the checksums of its headers. Until the order is placed, a
    second PUT replaces the file.
    """
    here = container()
    key = here.urls.read(UPLOADS, token, here.clock() - arrival_time()).key
    if (request.content_length or 0) > limits.MAX_FILE_BYTES:
        raise TooLarge(f"A file may have at most {limits.MAX_FILE_MEGABYTES} MB.")
    sums = _read_checksums()
    reservation = Reservation(here.database, uploads.session_of(key), here.upload_quota)
    with here.database.unit_of_work() as session:
        uploads.lock_open(session, uploads.session_of(key))
        reservation.reserve(session, request.content_length or 0)
    with uploads.PhotoUpload(here.storage, key, reservation, checksums=sums) as photo_upload:
        while chunk := receive(CHUNK_BYTES):
            photo_upload.take(chunk)
        photo_upload.finish()
        # Checked again: if the order was placed in the meantime, its file must not change.
        with here.database.unit_of_work() as session:
            uploads.lock_open(session, uploads.session_of(key))
            stored = photo_upload.end(session, request.content_length)
            fetches.forget_file(session, key)
            # Making the preview shows whether the file can be used, so that an order with a bad file can be
            # refused.
            previews.request(session, key, uploads.prefix(uploads.session_of(key)), here.clock())
    response = Response(status=200)
    response.set_etag(stored.etag)
    return response


@blueprint.get(f"{FILES}<token>")
def download(token: str) -> ResponseReturnValue:
    """The file, whole or by Range, as an attachment with the customer's own name; or a redirect to the store."""
    here = container()
    permission = here.urls.read(FILES, token)
    stored, head = require_found(here.storage.peek(permission.key))
    media_type = sniff(head)
    name = fit_file_name(permission.file_name, media_type) if media_type else permission.file_name
    if here.storage.direct_origin is not None and request.method == "GET":
        return redirect(here.storage.download_url(permission.key, name, STORE_URL_SECONDS), 307)
    try:
        response = stored_file(permission.key, stored, str(media_type or "application/octet-stream"))
    except FileNotFoundError:
        raise NotFound from None
    response.headers["Content-Disposition"] = attachment(name)
    response.headers["Cache-Control"] = "private, no-store"
    if ACCEL in response.headers:
        return response
    if not _is_single_range():
        # HTTP allows to answer with the whole file if there is no range, an unreadable one, or several.
        response.accept_ranges = "bytes"
        return response.make_conditional(request)
    return response.make_conditional(request, accept_ranges=True, complete_length=stored.size_bytes)


def stored_file(key: str, stored: FileStat, media_type: str) -> Response:
    """An answer with the content of this file. Raises FileNotFoundError.

    With ACCEL_REDIRECT the answer has no content: nginx sends the file, or the range that was requested.
    """
    here = container()
    location = here.settings.accel_redirect
    if location is not None and here.settings.storage_bucket is None:
        return Response(mimetype=media_type, headers={ACCEL: location + quote(key)})
    # Opened again: the server sends from the descriptor's position, and peek() has moved that of its own file.
    response = Response(in_chunks(here.storage.open(key)), direct_passthrough=True, mimetype=media_type)
    response.content_length = stored.size_bytes
    response.set_etag(stored.etag)
    return response


def in_chunks(file: BinaryIO) -> Iterable[bytes]:
    """The content of a stored file, as the iterable of an answer.

    A file on disk is sent by the server's main thread, which does not wait for the disk; a file in a bucket is read
    in the request's own thread.
    """
    on_disk = isinstance(getattr(file, "raw", None), io.FileIO)
    return wrap_file(request.environ, file, CHUNK_BYTES) if on_disk else FileWrapper(file, CHUNK_BYTES)


def _is_single_range() -> bool:
    return request.range is not None and request.range.units == "bytes" and len(request.range.ranges) == 1
