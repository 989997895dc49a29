"""The account: who its owner is, which mails they want, what may be done with their pictures, who is billed."""

from app.portal.account import billing_details, new_address, notifications, picture_use, profile

BLUEPRINTS = (
    billing_details.blueprint,
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
