"""The secrets that sign deliveries, of a webhook or of an account's callbacks: rotated, switched to, in force."""

import hashlib
from datetime import datetime

from app.domain.errors import Conflict
from app.domain.events import EventName
from app.domain.sending import Vault
from app.domain.webhooks import OLD_SECRET_VALID_FOR, new_secret
from app.models import Signer
from app.services.webhooks.signing import Secrets


def rotate(
    signer: Signer, vault: Vault, now: datetime, *, replace_pending: bool = False, version: str | None = None
) -> str:
    """Create a new secret for the locked row; returns it, because it cannot be shown again. Old and new secret both
    sign until switch(), or for 24 hours; then only the new one does.

    Raises Conflict when a new secret is pending (unless it is to be replaced), or when the secrets have changed
    since version_of() gave `version`.
    """
    if version is not None and version != version_of(signer):
        raise Conflict("The secret was changed since this page was loaded, so no other one was made.")
    _settle(signer, now)
    if signer.next_secret is not None and not replace_pending:
        raise Conflict("A new secret is pending already: switch to it, or say that another one is to replace it.")
    secret = new_secret()
    signer.next_secret, signer.next_secret_from = vault.seal(secret), now + OLD_SECRET_VALID_FOR
    return secret


def switch(signer: Signer) -> None:
    """Replace the old secret by the new one at once. Raises Conflict when there is no new one."""
    if signer.next_secret is None:
        raise Conflict("There is no new secret; rotate first.")
    signer.secret, signer.next_secret, signer.next_secret_from = signer.next_secret, None, None


def _settle(signer: Signer, now: datetime) -> None:
    if signer.next_secret and signer.next_secret_from and signer.next_secret_from <= now:
        switch(signer)


def version_of(signer: Signer) -> str:
    """Text that differs after every change of the secrets, but reveals nothing about them."""
    return hashlib.sha256(f"{signer.secret} {signer.next_secret or ''}".encode()).hexdigest()


def rotation_until(signer: Signer, now: datetime) -> datetime | None:
    """Until when the old and the new secret both sign; None when only one does."""
    rotating = signer.next_secret is not None and signer.next_secret_from is not None
    return signer.next_secret_from if rotating and (signer.next_secret_from or now) > now else None


def in_force(vault: Vault, signer: Signer, event_name: str, now: datetime) -> Secrets:
    """The secrets that sign an attempt now. During a rotation a test event is signed with the new one, to try it.

    Raises DecryptionError.
    """
    current = vault.open(signer.secret)
    if signer.next_secret is None or signer.next_secret_from is None:
        return Secrets(current, (current,))
    new = vault.open(signer.next_secret)
    if signer.next_secret_from <= now:
        return Secrets(new, (new,))
    return Secrets(new if event_name == EventName.WEBHOOK_TEST else current, (current, new))
