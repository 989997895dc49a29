"""Renews the claims on the Idempotency-Keys of all requests that this process is answering, in one thread.

So a key stays claimed as long as the process works on its request. If the process is killed, the claim expires
after LEASE.
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
"""A quarter of the lease, so that two renewals may fail."""
MAX_RENEWAL_TIME = timedelta(minutes=2)
"""The claim of a request that takes longer is no longer renewed, so that a request that hangs loses its key."""


class Renewals:
    """The claims of this process. The thread runs only while there are claims, because a thread that is started
    before a fork does not run in the new process.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._added_at: dict[KeyUse, datetime] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, use: KeyUse) -> None:
        """Renew this claim until it is removed."""
        with self._lock:
            self._added_at[use] = self._clock()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="renewals", daemon=True)
                self._thread.start()

    def remove(self, use: KeyUse) -> None:
        """Stop renewing this claim."""
        with self._lock:
            self._added_at.pop(use, None)

    def renew(self) -> bool:
        """Renew every claim once; returns whether there were any."""
        now = self._clock()
        with self._lock:
            self._added_at = {
                use: added_at for use, added_at in self._added_at.items() if added_at > now - MAX_RENEWAL_TIME
            }
            uses = list(self._added_at)
            if not uses:
                self._thread = None
                return False
        try:
            with self._database.unit_of_work() as session:
                idempotency_records.renew(session, uses, now)
        except Exception:
            # The database may be unreachable for a moment; the leases are still valid for some seconds.
            log.exception("the claims on Idempotency-Keys could not be renewed")
        return True

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(RENEW_SECONDS):
            if not self.renew():
                return
