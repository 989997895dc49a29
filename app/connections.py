"""How each kind of process uses a PostgreSQL server: how many connections, and how long it waits there."""

from dataclasses import dataclass

IDLE_IN_TRANSACTION_SECONDS = 30
"""No unit of work pauses so long: the process was stopped, or its machine is gone, and its locks hold up others."""
RANDOM_PAGE_COST = 1.1
"""Lists are read by account along (account_id, id). The default, made for turning disks, at times takes the primary
key instead and reads past all that others wrote since: measured at 100,000 rows for a page of 50.
"""


@dataclass(frozen=True, slots=True)
class ConnectionUse:
    """What one process may take: connections that it keeps, so many more for a while, seconds for one statement and
    for one lock (0: without end), and seconds between two statements of a transaction.
    """

    kept: int
    more: int
    statement_seconds: float
    lock_seconds: float
    idle_seconds: float = IDLE_IN_TRANSACTION_SECONDS

    @property
    def session_settings(self) -> dict[str, str]:
        """The settings of PostgreSQL that say so."""
        return {
            "random_page_cost": str(RANDOM_PAGE_COST),
            "statement_timeout": f"{self.statement_seconds * 1000:.0f}",
            "lock_timeout": f"{self.lock_seconds * 1000:.0f}",
            "idle_in_transaction_session_timeout": f"{self.idle_seconds * 1000:.0f}",
        }


WEB = ConnectionUse(kept=8, more=4, statement_seconds=20, lock_seconds=10)
"""Eight threads answer, see gunicorn.conf.py, two store files, one renews keys. A request that waited so long is
told to come again; its threads are needed by others.
"""
WORK = ConnectionUse(kept=2, more=1, statement_seconds=120, lock_seconds=30)
"""The work and its watch. Where nobody waits for the answer, more is better waited for than done again."""
SENDING = ConnectionUse(kept=4, more=13, statement_seconds=30, lock_seconds=30)
"""Many threads send webhooks, and hold no connection while a receiver is spoken to."""
COMMANDS = ConnectionUse(kept=2, more=2, statement_seconds=0, lock_seconds=60)
"""An operator's command may take as long as it takes, and is stopped by hand."""
MIGRATION = ConnectionUse(kept=2, more=0, statement_seconds=0, lock_seconds=0.4, idle_seconds=0)
"""Who serves meanwhile waits so long behind a step at most: less than PostgreSQL's deadlock_timeout (1 s), so that
of two who wait for each other it is the step that begins again. One connection is idle while the other works.
"""
