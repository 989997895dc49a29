"""Packs for listing services: requested, claimed under a lease, made, retried, given up, downloaded, deleted."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import PACKS
from app.domain.disclosure.mls_packs import PackPlan
from app.domain.disclosure.pack_warnings import PackWarnings
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import Rule, RuleKind
from app.domain.errors import Conflict, require_found
from app.domain.events import EventName, PackFacts
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName, Storage
from app.models import Job, MlsPack
from app.services.leases import Lease, WorkQueue
from app.services.orders import jobs
from app.services.photos import downloads, pack_plans, pictures, zip_downloads
from app.services.photos.pack_plans import PackChoice

QUEUE = WorkQueue(MlsPack.id, MlsPack.attempts, PACKS)
MAX_ERROR = 300
"""Longest reason why a pack cannot be made, in characters."""
FAILED_MESSAGE = f"It could not be created in {PACKS.max_attempts} tries."
RULE_GONE = "We no longer have a rule for this listing service."


class PackStatus(StrEnum):
    """The state of a pack."""

    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PackClaim(Lease):
    """One worker's claim on one pack."""

    job_id: str
    mls: str
    labeled: bool

    @property
    def storage_key(self) -> str:
        """The storage key of this claim's ZIP. Another claim has another key, so that neither overwrites the
        other's file.
        """
        return f"{prefix_of(self.job_id)}{self.key}-{self.claim_id}.zip"


@dataclass(frozen=True, slots=True)
class MadePack:
    """A pack that was made, as the columns of its row: facts about the stored ZIP, and warnings for the customer.
    `digest`: of the plan that it was made from.
    """

    size_bytes: int
    picture_count: int
    digest: str
    rule_version: int
    warnings: PackWarnings


def prefix_of(job_id: str) -> str:
    """The prefix of the keys of a job's packs: below its results, with which they are removed."""
    return f"{pictures.results_prefix(job_id)}packs/"


def find_rule(mls: str) -> Rule | None:
    """The rule of a listing service; None if a later release removed the rule."""
    rule = all_rules().get(mls)
    return rule if rule is not None and rule.kind is RuleKind.MLS else None


def status_of(pack: MlsPack) -> PackStatus:
    """The state of the pack: failed, ready, or still being made."""
    if pack.error is not None:
        return PackStatus.FAILED
    return PackStatus.READY if pack.storage_key is not None else PackStatus.MAKING


def request(session: Session, account_id: str, job_id: str, choice: PackChoice, now: datetime) -> MlsPack:
    """Request the job's pack for a listing service, and the variants without barred steps that it needs; a worker
    is notified.

    A repeated request returns the same pack while nothing that it is made from has changed and it did not fail;
    else a new pack replaces it. Raises NotFound, and NotReady while there are no results.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    downloads.require_ready(job)
    rule = choice.rule
    pack_plans.request_variants(session, job, rule, now)
    plan = pack_plans.read_plan(session, job, choice, now)
    kept = session.scalar(select(MlsPack).where(MlsPack.job_id == job_id, MlsPack.mls == rule.id))
    if kept is not None:
        if _is_same(kept, choice, plan):
            return kept
        # The old file is removed once the new pack is made, see list_replaced().
        session.delete(kept)
        session.flush()
    pack = MlsPack(account_id=account_id, job_id=job_id, mls=rule.id, labeled=choice.labeled)
    pack.rule_version, pack.digest, pack.warnings = rule.version, plan.digest, PackWarnings(warnings=plan.warnings)
    pack.next_attempt_at = pack.created_at = now
    session.add(pack)
    session.flush()
    notify_after_commit(session, QueueName.PREVIEWS, [pack.id])
    return pack


def _is_same(kept: MlsPack, choice: PackChoice, plan: PackPlan) -> bool:
    """Whether the existing pack fits the request. Pictures do not matter while the pack is not made yet, because
    its worker reads them when it makes the pack.
    """
    if kept.error is not None or (kept.rule_version, kept.labeled) != (choice.rule.version, choice.labeled):
        return False
    return kept.storage_key is None or kept.digest == plan.digest


def wake_waiting(session: Session, job_id: str, now: datetime) -> None:
    """Let packs of the job that wait for a variant without barred steps be due now, and notify workers."""
    waiting = MlsPack.job_id == job_id, MlsPack.state == WorkState.WAITING, MlsPack.next_attempt_at > now
    change = update(MlsPack).where(*waiting).values(next_attempt_at=now).returning(MlsPack.id)
    found = session.scalars(change, execution_options={"synchronize_session": False}).all()
    notify_after_commit(session, QueueName.PREVIEWS, found)


def outdate(session: Session, job_id: str, now: datetime) -> None:
    """Record that a picture of the job was replaced: ready packs have the previous picture and are outdated, and
    packs that are being made are begun again.
    """
    mine, options = MlsPack.job_id == job_id, {"synchronize_session": False}
    ready = update(MlsPack).where(mine, MlsPack.storage_key.is_not(None)).values(outdated_at=now)
    session.execute(ready, execution_options=options)
    restart = {"state": WorkState.WAITING, "claim_id": None, "lease_until": None, "next_attempt_at": now}
    # This ends the worker's claim, so its attempt does not count.
    restarted = update(MlsPack).where(mine, MlsPack.state == WorkState.WORKING)
    restarted = restarted.values(**restart, attempts=MlsPack.attempts - 1).returning(MlsPack.id)
    notify_after_commit(session, QueueName.PREVIEWS, session.scalars(restarted, execution_options=options).all())


def get(session: Session, account_id: str, job_id: str, pack_id: str) -> MlsPack:
    """The account's pack. Raises NotFound alike for a pack that is unknown, another account's, replaced or
    expired.
    """
    job = jobs.get(session, account_id, job_id)
    mine = select(MlsPack).where(MlsPack.id == pack_id, MlsPack.job_id == job.id)
    return require_found(session.scalar(mine) if is_id(pack_id, Prefix.MLS_PACK) else None)


def list_of(session: Session, account_id: str, job_id: str) -> Sequence[MlsPack]:
    """The job's packs, the newest first. Raises NotFound."""
    return of_job(session, jobs.get(session, account_id, job_id).id)


def of_job(session: Session, job_id: str) -> Sequence[MlsPack]:
    """The job's packs, the newest first, for a job that is known to be the account's."""
    mine = select(MlsPack).where(MlsPack.job_id == job_id)
    return session.scalars(mine.order_by(MlsPack.created_at.desc(), MlsPack.id)).all()


def deliver(session: Session, storage: Storage, pack: MlsPack, now: datetime, valid_seconds: int) -> str:
    """A fresh URL for a pack; the first download of results delivers the job. Raises Conflict while the pack is not
    ready.
    """
    if pack.storage_key is None:
        raise Conflict("The pack is not ready.")
    job = downloads.deliver(session, pack.account_id, pack.job_id, now)
    return storage.download_url(pack.storage_key, name_of(job, pack), valid_seconds)


def name_of(job: Job, pack: MlsPack) -> str:
    """The file name of the ZIP: the property's address and the listing service."""
    return f"{zip_downloads.folder_of(job)}-{pack.mls}.zip"


def claim(session: Session, pack_id: str, now: datetime) -> PackClaim | None:
    """Claim the pack if it is due and no other worker has claimed it; the attempt counts, however it ends.

    None when there is nothing to do, also when the pack was given up because its workers died too often.
    """
    claimed = QUEUE.claim(session, pack_id, now)
    if claimed is None:
        return None
    pack = session.get_one(MlsPack, pack_id, populate_existing=True)
    lease = PackClaim(claimed.claim_id, pack_id, claimed.attempt, pack.job_id, pack.mls, pack.labeled)
    if lease.attempt > PACKS.max_attempts:
        give_up(session, lease, FAILED_MESSAGE)
        return None
    return lease


def finish(session: Session, lease: PackClaim, made: MadePack, now: datetime) -> bool:
    """Record that the ZIP is in the store, with the event of that; returns False, with nothing changed, when the
    claim was lost.
    """
    if not QUEUE.finish(session, lease, storage_key=lease.storage_key, error=None, **asdict(made)):
        return False
    facts = PackFacts(lease.key, lease.mls)
    jobs.record_event(session, session.get_one(Job, lease.job_id), EventName.PACK_READY, now, facts)
    return True


def give_up(session: Session, lease: PackClaim, error: str) -> bool:
    """Record that the pack cannot be made, with the reason for the customer; returns False like finish()."""
    return QUEUE.finish(session, lease, error=error[:MAX_ERROR])


def retry(session: Session, lease: PackClaim, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the pack is given up after the last. Returns
    False like finish().
    """
    if lease.attempt >= PACKS.max_attempts:
        return give_up(session, lease, FAILED_MESSAGE)
    return QUEUE.retry(session, lease, now)


def list_files(storage: Storage, job_id: str) -> list[str]:
    """The storage keys of all packs of the job, also of replaced ones."""
    return [each.key for each in storage.list_files(prefix_of(job_id))]


def list_replaced(session: Session, job_id: str, files: Iterable[str]) -> list[str]:
    """The keys, among these files, of packs that were replaced."""
    kept = set(session.scalars(select(MlsPack.id).where(MlsPack.job_id == job_id)))
    return [key for key in files if _pack_id_of(key) not in kept]


def forget(session: Session, job_id: str) -> None:
    """Delete the job's packs; their files are removed with its results."""
    deletion = delete(MlsPack).where(MlsPack.job_id == job_id)
    session.execute(deletion.execution_options(synchronize_session=False))


def _pack_id_of(key: str) -> str:
    return key.rpartition("/")[2].partition("-")[0]
