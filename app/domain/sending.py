"""What is sent to customers: webhook deliveries and mail, with the outcomes of an attempt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class DeliveryState(StrEnum):
    """Where a delivery stands. `held`: its webhook is switched off; it is sent when somebody releases it."""

    WAITING = "waiting"
    SENDING = "sending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    HELD = "held"


UNSETTLED = frozenset({DeliveryState.WAITING, DeliveryState.SENDING})
"""States of deliveries that a worker has to send, or is sending."""


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
    """One request to a receiver: these very bytes under these very headers."""

    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What one attempt came to.

    `status`, `headers` and `body` (its first bytes, as they came) are the receiver's answer as far as it was read;
    `address` is the one dialled; `phases` are seconds for each phase reached (resolve, connect, tls, answer).
    `message` is for the customer and tells nothing about addresses that are not allowed.
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
        """Whether the receiver said 2xx in time."""
        return self.outcome is AttemptOutcome.SUCCEEDED


class AddressNotAllowedError(Exception):
    """The service sends nothing to this URL; the text is for the customer and tells nothing about networks."""


class WebhookTransport(Protocol):
    """Sends webhook deliveries, only ever to addresses vetted in the same attempt."""

    def vet(self, url: str) -> None:
        """Raises AddressNotAllowedError for a URL that nothing may be sent to. Resolves its host."""

    def send(self, request: DeliveryRequest) -> DeliveryResult:
        """One attempt, within the hard deadline however the receiver behaves; never raises for its doing."""


class DecryptionError(Exception):
    """What was sealed cannot be opened: by none of the secret keys in force, or somebody changed it."""


class Vault(Protocol):
    """Keeps secrets unreadable in the database."""

    def seal(self, text: str) -> str:
        """The text as it may be kept."""

    def open(self, sealed: str) -> str:
        """The text again. Raises DecryptionError."""

    def renew(self, sealed: str) -> str | None:
        """The same text sealed with the newest key; None where it is so already. Raises DecryptionError."""


@dataclass(frozen=True, slots=True)
class Email:
    """A mail to one person, in plain text."""

    to: str
    subject: str
    text: str


class MailNotSentError(Exception):
    """The mail did not go out; `permanent` when no later try can help."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class Mailer(Protocol):
    """Sends mail."""

    def send(self, message: Email, mail_id: str) -> None:
        """Hand the message over; the id makes its Message-ID the same at every try. Raises MailNotSentError."""
