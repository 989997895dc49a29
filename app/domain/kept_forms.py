"""What is kept of a form that came after its sign-in had ended: what was typed, never a secret."""

from collections.abc import Iterable, Sequence

MAX_CHARACTERS = 60_000
MAX_PATH = 300
_TOKENS = frozenset({"csrf_token", "form_token"})
"""Of the page, not typed; a form sent again has others."""
_SECRETS = ("password", "code", "secret", "token")
"""A form with a field that is called so, or has this in its name, is not kept at all."""

TypedFields = Sequence[tuple[str, str]]
"""Names and values in the order of the form; a name may come again."""


def list_kept(sent: Iterable[tuple[str, str]]) -> TypedFields:
    """What of the fields is kept; nothing where nothing was typed, a secret is among them, or it is too much."""
    fields = [(name, value) for name, value in sent if name not in _TOKENS]
    if any(word in name.lower() for name, _ in fields for word in _SECRETS):
        return ()
    if not any(value.strip() for _, value in fields):
        return ()
    if sum(len(name) + len(value) for name, value in fields) > MAX_CHARACTERS:
        return ()
    return fields
