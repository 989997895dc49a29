"""The form to buy credits, either a pack or any multiple of half a credit: how it is built and read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from flask import request

from app.domain import credit_packs
from app.domain.credit_packs import Offer
from app.domain.ids import Prefix, is_id
from app.domain.mail_text import one_line
from app.domain.payments import Provider
from app.portal.forms import read_form_token
from app.services.billing.purchases import PurchaseRequest
from app.web.context import container
from app.web.security import allow_form_to

OTHER = "other"
_DEFAULT_PACK = "50"
_AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
MAX_LENGTH = 20
NOT_FOR_SALE = Decimal(-1)
"""The amount that stands for text that is no amount. It is never on sale, so it is refused like any wrong
amount.
"""


@dataclass(frozen=True, slots=True)
class PurchaseForm:
    """The form as a page shows it. `pack`: the chosen pack, or OTHER for the amount typed in `credits`."""

    pack: str
    credits: str
    draft_id: str
    available: bool
    demo: bool
    error: str = ""

    @property
    def packs(self) -> Sequence[Offer]:
        """The credit packs on sale."""
        return credit_packs.PACKS

    @property
    def other(self) -> str:
        """The value of `pack` for an amount of the buyer's choice."""
        return OTHER

    @property
    def offer(self) -> Offer | None:
        """The price of the typed amount; None if it is not on sale."""
        amount = _read_amount(self.credits)
        return credit_packs.offer(amount) if self.pack == OTHER and credit_packs.is_on_sale(amount) else None

    @property
    def limits(self) -> tuple[Decimal, Decimal, Decimal]:
        """The minimum and the maximum of credits on sale, and the step between amounts."""
        return credit_packs.MIN_CREDITS, credit_packs.MAX_CREDITS, credit_packs.STEP


def build_form(credits: str | None = None, draft_id: str | None = None) -> PurchaseForm:
    """Build the form, and let the page's content security policy allow the form to redirect to the checkout.

    `credits` and `draft_id` default to those in the query string. An amount is rounded up to the next half credit.
    """
    text = request.args.get("credits", "") if credits is None else credits
    amount = _read_amount(text)
    if amount > 0:
        halves = (amount / credit_packs.STEP).to_integral_value(ROUND_CEILING)
        text = f"{(halves * credit_packs.STEP).normalize():f}"
    draft_id = request.args.get("draft", "") if draft_id is None else draft_id
    return _create(_match_pack(text), draft_id)


def rebuild_form(error: str) -> PurchaseForm:
    """Build the form as it was sent, with an error."""
    pack, credits = _read_fields()
    return _create((pack, credits), request.form.get("draft", ""), error)


def read_form() -> PurchaseRequest:
    """Read the purchase that was requested."""
    pack, credits = _read_fields()
    amount = _read_amount(credits if pack == OTHER else pack)
    return PurchaseRequest(amount, read_form_token(), request.form.get("draft") or None)


def _read_fields() -> tuple[str, str]:
    return request.form.get("pack", OTHER), _clean(request.form.get("credits", "").strip())


def _match_pack(text: str) -> tuple[str, str]:
    if not text:
        return _DEFAULT_PACK, ""
    known = {f"{pack.credits:f}" for pack in credit_packs.PACKS}
    return (text, "") if text in known else (OTHER, _clean(text))


def _clean(text: str) -> str:
    # Control characters, which a page cannot hold, are replaced before the text is shown again.
    return one_line(text)[:MAX_LENGTH]


def _create(choice: tuple[str, str], draft_id: str, error: str = "") -> PurchaseForm:
    payments = container().payments
    if payments is not None and payments.origin is not None:
        allow_form_to(payments.origin)
    demo = payments is not None and payments.provider is Provider.DEMO
    draft_id = draft_id if is_id(draft_id, Prefix.DRAFT) else ""
    return PurchaseForm(*choice, draft_id=draft_id, available=payments is not None, demo=demo, error=error)


def _read_amount(text: str) -> Decimal:
    plain = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    return Decimal(plain) if _AMOUNT.fullmatch(plain) else NOT_FOR_SALE
