"""From what a provider tells to credits: given once, taken back as far as the money went back."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.payments import Dispute, Payment, PurchaseState
from app.models import Mail, Purchase, User
from tests import acts
from tests.services.purchasing import SELLER, Shop, refunded

AWAITED, EXPIRED, FAILED, OPEN, PAID = (
    PurchaseState(each) for each in ("awaited", "expired", "failed", "open", "paid")
)


@pytest.fixture
def purchase(shop: Shop) -> Purchase:
    return shop.buy("50")


def disputed(purchase: Purchase, dispute: Dispute, cents: int = 5500) -> Payment:
    return Payment(payment_id=f"pi_{purchase.id}", dispute=dispute, disputed_cents=cents)


def flags(shop: Shop) -> str:
    account = shop.account()
    assert (account.flagged_at is None) == (account.flag_reason is None)
    return account.flag_reason or ""


def test_what_is_paid_is_credited_with_a_line_that_says_so(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    now = shop.now(purchase)
    assert (now.state, now.paid_at, now.ended_at) == (PAID, shop.container.clock(), shop.container.clock())
    assert shop.lines() == [("purchase", 50, "Bought 50 credits")]
    assert shop.balance() == 50


@pytest.mark.parametrize(("amount", "reason"), [("0.5", "Bought 0.5 credits"), ("1", "Bought 1 credit")])
def test_the_line_says_how_many(shop: Shop, amount: str, reason: str) -> None:
    shop.tell(shop.paid(shop.buy(amount)))
    assert shop.lines() == [("purchase", Decimal(amount), reason)]


def test_the_receipt_says_buyer_and_seller_as_they_are_called_then(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    with shop.container.database.unit_of_work() as session:
        session.get_one(User, shop.account_id).name = "Somebody Else"
    (receipt,) = shop.receipts()
    assert (receipt.purchase_id, receipt.number) == (purchase.id, 1)
    assert (receipt.buyer_name, receipt.buyer_email, receipt.seller) == ("Jo Agent", "jo@example.com", SELLER)


def test_the_receipt_goes_out_by_mail_once(shop: Shop, purchase: Purchase) -> None:
    for number in range(2):
        shop.tell(shop.paid(purchase), f"evt_mail_{number}")
    with shop.container.database.read_session() as session:
        assert [each.to for each in session.query(Mail)] == ["jo@example.com"]


def test_the_same_message_again_changes_nothing(shop: Shop, purchase: Purchase) -> None:
    for _ in range(3):
        shop.tell(shop.paid(purchase), "evt_same")
    assert (shop.balance(), len(shop.events()), len(shop.receipts())) == (50, 1, 1)


def test_another_message_of_the_same_payment_credits_nothing_more(shop: Shop, purchase: Purchase) -> None:
    for number in range(3):
        shop.tell(shop.paid(purchase), f"evt_{number}_of_it")
    shop.payment_service.ask(purchase.id)
    assert (shop.balance(), len(shop.events()), len(shop.receipts())) == (50, 3, 1)


@pytest.mark.parametrize("before", [EXPIRED, FAILED, AWAITED])
def test_what_is_paid_after_all_is_credited(shop: Shop, purchase: Purchase, before: PurchaseState) -> None:
    shop.tell(replace(shop.paid(purchase), state=before, payment_id=None))
    assert (shop.now(purchase).state, shop.balance()) == (before, 0)
    shop.tell(shop.paid(purchase))
    assert (shop.now(purchase).state, shop.balance()) == (PAID, 50)


@pytest.mark.parametrize("late", [OPEN, AWAITED, EXPIRED, FAILED])
def test_old_news_does_not_undo_what_is_paid(shop: Shop, purchase: Purchase, late: PurchaseState) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(replace(shop.paid(purchase), state=late))
    assert (shop.now(purchase).state, shop.balance()) == (PAID, 50)


def test_a_bank_that_said_no_is_not_overruled_by_its_earlier_yes(shop: Shop, purchase: Purchase) -> None:
    for state in (FAILED, AWAITED, OPEN):
        shop.tell(replace(shop.paid(purchase), state=state))
    assert (shop.now(purchase).state, shop.balance()) == (FAILED, 0)


WRONG = {
    "the amount $1.00, not $55.00": {"amount_cents": 100},
    "the amount $0.00, not $55.00": {"amount_cents": 0},
    "the currency jpy, not usd": {"currency": "jpy"},
    "the account acc_nobodys, not {account}": {"account_id": "acc_nobodys"},
    "the payment page cs_another, not {page}": {"session_id": "cs_another"},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_agree_gives_nothing_and_is_kept_for_staff(
    shop: Shop, purchase: Purchase, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    shop.tell(shop.paid(purchase, **WRONG[wrong]), "evt_wrong")
    now = shop.now(purchase)
    assert (now.state, shop.balance(), shop.receipts()) == (OPEN, 0, [])
    told = wrong.format(account=purchase.account_id, page=purchase.session_id)
    assert now.problem == f"The payment provider reported {told}."
    assert purchase.id in flags(shop)
    assert purchase.id in caplog.text
    # Told rightly later, it is credited; what was wrong stays for somebody to look at.
    shop.tell(shop.paid(purchase), "evt_right")
    assert (shop.now(purchase).state, shop.balance(), shop.now(purchase).problem) == (PAID, 50, now.problem)


def test_a_purchase_with_a_problem_is_not_asked_about_any_more(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase, amount_cents=1))
    shop.container.clock.pass_(days=1)
    assert shop.payment_service.list_unreported() == []


def test_another_page_of_the_purchase_that_expires_is_no_problem(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase, session_id="cs_older", state=EXPIRED))
    assert (shop.now(purchase).state, shop.now(purchase).problem, flags(shop)) == (OPEN, None, "")


def test_paid_twice_on_two_pages_is_credited_once_and_told_to_staff(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(shop.paid(purchase, session_id="cs_other", payment_id="pi_other"))
    assert shop.balance() == 50
    assert "cs_other" in (shop.now(purchase).problem or "")


def test_a_payment_for_no_purchase_of_ours_is_noted(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase, purchase_id="pur_" + "x" * 22))
    shop.tell(Payment(payment_id="pi_nobodys", refunded_cents=5))
    assert [(each.purchase_id, each.note) for each in shop.events()] == [(None, "No purchase of ours.")] * 2
    assert shop.balance() == 0


def test_a_full_refund_takes_exactly_what_was_bought(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(refunded(purchase, 5500))
    assert shop.balance() == 0
    assert shop.lines()[1:] == [("reversal", -50, "Taken back: payment refunded")]
    assert (shop.now(purchase).credits_taken, shop.now(purchase).credits_owed, flags(shop)) == (50, 0, "")


def test_partial_refunds_take_their_share_in_the_buyer_s_favor_and_end_exactly(shop: Shop) -> None:
    purchase = shop.buy("7.5")  # 9.00 dollars
    shop.tell(shop.paid(purchase))
    left = []
    for cents in (1, 100, 333, 899, 900):
        shop.tell(refunded(purchase, cents))
        left.append(shop.balance())
    assert left == [Decimal(each) for each in ("7.5", "6.67", "4.73", "0.01", "0")]
    assert sum(amount for _, amount, _ in shop.lines()) == 0


def test_an_older_word_of_refunds_takes_nothing_back(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    for cents in (2750, 1000, 2750):
        shop.tell(refunded(purchase, cents))
    assert (shop.balance(), shop.now(purchase).refunded_cents) == (25, 2750)


def test_a_refund_after_the_credits_were_spent_leaves_zero_and_a_flag(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.spend("45")
    shop.tell(refunded(purchase, 5500))
    now = shop.now(purchase)
    assert (shop.balance(), now.credits_taken, now.credits_owed) == (0, 5, 45)
    assert "the credits are spent" in flags(shop)


def test_a_refund_with_nothing_left_writes_no_line(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.spend("50")
    shop.tell(refunded(purchase, 5500))
    assert [kind for kind, *_ in shop.lines()] == ["purchase"]
    assert shop.now(purchase).credits_owed == 50


def test_the_credits_of_another_purchase_are_taken_before_anything_is_owed(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.spend("50")
    shop.tell(shop.paid(shop.buy("10", "form-2")))
    shop.tell(refunded(purchase, 5500))
    assert (shop.balance(), shop.now(purchase).credits_owed) == (0, 40)


def test_a_dispute_holds_the_credits_and_flags_the_account(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(disputed(purchase, Dispute.OPEN))
    assert (shop.balance(), shop.lines()[-1]) == (0, ("reversal", -50, "Taken back: payment disputed"))
    assert "disputed" in flags(shop)


def test_a_dispute_that_is_won_gives_back_what_was_taken(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.spend("20")
    shop.tell(disputed(purchase, Dispute.OPEN))
    assert (shop.balance(), shop.now(purchase).credits_owed) == (0, 20)
    shop.tell(disputed(purchase, Dispute.WON))
    now = shop.now(purchase)
    assert (shop.balance(), now.credits_taken, now.credits_owed) == (30, 0, 0)
    assert shop.lines()[-1] == ("reversal", 30, "Given back: dispute won")


def test_a_dispute_that_is_lost_gives_nothing_back(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    for dispute in (Dispute.OPEN, Dispute.LOST, Dispute.OPEN):
        shop.tell(disputed(purchase, dispute))
    assert (shop.balance(), shop.now(purchase).dispute) == (0, Dispute.LOST)


def test_a_dispute_about_a_part_takes_a_part(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(disputed(purchase, Dispute.OPEN, 1100))
    assert shop.balance() == 40


def test_taken_given_and_taken_again_adds_up(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    for told in (disputed(purchase, Dispute.OPEN), disputed(purchase, Dispute.WON), refunded(purchase, 5500)):
        shop.tell(told)
    assert [amount for _, amount, _ in shop.lines()] == [50, -50, 50, -50]
    assert shop.balance() == 0


def test_refund_and_dispute_together_take_no_more_than_was_bought(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.spend("10")
    shop.tell(refunded(purchase, 3000))
    shop.tell(disputed(purchase, Dispute.LOST))
    assert (shop.now(purchase).credits_taken, shop.now(purchase).credits_owed) == (40, 10)


def test_a_dispute_told_before_the_payment_is_found_by_asking_the_provider(shop: Shop, purchase: Purchase) -> None:
    paid = shop.paid(purchase)
    shop.tell(disputed(purchase, Dispute.OPEN))
    assert shop.payments.calls[-1] == "purchase_of"
    shop.tell(paid)
    assert (shop.balance(), shop.now(purchase).credits_taken) == (0, 50)


def test_a_refund_that_failed_is_told_to_staff(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    shop.tell(Payment(payment_id=f"pi_{purchase.id}", trouble="The refund re_1 did not reach the buyer."))
    assert shop.now(purchase).problem == "The refund re_1 did not reach the buyer."
    assert "re_1" in flags(shop)


def test_what_is_paid_after_the_account_was_deleted_is_kept_for_staff(shop: Shop, purchase: Purchase) -> None:
    acts.delete_account(shop.container, shop.account_id)
    shop.tell(shop.paid(purchase))
    now = shop.now(purchase)
    assert (now.state, shop.balance(), shop.receipts()) == (OPEN, 0, [])
    assert "after the account was deleted" in (now.problem or "")
    assert purchase.id in flags(shop)


def test_the_open_page_of_a_deleted_account_is_closed_by_the_sweep(shop: Shop, purchase: Purchase) -> None:
    acts.delete_account(shop.container, shop.account_id)
    shop.payment_service.ask(purchase.id)
    assert shop.payments.calls == ["begin", "close", "look_up"]
    assert shop.now(purchase).state is EXPIRED


def test_a_refund_after_the_account_was_deleted_is_owed(shop: Shop, purchase: Purchase) -> None:
    shop.tell(shop.paid(purchase))
    acts.delete_account(shop.container, shop.account_id)
    shop.tell(refunded(purchase, 5500))
    assert (shop.balance(), shop.now(purchase).credits_owed) == (0, 50)
