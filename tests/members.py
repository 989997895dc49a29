"""Second members of somebody's organization, without the invitation that made them; for whom browsers act."""

from datetime import timedelta

from app.container import Container
from app.domain.actors import Browser
from app.domain.roles import Role
from app.models import Membership, User
from app.services.accounts import passwords
from app.services.security import sign_ins
from tests.portal.person import PASSWORD

BROWSER = Browser("Firefox", "192.0.2.7")


def join(
    container: Container, account_id: str, email: str, name: str = "Sam Second", role: Role = Role.OWNER
) -> str:
    """The id of a new user who belongs to the organization."""
    now = container.clock()
    with container.database.unit_of_work() as session:
        user = User(
            email=email, name=name, password_hash=passwords.digest(PASSWORD), created_at=now, confirmed_at=now
        )
        session.add(user)
        session.flush()
        session.add(Membership(user_id=user.id, organization_id=account_id, role=role, created_at=now))
    return user.id


def sign_in(container: Container, user_id: str) -> str:
    """The secret of a browser in which the user signs in."""
    with container.database.unit_of_work() as session:
        return sign_ins.begin(session, user_id, BROWSER, container.clock(), timedelta(hours=1))


def acts_for(container: Container, secret: str) -> str | None:
    """The organization for which the browser with this secret acts; None where it is signed out."""
    with container.database.read_connection() as connection:
        found = sign_ins.recognize(connection, secret, container.clock())
    return found[0].account_id if found else None
