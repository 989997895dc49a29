"""Second members of somebody's organization, without the invitation that made them."""

from app.container import Container
from app.domain.roles import Role
from app.models import Membership, User
from app.services.accounts import passwords
from tests.portal.person import PASSWORD


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
