"""Alembic's entry: runs the steps on the connection that migrate() hands over.

Each step in a transaction of its own, or all in the one that is open already.
"""

from alembic import context

import app.models  # noqa: F401  (tables register themselves on import)
from app.database import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
