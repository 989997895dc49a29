"""The account: its owner, their mails, their look for clients, who is billed, what pictures may be used for."""

from app.portal.account import billing_details, branding, new_address, notifications, picture_use, profile

BLUEPRINTS = (
    billing_details.blueprint,
    branding.blueprint,
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
