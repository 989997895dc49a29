"""Alembic's entry: runs the steps on the connection that migrate() hands over, in its transaction."""

from alembic import context

import app.models  # noqa: F401  (tables register themselves on import)
from app.database import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, compare_type=True
)
context.run_migrations()
