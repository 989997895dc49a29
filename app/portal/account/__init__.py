"""The account: its owner, their mails, their look for clients, and what may be done with their pictures."""

from app.portal.account import branding, new_address, notifications, picture_use, profile

BLUEPRINTS = (
    branding.blueprint,
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
