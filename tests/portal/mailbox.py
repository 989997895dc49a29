"""What people find in their mail."""

import re

from sqlalchemy import select

from app.container import Container
from app.models import Mail


def mails(container: Container, to: str) -> list[Mail]:
    """Every mail to the address, oldest first."""
    with container.database.read_session() as session:
        found = session.scalars(select(Mail).where(Mail.to == to)).all()
    return sorted(found, key=lambda mail: mail.created_at)


def subjects(container: Container, to: str) -> list[str]:
    """What the mails to the address are about."""
    return sorted(mail.subject for mail in mails(container, to))


def links(container: Container, to: str) -> list[str]:
    """The paths of every link in mail to the address, in no order."""
    return [path for mail in mails(container, to) for path in re.findall(r"http://localhost(/[^\s]+)", mail.text)]


def link(container: Container, to: str, begin: str) -> str:
    """The one link to the address that begins so."""
    (found,) = [path for path in links(container, to) if path.startswith(begin)]
    return found
