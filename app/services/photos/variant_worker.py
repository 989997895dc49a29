"""One variant from claim to stored picture: the work that a wake-up starts."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from io import BytesIO

from app.database import UNAVAILABLE, Database
from app.domain.attempts import VARIANTS
from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.media import HEADER_BYTES, MediaType, sniff
from app.domain.ports import Engine, EngineContext, Enhanced, Storage, StorageUnavailableError, UnusablePhotoError
from app.domain.variants import NoVariant
from app.operations import operation
from app.services import credentials
from app.services.leases import WorkHold
from app.services.photos import frames, packs, variants
from app.services.photos.frames import ReadFrames
from app.services.photos.variants import VariantClaim, VariantOutcome

log = logging.getLogger(__name__)

MAX_VARIANT_BYTES = 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class VariantWorker:
    """What the work needs. `watch` guards a hold while pictures are made, see Hold. `credentials` signs the
    pictures; None where they are not signed.

    It asks no generative server: what that makes differs each time, and costs.
    """

    database: Database
    storage: Storage
    engine: Engine
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]
    credentials: ContentCredentials | None = None

    def make(self, variant_id: str) -> None:
        """Make the variant if it is due and nobody else's; harmless otherwise, also when repeated."""
        with self.database.unit_of_work() as session:
            held = variants.claim(session, variant_id, self.clock())
        if held is not None:
            with operation("variant", variant_id=held.key, job_id=held.job_id):
                self._work(held)

    def _work(self, held: VariantClaim) -> None:
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
                outcome = self._sign(held, source, digest, made)
            with self.watch(self._hold(held, self._put_off)):
                self._keep(held, outcome)
        except FileNotFoundError as gone:
            log.warning("variant %s: a file that it is made from is gone: %s", held.key, gone)
            self._give_up(held, NoVariant.FILES_GONE)
        except UnusablePhotoError as unusable:
            log.warning("variant %s: %s", held.key, unusable)
            self._give_up(held, NoVariant.UNUSABLE)
        except (StorageUnavailableError, *UNAVAILABLE) as away:
            log.warning("variant %s is put off: %s", held.key, away)
            self._put_off(held)
        except Exception:
            log.exception("variant %s: making it broke", held.key)
            self._broke(held)

    def _context(self, held: VariantClaim, read: ReadFrames) -> EngineContext:
        """As for the result: its seeds, what its order's photos share, and the order's reference pictures."""
        return EngineContext(
            open_reference=self._whole,
            order_seed=held.job_id,
            appearance=held.appearance,
            asks_server=False,
            frames=read.openers,
            photo_seed=held.settings.photo_seed,
            strength=held.settings.strength,
        )

    def _whole(self, key: str) -> BytesIO:
        with self.storage.open(key) as file:
            return BytesIO(file.read())

    def _sign(self, held: VariantClaim, source: BytesIO, digest: str, made: Enhanced) -> VariantOutcome:
        if made.picture is None:
            return VariantOutcome(made.report)
        encoded = made.picture
        kind = sniff(bytes(source.getbuffer()[:HEADER_BYTES])) or MediaType.JPEG
        claim, last_try = claim_result(made.report, kind, digest), held.attempt >= VARIANTS.max_attempts
        signed = credentials.sign(self.credentials, encoded.content, encoded.media_type, claim, last_try=last_try)
        picture = replace(encoded, content=signed.content)
        key, file_digest = held.picture_key(picture), sha256(signed.content).hexdigest()
        return VariantOutcome(made.report, picture, key, file_digest, signed.kind)

    def _keep(self, held: VariantClaim, outcome: VariantOutcome) -> None:
        """No transaction is open while the picture is stored."""
        if outcome.picture is not None and outcome.key is not None:
            self._store(outcome.key, outcome.picture.content)
        with self.database.unit_of_work() as session:
            kept = variants.finish(session, held, outcome, self.clock())
            packs.go_on(session, held.job_id, self.clock())
        if not kept and outcome.key is not None:
            log.warning("variant %s: the claim was lost or its job is gone; the picture is dropped", held.key)
            self.storage.delete(outcome.key)

    def _store(self, key: str, content: bytes) -> None:
        writing = self.storage.create(key, MAX_VARIANT_BYTES)
        try:
            writing.write(content)
            writing.publish()
        finally:
            writing.discard()

    def _hold(self, held: VariantClaim, too_late: Callable[[VariantClaim], None]) -> WorkHold:
        return WorkHold(lambda: self._renew(held), lambda: too_late(held), lambda: self._release(held))

    def _renew(self, held: VariantClaim) -> bool:
        with self.database.unit_of_work() as session:
            return variants.QUEUE.renew(session, held, self.clock())

    def _release(self, held: VariantClaim) -> None:
        with self.database.unit_of_work() as session:
            variants.QUEUE.release(session, held, self.clock())

    def _put_off(self, held: VariantClaim) -> None:
        with self.database.unit_of_work() as session:
            variants.QUEUE.postpone(session, held, self.clock())

    def _broke(self, held: VariantClaim) -> None:
        with self.database.unit_of_work() as session:
            variants.retry(session, held, self.clock())

    def _give_up(self, held: VariantClaim, why: NoVariant) -> None:
        with self.database.unit_of_work() as session:
            variants.give_up(session, held, why)
            packs.go_on(session, held.job_id, self.clock())
