"""How a step makes indexes while other processes continue to work, on PostgreSQL with CONCURRENTLY."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op

ADDRESS_WORDS = "ix_job_address_words"
"""The index for words within an address, by pg_trgm. It is not in the models: without the extension there is no
such index, and a search that finds nothing reads all orders of its account.
"""
EXTERNAL_ID_WORDS = "ix_job_external_id_words"
"""The index for words within the customer's own id of an order, like ADDRESS_WORDS."""
FILE_NAME_WORDS = "ix_job_file_name_words"
"""The index for words within the names of an order's files, like ADDRESS_WORDS."""


@contextmanager
def beside_others() -> Iterator[None]:
    """On PostgreSQL, commit each statement in the block at once. The block must be all of its step.

    On other databases all writers wait for the step, as for any other step.
    """
    if op.get_context().dialect.name != "postgresql":
        yield
        return
    with op.get_context().autocommit_block():
        # Making an index in this way blocks nobody, but it waits for all transactions that read the table, however
        # long that takes.
        limited = op.get_bind().exec_driver_sql("SHOW lock_timeout").scalar() != "0"
        if limited:
            op.execute("SET lock_timeout = 0")
        try:
            yield
        finally:
            if limited:
                op.execute("RESET lock_timeout")


def make(name: str, table: str, columns: str, condition: str = "") -> None:
    """Make an index, in place of an incomplete one that an interrupted step left. Repeating it is harmless."""
    where = f" WHERE {condition}" if condition else ""
    if op.get_context().dialect.name != "postgresql":
        op.execute(f"CREATE INDEX {name} ON {table} ({columns}){where}")
        return
    op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    op.execute(f"CREATE INDEX CONCURRENTLY {name} ON {table} ({columns}){where}")


def drop(name: str) -> None:
    """Drop an index; harmless if it is not there."""
    how = "CONCURRENTLY " if op.get_context().dialect.name == "postgresql" else ""
    op.execute(f"DROP INDEX {how}IF EXISTS {name}")


def can_make_trigrams() -> bool:
    """Whether the database has pg_trgm, or the user of this step may make it (the owner of the database may)."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return False
    there = "SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'"
    if connection.scalar(sa.text(there)):
        return True
    may = (
        "SELECT trusted AND has_database_privilege(current_database(), 'CREATE') OR usesuper "
        "FROM pg_available_extension_versions, pg_user WHERE name = 'pg_trgm' AND usename = current_user LIMIT 1"
    )
    return bool(connection.scalar(sa.text(may)))
