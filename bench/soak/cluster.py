"""A PostgreSQL cluster of a soak's own, which it may restart as it likes."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ports import KeptPort

OWNER = "postgres"
"""PostgreSQL does not run as root: then the cluster is this user's."""
BINARIES = Path("/usr/lib/postgresql")
COMMAND_SECONDS = 120
SETTINGS = "-c listen_addresses={address} -c port={port} -c unix_socket_directories={folder} -c max_connections=200"


class Cluster:
    """A running server on a port of this machine and its network. `url`: its address, for who may do everything."""

    def __init__(self, folder: Path, binaries: Path, address: str) -> None:
        self._port = KeptPort(address)
        self._address = address
        self._folder, self._binaries = folder, binaries
        self._data = folder / "data"
        self._user = _user()
        password = secrets.token_hex(16)
        self.url = f"postgresql://{OWNER}:{password}@{address}:{self._port.number}/postgres"
        secret = folder / "password"
        secret.write_text(password)
        secret.chmod(0o644)
        made = ("-D", str(self._data), "-U", OWNER, "-A", "scram-sha-256", "-E", "UTF8", "--no-sync")
        self._run("initdb", *made, f"--pwfile={secret}")
        with (self._data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet scram-sha-256\n")

    def start(self) -> None:
        """Start, and wait until it takes connections."""
        settings = SETTINGS.format(address=self._address, port=self._port.number, folder=self._folder)
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", str(self._folder / "log"), "-o", settings)

    def stop(self, mode: str) -> None:
        """Stop: `fast` rolls back what is open, `immediate` crashes."""
        self._run("pg_ctl", "stop", "-w", "-D", str(self._data), "-m", mode)

    def restart(self, mode: str) -> None:
        """Stop as `mode` says, and start again."""
        self.stop(mode)
        self.start()

    def end(self) -> None:
        """Stop for good, whatever it is at."""
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "-w", "-D", str(self._data), "-m", "immediate")
        self._port.let_go()

    def _run(self, program: str, *arguments: str) -> None:
        # A file, not a pipe: the server keeps what pg_ctl was given, so a pipe would have no end.
        with (self._folder / "commands").open("ab") as output:
            given: dict[str, Any] = {"stdout": output, "stderr": output, "cwd": self._folder, **self._user}
            subprocess.run([self._binaries / program, *arguments], check=True, timeout=COMMAND_SECONDS, **given)


def missing() -> str:
    """Why no cluster can be started here; nothing where one can."""
    if _binaries() is None:
        return "the programs of PostgreSQL are not installed"
    try:
        _user()
    except KeyError:
        return f"PostgreSQL does not run as root, and there is no user {OWNER}"
    return ""


@contextmanager
def own_cluster(address: str = "127.0.0.1") -> Iterator[Cluster]:
    """A fresh cluster that runs, and listens on this address; gone afterwards."""
    binaries = _binaries()
    assert binaries is not None, missing()
    # Not in a folder of pytest's, which its owner alone may enter.
    with tempfile.TemporaryDirectory(prefix="brightlist-cluster-") as name:
        folder = Path(name)
        if _user():
            shutil.chown(folder, OWNER)
        cluster = Cluster(folder, binaries, address)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.end()


def _binaries() -> Path | None:
    found = sorted(BINARIES.glob("*/bin/initdb"), key=lambda each: int(each.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def _user() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    owner = pwd.getpwnam(OWNER)
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
