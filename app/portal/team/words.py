"""Texts about acts of members and keys: for each event a sentence without its subject."""

from collections.abc import Mapping

from app.domain.security_events import SecurityEvent

DONE: Mapping[SecurityEvent, str] = {
    SecurityEvent.ORDER_PLACED: "Placed an order",
    SecurityEvent.ORDER_CANCELLED: "Cancelled an order",
    SecurityEvent.RESULT_SENT_BACK: "Sent a result back",
    SecurityEvent.PHOTOS_KEPT: "Kept the photos of a property",
    SecurityEvent.KEEPING_STOPPED: "Stopped keeping the photos of a property",
    SecurityEvent.CREDITS_BOUGHT: "Bought credits",
    SecurityEvent.KEY_MADE: "Created an API key",
    SecurityEvent.KEY_CHANGED: "Changed from which pages an API key takes uploads",
    SecurityEvent.KEY_ROTATED: "Replaced an API key",
    SecurityEvent.KEY_REVOKED: "Revoked an API key",
    SecurityEvent.WEBHOOK_MADE: "Added a webhook",
    SecurityEvent.WEBHOOK_CHANGED: "Changed a webhook",
    SecurityEvent.SIGNING_CHANGED: "Changed the secret of a webhook",
    SecurityEvent.WEBHOOK_DELETED: "Deleted a webhook",
    SecurityEvent.MEMBER_INVITED: "Invited a member",
    SecurityEvent.INVITATION_REVOKED: "Revoked an invitation",
    SecurityEvent.MEMBER_JOINED: "Joined the team",
    SecurityEvent.ROLE_CHANGED: "Changed a role",
    SecurityEvent.MEMBER_REMOVED: "Removed a member",
    SecurityEvent.MEMBER_LEFT: "Left the team",
    SecurityEvent.SETTINGS_CHANGED: "Changed settings",
}


def describe(event: SecurityEvent) -> str:
    """What was done."""
    return DONE.get(event, event.value)
