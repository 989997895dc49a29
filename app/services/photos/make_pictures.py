"""One picture from claim to store: the work that a wake-up starts.

There are three kinds of failure. A photo that cannot be read, or whose file is gone, is reported without another
attempt. When the engine fails on a photo, or dies with it, that uses up one of the photo's attempts. While the
store, the database or a server that pictures come from is unavailable, no attempt is used up: the work waits,
longer each time. The first picture of a photo waits until its job's time limit, for imagery and a generative server
half of that time.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from typing import ClassVar

from sqlalchemy.orm import Session

from app.database import UNAVAILABLE, Database
from app.domain.content_credentials import ContentCredentials, claim_result
from app.domain.ports import Engine, Imagery, ImageryUnavailableError, Storage, StorageUnavailableError
from app.domain.reviews import QcMode
from app.domain.variants import NoVariant
from app.log_context import operation
from app.services import credentials, stored_files
from app.services.leases import ClaimCallbacks, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, imagery, packs, photos, pictures, quality
from app.services.photos.frames import ReadFrames
from app.services.photos.pictures import CallLimits, MadePicture, PictureLease
from app.services.photos.shared_appearances import SharedAppearances
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.enhancements import WorkSize
from engine.types.media import HEADER_BYTES, MediaType, sniff
from engine.types.pictures import Enhanced, UnusablePhotoError
from engine.types.report import QualityReport, Reason
from engine.types.server import ServerBusyError, ServerUnavailableError

log = logging.getLogger(__name__)

DATABASE_PAUSES = (1, 2, 4, 8, *[15] * 40)
"""Seconds between attempts to store a picture's outcome while the database is unreachable: ten minutes in all."""
MOST_MISSED = 20
"""How often other workers may claim the chosen photo first, before a wake-up is left to the sweep."""
FILE_GONE = "The file of this photo is no longer in the store."
SOURCE_AWAY = "The source of public imagery could not be reached."


@dataclass(frozen=True, slots=True)
class PictureWorker:
    """What the work needs. `watch` guards the claim during each part of the work. `mode`: who approves results.
    `settle` continues the round that waits for the picture with this id, once it is made or given up.

    `calls`: how many calls to a generative server may be paid. `imagery`: the source of exterior views.
    `credentials` signs the pictures; None where they are not signed. `pause` sleeps for these seconds while the
    database is unreachable. `lower_priority` is called before the work on a photo that is one of many of its
    account.
    """

    database: Database
    storage: Storage
    engine: Engine
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
        """Answer a wake-up: work on the photo of this work size whose turn it is, or on `photo_id` where no photo
        is due.

        There are as many wake-ups as photos, so each photo gets its turn.
        """
        for _ in range(MOST_MISSED):
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
            held = photos.claim(session, photo_id, self.clock())
            if held is None:
                quality.complete_job_of(session, photo_id, self.clock(), self.mode)
        if held is not None:
            if held.is_one_of_many:
                self.lower_priority()
            with operation("photo", photo_id=held.key, job_id=held.job_id, account_id=held.account_id):
                _FirstPicture(self, held).run()
        return held is not None

    def make(self, picture_id: str) -> None:
        """Make any other picture if it is due and no other worker has claimed it; otherwise harmless, also when
        repeated.
        """
        with self.database.unit_of_work() as session:
            held = pictures.claim(session, picture_id, self.clock())
            if held is None:
                self.settle(session, picture_id, self.clock())
        if held is not None:
            with operation("picture", picture_id=held.key, job_id=held.job_id, account_id=held.account_id):
                _AnotherPicture(self, held).run()


@dataclass(slots=True)
class _Making(ABC):
    """The work on one claim. `in_engine`: whether the engine is working; `database_away`: whether the database was
    unreachable meanwhile; `sha256` and `frames`: the photo's digest and frames, once they are read.
    """

    queue: ClassVar[WorkQueue]

    worker: PictureWorker
    held: PictureLease
    in_engine: bool = False
    database_away: bool = False
    sha256: str | None = None
    frames: ReadFrames = field(default_factory=ReadFrames)

    def run(self) -> None:
        """Make the picture and store the outcome. Reading, the engine, and storing are watched one by one, so that
        a slow store takes none of the engine's time. No transaction is open while the engine works, or files are
        read or written.
        """
        watch, callbacks = self.worker.watch, ClaimCallbacks(self._renew, self._end_late, self._release)
        try:
            appearance = self._find_appearance(callbacks)
            with watch(callbacks):
                source = self._read()
            with watch(callbacks), self._of_engine():
                made = self.worker.engine.enhance(source, self.held.edit_request, self._context(appearance))
            with watch(callbacks):
                self._finish(self._store(self._sign(source, made)))
        except (UnusablePhotoError, FileNotFoundError) as refused:
            log.warning("%s cannot be made: %s", self.held.key, refused)
            self._refuse(refused)
        except (StorageUnavailableError, ImageryUnavailableError, ServerUnavailableError, *UNAVAILABLE) as error:
            log.warning("%s is put off: %s", self.held.key, error)
            self._put_off()
        except Exception:
            log.exception("%s: making it broke", self.held.key)
            self._break()

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
        """Store what was made, and continue what waited for it; False when the claim was lost."""

    @abstractmethod
    def _retry(self, session: Session) -> bool:
        """Let another attempt follow, or give up after the last; False when the claim was lost."""

    def _whole(self, key: str) -> BytesIO:
        with self.worker.storage.open(key) as file:
            return BytesIO(file.read())

    def _context(self, appearance: SharedAppearance) -> EngineContext:
        held, worker = self.held, self.worker
        may_wait = worker.clock() < held.waits_until

        def spend() -> bool:
            try:
                worker.calls.check()
            except ServerBusyError as busy:
                if may_wait:
                    raise ServerUnavailableError(str(busy)) from None
                raise
            with worker.database.unit_of_work() as session:
                return pictures.spend(session, held.job_id, worker.calls, worker.clock())

        return EngineContext(
            spend=spend if held.asks_server else lambda: False,
            open_reference=self._whole,
            order_seed=held.job_id,
            appearance=appearance,
            may_wait=may_wait,
            asks_server=held.asks_server,
            frames=self.frames.openers,
            photo_seed=held.settings.photo_seed,
            strength=held.settings.strength,
        )

    def _sign(self, source: BytesIO, made: Enhanced) -> MadePicture:
        if made.picture is None:
            return MadePicture(made.report)
        encoded = made.picture
        kind = sniff(bytes(source.getbuffer()[:HEADER_BYTES])) or MediaType.JPEG
        claim = claim_result(made.report, kind, self.sha256 or "")
        # A signing library that hangs uses up an attempt, as the engine does; the last attempt goes without it.
        with self._of_engine():
            signer, last_try = self.worker.credentials, self.held.is_last_try
            signed = credentials.sign(signer, encoded.content, encoded.media_type, claim, last_try=last_try)
        picture = replace(encoded, content=signed.content)
        digests = sha256(signed.content).hexdigest(), sha256(encoded.content).hexdigest()
        return MadePicture(made.report, picture, self.held.picture_key(picture), *digests, credentials=signed.kind)

    def _store(self, made: MadePicture) -> MadePicture:
        if made.picture is not None and made.key is not None:
            stored_files.keep(self.worker.storage, made.key, made.picture.content)
        return made

    def _finish(self, made: MadePicture) -> None:
        if not self._written(lambda session: self._keep(session, made)):
            log.warning("%s: the claim was lost or its job ended; the picture is dropped", self.held.key)
            if made.key is not None:
                self.worker.storage.delete(made.key)

    @contextmanager
    def _of_engine(self) -> Iterator[None]:
        """Inside this context, taking too long uses up one of the photo's attempts."""
        self.in_engine = True
        try:
            yield
        finally:
            self.in_engine = False

    def _end_late(self) -> None:
        (self._break if self.in_engine else self._put_off)()

    def _renew(self) -> bool:
        try:
            with self.worker.database.unit_of_work() as session:
                kept = self.queue.renew(session, self.held, self.worker.clock())
                self._forgive(session, kept)
                return kept
        except UNAVAILABLE:
            self.database_away = True
            raise

    def _release(self) -> None:
        with self.worker.database.unit_of_work() as session:
            self.queue.release(session, self.held, self.worker.clock())

    def _break(self) -> None:
        self._written(self._retry)

    def _put_off(self) -> None:
        self._written(lambda session: self.queue.postpone(session, self.held, self.worker.clock()))

    def _written(self, write: Callable[[Session], bool]) -> bool:
        """Run `write` in a unit of work, again while the database is unreachable: the worker could do nothing else
        meanwhile.
        """
        for seconds in (*DATABASE_PAUSES, None):
            try:
                with self.worker.database.unit_of_work() as session:
                    kept = write(session)
                    self._forgive(session, kept)
                    return kept
            except UNAVAILABLE as error:
                if seconds is None:
                    raise
                self.database_away = True
                log.warning("%s: what became of it cannot be written down yet: %s", self.held.key, error)
                self.worker.pause(seconds)
        return False

    def _forgive(self, session: Session, kept: bool) -> None:
        """Give back the attempt of a claim lost while the database was unreachable: another worker has taken it
        over.
        """
        if not kept and self.database_away:
            self.queue.give_back_attempt(session, self.held)
            self.database_away = False


class _FirstPicture(_Making):
    """The picture as it was ordered: it becomes the photo's result, also where nothing usable was made."""

    queue = photos.QUEUE

    def _find_appearance(self, callbacks: ClaimCallbacks) -> SharedAppearance:
        """The first worker finds the appearance, with a watch of its own; the others read it."""
        held, worker = self.held, self.worker
        looks = SharedAppearances(worker.database, worker.storage, worker.engine)
        kept = looks.kept(held.job_id)
        if kept is not None:
            return kept
        if held.is_last_try:
            # The attempts before may have crashed while reading the job's photos, one of which may be malicious:
            # the last goes without.
            return SharedAppearance()
        with worker.watch(callbacks), self._of_engine():
            return looks.settle(held.job_id)

    def _read(self) -> BytesIO:
        held, worker = self.held, self.worker
        try:
            imagery.fetch(worker.database, worker.storage, worker.imagery, held)
            source = self._whole(held.storage_key)
            self.sha256 = sha256(source.getbuffer()).hexdigest()
            self.frames = frames.read(held.frames, self._whole)
            return source
        except ImageryUnavailableError:
            # To wait on would hold up the job's other photos until its time is over, when all of it is refunded.
            if worker.clock() < held.waits_until:
                raise
            raise UnusablePhotoError(Reason.NO_IMAGERY, SOURCE_AWAY) from None
        except FileNotFoundError:
            raise UnusablePhotoError(Reason.PROCESSING_FAILED, FILE_GONE) from None

    def _whole(self, key: str) -> BytesIO:
        """The file was there when it was ordered, so FileNotFoundError is raised only after a long wait."""
        try:
            return super()._whole(key)
        except FileNotFoundError:
            if self.worker.clock() < self.held.waits_until:
                raise StorageUnavailableError(f"{key} is not there (yet)") from None
            raise

    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        if isinstance(refused, FileNotFoundError):
            self._break()
        else:
            self._finish(MadePicture(QualityReport(reason=refused.reason, message=refused.message)))

    def _keep(self, session: Session, made: MadePicture) -> bool:
        held, worker = self.held, self.worker
        kept = photos.finish(session, held, made, worker.clock(), self.sha256, self.frames.sha256s)
        if kept:
            quality.check_result_of(session, held.key, worker.clock(), worker.mode)
            quality.complete(session, held.job_id, worker.clock(), worker.mode)
        return kept

    def _retry(self, session: Session) -> bool:
        kept = photos.retry(session, self.held, self.worker.clock())
        quality.complete(session, self.held.job_id, self.worker.clock(), self.worker.mode)
        return kept


class _AnotherPicture(_Making):
    """A picture with other settings than were ordered."""

    queue = pictures.QUEUE

    def _find_appearance(self, callbacks: ClaimCallbacks) -> SharedAppearance:
        return self.held.appearance or SharedAppearance()

    def _read(self) -> BytesIO:
        held = self.held
        source = self._whole(held.storage_key)
        self.sha256 = sha256(source.getbuffer()).hexdigest()
        if held.sha256 not in (None, self.sha256):
            raise FileNotFoundError(f"{held.storage_key} is another file than the one that was ordered")
        self.frames = frames.read(held.frames, self._whole)
        return source

    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        why = NoVariant.FILES_GONE if isinstance(refused, FileNotFoundError) else NoVariant.UNUSABLE

        def give_up(session: Session) -> bool:
            jobs.lock(session, self.held.job_id)
            return self._settle(session, pictures.give_up(session, self.held, why))

        self._written(give_up)

    def _keep(self, session: Session, made: MadePicture) -> bool:
        return self._settle(session, pictures.finish(session, self.held, made, self.worker.clock()))

    def _retry(self, session: Session) -> bool:
        return self._settle(session, pictures.retry(session, self.held, self.worker.clock()))

    def _settle(self, session: Session, kept: bool) -> bool:
        if kept:
            self.worker.settle(session, self.held.key, self.worker.clock())
            packs.go_on(session, self.held.job_id, self.worker.clock())
        return kept
