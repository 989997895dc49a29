"""Where a property is advertised, in a few words."""

from app.domain.disclosure.listing import Listing
from app.domain.disclosure.rule_files import DEFAULT_RULE
from app.domain.disclosure.rules import RuleKind


def describe_listing(listing: Listing) -> str:
    """The listing service and, in parentheses, the law that applies, such as `CRMLS (California)`."""
    names = {rule.kind: rule.short_name for rule in listing.rules if rule.id != DEFAULT_RULE}
    law = names.get(RuleKind.JURISDICTION)
    return f"{names.get(RuleKind.MLS, 'no listing service')}{f' ({law})' if law else ''}"
