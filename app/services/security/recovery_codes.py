"""Recovery codes. Each works once in place of a code from the app; a user gets ten; only digests are stored."""

import hashlib
import unicodedata
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.domain.passwords import generate_readable
from app.models import RecoveryCode

CODE_COUNT = 10
GROUPS, GROUP_LENGTH = 3, 5


def renew(session: Session, user_id: str) -> list[str]:
    """Replace the user's recovery codes, which stop working; returns new codes, which cannot be shown again."""
    remove(session, user_id)
    codes = ["-".join(generate_readable(GROUP_LENGTH) for _ in range(GROUPS)) for _ in range(CODE_COUNT)]
    session.add_all(RecoveryCode(user_id=user_id, digest=_digest(code)) for code in codes)
    session.flush()
    return codes


def use(session: Session, user_id: str, code: str, now: datetime) -> bool:
    """Use up the code; returns whether it was an unused code of this user."""
    unused = (RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
    used = update(RecoveryCode).where(*unused, RecoveryCode.digest == _digest(code)).values(used_at=now)
    returned = used.returning(RecoveryCode.id).execution_options(synchronize_session=False)
    return session.execute(returned).first() is not None


def count_left(session: Session, user_id: str) -> int:
    """How many unused codes the user has left."""
    unused = select(func.count()).where(RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
    return session.scalar(unused) or 0


def remove(session: Session, user_id: str) -> None:
    """Delete all codes of the user."""
    session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))


def _digest(code: str) -> str:
    # Almost 75 random bits: a fast digest is enough. Hyphens, spaces and upper or lower case make no difference.
    letters = unicodedata.normalize("NFKC", code).lower()
    plain = "".join(letter for letter in letters if letter.isalnum())
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
