"""No name, number or change of mind of a resolver leads a delivery to an address that is not public."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from app.adapters.address_policy import NOT_ALLOWED
from app.adapters.connect import alternate_families, resolve
from app.adapters.vetted_hosts import Resolve
from app.adapters.webhook_http import HttpTransport
from app.domain.sending import AddressNotAllowedError, AttemptOutcome, DeliveryRequest, DeliveryResult
from tests import receivers
from tests.adapters.test_address_policy import BAD, PUBLIC
from tests.receivers import Receiver, answering, running

ONE_LOOPBACK = pytest.mark.skipif(
    not receivers.is_here("127.0.0.2"), reason="this machine has one loopback address"
)


class Resolver:
    """Gives one set of answers after the other, the last one for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append((host, port))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


@pytest.fixture(scope="module")
def forbidden() -> Iterator[Receiver]:
    """A receiver on this machine, at a port that public addresses may have."""
    with ExitStack() as stack:
        yield next(found for port in range(9100, 9999) if (found := listening(stack, port)))


def listening(stack: ExitStack, port: int) -> Receiver | None:
    """A receiver at this very port, until the stack is left; None where somebody else listens."""
    try:
        return stack.enter_context(running(answering(200, {}, b"secret"), port=port))
    except OSError:
        return None


def send(transport: HttpTransport, url: str) -> DeliveryResult:
    return transport.send(DeliveryRequest(url, {}, b"{}"))


def is_refused(result: DeliveryResult) -> None:
    assert result == DeliveryResult(AttemptOutcome.ADDRESS_NOT_ALLOWED, NOT_ALLOWED)


def test_a_name_that_was_public_when_it_was_vetted_is_vetted_again(forbidden: Receiver) -> None:
    resolver = Resolver([PUBLIC], ["127.0.0.1"])
    transport = HttpTransport(60.0, False, None, "ua", resolve=resolver)
    url = f"https://hooks.example:{forbidden.port}/"
    transport.vet(url)
    is_refused(send(transport, url))
    assert resolver.asked == [("hooks.example", forbidden.port)] * 2
    assert forbidden.connections == 0


@pytest.mark.parametrize("answers", [["127.0.0.1", PUBLIC], ["127.0.0.1", "2606:4700::1"], ["127.0.0.1"]])
def test_mixed_answers_are_refused_and_nobody_is_dialled(forbidden: Receiver, answers: list[str]) -> None:
    transport = HttpTransport(60.0, False, None, "ua", resolve=Resolver(answers))
    url = f"https://hooks.example:{forbidden.port}/"
    is_refused(send(transport, url))
    with pytest.raises(AddressNotAllowedError):
        transport.vet(url)
    assert forbidden.connections == 0


@pytest.mark.parametrize("bad", ["10.0.0.1", "169.254.169.254", "0.0.0.0", "fd00::1", "::ffff:10.0.0.1"])
def test_at_home_too_one_bad_answer_is_enough(forbidden: Receiver, bad: str) -> None:
    transport = HttpTransport(60.0, True, None, "ua", resolve=Resolver(["127.0.0.1", bad]))
    is_refused(send(transport, f"http://hooks.example:{forbidden.port}/"))
    assert forbidden.connections == 0


@ONE_LOOPBACK
def test_what_is_dialled_is_the_address_that_was_vetted_and_nothing_else() -> None:
    """A name of this machine that our resolver, and only ours, has elsewhere."""
    with running(answering()) as named, running(answering(204), address="127.0.0.2", port=named.port) as vetted:
        resolver = Resolver(["127.0.0.2"], ["127.0.0.1"])
        transport = HttpTransport(60.0, True, None, "ua", resolve=resolver)
        result = send(transport, f"http://localhost:{named.port}/")
        assert (named.connections, vetted.connections) == (0, 1)
        [request] = vetted.wait_for(1)
    assert (result.status, result.address) == (204, "127.0.0.2")
    assert request.header("Host") == f"localhost:{named.port}"
    assert len(resolver.asked) == 1


def test_the_next_address_is_dialled_when_one_refuses() -> None:
    with running(answering(204)) as receiver:
        transport = HttpTransport(60.0, True, None, "ua", resolve=Resolver(["127.0.0.3", "::1", "127.0.0.1"]))
        result = send(transport, f"http://hooks.example:{receiver.port}/")
        assert receiver.connections == 1
    assert (result.status, result.address) == (204, "127.0.0.1")


@ONE_LOOPBACK
def test_the_next_address_is_not_dialled_once_one_has_taken_the_connection() -> None:
    with (
        running(receivers.closing_at_once) as first,
        running(answering(), address="127.0.0.2", port=first.port) as second,
    ):
        transport = HttpTransport(60.0, True, None, "ua", resolve=Resolver(["127.0.0.1", "127.0.0.2"]))
        result = send(transport, f"http://hooks.example:{first.port}/")
        assert second.connections == 0
    assert (result.outcome, result.address) == (AttemptOutcome.BROKEN_ANSWER, "127.0.0.1")


def test_addresses_of_both_kinds_are_dialled_in_turn() -> None:
    assert alternate_families(["::1", "::2", "::3", "1.1.1.1", "1.1.1.2"]) == [
        "::1",
        "1.1.1.1",
        "::2",
        "1.1.1.2",
        "::3",
    ]
    assert alternate_families(["1.1.1.1", "::1", "::2"]) == ["1.1.1.1", "::1", "::2"]
    assert alternate_families(["1.1.1.1", "1.1.1.2"]) == ["1.1.1.1", "1.1.1.2"]


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_address_is_refused_as_a_literal_and_as_an_answer(forbidden: Receiver, bad: str) -> None:
    by_system = HttpTransport(60.0, False, None, "ua")
    host = f"[{bad}]" if ":" in bad else bad
    url = f"https://{host}:{forbidden.port}/"
    with pytest.raises(AddressNotAllowedError):
        by_system.vet(url)
    assert send(by_system, url).outcome is AttemptOutcome.ADDRESS_NOT_ALLOWED
    by_answer = HttpTransport(60.0, False, None, "ua", resolve=Resolver([bad]))
    is_refused(send(by_answer, f"https://hooks.example:{forbidden.port}/"))
    assert forbidden.connections == 0


@pytest.mark.parametrize(
    "host",
    ["127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0", "localhost", "LOCALHOST"],
)
def test_other_spellings_of_this_machine_are_refused_and_admitted_at_home(forbidden: Receiver, host: str) -> None:
    url = f"https://{host}:{forbidden.port}/"
    assert send(HttpTransport(60.0, False, None, "ua"), url).outcome is AttemptOutcome.ADDRESS_NOT_ALLOWED
    assert forbidden.connections == 0
    if host != "0":  # 0.0.0.0 leads here as well, and is still not this machine's address
        HttpTransport(60.0, True, None, "ua").vet(url)


def test_every_refusal_of_an_address_reads_the_same() -> None:
    unknown = OSError("no such host")

    def fail(host: str, port: int) -> list[str]:
        raise unknown

    resolvers: list[Resolve] = [
        fail,
        Resolver(["127.0.0.1"]),
        Resolver(["10.1.2.3"]),
        Resolver([]),
        Resolver(["nonsense"]),
    ]
    for resolver in resolvers:
        with pytest.raises(AddressNotAllowedError) as refusal:
            HttpTransport(60.0, False, None, "ua", resolve=resolver).vet("https://hooks.example/")
        assert str(refusal.value) == NOT_ALLOWED
        assert refusal.value.__cause__ is None
    with pytest.raises(AddressNotAllowedError, match="The address is not allowed") as refusal:
        HttpTransport(60.0, False, None, "ua", resolve=Resolver([PUBLIC])).vet("https://hooks.example:22/")
    assert str(refusal.value) == NOT_ALLOWED


def test_a_name_that_is_gone_is_told_like_one_that_is_not_allowed() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    result = send(HttpTransport(60.0, False, None, "ua", resolve=fail), "https://hooks.example/")
    assert (result.outcome, result.message) == (AttemptOutcome.ADDRESS_NOT_ALLOWED, NOT_ALLOWED)
    assert (result.address, list(result.phases)) == (None, [])


@pytest.mark.parametrize(
    "url",
    [
        "https://me:secret@hooks.example/",
        "https://hooks.example/" + "x" * 5000,
        "http://hooks.example/",
        "nonsense",
    ],
)
def test_a_url_that_is_wrong_in_itself_is_not_even_looked_up(url: str) -> None:
    resolver = Resolver([PUBLIC])
    transport = HttpTransport(60.0, False, None, "ua", resolve=resolver)
    with pytest.raises(AddressNotAllowedError) as refusal:
        transport.vet(url)
    assert send(transport, url) == DeliveryResult(AttemptOutcome.ADDRESS_NOT_ALLOWED, str(refusal.value))
    assert resolver.asked == []


def test_a_public_url_passes_and_the_own_one_does_not() -> None:
    transport = HttpTransport(60.0, False, "photos.example", "ua", resolve=Resolver([PUBLIC, "2606:4700::1"]))
    transport.vet("https://hooks.example/a?b=c")
    with pytest.raises(AddressNotAllowedError, match="own"):
        transport.vet("https://photos.example/v1/webhooks")


def test_the_system_resolves_what_needs_no_name_server() -> None:
    assert resolve("127.0.0.1", 80) == ["127.0.0.1"]
    assert resolve("::1", 80) == ["::1"]
