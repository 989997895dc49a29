"""`brightlist listen` and `trigger`: events reach a program on this machine, signed as live."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from brightlist import webhooks
from click.testing import Result

from app.api.v1.event_documents import make_sample
from app.container import Container
from app.domain.events import EventName
from app.domain.webhooks import new_secret
from tests import receivers
from tests.clients.conftest import InProcess, Pauses, Shell, answering, cut
from tests.conftest import PHOTO, Api, work
from tests.receivers import Receiver, Visit
from tests.sandboxes import enter_test_mode

SECRET = new_secret()


@dataclass
class Script:
    """What happens in each pause of a command, one after the other; then it is stopped by hand."""

    acts: list[Callable[[], object]] = field(default_factory=list)

    def __call__(self) -> None:
        if not self.acts:
            raise KeyboardInterrupt
        self.acts.pop(0)()


@pytest.fixture
def script(pauses: Pauses) -> Script:
    pauses.meanwhile = Script()
    return pauses.meanwhile


def listen(shell: Shell, url: str, *words: str) -> Result:
    return shell.run("listen", "--forward-to", url, "--secret", SECRET, *words)


def events_in(receiver: Receiver) -> list[str]:
    return [json.loads(each.body)["event"] for each in receiver.requests]


def test_what_happens_from_now_on_comes_in_its_order_and_once(
    shell: Shell, api: Api, container, script: Script
) -> None:
    api.order([PHOTO])
    work(container)
    script.acts = [lambda: api.order([PHOTO]), lambda: None, lambda: work(container), lambda: None]
    with receivers.running(receivers.answering(204)) as receiver:
        stopped = listen(shell, receiver.url)
        assert stopped.exit_code == 1
        assert events_in(receiver) == [
            "job.created",
            "job.processing",
            "photo.completed",
            "job.completed",
            "job.approved",
        ]
        bodies = [json.loads(each.body) for each in receiver.requests]
        verified = [webhooks.verify(each.body, dict(each.headers), SECRET) for each in receiver.requests]
    listed = api.get("/events?limit=100").json["events"][-5:]
    assert [{**body, "id": event.id} for body, event in zip(bodies, verified, strict=True)] == listed
    assert f"Signed with {SECRET}" in stopped.stdout
    assert "job.approved" in stopped.stdout


def test_it_begins_where_it_is_told(shell: Shell, api: Api, script: Script) -> None:
    for _ in range(3):
        api.order([PHOTO])
    first, second, third = api.get("/events").json["events"]
    with receivers.running(receivers.answering()) as receiver:
        listen(shell, receiver.url, "--since", first["id"])
        ids = [each.header("X-Service-Event-Id") for each in receiver.requests]
    assert ids == [second["id"], third["id"]]


def test_while_the_receiver_is_down_events_wait_in_their_order(
    shell: Shell, api: Api, script: Script, pauses: Pauses
) -> None:
    begin = api.order([PHOTO]) and api.get("/events").json["events"][0]["id"]
    second, third = api.order([PHOTO])["jobId"], api.order([PHOTO])["jobId"]
    visits: list[int] = []

    def down_at_first(visit: Visit) -> None:
        visits.append(1)
        if len(visits) > 3:
            receivers.answering(200)(visit)

    script.acts = [lambda: None] * 3
    with receivers.running(down_at_first) as receiver:
        said = listen(shell, receiver.url, "--since", begin).stdout
        jobs = [json.loads(each.body)["data"]["jobId"] for each in receiver.requests]
        attempts = [each.header("X-Service-Attempt") for each in receiver.requests]
    assert jobs == [second, third]
    assert attempts == ["4", "1"]
    assert pauses.seconds[:3] == [1, 2, 4]
    assert said.count("nobody answers") == 3


def test_an_event_that_is_refused_is_given_up_after_five_attempts_as_live(
    shell: Shell, api: Api, script: Script
) -> None:
    begin = api.order([PHOTO]) and api.get("/events").json["events"][0]["id"]
    refused, taken = api.order([PHOTO])["jobId"], api.order([PHOTO])["jobId"]

    def choosing(visit: Visit) -> None:
        job = json.loads(visit.read_request().body)["data"]["jobId"]
        visit.say(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" if job == refused else receivers.EMPTY)

    script.acts = [lambda: None] * 4
    with receivers.running(choosing) as receiver:
        said = listen(shell, receiver.url, "--since", begin).stdout
        jobs = [json.loads(each.body)["data"]["jobId"] for each in receiver.requests]
        deliveries = {each.header("webhook-id") for each in receiver.requests}
    assert jobs == [refused] * 5 + [taken]
    assert len(deliveries) == 2
    assert "500, given up" in said


def test_it_goes_on_after_an_outage_of_the_service(shell: Shell, api: Api, script: Script, wire: InProcess) -> None:
    begin = api.order([PHOTO]) and api.get("/events").json["events"][0]["id"]
    api.order([PHOTO])
    wire.faults = [cut] * 6
    script.acts = [lambda: None] * 6
    with receivers.running(receivers.answering()) as receiver:
        stopped = listen(shell, receiver.url, "--since", begin)
        assert events_in(receiver) == ["job.created"]
    assert "cannot be reached" in stopped.stderr
    wire.faults = [answering(401)]
    assert listen(shell, receiver.url, "--since", begin).exit_code == 4


@pytest.mark.parametrize("name", EventName)
def test_a_sample_of_every_event_can_be_sent(name: EventName, shell: Shell) -> None:
    with receivers.running(receivers.answering(204)) as receiver:
        done = shell.run("trigger", name, "--forward-to", receiver.url, "--secret", SECRET)
        assert done.exit_code == 0, done.output
        [request] = receiver.requests
    event = webhooks.verify(request.body, dict(request.headers), SECRET)
    assert (event.event, request.header("X-Service-Event")) == (name, name)
    assert json.loads(request.body)["data"] == make_sample(name)["data"]


def test_a_secret_is_made_and_printed_where_none_is_given(shell: Shell) -> None:
    with receivers.running(receivers.answering(500)) as receiver:
        done = shell.run("trigger", "job.approved", "--forward-to", receiver.url, "--json")
        [request] = receiver.requests
    made = json.loads(done.stdout)
    assert webhooks.verify(request.body, dict(request.headers), made["secret"]).event == "job.approved"
    assert (done.exit_code, made["status"]) == (3, 500)


def test_a_sample_says_whether_the_key_is_a_live_one(
    shell: Shell, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receivers.running(receivers.answering(204)) as receiver:
        for key in (api.secret, enter_test_mode(api, container).secret):
            monkeypatch.setenv("BRIGHTLIST_API_KEY", key)
            assert shell.run("trigger", "job.approved", "--forward-to", receiver.url).exit_code == 0
        assert [json.loads(each.body)["livemode"] for each in receiver.requests] == [True, False]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("trigger", "job.vanished", "--forward-to", "localhost:9"), 2, "job.approved"),
        (("trigger", "job.approved", "--forward-to", "http://127.0.0.1:9"), 3, "Nobody answers"),
        (("listen", "--forward-to", "ftp://localhost"), 2, "http://localhost:3000"),
        (("listen", "--forward-to", "localhost:9", "--secret", "whsec_!"), 2, "base64"),
    ],
)
def test_wrong_words_are_explained(shell: Shell, words: tuple[str, ...], code: int, told: str) -> None:
    refused = shell.run(*words)
    assert refused.exit_code == code
    assert told in refused.stderr
