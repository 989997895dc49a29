"""Public identifiers: a prefix that says what it names, and 128 random bits. What is kept of random secrets."""

import re
import secrets
from enum import StrEnum
from hashlib import sha256

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM_LENGTH = 22


class Prefix(StrEnum):
    """What an identifier names."""

    ACCOUNT = "acc"
    USER = "usr"
    API_KEY = "key"
    UPLOAD_SESSION = "ups"
    JOB = "job"
    PHOTO = "pho"
    IMAGE = "img"
    EVENT = "evt"
    WEBHOOK = "whk"
    DELIVERY = "dlv"
    MAIL = "mai"
    SIGN_IN = "sgn"
    DRAFT = "dft"
    DRAFT_PHOTO = "dph"
    PHOTO_GROUP = "grp"
    PURCHASE = "pur"
    PUBLIC_PAGE = "pub"
    PICTURE = "pic"
    MLS_PACK = "pck"
    PRESET = "pre"
    REVISION = "rev"
    SHARE_LINK = "shr"


def base62(number: int, length: int) -> str:
    """The number in base 62, padded with zeros to `length` characters."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def random_base62(length: int) -> str:
    """Unguessable text of the alphabet."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_id(prefix: Prefix) -> str:
    """A fresh identifier such as `job_4f…`."""
    return f"{prefix}_{random_base62(RANDOM_LENGTH)}"


def is_id(text: str, prefix: Prefix) -> bool:
    """Whether the text has the form of such an identifier; spares the database strange input."""
    return re.fullmatch(rf"{prefix}_[0-9A-Za-z]{{{RANDOM_LENGTH}}}", text) is not None


def is_user_id(text: str) -> bool:
    """Whether the text has the form of a user's identifier: who founded an organization has that one's."""
    return is_id(text, Prefix.USER) or is_id(text, Prefix.ACCOUNT)


def digest_of_secret(secret: str) -> str:
    """What is kept of a secret, and what finds it again: of so many random bits a fast digest is enough."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
