"""Outlooks of photos in an upload session, before they are ordered: asked of workers, and read."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.errors import OutlooksExceeded
from app.domain.field_errors import Location
from app.domain.orders import OrderPhoto
from app.domain.ports import FileStat
from app.services.previews import outlooks
from app.services.previews.outlooks import PENDING, OutlookSubject, ReadOutlook
from app.services.uploads import uploads


def list_named(photo: OrderPhoto) -> Mapping[Location, str]:
    """The keys of the photo's file (the first of several frames) and of its reference pictures, by their places in
    a request with this photo alone.
    """
    named: dict[Location, str] = {(f"{photo.type}Files", 0, "filePath"): photo.files[0].file_path}
    for number, change in enumerate(photo.edit_request.changes):
        for place, key in enumerate(change.reference_images):
            named["renovations", "0", number, "referenceImages", place] = key
    return named


def make_subject(
    account_id: str, session_id: str, photo: OrderPhoto, found: Mapping[str, FileStat]
) -> OutlookSubject:
    """The subject to ask workers about. `found`: the photo's stored files by key."""
    version = " ".join(found[key].etag for key in list_named(photo).values())
    folder = uploads.prefix(session_id)
    return OutlookSubject(account_id, photo.files[0].file_path, folder, version, photo.edit_request)


def read_all(
    session: Session,
    account_id: str,
    session_id: str,
    photos: Sequence[OrderPhoto],
    found: Mapping[str, FileStat],
    now: datetime,
) -> list[ReadOutlook | None]:
    """The state of the outlooks of these photos, in their order; None for photos without a file. Workers are asked
    to look at photos without an outlook, while at most MAX_WAITING photos of the account wait.
    """
    asked = {
        place: make_subject(account_id, session_id, photo, found)
        for place, photo in enumerate(photos)
        if photo.files
    }
    known = outlooks.read_all(session, asked.values())
    rows = {place: known.get((subject.source_key, subject.digest)) for place, subject in asked.items()}
    _request(session, [asked[place] for place, row in rows.items() if row is None], now)
    return [(rows[place] or PENDING) if place in rows else None for place in range(len(photos))]


def _request(session: Session, subjects: Sequence[OutlookSubject], now: datetime) -> None:
    for subject in subjects:
        try:
            outlooks.request(session, subject, now)
        except OutlooksExceeded:
            # The other photos stay pending until somebody asks again.
            return
