"""Signs the pictures that the engine made, and stores their files."""

from dataclasses import replace
from hashlib import sha256

from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.ports import Storage
from app.domain.preview_keys import preview_key
from app.models import StoredPicture
from app.services import credentials, stored_files
from app.services.photos.pictures import MadePicture, PictureLease
from engine.types.media import MediaType, sniff
from engine.types.pictures import Enhanced, PreviewSize


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
    key = lease.picture_key(picture)
    return MadePicture(made.report, picture, key, *digests, credentials=signed.kind, before=made.before)


def store_picture(storage: Storage, made: MadePicture) -> MadePicture:
    """Store the picture's file, where there is one, and the photo before it; returns the same outcome."""
    if made.picture is not None and made.key is not None:
        stored_files.keep(storage, made.key, made.picture.content)
        if made.before is not None:
            stored_files.keep(storage, preview_key(made.key, PreviewSize.BEFORE), made.before)
    return made


def remove_picture(storage: Storage, made: MadePicture) -> None:
    """Remove what store_picture() stored."""
    if made.key is not None:
        storage.delete(made.key)
        storage.delete(preview_key(made.key, PreviewSize.BEFORE))


def find_before(storage: Storage, photo_key: str, made: StoredPicture | None) -> str:
    """The storage key of the picture with which the photo's result is compared: the photo straightened like the
    result if the engine made that picture, else the photo itself.
    """
    if made is not None and made.storage_key and made.report is not None and made.report.straightened:
        key = preview_key(made.storage_key, PreviewSize.BEFORE)
        if storage.stat(key) is not None:
            return key
    return preview_key(photo_key, PreviewSize.VIEW)
