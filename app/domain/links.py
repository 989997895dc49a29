"""Links sent by mail: their purposes, and how long each is valid."""

from datetime import timedelta
from enum import StrEnum


class LinkPurpose(StrEnum):
    """What a link is for: to confirm the e-mail, to set a new password, to confirm a new e-mail."""

    CONFIRM = "confirm"
    RESET = "reset"
    CHANGE_EMAIL = "change_email"


VALID_FOR: dict[LinkPurpose, timedelta] = {
    LinkPurpose.CONFIRM: timedelta(days=3),
    LinkPurpose.RESET: timedelta(hours=1),
    LinkPurpose.CHANGE_EMAIL: timedelta(hours=24),
}
SEND_AGAIN_AFTER = timedelta(minutes=5)
"""How long after a link that is still valid another link for the same purpose may be sent."""
