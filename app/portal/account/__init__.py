"""The account: profile, e-mails, the studio's look for clients, billing, kept photos, engine, use of pictures."""

from app.portal.account import (
    billing_details,
    branding,
    engine,
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
    engine.blueprint,
    file_names.blueprint,
    kept_photos.blueprint,
    new_address.blueprint,
    notifications.blueprint,
    picture_use.blueprint,
    profile.blueprint,
)
