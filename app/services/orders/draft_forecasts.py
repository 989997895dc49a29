"""Forecasts for the photos of a draft: what the chosen effects would do, found out before the order.

Only effects that can be declined are asked about. A few photos are looked at at a time, so that previews of other
photos, which the same workers make, are not held up for long.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.domain.drafts import DraftedPhoto, DraftOrder
from app.domain.errors import OutlooksExceeded
from app.domain.left_out import Unlikely
from app.models import DraftPhoto, PhotoFacts
from app.services.previews import outlooks
from app.services.previews.outlooks import OutlookSubject, ReadOutlook
from app.services.uploads import uploads
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.outlook import HintPart, Prospect

MAX_AT_ONCE = 8
"""How many photos of a draft wait for workers at a time."""
_NEVER_DECLINED = frozenset({Enhancement.HDR, Enhancement.FLAMBIENT})


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one effect would do to a photo: `message` says why it would be declined, `hint` which part helps.
    `change`: the place of the one change of a renovation that this is about, where others of it can be done.
    """

    enhancement: Enhancement
    prospect: Prospect
    message: str
    hint: HintPart | None = None
    change: int | None = None


@dataclass(frozen=True, slots=True)
class DraftForecasts:
    """The forecasts of a draft's photos by photo id; `pending`: the ids of photos that workers have not looked at.
    `unasked`: what is to be asked about those of them for which nobody asked; the others are `waiting_count`.
    """

    by_photo: Mapping[str, Sequence[Forecast]]
    pending: frozenset[str]
    unasked: Sequence[OutlookSubject]
    waiting_count: int

    @property
    def doubtful(self) -> Mapping[str, Sequence[Forecast]]:
        """The forecasts of what would be declined as the photos are, with the hints given so far, by photo id."""
        found = {
            photo_id: [each for each in forecasts if each.prospect is not Prospect.LIKELY]
            for photo_id, forecasts in self.by_photo.items()
        }
        return {photo_id: forecasts for photo_id, forecasts in found.items() if forecasts}

    @property
    def declined(self) -> Mapping[str, Unlikely]:
        """What would be declined, by photo id."""
        return {
            photo_id: Unlikely(
                steps=frozenset(each.enhancement for each in forecasts if each.change is None),
                changes=frozenset(each.change for each in forecasts if each.change is not None),
            )
            for photo_id, forecasts in self.doubtful.items()
        }


NO_FORECASTS = DraftForecasts({}, frozenset(), (), 0)


def list_versions(rows: Iterable[DraftPhoto], facts: Mapping[str, PhotoFacts]) -> Mapping[str, str | None]:
    """A digest of the content of each file of a draft, by its id; None for a file that is not read yet."""
    known = {key: row.sha256 for key, row in facts.items()}
    return {row.id: row.sha256 or known.get(row.storage_key) for row in rows}


def read(
    session: Session, account_id: str, order: DraftOrder, versions: Mapping[str, str | None]
) -> DraftForecasts:
    """The forecasts of the order's sorted photos, in one query. `versions`: see list_versions()."""
    subjects = {
        photo.id: subject
        for kind in PhotoType
        for photo in order.photos_of(kind)
        if (subject := make_subject(account_id, order, photo, versions.get(photo.id))) is not None
    }
    found = outlooks.read_all(session, subjects.values())
    rows = {photo_id: found.get((each.source_key, each.digest)) for photo_id, each in subjects.items()}
    return DraftForecasts(
        {photo_id: _read_forecasts(row) for photo_id, row in rows.items() if row and row.steps is not None},
        frozenset(photo_id for photo_id, row in rows.items() if row is None or not row.is_done),
        [subjects[photo_id] for photo_id, row in rows.items() if row is None],
        sum(row is not None and not row.is_done for row in rows.values()),
    )


def ask(session: Session, forecasts: DraftForecasts, now: datetime) -> None:
    """Have workers look at the next photos, so that MAX_AT_ONCE of the draft wait; fewer where the account has too
    many that wait. What was asked about earlier choices for them is dropped.
    """
    asked = forecasts.unasked[: max(0, MAX_AT_ONCE - forecasts.waiting_count)]
    outlooks.forget_waiting(session, [each.source_key for each in asked])
    for subject in asked:
        try:
            outlooks.request(session, subject, now)
        except OutlooksExceeded:
            return


def make_subject(
    account_id: str, order: DraftOrder, photo: DraftedPhoto, version: str | None
) -> OutlookSubject | None:
    """What is asked about the photo; None where none of its effects can be declined or its file is not read.
    `version`: a digest of the photo's file.
    """
    request = order.edit_request(photo)
    request = request.keep([each for each in request.steps if each not in _NEVER_DECLINED])
    if not request.changes or not all(each.change_description for each in request.changes):
        # Nothing is known of a renovation that is not described yet.
        request = request.keep([each for each in request.steps if each is not Enhancement.RENOVATION])
    if version is None or not request.steps:
        return None
    folder = uploads.prefix(order.session_id)
    return OutlookSubject(account_id, photo.storage_key, folder, version, _name_references(request, order))


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


def _read_forecasts(row: ReadOutlook) -> Sequence[Forecast]:
    return [each for step in row.steps or () for each in _read_step(step)]


def _read_step(step: Mapping[str, Any]) -> Iterator[Forecast]:
    """The forecast of the step and, of a renovation that can be done in part, those of its doubtful changes."""
    effect = Enhancement(step["enhancement"])
    yield (whole := _read_forecast(effect, step))
    for change in step.get("changes") or () if whole.prospect is Prospect.LIKELY else ():
        found = _read_forecast(effect, change)
        if found.prospect is not Prospect.LIKELY:
            message = f"{change['type'].capitalize()}: {found.message}"
            yield replace(found, message=message, change=change["index"])


def _read_forecast(effect: Enhancement, found: Mapping[str, Any]) -> Forecast:
    hint = HintPart(found["hint"]) if found.get("hint") else None
    return Forecast(effect, Prospect(found["prospect"]), found.get("message") or "", hint)
