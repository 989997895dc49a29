"""Who acts: an account through one of its keys, with what the key may do."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a key may do."""

    ORDERS_WRITE = "orders:write"
    JOBS_READ = "jobs:read"
    CREDITS_READ = "credits:read"
    WEBHOOKS_MANAGE = "webhooks:manage"


@dataclass(frozen=True, slots=True)
class Actor:
    """The account a request acts for."""

    account_id: str
    key_id: str
    scopes: frozenset[Scope]
