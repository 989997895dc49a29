"""API keys: created, listed, recognized, renamed, rotated, revoked. A key's secret is stored only as a digest."""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, bindparam, func, not_, or_, select, update
from sqlalchemy.orm import Session

from app.domain.actors import Actor, Scope
from app.domain.errors import Conflict, Suspended, require_found
from app.domain.ids import Prefix, base62, digest_of_secret, is_id, random_base62
from app.domain.keys import MAX_KEYS, check_budget, is_active, key_name
from app.domain.roles import Ability
from app.domain.security_events import SecurityEvent
from app.models import ApiKey, Organization
from app.services import security_log
from app.services.accounts import organizations
from app.services.pagination import Page, SortOrder, cut_page

LIVE_PREFIX, TEST_PREFIX = "ims_live_", "ims_test_"
"""The prefixes of keys of live accounts and of sandboxes; both have the same length."""
RANDOM_LENGTH = 32
CHECKSUM_LENGTH = 6
VISIBLE_START, VISIBLE_END = len(LIVE_PREFIX) + 4, 4
"""How many characters of a secret, from its start and its end, are stored to show which key it is."""
MAX_ADDRESS = 64
PAGE = 25
_ORDER = SortOrder((ApiKey.created_at, ApiKey.id))
_TOO_MANY = f"An account can have {MAX_KEYS} active keys. Revoke one that is no longer used."
LAST_USE_INTERVAL = timedelta(minutes=1)
"""Least time between two updates of `last_used_at`, because an update at every request would cost too much."""
# Built once: every API request runs this query, and building it takes longer than running it.
_WITH_ACCOUNT = (
    select(
        ApiKey.id,
        ApiKey.account_id,
        ApiKey.scopes,
        ApiKey.expires_at,
        ApiKey.revoked_at,
        ApiKey.last_used_at,
        Organization.suspended_at,
        Organization.sandbox_of,
    )
    .join(Organization, Organization.id == ApiKey.account_id)
    .where(Organization.deleted_at.is_(None))
)
BY_DIGEST = _WITH_ACCOUNT.where(ApiKey.digest == bindparam("digest"))
"""Finds a key and its account by the digest of its secret."""
_BY_ID = _WITH_ACCOUNT.add_columns(ApiKey.upload_origins).where(ApiKey.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class RecognizedKey:
    """A key that is valid now, and the account that it acts for."""

    actor: Actor
    use_is_due: bool
    """Whether record_use() should be called."""
    row: Row[Any]
    """The row that the statement read: the columns of BY_DIGEST, and any others that the statement adds."""


def create(
    session: Session,
    account_id: str,
    now: datetime,
    *,
    name: str = "API key",
    scopes: Iterable[Scope] = tuple(Scope),
    expires_at: datetime | None = None,
    form_token: str | None = None,
) -> tuple[ApiKey, str]:
    """Create a key, for a sandbox a test key; returns it and its secret, which cannot be shown again.

    Raises InvalidRequest for a name that is not allowed, Conflict when the account has MAX_KEYS valid keys, and
    NotPermitted when the member who sent the request may no longer make one.
    """
    sandbox_of = _lock_account(session, account_id)
    if made_by := security_log.sender_id():
        # A member who is being removed must not make a key that outlives the removal.
        organizations.require_able(session, account_id, made_by, Ability.DEVELOP)
    if _count_valid(session, account_id, now) >= MAX_KEYS:
        raise Conflict(_TOO_MANY)
    body = (TEST_PREFIX if sandbox_of else LIVE_PREFIX) + random_base62(RANDOM_LENGTH)
    secret = body + _make_checksum(body)
    key = ApiKey(
        account_id=account_id,
        name=key_name(name),
        digest=digest_of_secret(secret),
        visible_prefix=secret[:VISIBLE_START],
        visible_suffix=secret[-VISIBLE_END:],
        scopes=sorted(scopes),
        created_at=now,
        expires_at=expires_at,
        form_token=form_token,
        made_by=made_by,
    )
    session.add(key)
    session.flush()
    security_log.record_activity(session, SecurityEvent.KEY_MADE, account_id, key.name, now, key=key.id)
    return key, secret


def create_once(
    session: Session,
    account_id: str,
    form_token: str,
    now: datetime,
    *,
    name: str,
    scopes: Iterable[Scope],
    expires_at: datetime | None,
) -> tuple[ApiKey, str | None]:
    """Create a key like create(), once for each form: the same form sent again returns the key that it created,
    without the secret.
    """
    existing = _find_made_by_form(session, account_id, form_token)
    if existing is not None:
        return existing, None
    return create(session, account_id, now, scopes=scopes, name=name, expires_at=expires_at, form_token=form_token)


def rotate(
    session: Session, account_id: str, key_id: str, overlap: timedelta, form_token: str, now: datetime
) -> tuple[ApiKey, str | None]:
    """Create a key of the same name, scopes, origins and budget to replace this one; returns it and its secret. The
    old key stays valid for `overlap` at most; the spending of both is counted together.

    If the old key had an end, the new one has the same lifetime, from now on. The same form sent again returns the
    key that it created, without the secret. Raises NotFound, and Conflict when the key has expired, was revoked or
    was replaced already, or when the account has MAX_KEYS valid keys.
    """
    existing = _find_made_by_form(session, account_id, form_token)
    if existing is not None:
        return existing, None
    old = get(session, account_id, key_id)
    if not is_active(old, now):
        raise Conflict("This key no longer works. Create a new one.")
    if old.replaced_by_id is not None:
        raise Conflict("This key was replaced already.")
    lifetime = old.expires_at - old.created_at if old.expires_at else None
    old.expires_at = min(filter(None, (old.expires_at, now + overlap)))
    session.flush()
    key, secret = create(
        session,
        account_id,
        now,
        name=old.name,
        scopes=map(Scope, old.scopes),
        expires_at=now + lifetime if lifetime else None,
        form_token=form_token,
    )
    key.upload_origins, key.budget, key.first_id = old.upload_origins, old.budget, old.first_id or old.id
    old.replaced_by_id = key.id
    security_log.record_activity(
        session, SecurityEvent.KEY_ROTATED, account_id, old.name, now, key=old.id, by=key.id
    )
    return key, secret


def recognize(
    reader: Session | Connection,
    secret: str,
    now: datetime,
    statement: Select[*tuple[Any, ...]] = BY_DIGEST,
    values: Mapping[str, str] = MappingProxyType({}),
) -> RecognizedKey | None:
    """The key with this secret; None unless it is valid now. Raises Suspended when its account is suspended.

    `statement`: BY_DIGEST, or an extension of it that reads more of the account in the same query; `values` are its
    further bind parameters.
    """
    if not _is_well_formed(secret):
        return None
    return _judge(reader.execute(statement, {"digest": digest_of_secret(secret), **values}).one_or_none(), now)


def recognize_by_id(reader: Session | Connection, key_id: str, now: datetime) -> RecognizedKey | None:
    """The key with this id, whose row also has its `upload_origins`; None and raises like recognize()."""
    return _judge(reader.execute(_BY_ID, {"id": key_id}).one_or_none(), now)


def list_upload_origins(session: Session, key_id: str) -> list[str]:
    """The origins of the pages that may upload with URLs and tokens that the key made, even if the key was
    revoked.
    """
    return session.scalar(select(ApiKey.upload_origins).where(ApiKey.id == key_id)) or []


def _judge(row: Row[Any] | None, now: datetime) -> RecognizedKey | None:
    if row is None or row.revoked_at is not None or (row.expires_at and row.expires_at <= now):
        return None
    if row.suspended_at is not None:
        raise Suspended
    use_is_due = row.last_used_at is None or row.last_used_at <= now - LAST_USE_INTERVAL
    actor = Actor(row.account_id, row.id, _parse_scopes(tuple(row.scopes)), livemode=row.sandbox_of is None)
    return RecognizedKey(actor, use_is_due, row)


def record_use(session: Session, key_id: str, address: str, now: datetime) -> None:
    """Save when the key was last used, and from which IP address."""
    used = {"last_used_at": now, "last_used_address": address[:MAX_ADDRESS] or None}
    session.execute(update(ApiKey).where(ApiKey.id == key_id).values(used))


def get(session: Session, account_id: str, key_id: str) -> ApiKey:
    """The account's key. Raises NotFound, also for another account's key."""
    mine = select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id)
    return require_found(session.scalar(mine) if is_id(key_id, Prefix.API_KEY) else None)


def rename(session: Session, account_id: str, key_id: str, name: str) -> None:
    """Rename the key. Raises NotFound, and InvalidRequest for a name that is not allowed."""
    get(session, account_id, key_id).name = key_name(name)


def set_upload_origins(
    session: Session, account_id: str, key_id: str, origins: Iterable[str], now: datetime
) -> None:
    """Set the origins of the pages that may upload with the key's URLs, as read_origins() returns them. This
    applies at once, also to existing URLs. Raises NotFound.
    """
    key, wanted = get(session, account_id, key_id), [*origins]
    if key.upload_origins != wanted:
        key.upload_origins = wanted
        security_log.record_activity(session, SecurityEvent.KEY_CHANGED, account_id, key.name, now, key=key.id)


def set_budget(session: Session, account_id: str, key_id: str, budget: Decimal | None, now: datetime) -> None:
    """Set how many credits the key, the keys that it replaced and the keys that replaced it may spend together in a
    month; None for no limit. This applies at once, and credits spent this month are counted. Raises NotFound, and
    InvalidRequest for a budget that is not allowed.
    """
    # The lock prevents that a replacement with the previous budget is made meanwhile.
    _lock_account(session, account_id)
    key = get(session, account_id, key_id)
    wanted = None if budget is None else check_budget(budget)
    if key.budget != wanted:
        first_id = key.first_id or key.id
        alike = ApiKey.account_id == account_id, or_(ApiKey.id == first_id, ApiKey.first_id == first_id)
        session.execute(update(ApiKey).where(*alike).values(budget=wanted))
        security_log.record_activity(session, SecurityEvent.KEY_CHANGED, account_id, key.name, now, key=key.id)


def revoke(session: Session, account_id: str, key_id: str, now: datetime) -> ApiKey:
    """End the key at once; harmless when repeated. Raises NotFound, also for another account's key."""
    _lock_account(session, account_id)
    key = get(session, account_id, key_id)
    if key.revoked_at is None:
        key.revoked_at = now
        security_log.record_activity(session, SecurityEvent.KEY_REVOKED, account_id, key.name, now, key=key.id)
    return key


def count_made_by(session: Session, account_id: str, user_id: str, now: datetime) -> int:
    """How many valid keys of the account and of its sandbox this user made."""
    return session.scalar(select(func.count()).where(*_made_by(account_id, user_id), _is_valid(now))) or 0


def revoke_made_by(session: Session, account_id: str, user_id: str, now: datetime) -> None:
    """End at once the keys of the account and of its sandbox that this user made."""
    theirs = select(ApiKey).where(*_made_by(account_id, user_id), _is_valid(now))
    for key in session.scalars(theirs.with_for_update()):
        key.revoked_at = now
        security_log.record_activity(session, SecurityEvent.KEY_REVOKED, key.account_id, key.name, now, key=key.id)


def _made_by(account_id: str, user_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    both = or_(Organization.id == account_id, Organization.sandbox_of == account_id)
    return ApiKey.account_id.in_(select(Organization.id).where(both)), ApiKey.made_by == user_id


def end_all(session: Session, account_id: str, now: datetime) -> None:
    """End every key of the account, and erase its name, its origins and the IP address of its last use."""
    erased: dict[str, Any] = {"name": "", "upload_origins": [], "last_used_address": None}
    ended = {"revoked_at": func.coalesce(ApiKey.revoked_at, now), **erased}
    session.execute(update(ApiKey).where(ApiKey.account_id == account_id).values(ended))


def _find_made_by_form(session: Session, account_id: str, form_token: str) -> ApiKey | None:
    _lock_account(session, account_id)
    return session.scalar(select(ApiKey).where(ApiKey.account_id == account_id, ApiKey.form_token == form_token))


def _lock_account(session: Session, account_id: str) -> str | None:
    """Lock the account; before a sandbox, also its live account, whose members make its keys. Returns its
    `sandbox_of`.
    """
    # Only one transaction may change an account's keys; else two forms could exceed MAX_KEYS or replace a key
    # twice.
    live_id = select(Organization.sandbox_of).where(Organization.id == account_id).scalar_subquery()
    both = select(Organization.sandbox_of).where(or_(Organization.id == account_id, Organization.id == live_id))
    found = session.scalars(both.order_by(Organization.sandbox_of.nulls_first()).with_for_update()).all()
    return found[-1] if found else None


def _count_valid(session: Session, account_id: str, now: datetime) -> int:
    """How many keys of the account are valid now."""
    mine = select(func.count()).where(ApiKey.account_id == account_id, _is_valid(now))
    return session.scalar(mine) or 0


def _is_valid(now: datetime) -> ColumnElement[bool]:
    return and_(ApiKey.revoked_at.is_(None), or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > now))


@lru_cache
def _parse_scopes(names: tuple[str, ...]) -> frozenset[Scope]:
    return frozenset(map(Scope, names))


def _make_checksum(body: str) -> str:
    return base62(zlib.crc32(body.encode()), CHECKSUM_LENGTH)


def _is_well_formed(secret: str) -> bool:
    # The checksum rejects a mistyped key without a database query.
    body, checksum = secret[:-CHECKSUM_LENGTH], secret[-CHECKSUM_LENGTH:]
    return secret.startswith((LIVE_PREFIX, TEST_PREFIX)) and secret.isascii() and _make_checksum(body) == checksum


def paginate(session: Session, account_id: str, before: str | None = None) -> Page[ApiKey, str]:
    """PAGE keys of the account, newest first, older than the key `before`.

    Raises NotFound when `before` is not a key of the account.
    """
    return _paginate(session, account_id, select(ApiKey).where(ApiKey.account_id == account_id), before)


def paginate_working_first(
    session: Session, account_id: str, now: datetime, before: str | None = None
) -> Page[ApiKey, str]:
    """All valid keys of the account, and after them PAGE of its ended keys, both newest first.

    With `before`, only ended keys older than that key. Raises NotFound when `before` is not a key of the account.
    """
    mine = select(ApiKey).where(ApiKey.account_id == account_id)
    working = [] if before is not None else session.scalars(_ORDER.sort(mine.where(_is_valid(now)))).all()
    ended = _paginate(session, account_id, mine.where(not_(_is_valid(now))), before)
    return Page([*working, *ended.rows], ended.next)


def _paginate(session: Session, account_id: str, keys: Select[ApiKey], before: str | None) -> Page[ApiKey, str]:
    if before is not None:
        last = get(session, account_id, before)
        keys = keys.where(_ORDER.beyond((last.created_at, last.id)))
    found = session.scalars(_ORDER.sort(keys).limit(PAGE + 1)).all()
    return cut_page(found, PAGE, lambda key: key.id)
