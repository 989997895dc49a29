"""What members of staff change on their own pages. Each act is logged in the same unit of work; no other code of
these pages may change a customer's data.
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
from app.domain.staff import MAX_GRANT, StaffAction
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

_Params = ParamSpec("_Params")


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What an act did, for the log and for the member of staff who did it."""

    account_id: str
    detail: str = ""
    job_id: str | None = None


_Act = Callable[Concatenate["StaffActions", _Params], ActionResult | None]


def _recorded(action: StaffAction) -> Callable[[_Act[_Params]], _Act[_Params]]:
    """Decorate an act so that it is logged with its result; if it returns None it did nothing and is not logged."""

    def wrap(act: _Act[_Params]) -> _Act[_Params]:
        @wraps(act)
        def act_and_record(
            actions: "StaffActions", /, *args: _Params.args, **kwargs: _Params.kwargs
        ) -> ActionResult | None:
            result = act(actions, *args, **kwargs)
            if result is not None:
                facts = (actions.session, actions.staff_id, action, result.job_id, actions.now)
                staff_acts.record(*facts, result.detail, account_id=result.account_id)
            return result

        return act_and_record

    return wrap


@dataclass(frozen=True, slots=True)
class StaffActions:
    """The acts of one member of staff in one unit of work. Every act raises NotFound when its subject does not
    exist, Conflict when another act came first, InvalidRequest for a reason that is empty or too long.
    """

    session: Session
    staff_id: str
    now: datetime

    @_recorded(StaffAction.GRANT)
    def grant(self, account_id: str, amount: Decimal, reason: str, form_token: str) -> ActionResult | None:
        """Add credits to the balance, or withdraw them if `amount` is negative; None when this form did so before.

        Raises InsufficientCredits when the balance is too low.
        """
        words, organization = staff.check_reason(reason), organizations.get(self.session, account_id, lock=True)
        if not amount or abs(amount) > MAX_GRANT:
            raise InvalidRequest({"amount": f"Enter an amount up to {credits_(MAX_GRANT)}, and not 0."})
        cause = ledger.grant_cause(organization.id, form_token)
        if self.session.scalar(select(LedgerLine.id).where(LedgerLine.cause == cause)) is not None:
            return None
        credits.adjust(self.session, organization.id, amount, words, self.now, cause)
        return ActionResult(organization.id, f"{'+' if amount > 0 else ''}{credits_(amount)}: {words}")

    @_recorded(StaffAction.SUSPEND)
    def suspend(self, account_id: str, reason: str) -> ActionResult:
        """Suspend the account: nobody can sign in for it, its API keys are refused, and every sign-in ends now."""
        words, organization = staff.check_reason(reason), organizations.get(self.session, account_id, lock=True)
        if self._belongs_to(organization):
            raise Conflict("You cannot suspend yourself: someone must be able to undo it.")
        if organization.suspended_at is not None:
            raise Conflict(f"The account is suspended already: {organization.suspended_reason}")
        for each in organizations.with_sandboxes(self.session, [organization]):
            each.suspended_at, each.suspended_reason = self.now, words
        ended = sign_ins.end_all_for(self.session, organization.id)
        return ActionResult(organization.id, f"{words} Sign-ins ended: {ended}.")

    @_recorded(StaffAction.RESTORE)
    def restore(self, account_id: str) -> ActionResult:
        """Lift the account's suspension."""
        organization = organizations.get(self.session, account_id, lock=True)
        if organization.suspended_at is None:
            raise Conflict("The account is no longer suspended.")
        earlier_reason = organization.suspended_reason or ""
        for each in organizations.with_sandboxes(self.session, [organization]):
            each.suspended_at = each.suspended_reason = None
        return ActionResult(organization.id, f"It was suspended: {earlier_reason}")

    @_recorded(StaffAction.FLAG)
    def flag(self, account_id: str, reason: str) -> ActionResult:
        """Flag the account for staff to look at; an account that is flagged already gets the new reason."""
        words, organization = staff.check_reason(reason), organizations.get(self.session, account_id, lock=True)
        before = f" Before: {organization.flag_reason}" if organization.flagged_at else ""
        organization.flagged_at, organization.flag_reason = organization.flagged_at or self.now, words
        return ActionResult(organization.id, words + before)

    @_recorded(StaffAction.CLEAR_FLAG)
    def clear_flag(self, account_id: str) -> ActionResult:
        """Remove the account's flag."""
        organization = organizations.get(self.session, account_id, lock=True)
        if organization.flagged_at is None:
            raise Conflict("The account is no longer flagged.")
        earlier_reason = organization.flag_reason or ""
        organization.flagged_at = organization.flag_reason = None
        return ActionResult(organization.id, f"It was flagged: {earlier_reason}")

    @_recorded(StaffAction.REQUEUE)
    def requeue(self, job_id: str) -> ActionResult:
        """Wake workers for the job's photos that wait for an attempt or whose worker died; finished photos stay."""
        job = jobs.lock(self.session, jobs.get_for_staff(self.session, job_id).id)
        if job.status not in WORKABLE:
            raise Conflict("The job is no longer being worked on: there is nothing to put back.")
        waiting, died = self._requeue_photos(job)
        if not waiting and not died:
            raise Conflict("Nothing to put back: each photo is done, or a worker is at it.")
        jobs.notify_workers(self.session, [*waiting, *died])
        return ActionResult(
            job.account_id, f"{len(waiting)} waiting, {len(died)} left by a worker that died.", job.id
        )

    @_recorded(StaffAction.FAIL_JOB)
    def fail_job(self, job_id: str, reason: str) -> ActionResult:
        """End the job without results: all credits not refunded yet are refunded, and its owner sees the reason."""
        words = staff.check_reason(reason)
        job = jobs.lock(self.session, jobs.get_for_staff(self.session, job_id).id)
        if not can_fail(job):
            raise Conflict("The job is over: it can no longer be failed.")
        refunded = job.credit_cost - job.credits_refunded
        jobs.fail(self.session, job, words, self.now)
        claims.end_claim(job)
        return ActionResult(job.account_id, f"{words} {credits_(refunded)} refunded.", job.id)

    @_recorded(StaffAction.REDELIVER)
    def redeliver(self, delivery_id: str) -> ActionResult:
        """Send a settled delivery once more, on behalf of its account."""
        delivery = staff_deliveries.find(self.session, delivery_id)
        owner = delivery.webhook.account_id
        delivery_log.redeliver(self.session, owner, delivery.id, self.now)
        return ActionResult(
            owner, f"{delivery.id}: {delivery.event_name} to {delivery.webhook.url}", delivery.job_id
        )

    @_recorded(StaffAction.SETTLE)
    def settle(self, purchase_id: str, note: str) -> ActionResult:
        """Close the open points of a purchase, which the note explains; credits owed are forgiven."""
        words = staff.check_reason(note)
        purchase = purchases.lock(self.session, staff_payments.find(self.session, purchase_id).id)
        open_points = staff_payments.list_open_points(purchase)
        if not open_points:
            raise Conflict("Nothing is open on this purchase.")
        purchase_list.resolve(self.session, purchase.id)
        return ActionResult(purchase.account_id, f"{purchase.id}: {words} It was: {'; '.join(open_points)}")

    def _belongs_to(self, organization: Organization) -> bool:
        return self.session.get(Membership, (self.staff_id, organization.id)) is not None

    def _requeue_photos(self, job: Job) -> tuple[list[tuple[str, WorkSize]], list[tuple[str, WorkSize]]]:
        """Make waiting photos due now; returns them, and the photos whose worker died, which are due already."""
        mine, which = Photo.job_id == job.id, (Photo.id, Photo.work_size)
        waiting = update(Photo).where(mine, Photo.state == WorkState.WAITING).values(next_attempt_at=self.now)
        moved = waiting.returning(*which).execution_options(synchronize_session=False)
        died = select(*which).where(mine, Photo.state == WorkState.WORKING, Photo.lease_until < self.now)
        rows = (self.session.execute(query) for query in (moved, died))
        waiting_photos, died_photos = ([(row.id, row.work_size) for row in found] for found in rows)
        return waiting_photos, died_photos


def can_fail(job: Job) -> bool:
    """Whether the job can still fail, because it has not ended."""
    return (job.status, Status.FAILED) in MOVES
