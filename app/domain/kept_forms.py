"""The fields that are stored of a form that was sent after the sign-in had ended: the typed text, never a
secret.
"""

import re
from collections.abc import Iterable, Sequence

MAX_CHARACTERS = 60_000
MAX_PATH = 300
_TOKENS = frozenset({"csrf_token", "form_token"})
"""Hidden fields of the page; a form that is sent again gets new ones."""
_SECRET = re.compile(r"password|passcode|secret|token|(?<![a-z])(?:codes?|pin)(?![a-z])")
"""A form that has a field with such a name is not stored at all. A postcode is no code."""

TypedFields = Sequence[tuple[str, str]]
"""Pairs of name and value in the order of the form; a name may be repeated."""


def select_fields(sent: Iterable[tuple[str, str]]) -> TypedFields:
    """The fields to store. None at all if every value is blank, if one of the fields is a secret, or if they have
    more than MAX_CHARACTERS together.
    """
    fields = [(name, value) for name, value in sent if name not in _TOKENS]
    if any(_SECRET.search(name.lower()) for name, _ in fields):
        return ()
    if not any(value.strip() for _, value in fields):
        return ()
    if sum(len(name) + len(value) for name, value in fields) > MAX_CHARACTERS:
        return ()
    return fields
