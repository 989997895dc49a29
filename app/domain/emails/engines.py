"""Mails about the stable release of the engine, to owners of the accounts that it makes pictures for."""

from app.domain.dates import format_day
from app.domain.emails.writing import link, write_email
from app.domain.engines import NextEngine
from app.domain.sending import Email

_SETTINGS = "You choose which engine makes your pictures here:"
_CHANGES = "What changed between releases:"


def stable_engine_announced(to: str, version: str, following: NextEngine) -> Email:
    """The mail sent when another version is to become stable."""
    day = format_day(following.starts_at)
    return _write(
        to,
        f"A new stable engine from {day}",
        f"Your account's pictures are made by the stable engine, now {version}. From {day} on, "
        f"{following.version} is stable. Orders placed before are still made by {version}, and pictures that you "
        "have stay as they are.",
    )


def stable_engine_withdrawn(to: str, version: str, following: NextEngine) -> Email:
    """The mail sent when an announced version does not become stable."""
    return _write(
        to,
        "The stable engine stays as it is",
        f"We announced that the engine {following.version} would be stable from {format_day(following.starts_at)} "
        f"on. It will not be: {version} goes on making your account's pictures.",
    )


def stable_engine_removed(to: str, version: str, latest: str) -> Email:
    """The mail sent when the stable version had to be removed, so that the latest makes the pictures."""
    return _write(
        to,
        "The stable engine was removed",
        f"We had to remove the stable engine {version}. Until another one is stable, the latest makes your "
        f"account's pictures, now {latest}; also those of orders that are not done yet. Pictures that you have "
        "stay as they are.",
    )


def _write(to: str, subject: str, text: str) -> Email:
    return write_email(to, subject, text, _CHANGES, link("/docs/changes"), _SETTINGS, link("/account/engine"))
