"""One round of a result that was sent back, from claim to stored picture: the work that a wake-up starts.

What goes wrong is one of three things, as with photos: the photo cannot be read, at once; the engine fails on it,
which is a try, and after the last a reviewer has it; the store, the database or a generative server is away, which
is no try, however often.
"""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from io import BytesIO

from app.database import UNAVAILABLE, Database
from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.media import HEADER_BYTES, MediaType, sniff
from app.domain.ports import (
    Engine,
    EngineContext,
    Enhanced,
    ServerBusyError,
    ServerUnavailableError,
    Storage,
    StorageUnavailableError,
    UnusablePhotoError,
)
from app.domain.revisions import RevisionReason
from app.operations import operation
from app.services import credentials
from app.services.leases import WorkHold
from app.services.photos import frames, photos, revisions
from app.services.photos.frames import ReadFrames
from app.services.photos.photos import CallLimits
from app.services.photos.revisions import MadePicture, RevisionClaim

log = logging.getLogger(__name__)

MAX_PICTURE_BYTES = 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RevisionWorker:
    """What the work needs. `watch` guards a hold while the picture is made, see Hold. `calls`: how many calls to a
    generative server may be paid. `credentials` signs the pictures; None where they are not signed.
    """

    database: Database
    storage: Storage
    engine: Engine
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]
    calls: CallLimits = field(default_factory=CallLimits)
    credentials: ContentCredentials | None = None

    def make(self, revision_id: str) -> None:
        """Work on the round if it is due and nobody else's; harmless otherwise, also when repeated."""
        with self.database.unit_of_work() as session:
            held = revisions.claim(session, revision_id, self.clock())
        if held is not None:
            with operation("revision", revision_id=held.key, job_id=held.job_id):
                self._work(held)

    def _work(self, held: RevisionClaim) -> None:
        try:
            with self.watch(self._hold(held, self._put_off)):
                source = self._whole(held.storage_key)
            digest = sha256(source.getbuffer()).hexdigest()
            if held.sha256 not in (None, digest):
                raise FileNotFoundError(f"{held.storage_key} is another file than the one that was ordered")
            with self.watch(self._hold(held, self._put_off)):
                read = frames.read(held.frames, self._whole)
            with self.watch(self._hold(held, self._broke)):
                made = self.engine.enhance(source, held.edit_request, self._context(held, read))
                signed = self._sign(held, source, digest, made)
            with self.watch(self._hold(held, self._put_off)):
                self._keep(held, signed)
        except FileNotFoundError as gone:
            log.warning("revision %s: a file that it is made from is gone: %s", held.key, gone)
            self._decline(held, RevisionReason.FILES_GONE)
        except UnusablePhotoError as unusable:
            log.warning("revision %s: %s", held.key, unusable)
            self._leave(held, RevisionReason.UNUSABLE)
        except (StorageUnavailableError, ServerUnavailableError, *UNAVAILABLE) as away:
            log.warning("revision %s is put off: %s", held.key, away)
            self._put_off(held)
        except Exception:
            log.exception("revision %s: making it broke", held.key)
            self._broke(held)

    def _context(self, held: RevisionClaim, read: ReadFrames) -> EngineContext:
        """As for the result, but for what the round has chosen anew."""
        may_wait = self.clock() < held.waits_until

        def spend() -> bool:
            try:
                self.calls.check()
            except ServerBusyError as busy:
                if may_wait:
                    raise ServerUnavailableError(str(busy)) from None
                raise
            with self.database.unit_of_work() as session:
                return photos.spend(session, held.job_id, self.calls, self.clock())

        return EngineContext(
            spend=spend,
            open_reference=self._whole,
            order_seed=held.job_id,
            appearance=held.appearance,
            may_wait=may_wait,
            frames=read.openers,
            photo_seed=held.settings.photo_seed,
            strength=held.settings.strength,
        )

    def _whole(self, key: str) -> BytesIO:
        with self.storage.open(key) as file:
            return BytesIO(file.read())

    def _sign(self, held: RevisionClaim, source: BytesIO, digest: str, made: Enhanced) -> MadePicture | None:
        """None where every step declined."""
        if made.picture is None:
            return None
        encoded = made.picture
        kind = sniff(bytes(source.getbuffer()[:HEADER_BYTES])) or MediaType.JPEG
        claim = claim_result(made.report, kind, digest)
        signed = credentials.sign(
            self.credentials, encoded.content, encoded.media_type, claim, last_try=held.is_last_try
        )
        picture = replace(encoded, content=signed.content)
        digests = sha256(signed.content).hexdigest(), sha256(encoded.content).hexdigest()
        return MadePicture(picture, made.report, held.picture_key(picture), *digests, credentials=signed.kind)

    def _keep(self, held: RevisionClaim, made: MadePicture | None) -> None:
        """No transaction is open while the picture is stored."""
        if made is None:
            self._leave(held, RevisionReason.STEP_DECLINED)
            return
        self._store(made.key, made.picture.content)
        with self.database.unit_of_work() as session:
            kept = revisions.finish(session, held, made, self.clock())
        if not kept:
            log.warning("revision %s: the claim was lost or its job is gone; the picture is dropped", held.key)
            self.storage.delete(made.key)

    def _store(self, key: str, content: bytes) -> None:
        writing = self.storage.create(key, MAX_PICTURE_BYTES)
        try:
            writing.write(content)
            writing.publish()
        finally:
            writing.discard()

    def _hold(self, held: RevisionClaim, too_late: Callable[[RevisionClaim], None]) -> WorkHold:
        return WorkHold(lambda: self._renew(held), lambda: too_late(held), lambda: self._release(held))

    def _renew(self, held: RevisionClaim) -> bool:
        with self.database.unit_of_work() as session:
            return revisions.QUEUE.renew(session, held, self.clock())

    def _release(self, held: RevisionClaim) -> None:
        with self.database.unit_of_work() as session:
            revisions.QUEUE.release(session, held, self.clock())

    def _put_off(self, held: RevisionClaim) -> None:
        with self.database.unit_of_work() as session:
            revisions.QUEUE.postpone(session, held, self.clock())

    def _broke(self, held: RevisionClaim) -> None:
        with self.database.unit_of_work() as session:
            revisions.retry(session, held, self.clock())

    def _leave(self, held: RevisionClaim, why: RevisionReason) -> None:
        with self.database.unit_of_work() as session:
            revisions.leave(session, held, why, self.clock())

    def _decline(self, held: RevisionClaim, why: RevisionReason) -> None:
        with self.database.unit_of_work() as session:
            revisions.decline(session, held, why, self.clock())
