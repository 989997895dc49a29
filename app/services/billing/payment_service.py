"""Payments: opens payment pages, receives the provider's events and asks it for the state of purchases.

No transaction is open while the provider is called.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Database
from app.domain.payments import (
    UNOPENED_EXPIRE_AFTER,
    Checkout,
    CheckoutRequest,
    Payment,
    PaymentRefusedError,
    Payments,
    PaymentsUnavailableError,
    PurchaseState,
)
from app.models import Organization, Purchase
from app.services.accounts import organizations
from app.services.billing import payment_settlement, purchases
from app.services.billing.purchases import PurchaseRequest

log = logging.getLogger(__name__)

MAX_POLLED = 20


@dataclass(frozen=True, slots=True)
class ReturnUrls:
    """Where the payment page sends a buyer, by the purchase's id: `paid` after paying, `back` if they did not."""

    paid: Callable[[str], str]
    back: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PaymentService:
    """Takes payments; the fields are what that needs. `seller`: who sells, as it stands on receipts."""

    database: Database
    payments: Payments
    clock: Callable[[], datetime]
    seller: str

    def begin(self, account_id: str, wanted: PurchaseRequest, urls: ReturnUrls) -> Purchase:
        """Begin the purchase of this form and open its payment page; a form sent twice, even at once, makes only
        one.

        Raises InvalidRequest for an amount not on sale, Conflict when too many purchases wait to be paid, and
        PaymentsUnavailableError or PaymentRefusedError when the page cannot be opened: sending the form again
        continues the same purchase.
        """
        with self.database.unit_of_work() as session:
            purchase = purchases.begin(session, account_id, wanted, self.payments.provider, self.clock())
            email = organizations.get_owner(session, account_id).user.email
        if purchase.session_id is not None or purchase.state is not PurchaseState.OPEN:
            return purchase
        checkout = self._open(purchase, email, urls)
        with self.database.unit_of_work() as session:
            return purchases.attach(session, purchase.id, checkout)

    def receive(self, body: bytes, signature: str) -> None:
        """Process an event of the provider, once however often it is sent; events about others are ignored.

        Raises InvalidSignatureError, and PaymentsUnavailableError when the provider has to be asked which purchase
        the event is about and is unreachable: then the provider must send the event again.
        """
        event = self.payments.read(body, signature)
        if event.payment is None:
            return
        purchase_id = self._find_purchase(event.payment)
        with self.database.unit_of_work() as session:
            if purchase_id is not None:
                purchases.lock(session, purchase_id)
            if not purchases.record_event(session, event.id, event.kind, purchase_id, self.clock()):
                return
            if purchase_id is not None:
                payment_settlement.settle(session, purchase_id, event.payment, self.seller, self.clock())
            else:
                log.warning("payment event %s (%s) is of no purchase of ours", event.id, event.kind)

    def list_unreported(self) -> list[str]:
        """Up to MAX_POLLED undecided purchases to ask() about: the provider has sent no event for too long."""
        with self.database.read_session() as session:
            return purchases.list_undecided(session, self.payments.provider, self.clock(), MAX_POLLED)

    def ask(self, purchase_id: str, gap: timedelta = timedelta(0)) -> None:
        """Ask the provider for the state of an undecided purchase, unless it was asked less than `gap` ago.

        An unreachable provider changes nothing.
        """
        with self.database.unit_of_work() as session:
            provider = self.payments.provider
            purchase = purchases.claim_poll(session, purchase_id, provider, gap, self.clock())
            buyer = session.get_one(Organization, purchase.account_id) if purchase is not None else None
        if purchase is None or buyer is None:
            return
        if purchase.session_id is None:
            self._expire_unopened(purchase)
            return
        try:
            payment = self._look_up(purchase.session_id, closing=buyer.deleted_at is not None)
        except PaymentsUnavailableError as error:
            log.warning("purchase %s: its provider cannot be asked: %s", purchase.id, error)
            return
        with self.database.unit_of_work() as session:
            payment_settlement.settle(session, purchase.id, payment, self.seller, self.clock())

    def _open(self, purchase: Purchase, email: str, urls: ReturnUrls) -> Checkout:
        request = CheckoutRequest(
            purchase_id=purchase.id,
            account_id=purchase.account_id,
            credits=purchase.credits,
            price_cents=purchase.price_cents,
            currency=purchase.currency,
            email=email,
            paid_url=urls.paid(purchase.id),
            back_url=urls.back(purchase.id),
        )
        try:
            return self.payments.begin(request)
        except (PaymentsUnavailableError, PaymentRefusedError) as error:
            log.error("purchase %s: no payment page: %s", purchase.id, error)
            raise

    def _look_up(self, session_id: str, *, closing: bool) -> Payment:
        """The payment as the provider knows it now; `closing`: first close the page, so that nobody pays there."""
        try:
            if closing:
                self.payments.close(session_id)
            return self.payments.look_up(session_id)
        except PaymentRefusedError as error:
            log.warning("payment page %s is unknown to its provider: %s", session_id, error)
            return Payment(session_id=session_id, state=PurchaseState.EXPIRED)

    def _expire_unopened(self, purchase: Purchase) -> None:
        now = self.clock()
        if now - purchase.created_at >= UNOPENED_EXPIRE_AFTER:
            with self.database.unit_of_work() as session:
                payment_settlement.expire(session, purchase.id, now)

    def _find_purchase(self, payment: Payment) -> str | None:
        """The id of the purchase that was paid for: from our database, else by asking the provider; None when the
        payment is for no purchase of ours.
        """
        provider = self.payments.provider
        with self.database.read_session() as session:
            found = purchases.find_reported(session, provider, payment)
            if found is not None or payment.purchase_id is not None or payment.payment_id is None:
                return found
        answer = Payment(purchase_id=self.payments.purchase_of(payment.payment_id))
        if answer.purchase_id is None:
            return None
        with self.database.read_session() as session:
            return purchases.find_reported(session, provider, answer)
