"""Public identifiers, made of a prefix for the kind of thing and about 130 random bits; and digests of secrets."""

import re
import secrets
from enum import StrEnum
from hashlib import sha256

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM_LENGTH = 22


class Prefix(StrEnum):
    """The prefixes of identifiers, one for each kind of thing."""

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
    OUTLOOK = "otl"
    INVITATION = "inv"


def base62(number: int, length: int) -> str:
    """The number in base 62, padded with zeros to `length` characters."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def random_base62(length: int) -> str:
    """Random characters of ALPHABET from a cryptographic generator, almost six bits each."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_id(prefix: Prefix) -> str:
    """A new identifier such as `job_4f…`."""
    return f"{prefix}_{random_base62(RANDOM_LENGTH)}"


def is_id(text: str, prefix: Prefix) -> bool:
    """Whether the text has the form of an identifier with this prefix; checked before it is sent to the
    database.
    """
    return re.fullmatch(rf"{prefix}_[0-9A-Za-z]{{{RANDOM_LENGTH}}}", text) is not None


def is_user_id(text: str) -> bool:
    """Whether the text has the form of a user's identifier. The founder of an organization has the same identifier
    as the organization, with the prefix of accounts.
    """
    return is_id(text, Prefix.USER) or is_id(text, Prefix.ACCOUNT)


def digest_of_secret(secret: str) -> str:
    """The SHA-256 of a random secret, in hex: stored in place of the secret, and used to find it. A fast digest is
    sufficient, because such secrets are too long to be guessed.
    """
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
