"""Somebody who buys credits, and a provider in memory that tells whatever a test wants."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from app.container import Container
from app.domain.payments import (
    AWAITING_PAYMENT,
    Checkout,
    CheckoutRequest,
    InvalidSignatureError,
    Payment,
    PaymentRefusedError,
    PaymentsUnavailableError,
    Provider,
    ProviderEvent,
    PurchaseState,
)
from app.models import LedgerLine, Organization, PaymentEvent, Purchase, Receipt
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.billing.payment_service import PaymentService, ReturnUrls
from app.services.billing.purchases import PurchaseRequest
from tests import reading

WAYS = ReturnUrls(paid=lambda id: f"http://localhost/paid/{id}", back=lambda _: "http://localhost/back")
SELLER = "Brightlist, Inc.\n1 Market Street"
MINUTE = timedelta(minutes=1)


@dataclass
class FakePayments:
    """The payments port in memory. `before`: done before each call, and may fail it."""

    provider: Provider = Provider.STRIPE
    origin: str | None = "https://checkout.example"
    pages: str = "https://checkout.example"
    books: dict[str, Payment] = field(default_factory=dict)
    told: dict[bytes, ProviderEvent] = field(default_factory=dict)
    baskets: list[CheckoutRequest] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    before: Callable[[], None] = lambda: None
    away: bool = False

    def begin(self, request: CheckoutRequest) -> Checkout:
        self._called("begin")
        self.baskets.append(request)
        session_id = f"cs_{request.purchase_id}"
        opened = Payment(
            purchase_id=request.purchase_id,
            account_id=request.account_id,
            session_id=session_id,
            state=PurchaseState.OPEN,
            amount_cents=request.price_cents,
            currency=request.currency,
        )
        self.books.setdefault(session_id, opened)
        return Checkout(session_id, f"{self.pages}/{session_id}")

    def look_up(self, session_id: str) -> Payment:
        self._called("look_up")
        if session_id not in self.books:
            raise PaymentRefusedError(session_id)
        return self.books[session_id]

    def close(self, session_id: str) -> None:
        self._called("close")
        if self.books[session_id].state is PurchaseState.OPEN:
            self.books[session_id] = replace(self.books[session_id], state=PurchaseState.EXPIRED)

    def purchase_of(self, payment_id: str) -> str | None:
        self._called("purchase_of")
        return next((each.purchase_id for each in self.books.values() if each.payment_id == payment_id), None)

    def read(self, body: bytes, signature: str) -> ProviderEvent:
        if signature != "sound" or body not in self.told:
            raise InvalidSignatureError
        return self.told[body]

    def act(self, session_id: str, state: PurchaseState) -> tuple[bytes, str]:
        """Let the payment come so far; the message of it."""
        stands = self.books[session_id]
        if stands.state in AWAITING_PAYMENT:
            self.books[session_id] = replace(stands, state=state, payment_id=f"pi_{stands.purchase_id}")
        return self.message(self.books[session_id])

    def message(self, payment: Payment | None, event_id: str = "", kind: str = "told") -> tuple[bytes, str]:
        """A message of this payment, with a number of its own unless it is given."""
        news = ProviderEvent(event_id or f"evt_{len(self.told)}", kind, payment)
        body = json.dumps([news.id, len(self.told)]).encode()
        self.told[body] = news
        return body, "sound"

    def _called(self, name: str) -> None:
        self.calls.append(name)
        self.before()
        if self.away:
            raise PaymentsUnavailableError("away")


@dataclass
class Shop:
    """A buyer, the payment service, and the provider."""

    container: Container
    payments: FakePayments
    account_id: str

    @property
    def payment_service(self) -> PaymentService:
        here = self.container
        return PaymentService(here.database, self.payments, here.clock, SELLER)

    def buy(self, amount: str = "50", form: str = "form-1", **fields: Any) -> Purchase:
        wanted = PurchaseRequest(Decimal(amount), form, **fields)
        return self.payment_service.begin(self.account_id, wanted, WAYS)

    def paid(self, purchase: Purchase, **changed: Any) -> Payment:
        """What the provider tells of the paid purchase."""
        told = replace(
            self.payments.books[f"cs_{purchase.id}"],
            state=PurchaseState.PAID,
            payment_id=f"pi_{purchase.id}",
        )
        self.payments.books[f"cs_{purchase.id}"] = told
        return replace(told, **changed)

    def tell(self, payment: Payment | None, event_id: str = "") -> None:
        """Take in a message of this."""
        self.payment_service.receive(*self.payments.message(payment, event_id))

    def now(self, purchase: Purchase) -> Purchase:
        """The purchase as it is."""
        return reading.one(self.container, Purchase, purchase.id)

    def account(self) -> Organization:
        return reading.one(self.container, Organization, self.account_id)

    def balance(self) -> Decimal:
        return self.account().credits

    def spend(self, amount: str) -> None:
        with self.container.database.unit_of_work() as session:
            credits.adjust(session, self.account_id, -Decimal(amount), "Spent", self.container.clock())

    def lines(self) -> Sequence[tuple[str, Decimal, str]]:
        """Kind, amount and reason of every line about purchases."""
        about = select(LedgerLine).where(LedgerLine.purchase_id.is_not(None)).order_by(LedgerLine.id)
        return [(line.kind, line.amount, line.reason) for line in reading.found(self.container, about)]

    def receipts(self) -> list[Receipt]:
        return reading.found(self.container, select(Receipt).order_by(Receipt.number))

    def events(self) -> list[PaymentEvent]:
        return reading.found(self.container, select(PaymentEvent))


def opened(container: Container, email: str = "jo@example.com", amount: str = "0") -> Shop:
    """A shop whose buyer has so many credits."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock(), name="Jo Agent")
        if Decimal(amount):
            credits.adjust(session, member.organization_id, Decimal(amount), "Opening balance", container.clock())
    payments = container.payments if isinstance(container.payments, FakePayments) else FakePayments()
    container.payments = payments
    return Shop(container, payments, member.organization_id)


def refunded(purchase: Purchase, cents: int) -> Payment:
    """What the provider tells of a purchase of which so much went back."""
    return Payment(purchase_id=purchase.id, payment_id=f"pi_{purchase.id}", refunded_cents=cents)
