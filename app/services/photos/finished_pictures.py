"""Signs the pictures that the engine made, and stores their files."""

from dataclasses import replace
from hashlib import sha256

from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.ports import Storage
from app.services import credentials, stored_files
from app.services.photos.pictures import MadePicture, PictureLease
from engine.types.media import MediaType, sniff
from engine.types.pictures import Enhanced


def sign_picture(
    signer: ContentCredentials | None, lease: PictureLease, made: Enhanced, header: bytes, photo_sha256: str
) -> MadePicture:
    """The picture with content credentials that name the engine that made it, where the service signs. `header`:
    the beginning of the photo's file; `photo_sha256`: its digest. The last attempt does not sign.
    """
    if made.picture is None:
        return MadePicture(made.report)
    encoded = made.picture
    claim = claim_result(made.report, sniff(header) or MediaType.JPEG, photo_sha256, lease.release.version)
    signed = credentials.sign(signer, encoded.content, encoded.media_type, claim, last_try=lease.is_last_try)
    picture = replace(encoded, content=signed.content)
    digests = sha256(signed.content).hexdigest(), sha256(encoded.content).hexdigest()
    return MadePicture(made.report, picture, lease.picture_key(picture), *digests, credentials=signed.kind)


def store_picture(storage: Storage, made: MadePicture) -> MadePicture:
    """Store the picture's file, where there is one; returns the same outcome."""
    if made.picture is not None and made.key is not None:
        stored_files.keep(storage, made.key, made.picture.content)
    return made
