"""What reviewers decided on results, for those who make the checks better; with pictures where their owner agreed.

Only results that are still kept have verdicts to tell: what is past its retention is gone from here too.
"""

import csv
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.events import iso
from app.domain.media import HEADER_BYTES, fitting_name, sniff
from app.domain.ports import Storage, Wish
from app.domain.quality import QualityReport, Verdict
from app.domain.spreadsheets import harmless
from app.models import Account, Job, Photo, Result
from app.services import orders
from app.services.archives import CHUNK_BYTES

TABLE, PICTURES = "verdicts.csv", "pictures"
COLUMNS = (
    "photo_sha256",
    "steps",
    "declined",
    "options",
    "figures",
    "certainty",
    "checks",
    "decision",
    "reason",
    "decided_at_utc",
    "photo_file",
    "result_file",
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One result that a person decided on. `agreed`: whether its owner lets pictures and own words be used."""

    id: str
    wish: Wish
    report: QualityReport
    decision: Verdict
    reason: str
    decided_at: datetime
    photo_key: str
    result_key: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class Written:
    """How many verdicts were written, and of how many the pictures too."""

    verdicts: int
    pictures: int


def judged(session: Session, since: datetime | None = None) -> list[Judged]:
    """What reviewers decided for good, of results decided since then, the oldest first.

    A picture from a public source is not the owner's to give, whatever they agreed to.
    """
    rows = select(Result, Photo, Job.created_at, Account.pictures_agreed_at)
    rows = rows.join(Photo, Photo.id == Result.photo_id).join(Job, Job.id == Result.job_id)
    rows = rows.join(Account, Account.id == Job.account_id).where(
        Result.decided_by.is_not(None), Result.verdict != Verdict.UNDECIDED, Job.settled_at.is_not(None)
    )
    if since is not None:
        rows = rows.where(Result.decided_at >= since)
    found = session.execute(rows.order_by(Result.decided_at, Result.id))
    return [
        _judged(result, photo, agreed=agreed_at is not None and agreed_at <= placed_at and not photo.from_imagery)
        for result, photo, placed_at, agreed_at in found
    ]


def write_table(storage: Storage, rows: Iterable[Judged], file: BinaryIO) -> Written:
    """Write the verdicts as comma-separated values, without any picture; those whose photo is gone are left out."""
    lines = [_fields(each, digest) for each in rows if (digest := _digest(storage, each.photo_key))]
    file.write(_table(lines))
    return Written(len(lines), 0)


def write_archive(storage: Storage, rows: Iterable[Judged], file: BinaryIO) -> Written:
    """Write a ZIP of the same table and, where their owner agreed, the photos and results."""
    lines: list[Sequence[str]] = []
    pictures = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as packed:
        for each in rows:
            digest = _digest(storage, each.photo_key)
            if not digest:
                continue
            keys = {"photo": each.photo_key, "result": each.result_key} if each.agreed else {}
            names = {kind: _add(packed, storage, f"{each.id}-{kind}", key) for kind, key in keys.items()}
            pictures += any(names.values())
            lines.append(_fields(each, digest, **names))
        packed.writestr(TABLE, _table(lines))
    return Written(len(lines), pictures)


def _judged(result: Result, photo: Photo, *, agreed: bool) -> Judged:
    if result.decided_at is None or result.storage_key is None:
        raise LookupError(f"{result.id} was decided without a time or a picture")
    return Judged(
        id=result.id,
        wish=orders.wish(photo),
        report=QualityReport.model_validate(result.report),
        decision=result.verdict,
        reason=result.message,
        decided_at=result.decided_at,
        photo_key=photo.storage_key,
        result_key=result.storage_key,
        agreed=agreed,
    )


def _add(packed: zipfile.ZipFile, storage: Storage, stem: str, key: str) -> str:
    """Put a stored picture into the archive; its name there, empty when it went meanwhile."""
    try:
        with storage.open(key) as source:
            kind = sniff(source.read(HEADER_BYTES))
            source.seek(0)
            name = f"{PICTURES}/{fitting_name(stem, kind) if kind else stem}"
            with packed.open(name, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
    except FileNotFoundError:
        return ""
    return name


def _digest(storage: Storage, key: str) -> str:
    """The SHA-256 of a stored file; empty when it is gone."""
    try:
        with storage.open(key) as file:
            digest = hashlib.sha256()
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()


def _fields(each: Judged, digest: str, photo: str = "", result: str = "") -> Sequence[str]:
    report = each.report
    return (
        digest,
        "+".join(each.wish.steps),
        "+".join(report.declined),
        _json(_options(each)),
        _json({figure.name: figure.value for figure in report.figures}),
        report.certainty,
        report.reason or "passed",
        each.decision,
        harmless(each.reason),
        iso(each.decided_at),
        photo,
        result,
    )


def _options(each: Judged) -> dict[str, Any]:
    """What was wished beyond the steps; the customer's own words only where they agreed."""
    told: dict[str, Any] = {}
    if each.wish.staging:
        told["staging"] = {"style": each.wish.staging.style, "room": each.wish.staging.room_type}
    if each.wish.changes:
        told["changes"] = [
            {"type": change.type, "words": change.description} if each.agreed else {"type": change.type}
            for change in each.wish.changes
        ]
    return told


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _table(lines: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([COLUMNS, *lines])
    return text.getvalue().encode()
