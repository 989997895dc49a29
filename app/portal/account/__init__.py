"""The account: profile, e-mails, the studio's look for clients, billing, kept photos, and the use of pictures."""

from app.portal.account import (
    billing_details,
    branding,
    file_names,
    kept_photos,
    new_address,
    notifications,
    picture_use,
    profile,
)

BLUEPRINTS = (
    billing_details.blueprint,
    branding.blueprint,
    file_names.blueprint,
    kept_photos.blueprint,
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
