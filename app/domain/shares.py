"""What a client may say of pictures that were shared with them, and how much of it is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from app.domain import people
from app.domain.errors import InvalidRequest
from app.domain.mail_text import clean, one_line

MAX_TITLE = 120
MAX_COMMENT = 1000
"""Characters said of one picture."""
MAX_MESSAGE = 2000
"""Characters said of all of them."""
MAX_LIVE_LINKS = 20
"""Links of one job that open at a time."""
MAX_LINKS = 100
"""Of one job at all, revoked ones among them."""
MAX_CHANGES = 20
"""So often a client says anew what they think of all pictures: each time its owner may get a mail."""


class ShareVerdict(StrEnum):
    """What a client thinks of all pictures together."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


@dataclass(frozen=True, slots=True)
class ClientAnswer:
    """A client's answer, checked; who they are they may leave out."""

    verdict: ShareVerdict
    name: str
    email: str
    message: str


def read_title(text: str) -> str:
    """The title of a link on one line, which may be empty. Raises InvalidRequest when it is too long."""
    line = one_line(text)
    if len(line) > MAX_TITLE:
        raise InvalidRequest({"title": f"Use at most {MAX_TITLE} characters; there are {len(line)}."})
    return line


def read_comment(text: str) -> str:
    """What is said of one picture, which may be nothing. Raises InvalidRequest when it is too long."""
    return _text(text, "comment", MAX_COMMENT)


def read_answer(verdict: str, name: str, email: str, message: str) -> ClientAnswer:
    """The answer, checked. Raises InvalidRequest that names every fault at once."""
    faults: dict[str, str] = {}
    if verdict not in list(ShareVerdict):
        faults["verdict"] = "Choose one of the two."
    known_name = _tried(faults, lambda: people.name(name))
    address = _tried(faults, lambda: people.email(email)) if email.strip() else ""
    words = _tried(faults, lambda: _text(message, "message", MAX_MESSAGE))
    if verdict == ShareVerdict.CHANGES_REQUESTED and not words and "message" not in faults:
        faults["message"] = "Enter what should be changed."
    if faults:
        raise InvalidRequest(faults)
    return ClientAnswer(ShareVerdict(verdict), known_name, address, words)


def _text(text: str, field: str, most: int) -> str:
    words = clean(text).strip()
    if len(words) > most:
        raise InvalidRequest({field: f"Use at most {most} characters; there are {len(words)}."})
    return words


def _tried(faults: dict[str, str], read: Callable[[], str]) -> str:
    """What was read; empty where that was refused, which is noted among the faults."""
    try:
        return read()
    except InvalidRequest as refused:
        faults.update(refused.details or {})
        return ""
