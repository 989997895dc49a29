"""Requests a second, and how long each takes, for what is asked most, against an empty Flask view.

Usage: python -m bench.status_rate [--database-url postgresql://…] [--rounds 7] [--seconds 2]

All run under the service's own gunicorn settings, with the Redis that rate limits are counted in. The generator
shares the cores with the servers, which flatters the ratio of the rates; the ratio of the processor time that the
servers spend on a request does not depend on it.
"""

import argparse
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import psutil
from urllib3 import encode_multipart_formdata

from app.application import create_app
from app.container import Container
from app.migrations import migrate
from app.supervision.programs import list_programs
from bench.load import BadAnswerError, Target, answers_in
from bench.pages import person
from bench.serving import EMAIL, Place, place
from bench.tables import say_where, show
from tests.conftest import PHOTO
from tests.fakes import FakeQueue

LISTED = 60
"""More orders than a page of the list shows."""
FLOOR = "empty Flask view"
HOOKS = "/healthz: the service's hooks, no key, no database"
STATUS = "GET /api/v1/jobs/…/status"
ORDER = "POST /api/v1/orders, one small photo"
LIST = "GET /orders, signed in, a full page"
DETAILS = {
    "address": "12 Elm Street, Springfield, IL 62701",
    "serviceType": "interior",
    "interiorEnhancements": '["hdr_enhancement"]',
}


@dataclass(frozen=True, slots=True)
class Round:
    """One round of one target: answers a second, the servers' processor time for one in microseconds, and the
    milliseconds that the slowest of a hundred took.
    """

    rate: float
    cost: float
    p99: float


def measured(pool: ProcessPoolExecutor, server: Place, target: Target, seconds: float) -> Round:
    """One round."""
    processes = server.web()
    before = _processor_seconds(processes)
    took = sorted(pool.submit(answers_in, target, seconds).result())
    spent = _processor_seconds(processes) - before
    if not took:
        raise BadAnswerError(f"{target.path}: no answer within a round; give it more --seconds")
    return Round(len(took) / seconds, 1e6 * spent / len(took), 1e3 * took[int(0.99 * len(took))])


def _processor_seconds(processes: list[psutil.Process]) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def serve(here: Place, application: str) -> None:
    """Start the web program of the service with this application for its own, and the Redis of its counters."""
    programs = {program.name: program for program in list_programs(here.settings)}
    if redis := programs.get("redis"):
        here.start(*redis.command)
    here.start(*programs["web"].command[:-1], application)


def asked_of_service(here: Place) -> dict[str, Target]:
    """What is asked of the service, once it has an account with orders."""
    container = Container(here.settings.model_copy(update={"base_url": "http://localhost"}))
    container.queue = FakeQueue()
    migrate(container.database)
    app = create_app(container=container)
    who = person(app, container, EMAIL)
    jobs = [who.api.order(interior=[PHOTO] * 10)["jobId"] for _ in range(LISTED)]
    cookie = who.browser.get_cookie(app.config["SESSION_COOKIE_NAME"])
    container.database.engine.dispose()
    key, port = f"Authorization: Bearer {who.api.secret}", here.settings.port
    form, media_type = encode_multipart_formdata({**DETAILS, "interiorPhoto0": ("a.jpg", PHOTO, "image/jpeg")})
    return {
        HOOKS: Target(port, "/healthz"),
        STATUS: Target(port, f"/api/v1/jobs/{jobs[0]}/status", (key,)),
        LIST: Target(port, "/orders", (f"Cookie: {cookie.key}={cookie.value}" if cookie else "",)),
        ORDER: Target(port, "/api/v1/orders", (key, f"Content-Type: {media_type}"), form),
    }


def rounds(service: Place, empty: Place, count: int, seconds: float) -> dict[str, list[Round]]:
    """All rounds of every target, taken in turn so that a disturbance meets all of them alike."""
    asked = asked_of_service(service)
    serve(service, "wsgi:application")
    serve(empty, "bench.empty_view:application")
    service.wait_for(f"{service.url}/healthz")
    empty.wait_for(empty.url)
    targets = {
        FLOOR: (empty, Target(empty.settings.port, "/")),
        **{name: (service, target) for name, target in asked.items()},
    }
    found: dict[str, list[Round]] = {name: [] for name in targets}
    with ProcessPoolExecutor(1) as pool:
        for number in range(count + 1):
            for name, (server, target) in targets.items():
                one = measured(pool, server, target, seconds)
                if number:  # the first one warms up
                    found[name].append(one)
    return found


def main() -> None:
    """Medians of all rounds, and of each round's ratio to the floor, in a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.status_rate", description=__doc__)
    parser.add_argument("--database-url", help="an empty database; SQLite without it")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each round")
    options = parser.parse_args()
    say_where()
    database = {"database_url": options.database_url} if options.database_url else {}
    with place(**database) as service, place() as empty:
        found = rounds(service, empty, options.rounds, options.seconds)
    rows = []
    for name, each in found.items():
        floors = found[FLOOR]
        rate, cost, p99 = (
            statistics.median(getattr(one, figure) for one in each) for figure in ("rate", "cost", "p99")
        )
        share = statistics.median(one.rate / floor.rate for one, floor in zip(each, floors, strict=True))
        times = statistics.median(one.cost / floor.cost for one, floor in zip(each, floors, strict=True))
        slower = statistics.median(one.p99 / floor.p99 for one, floor in zip(each, floors, strict=True))
        figures = f"{rate:.0f}", f"{share:.2f}", f"{cost:.0f}", f"{times:.2f}", f"{p99:.0f}", f"{slower:.1f}"
        rows.append((name, *figures))
    head = ("", "answers/s", "of the floor", "server µs each", "times the floor", "p99 ms", "times the floor")
    show(f"Medians of {options.rounds} rounds of {options.seconds:g} s, taken in turn", head, rows)


if __name__ == "__main__":
    main()
