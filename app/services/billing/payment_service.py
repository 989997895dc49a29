"""Payments: opens payment pages, listens to the provider and asks it, with no transaction open meanwhile."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Database
from app.domain.payments import (
    UNOPENED_EXPIRE_AFTER,
    Basket,
    Checkout,
    Payment,
    PaymentRefusedError,
    Payments,
    PaymentsUnavailableError,
    PurchaseState,
)
from app.models import Organization, Purchase
from app.services.accounts import organizations
from app.services.billing import purchases, settlement
from app.services.billing.purchases import PurchaseRequest

log = logging.getLogger(__name__)

MOST_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class ReturnUrls:
    """Where a buyer comes back to, from the purchase's id: having paid, and having turned back."""

    paid: Callable[[str], str]
    back: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PaymentService:
    """What taking money needs. `seller`: who sells, as receipts say it."""

    database: Database
    payments: Payments
    clock: Callable[[], datetime]
    seller: str

    def begin(self, account_id: str, wanted: PurchaseRequest, ways: ReturnUrls) -> Purchase:
        """The purchase of this form with its payment page; pressed twice, also at once, it is the same.

        Raises InvalidRequest for an amount not on sale, Conflict, and PaymentsUnavailableError or
        PaymentRefusedError when there is no page: sent again, the form goes on where it was.
        """
        with self.database.unit_of_work() as session:
            purchase = purchases.begin(session, account_id, wanted, self.payments.provider, self.clock())
            email = organizations.owner(session, account_id).user.email
        if purchase.session_id is not None or purchase.state is not PurchaseState.OPEN:
            return purchase
        checkout = self._open(purchase, email, ways)
        with self.database.unit_of_work() as session:
            return purchases.attach(session, purchase.id, checkout)

    def receive(self, body: bytes, signature: str) -> None:
        """Take in a message of the provider, once however often it is sent; what is not about us is passed over.

        Raises InvalidSignatureError, and PaymentsUnavailableError when the provider has to be asked what it means
        and cannot be: it must be sent again.
        """
        news = self.payments.read(body, signature)
        if news.payment is None:
            return
        purchase_id = self._purchase_of(news.payment)
        with self.database.unit_of_work() as session:
            if purchase_id is not None:
                purchases.lock(session, purchase_id)
            if not purchases.record_message(session, news.id, news.kind, purchase_id, self.clock()):
                return
            if purchase_id is not None:
                settlement.settle(session, purchase_id, news.payment, self.seller, self.clock())
            else:
                log.warning("payment event %s (%s) is of no purchase of ours", news.id, news.kind)

    def unheard(self) -> list[str]:
        """Some purchases of which nothing was heard for long."""
        with self.database.read_session() as session:
            return purchases.list_undecided(session, self.payments.provider, self.clock(), MOST_AT_ONCE)

    def ask(self, purchase_id: str, gap: timedelta = timedelta(0)) -> None:
        """Ask the provider how an undecided purchase stands, unless that was done less than `gap` ago.

        A provider that cannot be reached changes nothing.
        """
        with self.database.unit_of_work() as session:
            provider = self.payments.provider
            purchase = purchases.claim_look(session, purchase_id, provider, gap, self.clock())
            buyer = session.get_one(Organization, purchase.account_id) if purchase is not None else None
        if purchase is None or buyer is None:
            return
        if purchase.session_id is None:
            self._give_up(purchase)
            return
        try:
            payment = self._stands(purchase.session_id, closing=buyer.deleted_at is not None)
        except PaymentsUnavailableError as error:
            log.warning("purchase %s: its provider cannot be asked: %s", purchase.id, error)
            return
        with self.database.unit_of_work() as session:
            settlement.settle(session, purchase.id, payment, self.seller, self.clock())

    def _open(self, purchase: Purchase, email: str, ways: ReturnUrls) -> Checkout:
        basket = Basket(
            purchase_id=purchase.id,
            account_id=purchase.account_id,
            credits=purchase.credits,
            price_cents=purchase.price_cents,
            currency=purchase.currency,
            email=email,
            paid_url=ways.paid(purchase.id),
            back_url=ways.back(purchase.id),
        )
        try:
            return self.payments.begin(basket)
        except (PaymentsUnavailableError, PaymentRefusedError) as error:
            log.error("purchase %s: no payment page: %s", purchase.id, error)
            raise

    def _stands(self, session_id: str, *, closing: bool) -> Payment:
        """How the payment stands; `closing`: nobody is to pay it any more."""
        try:
            if closing:
                self.payments.close(session_id)
            return self.payments.look_up(session_id)
        except PaymentRefusedError as error:
            log.warning("payment page %s is unknown to its provider: %s", session_id, error)
            return Payment(session_id=session_id, state=PurchaseState.EXPIRED)

    def _give_up(self, purchase: Purchase) -> None:
        now = self.clock()
        if now - purchase.created_at >= UNOPENED_EXPIRE_AFTER:
            with self.database.unit_of_work() as session:
                settlement.expire(session, purchase.id, now)

    def _purchase_of(self, payment: Payment) -> str | None:
        """Which purchase it is about: by what we know, else the provider is asked."""
        provider = self.payments.provider
        with self.database.read_session() as session:
            found = purchases.find_reported(session, provider, payment)
            if found is not None or payment.purchase_id is not None or payment.payment_id is None:
                return found
        asked = Payment(purchase_id=self.payments.purchase_of(payment.payment_id))
        if asked.purchase_id is None:
            return None
        with self.database.read_session() as session:
            return purchases.find_reported(session, provider, asked)
