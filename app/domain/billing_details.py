"""The buyer's details on receipts: company, postal address and tax number."""

from dataclasses import dataclass

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_COMPANY, MAX_ADDRESS, MAX_ADDRESS_LINES, MAX_TAX_ID = 200, 500, 8, 40
_FIELDS = (
    ("company", "company", MAX_COMPANY),
    ("address", "address", MAX_ADDRESS),
    ("tax_id", "tax number", MAX_TAX_ID),
)


@dataclass(frozen=True, slots=True)
class BillingDetails:
    """What a receipt says about its buyer besides name and e-mail address; empty if nothing was given."""

    company: str = ""
    address: str = ""
    tax_id: str = ""


def read_billing_details(company: str, address: str, tax_id: str) -> BillingDetails:
    """The details as they are stored: company and tax number on one line each, the address without empty lines.

    Raises InvalidRequest, which names every field that is too long or has too many lines.
    """
    lines = [line for line in map(one_line, address.splitlines()) if line]
    details = BillingDetails(one_line(company), "\n".join(lines), one_line(tax_id))
    faults = {
        name: f"The {label} must have at most {limit} characters."
        for name, label, limit in _FIELDS
        if len(getattr(details, name)) > limit
    }
    if len(lines) > MAX_ADDRESS_LINES:
        faults["address"] = f"The address must have at most {MAX_ADDRESS_LINES} lines."
    if faults:
        raise InvalidRequest(faults)
    return details
