"""Requests a second for a job's status against an empty Flask view, both under the service's own gunicorn settings.

Usage: python -m bench.status_rate

The generator shares the cores with the servers, which flatters the ratio of the rates; the ratio of the
processor time that the servers spend on a request does not depend on it.
"""

import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import psutil

from app.application import create_app
from app.container import Container
from app.migrations import migrate
from app.supervision.programs import of_service
from bench.load import Target, answers_in
from bench.serving import Place, place
from bench.tables import say_where, show
from tests.conftest import PHOTO, new_api
from tests.fakes import FakeQueue

ROUNDS = 5
ROUND_SECONDS = 1.0
FLOOR = "empty Flask view"
HOOKS = "/healthz: the service's hooks, no key, no database"
STATUS = "/api/v1/jobs/…/status"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of one target: answers a second, and the servers' processor time for one in microseconds."""

    rate: float
    cost: float


def measured(pool: ProcessPoolExecutor, server: Place, target: Target) -> Round:
    """One round."""
    processes = server.web()
    before = _processor_seconds(processes)
    answers = pool.submit(answers_in, target, ROUND_SECONDS).result()
    spent = _processor_seconds(processes) - before
    return Round(answers / ROUND_SECONDS, 1e6 * spent / answers)


def _processor_seconds(processes: list[psutil.Process]) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def serve(here: Place, application: str) -> None:
    """Start the web program of the service with this application for its own, and the Redis of its counters."""
    programs = {program.name: program for program in of_service(here.settings)}
    if redis := programs.get("redis"):
        here.start(*redis.command)
    here.start(*programs["web"].command[:-1], application)


def a_job(here: Place) -> tuple[str, str]:
    """The path of a job's status, and the secret of its owner's key."""
    container = Container(here.settings.model_copy(update={"base_url": "http://localhost"}))
    container.queue = FakeQueue()
    migrate(container.database)
    api = new_api(create_app(container=container), container, "bench@example.com")
    job_id = api.order(interior=[PHOTO] * 10)["jobId"]
    container.database.engine.dispose()
    return f"/api/v1/jobs/{job_id}/status", api.secret


def rounds(service: Place, empty: Place) -> dict[str, list[Round]]:
    """All rounds of every target, taken in turn so that a disturbance meets all of them alike."""
    path, secret = a_job(service)
    serve(service, "wsgi:application")
    serve(empty, "bench.empty_view:application")
    service.wait_for(f"{service.url}/healthz")
    empty.wait_for(empty.url)
    targets = {
        FLOOR: (empty, Target(empty.settings.port, "/")),
        HOOKS: (service, Target(service.settings.port, "/healthz")),
        STATUS: (service, Target(service.settings.port, path, secret)),
    }
    found: dict[str, list[Round]] = {name: [] for name in targets}
    with ProcessPoolExecutor(1) as pool:
        for number in range(ROUNDS + 1):
            for name, (server, target) in targets.items():
                one = measured(pool, server, target)
                if number:  # the first one warms up
                    found[name].append(one)
    return found


def main() -> None:
    """Medians of all rounds, and of each round's ratio to the floor, in a table."""
    say_where()
    with place() as service, place() as empty:
        found = rounds(service, empty)
    rows = []
    for name, each in found.items():
        floors = found[FLOOR]
        rate, cost = (statistics.median(getattr(one, figure) for one in each) for figure in ("rate", "cost"))
        share = statistics.median(one.rate / floor.rate for one, floor in zip(each, floors, strict=True))
        times = statistics.median(one.cost / floor.cost for one, floor in zip(each, floors, strict=True))
        rows.append((name, f"{rate:.0f}", f"{share:.2f}", f"{cost:.0f}", f"{times:.2f}"))
    head = ("", "answers/s", "of the floor", "server µs each", "times the floor")
    show(f"Medians of {ROUNDS} rounds of {ROUND_SECONDS:.0f} s, taken in turn", head, rows)


if __name__ == "__main__":
    main()
