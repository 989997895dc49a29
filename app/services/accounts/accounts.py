"""Accounts, as customers and operators call them: a user together with the organization for which they act."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain import people
from app.domain.errors import InvalidRequest, NotFound
from app.domain.ids import Prefix, new_id
from app.domain.roles import Role
from app.models import Membership, Organization, User
from app.services.accounts import organizations, passwords, users


def create(
    session: Session,
    email: str,
    now: datetime,
    *,
    name: str = "",
    password: str | None = None,
    staff: bool = False,
    confirmed: bool = True,
) -> Membership:
    """Create a user with an organization of their own. Raises InvalidRequest when the e-mail is not an address or
    has a user already, or when the name or the password is not allowed.

    `confirmed`: whether the caller knows that the e-mail is the user's; an unconfirmed user cannot sign in.
    """
    email = people.email(email)
    if users.is_taken(session, email):
        raise InvalidRequest({"email": f"{email} has an account already."})
    # The first user and the organization have the same id, so that operators and logs need only one.
    founder_id = new_id(Prefix.ACCOUNT)
    user = User(
        id=founder_id,
        email=email,
        name=people.name(name),
        password_hash=passwords.digest(password, email) if password else None,
        is_staff=staff,
        created_at=now,
        confirmed_at=now if confirmed else None,
    )
    organization = Organization(id=founder_id, created_at=now)
    member = Membership(user=user, organization=organization, role=Role.OWNER, created_at=now)
    session.add(member)
    session.flush()
    return member


def find(session: Session, email: str) -> Membership:
    """Find the membership of the user with this e-mail: in the oldest organization that they own or, if they own
    none, in the organization that they joined first. Raises NotFound.
    """
    user = users.find(session, email)
    found = organizations.list_memberships(session, user.id)
    if not found:
        raise NotFound(f"{email} belongs to no account.")
    return next((each for each in found if each.role is Role.OWNER), found[0])


def count(session: Session) -> int:
    """How many accounts there are, deleted accounts included, but no sandboxes."""
    return session.scalar(select(func.count()).where(Organization.sandbox_of.is_(None))) or 0
