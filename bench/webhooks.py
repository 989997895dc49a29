"""How long from an event's commit to the first byte at its receiver, with all receivers well and with one dead.

Usage: python -m bench.webhooks
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import func, select

from app.container import Container
from app.domain.sending import DeliveryState
from app.domain.webhooks import WebhookRequest
from app.models import Delivery, Webhook
from app.services.accounts import accounts
from app.services.webhooks import webhooks
from bench.serving import EMAIL, whole_service
from bench.tables import say_where, show

RECEIVERS = 10
EVENTS_A_SECOND = 30
SECONDS = 60
BURST = 1000
DRAIN_SECONDS = 60


@contextmanager
def receivers(dead: int) -> Iterator[tuple[list[str], Path]]:
    """URLs of running receivers, the last `dead` of them dead, and the file in which the others note deliveries."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "bench.receiving", str(RECEIVERS), str(dead), name]
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
        account_id = accounts.find(session, EMAIL).organisation_id
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
        waiting = select(func.count()).where(
            Delivery.webhook_id.in_(hooks), Delivery.state != DeliveryState.SUCCEEDED
        )
        while True:
            with container.database.read_session() as session:
                if not session.scalar(waiting):
                    break
            time.sleep(0.05)
        took = time.monotonic() - began
        return f"{BURST} events written in {sent_in:.1f} s, all delivered after {took:.1f} s: {BURST / took:.0f}/s"


def main() -> None:
    """Both paces in a table, and the burst."""
    say_where()
    with whole_service(allow_private_webhooks=True) as (here, _secret):
        container = Container(here.settings)
        rows = [paced(container, dead) for dead in (0, 1)]
        drained = burst(container)
        container.database.engine.dispose()
    title = f"Milliseconds from commit to first byte, {EVENTS_A_SECOND} events a second for {SECONDS} s"
    show(title, ("healthy receivers", "median", "p99", "max", "lost"), rows)
    print(drained)


if __name__ == "__main__":
    main()
