"""Links sent by mail: what each is for and how long it holds."""

from datetime import timedelta
from enum import StrEnum


class LinkPurpose(StrEnum):
    """What those who open the link may do."""

    CONFIRM = "confirm"
    RESET = "reset"
    CHANGE_EMAIL = "change_email"


HOLDS: dict[LinkPurpose, timedelta] = {
    LinkPurpose.CONFIRM: timedelta(days=3),
    LinkPurpose.RESET: timedelta(hours=1),
    LinkPurpose.CHANGE_EMAIL: timedelta(hours=24),
}
SEND_AGAIN_AFTER = timedelta(minutes=5)
"""While a link is still good, the next of its kind is sent no sooner."""
