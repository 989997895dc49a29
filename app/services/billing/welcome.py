"""Credits that a new account gets to try the service with, once for each person as far as can be told."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain import people
from app.domain.ledger import LedgerKind, welcome_cause
from app.models import User
from app.services.accounts import organisations
from app.services.billing import credits
from app.services.billing.credits import Movement

REASON = "Welcome: to try Brightlist with"


def give(session: Session, user: User, amount: Decimal, now: datetime) -> bool:
    """Give the account of a user whose e-mail was just confirmed so many credits; whether they got them.

    Whoever reads mail at the same inbox had them before gets none, and neither does who comes back after an account
    was deleted: its ledger line stays.
    """
    mine = organisations.of_user(session, user.id)
    if not amount or not mine:
        return False
    given = Movement(amount, LedgerKind.ADJUSTMENT, welcome_cause(people.inbox(user.email)), REASON)
    try:
        with session.begin_nested():
            credits.credit(session, mine[0].organisation_id, [given], now)
    except IntegrityError:
        return False
    return True
