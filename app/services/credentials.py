"""Signs pictures with content credentials. A picture that cannot be signed is kept unsigned, not refused."""

import logging
from dataclasses import dataclass

from app.domain.content_credentials import ContentCredentials, CredentialKind, PictureClaim

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignedPicture:
    """An encoded picture, and the kind of content credentials in it."""

    content: bytes
    kind: CredentialKind


def sign(
    credentials: ContentCredentials | None,
    content: bytes,
    media_type: str,
    claim: PictureClaim,
    *,
    last_try: bool = False,
) -> SignedPicture:
    """Sign the encoded picture with this claim; returns it unsigned when it cannot be signed, which is logged.

    A failure to sign is no reason to wait: that would waste work that may have been paid for, and a result without
    credentials is still what was ordered. In the `last_try` nothing is signed, because the earlier attempts may
    have crashed in the signing library.
    """
    if credentials is None:
        return SignedPicture(content, CredentialKind.NONE)
    if last_try:
        log.warning("the picture is not signed: this is its last try")
        return SignedPicture(content, CredentialKind.NONE)
    try:
        return SignedPicture(credentials.sign(content, media_type, claim), credentials.kind)
    except Exception:
        log.exception("the picture could not be signed, and is kept without credentials")
        return SignedPicture(content, CredentialKind.NONE)
