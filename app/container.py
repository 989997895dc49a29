"""The one place that picks an implementation for every port."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

from sqlalchemy.orm import Session

from app.adapters.queue_rq import RqQueue
from app.adapters.signed_urls import SignedUrls
from app.adapters.storage_local import LocalStorage
from app.database import Database, after_commit
from app.domain.ports import Engine, Lane, Queue, QueueUnavailableError, Storage
from app.secret_key import secret_key
from app.services.sweep import Sweep
from app.settings import Settings

log = logging.getLogger(__name__)


@dataclass
class Container:
    """Everything that runs needs, made on first use."""

    settings: Settings
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @cached_property
    def database(self) -> Database:
        """The truth."""
        self.settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Database(self.settings.database_url)

    @cached_property
    def urls(self) -> SignedUrls:
        """Signed URLs of our own web process."""
        return SignedUrls(self.settings.base_url, secret_key(self.settings), self.clock)

    @cached_property
    def storage(self) -> Storage:
        """Where files lie."""
        return LocalStorage(self.settings.storage_path, self.urls)

    @cached_property
    def queue(self) -> Queue:
        """The doorbell."""
        return RqQueue(self.settings.redis_url)

    @cached_property
    def engine(self) -> Engine:
        """The pictures. Loaded late: it is heavy, and web processes never need it."""
        from app.engine.pipeline import PictureEngine  # noqa: PLC0415  (heavy; see the docstring)

        return PictureEngine()

    @cached_property
    def sweep(self) -> Sweep:
        """The timers' work."""
        kept_for = timedelta(seconds=self.settings.retention_seconds)
        return Sweep(self.database, self.storage, self.queue, self.clock, kept_for)

    @property
    def imagery(self) -> bool:
        """Whether exteriors may come from public imagery: no source can be configured yet."""
        return False

    @property
    def time_limit(self) -> timedelta:
        """How long a job may take."""
        return timedelta(seconds=self.settings.job_timeout_seconds)

    def ring_after_commit(self, session: Session, photo_ids: Sequence[str]) -> None:
        """Ring for these photos once the session has committed. A lost ring costs one sweep, never an error."""
        after_commit(session, lambda: self._ring(photo_ids))

    def _ring(self, photo_ids: Sequence[str]) -> None:
        try:
            self.queue.ring(Lane.PHOTOS, photo_ids)
        except QueueUnavailableError as error:
            log.warning("the doorbell cannot be rung, the sweep will find the work: %s", error)
