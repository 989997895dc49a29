"""Welcome credits: a new account gets them to try the service; one person should not get them twice."""

import logging
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain import people, welcome
from app.domain.ledger import LedgerKind, welcome_cause
from app.models import User, WelcomeGift
from app.services.accounts import organizations
from app.services.billing import credits
from app.services.billing.credits import Movement

log = logging.getLogger(__name__)

REASON = "Welcome credits"


def give(session: Session, user: User, amount: Decimal, now: datetime) -> bool:
    """Give welcome credits to the account of a user whose e-mail was just confirmed; returns whether it got them.

    An account gets none if an account with the same inbox got them before, even one that is deleted now, because
    its ledger line remains. For each private mail domain, only one account per day gets them. At most
    MAX_GIFTS_PER_HOUR accounts per hour get them.
    """
    memberships = organizations.list_memberships(session, user.id)
    if not amount or not memberships:
        return False
    if count_given(session, now) >= welcome.MAX_GIFTS_PER_HOUR:
        log.error("no welcome credits: %s accounts got them within an hour", welcome.MAX_GIFTS_PER_HOUR)
        return False
    inbox = people.inbox(user.email)
    given = Movement(amount, LedgerKind.ADJUSTMENT, welcome_cause(inbox), REASON)
    domain = welcome.find_own_domain(inbox)
    gift = WelcomeGift(account_id=memberships[0].organization_id, given_at=now)
    gift.domain_cause = None if domain is None else welcome.domain_cause(domain, now.date())
    try:
        with session.begin_nested():
            session.add(gift)
            session.flush()
            credits.credit(session, memberships[0].organization_id, [given], now)
    except IntegrityError:
        # The unique cause of the inbox or of the domain exists already.
        return False
    return True


def count_given(session: Session, now: datetime) -> int:
    """How many accounts got welcome credits within the last hour."""
    recent = select(func.count()).where(WelcomeGift.given_at > now - timedelta(hours=1))
    return session.scalar(recent) or 0
