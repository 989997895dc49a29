"""Forecasts for the photos of a draft: what the chosen effects would do, found before the order.

Workers are asked only about effects that can be declined, and about a few photos at a time, so that previews of
other photos, which the same workers make, are not delayed for long.
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
"""Effects that are never declined for photos that surely show a room, because they are declined only for outdoor
photos at night. Workers are not asked about them for such photos.

When they made previews, workers recognized all of 40 rooms surely, and 20 of these rooms also in copies that were
four stops darker.
"""
MAX_AT_ONCE = 8
"""The number of photos of a draft that wait for workers at a time."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A digest of a file's content, None until it is read, and whether the file may show the outside."""

    digest: str | None
    may_be_outside: bool = False


@dataclass(frozen=True, slots=True)
class DraftForecasts:
    """The forecasts of a draft's photos by photo id. `pending`: the ids of photos that workers have not looked at
    yet. `unasked`: the subjects of those pending photos for which nobody asked yet; `waiting_count`: the number of
    the other pending photos.
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
    """Ask workers to look at the next photos, so that MAX_AT_ONCE photos of the draft wait, or fewer if too many of
    the account wait already. Waiting requests about earlier choices for these photos are deleted.
    """
    asked = found.unasked[: max(0, MAX_AT_ONCE - found.waiting_count)]
    outlooks.forget_waiting(session, [each.source_key for each in asked])
    for subject in asked:
        try:
            outlooks.request(session, subject, now)
        except OutlooksExceeded:
            return


def make_subject(account_id: str, order: DraftOrder, photo: DraftedPhoto, file: KnownFile) -> OutlookSubject | None:
    """The subject to ask workers about; None if none of the photo's effects can be declined, or its file is not
    read yet.
    """
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
