"""The file that Alembic runs: executes the migrations on the connection that migrate() passes to it.

Each migration gets a transaction of its own, or all use the transaction that is already open.
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
