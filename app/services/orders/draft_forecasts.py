"""Forecasts for the photos of a draft: what the chosen effects would do, found out before the order.

Only effects that can be declined are asked about. A few photos are looked at at a time, so that previews of other
photos, which the same workers make, are not held up for long.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.drafts import DraftedPhoto, DraftOrder
from app.domain.errors import OutlooksExceeded
from app.domain.left_out import Unlikely
from app.models import DraftPhoto, PhotoFacts
from app.services.orders import forecasts
from app.services.orders.forecasts import Forecast
from app.services.previews import outlooks
from app.services.previews.outlooks import OutlookSubject
from app.services.uploads import uploads
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType

SURE_IN_ROOMS = frozenset({Enhancement.HDR, Enhancement.FLAMBIENT})
"""The effects that are not asked about of photos that surely show a room: they decline only nights outdoors.

Workers recognized all of 40 rooms surely when they made their previews, 20 of them four stops darker, too.
"""
MAX_AT_ONCE = 8
"""How many photos of a draft wait for workers at a time."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A digest of a file's content, None where it is not read yet, and whether it may show the outside."""

    digest: str | None
    may_be_outside: bool = False


@dataclass(frozen=True, slots=True)
class DraftForecasts:
    """The forecasts of a draft's photos by photo id; `pending`: the ids of photos that workers have not looked at.
    `unasked`: what to ask about those of them that nobody asked about yet; `waiting_count`: how many others wait.
    """

    by_photo: Mapping[str, Sequence[Forecast]]
    pending: frozenset[str]
    unasked: Sequence[OutlookSubject]
    waiting_count: int

    @property
    def doubtful(self) -> Mapping[str, Sequence[Forecast]]:
        """The forecasts of what would be declined, by photo id."""
        found = {photo_id: forecasts.list_doubtful(mine) for photo_id, mine in self.by_photo.items()}
        return {photo_id: doubtful for photo_id, doubtful in found.items() if doubtful}

    @property
    def declined(self) -> Mapping[str, Unlikely]:
        """What would be declined, by photo id."""
        return {photo_id: forecasts.find_unlikely(mine) for photo_id, mine in self.doubtful.items()}


def list_files(rows: Iterable[DraftPhoto], facts: Mapping[str, PhotoFacts]) -> Mapping[str, KnownFile]:
    """What is known of the files of a draft, by their ids."""
    return {row.id: know_file(row, facts.get(row.storage_key)) for row in rows}


def know_file(row: DraftPhoto, facts: PhotoFacts | None) -> KnownFile:
    """What is known of a file of a draft with these facts."""
    if facts is None:
        return KnownFile(row.sha256)
    return KnownFile(row.sha256 or facts.sha256, facts.guessed_type is not PhotoType.INTERIOR)


def read(session: Session, account_id: str, order: DraftOrder, files: Mapping[str, KnownFile]) -> DraftForecasts:
    """The forecasts of the order's sorted photos, in one query. `files`: see list_files()."""
    subjects = {
        photo.id: subject
        for kind in PhotoType
        for photo in order.photos_of(kind)
        if (subject := make_subject(account_id, order, photo, files[photo.id])) is not None
    }
    found = outlooks.read_all(session, subjects.values())
    rows = {photo_id: found.get((each.source_key, each.digest)) for photo_id, each in subjects.items()}
    return DraftForecasts(
        {photo_id: forecasts.read(row.steps) for photo_id, row in rows.items() if row and row.steps is not None},
        frozenset(photo_id for photo_id, row in rows.items() if row is None or not row.is_done),
        [subjects[photo_id] for photo_id, row in rows.items() if row is None],
        sum(row is not None and not row.is_done for row in rows.values()),
    )


def ask(session: Session, found: DraftForecasts, now: datetime) -> None:
    """Have workers look at the next photos, so that MAX_AT_ONCE of the draft wait; fewer where the account has too
    many that wait. Requests about earlier choices for them are dropped.
    """
    asked = found.unasked[: max(0, MAX_AT_ONCE - found.waiting_count)]
    outlooks.forget_waiting(session, [each.source_key for each in asked])
    for subject in asked:
        try:
            outlooks.request(session, subject, now)
        except OutlooksExceeded:
            return


def make_subject(account_id: str, order: DraftOrder, photo: DraftedPhoto, file: KnownFile) -> OutlookSubject | None:
    """What is asked about the photo; None where none of its effects can be declined or its file is not read."""
    request = order.edit_request(photo)
    if not file.may_be_outside:
        request = request.keep([each for each in request.steps if each not in SURE_IN_ROOMS])
    if not request.changes or not all(each.change_description for each in request.changes):
        # Nothing is known of a renovation that is not described yet.
        request = request.keep([each for each in request.steps if each is not Enhancement.RENOVATION])
    if file.digest is None or not request.steps:
        return None
    folder = uploads.prefix(order.session_id)
    return OutlookSubject(account_id, photo.storage_key, folder, file.digest, _name_references(request, order))


def _name_references(request: EditRequest, order: DraftOrder) -> EditRequest:
    """The request with the storage keys of its reference pictures in place of their ids."""
    changes = tuple(
        replace(
            change,
            reference_images=tuple(
                order.references[each] for each in change.reference_images if each in order.references
            ),
        )
        for change in request.changes
    )
    return replace(request, changes=changes)
