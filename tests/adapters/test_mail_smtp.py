"""Mail servers as they come: that refuse, stall, drip, hang up, want a password or TLS."""

import asyncio
import logging
import socket
import ssl
import time
import traceback
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import trustme

from app.adapters import mail_smtp
from app.adapters.mail_smtp import SmtpMailer
from app.domain.sending import Email, MailNotSentError
from tests.fakes import FakeClock
from tests.mail_server import PASSWORD, USER, Clerk, drip, mail_server, raw_server
from tests.waiting import PATIENCE_SECONDS

LETTER = Email("jo@example.com", "Hello", "Hello Jo\n")
SENDER = "Brightlist <no-reply@brightlist.example>"
CREDENTIALS = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}@"


@pytest.fixture
def clerk() -> Clerk:
    return Clerk()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def certified(authority: trustme.CA) -> ssl.SSLContext:
    """What a server for localhost shows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context


@pytest.fixture(scope="module")
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    """What a client knows that trusts the authority."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def mailer(url: str, tls: ssl.SSLContext | None = None, deadline_seconds: float = 60) -> SmtpMailer:
    return SmtpMailer(url, SENDER, FakeClock(), tls=tls, deadline_seconds=deadline_seconds)


def refused(mailer: SmtpMailer, email: Email = LETTER) -> MailNotSentError:
    with pytest.raises(MailNotSentError) as caught:
        mailer.send(email, "mai_1")
    return caught.value


def test_the_envelope_names_sender_and_receiver(clerk: Clerk) -> None:
    with mail_server(clerk) as port:
        mailer(f"smtp://127.0.0.1:{port}").send(LETTER, "mai_1")
    (envelope,) = clerk.got
    assert (envelope.mail_from, envelope.rcpt_tos) == ("no-reply@brightlist.example", ["jo@example.com"])
    assert clerk.sessions[0].host_name == "brightlist.example"


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [
        ("550 5.1.1 No such user", True),
        ("551 gone", True),
        ("450 4.2.1 Greylisted, come back", False),
        ("451 later", False),
        ("421 closing", False),
    ],
)
@pytest.mark.parametrize("stage", ["rcpt", "data"])
def test_a_refusal_of_the_letter_is_final_when_the_server_says_so(
    clerk, stage: str, answer: str, permanent
) -> None:
    getattr(clerk, stage).append(answer)
    with mail_server(clerk) as port:
        error = refused(mailer(f"smtp://127.0.0.1:{port}"))
        assert (error.permanent, str(error)) == (permanent, answer)
        mailer(f"smtp://127.0.0.1:{port}").send(LETTER, "mai_1")  # the next time it is taken
    assert len(clerk.got) == 1


def test_an_address_beyond_ascii_needs_a_server_that_takes_it(clerk: Clerk) -> None:
    with mail_server(clerk, enable_SMTPUTF8=False) as port:
        error = refused(mailer(f"smtp://127.0.0.1:{port}"), Email("jörg@example.com", "Hello", "Hello"))
        assert error.permanent
        mailer(f"smtp://127.0.0.1:{port}").send(Email("jo@größe.example", "Größe", "Größe"), "mai_1")
    assert clerk.got[0].rcpt_tos == ["jo@xn--gre-6ka8i.example"]


def test_a_connection_lost_after_the_letter_may_be_tried_again(clerk: Clerk) -> None:
    clerk.hang_up = True
    with mail_server(clerk) as port:
        assert not refused(mailer(f"smtp://127.0.0.1:{port}")).permanent


@pytest.mark.parametrize("url", ["smtp://127.0.0.1:1", "smtps://127.0.0.1:1", "smtp://nowhere.invalid"])
def test_a_server_that_is_away_may_come_back(url: str) -> None:
    assert not refused(mailer(url)).permanent


@pytest.mark.parametrize(
    "greeting",
    [b"", b"554 no service here\r\n", b"hello\r\n", b"421 busy\r\n", b"\xff\xfe\r\n", b"220 hi\r\n502 no\r\n"],
)
def test_a_server_that_will_not_talk_is_no_fault_of_the_letter(greeting: bytes) -> None:
    with raw_server(lambda connection: connection.sendall(greeting)) as port:
        assert not refused(mailer(f"smtp://127.0.0.1:{port}")).permanent


TLS_OFFERED = b"220 hi\r\n250-hi\r\n250 STARTTLS\r\n220 go ahead\r\n"


def stall(connection: socket.socket) -> None:
    """Says all that comes before the handshake, and then listens for ever."""
    connection.sendall(TLS_OFFERED)
    while connection.recv(1000):
        pass


STALLS = {
    "silent": ("smtp", lambda connection: connection.recv(1000)),
    "greeting drips": ("smtp", drip(b"220 ")),
    "answer drips": ("smtp", drip(b"220 hi\r\n250-")),
    "answers without end": ("smtp", drip(b"220 hi\r\n" + b"250-x\r\n" * 100)),
    "starttls stalls": ("smtp", stall),
    "handshake stalls": ("smtps", lambda connection: [None for _ in iter(lambda: connection.recv(1000), b"")]),
}


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "speak"), STALLS.values(), ids=STALLS)
def test_the_deadline_holds_however_slow_the_server_is(scheme: str, speak) -> None:
    with raw_server(speak) as port:
        began = time.monotonic()
        error = refused(mailer(f"{scheme}://127.0.0.1:{port}", deadline_seconds=0.4))
        assert 0.3 < time.monotonic() - began < PATIENCE_SECONDS / 2
    assert (error.permanent, str(error)) == (False, "127.0.0.1: not done within 0.4 seconds")


def test_the_deadline_holds_while_the_server_thinks_about_the_letter(clerk: Clerk) -> None:
    clerk.hold = asyncio.Event()
    with mail_server(clerk) as port:
        assert not refused(mailer(f"smtp://127.0.0.1:{port}", deadline_seconds=0.4)).permanent


def test_a_server_that_does_not_say_goodbye_has_the_letter_all_the_same() -> None:
    def speak(connection: socket.socket) -> None:
        lines = connection.makefile("rb")
        connection.sendall(b"220 hi\r\n")
        for answer in (b"250 hi", b"250 ok", b"250 ok", b"354 go"):
            lines.readline()
            connection.sendall(answer + b"\r\n")
        while lines.readline() != b".\r\n":
            pass
        connection.sendall(b"250 taken\r\n")
        while lines.readline():
            pass  # QUIT, and no answer

    with raw_server(speak) as port:
        began = time.monotonic()
        mailer(f"smtp://127.0.0.1:{port}").send(LETTER, "mai_1")
        assert time.monotonic() - began < PATIENCE_SECONDS / 4, "the goodbye is waited for in vain"


def test_starttls_is_used_where_it_is_offered(clerk: Clerk, certified, trusting) -> None:
    with mail_server(clerk, tls_context=certified, require_starttls=True) as port:
        mailer(f"smtp://localhost:{port}", trusting).send(LETTER, "mai_1")
    assert clerk.sessions[0].ssl is not None


def test_credentials_are_sent_through_tls_and_unquoted(clerk: Clerk, certified, trusting) -> None:
    with mail_server(clerk, tls_context=certified, auth_required=True) as port:
        mailer(f"smtp://{CREDENTIALS}localhost:{port}", trusting).send(LETTER, "mai_1")
        assert refused(mailer(f"smtp://localhost:{port}", trusting)).permanent  # 530: it asks for a login
    assert clerk.logins == [(USER.encode(), PASSWORD.encode())]


@pytest.fixture
def secure(clerk: Clerk, certified: ssl.SSLContext) -> Iterator[int]:
    """A server that speaks nothing but TLS; its port."""
    with mail_server(clerk, server_hostname="localhost", ssl_context=certified, auth_require_tls=False) as port:
        yield port


def test_smtps_is_tls_from_the_first_byte(secure: int, clerk: Clerk, trusting) -> None:
    mailer(f"smtps://{CREDENTIALS}localhost:{secure}", trusting).send(LETTER, "mai_1")
    assert len(clerk.got) == len(clerk.logins) == 1


def test_a_certificate_of_an_unknown_authority_or_another_host_is_not_trusted(
    clerk: Clerk, certified, trusting, secure: int
) -> None:
    with mail_server(clerk, tls_context=certified) as port:
        for url, tls in (
            (f"smtp://localhost:{port}", None),
            (f"smtp://127.0.0.1:{port}", trusting),
            (f"smtps://localhost:{secure}", None),
            (f"smtps://127.0.0.1:{secure}", trusting),
        ):
            error = refused(mailer(url, tls))
            assert not error.permanent
            assert "certificate verify failed" in str(error)
    assert clerk.got == []


def test_no_password_goes_to_another_machine_in_the_clear(clerk: Clerk, monkeypatch: pytest.MonkeyPatch) -> None:
    with mail_server(clerk, auth_require_tls=False) as port:
        mailer(f"smtp://{CREDENTIALS}127.0.0.1:{port}").send(LETTER, "mai_1")
        monkeypatch.setattr(mail_smtp, "_is_this_machine", lambda host: False)
        error = refused(mailer(f"smtp://{CREDENTIALS}127.0.0.1:{port}"))
    assert "STARTTLS" in str(error)
    assert (error.permanent, len(clerk.logins), len(clerk.got)) == (False, 1, 1)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost", True),
        ("127.0.0.9", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("localhost.example.com", False),
    ],
)
def test_this_machine_is_told_from_others(host: str, own: bool) -> None:
    assert mail_smtp._is_this_machine(host) is own


WRONG = {
    "other password": (f"{quote(USER, safe='')}:hush-hush@", {"auth_require_tls": False}),
    "no ascii": ("jo:hush-h%C3%BCsh@", {"auth_require_tls": False}),
    "no login offered": ("jo:hush-hush@", {}),
}


@pytest.mark.parametrize(("credentials", "options"), WRONG.values(), ids=WRONG)
def test_a_login_that_fails_may_be_put_right_and_is_never_told(
    clerk: Clerk, credentials: str, options, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "app"), mail_server(clerk, **options) as port:
        error = refused(mailer(f"smtp://{credentials}127.0.0.1:{port}"))
    assert not error.permanent
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "hush" not in caplog.text + "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    ("url", "port"),
    [("smtp://mail", 25), ("smtp://jo:x@mail", 587), ("smtps://jo:x@mail", 465), ("smtp://mail:2525", 2525)],
)
def test_the_port_is_the_usual_one_where_none_is_given(
    url: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled = []

    def dial(host: str, port: int, deadline: object) -> socket.socket:
        dialled.append((host, port))
        raise ConnectionRefusedError

    monkeypatch.setattr(mail_smtp, "dial", dial)
    refused(mailer(url))
    assert dialled == [("mail", port)]
