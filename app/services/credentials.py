"""Pictures get their content credentials: none is lost, refused or made again because it cannot be signed."""

import logging
from collections.abc import Callable

from app.domain.content_credentials import ContentCredentials, CredentialKind, PictureClaim

log = logging.getLogger(__name__)


def sign(
    credentials: ContentCredentials | None,
    content: bytes,
    media_type: str,
    claim: Callable[[], PictureClaim],
    *,
    last_try: bool = False,
) -> tuple[bytes, CredentialKind]:
    """The encoded picture signed with what is claimed of it, or as it is, and which of them.

    One that cannot be signed stays as it is, which is logged: to wait would throw work away that may have been paid
    for, and a result without credentials is still what was ordered. So it stays, too, in the `last_try`, where the
    tries before may have died in the library that signs.
    """
    if credentials is None:
        return content, CredentialKind.NONE
    if last_try:
        log.warning("the picture is not signed: this is its last try")
        return content, CredentialKind.NONE
    try:
        return credentials.sign(content, media_type, claim()), credentials.kind
    except Exception:
        log.exception("the picture could not be signed, and is kept without credentials")
        return content, CredentialKind.NONE
