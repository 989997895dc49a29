"""Who sends a request: an organization by one of its API keys, or a person in a browser."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from app.domain.roles import Ability, Role, is_granted


class Scope(StrEnum):
    """What a key may do."""

    ORDERS_WRITE = "orders:write"
    JOBS_READ = "jobs:read"
    CREDITS_READ = "credits:read"
    WEBHOOKS_MANAGE = "webhooks:manage"


@dataclass(frozen=True, slots=True)
class Actor:
    """The sender of an API request: the organization that owns the key. A key does not belong to a single user.

    `livemode`: False for a test key, which acts for the organization's sandbox.
    """

    account_id: str
    key_id: str
    scopes: frozenset[Scope]
    livemode: bool = True


class Sandbox(NamedTuple):
    """The account of an organization's test mode, and its balance of test credits."""

    account_id: str
    credits: Decimal


@dataclass(frozen=True, slots=True)
class Visitor:
    """The signed-in user of a browser, with what every page needs to know about the user.

    `account_id`: the organization that the user acts for; `credits`: its balance; `role`: the user's role in it.
    `sandbox`: that of the organization, None if there is none yet. `test_mode`: whether the browser is in test
    mode; then both are the sandbox's, except on pages that have no test mode. `has_others`: whether the user
    belongs to other organizations too. `two_factor`: whether it is on for the user. `proved_at`: when the user last
    proved their identity with password and, if it is on, two-factor code.
    """

    user_id: str
    account_id: str
    sign_in_id: str
    email: str
    name: str
    is_staff: bool
    credits: Decimal
    two_factor: bool
    role: Role
    has_others: bool
    proved_at: datetime
    sandbox: Sandbox | None = None
    test_mode: bool = False

    @property
    def acts_in_sandbox(self) -> bool:
        """Whether the page acts for the sandbox: the browser is in test mode, and the page has a test mode."""
        return self.sandbox is not None and self.account_id == self.sandbox.account_id

    def may(self, permission: str) -> bool:
        """Whether the user's role grants this permission, given by its name or value."""
        return is_granted(self.role, Ability(permission))


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser: the user agent and address that it sends, for the list of sign-ins, and the `secret` of the cookie
    by which it is recognized.
    """

    user_agent: str
    address: str
    secret: str = ""
