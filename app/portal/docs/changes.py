"""The changes for programs, from changes.yaml: all by day for the page, and the newest for the feed."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter

FILE = Path(__file__).with_name("changes.yaml")
MAX_FEED_ENTRIES = 50
"""The most entries of the feed; the page has all."""


class ChangeKind(StrEnum):
    """How a change concerns programs."""

    ADDED = "added"
    CHANGED = "changed"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Change(BaseModel):
    """One change. `operations`: the names of the operations that it concerns; empty if it concerns all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,60}$")]
    date: date
    kind: ChangeKind
    text: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    operations: tuple[str, ...]


@cache
def list_changes() -> Sequence[Change]:
    """All changes, the newest first."""
    found = TypeAdapter(list[Change]).validate_python(yaml.safe_load(FILE.read_text(encoding="utf-8")))
    return sorted(found, key=lambda change: change.date, reverse=True)


def list_days() -> Mapping[date, Sequence[Change]]:
    """All changes by their day, the newest first."""
    return {day: list(changes) for day, changes in groupby(list_changes(), key=lambda change: change.date)}


def list_newest() -> Sequence[Change]:
    """The changes that the feed has, the newest first."""
    return list_changes()[:MAX_FEED_ENTRIES]
