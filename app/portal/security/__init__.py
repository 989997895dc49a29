"""The way in: signing up and in, a forgotten password, two-factor, and the browsers that are signed in."""

from app.portal.security import account_security, resets, sign_in, sign_up, typed

BLUEPRINTS = (
    account_security.blueprint,
    resets.blueprint,
    sign_in.blueprint,
    sign_up.blueprint,
    typed.blueprint,
)
