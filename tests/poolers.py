"""PgBouncer before the tests' PostgreSQL: each transaction gets one of a few connections, no session is its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import URL, make_url

from tests.ports import kept_port
from tests.waiting import PATIENCE_SECONDS, eventually

SERVER_CONNECTIONS = 4
"""For all processes together, which have many more open to the pooler: they have to share."""
PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


@contextmanager
def transaction_pooler(url: str) -> Iterator[str]:
    """The address by which the database at this one is reached through a pooler in transaction mode."""
    there = make_url(url)
    with kept_port() as port, TemporaryDirectory(prefix="pooler-") as folder:
        settings = {
            "listen_addr": "127.0.0.1",
            "listen_port": str(port),
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": str(SERVER_CONNECTIONS),
            "max_client_conn": "200",
        }
        target = f"host={there.host} port={there.port or 5432} user={there.username} dbname={there.database}"
        if there.password:
            target += f" password={there.password}"
        lines = ["[databases]", f"{there.database} = {target}", "[pgbouncer]"]
        lines += [f"{name} = {value}" for name, value in settings.items()]
        file = Path(folder) / "pgbouncer.ini"
        file.write_text("\n".join(lines))
        pooled = there.set(host="127.0.0.1", port=port)
        with (Path(folder) / "pgbouncer.log").open("wb") as log:
            process = subprocess.Popen(_command(file), stdout=log, stderr=log)
        try:
            eventually("the pooler answers", lambda: _answers(pooled.set(drivername="postgresql")))
            yield pooled.render_as_string(hide_password=False)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _command(file: Path) -> list[str]:
    assert PROGRAM is not None
    if os.geteuid() != 0:
        return [PROGRAM, str(file)]
    # It refuses to run as root, and reads its settings as whom it becomes.
    for each in (file, file.parent):
        shutil.chown(each, "nobody")
    return [PROGRAM, "-u", "nobody", str(file)]


def _answers(url: URL) -> bool:
    told = url.render_as_string(hide_password=False)
    try:
        with psycopg.connect(told, autocommit=True, connect_timeout=3) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False
