"""Welcome credits: a new account gets them to try the service, once for each person as far as we can know."""

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

    An account gets none if its owner's inbox had them before, even for an account deleted since: the ledger line
    stays. One account a day gets them for each private mail domain, and MAX_GIFTS_PER_HOUR an hour in all.
    """
    mine = organizations.list_memberships(session, user.id)
    if not amount or not mine:
        return False
    if count_given(session, now) >= welcome.MAX_GIFTS_PER_HOUR:
        log.error("no welcome credits: %s accounts got them within an hour", welcome.MAX_GIFTS_PER_HOUR)
        return False
    inbox = people.inbox(user.email)
    given = Movement(amount, LedgerKind.ADJUSTMENT, welcome_cause(inbox), REASON)
    own = welcome.find_own_domain(inbox)
    gift = WelcomeGift(account_id=mine[0].organization_id, given_at=now)
    gift.domain_cause = None if own is None else welcome.domain_cause(own, now.date())
    try:
        with session.begin_nested():
            session.add(gift)
            session.flush()
            credits.credit(session, mine[0].organization_id, [given], now)
    except IntegrityError:
        return False
    return True


def count_given(session: Session, now: datetime) -> int:
    """How many accounts got welcome credits within the last hour."""
    recent = select(func.count()).where(WelcomeGift.given_at > now - timedelta(hours=1))
    return session.scalar(recent) or 0
