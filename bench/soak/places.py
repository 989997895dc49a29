"""Databases of a soak's own: a file of SQLite, or a fresh one on the PostgreSQL server that a URL names."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import make_url


@contextmanager
def fresh_database(server: str | None, folder: Path) -> Iterator[str]:
    """The URL of a database without tables, gone when left: on `server`, postgresql://…, or in the folder."""
    if server is None:
        yield f"sqlite:///{folder / 'soak.db'}"
        return
    admin = make_url(server).set(drivername="postgresql")
    name = f"soak_{secrets.token_hex(4)}"
    with psycopg.connect(admin.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            own = admin.set(drivername="postgresql+psycopg", database=name)
            yield own.render_as_string(hide_password=False)
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
