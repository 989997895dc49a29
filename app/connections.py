"""How each kind of process uses a PostgreSQL server: how many connections, and how long it waits there."""

from dataclasses import dataclass

IDLE_IN_TRANSACTION_SECONDS = 30
"""PostgreSQL ends a transaction that pauses for this long between two statements. No unit of work does: its process
was stopped or its machine is down, and its locks would block others.
"""
RANDOM_PAGE_COST = 1.1
"""The value of PostgreSQL's setting `random_page_cost`. Lists of one account are read by an index on
(account_id, id). With PostgreSQL's default of 4, meant for rotating disks, the planner sometimes reads the primary
key instead, with all newer rows of other accounts: in a measurement 100,000 rows for a page of 50.
"""


@dataclass(frozen=True, slots=True)
class ConnectionUse:
    """The limits of one process at a PostgreSQL server.

    `pool_size`: connections that stay open in the pool; `max_overflow`: further ones, opened while all of those are
    in use. In seconds, 0 for no limit: `statement_seconds` for one statement, `lock_seconds` for waiting for one
    lock, `idle_seconds` between two statements of a transaction.
    """

    pool_size: int
    max_overflow: int
    statement_seconds: float
    lock_seconds: float
    idle_seconds: float = IDLE_IN_TRANSACTION_SECONDS

    @property
    def session_settings(self) -> dict[str, str]:
        """The limits, and RANDOM_PAGE_COST, as settings of a PostgreSQL session."""
        return {
            "random_page_cost": str(RANDOM_PAGE_COST),
            "statement_timeout": f"{self.statement_seconds * 1000:.0f}",
            "lock_timeout": f"{self.lock_seconds * 1000:.0f}",
            "idle_in_transaction_session_timeout": f"{self.idle_seconds * 1000:.0f}",
        }


WEB = ConnectionUse(pool_size=8, max_overflow=4, statement_seconds=20, lock_seconds=10)
"""Web processes: eight threads answer requests (gunicorn.conf.py), two store files, one renews Idempotency-Keys.
A request that reaches a limit is answered with "try again", because other requests need its thread.
"""
WORK = ConnectionUse(pool_size=2, max_overflow=1, statement_seconds=120, lock_seconds=30)
"""Workers: one connection for the work, one for the thread that watches it (tasks/watch.py). No person waits for
the result, so a long wait is better than doing the work again.
"""
SENDING = ConnectionUse(pool_size=4, max_overflow=13, statement_seconds=30, lock_seconds=30)
"""Processes that send webhooks: many threads, which hold no connection while they talk to a receiver."""
COMMANDS = ConnectionUse(pool_size=2, max_overflow=2, statement_seconds=0, lock_seconds=60)
"""An operator's commands: they have no limit for a statement, because the operator can stop them."""
MIGRATION = ConnectionUse(pool_size=2, max_overflow=0, statement_seconds=0, lock_seconds=0.4, idle_seconds=0)
"""Migrations. `lock_seconds` limits how long requests wait behind a migration step that waits for its lock. It is
below PostgreSQL's deadlock_timeout (1 s), so that in a deadlock the step is the one that gives up and is tried
again. `idle_seconds` has no limit because one connection is idle while the other one works.
"""
