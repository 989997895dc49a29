"""Sandboxes: the account of an organization's test mode, made on first need, with test credits that cost nothing.

A sandbox is an account of its own without members, so every check of ownership keeps both modes apart.
"""

import uuid
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.errors import NotFound, Suspended
from app.domain.limits import TEST_CREDITS
from app.models import Organization
from app.services.accounts import organizations
from app.services.billing import credits


def get_or_create(session: Session, account_id: str, now: datetime) -> Organization:
    """The sandbox of a live account; made with TEST_CREDITS if there is none.

    Raises NotFound for a deleted account and for a sandbox, and Suspended for a suspended account.
    """
    # Of two requests at the same moment, the second waits here, and then finds the sandbox that the first one made.
    live = organizations.get(session, account_id, lock=True)
    if live.sandbox_of is not None:
        raise NotFound
    if live.suspended_at is not None:
        raise Suspended
    found = session.scalar(select(Organization).where(Organization.sandbox_of == account_id))
    if found is None:
        found = Organization(sandbox_of=account_id, created_at=now)
        session.add(found)
        session.flush()
        refill(session, found.id, now)
    return found


def refill(session: Session, sandbox_id: str, now: datetime) -> None:
    """Raise the balance to TEST_CREDITS; nothing happens if it is that high already. Raises NotFound for an account
    that is no sandbox.
    """
    sandbox = organizations.get(session, sandbox_id, lock=True)
    if sandbox.sandbox_of is None:
        raise NotFound
    missing = TEST_CREDITS - sandbox.credits
    if missing > 0:
        cause = ledger.test_credits_cause(sandbox_id, uuid.uuid4().hex)
        movement = credits.Movement(missing, ledger.LedgerKind.ADJUSTMENT, cause, "Test credits")
        credits.credit(session, sandbox_id, [movement], now)
