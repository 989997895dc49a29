"""The history of the tables, one readable step a file, and the command that brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection

from app.database import Database

_LOCK = 0x6272_6967  # any fixed number: keeps two machines from migrating at once


def migrate(database: Database) -> None:
    """Bring the tables up to date; harmless when they are, safe when several machines start together."""
    with database.engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        command.upgrade(configuration(connection), "head")


def configuration(connection: Connection) -> Config:
    """Alembic's settings for work on this connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config
