"""Mail over SMTP within a deadline, by TLS with a verified certificate wherever the server offers it."""

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from email.message import EmailMessage
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from app.adapters.connect import dial
from app.adapters.deadlines import Deadline
from app.adapters.mail_message import Sender, compose
from app.domain.sending import Email, MailNotSentError

DEADLINE_SECONDS = 30.0
"""Time for one e-mail, from the look-up of the host until the server has accepted it."""


class SmtpMailer:
    """Implements app.domain.sending.Mailer with the server at an smtp:// or smtps:// URL, with or without
    credentials.

    With smtp:// the connection is switched to TLS when the server offers STARTTLS; without it, credentials are not
    sent to another machine. `tls` verifies the server's certificate.
    """

    def __init__(
        self,
        url: str,
        sender: str,
        clock: Callable[[], datetime],
        *,
        deadline_seconds: float = DEADLINE_SECONDS,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._secure = parts.scheme == "smtps"
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._port = parts.port or (465 if self._secure else 587 if self._user else 25)
        self._sender, self._clock = Sender(sender), clock
        self._deadline_seconds = deadline_seconds
        self._tls = tls or ssl.create_default_context()

    def send(self, email: Email, mail_id: str) -> None:
        """Send the e-mail. Raises MailNotSentError, permanent when the server refuses this e-mail for good.

        When the connection is lost at the end, the server may have accepted the e-mail; the next try has the same
        Message-ID.
        """
        message = compose(email, self._sender, mail_id, self._clock())
        deadline = Deadline(self._deadline_seconds)
        try:
            with self._session(deadline) as client:
                _send_message(client, message)
        except OSError as error:  # smtplib's exceptions are OSErrors too
            trouble = str(error) or type(error).__name__
        except UnicodeError:
            trouble = "the host, user or password has characters that SMTP does not take"
        else:
            return
        if deadline.is_over:
            trouble = f"not done within {self._deadline_seconds:g} seconds"
        # Raised here, not in the handlers: there its context would be an exception that may quote the credentials.
        raise MailNotSentError(f"{self._host}: {trouble}")

    @contextmanager
    def _session(self, deadline: Deadline) -> Iterator[smtplib.SMTP]:
        """A client that is connected, by TLS where offered, and signed in: ready to send an e-mail."""
        connection = dial(self._host, self._port, deadline)
        with closing(connection), deadline.limit(connection):
            if self._secure:
                connection = self._tls.wrap_socket(connection, server_hostname=self._host)
            with closing(connection), closing(_Client(connection, self._host, self._sender.host)) as client:
                client.ehlo_or_helo_if_needed()
                if not self._secure:
                    self._start_tls(client)
                if self._user:
                    client.login(self._user, self._password)
                yield client
                with suppress(OSError):
                    client.putcmd("quit")  # without waiting for the answer: the e-mail has been accepted

    def _start_tls(self, client: smtplib.SMTP) -> None:
        if client.has_extn("starttls"):
            client.starttls(context=self._tls)
            client.ehlo()
        elif self._user and not _is_this_machine(self._host):
            raise ConnectionError("no STARTTLS is offered, and the password must not travel in the clear")


class _Client(smtplib.SMTP):
    """smtplib's client on an existing connection; `host` is the name that the certificate must have."""

    def __init__(self, connection: socket.socket, host: str, own_name: str) -> None:
        self._connection = connection
        # Without a name, smtplib would look up the name of this machine, which no deadline limits.
        super().__init__(host, local_hostname=own_name)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._connection


def _send_message(client: smtplib.SMTP, message: EmailMessage) -> None:
    sender, to = (message[name].addresses[0].addr_spec for name in ("From", "To"))
    options = [] if to.isascii() else ["SMTPUTF8", "BODY=8BITMIME"]
    try:
        client.sendmail(sender, [to], message.as_bytes(), options)
    except smtplib.SMTPRecipientsRefused as refusal:
        raise _make_refusal(*refusal.recipients[to]) from None
    except smtplib.SMTPResponseException as refusal:
        raise _make_refusal(refusal.smtp_code, refusal.smtp_error) from None
    except smtplib.SMTPNotSupportedError:
        raise MailNotSentError(f"the server takes no address like {to}", permanent=True) from None


def _make_refusal(code: int, text: bytes | str) -> MailNotSentError:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return MailNotSentError(f"{code} {words}", permanent=code >= 500)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
