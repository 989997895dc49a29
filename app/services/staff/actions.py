"""What members of staff change: each act and its line in the log in one unit of work. Nothing else of theirs may
change what is a customer's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import wraps
from typing import Concatenate, ParamSpec

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.domain import ledger, staff
from app.domain.amounts import credits_
from app.domain.errors import Conflict, InvalidRequest
from app.domain.lifecycle import MOVES, WORKABLE, Status, WorkState
from app.domain.staff import MOST_GRANTED, StaffAction
from app.models import Job, LedgerLine, Membership, Organization, Photo
from app.services.accounts import organizations
from app.services.billing import credits, purchase_list, purchases
from app.services.orders import jobs
from app.services.reviews import claims
from app.services.security import sign_ins, staff_acts
from app.services.staff import deliveries as staff_deliveries
from app.services.staff import payments as staff_payments
from app.services.webhooks import delivery_log
from engine.types.enhancements import WorkSize

_Given = ParamSpec("_Given")


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What an act did, for the log and for anyone who did it."""

    account_id: str
    detail: str = ""
    job_id: str | None = None


_Act = Callable[Concatenate["StaffActions", _Given], ActionResult | None]


def _recorded(action: StaffAction) -> Callable[[_Act[_Given]], _Act[_Given]]:
    """Let the act stand in the log with what it did; not where it did nothing."""

    def wrap(act: _Act[_Given]) -> _Act[_Given]:
        @wraps(act)
        def acted(actions: "StaffActions", /, *given: _Given.args, **more: _Given.kwargs) -> ActionResult | None:
            done = act(actions, *given, **more)
            if done is not None:
                who = (actions.session, actions.staff_id, action, done.job_id, actions.now)
                staff_acts.record(*who, done.detail, account_id=done.account_id)
            return done

        return acted

    return wrap


@dataclass(frozen=True, slots=True)
class StaffActions:
    """One member of staff at work in one unit of work. Every act raises NotFound for what there is not, Conflict
    where another act came first, InvalidRequest for a reason that says nothing or too much.
    """

    session: Session
    staff_id: str
    now: datetime

    @_recorded(StaffAction.GRANT)
    def grant(self, account_id: str, amount: Decimal, reason: str, form_token: str) -> ActionResult | None:
        """Give credits, or with a minus take some back; None when this form did it before.

        Raises InsufficientCredits when fewer are there.
        """
        said, organization = staff.check_reason(reason), organizations.get(self.session, account_id, hold=True)
        if not amount or abs(amount) > MOST_GRANTED:
            raise InvalidRequest({"amount": f"Enter an amount up to {credits_(MOST_GRANTED)}, and not 0."})
        cause = ledger.grant_cause(organization.id, form_token)
        if self.session.scalar(select(LedgerLine.id).where(LedgerLine.cause == cause)) is not None:
            return None
        credits.grant(self.session, organization.id, amount, said, self.now, cause)
        return ActionResult(organization.id, f"{amount:+f} credits: {said}")

    @_recorded(StaffAction.SUSPEND)
    def suspend(self, account_id: str, reason: str) -> ActionResult:
        """Let nobody sign in and no key open anything; every sign-in ends now."""
        said, organization = staff.check_reason(reason), organizations.get(self.session, account_id, hold=True)
        if self._belongs_to(organization):
            raise Conflict("You cannot suspend yourself: someone must be able to undo it.")
        if organization.suspended_at is not None:
            raise Conflict(f"The account is suspended already: {organization.suspended_reason}")
        organization.suspended_at, organization.suspended_reason = self.now, said
        ended = sign_ins.end_all_for(self.session, organization.id)
        return ActionResult(organization.id, f"{said} Sign-ins ended: {ended}.")

    @_recorded(StaffAction.RESTORE)
    def restore(self, account_id: str) -> ActionResult:
        """Take a suspension back."""
        organization = organizations.get(self.session, account_id, hold=True)
        if organization.suspended_at is None:
            raise Conflict("The account is no longer suspended.")
        was = organization.suspended_reason or ""
        organization.suspended_at = organization.suspended_reason = None
        return ActionResult(organization.id, f"It was suspended: {was}")

    @_recorded(StaffAction.FLAG)
    def flag(self, account_id: str, reason: str) -> ActionResult:
        """Mark the account for staff to look at; one that is flagged gets the new reason."""
        said, organization = staff.check_reason(reason), organizations.get(self.session, account_id, hold=True)
        before = f" Before: {organization.flag_reason}" if organization.flagged_at else ""
        organization.flagged_at, organization.flag_reason = organization.flagged_at or self.now, said
        return ActionResult(organization.id, said + before)

    @_recorded(StaffAction.CLEAR_FLAG)
    def clear_flag(self, account_id: str) -> ActionResult:
        """Take the mark away."""
        organization = organizations.get(self.session, account_id, hold=True)
        if organization.flagged_at is None:
            raise Conflict("The account is no longer flagged.")
        was = organization.flag_reason or ""
        organization.flagged_at = organization.flag_reason = None
        return ActionResult(organization.id, f"It was flagged: {was}")

    @_recorded(StaffAction.REQUEUE)
    def requeue(self, job_id: str) -> ActionResult:
        """Let workers take the job's photos now that wait, or whose worker died; what is finished stays."""
        job = jobs.lock(self.session, jobs.of_anybody(self.session, job_id).id)
        if job.status not in WORKABLE:
            raise Conflict("The job is no longer being worked on: there is nothing to put back.")
        waiting, died = self._put_back(job)
        if not waiting and not died:
            raise Conflict("Nothing to put back: each photo is done, or a worker is at it.")
        jobs.notify_workers(self.session, [*waiting, *died])
        return ActionResult(
            job.account_id, f"{len(waiting)} waiting, {len(died)} left by a worker that died.", job.id
        )

    @_recorded(StaffAction.FAIL_JOB)
    def fail_job(self, job_id: str, reason: str) -> ActionResult:
        """End the job without results: all that it still holds goes back, and its owner reads the reason."""
        said = staff.check_reason(reason)
        job = jobs.lock(self.session, jobs.of_anybody(self.session, job_id).id)
        if not can_fail(job):
            raise Conflict("The job is over: it can no longer be failed.")
        back = job.credit_cost - job.credits_refunded
        jobs.fail(self.session, job, said, self.now)
        claims.let_go(job)
        return ActionResult(job.account_id, f"{said} {credits_(back)} refunded.", job.id)

    @_recorded(StaffAction.REDELIVER)
    def redeliver(self, delivery_id: str) -> ActionResult:
        """Send a settled delivery once more, in its owner's name."""
        delivery = staff_deliveries.find(self.session, delivery_id)
        owner = delivery.webhook.account_id
        delivery_log.redeliver(self.session, owner, delivery.id, self.now)
        return ActionResult(
            owner, f"{delivery.id}: {delivery.event_name} to {delivery.webhook.url}", delivery.job_id
        )

    @_recorded(StaffAction.SETTLE)
    def settle(self, purchase_id: str, note: str) -> ActionResult:
        """Close what stands open on a purchase, as the note says; what is owed is forgiven."""
        said = staff.check_reason(note)
        purchase = purchases.lock(self.session, staff_payments.find(self.session, purchase_id).id)
        open_points = staff_payments.list_open_points(purchase)
        if not open_points:
            raise Conflict("Nothing is open on this purchase.")
        purchase_list.resolve(self.session, purchase.id)
        return ActionResult(purchase.account_id, f"{purchase.id}: {said} It was: {'; '.join(open_points)}")

    def _belongs_to(self, organization: Organization) -> bool:
        return self.session.get(Membership, (self.staff_id, organization.id)) is not None

    def _put_back(self, job: Job) -> tuple[list[tuple[str, WorkSize]], list[tuple[str, WorkSize]]]:
        mine, which = Photo.job_id == job.id, (Photo.id, Photo.work_size)
        waiting = update(Photo).where(mine, Photo.state == WorkState.WAITING).values(next_attempt_at=self.now)
        moved = waiting.returning(*which).execution_options(synchronize_session=False)
        died = select(*which).where(mine, Photo.state == WorkState.WORKING, Photo.lease_until < self.now)
        first, second = ([(row.id, row.work_size) for row in self.session.execute(each)] for each in (moved, died))
        return first, second


def can_fail(job: Job) -> bool:
    """Whether the job has not come to its end, so that it can fail."""
    return (job.status, Status.FAILED) in MOVES
