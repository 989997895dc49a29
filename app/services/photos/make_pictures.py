"""The work on one picture, from claiming it to storing it; a wake-up starts it.

There are three kinds of failure. A photo that cannot be read, or whose file is gone, is reported without another
attempt. When the engine fails on a photo, or crashes the worker, that uses up one of the photo's attempts. While
the store, the database, a server that pictures come from or the release of the engine that makes the picture is
unavailable, no attempt is used up: the work waits, longer each time. The first picture of a photo waits until its
job's time limit at most; for imagery or a generative server, half of that time.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from typing import ClassVar

from sqlalchemy.orm import Session

from app.database import UNAVAILABLE, Database
from app.domain.content_credentials import ContentCredentials
from app.domain.engines import EngineMissingError, OpenRelease
from app.domain.ports import (
    Engine,
    Imagery,
    ImageryUnavailableError,
    ListingPictureMaker,
    Storage,
    StorageUnavailableError,
)
from app.domain.reviews import QcMode
from app.domain.variants import VariantObstacle
from app.log_context import operation
from app.services.leases import ClaimCallbacks, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, imagery, packs, photos, pictures, quality, variants
from app.services.photos.finished_pictures import remove_picture, sign_picture, store_picture
from app.services.photos.frames import ReadFrames
from app.services.photos.pictures import CallLimits, MadePicture, PictureLease
from app.services.photos.sandbox_engine import SandboxEngine
from app.services.photos.shared_appearances import SharedAppearances
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.enhancements import WorkSize
from engine.types.media import HEADER_BYTES
from engine.types.pictures import Enhanced, UnusablePhotoError
from engine.types.report import QualityReport, Reason
from engine.types.server import ServerBusyError, ServerUnavailableError

log = logging.getLogger(__name__)

DATABASE_PAUSES = (1, 2, 4, 8, *[15] * 40)
"""Seconds between attempts to store a picture's outcome while the database is unreachable: ten minutes in all."""
MAX_LOST_CLAIMS = 20
"""The number of times that other workers may claim the chosen photo first. After that the wake-up ends, and the
sweep wakes workers.
"""
UNAVAILABLE_PARTS = (EngineMissingError, ImageryUnavailableError, ServerUnavailableError, StorageUnavailableError)
"""Exceptions that say that the work must wait for something other than the database."""
FILE_GONE = "The file of this photo is no longer in the store."
IMAGERY_UNREACHABLE = "The source of public imagery could not be reached."


@dataclass(frozen=True, slots=True)
class PictureWorker:
    """Makes pictures. `watch` guards the claim during each part of the work. `mode`: who approves results.
    `open_release`: the engine of a release other than that of `engine`. `listing_pictures` makes pictures of test
    orders small. `settle` continues the round that waits for the picture with this id, once it is made or given up.

    `calls`: how many calls to a generative server may be paid. `imagery`: the source of exterior views.
    `credentials` signs the pictures; None if they are not signed. `pause` sleeps between attempts to reach the
    database. `lower_priority` is called before the work on a photo whose account has many more waiting.
    """

    database: Database
    storage: Storage
    engine: Engine
    open_release: OpenRelease
    listing_pictures: ListingPictureMaker
    clock: Callable[[], datetime]
    watch: Callable[[ClaimCallbacks], AbstractContextManager[None]]
    mode: QcMode
    settle: Callable[[Session, str, datetime], None]
    calls: CallLimits = field(default_factory=CallLimits)
    imagery: Imagery | None = None
    credentials: ContentCredentials | None = None
    pause: Callable[[float], None] = field(default=time.sleep)
    lower_priority: Callable[[], object] = lambda: None

    def answer(self, photo_id: str, work_size: WorkSize) -> None:
        """Answer a wake-up: work on the photo of this work size whose turn it is, or on `photo_id` if no photo
        is due.

        There are as many wake-ups as photos, so each photo gets its turn.
        """
        for _ in range(MAX_LOST_CLAIMS):
            with self.database.read_session() as session:
                chosen = photos.next_due(session, self.clock(), work_size)
            if chosen is None or self.process(chosen):
                break
        if chosen is None:
            self.process(photo_id)

    def process(self, photo_id: str) -> bool:
        """Make the first picture of a photo if it is due and no other worker has claimed it; otherwise harmless,
        however often it is called.

        True if this worker claimed it.
        """
        with self.database.unit_of_work() as session:
            lease = photos.claim(session, photo_id, self.clock())
            if lease is None:
                quality.complete_job_of(session, photo_id, self.clock(), self.mode)
        if lease is not None:
            if lease.is_one_of_many:
                self.lower_priority()
            with operation("photo", photo_id=lease.key, job_id=lease.job_id, account_id=lease.account_id):
                self._work(_FirstPicture, lease)
        return lease is not None

    def make(self, picture_id: str) -> None:
        """Make any other picture if it is due and no other worker has claimed it; otherwise harmless, also when
        repeated.
        """
        with self.database.unit_of_work() as session:
            lease = pictures.claim(session, picture_id, self.clock())
            if lease is None:
                self.settle(session, picture_id, self.clock())
        if lease is not None:
            with operation("picture", picture_id=lease.key, job_id=lease.job_id, account_id=lease.account_id):
                self._work(_AnotherPicture, lease)

    def _work(self, kind: "type[_Making]", lease: PictureLease) -> None:
        """Work on one claim, with the engine of its release."""
        is_other = lease.release.python is not None
        with self.open_release(lease.release) if is_other else nullcontext(self.engine) as engine:
            kind(self, lease, engine).run()


@dataclass(slots=True)
class _Making(ABC):
    """The work on one claim. `delay_counts`: whether taking too long now uses up an attempt; `lost_database`:
    whether the database was unreachable meanwhile; `sha256` and `frames`: the photo's digest and frames, once they
    are read.
    """

    queue: ClassVar[WorkQueue]

    worker: PictureWorker
    lease: PictureLease
    engine: Engine
    delay_counts: bool = False
    lost_database: bool = False
    sha256: str | None = None
    frames: ReadFrames = field(default_factory=ReadFrames)

    def run(self) -> None:
        """Make the picture and store the outcome. Reading, the engine, and storing are watched one by one, so that
        a slow store takes none of the engine's time. No transaction is open while the engine works, or files are
        read or written.
        """
        watch, callbacks = self.worker.watch, ClaimCallbacks(self._renew, self._end_overdue, self._release)
        try:
            appearance = self._find_appearance(callbacks)
            with watch(callbacks):
                source = self._read()
            with watch(callbacks), self._counting_delay():
                made = self._enhance(source, self._engine_context(appearance))
            with watch(callbacks):
                self._finish(store_picture(self.worker.storage, self._sign(source, made)))
        except (UnusablePhotoError, FileNotFoundError) as refused:
            log.warning("%s cannot be made: %s", self.lease.key, refused)
            self._refuse(refused)
        except (*UNAVAILABLE_PARTS, *UNAVAILABLE) as error:
            log.warning("%s is put off: %s", self.lease.key, error)
            self._put_off()
        except Exception:
            log.exception("%s: making it failed", self.lease.key)
            self._record_failure()

    @abstractmethod
    def _find_appearance(self, callbacks: ClaimCallbacks) -> SharedAppearance:
        """The appearance that the job's photos share."""

    @abstractmethod
    def _read(self) -> BytesIO:
        """Read the photo and its frames completely, so that the engine does not wait for the store."""

    @abstractmethod
    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        """Store the outcome for a photo that cannot be worked on, or a file that is gone."""

    @abstractmethod
    def _keep(self, session: Session, made: MadePicture) -> bool:
        """Store the outcome, and continue the work that waited for it; False when the claim was lost."""

    @abstractmethod
    def _retry(self, session: Session) -> bool:
        """Let another attempt follow, or give up after the last; False when the claim was lost."""

    def _read_file(self, key: str) -> BytesIO:
        with self.worker.storage.open(key) as file:
            return BytesIO(file.read())

    def _enhance(self, source: BytesIO, context: EngineContext) -> Enhanced:
        worker, request, address = self.worker, self.lease.edit_request, self.lease.sandbox_address
        if address is None:
            return self.engine.enhance(source, request, context)
        return SandboxEngine(self.engine, worker.listing_pictures).enhance(source, request, context, address)

    def _engine_context(self, appearance: SharedAppearance) -> EngineContext:
        lease, worker = self.lease, self.worker
        may_wait = worker.clock() < lease.waits_until

        def spend() -> bool:
            try:
                worker.calls.check()
            except ServerBusyError as busy:
                if may_wait:
                    raise ServerUnavailableError(str(busy)) from None
                raise
            with worker.database.unit_of_work() as session:
                return pictures.spend(session, lease.job_id, worker.calls, worker.clock())

        return EngineContext(
            spend=spend if lease.asks_server else lambda: False,
            open_reference=self._read_file,
            order_seed=lease.job_id,
            appearance=appearance,
            may_wait=may_wait,
            asks_server=lease.asks_server,
            frames=self.frames.openers,
            photo_seed=lease.settings.photo_seed,
            strength=lease.settings.strength,
        )

    def _sign(self, source: BytesIO, made: Enhanced) -> MadePicture:
        header = bytes(source.getbuffer()[:HEADER_BYTES])
        # When the signing library hangs, that uses up an attempt.
        with self._counting_delay():
            return sign_picture(self.worker.credentials, self.lease, made, header, self.sha256 or "")

    def _finish(self, made: MadePicture) -> None:
        if not self._write(lambda session: self._keep(session, made)):
            log.warning("%s: the claim was lost or its job ended; the picture is dropped", self.lease.key)
            remove_picture(self.worker.storage, made)

    @contextmanager
    def _counting_delay(self) -> Iterator[None]:
        """While this context is open, taking too long uses up one of the photo's attempts."""
        self.delay_counts = True
        try:
            yield
        finally:
            self.delay_counts = False

    def _end_overdue(self) -> None:
        if self.delay_counts:
            self._record_failure()
        else:
            self._put_off()

    def _renew(self) -> bool:
        try:
            with self.worker.database.unit_of_work() as session:
                kept = self.queue.renew(session, self.lease, self.worker.clock())
                self._return_attempt(session, kept)
                return kept
        except UNAVAILABLE:
            self.lost_database = True
            raise

    def _release(self) -> None:
        with self.worker.database.unit_of_work() as session:
            self.queue.release(session, self.lease, self.worker.clock())

    def _record_failure(self) -> None:
        self._write(self._retry)

    def _put_off(self) -> None:
        self._write(lambda session: self.queue.postpone(session, self.lease, self.worker.clock()))

    def _write(self, write: Callable[[Session], bool]) -> bool:
        """Run `write` in a unit of work, and repeat it while the database is unreachable, because the worker could
        do nothing else meanwhile.
        """
        for seconds in (*DATABASE_PAUSES, None):
            try:
                with self.worker.database.unit_of_work() as session:
                    kept = write(session)
                    self._return_attempt(session, kept)
                    return kept
            except UNAVAILABLE as error:
                if seconds is None:
                    raise
                self.lost_database = True
                log.warning("%s: its outcome cannot be stored yet: %s", self.lease.key, error)
                self.worker.pause(seconds)
        return False

    def _return_attempt(self, session: Session, kept: bool) -> None:
        """Do not count the attempt if the claim was lost while the database was unreachable: then another worker
        has claimed the picture.
        """
        if not kept and self.lost_database:
            self.queue.give_back_attempt(session, self.lease)
            self.lost_database = False


class _FirstPicture(_Making):
    """The picture as it was ordered. It becomes the photo's result, even if nothing usable was made."""

    queue = photos.QUEUE

    def _find_appearance(self, callbacks: ClaimCallbacks) -> SharedAppearance:
        """The first worker determines the appearance, with a watch of its own; the others read it."""
        lease, worker = self.lease, self.worker
        appearances = SharedAppearances(worker.database, worker.storage, self.engine)
        kept = appearances.find(lease.job_id)
        if kept is not None:
            return kept
        if lease.is_last_try:
            # Earlier attempts may have crashed on another photo of the job, which may be malicious, so the last
            # attempt reads no other photo.
            return SharedAppearance()
        with worker.watch(callbacks), self._counting_delay():
            return appearances.determine(lease.job_id)

    def _read(self) -> BytesIO:
        lease, worker = self.lease, self.worker
        try:
            imagery.fetch(worker.database, worker.storage, worker.imagery, lease)
            source = self._read_file(lease.storage_key)
            self.sha256 = sha256(source.getbuffer()).hexdigest()
            self.frames = frames.read(lease.frames, self._read_file)
            return source
        except ImageryUnavailableError:
            # Waiting longer would delay the whole job until its time limit, when all of it is refunded.
            if worker.clock() < lease.waits_until:
                raise
            raise UnusablePhotoError(Reason.NO_IMAGERY, IMAGERY_UNREACHABLE) from None
        except FileNotFoundError:
            raise UnusablePhotoError(Reason.PROCESSING_FAILED, FILE_GONE) from None

    def _read_file(self, key: str) -> BytesIO:
        """Read the file. It was there when it was ordered, so FileNotFoundError is raised only after a long
        wait.
        """
        try:
            return super()._read_file(key)
        except FileNotFoundError:
            if self.worker.clock() < self.lease.waits_until:
                raise StorageUnavailableError(f"{key} is not there (yet)") from None
            raise

    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        if isinstance(refused, FileNotFoundError):
            self._record_failure()
        else:
            self._finish(MadePicture(QualityReport(reason=refused.reason, message=refused.message)))

    def _keep(self, session: Session, made: MadePicture) -> bool:
        lease, worker = self.lease, self.worker
        kept = photos.finish(session, lease, made, worker.clock(), self.sha256, self.frames.sha256s)
        if kept:
            quality.check_result_of(session, lease.key, worker.clock(), worker.mode)
            quality.complete(session, lease.job_id, worker.clock(), worker.mode)
        return kept

    def _retry(self, session: Session) -> bool:
        kept = photos.retry(session, self.lease, self.worker.clock())
        quality.complete(session, self.lease.job_id, self.worker.clock(), self.worker.mode)
        return kept


class _AnotherPicture(_Making):
    """A picture with other settings than were ordered."""

    queue = pictures.QUEUE

    def _find_appearance(self, callbacks: ClaimCallbacks) -> SharedAppearance:
        return self.lease.appearance or SharedAppearance()

    def _read(self) -> BytesIO:
        lease = self.lease
        source = self._read_file(lease.storage_key)
        self.sha256 = sha256(source.getbuffer()).hexdigest()
        if lease.sha256 not in (None, self.sha256):
            raise FileNotFoundError(f"{lease.storage_key} is another file than the one that was ordered")
        self.frames = frames.read(lease.frames, self._read_file)
        return source

    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        why = VariantObstacle.FILES_GONE if isinstance(refused, FileNotFoundError) else VariantObstacle.UNUSABLE

        def give_up(session: Session) -> bool:
            jobs.lock(session, self.lease.job_id)
            return self._settle(session, pictures.give_up(session, self.lease, why))

        self._write(give_up)

    def _keep(self, session: Session, made: MadePicture) -> bool:
        now = self.worker.clock()
        kept = self._settle(session, pictures.finish(session, self.lease, made, now))
        if kept:
            variants.report_ready(session, self.lease.key, now)
        return kept

    def _retry(self, session: Session) -> bool:
        return self._settle(session, pictures.retry(session, self.lease, self.worker.clock()))

    def _settle(self, session: Session, kept: bool) -> bool:
        if kept:
            self.worker.settle(session, self.lease.key, self.worker.clock())
            packs.wake_waiting(session, self.lease.job_id, self.worker.clock())
        return kept
