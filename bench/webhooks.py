"""How long from an event's commit to the first byte at its receiver, with all receivers well and with one dead.

Usage: python -m bench.webhooks [--drain ROUNDS] [--answer-after MS] [--backlog 1000] [--database URL]

--drain: in place of that, how fast a backlog is sent, in turns with a bare loop: as many threads as a sender has,
which post the same bodies by the same transport, without queue or database. --answer-after: so many milliseconds
pass until a receiver answers, as over the internet; none without it.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import func, select

from app.container import Container
from app.domain.events import EventName, encode, payload, sample_facts
from app.domain.lifecycle import Status
from app.domain.sending import DeliveryRequest, DeliveryState
from app.domain.webhooks import WebhookRequest
from app.models import Delivery, Webhook
from app.services.accounts import accounts
from app.services.webhooks import webhooks
from app.supervision.instance import find_processes
from app.tasks.hooks import THREADS
from bench.serving import EMAIL, whole_service
from bench.tables import say_where, show

RECEIVERS = 10
EVENTS_A_SECOND = 30
SECONDS = 60
BURST = 1000
DRAIN_SECONDS = 60


@contextmanager
def receivers(dead: int, answer_after: float = 0) -> Iterator[tuple[list[str], Path]]:
    """URLs of running receivers, the last `dead` of them dead, and the file in which the others note deliveries;
    they answer after so many milliseconds.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [
            sys.executable,
            "-m",
            "bench.receiving",
            str(RECEIVERS),
            str(dead),
            name,
            str(answer_after / 1000),
        ]
        process = subprocess.Popen(command)
        try:
            while not (folder / "ports").exists():
                time.sleep(0.05)
            ports = (folder / "ports").read_text().split()
            yield [f"http://127.0.0.1:{port}/" for port in ports], folder / "seen"
        finally:
            process.kill()
            process.wait()


def registered(container: Container, urls: list[str]) -> list[str]:
    """Fresh webhooks at these URLs, in place of those before."""
    with container.database.unit_of_work() as session:
        account_id = accounts.find(session, EMAIL).organization_id
        for old in webhooks.get_all(session, account_id):
            webhooks.delete(session, account_id, old.id, container.clock())
        made = [
            webhooks.create(session, container.vault, account_id, WebhookRequest(url=url), container.clock())
            for url in urls
        ]
        return [webhook.id for webhook, _ in made]


def send(container: Container, webhook_id: str) -> tuple[str, float]:
    """One event; its delivery's id and the moment right before the commit."""
    with container.database.unit_of_work() as session:
        account_id = session.get_one(Webhook, webhook_id).account_id
        delivery = webhooks.send_test(session, account_id, webhook_id, container.clock())
        found = delivery.id
        committed_at = time.time()
    return found, committed_at


def warm_up(container: Container, webhook_id: str) -> None:
    """One event and its delivery: senders load only once the web program has answered."""
    send(container, webhook_id)
    while waiting(container, [webhook_id]):
        time.sleep(0.05)


def steady(container: Container, hooks: list[str]) -> dict[str, float]:
    """Events for all webhooks in turn at an even pace; delivery id -> commit, those of the dead ones included."""
    sent = {}
    began = time.monotonic()
    for number in range(EVENTS_A_SECOND * SECONDS):
        time.sleep(max(0.0, began + number / EVENTS_A_SECOND - time.monotonic()))
        delivery_id, committed_at = send(container, hooks[number % len(hooks)])
        sent[delivery_id] = committed_at
    return sent


def waits(sent: dict[str, float], expected: int, seen: Path) -> list[float]:
    """Milliseconds from commit to first byte of every delivery that arrived, once all expected ones have."""
    deadline = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < deadline:
        came = dict(line.split(" ") for line in seen.read_text().splitlines())
        if len(came.keys() & sent.keys()) >= expected:
            break
        time.sleep(0.1)
    return sorted(1000 * (float(came[each]) - sent[each]) for each in came.keys() & sent.keys())


def row(name: str, milliseconds: list[float], expected: int) -> tuple[str, ...]:
    """Percentiles and what was lost as a line of the table."""
    at = [milliseconds[min(len(milliseconds) - 1, int(len(milliseconds) * share))] for share in (0.5, 0.99, 1)]
    return (name, *(f"{value:.0f}" for value in at), str(expected - len(milliseconds)))


def paced(container: Container, dead: int) -> tuple[str, ...]:
    """One line: a minute of events with so many dead receivers among all."""
    with receivers(dead) as (urls, seen):
        hooks = registered(container, urls)
        warm_up(container, hooks[0])
        sent = steady(container, hooks)
        healthy = len(sent) * (RECEIVERS - dead) // RECEIVERS
        return row(f"{dead} of {RECEIVERS} dead", waits(sent, healthy, seen), healthy)


def burst(container: Container) -> str:
    """How fast a backlog drains, all receivers well."""
    with receivers(0) as (urls, _seen):
        hooks = registered(container, urls)
        began = time.monotonic()
        for number in range(BURST):
            send(container, hooks[number % len(hooks)])
        sent_in = time.monotonic() - began
        while waiting(container, hooks):
            time.sleep(0.05)
        took = time.monotonic() - began
        return f"{BURST} events written in {sent_in:.1f} s, all delivered after {took:.1f} s: {BURST / took:.0f}/s"


def drained(container: Container, hooks: list[str], count: int) -> tuple[float, float]:
    """A backlog that was written in one transaction: deliveries a second from its commit to the last result, and
    milliseconds of the processor that all of the service took for each.
    """
    with container.database.unit_of_work() as session:
        account_id = session.get_one(Webhook, hooks[0]).account_id
        for number in range(count):
            webhooks.send_test(session, account_id, hooks[number % len(hooks)], container.clock())
    began, before = time.monotonic(), _processor(container)
    while waiting(container, hooks):
        time.sleep(0.2)
    return count / (time.monotonic() - began), 1000 * (_processor(container) - before) / count


def _processor(container: Container) -> float:
    """Seconds of the processor that the service's processes have taken."""
    return sum(sum(each.cpu_times()[:2]) for each in find_processes(container.settings.data_dir))


def waiting(container: Container, hooks: list[str]) -> int:
    """How many deliveries to these webhooks have not succeeded."""
    left = select(func.count()).where(Delivery.webhook_id.in_(hooks), Delivery.state != DeliveryState.SUCCEEDED)
    with container.database.read_session() as session:
        return session.scalar(left) or 0


def bare(container: Container, urls: list[str], count: int) -> tuple[float, float]:
    """The same of THREADS threads that post and do nothing else."""
    body = encode(payload(EventName.WEBHOOK_TEST, sample_facts("acc_x", Status.PENDING), container.clock()))
    requests = [DeliveryRequest(urls[number % len(urls)], {}, body.encode()) for number in range(count)]
    began, before = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(container.transport.send, requests))
    took = time.monotonic() - began
    assert all(each.succeeded for each in results)
    return count / took, 1000 * (time.process_time() - before) / count


def drains(container: Container, rounds: int, count: int, answer_after: float) -> None:
    """So many backlogs and bare loops in turns, as a table."""
    with receivers(0, answer_after) as (urls, _seen):
        hooks = registered(container, urls)
        found = [(*bare(container, urls, count), *drained(container, hooks, count)) for _ in range(rounds)]
    named = [(str(number), each) for number, each in enumerate(found, 1)]
    named.append(("median", tuple(statistics.median(column) for column in zip(*found, strict=True))))
    rows = [
        (name, f"{posts:.0f}", f"{post_ms:.2f}", f"{sent:.0f}", f"{sent_ms:.2f}", f"{sent / posts:.3f}")
        for name, (posts, post_ms, sent, sent_ms) in named
    ]
    head = ("round", "bare/s", "its ms each", "service/s", "its ms each", "of bare")
    title = f"Deliveries of a backlog of {count}, answered after {answer_after:g} ms, milliseconds of the processor"
    show(title, head, rows)


def paces(container: Container) -> None:
    """Both paces in a table, and the burst."""
    rows = [paced(container, dead) for dead in (0, 1)]
    told = burst(container)
    title = f"Milliseconds from commit to first byte, {EVENTS_A_SECOND} events a second for {SECONDS} s"
    show(title, ("healthy receivers", "median", "p99", "max", "lost"), rows)
    print(told)


def main(arguments: Sequence[str] | None = None) -> None:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhooks", description=__doc__)
    parser.add_argument("--drain", type=int, metavar="ROUNDS")
    parser.add_argument("--answer-after", type=float, default=0, metavar="MS")
    parser.add_argument("--backlog", type=int, default=BURST)
    parser.add_argument("--database", default="", help="an empty database; SQLite in a temporary folder without it")
    asked = parser.parse_args(arguments)
    given = {"database_url": asked.database} if asked.database else {}
    say_where()
    with whole_service(allow_private_webhooks=True, **given) as (here, _secret):
        container = Container(here.settings)
        try:
            if asked.drain:
                drains(container, asked.drain, asked.backlog, asked.answer_after)
            else:
                paces(container)
        finally:
            container.database.engine.dispose()


if __name__ == "__main__":
    main()
