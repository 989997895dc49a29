"""Exports people's opinions on results for the developers of the automatic checks.

The export has the decisions of reviewers and, if a customer agreed to the use of their pictures, that customer's
complaints and pictures. Results whose retention is over are not included.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, BinaryIO, TypeVarTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain.api_types import iso
from app.domain.flaws import OF_NO_PICTURE
from app.domain.ports import Storage
from app.domain.revisions import RevisionOutcome
from app.domain.spreadsheets import escape_formula
from app.models import Job, Organization, Photo, Result, Revision
from app.services.exports.packing import add_picture, digest_stored
from engine.types.edit_request import EditRequest
from engine.types.report import Figure, QualityReport, Verdict

TABLE = "verdicts.csv"
"""The name of the table in the archive."""
COLUMNS = (
    "photo_sha256",
    "steps",
    "declined",
    "options",
    "figures",
    "certainty",
    "checks",
    "judge",
    "decision",
    "faults",
    "reason",
    "decided_at_utc",
    "photo_file",
    "result_file",
)


NOT_RIGHT = "not"
"""The decision on a picture that was sent back: it is not fit to sell."""


Columns = TypeVarTuple("Columns")


class Judge(StrEnum):
    """Who judged the picture."""

    REVIEWER = "reviewer"
    CUSTOMER = "customer"


@dataclass(frozen=True, slots=True)
class Opinion:
    """The opinion of a reviewer or a customer on a result. `faults`: values of domain.flaws.Flaw, from customers
    only.
    """

    judge: Judge
    decision: str
    reason: str
    at: datetime
    faults: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class JudgedResult:
    """One result with an opinion on it. `agreed`: whether its owner allows the use of the pictures and of the texts
    that they wrote.
    """

    id: str
    edit_request: EditRequest
    report: QualityReport
    opinion: Opinion
    photo_key: str
    result_key: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class WrittenCounts:
    """How many opinions were written, and how many of them with pictures."""

    verdicts: int
    pictures: int


def list_judged(session: Session, since: datetime | None = None) -> list[JudgedResult]:
    """The opinions of reviewers and customers, the oldest first; with `since`, only those from that time on.

    Reviewers' opinions are their decisions in completed reviews, and the pictures that they had made again.
    Customers' opinions are included only if the customer agreed before they ordered. A picture from public imagery
    is never `agreed`, because its owner cannot allow its use.
    """
    by_reviewers = [*_list_decided(session, since), *_list_reworked(session, since)]
    found = [*by_reviewers, *_list_sent_back(session, since)]
    return sorted(found, key=lambda each: (each.opinion.at, each.id, each.opinion.judge))


def _list_decided(session: Session, since: datetime | None) -> Iterator[JudgedResult]:
    rows = _join_owner(select(Result, Photo, Job.created_at, Organization.pictures_agreed_at)).where(
        Result.decided_by.is_not(None), Result.verdict != Verdict.UNDECIDED, Job.settled_at.is_not(None)
    )
    if since is not None:
        rows = rows.where(Result.decided_at >= since)
    for result, photo, placed_at, agreed_at in session.execute(rows):
        if result.decided_at is None:
            raise LookupError(f"{result.id} was decided without a time")
        agreed = _has_agreed(agreed_at, placed_at, photo)
        opinion = Opinion(Judge.REVIEWER, result.verdict, result.message, result.decided_at)
        yield _make_judged(result, photo, opinion, agreed=agreed)


def _list_sent_back(session: Session, since: datetime | None) -> Iterator[JudgedResult]:
    """Opinions on the pictures that customers sent back, not on those that replaced them."""
    rows = _select_rounds(since).where(
        Organization.pictures_agreed_at <= Job.created_at,
        Revision.by_reviewer.is_(False),
        Revision.flaw.not_in(OF_NO_PICTURE),
    )
    for result, photo, revision, _, _ in session.execute(rows):
        opinion = Opinion(Judge.CUSTOMER, NOT_RIGHT, revision.message, revision.created_at, [revision.flaw])
        yield _make_judged(result, photo, opinion, revision, agreed=not photo.from_imagery)


def _list_reworked(session: Session, since: datetime | None) -> Iterator[JudgedResult]:
    """Opinions on pictures that reviewers had made again before delivery, without requests that they withdrew."""
    rows = _select_rounds(since).where(Revision.by_reviewer, Job.settled_at.is_not(None))
    done = rows.where(Revision.outcome.is_not(None), Revision.outcome != RevisionOutcome.WITHDRAWN)
    for result, photo, revision, placed_at, agreed_at in session.execute(done):
        if revision.before.storage_key is None:
            # Every step was declined: there was no picture to judge.
            continue
        agreed = _has_agreed(agreed_at, placed_at, photo)
        opinion = Opinion(Judge.REVIEWER, NOT_RIGHT, revision.message, revision.created_at)
        yield _make_judged(result, photo, opinion, revision, agreed=agreed)


def _select_rounds(since: datetime | None) -> Select[Result, Photo, Revision, datetime, datetime | None]:
    found = select(Result, Photo, Revision, Job.created_at, Organization.pictures_agreed_at)
    rows = _join_owner(found).join(Revision, Revision.result_id == Result.id)
    return rows if since is None else rows.where(Revision.created_at >= since)


def _make_judged(
    result: Result, photo: Photo, opinion: Opinion, revision: Revision | None = None, *, agreed: bool
) -> JudgedResult:
    """The opinion on the result's present picture or, with a `revision`, on the picture sent back in it."""
    picture = revision.before if revision else result.picture
    if picture.storage_key is None:
        raise LookupError(f"{result.id} was judged without a picture")
    return JudgedResult(
        id=revision.id if revision and revision.before_id != result.picture_id else result.id,
        edit_request=photo.edit_request,
        report=picture.made_report,
        opinion=opinion,
        photo_key=photo.storage_key,
        result_key=picture.storage_key,
        agreed=agreed,
    )


def _has_agreed(agreed_at: datetime | None, placed_at: datetime, photo: Photo) -> bool:
    return agreed_at is not None and agreed_at <= placed_at and not photo.from_imagery


def _join_owner(rows: Select[*Columns]) -> Select[*Columns]:
    together = rows.join(Photo, Photo.id == Result.photo_id).join(Job, Job.id == Result.job_id)
    return together.join(Organization, Organization.id == Job.account_id)


def write_table(storage: Storage, rows: Iterable[JudgedResult], file: BinaryIO) -> WrittenCounts:
    """Write the opinions as comma-separated values, without pictures. Opinions on a photo whose file no longer
    exists are left out.
    """
    lines = [_make_row(each, digest) for each in rows if (digest := digest_stored(storage, each.photo_key))]
    file.write(_format_table(lines))
    return WrittenCounts(len(lines), 0)


def write_archive(storage: Storage, rows: Iterable[JudgedResult], file: BinaryIO) -> WrittenCounts:
    """Write a ZIP of the table of write_table() and, where their owner agreed, the photos and results."""
    lines: list[Sequence[str]] = []
    packed_names: dict[str, dict[str, str]] = {}
    pictures = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
        for each in rows:
            digest = digest_stored(storage, each.photo_key)
            if not digest:
                continue
            if each.id not in packed_names:
                # A picture is packed once, although both a reviewer and the customer may have judged it.
                keys = {"photo": each.photo_key, "result": each.result_key} if each.agreed else {}
                packed_names[each.id] = {
                    kind: add_picture(packed, storage, f"{each.id}-{kind}", key) for kind, key in keys.items()
                }
            names = packed_names[each.id]
            pictures += any(names.values())
            lines.append(_make_row(each, digest, **names))
        packed.writestr(TABLE, _format_table(lines))
    return WrittenCounts(len(lines), pictures)


def _figure_name(figure: Figure) -> str:
    return f"{figure.edit}: {figure.code}" if figure.edit else figure.code


def _make_row(each: JudgedResult, digest: str, photo: str = "", result: str = "") -> Sequence[str]:
    report, opinion = each.report, each.opinion
    return (
        digest,
        "+".join(each.edit_request.steps),
        "+".join(report.declined),
        _json(_describe_options(each)),
        _json({_figure_name(figure): figure.value for figure in report.figures}),
        report.certainty,
        report.reason or "passed",
        opinion.judge,
        opinion.decision,
        " ".join(opinion.faults),
        escape_formula(opinion.reason),
        iso(opinion.at),
        photo,
        result,
    )


def _describe_options(each: JudgedResult) -> dict[str, Any]:
    """The options of the edit request; texts that the customer wrote are included only if they agreed."""
    details: dict[str, Any] = {}
    if each.edit_request.staging:
        details["staging"] = {"style": each.edit_request.staging.style, "room": each.edit_request.staging.room_type}
    if each.edit_request.options:
        details["options"] = each.edit_request.options.chosen
    if each.edit_request.changes:
        details["changes"] = [
            {"type": change.type, "words": change.change_description} if each.agreed else {"type": change.type}
            for change in each.edit_request.changes
        ]
    return details


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _format_table(lines: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([COLUMNS, *lines])
    return text.getvalue().encode()
