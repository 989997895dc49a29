"""The rules for share links and for the answers of clients to shared pictures."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain import people
from app.domain.errors import InvalidRequest, collect_faults
from app.domain.mail_text import clean, one_line

MAX_TITLE = 120
MAX_COMMENT = 1000
"""The most characters of a comment on one picture."""
MAX_MESSAGE = 2000
"""The most characters of a message about all pictures."""
MAX_LIVE_LINKS = 20
"""The most links of one job that work at a time."""
MAX_LINKS = 100
"""The most links of one job in all, including revoked ones."""
MIN_PIN, MAX_PIN = 6, 8
"""How many digits a PIN has. Only ten PINs may be tried in an hour, and only by someone who knows the link."""
MAX_CHANGES = 20
"""How often a client may change the answer about all pictures; the owner may get a mail each time."""


class ShareVerdict(StrEnum):
    """What a client thinks of all pictures together."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


@dataclass(frozen=True, slots=True)
class ClientAnswer:
    """A client's checked answer about all pictures; name and e-mail may be empty."""

    verdict: ShareVerdict
    name: str
    email: str
    message: str


def read_title(text: str) -> str:
    """The title of a link on one line; it may be empty. Raises InvalidRequest when it is too long."""
    line = one_line(text)
    if len(line) > MAX_TITLE:
        raise InvalidRequest({"title": f"Use at most {MAX_TITLE} characters; there are {len(line)}."})
    return line


def read_pin(text: str) -> str:
    """The PIN of a link; it may be empty. Raises InvalidRequest for anything but MIN_PIN to MAX_PIN digits."""
    pin = text.strip()
    if pin and not (pin.isascii() and pin.isdigit() and MIN_PIN <= len(pin) <= MAX_PIN):
        raise InvalidRequest({"pin": f"Use {MIN_PIN} to {MAX_PIN} digits."})
    return pin


def read_comment(text: str) -> str:
    """The comment on one picture; it may be empty. Raises InvalidRequest when it is too long."""
    return _text(text, "comment", MAX_COMMENT)


def read_answer(verdict: str, name: str, email: str, message: str) -> ClientAnswer:
    """The checked answer. Raises InvalidRequest with all faults."""
    faults: dict[str, str] = {}
    if verdict not in list(ShareVerdict):
        faults["verdict"] = "Choose one of the two."
    checked_name = collect_faults(faults, lambda: people.name(name)) or ""
    address = collect_faults(faults, lambda: people.email(email)) if email.strip() else ""
    words = collect_faults(faults, lambda: _text(message, "message", MAX_MESSAGE)) or ""
    if verdict == ShareVerdict.CHANGES_REQUESTED and not words and "message" not in faults:
        faults["message"] = "Enter what should be changed."
    if faults:
        raise InvalidRequest(faults)
    return ClientAnswer(ShareVerdict(verdict), checked_name, address or "", words)


def _text(text: str, field: str, max_length: int) -> str:
    words = clean(text).strip()
    if len(words) > max_length:
        raise InvalidRequest({field: f"Use at most {max_length} characters; there are {len(words)}."})
    return words
