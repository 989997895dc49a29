"""Payments: opens payment pages, receives the provider's events, and asks the provider for the state of purchases.

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
from app.services.accounts import organizations, users
from app.services.billing import payment_settlement, purchases
from app.services.billing.purchases import PurchaseRequest

log = logging.getLogger(__name__)

MAX_POLLED = 20
"""The maximum number of purchases about which one run of the sweep asks the provider."""


@dataclass(frozen=True, slots=True)
class ReturnUrls:
    """The pages to which the payment page sends a buyer: `paid` after the payment, `back` without one. Both make a
    URL from the purchase's id.
    """

    paid: Callable[[str], str]
    back: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PaymentService:
    """Takes payments for purchases of credits. `seller`: the seller's name and address for receipts."""

    database: Database
    payments: Payments
    clock: Callable[[], datetime]
    seller: str

    def begin(self, account_id: str, wanted: PurchaseRequest, urls: ReturnUrls) -> Purchase:
        """Begin the purchase of this form and open its payment page. If the form is sent twice, even at the same
        time, only one purchase is begun.

        Raises InvalidRequest for an amount that is not on sale, Conflict when too many purchases are not paid yet,
        and PaymentsUnavailableError or PaymentRefusedError when the page cannot be opened; then the same form, sent
        again, continues the same purchase.
        """
        with self.database.unit_of_work() as session:
            purchase = purchases.begin(session, account_id, wanted, self.payments.provider, self.clock())
            buyer = users.get(session, purchase.bought_by) if purchase.bought_by else None
            email = (buyer or organizations.get_owner(session, account_id).user).email
        if purchase.session_id is not None or purchase.state is not PurchaseState.OPEN:
            return purchase
        checkout = self._open(purchase, email, urls)
        with self.database.unit_of_work() as session:
            return purchases.attach(session, purchase.id, checkout)

    def receive(self, body: bytes, signature: str) -> None:
        """Process an event of the provider. It has an effect only once, even if it is sent several times; an event
        about no purchase of ours is only recorded.

        Raises InvalidSignatureError. Raises PaymentsUnavailableError when the provider must be asked which purchase
        the event is about, and is unreachable: then the provider must send the event again.
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
        """The ids of at most MAX_POLLED undecided purchases about which the provider has sent no event for too
        long.
        """
        with self.database.read_session() as session:
            return purchases.list_undecided(session, self.payments.provider, self.clock(), MAX_POLLED)

    def ask(self, purchase_id: str, gap: timedelta = timedelta(0)) -> None:
        """Ask the provider for the state of an undecided purchase, unless it was asked less than `gap` ago.

        If the provider is unreachable, nothing is changed.
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
        """The payment as the provider reports it now. `closing`: first close the payment page, so that nobody can
        pay there.
        """
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
        """The id of the purchase that was paid, from our database or, if it is not found there, from the provider;
        None when the payment is for no purchase of ours.
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
