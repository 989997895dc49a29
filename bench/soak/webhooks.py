"""Receivers of webhooks that drip, stall, redirect and lie, and addresses that nothing may be sent to.

    python -m bench.soak webhooks [--count 1000] [--seed S] [--deadline 10] [--grace 0.5]

Half of the attempts go to receivers that are slow in every way there is; the others to forbidden addresses in every
spelling, to names that resolve to such, to several addresses of which one is such, and to names that change their
mind between vetting and attempt. Sockets that listen on every address of this machine, and Python's own report of
each connection that is opened, count. Aims: no attempt lasts longer than deadline and grace; no connection to an
address that is refused; no redirect followed.
"""

import argparse
import ssl
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import trustme

from app.adapters.webhook_http import HttpTransport
from app.domain.sending import AddressNotAllowedError, AttemptOutcome, DeliveryRequest
from bench.soak import addresses
from bench.tables import say_where, show
from tests import receivers
from tests.receivers import GREETING, Handler, Receiver, Visit, running

AT_ONCE = 64
ENDLESS_SECONDS = 20.0
"""How long after its limit an attempt is given up as one that never ends."""
PUBLIC = "93.184.216.34"
NAME = "hooks.example"
PORTS = range(8000, 10_000)
REDIRECTS = (300, 301, 302, 303, 305, 307, 308)

_dialled: list[tuple[Any, ...]] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        _dialled.append(arguments[1])


@dataclass
class Found:
    """What was tried, how long it took, and what should not have been."""

    tried: Counter[str] = field(default_factory=Counter)
    longest: dict[str, float] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def attempt(self, kind: str, seconds: float, limit: float) -> None:
        """Note how long an attempt took."""
        self.tried[kind] += 1
        self.longest[kind] = max(self.longest.get(kind, 0.0), seconds)
        if seconds > limit:
            self.late.append(f"{kind}: {seconds:.2f} s")


class Resolver:
    """Gives one set of answers after the other, the last one for ever, whatever it is asked."""

    def __init__(self, answers: Sequence[list[str]]) -> None:
        self._answers = answers
        self.asked = 0

    def __call__(self, *_: object) -> list[str]:
        self.asked += 1
        return self._answers[min(self.asked, len(self._answers)) - 1]


def _byte_by_byte(text: bytes, gap: float) -> Handler:
    """Reads the request, says this once, slowly, and stays."""

    def handle(visit: Visit) -> None:
        visit.read_request()
        visit.drip((bytes([each]) for each in text), gap)
        visit.wait()

    return handle


def slow(random: Random, elsewhere: str) -> dict[str, Handler]:
    """Every way to be slow or wrong, with gaps of this turn's own."""
    gap = random.choice([0.01, 0.1, 0.5, 0.9])
    chunked = GREETING + b"Transfer-Encoding: chunked\r\n\r\n"
    known = GREETING + b"Content-Length: 500000\r\n\r\n"
    return {
        "status": receivers.dripping_status(gap),
        "status, byte by byte": _byte_by_byte(b"HTTP/1.1 200 OK\r\nX: 1" + b"1" * 5000, gap),
        "header lines": receivers.dripping_headers(gap),
        "one header": receivers.dripping(GREETING + b"X: ", b"x", gap_seconds=gap),
        "headers, fast": receivers.endless_headers,
        "continue": receivers.dripping_continues(gap),
        "continue, byte by byte": receivers.dripping(
            b"", *(bytes([each]) for each in b"HTTP/1.1 100 Continue\r\n\r\n"), gap_seconds=gap
        ),
        "continue, fast": receivers.endless_continues,
        "early hints": receivers.dripping(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", gap_seconds=gap),
        "silence": receivers.silent,
        "reads nothing": receivers.reading_nothing,
        "body": receivers.dripping_body(gap),
        "body without a length": receivers.dripping(GREETING + b"\r\n", b"x", gap_seconds=gap),
        "body, never closed": receivers.answering_and_staying(known + b"x" * 100),
        "answer, never closed": receivers.answering_and_staying(GREETING + b"\r\n"),
        "chunks": receivers.dripping_chunks(gap),
        "chunk size": receivers.dripping(chunked, b"0", gap_seconds=gap),
        "chunk extension": receivers.dripping(chunked + b"1;x=", b"y", gap_seconds=gap),
        "trailers": receivers.dripping(chunked + b"0\r\n", b"X: 1\r\n", gap_seconds=gap),
        "ten megabytes": receivers.answering_ten_megabytes,
        "gzip bomb": receivers.gzip_bomb(),
        "random bytes": receivers.saying(random.randbytes(random.randrange(1, 3000))),
        "hangs up": receivers.closing_at_once,
        "half a head": receivers.answering_and_staying(b"HTTP/1.1 200"),
        "redirect": receivers.redirecting(random.choice(REDIRECTS), elsewhere),
    }


def handshakes(random: Random) -> dict[str, Handler]:
    """Ways to be slow before there is a connection to speak through; for https without TLS on the other side."""
    gap = random.choice([0.01, 0.1, 0.5, 0.9])
    return {
        "TLS, nothing": receivers.reading_nothing,
        "TLS, one record": receivers.dripping_into_the_handshake(gap),
        "TLS, alerts": receivers.dripping(b"\x15\x03\x03\x00\x02", b"\x01\x00", gap_seconds=gap),
        "TLS, plain HTTP": _byte_by_byte(b"HTTP/1.1 400 Bad Request\r\n\r\n", gap),
    }


@contextmanager
def _waiting(random: Random, elsewhere: str, tls: ssl.SSLContext) -> Iterator[list[tuple[str, str]]]:
    """A running receiver of each kind, plain and over TLS: what it is, and its URL."""
    with ExitStack() as stack:
        found = []
        for context, over in ((None, ""), (tls, " over TLS")):
            for kind, handler in slow(random, elsewhere).items():
                found.append((kind + over, stack.enter_context(running(handler, tls=context)).url))
        for kind, handler in handshakes(random).items():
            found.append((kind, stack.enter_context(running(handler)).url.replace("http:", "https:")))
        found.append(("never accepts", stack.enter_context(receivers.never_accepting()).url))
        full = stack.enter_context(receivers.never_accepting(full=True))
        found.append(("never connects", full.url))
        yield found


LED_NOWHERE = (AttemptOutcome.ADDRESS_NOT_ALLOWED, AttemptOutcome.TIMEOUT)
"""How attempts at what is refused may end: the resolver that some spellings are asked of may not answer in
time. Whether anything was dialled is counted on its own.
"""


@dataclass
class Authority:
    """Who signs for receivers. Every transport reads this one file: that of all authorities there are takes longer
    than an attempt.
    """

    signer: trustme.CA
    ca_file: str

    @classmethod
    @contextmanager
    def made(cls) -> Iterator["Authority"]:
        """A fresh one, its file there until the block is left."""
        signer = trustme.CA()
        with tempfile.TemporaryDirectory(prefix="brightlist-soak-") as folder:
            ca_file = Path(folder) / "ca.pem"
            signer.cert_pem.write_to_path(str(ca_file))
            yield cls(signer, str(ca_file))

    def transport(self, deadline: float, allow_private: bool, **options: Any) -> HttpTransport:
        """One of the product's that trusts it."""
        return HttpTransport(deadline, allow_private, None, "soak", ca_file=self.ca_file, **options)


def drips(found: Found, random: Random, count: int, deadline: float, grace: float, trusted: Authority) -> int:
    """So many attempts at slow receivers, many at once; how many connections redirects led to."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trusted.signer.issue_cert("127.0.0.1").configure_cert(tls)
    with running(receivers.answering()) as elsewhere, ThreadPoolExecutor(AT_ONCE) as pool:
        transport = trusted.transport(deadline, True)

        def attempt(url: str, body: bytes) -> float:
            start = time.monotonic()
            transport.send(DeliveryRequest(url, {}, body))
            return time.monotonic() - start

        while (left := count - found.tried.total()) > 0:
            with _waiting(random, elsewhere.url, tls) as places:
                # Each kind of receiver is met before one is met again.
                chosen = random.sample(places, min(left, len(places)))
                bodies = [random.choice([b"{}", bytes(20_000)]) for _ in chosen]
                runs = {
                    pool.submit(attempt, url, body): kind for (kind, url), body in zip(chosen, bodies, strict=True)
                }
                done, endless = wait(runs, deadline + grace + ENDLESS_SECONDS)
                for run in done:
                    found.attempt(runs[run], run.result(), deadline + grace)
                for run in endless:
                    # Its receiver ends when this block is left, and with it the attempt.
                    found.attempt(runs[run], deadline + grace + ENDLESS_SECONDS, deadline + grace)
        return elsewhere.connections


@contextmanager
def _everywhere() -> Iterator[list[Receiver]]:
    """Sockets that listen on every address of this machine, at a port that public addresses may have."""
    for port in PORTS:
        with ExitStack() as stack:
            try:
                found = [
                    stack.enter_context(running(receivers.answering(), address=address, port=port))
                    for address in ("0.0.0.0", "::")
                ]
            except OSError:
                continue
            yield found
            return


def forbidden(found: Found, random: Random, count: int, deadline: float, grace: float, trusted: Authority) -> int:
    """So many attempts, at least one in each spelling, at what is refused; how many connections were opened."""
    with _everywhere() as listening:
        port = listening[0].port
        before = len(_dialled)
        tried = 0
        while tried < count:
            for kind, url in addresses.literal_urls(random, port, PUBLIC):
                _refused(found, trusted.transport(deadline, False), kind, url, deadline + grace)
                tried += 1
            for _ in range(200):
                _by_name(found, random, port, deadline, grace, trusted)
                tried += 1
        opened = len(_dialled) - before
        return opened + sum(each.connections for each in listening)


def _by_name(found: Found, random: Random, port: int, deadline: float, grace: float, trusted: Authority) -> None:
    """A name that leads to a forbidden address: alone, among good ones, or only once it was vetted."""
    kind, bad = addresses.answers(random)
    mixed = [PUBLIC, "2606:4700:4700::1111", bad]
    random.shuffle(mixed)
    asked: list[list[str]] = random.choice([[[bad]], [mixed], [[PUBLIC], [bad]], [[PUBLIC], mixed]])
    transport = trusted.transport(deadline, False, resolve=Resolver(asked))
    url = f"https://{NAME}:{port}/"
    if len(asked) == 2:
        # Good when it is registered, bad at every attempt.
        transport.vet(url)
        kind = f"{kind}, rebound"
    _refused(found, transport, kind, url, deadline + grace, vetted=len(asked) == 2)


def _refused(
    found: Found, transport: HttpTransport, kind: str, url: str, limit: float, *, vetted: bool = False
) -> None:
    start = time.monotonic()
    outcome = transport.send(DeliveryRequest(url, {}, b"{}")).outcome
    found.attempt("forbidden" if not vetted else "rebound", time.monotonic() - start, limit)
    if outcome not in LED_NOWHERE:
        found.wrong.append(f"{kind}: {url!r} {outcome}")
    if not vetted:
        try:
            transport.vet(url)
        except AddressNotAllowedError:
            return
        found.wrong.append(f"{kind}: {url!r} may be registered")


def pinned(found: Found, random: Random, count: int, deadline: float, trusted: Authority) -> None:
    """Names that change their mind at every question: what is dialled is what was vetted, asked for once."""
    with running(receivers.answering()) as receiver:
        for _ in range(count):
            right, wrong = random.sample([f"127.0.0.{number}" for number in range(1, 250)], 2)
            resolver = Resolver([[right], [wrong]])
            before = len(_dialled)
            transport = trusted.transport(deadline, True, resolve=resolver)
            transport.send(DeliveryRequest(f"http://{NAME}:{receiver.port}/", {}, b"{}"))
            found.tried["pinned"] += 1
            dialled = {each[0] for each in _dialled[before:]}
            if dialled != {right} or resolver.asked != 1:
                found.wrong.append(f"vetted {right}, dialled {dialled}, asked {resolver.asked} times")


def main(argv: Sequence[str]) -> int:
    """Run, print the figures; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak webhooks")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    parser.add_argument("--deadline", type=float, default=10.0)
    parser.add_argument("--grace", type=float, default=0.5)
    asked = parser.parse_args(argv)
    say_where()
    print(f"seed {asked.seed}", flush=True)
    sys.addaudithook(_note)
    found, random = Found(), Random(asked.seed)
    with Authority.made() as trusted:
        followed = drips(found, random, asked.count // 2, asked.deadline, asked.grace, trusted)
        opened = forbidden(found, random, asked.count // 2, asked.deadline, asked.grace, trusted)
        pinned(found, random, 50, asked.deadline, trusted)
    rows = [(kind, many, f"{found.longest.get(kind, 0):.2f}") for kind, many in sorted(found.tried.items())]
    show("Attempts", ("", "tried", "longest, s"), rows)
    longest = max(found.longest.values())
    print(f"\n{found.tried.total()} attempts, longest {longest:.2f} s of {asked.deadline + asked.grace:g}")
    print(f"late {len(found.late)}, connections to refused addresses {opened}, redirects followed {followed}")
    print(f"let through or dialled otherwise {len(found.wrong)}")
    for each in [*found.late[:20], *found.wrong[:20]]:
        print(each)
    return int(bool(found.late or found.wrong or opened or followed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
