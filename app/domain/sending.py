"""Ports and types for what is sent to customers, webhook deliveries and mail; and the port that encrypts
secrets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class DeliveryState(StrEnum):
    """The state of a delivery. HELD: the webhook is switched off; the delivery is sent once somebody releases
    it.
    """

    WAITING = "waiting"
    SENDING = "sending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    HELD = "held"


UNSETTLED = frozenset({DeliveryState.WAITING, DeliveryState.SENDING})
"""The states of deliveries that wait to be sent or are being sent."""


class AttemptOutcome(StrEnum):
    """The outcome of one attempt."""

    STARTED = "started"
    SUCCEEDED = "succeeded"
    REJECTED = "rejected"
    TIMEOUT = "timeout"
    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    NOT_CONNECTED = "not_connected"
    TLS_FAILED = "tls_failed"
    BROKEN_ANSWER = "broken_answer"
    CUT_OFF = "cut_off"


@dataclass(frozen=True, slots=True)
class DeliveryRequest:
    """One request to a receiver, with exactly these headers and this body, which the signature covers."""

    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The result of one attempt.

    `status`, `headers`, `body`: of the receiver's answer, as far as it was read; `body` has only the first bytes,
    as received. `address`: the IP address that was connected to. `phases`: phase (resolve, connect, tls, answer) ->
    seconds, for each phase reached. `message`: for the customer; it contains nothing about addresses that are not
    allowed.
    """

    outcome: AttemptOutcome
    message: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    address: str | None = None
    phases: Mapping[str, float] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        """Whether the receiver answered with a status of 2xx in time."""
        return self.outcome is AttemptOutcome.SUCCEEDED


class AddressNotAllowedError(Exception):
    """The service sends nothing to this URL. The text is for the customer and contains nothing about our
    network.
    """


class WebhookTransport(Protocol):
    """Sends webhook deliveries, only to addresses that were vetted in the same attempt."""

    def vet(self, url: str) -> None:
        """Raise AddressNotAllowedError for a URL to which nothing may be sent. Looks up the URL's host."""

    def send(self, request: DeliveryRequest) -> DeliveryResult:
        """Make one attempt, within the deadline whatever the receiver does; its faults are results, not
        exceptions.
        """


class DecryptionError(Exception):
    """An encrypted text cannot be decrypted with any secret key in force, or it was changed."""


class Vault(Protocol):
    """Encrypts secrets before they are stored in the database."""

    def seal(self, text: str) -> str:
        """The text, encrypted with the newest secret key."""

    def open(self, sealed: str) -> str:
        """The decrypted text. Raises DecryptionError."""

    def renew(self, sealed: str) -> str | None:
        """The text encrypted with the newest secret key; None if it already is. Raises DecryptionError."""


@dataclass(frozen=True, slots=True)
class Email:
    """A mail to one person, in plain text. `picture_keys`: the storage keys of pictures to show; pictures that are
    not made when the mail is sent are left out. `pictures`: the content of the pictures, JPEG.
    """

    to: str
    subject: str
    text: str
    picture_keys: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = ()


class MailNotSentError(Exception):
    """The mail was not sent; `permanent`: no later try can succeed."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class Mailer(Protocol):
    """Sends mail."""

    def send(self, message: Email, mail_id: str) -> None:
        """Send the message; `mail_id` makes its Message-ID the same at every try. Raises MailNotSentError."""
