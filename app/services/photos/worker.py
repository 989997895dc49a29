"""One photo from claim to result: the work that a wake-up starts.

What goes wrong is one of three things. The photo cannot be read: that is its result, at once. The engine fails on
it, or dies with it: one of its attempts. The store, the database or a server that pictures come from is away:
no try, however often; the photo waits, longer each time, until its job's time ends, for imagery and for a
generative server half of it.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO

from sqlalchemy.orm import Session

from app.database import UNAVAILABLE, Database
from app.domain.catalogue import Cost
from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.media import HEADER_BYTES, MediaType, sniff
from app.domain.ports import (
    Engine,
    EngineContext,
    Enhanced,
    Imagery,
    ImageryUnavailableError,
    ServerBusyError,
    ServerUnavailableError,
    Storage,
    StorageUnavailableError,
    UnusablePhotoError,
)
from app.domain.quality import QualityReport, Reason
from app.domain.reviews import QcMode
from app.domain.shared_appearance import SharedAppearance
from app.operations import operation
from app.services import credentials
from app.services.leases import WorkHold
from app.services.photos import frames, imagery, photos, quality
from app.services.photos.frames import ReadFrames
from app.services.photos.photos import CallLimits, PhotoClaim, PhotoOutcome
from app.services.photos.shared_appearances import SharedAppearances

log = logging.getLogger(__name__)

MAX_RESULT_BYTES = 500 * 1024 * 1024
DATABASE_PAUSES = (1, 2, 4, 8, *[15] * 40)
"""Seconds between tries to write down what became of a photo while the database is away: ten minutes in all."""
MOST_MISSED = 20
"""So often another worker may be quicker at the photo whose turn it is, before a wake-up is left to the sweep."""
FILE_GONE = "The file of this photo is not in the store any more."
SOURCE_AWAY = "The source of public imagery could not be asked."


@dataclass(slots=True)
class WorkProgress:
    """How one claim goes: whether the engine has it, whether the database was away meanwhile, and the digest of the
    photo, and its frames, once they are read.
    """

    in_engine: bool = False
    database_away: bool = False
    original_sha256: str | None = None
    frames: ReadFrames = field(default_factory=ReadFrames)

    @contextmanager
    def of_engine(self) -> Iterator[None]:
        """What takes too long in here is the engine's trouble with the photo."""
        self.in_engine = True
        try:
            yield
        finally:
            self.in_engine = False


@dataclass(frozen=True, slots=True)
class PhotoWorker:
    """What the work needs. `mode`: who passes results on. `watch` guards a hold while the engine works, see Hold.

    `calls`: how many calls to a generative server may be paid. `imagery`: the source of outside views.
    `credentials` signs the pictures; None where they are not signed.
    `pause` waits so many seconds for the database. `lower_priority` is called for a photo that is one of many of
    its account, before the work on it.
    """

    database: Database
    storage: Storage
    engine: Engine
    clock: Callable[[], datetime]
    mode: QcMode
    watch: Callable[[WorkHold], AbstractContextManager[None]]
    calls: CallLimits = field(default_factory=CallLimits)
    imagery: Imagery | None = None
    credentials: ContentCredentials | None = None
    pause: Callable[[float], None] = field(default=time.sleep)
    lower_priority: Callable[[], object] = lambda: None

    def answer(self, photo_id: str, cost: Cost) -> None:
        """Answer a wake-up: work on the photo of this cost whose turn it is, or on `photo_id` where none is.

        There are as many wake-ups as photos, so each gets its turn.
        """
        for _ in range(MOST_MISSED):
            with self.database.read_session() as session:
                chosen = photos.next_due(session, self.clock(), cost)
            if chosen is None or self.process(chosen):
                break
        if chosen is None:
            self.process(photo_id)

    def process(self, photo_id: str) -> bool:
        """Work on the photo if it is due and nobody else's; harmless otherwise, however often it is called.

        Whether it was.
        """
        with self.database.unit_of_work() as session:
            held = photos.claim(session, photo_id, self.clock())
            if held is None:
                quality.complete_job_of(session, photo_id, self.clock(), self.mode)
        if held is not None:
            if held.is_one_of_many:
                self.lower_priority()
            with operation("photo", photo_id=held.key, job_id=held.job_id, account_id=held.account_id):
                self._work(held)
        return held is not None

    def _work(self, held: PhotoClaim) -> None:
        progress = WorkProgress()
        hold = self._hold(held, progress)
        try:
            look = self._look(held, hold, progress)
            # Each part has the watch's whole time: a slow store takes none of the engine's.
            with self.watch(hold):
                source = self._read(held, progress)
            with self.watch(hold):
                made = self._make(held, source, look, progress)
            with self.watch(hold):
                self._finish(held, self._kept(held, self._sign(held, source, made, progress)), progress)
        except UnusablePhotoError as unusable:
            self._finish(
                held, PhotoOutcome(QualityReport(reason=unusable.reason, message=unusable.message)), progress
            )
        except (StorageUnavailableError, ImageryUnavailableError, ServerUnavailableError, *UNAVAILABLE) as away:
            log.warning("photo %s is put off: %s", held.key, away)
            self._put_off(held, progress)
        except Exception:
            log.exception("photo %s: processing broke", held.key)
            self._broke(held, progress)

    def _look(self, held: PhotoClaim, hold: WorkHold, progress: WorkProgress) -> SharedAppearance:
        """What the job's photos share. The first worker finds it, in a time of its own; the others read it."""
        looks = SharedAppearances(self.database, self.storage, self.engine)
        kept = looks.kept(held.job_id)
        if kept is not None:
            return kept
        if held.is_last_try:
            # Looking at the job's photos, of which one may be hostile, ended the tries before: this one goes alone.
            return SharedAppearance()
        with self.watch(hold), progress.of_engine():
            return looks.settle(held.job_id)

    def _read(self, held: PhotoClaim, progress: WorkProgress) -> BytesIO:
        """The photo and its frames, whole, so that nothing of the store is waited for once the engine has begun."""
        try:
            imagery.fetch(self.database, self.storage, self.imagery, held)
            source = self._whole(held, held.storage_key)
            progress.original_sha256 = sha256(source.getbuffer()).hexdigest()
            progress.frames = frames.read(held.frames, partial(self._whole, held))
            return source
        except ImageryUnavailableError:
            # The job's other photos are not kept waiting until its time is over, and all of it refunded.
            if self.clock() < held.missing_until:
                raise
            raise UnusablePhotoError(Reason.NO_IMAGERY, SOURCE_AWAY) from None
        except FileNotFoundError:
            raise UnusablePhotoError(Reason.PROCESSING_FAILED, FILE_GONE) from None

    def _whole(self, held: PhotoClaim, key: str) -> BytesIO:
        """The file, read. It was there when it was ordered: FileNotFoundError comes only after a long wait."""
        try:
            with self.storage.open(key) as file:
                return BytesIO(file.read())
        except FileNotFoundError:
            if self.clock() < held.missing_until:
                raise StorageUnavailableError(f"{key} is not there (yet)") from None
            raise

    def _make(self, held: PhotoClaim, source: BinaryIO, look: SharedAppearance, progress: WorkProgress) -> Enhanced:
        """No transaction is open while the engine works."""
        with progress.of_engine():
            return self.engine.enhance(source, held.edit_request, self._context(held, look, progress))

    def _sign(self, held: PhotoClaim, source: BytesIO, made: Enhanced, progress: WorkProgress) -> PhotoOutcome:
        if made.picture is None:
            return PhotoOutcome(made.report)
        encoded = made.picture
        kind = sniff(bytes(source.getbuffer()[:HEADER_BYTES])) or MediaType.JPEG
        claim = claim_result(made.report, kind, progress.original_sha256 or "")
        # A library that never came back would be a try, as the engine is, of which the last goes without it.
        with progress.of_engine():
            signed = credentials.sign(
                self.credentials, encoded.content, encoded.media_type, claim, last_try=held.is_last_try
            )
        picture = replace(encoded, content=signed.content)
        digests = sha256(signed.content).hexdigest(), sha256(encoded.content).hexdigest()
        return PhotoOutcome(made.report, picture, held.result_key(picture), *digests, credentials=signed.kind)

    def _kept(self, held: PhotoClaim, outcome: PhotoOutcome) -> PhotoOutcome:
        if outcome.picture is None or outcome.key is None:
            return outcome
        writing = self.storage.create(outcome.key, MAX_RESULT_BYTES)
        try:
            writing.write(outcome.picture.content)
            writing.publish()
        finally:
            writing.discard()
        return outcome

    def _context(self, held: PhotoClaim, look: SharedAppearance, progress: WorkProgress) -> EngineContext:
        # As with imagery, the job's other photos are not kept waiting until its time is over.
        may_wait = self.clock() < held.missing_until

        def spend() -> bool:
            try:
                self.calls.check()
            except ServerBusyError as busy:
                if may_wait:
                    raise ServerUnavailableError(str(busy)) from None
                raise
            with self.database.unit_of_work() as session:
                return photos.spend(session, held.job_id, self.calls, self.clock())

        whole = partial(self._whole, held)
        return EngineContext(spend, whole, held.job_id, look, may_wait, frames=progress.frames.openers)

    def _finish(self, held: PhotoClaim, outcome: PhotoOutcome, progress: WorkProgress) -> None:
        def finish(session: Session) -> bool:
            digests = progress.frames.sha256s
            whole = replace(outcome, original_sha256=progress.original_sha256, frame_sha256s=digests)
            kept = photos.finish(session, held, whole, self.clock())
            if kept:
                quality.check_result_of(session, held.key, self.clock(), self.mode)
                quality.complete(session, held.job_id, self.clock(), self.mode)
            return kept

        if not self._written(held, progress, finish):
            log.warning("photo %s: the claim was lost or its job ended; the result is dropped", held.key)
            if outcome.key is not None:
                self.storage.delete(outcome.key)

    def _hold(self, held: PhotoClaim, progress: WorkProgress) -> WorkHold:
        def give_up() -> None:
            (self._broke if progress.in_engine else self._put_off)(held, progress)

        return WorkHold(lambda: self._renew(held, progress), give_up, lambda: self._release(held))

    def _renew(self, held: PhotoClaim, progress: WorkProgress) -> bool:
        try:
            with self.database.unit_of_work() as session:
                kept = photos.QUEUE.renew(session, held, self.clock())
                self._forgive(session, held, progress, kept)
                return kept
        except UNAVAILABLE:
            progress.database_away = True
            raise

    def _release(self, held: PhotoClaim) -> None:
        with self.database.unit_of_work() as session:
            photos.QUEUE.release(session, held, self.clock())

    def _broke(self, held: PhotoClaim, progress: WorkProgress) -> None:
        def retry(session: Session) -> bool:
            kept = photos.retry(session, held, self.clock())
            quality.complete(session, held.job_id, self.clock(), self.mode)
            return kept

        self._written(held, progress, retry)

    def _put_off(self, held: PhotoClaim, progress: WorkProgress) -> None:
        self._written(held, progress, lambda session: photos.QUEUE.postpone(session, held, self.clock()))

    def _written(self, held: PhotoClaim, progress: WorkProgress, write: Callable[[Session], bool]) -> bool:
        """What the claim's end wrote; waits for a database that is away: nothing else could be done meanwhile."""
        for seconds in (*DATABASE_PAUSES, None):
            try:
                with self.database.unit_of_work() as session:
                    kept = write(session)
                    self._forgive(session, held, progress, kept)
                    return kept
            except UNAVAILABLE as away:
                if seconds is None:
                    raise
                progress.database_away = True
                log.warning("photo %s: what became of it cannot be written down yet: %s", held.key, away)
                self.pause(seconds)
        return False

    def _forgive(self, session: Session, held: PhotoClaim, progress: WorkProgress, kept: bool) -> None:
        """A claim lost while the database was away is no try: another worker took it up as if this one had died."""
        if not kept and progress.database_away:
            photos.give_back_attempt(session, held)
            progress.database_away = False
