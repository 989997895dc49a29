"""Releases of the engine: the release of the running service, earlier releases beside it, and which of them is
stable.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.ports import Engine

NOTICE = timedelta(days=14)
"""The time from the notice to the accounts concerned until another release becomes stable."""


class EngineChannel(StrEnum):
    """Which release of the engine makes an account's pictures."""

    LATEST = "latest"
    """The release of the running service."""
    STABLE = "stable"
    """The release that the operator named stable, until the day on which an announced one follows it."""


@dataclass(frozen=True, slots=True)
class EngineRelease:
    """A release that can make pictures. `python`: the interpreter that runs the release in a separate process; None
    for the release of this service.
    """

    version: str
    python: str | None = None


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """What an interpreter reports about the engine that it runs. `options`: the values of each option that the
    engine knows.
    """

    protocol: int
    version: str
    enhancements: frozenset[str]
    options: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class NextEngine:
    """The version that will make an account's pictures, and the moment from which it does."""

    version: str
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """What an account chose, which version makes its new pictures now, and which one is announced to follow."""

    channel: EngineChannel
    version: str
    next: NextEngine | None = None


class EngineMissingError(Exception):
    """A release of the engine does not run on this host. The photo is not at fault, and a later try may succeed."""


class EngineFailedError(Exception):
    """The engine failed on a photo: it crashed, took too long, or gave an invalid answer."""


OpenRelease = Callable[[EngineRelease], AbstractContextManager[Engine]]
"""Opens the engine of an earlier release, usable within the context. Its methods raise EngineMissingError where the
release does not run on this host, and EngineFailedError.
"""
