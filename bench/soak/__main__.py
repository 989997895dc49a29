"""`python -m bench.soak NAME --minutes M --seed S [--database URL]`: a soak of this name, and what it found.

Without a seed a random one is taken; it is printed, and the same one makes the same choices again.
"""

import argparse
import logging
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.soak import books, kills, outages, spending
from bench.soak.books import Line
from bench.tables import say_where, show
from tests import databases
from tests.journeys.service import Service

ON_THE_SERVICE = {"kills": kills.run, "outages": outages.run}


@contextmanager
def service(database: str) -> Iterator[Service]:
    """The whole service in a folder of its own, on a database of its own; everything is ended when it is left."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brightlist-soak-")))
        settings = {"ALLOW_PRIVATE_WEBHOOKS": "1"}
        if database:
            name = f"soak_{secrets.token_hex(4)}"
            url = stack.enter_context(databases.server_database(name, server=database))
            settings |= {"DATABASE_URL": url, "SECRET_KEY": secrets.token_hex(16)}

        made = Service(folder, **settings)
        stack.callback(made.kill_everything)
        made.start()
        yield made


def soaked(name: str, seconds: float, seed: int, database: str) -> list[Line]:
    """What the soak found."""
    if name == "spending":
        return spending.run(seconds, seed, database)
    with service(database) as made:
        found = ON_THE_SERVICE[name](made, seconds, seed)
        stopped = made.stop()
        with made.books() as here:
            left = list(books.store(here))
        return [*found, Line("exit status of the service", stopped, stopped == 0), *left]


def main() -> int:
    """Run the soak and print its figures; 1 when one is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[*ON_THE_SERVICE, "spending"])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--database", default="", metavar="URL", help="a PostgreSQL server; else SQLite")
    asked = parser.parse_args()
    # What is expected here, hundreds of times, would hide the figures.
    logging.disable(logging.ERROR)
    say_where()
    print(f"python -m bench.soak {asked.name} --minutes {asked.minutes:g} --seed {asked.seed}", flush=True)
    found = soaked(asked.name, asked.minutes * 60, asked.seed, asked.database)
    show(asked.name, ("", "found", ""), [(line.name, line.value, "" if line.good else "BAD") for line in found])
    bad = [line.name for line in found if not line.good]
    print(f"\n{len(bad)} of {len(found)} figures are not as they must be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
