"""Signs pictures with content credentials. A picture that cannot be signed is stored without a signature."""

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
    """Sign the encoded picture with this claim. If it cannot be signed, that is logged, and the picture is returned
    unsigned: the customer still gets what they ordered, and another attempt would repeat work that may cost money.

    With `last_try`, nothing is signed, because the earlier attempts may have crashed in the signing library.
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
