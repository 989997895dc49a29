"""The rules for names and e-mail addresses of users."""

import unicodedata

from pydantic import TypeAdapter, ValidationError

from app.domain.api_types import Line
from app.domain.errors import InvalidRequest
from app.domain.mail_text import mailbox

MAX_NAME, MAX_EMAIL = 200, 320
_LINE = TypeAdapter(Line)
_GOOGLE = ("gmail.com", "googlemail.com")


def name(text: str) -> str:
    """The name on one line; it may be empty. Raises InvalidRequest when it is too long or has control
    characters.
    """
    line = _line(text, "name", "The name must not contain control characters.")
    if len(line) > MAX_NAME:
        raise InvalidRequest({"name": f"The name must have at most {MAX_NAME} characters."})
    return line


def email(text: str) -> str:
    """The e-mail address in lower case, the form in which it is stored and compared. Raises InvalidRequest for
    other text.
    """
    wrong = "Enter an e-mail address, such as name@example.com."
    address = _line(text, "email", wrong).lower()
    if len(address) > MAX_EMAIL or mailbox(address) is None:
        raise InvalidRequest({"email": wrong})
    return address


def inbox(address: str) -> str:
    """The key of an inbox: the same text for all addresses that probably reach the same inbox, or look alike:
    normalized (NFKC, casefold), without invisible characters, without a plus and the text after it, and for Google
    without dots.
    """
    visible = "".join(each for each in unicodedata.normalize("NFKC", address) if unicodedata.category(each) != "Cf")
    name, _, host = unicodedata.normalize("NFKC", visible).casefold().rpartition("@")
    name = name.partition("+")[0]
    if host in _GOOGLE:
        name, host = name.replace(".", ""), _GOOGLE[0]
    return f"{name}@{host}"


def _line(text: str, field: str, fault: str) -> str:
    try:
        return _LINE.validate_python(text)
    except ValidationError:
        raise InvalidRequest({field: fault}) from None
