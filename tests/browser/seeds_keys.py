"""What there is to see of keys: one in every state, more than a page holds, somebody without any."""

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.domain.actors import Scope
from app.models import ApiKey
from app.services.accounts import accounts
from app.services.security import api_keys
from tests.browser.world import PASSWORD, Who, World

SUSPENDED = "sue@example.com"
MANY = 30
LONG = "Upload script of the office in Springfield, the one that runs each night at two on the old Mac"


def seed(world: World) -> None:
    """Keys of the customer; Cora has none, and Sue may do nothing."""
    now, customer = world.clock(), world.people[Who.CUSTOMER].account_id
    with world.container.database.unit_of_work() as session:
        for number in range(MANY):
            key, _ = api_keys.create(session, customer, now - timedelta(days=90 + number), name=f"Trial {number}")
            api_keys.revoke(session, customer, key.id, now - timedelta(days=80))
        world.links.update({f"key {name}": f"/keys/{key_id}" for name, key_id in _every(session, world).items()})
        session.execute(delete(ApiKey).where(ApiKey.account_id == world.people[Who.CAREFUL].account_id))
        accounts.create(session, SUSPENDED, now, name="Sue", password=PASSWORD).organization.suspended_at = now


def _every(session: Session, world: World) -> dict[str, str]:
    """One in every state, by name."""
    now, customer = world.clock(), world.people[Who.CUSTOMER].account_id
    day = timedelta(days=1)
    few = [Scope.ORDERS_WRITE, Scope.JOBS_READ]
    active, _ = api_keys.create(session, customer, now - 40 * day, name=LONG)
    api_keys.set_budget(session, customer, active.id, Decimal("12.5"), now)
    api_keys.record_use(session, active.id, "2001:db8:85a3:8d3:1319:8a2e:370:7348", now)
    ending, _ = api_keys.create(
        session, customer, now - 28 * day, name="Trade fair", scopes=few, expires_at=now + 2 * day
    )
    expired, _ = api_keys.create(session, customer, now - 30 * day, name="Old trial", expires_at=now - day)
    replaced, _ = api_keys.create(session, customer, now - 20 * day, name="Website", scopes=[Scope.JOBS_READ])
    api_keys.record_use(session, replaced.id, "192.0.2.7", now - 2 * day)
    api_keys.rotate(session, customer, replaced.id, day, "seed-of-the-keys-1", now)
    revoked, _ = api_keys.create(session, customer, now - 60 * day, name="Laptop that was stolen")
    api_keys.revoke(session, customer, revoked.id, now - 50 * day)
    named = {"active": active, "ending": ending, "expired": expired, "replaced": replaced, "revoked": revoked}
    return {name: key.id for name, key in named.items()}
