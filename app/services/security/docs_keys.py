"""Test keys for the examples of the documentation: one for each developer; a new one replaces the previous one."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.ids import digest_of_secret
from app.domain.keys import is_active
from app.domain.limits import TEST_CREDITS
from app.models import ApiKey
from app.services import sandboxes
from app.services.security import api_keys

NAME = "Documentation examples"
VALID_FOR = timedelta(days=7)


def make(session: Session, account_id: str, user_id: str, now: datetime) -> str:
    """Make a test key with all scopes in the sandbox of the live account, and end the keys named NAME that the user
    made before. Returns the key's secret, which cannot be shown again. Makes a sandbox if there is none.

    Raises NotFound and Suspended as sandboxes.get_or_create() does, and Conflict and NotPermitted as
    api_keys.create() does.
    """
    sandbox = sandboxes.get_or_create(session, account_id, now)
    earlier = select(ApiKey.id).where(
        ApiKey.account_id == sandbox.id,
        ApiKey.made_by == user_id,
        ApiKey.name == NAME,
        ApiKey.revoked_at.is_(None),
    )
    for key_id in session.scalars(earlier).all():
        api_keys.revoke(session, sandbox.id, key_id, now)
    key, secret = api_keys.create(session, sandbox.id, now, name=NAME, expires_at=now + VALID_FOR)
    # Agents can order only with keys that have a budget.
    key.budget = TEST_CREDITS
    return secret


def find(session: Session, secret: str, sandbox_id: str, user_id: str, now: datetime) -> ApiKey | None:
    """The key with this secret, if the user made it in the sandbox and it is valid now; else None."""
    mine = select(ApiKey).where(
        ApiKey.digest == digest_of_secret(secret), ApiKey.account_id == sandbox_id, ApiKey.made_by == user_id
    )
    key = session.scalar(mine)
    return key if key is not None and is_active(key, now) else None
