"""`brightlist listen` and `trigger`: events come to a program on this machine as webhooks would."""

import base64
import json
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import click
import requests

from brightlist import webhooks
from brightlist.cli.surroundings import Surroundings, complete_url, json_option, pass_surroundings, print_json
from brightlist.client import Brightlist
from brightlist.errors import BrightlistError
from brightlist.models import EventAnswer
from brightlist.transport import API, TIMEOUT

ANSWER_SECONDS = 10
"""How long a receiver may take, as live."""
ATTEMPTS = 5
"""How often an event is sent that is answered, but not with 2xx, as live. One that nobody takes is sent again."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
POLL_SECONDS = 2.0


class NotAccepted(BrightlistError):
    """The receiver did not answer 2xx."""


def _check_url(_ctx: click.Context, _option: click.Parameter, url: str) -> str:
    whole = complete_url(url)
    if urlsplit(whole).scheme not in ("http", "https") or not urlsplit(whole).hostname:
        raise click.BadParameter("Say it like http://localhost:3000/hooks.")
    return whole


def _make_secret(_ctx: click.Context, _option: click.Parameter, secret: str | None) -> str:
    made = secret or f"{webhooks.KEY_MARK}{base64.b64encode(secrets.token_bytes(32)).decode()}"
    try:
        webhooks.check_secret(made)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return made


forward_option = click.option(
    "--forward-to", "url", required=True, callback=_check_url, help="As http://localhost:3000/hooks"
)
secret_option = click.option(
    "--secret",
    envvar="BRIGHTLIST_WEBHOOK_SECRET",
    callback=_make_secret,
    help="Signs what is sent; without it one is made and printed.",
)


@dataclass
class Receiver:
    """A program that is sent events, signed as live."""

    url: str
    secret: str
    around: Surroundings

    def send(self, body: dict[str, Any], event_id: str, delivery_id: str, attempt: int) -> int:
        """Its status. Raises requests.RequestException where it does not answer."""
        content = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        headers = webhooks.sign(
            content,
            self.secret,
            event=body["event"],
            event_id=event_id,
            delivery_id=delivery_id,
            attempt=attempt,
            now=time.time(),
        )
        with self.around.make_session() as session:
            session.trust_env = False  # a proxy knows nothing of this machine
            answer = session.post(
                self.url, data=content, headers=headers, timeout=ANSWER_SECONDS, allow_redirects=False
            )
        return answer.status_code

    def deliver(self, event: EventAnswer) -> None:
        """Send the event until it is accepted: what follows waits, so that all arrive in order."""
        delivery_id, pause, attempt, refused = _make_id("dlv"), FIRST_PAUSE, 0, 0
        while True:
            attempt += 1
            try:
                status = self.send(webhooks.describe(event), event.id, delivery_id, attempt)
            except requests.RequestException:
                said = f"nobody answers at {self.url}"
            else:
                said, refused = str(status), refused + 1
                if 200 <= status < 300 or refused == ATTEMPTS:
                    click.echo(_describe(event, said if status < 300 else f"{said}, given up"))
                    return
            click.echo(_describe(event, f"{said}, again in {pause:g} s"))
            self.around.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)


@click.command()
@forward_option
@secret_option
@click.option("--since", help="Begin after this event, by its id; without it with what happens from now on.")
@pass_surroundings
def listen(around: Surroundings, url: str, secret: str, since: str | None) -> None:
    """Forward the account's events to a program of yours, as webhooks would be sent, until stopped.

    Each is signed with both signatures. Events come in their order, each once; while the program is down they wait.
    """
    client = around.connect()
    receiver = Receiver(url, secret, around)
    after = since or _find_latest(client)
    click.echo(f"Signed with {secret}\nForwarding to {url}; stop with Ctrl+C.")
    for event in _follow(client, after, around):
        receiver.deliver(event)


@click.command()
@click.argument("event")
@forward_option
@secret_option
@json_option
@pass_surroundings
def trigger(around: Surroundings, event: str, url: str, secret: str, as_json: bool) -> None:
    """Send a sample of EVENT, as job.approved, to a program of yours, signed as live."""
    client = around.connect()
    samples = _read_samples(client)
    if event not in samples:
        raise click.BadParameter(f"{event} is none of {', '.join(samples)}.", param_hint="EVENT")
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    body = {**samples[event], "timestamp": now, "livemode": not client.transport.is_test}
    try:
        status = Receiver(url, secret, around).send(body, _make_id("evt"), _make_id("dlv"), 1)
    except requests.RequestException:
        raise NotAccepted(f"Nobody answers at {url}.") from None
    if as_json:
        print_json({"status": status, "secret": secret, "body": body})
    else:
        click.echo(f"Signed with {secret}\n{event}: {status}")
    if not 200 <= status < 300:
        raise NotAccepted(f"{url} answered {status}; 2xx accepts an event.")


def _follow(client: Brightlist, after: str | None, around: Surroundings) -> Iterator[EventAnswer]:
    """Every event after this one, for ever; while the service is away, what is new is asked for again."""
    while True:
        try:
            for event in client.events.list_events(after=after, limit=100):
                yield event
                after = event.id
        except BrightlistError as error:
            if not error.may_try_again:
                raise
            click.echo(str(error), err=True)
        around.sleep(POLL_SECONDS)


def _find_latest(client: Brightlist) -> str | None:
    """The id of the newest event; None where there is none."""
    latest = None
    for event in client.events.list_events(limit=100):
        latest = event.id
    return latest


def _read_samples(client: Brightlist) -> dict[str, dict[str, Any]]:
    """A sample body of each event, from the service's own description."""
    answer = client.transport.send(
        lambda session: session.get(f"{client.transport.root}{API}/openapi.json", timeout=TIMEOUT)
    )
    found = answer.json()["webhooks"]
    return {
        name: item["post"]["requestBody"]["content"]["application/json"]["example"] for name, item in found.items()
    }


def _make_id(kind: str) -> str:
    return f"{kind}_{secrets.token_urlsafe(16)}"


def _describe(event: EventAnswer, said: str) -> str:
    job = event.raw.get("data", {}).get("jobId", "")
    return f"{time.strftime('%H:%M:%S')}  {event.event}  {job}  {said}"
