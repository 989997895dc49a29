"""What people do who buy credits, and what they see then."""

from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.domain.payments import PurchaseState
from app.models import Purchase
from app.services.orders import drafts
from tests.portal.person import Person


def buy_form(person: Person, query: str = "") -> TestResponse:
    return person.open(f"/credits{query}").forms["buy-form"]


def sent(person: Person, query: str = "", status: int = 303, **fields: str) -> TestResponse:
    """What comes of sending the form of /credits."""
    form = buy_form(person, query)
    for name, value in fields.items():
        form[name].force_value(value)
    answer = form.submit(expect_errors=True)
    assert answer.status_int == status, answer.text[:2000]
    return answer


def purchases_of(container: Container) -> list[Purchase]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Purchase).order_by(Purchase.created_at)))


def begun(person: Person, container: Container, query: str = "", **fields: str) -> Purchase:
    """The purchase that comes of sending the form, a little later than the last one."""
    container.clock.pass_(seconds=1)
    sent(person, query, **fields)
    return purchases_of(container)[-1]


def page_of(person: Person, purchase: Purchase, returned: bool = True, status: int = 200) -> TestResponse:
    return person.open(f"/credits/purchases/{purchase.id}{'?returned=1' if returned else ''}", status)


def act(container: Container, purchase: Purchase, state: PurchaseState) -> None:
    """Let it happen at the provider, which tells us."""
    container.payment_service.receive(*container.payments.act(purchase.session_id, state))


def heading(page: TestResponse) -> str:
    return page.html.h1.text


def draft_of(container: Container, person: Person) -> str:
    with container.database.unit_of_work() as session:
        return drafts.begin(session, person.account_id, container.upload_quota, container.clock()).id
