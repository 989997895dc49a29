"""Pictures get their content credentials: none is lost, refused or made again because it cannot be signed."""

import logging
from dataclasses import dataclass

from app.domain.content_credentials import ContentCredentials, CredentialKind, PictureClaim

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignedPicture:
    """An encoded picture, and whose credentials it carries."""

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
    """The encoded picture signed with what is claimed of it, or as it is.

    One that cannot be signed stays as it is, which is logged: to wait would throw work away that may have been paid
    for, and a result without credentials is still what was ordered. So it stays, too, in the `last_try`, where the
    tries before may have died in the library that signs.
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
