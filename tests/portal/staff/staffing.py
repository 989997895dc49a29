"""What tests of staff's pages share: what a page says, and rows as only a fault or a provider makes them."""

from decimal import Decimal
from typing import Any

from app.container import Container
from app.domain.payments import Provider, PurchaseState
from app.models import Organization, Purchase, User


def words(page: Any) -> str:
    return " ".join(page.html.select_one("main").text.split())


def purchase(container: Container, account_id: str, **fields: Any) -> str:
    row = Purchase(
        account_id=account_id,
        form_token=f"token-{fields}"[:64],
        credits=Decimal(10),
        price_cents=1000,
        currency="usd",
        provider=Provider.DEMO,
        state=PurchaseState.EXPIRED,
        created_at=container.clock(),
        checked_at=container.clock(),
    )
    for name, value in fields.items():
        setattr(row, name, value)
    with container.database.unit_of_work() as session:
        session.add(row)
        session.flush()
        return row.id


PERSONAL = ("email", "name", "is_staff", "confirmed_at")


def change(container: Container, account_id: str, **fields: Any) -> None:
    with container.database.unit_of_work() as session:
        for name, value in fields.items():
            setattr(session.get_one(User if name in PERSONAL else Organization, account_id), name, value)
