"""Access to the account: signing up and in, forgotten passwords, two-factor, and the signed-in browsers."""

from app.portal.security import account_security, resets, sign_in, sign_up, typed

BLUEPRINTS = (
    account_security.blueprint,
    resets.blueprint,
    sign_in.blueprint,
    sign_up.blueprint,
    typed.blueprint,
)
