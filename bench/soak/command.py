"""What the soaks' commands share: their options, the whole service to soak, and the table of what was found."""

import argparse
import logging
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

from bench.soak import books
from bench.soak.books import Line
from bench.tables import say_where, show
from tests import databases
from tests.journeys.service import Service

Soak = Callable[[float, int, str], list[Line]]
"""From seconds, seed, and the address of a PostgreSQL server or nothing, what was found."""
Around = Callable[[Service], AbstractContextManager[object]]
"""What must be there before a service starts, and until after it has ended."""


@contextmanager
def service(server: str, around: Around = nullcontext) -> Iterator[Service]:
    """The whole service in a folder of its own, on a database of its own; everything is ended when it is left."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brightlist-soak-")))
        settings = {"ALLOW_PRIVATE_WEBHOOKS": "1"}
        if server:
            name = f"soak_{secrets.token_hex(4)}"
            url = stack.enter_context(databases.server_database(name, server=server))
            settings |= {"DATABASE_URL": url, "SECRET_KEY": secrets.token_hex(16)}
        made = Service(folder, **settings)
        stack.enter_context(around(made))
        stack.callback(made.kill_everything)
        made.start()
        yield made


def on_the_service(soak: Callable[[Service, float, int], list[Line]], around: Around = nullcontext) -> Soak:
    """The soak of a whole service, which is stopped afterwards, and its store looked through."""

    def soaked(seconds: float, seed: int, server: str) -> list[Line]:
        with service(server, around) as made:
            found = soak(made, seconds, seed)
            stopped = made.stop()
            with made.books() as here:
                left = list(books.store(here))
        return [*found, Line("exit status of the service", stopped, stopped == 0), *left]

    return soaked


def main(name: str, soak: Soak, arguments: Sequence[str]) -> int:
    """Run the soak and print its figures; 1 when one is not as it must be.

    Without a seed a random one is taken; it is printed, and the same one makes the same choices again.
    """
    parser = argparse.ArgumentParser(prog=f"python -m bench.soak {name}")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    its = "a PostgreSQL server; SQLite without it; `own`, for outages: one to restart, too"
    parser.add_argument("--database", default="", metavar="URL", help=its)
    asked = parser.parse_args(arguments)
    # What is expected here, hundreds of times, would hide the figures.
    logging.disable(logging.ERROR)
    say_where()
    print(f"python -m bench.soak {name} --minutes {asked.minutes:g} --seed {asked.seed}", flush=True)
    found = soak(asked.minutes * 60, asked.seed, asked.database)
    show(name, ("", "found", ""), [(line.name, line.value, "" if line.good else "BAD") for line in found])
    bad = [line.name for line in found if not line.good]
    print(f"\n{len(bad)} of {len(found)} figures are not as they must be")
    return 1 if bad else 0
