"""Who acts: an organization through one of its keys, with what the key may do, or a person in a browser."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum


class Scope(StrEnum):
    """What a key may do."""

    ORDERS_WRITE = "orders:write"
    JOBS_READ = "jobs:read"
    CREDITS_READ = "credits:read"
    WEBHOOKS_MANAGE = "webhooks:manage"


@dataclass(frozen=True, slots=True)
class Actor:
    """The organization that a request acts for, by its key: a key is nobody's in particular."""

    account_id: str
    key_id: str
    scopes: frozenset[Scope]


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person at a signed-in browser, as every page needs to know them.

    `account_id`: the organization that they act for, whose `credits` these are. `proved_at`: when they last proved
    who they are, by everything that signing in asks of them.
    """

    user_id: str
    account_id: str
    sign_in_id: str
    email: str
    name: str
    is_staff: bool
    credits: Decimal
    two_factor: bool
    proved_at: datetime


@dataclass(frozen=True, slots=True)
class Browser:
    """What a browser says of itself, for the list of sign-ins, and the secret of the cookie that it is known by."""

    user_agent: str
    address: str
    secret: str = ""
