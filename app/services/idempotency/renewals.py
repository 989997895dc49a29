"""Renews the claims on Idempotency-Keys of the requests under way in this process, from one thread for all.

So a key is held as long as the process lives and works on it: after a kill it is free within a lease.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from app.database import Database
from app.services.idempotency import idempotency_records
from app.services.idempotency.idempotency_records import KeyUse

log = logging.getLogger(__name__)

RENEW_SECONDS = 2.0
"""A quarter of the lease: two renewals may fail."""
MAX_RENEWAL_TIME = timedelta(minutes=2)
"""A request that hangs for so long no longer holds its key."""


class Renewals:
    """The claims of this process. Its thread runs only while there are some, so it may be used before a fork."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._since: dict[KeyUse, datetime] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, use: KeyUse) -> None:
        """Renew this claim until it is let go."""
        with self._lock:
            self._since[use] = self._clock()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="renewals", daemon=True)
                self._thread.start()

    def remove(self, use: KeyUse) -> None:
        """Renew this claim no longer."""
        with self._lock:
            self._since.pop(use, None)

    def renew(self) -> bool:
        """Renew every claim once; whether there were any."""
        now = self._clock()
        with self._lock:
            self._since = {use: since for use, since in self._since.items() if since > now - MAX_RENEWAL_TIME}
            held = list(self._since)
            if not held:
                self._thread = None
                return False
        try:
            with self._database.unit_of_work() as session:
                idempotency_records.renew(session, held, now)
        except Exception:
            # The database is away for a moment; the leases still hold a while.
            log.exception("the claims on Idempotency-Keys could not be renewed")
        return True

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(RENEW_SECONDS):
            if not self.renew():
                return
