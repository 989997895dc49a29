"""Finds the release of the engine that makes an account's pictures, by the account's choice."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.engines import ChosenEngine, EngineChannel, EngineRelease, NextEngine
from app.models import Job, StoredRelease
from app.services.accounts import organizations
from engine.types.options import OPTIONS
from engine.types.usable_options import is_usable
from engine.version import engine_version

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StableEngine:
    """The version that is stable now, and the version that is announced to follow it; None where there is none."""

    version: str | None = None
    next: NextEngine | None = None


def read_stable(session: Session, now: datetime) -> StableEngine:
    """The stable version and the announced version."""
    rows = select(StoredRelease.version, StoredRelease.stable_from).order_by(StoredRelease.stable_from)
    named = [NextEngine(version, at) for version, at in session.execute(rows) if at is not None]
    present = [each.version for each in named if each.starts_at <= now]
    following = [each for each in named if each.starts_at > now]
    return StableEngine(present[-1] if present else None, following[0] if following else None)


def read_choice(session: Session, account_id: str, now: datetime) -> ChosenEngine:
    """The account's choice (for a sandbox, the choice of its live account), and the versions that follow from it
    now. While no version is stable, the version of this service is used instead.
    """
    channel = organizations.get_engine_channel(session, account_id)
    if channel is EngineChannel.LATEST:
        return ChosenEngine(channel, engine_version())
    stable = read_stable(session, now)
    return ChosenEngine(channel, stable.version or engine_version(), stable.next)


def find_version(session: Session, account_id: str, now: datetime) -> str:
    """The version that makes the account's new pictures."""
    return read_choice(session, account_id, now).version


def find_release(session: Session, version: str) -> EngineRelease | None:
    """The release with this version, which can make pictures; None if it was removed."""
    if version == engine_version():
        return EngineRelease(version)
    python = session.scalar(select(StoredRelease.python).where(StoredRelease.version == version))
    return None if python is None else EngineRelease(version, python)


def find_options(session: Session, version: str) -> Mapping[str, Collection[str]]:
    """The values of each option that the engine of this version can carry out; an earlier engine knows fewer."""
    if version == engine_version():
        return {each.name: [value for value in each.choices if is_usable(value)] for each in OPTIONS}
    return session.scalar(select(StoredRelease.options).where(StoredRelease.version == version)) or {}


def list_versions(session: Session) -> Collection[str]:
    """The versions that can make pictures."""
    return {engine_version(), *session.scalars(select(StoredRelease.version))}


def find_release_of_job(session: Session, job: Job, now: datetime) -> EngineRelease:
    """The release that makes the pictures of a locked job as it was ordered. If it was removed, the job gets the
    version that the account would get now.
    """
    found = find_release(session, job.engine_version)
    if found is not None:
        return found
    version = find_version(session, job.account_id, now)
    log.warning("%s: the engine %s was removed, so that %s makes its pictures", job.id, job.engine_version, version)
    job.engine_version = version
    return find_release(session, version) or EngineRelease(engine_version())
