"""Releases of the engine, managed by the operator: added, removed, and one of them named stable.

Owners of the accounts whose pictures the stable release makes get a mail about each change, before it happens or
when it happens.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.catalog import ENTRIES
from app.domain.engines import NOTICE, EngineChannel, EngineDescription, NextEngine
from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line
from app.domain.roles import Role
from app.domain.sending import Email
from app.models import Membership, Organization, StoredRelease, User
from app.services import engines
from app.services.mail import outbox
from engine.messages import PROTOCOL
from engine.version import engine_version

MAX_PATH = 300
_VERSION = re.compile(r"[0-9A-Za-z.]{1,31}\+[0-9a-f]{8}")


def add(session: Session, python: str, description: EngineDescription, now: datetime) -> StoredRelease:
    """Add the release that the interpreter `python` runs, so that it can make pictures. `description`: what it
    reports about itself. Harmless to repeat. If the version was added before, this interpreter replaces the earlier
    one.

    Raises InvalidRequest for an engine that does not know every enhancement that is sold, or that speaks another
    protocol than this service.
    """
    if not python.startswith("/") or len(python) > MAX_PATH or not python.isprintable():
        raise _refuse(f"Give the whole path of the interpreter, at most {MAX_PATH} characters.")
    if description.protocol != PROTOCOL:
        raise _refuse(f"It speaks protocol {description.protocol}, and this service speaks {PROTOCOL}.")
    if not _VERSION.fullmatch(description.version):
        raise _refuse(f"{one_line(description.version)[:60]} is no version of an engine.")
    if missing := sorted(set(ENTRIES) - description.enhancements):
        raise _refuse(f"It does not know all that is sold: {', '.join(missing)}.")
    found = session.get(StoredRelease, description.version, with_for_update=True)
    if found is None:
        found = StoredRelease(version=description.version, python=python, added_at=now)
        session.add(found)
    found.python = python
    found.options = {name: sorted(values) for name, values in description.options.items()}
    session.flush()
    return found


def list_releases(session: Session, *, lock: bool = False) -> Sequence[StoredRelease]:
    """All releases that were added, the newest first. `lock`: lock their rows, so that each change of the stable
    version sees the previous one.
    """
    rows = select(StoredRelease).order_by(StoredRelease.added_at.desc(), StoredRelease.version)
    rows = rows.execution_options(populate_existing=True)
    return session.scalars(rows.with_for_update() if lock else rows).all()


def announce(session: Session, version: str, day: date, now: datetime) -> int:
    """Announce the version that is stable from this day on, in UTC, and mail the owners concerned. Returns the
    number of mails; 0 if the same was announced before.

    Raises InvalidRequest for an unknown version, for the version that is stable already, for a day before NOTICE is
    over (if no version is stable, a day before today), and while another version is announced.
    """
    releases = {each.version: each for each in list_releases(session, lock=True)}
    stable, starts_at = engines.read_stable(session, now), datetime.combine(day, time(), UTC)
    if version not in releases:
        raise _refuse(f"There is no release {one_line(version)[:60]}. Add it first.")
    if stable.next == NextEngine(version, starts_at):
        return 0
    if stable.next is not None:
        other, since = stable.next.version, stable.next.starts_at.date()
        raise _refuse(f"{other} is announced to be stable from {since} on. Withdraw that first.")
    if version == stable.version:
        raise _refuse(f"{version} is stable already.")
    earliest = now.date() + (NOTICE if stable.version else timedelta())
    if day < earliest:
        raise _refuse(f"The earliest day is {earliest}, so that owners of accounts have time.")
    releases[version].stable_from = max(starts_at, now)
    session.flush()
    before, following = stable.version or engine_version(), NextEngine(version, max(starts_at, now))
    return _tell_owners(session, lambda to: emails.stable_engine_announced(to, before, following), now)


def withdraw(session: Session, now: datetime) -> int:
    """Withdraw the announcement of the next stable version, and mail the owners concerned. Returns the number of
    mails. Raises InvalidRequest if no version is announced.
    """
    releases = {each.version: each for each in list_releases(session, lock=True)}
    stable = engines.read_stable(session, now)
    if stable.next is None:
        raise _refuse("No version is announced.")
    following, stays = stable.next, stable.version or engine_version()
    releases[following.version].stable_from = None
    session.flush()
    return _tell_owners(session, lambda to: emails.stable_engine_withdrawn(to, stays, following), now)


def remove(session: Session, version: str, now: datetime, *, although_stable: bool = False) -> int:
    """Remove a release. Pictures that it has not made yet are made by the version that the account would get now.
    With `although_stable`, the stable release can be removed too: then no version is stable, and the owners
    concerned are mailed. Returns the number of mails.

    Raises InvalidRequest for an unknown version, for the stable version without `although_stable`, and for the
    announced version.
    """
    releases = list_releases(session, lock=True)
    stable = engines.read_stable(session, now)
    found = next((each for each in releases if each.version == version), None)
    if found is None:
        raise _refuse(f"There is no release {one_line(version)[:60]}.")
    if stable.next is not None and stable.next.version == version:
        raise _refuse(f"{version} is announced as the next stable one. Withdraw that first.")
    if stable.version == version and not although_stable:
        raise _refuse(f"{version} is stable. Announce another one, and remove it once that is stable.")
    session.delete(found)
    if stable.version != version:
        return 0
    for each in releases:
        # Otherwise an earlier release would become stable again, which nobody decided.
        if each.stable_from is not None and each.stable_from <= now:
            each.stable_from = None
    session.flush()
    return _tell_owners(session, lambda to: emails.stable_engine_removed(to, version, engine_version()), now)


def _tell_owners(session: Session, write: Callable[[str], Email], now: datetime) -> int:
    """Queue one mail to everybody who owns an account on the stable channel."""
    owners = select(User.id, User.email).join(Membership, Membership.user_id == User.id)
    owners = owners.join(Organization, Organization.id == Membership.organization_id)
    owners = owners.where(
        Membership.role == Role.OWNER,
        Organization.engine_channel == EngineChannel.STABLE,
        Organization.deleted_at.is_(None),
        Organization.suspended_at.is_(None),
        User.deleted_at.is_(None),
    )
    found = session.execute(owners.distinct().order_by(User.id)).all()
    for user_id, email in found:
        outbox.post(session, user_id, write(email), now)
    return len(found)


def _refuse(words: str) -> InvalidRequest:
    return InvalidRequest({"release": words})
