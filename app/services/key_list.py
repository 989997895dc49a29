"""The list of an account's API keys, page by page, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from app.models import ApiKey
from app.services import keys

PAGE = 25


@dataclass(frozen=True, slots=True)
class Page:
    """Some keys, newest first; `older` names the key after which the next page begins, None at the end."""

    rows: Sequence[ApiKey]
    older: str | None


def page(session: Session, account_id: str, before: str | None = None) -> Page:
    """PAGE keys of the account, older than the one named. Raises NotFound when that is none of the account's."""
    place = tuple_(ApiKey.created_at, ApiKey.id)
    mine = select(ApiKey).where(ApiKey.account_id == account_id)
    if before is not None:
        last = keys.own(session, account_id, before)
        mine = mine.where(place < tuple_(last.created_at, last.id))
    newest_first = mine.order_by(ApiKey.created_at.desc(), ApiKey.id.desc())
    found = session.scalars(newest_first.limit(PAGE + 1)).all()
    return Page(found[:PAGE], found[PAGE - 1].id if len(found) > PAGE else None)
