"""The form that buys credits: a pack or any amount in halves, wherever it stands, and what was sent with it."""

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
_USUAL = "50"
_AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
MAX_TYPED = 20
NOT_FOR_SALE = Decimal(-1)
"""Not on sale."""


@dataclass(frozen=True, slots=True)
class PurchaseForm:
    """The form as it stands on a page. `pack` is the chosen one or OTHER, with `credits` as it was typed."""

    pack: str
    credits: str
    draft_id: str
    available: bool
    demo: bool
    error: str = ""

    @property
    def packs(self) -> Sequence[Offer]:
        """What is on offer."""
        return credit_packs.PACKS

    @property
    def other(self) -> str:
        """The choice of any amount."""
        return OTHER

    @property
    def priced(self) -> Offer | None:
        """What the typed amount costs, if it can be bought."""
        amount = _read_amount(self.credits)
        return credit_packs.offer(amount) if self.pack == OTHER and credit_packs.on_sale(amount) else None

    @property
    def limits(self) -> tuple[Decimal, Decimal, Decimal]:
        """The fewest credits, the most, and the step between."""
        return credit_packs.FEWEST, credit_packs.MOST, credit_packs.STEP


def build_form(credits: str | None = None, draft_id: str | None = None) -> PurchaseForm:
    """Build the form for this page, whose policy lets it lead to the checkout from now on.

    What is chosen already comes from the address of the page unless it is given: an amount between two halves
    becomes the next half.
    """
    text = request.args.get("credits", "") if credits is None else credits
    amount = _read_amount(text)
    if amount > 0:
        halves = (amount / credit_packs.STEP).to_integral_value(ROUND_CEILING)
        text = f"{(halves * credit_packs.STEP).normalize():f}"
    draft_id = request.args.get("draft", "") if draft_id is None else draft_id
    return _create(_match_pack(text), draft_id)


def rebuild_form(error: str) -> PurchaseForm:
    """Build the form as it was sent, with what is wrong."""
    pack, credits = _read_fields()
    return _create((pack, credits), request.form.get("draft", ""), error)


def read_form() -> PurchaseRequest:
    """Read what was sent."""
    pack, credits = _read_fields()
    amount = _read_amount(credits if pack == OTHER else pack)
    return PurchaseRequest(amount, read_form_token(), request.form.get("draft") or None)


def _read_fields() -> tuple[str, str]:
    return request.form.get("pack", OTHER), _clean(request.form.get("credits", "").strip())


def _match_pack(text: str) -> tuple[str, str]:
    if not text:
        return _USUAL, ""
    known = {f"{pack.credits:f}" for pack in credit_packs.PACKS}
    return (text, "") if text in known else (OTHER, _clean(text))


def _clean(text: str) -> str:
    # What no page can hold is not shown again.
    return one_line(text)[:MAX_TYPED]


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
