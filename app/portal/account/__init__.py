"""The account: who its owner is, which mails they want, and what may be done with their pictures."""

from app.portal.account import new_address, notifications, picture_use, profile

BLUEPRINTS = (
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
