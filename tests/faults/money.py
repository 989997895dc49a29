"""Accounts, orders, refunds, purchases and revocations in any order, against a model that only adds up.

A state machine for Hypothesis: `machine(container)` gives its class, over real services and a real database.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.container import Container
from app.domain.budgets import Payer
from app.domain.errors import InsufficientCredits
from app.domain.lifecycle import REFUNDED, Status
from app.domain.order_rules import read_order
from app.domain.payments import Dispute, Payment, credits_to_deduct
from app.domain.pricing import quote
from app.models import Job, Organization, Purchase
from app.services import audit
from app.services.billing import credits
from app.services.orders import jobs, orders
from app.services.photos import photos
from app.services.uploads import uploads
from tests.conftest import order_body, photo_worker
from tests.fakes import FakeClock, photo
from tests.services.purchasing import Shop, opened

PHOTOS = {each: photo(each) for each in ("fine", "DECLINE", "HALF", "BLANK", "BROKEN")}
"""What becomes of a photo by its content: tests/fakes.py."""
ENHANCEMENTS = ("hdr_enhancement", "declutter", "virtual_staging")
KINDS = st.lists(st.sampled_from(sorted(PHOTOS)), min_size=1, max_size=3)
AMOUNTS = st.integers(0, 40).map(lambda halves: Decimal(halves) / 2)


@dataclass
class Bought:
    """A purchase as the model keeps it: what was told of it, and what was taken back."""

    purchase: Purchase
    paid: bool = False
    back_cents: int = 0
    dispute: Dispute | None = None
    taken: Decimal = Decimal(0)

    @property
    def due(self) -> Decimal:
        """The credits that shall have gone, as far as the balance reaches."""
        held = self.purchase.price_cents if self.dispute in (Dispute.OPEN, Dispute.LOST) else 0
        return credits_to_deduct(self.purchase.credits, self.back_cents + held, self.purchase.price_cents)


@dataclass
class Model:
    """One account: what it must have, by adding up."""

    shop: Shop
    balance: Decimal
    open_jobs: list[str] = field(default_factory=list)
    placed: list[dict[str, Any]] = field(default_factory=list)
    bought: list[Bought] = field(default_factory=list)


class Money(RuleBasedStateMachine):
    """One account with money that moves; `container` is set by machine()."""

    container: Container
    numbers: Iterator[int]

    @initialize(amount=AMOUNTS)
    def open_account(self, amount: Decimal) -> None:
        shop = opened(self.container, f"jo{next(self.numbers)}@example.com", str(amount))
        self.model = Model(shop, amount)

    @rule(amount=AMOUNTS, down=st.booleans())
    def adjust(self, amount: Decimal, down: bool) -> None:
        change = -amount if down else amount
        with self._refused_below_zero(change), self.container.database.unit_of_work() as session:
            credits.adjust(session, self.model.shop.account_id, change, "adjusted", self.container.clock())

    @rule(
        kinds=st.lists(st.sampled_from(sorted(PHOTOS)), min_size=1, max_size=3), what=st.sampled_from(ENHANCEMENTS)
    )
    def order(self, kinds: list[str], what: str) -> None:
        here, account_id = self.container, self.model.shop.account_id
        with here.database.unit_of_work() as session:
            room = uploads.open_session(session, account_id, here.upload_quota, here.clock(), len(kinds))
            keys = [slot.key for slot in uploads.list_slots(room)]
        for key, kind in zip(keys, kinds, strict=True):
            writing = here.storage.create(key, 10_000)
            writing.write(PHOTOS[kind])
            writing.publish()
        files = {"uploadSessionId": room.id, "interiorFiles": [{"filePath": key} for key in keys]}
        body = {**order_body(), **files, "interiorEnhancements": [what]}
        cost = quote([photo.priced for photo in read_order(body, False).photos()]).credits
        with self._refused_below_zero(-cost):
            self.model.open_jobs.append(self._place(body))
            self.model.placed.append(body)

    @precondition(lambda self: self.model.placed)
    @rule(data=st.data())
    def order_the_same_again(self, data: st.DataObject) -> None:
        self._place(data.draw(st.sampled_from(self.model.placed)))

    @precondition(lambda self: self.model.open_jobs)
    @rule(data=st.data(), late=st.booleans())
    def settle_a_job(self, data: st.DataObject, late: bool) -> None:
        job_id = data.draw(st.sampled_from(self.model.open_jobs))
        self.model.open_jobs.remove(job_id)
        here = self.container
        if late:
            now = here.clock() + here.time_limit
            with here.database.unit_of_work() as session:
                jobs.fail_if_overdue(session, job_id, now)
                jobs.fail_if_overdue(session, job_id, now)
        else:
            with here.database.read_session() as session:
                its = [each.id for each in session.get_one(Job, job_id).photos]
                assert set(its) <= set(photos.due(session, here.clock(), 1000))
            for photo_id in [*its, *its]:
                photo_worker(here).process(photo_id)
        with here.database.read_session() as session:
            job = session.get_one(Job, job_id)
        assert job.status is not Status.PENDING
        assert job.credits_refunded == job.credit_cost if job.status in REFUNDED else job.credits_refunded >= 0
        self.model.balance += job.credits_refunded

    @rule(amount=st.sampled_from(["5", "7.5", "20"]))
    def begin_a_purchase(self, amount: str) -> None:
        made = self.model.shop.buy(amount, form=f"form-{len(self.model.bought)}")
        self.model.bought.append(Bought(made))

    @precondition(lambda self: self.model.bought)
    @rule(data=st.data(), times=st.integers(1, 2))
    def pay(self, data: st.DataObject, times: int) -> None:
        self._told(data.draw(st.sampled_from(self.model.bought)), times)

    @precondition(lambda self: any(each.paid for each in self.model.bought))
    @rule(data=st.data(), part=st.integers(1, 4), times=st.integers(1, 2))
    def pay_back(self, data: st.DataObject, part: int, times: int) -> None:
        bought = data.draw(st.sampled_from([each for each in self.model.bought if each.paid]))
        bought.back_cents = max(bought.back_cents, bought.purchase.price_cents * part // 4)
        self._told(bought, times)

    @precondition(lambda self: any(each.paid for each in self.model.bought))
    @rule(data=st.data(), dispute=st.sampled_from(Dispute))
    def dispute(self, data: st.DataObject, dispute: Dispute) -> None:
        bought = data.draw(st.sampled_from([each for each in self.model.bought if each.paid]))
        order = (None, Dispute.OPEN, Dispute.LOST, Dispute.WON)
        bought.dispute = max(bought.dispute, dispute, key=order.index)
        self._told(bought, 1)

    @invariant()
    def the_balance_is_what_was_added_up(self) -> None:
        if hasattr(self, "model"):
            assert self._account().credits == self.model.balance >= 0

    def teardown(self) -> None:
        with self.container.database.read_session() as session:
            assert list(audit.find_mismatches(session, self.container.storage)) == []

    def _told(self, bought: Bought, times: int) -> None:
        """The provider tells how the payment stands, perhaps twice; the model follows."""
        shop, price = self.model.shop, bought.purchase.price_cents
        disputed = {"dispute": bought.dispute, "disputed_cents": price} if bought.dispute else {}
        payment: Payment = shop.paid(bought.purchase, refunded_cents=bought.back_cents, **disputed)
        if not bought.paid:
            bought.paid = True
            self.model.balance += bought.purchase.credits
        for _ in range(times):
            change = min(bought.due - bought.taken, self.model.balance)
            self.model.balance -= change
            bought.taken += change
            shop.tell(payment)
        assert shop.now(bought.purchase).credits_taken == bought.taken

    def _place(self, body: dict[str, Any]) -> str:
        here, account_id = self.container, self.model.shop.account_id
        order = read_order(body, False)
        found = uploads.stat_files(here.storage, order.upload_session_id, orders.list_named_files(order).values())
        with here.database.unit_of_work() as session:
            place: Callable[..., orders.PlacedOrder] = partial(
                orders.place, session, Payer(account_id), order, found
            )
            return place(here.clock(), here.time_limit).job.id

    def _account(self) -> Organization:
        return self.model.shop.account()

    @contextmanager
    def _refused_below_zero(self, change: Decimal) -> Iterator[None]:
        """The change is made, or refused where it would leave less than nothing."""
        refused = False
        try:
            yield
        except InsufficientCredits:
            refused = True
        assert refused == (self.model.balance + change < 0)
        if not refused:
            self.model.balance += change


def machine(container: Container, numbers: Iterator[int]) -> type[Money]:
    """The state machine over these parts; each run takes a number for an account of its own."""
    assert isinstance(container.clock, FakeClock)
    return type("MoneyOfThis", (Money,), {"container": container, "numbers": numbers})
