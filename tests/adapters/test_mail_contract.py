"""The contract of mail, held by the SMTP server's way and by the folder's: an e-mail arrives as it was written."""

import email
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.mail_files import MailFiles
from app.adapters.mail_message import Sender, compose
from app.adapters.mail_smtp import SmtpMailer
from app.domain.mail_text import mailbox, one_line
from app.domain.sending import Email, Mailer, MailNotSentError
from tests.fakes import FakeClock
from tests.mail_server import Clerk, mail_server

SENDER = "Brightlist, Inc. <no-reply@brightlist.example>"
LETTER = Email("jo@example.com", "Your pictures are ready", "Hello Jo,\n\nthey are.\n")
MAIL_ID = "mai_7Qm2ZcW9sXk4NfTb1LhPve"
HEADERS = ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"]
HEADERS += ["Content-Type", "Content-Transfer-Encoding", "MIME-Version"]


@dataclass
class Way:
    """A mailer and what came out at its end."""

    mailer: Mailer
    raw: Callable[[], list[bytes]]

    def arrived(self, email: Email) -> EmailMessage:
        """The email at the other end, after it was sent as the only one."""
        self.mailer.send(email, MAIL_ID)
        (content,) = self.raw()
        assert max(map(len, content.split(b"\r\n"))) <= 998
        return read(content)


def read(content: bytes) -> EmailMessage:
    # An address may stand in the headers in UTF-8; from bytes the parser would not understand that.
    return email.message_from_string(content.decode(), policy=SMTP)


@pytest.fixture(params=["smtp", "files"])
def way(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Way]:
    if request.param == "files":
        mailer = MailFiles(tmp_path / "mail", SENDER, clock)
        yield Way(mailer, lambda: [path.read_bytes() for path in (tmp_path / "mail").iterdir()])
        return
    clerk = Clerk()
    with mail_server(clerk) as port:
        mailer = SmtpMailer(f"smtp://127.0.0.1:{port}", SENDER, clock)
        yield Way(mailer, lambda: [envelope.original_content for envelope in clerk.got])


def test_a_letter_arrives_as_it_was_written(way: Way) -> None:
    message = way.arrived(LETTER)
    assert message.keys() == HEADERS
    assert message["From"] == '"Brightlist, Inc." <no-reply@brightlist.example>'
    assert (message["To"], message["Subject"]) == (LETTER.to, LETTER.subject)
    assert message["Message-ID"] == f"<{MAIL_ID}@brightlist.example>"
    assert message["Date"].datetime.isoformat() == "2026-11-20T12:00:00+00:00"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content() == LETTER.text.replace("\n", "\r\n")


def test_pictures_come_with_the_letter_as_html_beside_the_same_text_and_load_nothing(way: Way) -> None:
    text = "Ready: 6 < 7 & more\n\nhttps://photos.example/properties/1\n\nBrightlist\n"
    message = way.arrived(Email("jo@example.com", "Ready", text, pictures=(b"\xff\xd8one", b"\xff\xd8two")))
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert plain.get_content().replace("\r\n", "\n") == text
    shown = html.get_content()
    assert "6 &lt; 7 &amp; more" in shown
    assert '<a href="https://photos.example/properties/1">' in shown
    carried = {
        part["Content-ID"]: part.get_content() for part in message.walk() if part.get_content_type() == "image/jpeg"
    }
    assert re.findall(r'src="cid:([^"]+)"', shown) == [each.strip("<>") for each in carried]
    assert list(carried.values()) == [b"\xff\xd8one", b"\xff\xd8two"]
    assert re.findall(r'src="(?!cid:)', shown) == []


TEXTS = {
    "umlauts": "Grüße aus der Königsallee 🏡\n",
    "long line": "x" * 5000 + "\n",
    "long words": ("größer " * 900) + "\n",
    "smtp commands": "before\n.\n..\nMAIL FROM:<evil@example.com>\n\nQUIT\n",
    "mbox": "From here to there\n>From\n",
    "no end": "and then",
    "empty": "",
    "tabs and ends": "a\tb\r\nc\n\n\n",
    "controls": "a\x00b\x07c\ud800d\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_arrives(way: Way, text: str) -> None:
    got = way.arrived(Email("jo@example.com", "Hello", text)).get_content().replace("\r\n", "\n")
    wanted = text.replace("\r\n", "\n").replace("\x00", " ").replace("\x07", " ").replace("\ud800", " ")
    assert got.removesuffix("\n") == wanted.removesuffix("\n")


SUBJECTS = {
    "umlauts": "Größe der Straße in 東京 🏡",
    "long": "Your order for " + "a very long street name " * 11,
    "long word": "x" * 300,
    "long umlauts": "ü" * 300,
    "header": "Hello\r\nBcc: evil@example.com\r\n\r\nBody",
    "bare ends": "Hello\nBcc: evil@example.com\rX: y",
    "odd ends": "Hello\x0bBcc: a\x0c\x1c\x1d\x1e\x85\u2028Bcc: b\u2029c",
    "nothing": "",
    "nul": "a\x00b",
    "surrogate": "a\udc80b",
    "colons": ": Bcc: x",
}


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_any_subject_arrives_on_one_line_and_is_nothing_but_a_subject(way: Way, subject: str) -> None:
    message = way.arrived(Email("jo@example.com", subject, "Hello\n"))
    assert message.keys() == HEADERS
    assert message["Subject"] == one_line(subject)
    assert message.get_content() == "Hello\r\n"


def test_what_looks_like_an_encoded_word_stays_text(way: Way) -> None:
    message = way.arrived(Email("jo@example.com", "=?utf-8?q?Hi=0D=0ABcc:_evil@example.com?=", "Hello\n"))
    assert message.keys() == HEADERS
    assert message["Subject"] == "= ?utf-8?q?Hi=0D=0ABcc:_evil@example.com?="


@pytest.mark.parametrize(
    ("to", "shown"),
    [
        ("jo.o'neil+tag@mail.example.com", "jo.o'neil+tag@mail.example.com"),
        ("jo@localhost", "jo@localhost"),
        ("Jo@Mail.EXAMPLE.com", "Jo@mail.example.com"),
        ("jo@größe.example", "jo@xn--gre-6ka8i.example"),
        ("jo@a\u2488example", "jo@a1.example"),  # a digit with a dot of its own
        ("jörg@größe.example", "jörg@xn--gre-6ka8i.example"),
        ("用户@例子.example", "用户@xn--fsqu00a.example"),
        (f"{'x' * 64}@{'y' * 60}.example", f"{'x' * 64}@{'y' * 60}.example"),
    ],
)
def test_any_address_is_reached(way: Way, to: str, shown: str) -> None:
    message = way.arrived(Email(to, "Größe", "Grüße\n"))
    assert [address.addr_spec for address in message["To"].addresses] == [shown]
    assert (message["Subject"], message.get_content()) == ("Größe", "Grüße\r\n")


NO_ADDRESSES = [
    "",
    "jo",
    "@example.com",
    "jo@",
    "jo@example.com\r\nBcc: evil@example.com",
    "jo@example.com\n",
    "jo@example.com, evil@example.com",
    "jo@example.com> RCPT TO:<evil@example.com",
    "Jo <jo@example.com>",
    '"a b"@example.com',
    "jo@evil@example.com",
    "jo o@example.com",
    "jo@exam ple.com",
    "jo@example..com",
    "jo@-example.com",
    "jo\x00@example.com",
    "jo\u2028@example.com",
    "jo\ud800@example.com",
    f"jo@{'x' * 64}.example",
    f"jo@{'ü' * 63}.example",
    "jo@" + "x." * 130 + "example",
]


@pytest.mark.parametrize("to", NO_ADDRESSES)
def test_what_is_no_address_is_refused_for_good(way: Way, to: str) -> None:
    with pytest.raises(MailNotSentError) as refused:
        way.mailer.send(Email(to, "Hello", "Hello\n"), MAIL_ID)
    assert refused.value.permanent
    assert mailbox(to) is None


def test_every_try_of_a_mail_has_the_same_message_id(way: Way, clock: FakeClock) -> None:
    way.mailer.send(LETTER, MAIL_ID)
    first = {read(content)["Message-ID"] for content in way.raw()}
    clock.pass_(hours=1)
    way.mailer.send(LETTER, MAIL_ID)
    assert {read(content)["Message-ID"] for content in way.raw()} == first


@pytest.mark.long
@given(subject=st.text(max_size=400), to=st.text(max_size=100), text=st.text(max_size=400))
def test_whatever_is_written_only_the_known_headers_go_out(subject: str, to: str, text: str) -> None:
    email = Email(to if mailbox(to) else "jo@example.com", subject, text)
    message = read(compose(email, Sender(SENDER), MAIL_ID, FakeClock().now).as_bytes())
    assert message.keys() == HEADERS
    assert len(message["To"].addresses) == 1
    assert not message["Subject"].defects


@pytest.mark.long
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_whatever_passes_for_an_address_is_one(local: str, host: str) -> None:
    parts = mailbox(f"{local}@{host}")
    if parts is not None:
        email = Email(f"{local}@{host}", "Hello", "Hello")
        message = read(compose(email, Sender(SENDER), MAIL_ID, FakeClock().now).as_bytes())
        (address,) = message["To"].addresses
        assert (address.username, address.domain) == parts


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("no-reply@localhost", "no-reply@localhost"),
        ("Brightlist <a@b.example>", "Brightlist <a@b.example>"),
        ('"Bright, list" <a@b.example>', '"Bright, list" <a@b.example>'),
        ("Gr\u00f6\u00dfe <a@b.example>", "Gr\u00f6\u00dfe <a@b.example>"),
    ],
)
def test_the_sender_may_be_written_as_people_write_it(written: str, shown: str) -> None:
    message = compose(LETTER, Sender(written), MAIL_ID, FakeClock().now)
    assert read(message.as_bytes())["From"] == shown


def test_a_sender_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="is no sender"):
        Sender("Brightlist")
