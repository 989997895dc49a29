"""Two-factor sign-in by one-time codes (TOTP): set up, switched on by a first code, verified, switched off."""

import hmac
import logging
import unicodedata
from datetime import datetime

import pyotp
from sqlalchemy import or_, update
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.errors import Conflict
from app.domain.security_events import SecurityEvent
from app.domain.sending import DecryptionError, Vault
from app.models import User
from app.services import security_log
from app.services.accounts import users
from app.services.mail import outbox
from app.services.security import recovery_codes

log = logging.getLogger(__name__)

ISSUER = "Brightlist"
DRIFT = 1
"""How many steps of 30 seconds a code may be early or late, because clocks differ."""
DIGITS = 6


def begin(session: Session, vault: Vault, user_id: str) -> None:
    """Create the secret for the user's authenticator app, unless there is one that was not confirmed yet; codes are
    required after switch_on().

    Raises Conflict when two-factor is on.
    """
    user = users.get(session, user_id, lock=True)
    if user.totp_since is not None:
        raise Conflict("Two-factor sign-in is on already.")
    if user.totp_secret is None or _open_secret(vault, user) is None:
        user.totp_secret = vault.seal(pyotp.random_base32())
        user.totp_last_step = None


def find_unconfirmed_secret(session: Session, vault: Vault, user_id: str) -> str | None:
    """The secret for the user's authenticator app while two-factor is not on yet; None without one."""
    user = users.get(session, user_id)
    return _open_secret(vault, user) if user.totp_since is None else None


def provisioning_uri(secret: str, email: str) -> str:
    """The URI of the QR code that an authenticator app scans."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=ISSUER)


def switch_on(session: Session, vault: Vault, user_id: str, code: str, now: datetime) -> list[str] | None:
    """Require codes from now on; returns recovery codes, which cannot be shown again. None for a wrong code.

    Raises Conflict when two-factor is on already or was not begun.
    """
    user = users.get(session, user_id, lock=True)
    if user.totp_since is not None or user.totp_secret is None:
        raise Conflict("Two-factor sign-in is on already, or was not started.")
    if not _use_up(session, vault, user, code, now):
        security_log.record(SecurityEvent.CODE_FAILED, user_id)
        return None
    user.totp_since = now
    security_log.record_after_commit(session, SecurityEvent.TWO_FACTOR_ON, user_id)
    outbox.post(session, user_id, emails.two_factor(user.email, on=True), now)
    return recovery_codes.renew(session, user_id)


def use_code(session: Session, vault: Vault, user_id: str, code: str, now: datetime) -> bool:
    """Use up the code, from the app or a recovery code; returns whether it was valid."""
    user = users.get(session, user_id)
    if user.totp_since is None:
        return False
    if _use_up(session, vault, user, code, now):
        return True
    if not recovery_codes.use(session, user_id, code, now):
        security_log.record(SecurityEvent.CODE_FAILED, user_id)
        return False
    security_log.record_after_commit(session, SecurityEvent.RECOVERY_CODE_USED, user_id)
    left = recovery_codes.count_left(session, user_id)
    outbox.post(session, user_id, emails.recovery_code_used(user.email, left), now)
    return True


def renew_recovery_codes(session: Session, user_id: str) -> list[str]:
    """Replace the recovery codes; returns the new codes, which cannot be shown again. The old codes stop working.

    Raises Conflict while two-factor is off.
    """
    if users.get(session, user_id, lock=True).totp_since is None:
        raise Conflict("Recovery codes come with two-factor sign-in, which is off.")
    security_log.record_after_commit(session, SecurityEvent.RECOVERY_CODES_RENEWED, user_id)
    return recovery_codes.renew(session, user_id)


def switch_off(session: Session, user_id: str, now: datetime) -> None:
    """Stop requiring codes, and delete the secret and the recovery codes; harmless when two-factor is off."""
    user = users.get(session, user_id, lock=True)
    was_on = user.totp_since is not None
    user.totp_secret = user.totp_since = user.totp_last_step = None
    recovery_codes.remove(session, user_id)
    if was_on:
        security_log.record_after_commit(session, SecurityEvent.TWO_FACTOR_OFF, user_id)
        outbox.post(session, user_id, emails.two_factor(user.email, on=False), now)


def _use_up(session: Session, vault: Vault, user: User, code: str, now: datetime) -> bool:
    """Use up the app's code; returns whether it was right and neither it nor a later code was used before."""
    secret = _open_secret(vault, user)
    step = _find_step(secret, code, now) if secret else None
    if step is None:
        return False
    # The database checks this, so that of two browsers with the same code only one can sign in.
    unused = or_(User.totp_last_step.is_(None), User.totp_last_step < step)
    taken = update(User).where(User.id == user.id, unused).values(totp_last_step=step)
    done = session.execute(taken.returning(User.id).execution_options(synchronize_session=False)).first()
    session.refresh(user, ["totp_last_step"])
    return done is not None


def _find_step(secret: str, code: str, now: datetime) -> int | None:
    digits = "".join(unicodedata.normalize("NFKC", code).split())
    if not (len(digits) == DIGITS and digits.isascii() and digits.isdigit()):
        return None
    totp = pyotp.TOTP(secret, digits=DIGITS)
    current = int(now.timestamp()) // totp.interval
    steps = range(current - DRIFT, current + DRIFT + 1)
    right = [step for step in steps if hmac.compare_digest(totp.generate_otp(step), digits)]
    return right[-1] if right else None


def _open_secret(vault: Vault, user: User) -> str | None:
    try:
        return vault.open(user.totp_secret) if user.totp_secret else None
    except DecryptionError:
        # It was sealed with a secret key that is no longer set: the user needs a recovery code or the operator.
        log.exception("the one-time secret of %s cannot be opened", user.id)
        return None
