"""An attempt ends at its deadline, whatever the receiver, its resolver or the network between them is slow at."""

import ssl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest
import trustme

from app.adapters.address_policy import NOT_ALLOWED
from app.adapters.webhook_http import HttpTransport
from app.domain.sending import AddressNotAllowedError, AttemptOutcome, DeliveryRequest, DeliveryResult
from tests import receivers
from tests.receivers import EMPTY, GREETING, Handler, Receiver, running
from tests.waiting import PATIENCE_SECONDS

DEADLINE_SECONDS = 3.0
"""Long enough for all to have connected and shaken hands, on a machine that is busy with other tests."""
GRACE_SECONDS = 1.0
"""How late an attempt may end on an idle machine. A busy one may be later now and then, but not each time."""
TRIES = 5
BODY = b"{}"
LARGE_BODY = b"x" * 20_000_000

DRIPS: dict[str, Handler] = {
    "status": receivers.dripping_status(),
    "headers": receivers.dripping_headers(),
    "continues": receivers.dripping_continues(),
    "silent": receivers.silent,
    "reading nothing": receivers.reading_nothing,
}
BODY_DRIPS: dict[str, Handler] = {
    "body": receivers.dripping_body(),
    "chunks": receivers.dripping_chunks(),
    "a body without a length": receivers.dripping(GREETING + b"\r\n", b"x"),
    "a chunk size": receivers.dripping(GREETING + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
}
HANDSHAKES: dict[str, Handler] = {
    "stalling in TLS": receivers.reading_nothing,
    "dripping into TLS": receivers.dripping_into_the_handshake(),
}


@dataclass
class Case:
    """A way to be slow, and what has to come of it."""

    receiver: Receiver
    outcome: AttemptOutcome
    phase: str
    body: bytes = BODY


@dataclass
class Timed:
    """An attempt and how long it really took."""

    result: DeliveryResult
    seconds: float


class Certified:
    """A receiver's certificate for 127.0.0.1 and the file of its authority."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.ca_file = str(folder / "ca.pem")
        authority.cert_pem.write_to_path(self.ca_file)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(self.tls)


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    return Certified(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def cases(certified: Certified) -> Iterator[dict[str, Case]]:
    with ExitStack() as stack:
        cases = {}
        for tls in (None, certified.tls):
            over = " over TLS" if tls else ""
            for name, handler in DRIPS.items():
                receiver = stack.enter_context(running(handler, tls=tls))
                cases[name + over] = Case(receiver, AttemptOutcome.TIMEOUT, "answer")
            for name, handler in BODY_DRIPS.items():
                receiver = stack.enter_context(running(handler, tls=tls))
                cases[name + over] = Case(receiver, AttemptOutcome.SUCCEEDED, "answer")
            receiver = stack.enter_context(running(receivers.reading_nothing, tls=tls))
            cases["reading nothing of much" + over] = Case(receiver, AttemptOutcome.TIMEOUT, "answer", LARGE_BODY)
        for name, handler in HANDSHAKES.items():
            receiver = stack.enter_context(running(handler))
            receiver.url = receiver.url.replace("http:", "https:")
            cases[name] = Case(receiver, AttemptOutcome.TIMEOUT, "tls")
        accepting = stack.enter_context(receivers.never_accepting())
        cases["never accepting"] = Case(accepting, AttemptOutcome.TIMEOUT, "answer")
        connecting = stack.enter_context(receivers.never_accepting(full=True))
        cases["never connecting"] = Case(connecting, AttemptOutcome.TIMEOUT, "connect")
        yield cases


def timed(transport: HttpTransport, url: str, body: bytes = BODY) -> Timed:
    start = time.monotonic()
    result = transport.send(DeliveryRequest(url, {}, body))
    return Timed(result, time.monotonic() - start)


def all_at_once(transport: HttpTransport, cases: dict[str, Case]) -> dict[str, Timed]:
    with ThreadPoolExecutor(len(cases)) as pool:
        runs = {name: pool.submit(timed, transport, case.receiver.url, case.body) for name, case in cases.items()}
        return {name: run.result() for name, run in runs.items()}


def late(attempts: dict[str, Timed]) -> list[str]:
    return [name for name, each in attempts.items() if each.seconds > DEADLINE_SECONDS + GRACE_SECONDS]


@pytest.mark.long
def test_every_way_to_be_slow_ends_at_the_deadline(cases: dict[str, Case], certified: Certified) -> None:
    transport = HttpTransport(DEADLINE_SECONDS, True, None, "ua", ca_file=certified.ca_file)
    attempts = all_at_once(transport, cases)
    for name, attempt in attempts.items():
        print(f"{name:35} {attempt.seconds:6.2f} s  {attempt.result.outcome}  {attempt.result.message}")
    for name, attempt in attempts.items():
        result, case = attempt.result, cases[name]
        assert attempt.seconds >= DEADLINE_SECONDS - 0.1, name
        assert (result.outcome, list(result.phases)[-1]) == (case.outcome, case.phase), name
        if case.outcome is AttemptOutcome.TIMEOUT:
            assert result.message.endswith(f" within {DEADLINE_SECONDS:g} seconds."), name
            assert (result.status, result.body) == (None, b"")
        elif name.startswith(("body", "chunks", "a body")):
            assert 3 <= len(result.body) == result.body.count(b"x"), name
    assert [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)] == []
    for _ in range(TRIES):
        if not (names := late(attempts)):
            return
        attempts = all_at_once(transport, {name: cases[name] for name in names})
    pytest.fail(f"later than the deadline, however often tried: {names}")


def test_a_deadline_in_the_middle_of_the_headers_is_no_success() -> None:
    head = GREETING + b"Content-Length: 0\r\n"
    with running(receivers.answering_and_staying(head)) as receiver:
        result = HttpTransport(0.2, True, None, "ua").send(DeliveryRequest(receiver.url, {}, BODY))
    assert (result.outcome, result.message) == (AttemptOutcome.TIMEOUT, "No answer within 0.2 seconds.")


def test_late_headers_before_the_deadline_are_a_success() -> None:
    def dawdling(visit: receivers.Visit) -> None:
        visit.read_request()
        visit.wait(0.6)
        visit.say(EMPTY)

    with running(dawdling) as receiver:
        attempt = timed(HttpTransport(60.0, True, None, "ua"), receiver.url)
    assert attempt.result.outcome is AttemptOutcome.SUCCEEDED
    assert 0.5 < attempt.result.phases["answer"] < attempt.seconds < 30


def test_a_resolver_that_hangs_is_left_behind() -> None:
    released, asked = Event(), Event()

    def hang(host: str, port: int) -> list[str]:
        asked.set()
        released.wait(PATIENCE_SECONDS)
        return ["127.0.0.1"]

    transport = HttpTransport(0.3, True, None, "ua", resolve=hang)
    with running(receivers.silent) as receiver:
        try:
            attempt = timed(transport, f"http://hooks.example:{receiver.port}/")
            assert asked.wait(PATIENCE_SECONDS), "the resolver was asked"
            assert attempt.seconds >= 0.2
            with pytest.raises(AddressNotAllowedError, match=NOT_ALLOWED[:20]):
                transport.vet(f"http://hooks.example:{receiver.port}/")
            assert not released.is_set(), "nobody waited for the resolver"
        finally:
            released.set()
        assert receiver.connections == 0
    assert (attempt.result.outcome, list(attempt.result.phases)) == (AttemptOutcome.TIMEOUT, ["resolve"])
    assert attempt.result.message == "The host's name was not resolved within 0.3 seconds."
    assert attempt.result.address is None


@pytest.mark.long
def test_a_slow_resolver_leaves_less_for_the_receiver() -> None:
    def dawdle(host: str, port: int) -> list[str]:
        Event().wait(DEADLINE_SECONDS - 0.5)
        return ["127.0.0.1"]

    with running(receivers.dripping_headers()) as receiver:
        transport = HttpTransport(DEADLINE_SECONDS, True, None, "ua", resolve=dawdle)
        attempt = timed(transport, f"http://hooks.example:{receiver.port}/")
    assert attempt.result.outcome is AttemptOutcome.TIMEOUT
    assert attempt.result.phases.get("answer", 0) < DEADLINE_SECONDS - 0.5, "the resolver's time is not counted"


@pytest.mark.long
@pytest.mark.skipif(not receivers.is_here("127.0.0.2"), reason="this machine has one loopback address")
def test_an_address_that_takes_no_connection_leaves_time_for_the_next() -> None:
    with receivers.never_accepting(full=True) as dead, ExitStack() as stack:
        port = dead.port
        alive = stack.enter_context(running(receivers.answering(204), address="127.0.0.2", port=port))
        transport = HttpTransport(4.0, True, None, "ua", resolve=lambda *_: ["127.0.0.1", "127.0.0.2"])
        attempt = timed(transport, f"http://hooks.example:{port}/")
        assert alive.connections == 1
    assert (attempt.result.outcome, attempt.result.address) == (AttemptOutcome.SUCCEEDED, "127.0.0.2")
    assert 1.9 <= attempt.result.phases["connect"] < 4.0
