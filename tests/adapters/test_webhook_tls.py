"""Deliveries go only to who can prove to be the host in the URL, at whichever address it was vetted."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from app.adapters.webhook_http import HttpTransport
from app.domain.sending import AttemptOutcome, DeliveryRequest, DeliveryResult
from tests import receivers
from tests.receivers import answering, running

AUTHORITY = trustme.CA()


@pytest.fixture(scope="module")
def ca_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tls") / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(path))
    return str(path)


def serving(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def transport(ca_file: str | None) -> HttpTransport:
    return HttpTransport(60.0, True, None, "ua", resolve=lambda *_: ["127.0.0.1"], ca_file=ca_file)


def sent(tls: ssl.SSLContext, ca_file: str | None, host: str = "hooks.example") -> DeliveryResult:
    """What comes of an attempt; the receiver must see a request exactly when it succeeds."""
    with running(answering(200, {}, b"ok"), tls=tls) as receiver:
        result = transport(ca_file).send(DeliveryRequest(f"https://{host}:{receiver.port}/", {}, b"{}"))
        assert receiver.connections == 1
    assert len(receiver.requests) == result.succeeded
    return result


@pytest.mark.parametrize("host", ["hooks.example", "HOOKS.example", "hooks.example."])
def test_a_receiver_with_a_good_certificate_is_trusted(ca_file: str, host: str) -> None:
    tls = serving(AUTHORITY.issue_cert("hooks.example"))
    names: list[str | None] = []
    tls.sni_callback = lambda _socket, name, _context: names.append(name)
    result = sent(tls, ca_file, host)
    assert (result.outcome, result.body) == (AttemptOutcome.SUCCEEDED, b"ok")
    assert list(result.phases) == ["resolve", "connect", "tls", "answer"]
    assert names == ["hooks.example"]


def test_an_address_can_have_a_certificate_too(ca_file: str) -> None:
    assert sent(serving(AUTHORITY.issue_cert("127.0.0.1")), ca_file, "127.0.0.1").succeeded


@pytest.mark.parametrize(
    ("certificate", "host", "message"),
    [
        (AUTHORITY.issue_cert("other.example"), "hooks.example", "Certificate not valid for this host."),
        (AUTHORITY.issue_cert("hooks.example"), "sub.hooks.example", "Certificate not valid for this host."),
        # The very address that is dialled: only the name in the URL counts.
        (AUTHORITY.issue_cert("127.0.0.1"), "hooks.example", "Certificate not valid for this host."),
        (AUTHORITY.issue_cert("hooks.example"), "127.0.0.1", "Certificate not valid for this host."),
        (
            AUTHORITY.issue_cert("hooks.example", not_after=datetime.now(UTC) - timedelta(days=1)),
            "hooks.example",
            "Certificate expired.",
        ),
        (
            AUTHORITY.issue_cert("hooks.example", not_before=datetime.now(UTC) + timedelta(days=1)),
            "hooks.example",
            "Certificate not valid.",
        ),
        (
            trustme.CA().issue_cert("hooks.example"),
            "hooks.example",
            "Certificate not issued by a known authority.",
        ),
    ],
)
def test_a_certificate_that_proves_nothing_is_refused(
    ca_file: str, certificate: trustme.LeafCert, host: str, message: str
) -> None:
    result = sent(serving(certificate), ca_file, host)
    assert (result.outcome, result.message) == (AttemptOutcome.TLS_FAILED, message)
    assert list(result.phases) == ["resolve", "connect", "tls"]
    assert result.address == "127.0.0.1"


def test_without_a_file_only_the_public_authorities_are_trusted(
    ca_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, ca_file)
    result = sent(serving(AUTHORITY.issue_cert("hooks.example")), None)
    assert result.message == "Certificate not issued by a known authority."


def test_a_receiver_that_does_not_speak_tls_gets_nothing(ca_file: str) -> None:
    heard: list[bytes] = []

    def plain(visit: receivers.Visit) -> None:
        heard.append(visit.connection.recv(65_536))
        visit.say(b"HTTP/1.1 400 Speak Plainly\r\n\r\n")

    for handler in (plain, receivers.closing_at_once):
        with running(handler) as receiver:
            result = transport(ca_file).send(
                DeliveryRequest(f"https://hooks.example:{receiver.port}/", {}, b"secret")
            )
        assert (result.outcome, result.message) == (AttemptOutcome.TLS_FAILED, "The TLS handshake failed.")
    assert b"secret" not in b"".join(heard)


def test_no_attempt_over_tls_leaves_a_descriptor(ca_file: str) -> None:
    def open_files() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    certificates = [AUTHORITY.issue_cert("hooks.example"), AUTHORITY.issue_cert("other.example")]
    before = open_files()
    for certificate in certificates:
        sent(serving(certificate), ca_file)
    assert open_files() == before


def test_an_answer_that_breaks_off_within_tls_is_broken(ca_file: str) -> None:
    tls = serving(AUTHORITY.issue_cert("hooks.example"))
    with running(receivers.saying(b"HTTP/1.1 20"), tls=tls) as receiver:
        result = transport(ca_file).send(DeliveryRequest(f"https://hooks.example:{receiver.port}/", {}, b"{}"))
    assert result.outcome is AttemptOutcome.BROKEN_ANSWER


def test_a_redirect_within_tls_is_not_followed(ca_file: str) -> None:
    tls = serving(AUTHORITY.issue_cert("hooks.example"))
    with running(answering()) as elsewhere, running(receivers.redirecting(307, elsewhere.url), tls=tls) as receiver:
        result = transport(ca_file).send(DeliveryRequest(f"https://hooks.example:{receiver.port}/", {}, b"{}"))
        assert elsewhere.connections == 0
    assert (result.outcome, result.status) == (AttemptOutcome.REJECTED, 307)
