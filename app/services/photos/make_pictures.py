"""One picture from claim to store: the work that a wake-up starts.

What goes wrong is one of three things. The photo cannot be read, or its file is gone: that is told at once. The
engine fails on it, or dies with it: one of its attempts. The store, the database or a server that pictures come
from is away: no try, however often; it waits, longer each time: the first picture of a photo until its job's time
ends, for imagery and for a generative server half of it.
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
from app.services.leases import WorkHold, WorkQueue
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
"""Seconds between tries to write down what became of a picture while the database is away: ten minutes in all."""
MOST_MISSED = 20
"""So often another worker may be quicker at the photo whose turn it is, before a wake-up is left to the sweep."""
FILE_GONE = "The file of this photo is no longer in the store."
SOURCE_AWAY = "The source of public imagery could not be reached."


@dataclass(frozen=True, slots=True)
class PictureWorker:
    """What the work needs. `watch` guards a WorkHold while the engine works. `mode`: who passes results on.
    `settle` goes on with what waited for the picture with this id, once that is made or given up.

    `calls`: how many calls to a generative server may be paid. `imagery`: the source of outside views.
    `credentials` signs the pictures; None where they are not signed.
    `pause` waits so many seconds for the database. `lower_priority` is called for a photo that is one of many of
    its account, before the work on it.
    """

    database: Database
    storage: Storage
    engine: Engine
    clock: Callable[[], datetime]
    watch: Callable[[WorkHold], AbstractContextManager[None]]
    mode: QcMode
    settle: Callable[[Session, str, datetime], None]
    calls: CallLimits = field(default_factory=CallLimits)
    imagery: Imagery | None = None
    credentials: ContentCredentials | None = None
    pause: Callable[[float], None] = field(default=time.sleep)
    lower_priority: Callable[[], object] = lambda: None

    def answer(self, photo_id: str, work_size: WorkSize) -> None:
        """Answer a wake-up: work on the photo of this work size whose turn it is, or on `photo_id` where none is.

        There are as many wake-ups as photos, so each gets its turn.
        """
        for _ in range(MOST_MISSED):
            with self.database.read_session() as session:
                chosen = photos.next_due(session, self.clock(), work_size)
            if chosen is None or self.process(chosen):
                break
        if chosen is None:
            self.process(photo_id)

    def process(self, photo_id: str) -> bool:
        """Make the first picture of a photo if it is due and nobody else's; harmless otherwise, however often it is
        called.

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
                _FirstPicture(self, held).run()
        return held is not None

    def make(self, picture_id: str) -> None:
        """Make any other picture if it is due and nobody else's; harmless otherwise, also when repeated."""
        with self.database.unit_of_work() as session:
            held = pictures.claim(session, picture_id, self.clock())
            if held is None:
                self.settle(session, picture_id, self.clock())
        if held is not None:
            with operation("picture", picture_id=held.key, job_id=held.job_id, account_id=held.account_id):
                _AnotherPicture(self, held).run()


@dataclass(slots=True)
class _Making(ABC):
    """How one claim goes: whether the engine has it, whether the database was away meanwhile, and the digest of the
    photo, and its frames, once they are read.
    """

    queue: ClassVar[WorkQueue]

    worker: PictureWorker
    held: PictureLease
    in_engine: bool = False
    database_away: bool = False
    sha256: str | None = None
    frames: ReadFrames = field(default_factory=ReadFrames)

    def run(self) -> None:
        """Make it, and write down what became of it. Each part has the watch's whole time: a slow store takes none
        of the engine's. No transaction is open while the engine works, or files are read and written.
        """
        watch, hold = self.worker.watch, WorkHold(self._renew, self._end_late, self._release)
        try:
            appearance = self._find_appearance(hold)
            with watch(hold):
                source = self._read()
            with watch(hold), self._of_engine():
                made = self.worker.engine.enhance(source, self.held.edit_request, self._context(appearance))
            with watch(hold):
                self._finish(self._store(self._sign(source, made)))
        except (UnusablePhotoError, FileNotFoundError) as refused:
            log.warning("%s cannot be made: %s", self.held.key, refused)
            self._refuse(refused)
        except (StorageUnavailableError, ImageryUnavailableError, ServerUnavailableError, *UNAVAILABLE) as away:
            log.warning("%s is put off: %s", self.held.key, away)
            self._put_off()
        except Exception:
            log.exception("%s: making it broke", self.held.key)
            self._break()

    @abstractmethod
    def _find_appearance(self, hold: WorkHold) -> SharedAppearance:
        """What the job's photos share."""

    @abstractmethod
    def _read(self) -> BytesIO:
        """The photo and its frames, whole, so that nothing of the store is waited for once the engine has begun."""

    @abstractmethod
    def _refuse(self, refused: UnusablePhotoError | FileNotFoundError) -> None:
        """The photo cannot be worked on, or a file is gone."""

    @abstractmethod
    def _keep(self, session: Session, made: MadePicture) -> bool:
        """Write down what was made, and go on with what waited for it; False when the claim was lost."""

    @abstractmethod
    def _retry(self, session: Session) -> bool:
        """Let another try follow; False when the claim was lost."""

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
        # A library that never came back would be a try, as the engine is, of which the last goes without it.
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
        """What takes too long in here is the engine's trouble with the photo."""
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
        """What the claim's end wrote; waits for a database that is away: nothing else could be done meanwhile."""
        for seconds in (*DATABASE_PAUSES, None):
            try:
                with self.worker.database.unit_of_work() as session:
                    kept = write(session)
                    self._forgive(session, kept)
                    return kept
            except UNAVAILABLE as away:
                if seconds is None:
                    raise
                self.database_away = True
                log.warning("%s: what became of it cannot be written down yet: %s", self.held.key, away)
                self.worker.pause(seconds)
        return False

    def _forgive(self, session: Session, kept: bool) -> None:
        """A claim lost while the database was away is no try: another worker took it up as if this one had died."""
        if not kept and self.database_away:
            self.queue.give_back_attempt(session, self.held)
            self.database_away = False


class _FirstPicture(_Making):
    """The one that was ordered: the photo's result, whatever comes of it."""

    queue = photos.QUEUE

    def _find_appearance(self, hold: WorkHold) -> SharedAppearance:
        """The first worker finds it, in a time of its own; the others read it."""
        held, worker = self.held, self.worker
        looks = SharedAppearances(worker.database, worker.storage, worker.engine)
        kept = looks.kept(held.job_id)
        if kept is not None:
            return kept
        if held.is_last_try:
            # Looking at the job's photos, of which one may be hostile, ended the tries before: this one goes alone.
            return SharedAppearance()
        with worker.watch(hold), self._of_engine():
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
            # The job's other photos are not kept waiting until its time is over, and all of it refunded.
            if worker.clock() < held.waits_until:
                raise
            raise UnusablePhotoError(Reason.NO_IMAGERY, SOURCE_AWAY) from None
        except FileNotFoundError:
            raise UnusablePhotoError(Reason.PROCESSING_FAILED, FILE_GONE) from None

    def _whole(self, key: str) -> BytesIO:
        """It was there when it was ordered: FileNotFoundError comes only after a long wait."""
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
    """One with other settings than were ordered."""

    queue = pictures.QUEUE

    def _find_appearance(self, hold: WorkHold) -> SharedAppearance:
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
