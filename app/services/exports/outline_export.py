"""Exports the hints of customers and reviewers as outlines from which the engine's net can learn.

The export has only photos of orders whose owner agreed to the use of their pictures before ordering, and still
agrees. Photos whose retention is over are not included.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import as_json
from app.domain.ports import Storage
from app.models import Job, Organization, Photo, Result
from app.services.exports.packing import add_picture, digest_stored
from engine.types.hints import SceneHints

HINTS = "hints"
"""The name of the folder of hints in the archive; each file has the name of its photo."""


@dataclass(frozen=True, slots=True)
class ShownOutlines:
    """A photo with the hints that its present picture was made with, or that it was ordered with."""

    photo_id: str
    photo_key: str
    hints: SceneHints


def list_shown(session: Session, since: datetime | None = None) -> Iterator[ShownOutlines]:
    """The photos with hints, the oldest order first; with `since`, only those ordered from that time on."""
    rows = (
        select(Photo, Result)
        .join(Job, Job.id == Photo.job_id)
        .join(Organization, Organization.id == Job.account_id)
        .outerjoin(Result, Result.photo_id == Photo.id)
        .where(
            Job.expired_at.is_(None),
            Organization.pictures_agreed_at <= Job.created_at,
            Photo.from_imagery.is_(False),
        )
        .order_by(Job.created_at, Photo.id)
    )
    if since is not None:
        rows = rows.where(Job.created_at >= since)
    for photo, result in session.execute(rows):
        ordered = photo.edit_request
        request = ordered if result is None else result.picture.settings.request_for(ordered)
        if request.hints is not None:
            yield ShownOutlines(photo.id, photo.storage_key, request.hints)


def write_archive(storage: Storage, shown: Iterable[ShownOutlines], file: BinaryIO) -> int:
    """Write a ZIP of the photos and their hints; returns the number of photos. Photos whose file is gone are left
    out.
    """
    count = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
        for each in shown:
            digest = digest_stored(storage, each.photo_key)
            if digest and add_picture(packed, storage, each.photo_id, each.photo_key):
                document = {**as_json(each.hints), "photo": {"sha256": digest}}
                packed.writestr(f"{HINTS}/{each.photo_id}.json", json.dumps(document, indent=1))
                count += 1
    return count
