"""Checks that balances and stored files match the tables: run by hand, each night, and after every crash test."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from sqlalchemy import Select, and_, case, func, select
from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.budgets import month_of
from app.domain.lifecycle import DOWNLOADABLE, REFUNDED, WorkState
from app.domain.payments import PurchaseState
from app.domain.ports import Storage
from app.domain.revisions import RevisionOutcome
from app.models import (
    ApiKey,
    Job,
    KeyMonth,
    LedgerLine,
    LedgerMonth,
    Membership,
    MlsPack,
    Organization,
    Photo,
    PhotoFrame,
    Purchase,
    Receipt,
    Result,
    Revision,
    StoredPicture,
)
from app.services.uploads import quotas
from engine.types.report import Verdict


def find_mismatches(session: Session, storage: Storage) -> Iterator[str]:
    """Describe every mismatch between tables, and between tables and stored files."""
    yield from ledger_mismatches(session)
    yield from _check_members(session)
    yield from _check_job_photos(session)
    yield from _check_rounds(session)
    yield from _check_upload_counts(session)
    yield from _check_files(session, storage)


def ledger_mismatches(session: Session) -> Iterator[str]:
    """Describe every mismatch of credits; this part of the check is also reported as a metric."""
    yield from _check_balances(session)
    yield from _check_monthly_sums(session)
    yield from _check_job_credits(session)
    yield from _check_spending(session)
    yield from _check_purchases(session)


def _check_balances(session: Session) -> Iterator[str]:
    summed = func.coalesce(func.sum(LedgerLine.amount), 0)
    sums = select(Organization, summed).outerjoin(LedgerLine).group_by(Organization.id)
    for organization, total in session.execute(sums):
        if organization.credits != total:
            yield f"account {organization.id}: balance {organization.credits}, ledger {total}"


def _check_members(session: Session) -> Iterator[str]:
    members = select(Membership.user_id).where(Membership.organization_id == Organization.id)
    lonely = select(Organization.id).where(Organization.sandbox_of.is_(None), ~members.exists())
    for account_id in session.scalars(lonely):
        yield f"account {account_id}: nobody belongs to it"


def _check_monthly_sums(session: Session) -> Iterator[str]:
    columns = (LedgerMonth.account_id, LedgerMonth.kind)
    sums = (func.sum(LedgerMonth.total), func.sum(LedgerMonth.lines))
    kept = {(row[0], row[1]): row[2:] for row in session.execute(select(*columns, *sums).group_by(*columns))}
    lines = select(LedgerLine.account_id, LedgerLine.kind, func.sum(LedgerLine.amount), func.count())
    for account_id, kind, *found in session.execute(lines.group_by(LedgerLine.account_id, LedgerLine.kind)):
        months = kept.get((account_id, kind), (Decimal(0), 0))
        if tuple(months) != tuple(found):
            difference = f"{months[0]} in {months[1]} lines, ledger {found[0]} in {found[1]}"
            yield f"account {account_id}: {kind} by month {difference}"


def _check_job_credits(session: Session) -> Iterator[str]:
    lines = select(LedgerLine.job_id, LedgerLine.kind, func.sum(LedgerLine.amount)).where(
        LedgerLine.job_id.is_not(None)
    )
    sums = {
        (job_id, kind): total
        for job_id, kind, total in session.execute(lines.group_by(*lines.selected_columns[:2]))
    }
    for job in session.scalars(select(Job).execution_options(yield_per=500)):
        charged = -sums.get((job.id, ledger.LedgerKind.ORDER), Decimal(0))
        refunded = sums.get((job.id, ledger.LedgerKind.REFUND), Decimal(0))
        if charged != job.credit_cost:
            yield f"job {job.id}: costs {job.credit_cost}, charged {charged}"
        if refunded != job.credits_refunded or refunded > job.credit_cost:
            yield f"job {job.id}: refunded {job.credits_refunded} of {job.credit_cost}, ledger says {refunded}"
        if job.status in REFUNDED and job.credits_refunded != job.credit_cost:
            yield f"job {job.id}: {job.status}, yet only {job.credits_refunded} of {job.credit_cost} refunded"


def _check_spending(session: Session) -> Iterator[str]:
    """Compare the stored spending of each key in each month with the cost of the key's jobs."""
    counted = session.execute(select(KeyMonth.key_id, KeyMonth.month, KeyMonth.spent))
    stored = {(row.key_id, row.month): row.spent for row in counted}
    charged: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    counts_as = func.coalesce(ApiKey.first_id, ApiKey.id)
    jobs = select(counts_as, Job.created_at, Job.credit_cost, Job.credits_refunded)
    jobs = jobs.join(ApiKey, ApiKey.id == Job.key_id).execution_options(yield_per=5000)
    for key_id, moment, cost, refunded in session.execute(jobs):
        charged[key_id, month_of(moment)] += cost - refunded
    for each in sorted({*stored, *charged}):
        if stored.get(each, Decimal(0)) != charged.get(each, Decimal(0)):
            yield f"key {each[0]}: {stored.get(each, 0)} spent in {each[1]}, its jobs say {charged.get(each, 0)}"


def _check_purchases(session: Session) -> Iterator[str]:
    columns = (LedgerLine.purchase_id, LedgerLine.kind)
    lines = select(*columns, func.sum(LedgerLine.amount), func.count()).where(LedgerLine.purchase_id.is_not(None))
    found = {(row[0], row[1]): (row[2], row[3]) for row in session.execute(lines.group_by(*columns))}
    receipts = _count(session, select(Receipt.purchase_id, func.count()).group_by(Receipt.purchase_id))
    for purchase in session.scalars(select(Purchase).execution_options(yield_per=500)):
        is_paid = purchase.state is PurchaseState.PAID
        expected = (purchase.credits, 1) if is_paid else (Decimal(0), 0)
        given = found.get((purchase.id, ledger.LedgerKind.PURCHASE), (Decimal(0), 0))
        if given != expected:
            difference = f"ledger gives {given[0]} in {given[1]} lines, should give {expected[0]}"
            yield f"purchase {purchase.id}: {purchase.state}, {difference}"
        reversed_ = -found.get((purchase.id, ledger.LedgerKind.REVERSAL), (Decimal(0), 0))[0]
        if reversed_ != purchase.credits_taken or not 0 <= reversed_ <= purchase.credits:
            yield f"purchase {purchase.id}: {purchase.credits_taken} taken back, ledger says {reversed_}"
        if receipts.get(purchase.id, 0) != int(is_paid):
            yield f"purchase {purchase.id}: {purchase.state}, {receipts.get(purchase.id, 0)} receipts"


def _check_job_photos(session: Session) -> Iterator[str]:
    kept = select(Job).where(Job.expired_at.is_(None))
    photos = _count(session, select(Photo.job_id, func.count()).group_by(Photo.job_id))
    done = select(Photo.job_id, func.count()).where(Photo.state == WorkState.DONE)
    finished = _count(session, done.group_by(Photo.job_id))
    results = _count(session, select(Result.job_id, func.count()).group_by(Result.job_id))
    approved = select(Result.job_id, func.count()).where(Result.verdict == Verdict.APPROVED)
    usable = _count(session, approved.group_by(Result.job_id))
    for job in session.scalars(kept.execution_options(yield_per=500)):
        if photos.get(job.id, 0) != job.interior_count + job.exterior_count:
            yield f"job {job.id}: {photos.get(job.id, 0)} photos, ordered {job.interior_count + job.exterior_count}"
        if finished.get(job.id, 0) != results.get(job.id, 0):
            yield f"job {job.id}: {finished.get(job.id, 0)} photos done, {results.get(job.id, 0)} results"
        if job.status in DOWNLOADABLE and not usable.get(job.id):
            yield f"job {job.id}: {job.status} without an approved picture"


def _check_rounds(session: Session) -> Iterator[str]:
    totals = func.sum(Revision.credits_refunded), Job.credits_refunded
    sums = select(Revision.job_id, *totals).join(Job, Job.id == Revision.job_id)
    for job_id, in_rounds, in_all in session.execute(sums.group_by(Revision.job_id, Job.credits_refunded)):
        if in_rounds > in_all:
            yield f"job {job_id}: {in_rounds} was refunded with rounds, only {in_all} in all"
    both = select(Revision, Result).join(Result, Result.id == Revision.result_id)
    for revision, result in session.execute(both.execution_options(yield_per=500)):
        is_usable = result.verdict is Verdict.APPROVED
        if not (is_usable or revision.by_reviewer or revision.lacked_result):
            yield f"result {result.id}: {result.verdict}, yet it was sent back"
        if revision.lacked_result and revision.outcome is RevisionOutcome.REVISED and not is_usable:
            yield f"result {result.id}: {result.verdict}, yet a round gave it a picture"
        if revision.lacked_result and revision.credits_refunded:
            yield f"round {revision.id}: refunded a photo that was refunded before"


def _check_upload_counts(session: Session) -> Iterator[str]:
    for each in quotas.find_miscounts(session):
        counted = "counted {} sessions and {} bytes".format(*each.counted)
        yield f"account {each.account_id}: {counted}, has {each.found[0]} and {each.found[1]}"
    for account_id, kept, expected in quotas.find_kept_miscounts(session):
        yield f"account {account_id}: counted {kept} bytes kept, keeps {expected}"


def _count(session: Session, statement: Select[str, int]) -> dict[str, int]:
    return {row[0]: row[1] for row in session.execute(statement)}


def _check_files(session: Session, storage: Storage) -> Iterator[str]:
    packs = select(MlsPack.id, MlsPack.storage_key)
    for pack in session.execute(packs.where(MlsPack.storage_key.is_not(None))):
        if storage.stat(pack.storage_key) is None:
            yield f"pack {pack.id}: the file {pack.storage_key} is missing"
    # A photo from public imagery has size 0 and no file until a worker begins it; if there is no imagery of the
    # house, it never gets a file.
    source_key = case((and_(Photo.from_imagery, Photo.size_bytes == 0), None), else_=Photo.storage_key)
    for photo_id, key in session.execute(select(Photo.id, source_key).execution_options(yield_per=500)):
        if key is not None and storage.stat(key) is None:
            yield f"photo {photo_id}: the file {key} is missing"
    frames = select(PhotoFrame.photo_id, PhotoFrame.storage_key)
    for photo_id, key in session.execute(frames.execution_options(yield_per=500)):
        if storage.stat(key) is None:
            yield f"photo {photo_id}: the file {key} of a frame is missing"
    stored = select(StoredPicture.photo_id, StoredPicture.storage_key).where(StoredPicture.storage_key.is_not(None))
    for photo_id, key in session.execute(stored.execution_options(yield_per=500)):
        if key is not None and storage.stat(key) is None:
            yield f"photo {photo_id}: the file {key} of a picture is missing"
