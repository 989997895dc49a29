"""Makes the previews of one file after a worker was notified: claims them, makes them, and stores them."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from io import BytesIO

from app.domain.content_credentials import ContentCredentials, CredentialKind, claim_labeled
from app.domain.ports import ListingPictureMaker, PreviewMaker, Storage, StorageUnavailableError
from app.domain.sizes import specify_copies
from app.services import credentials, stored_files
from app.services.leases import LeasedWorker
from app.services.previews import previews
from app.services.previews.photo_facts import UNREAD, ReadFile
from app.services.previews.previews import PreviewClaim
from engine.types.media import HEADER_BYTES, MediaType, sniff
from engine.types.pictures import Previews, PreviewSize, UnusablePhotoError

log = logging.getLogger(__name__)

TOO_SLOW = "The photo takes too long to open for a preview."
GONE = "The file of this photo no longer exists."


@dataclass(frozen=True, slots=True)
class PreviewWorker(LeasedWorker):
    """Makes previews. `copies` makes the copies to download; `credentials` signs labeled copies, None if they are
    not signed.
    """

    queue = previews.QUEUE

    storage: Storage
    maker: PreviewMaker
    copies: ListingPictureMaker
    credentials: ContentCredentials | None = None

    def make(self, source_key: str) -> None:
        """Make the file's previews, unless they are not due or another worker has claimed them."""
        with self.database.unit_of_work() as session:
            held = previews.claim(session, source_key, self.clock())
        if held is None:
            return
        digest = None
        try:
            with self._watched(held, partial(self._put_off, held)):
                source = self._read(held)
            if source is not None:
                digest = sha256(source.getbuffer()).hexdigest()
                with self._watched(held, partial(self._give_up, held, TOO_SLOW)):
                    made, copies = self.maker.make(source, held.wanted), self._make_copies(held, source)
                with self._watched(held, partial(self._put_off, held)):
                    self._keep(held, *self._sign(held, source, made), digest, copies)
        except UnusablePhotoError as unusable:
            self._give_up(held, unusable.message, ReadFile(fault=unusable.reason, sha256=digest))
        except StorageUnavailableError as error:
            log.warning("previews of %s are put off: %s", source_key, error)
            self._put_off(held)
        except Exception:
            log.exception("previews of %s: making them broke", source_key)
            self._write(previews.retry, held)

    def _make_copies(self, held: PreviewClaim, source: BytesIO) -> Mapping[str, bytes]:
        """The copies to download, if they were requested."""
        wanted = specify_copies(held.label) if held.wants_copies else {}
        content = source.getvalue()
        return {name: self.copies.make(BytesIO(content), each).content for name, each in wanted.items()}

    def _sign(self, held: PreviewClaim, source: BytesIO, made: Previews) -> tuple[Previews, CredentialKind | None]:
        """The previews, in which the labeled copy is signed, and the kind of its credentials; None if there is no
        labeled copy.
        """
        labeled = made.pictures.get(PreviewSize.LABELED)
        if labeled is None or held.label is None:
            return made, None
        content = source.getvalue()
        kind = sniff(content[:HEADER_BYTES]) or MediaType.JPEG
        claim = claim_labeled(held.label, kind, sha256(content).hexdigest(), content)
        signed = credentials.sign(self.credentials, labeled, MediaType.JPEG, claim, last_try=held.is_last_try)
        pictures = {**made.pictures, PreviewSize.LABELED: signed.content}
        return replace(made, pictures=pictures), signed.kind

    def _read(self, held: PreviewClaim) -> BytesIO | None:
        """The whole file; None when it has been missing for MAX_MISSING_TIME, and its previews are given up."""
        try:
            with self.storage.open(held.key) as source:
                return BytesIO(source.read())
        except FileNotFoundError:
            if self.clock() < held.missing_until:
                raise StorageUnavailableError(f"{held.key} is not there (yet)") from None
            self._give_up(held, GONE)
            return None

    def _keep(
        self,
        held: PreviewClaim,
        made: Previews,
        labeled: CredentialKind | None,
        digest: str,
        copies: Mapping[str, bytes],
    ) -> None:
        """Store the pictures, while no transaction is open, and then record them."""
        for size, content in (*made.pictures.items(), *copies.items()):
            stored_files.keep(self.storage, previews.key_of(held.key, size), content)
        sizes = {name: len(content) for name, content in copies.items()}
        if (labeled_copy := made.pictures.get(PreviewSize.LABELED)) is not None:
            sizes[PreviewSize.LABELED.value] = len(labeled_copy)
        self._finish(held, made, labeled, digest, sizes)

    def _finish(
        self,
        held: PreviewClaim,
        made: Previews,
        labeled: CredentialKind | None,
        digest: str,
        copies: dict[str, int],
    ) -> None:
        read = None if made.facts is None else ReadFile(made.facts, sha256=digest)
        with self.database.unit_of_work() as session:
            kept = previews.finish(session, held, made, labeled, read=read, copies=copies)
            wanted = kept or previews.is_wanted(session, held.key)
        if not wanted:
            # The row of the previews was deleted meanwhile, and their folder may have been removed before the
            # pictures were stored. If only the claim was lost, to another worker, the pictures are the same and
            # stay.
            log.info("previews of %s: nobody wants them any more", held.key)
            for key in previews.list_keys(held.key):
                self.storage.delete(key)

    def _give_up(self, held: PreviewClaim, error: str, read: ReadFile = UNREAD) -> None:
        with self.database.unit_of_work() as session:
            previews.give_up(session, held, error, read=read)
