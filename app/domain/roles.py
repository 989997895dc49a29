"""The roles of an organization's members, and what each role may do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a member is for the organization. Each member has one role."""

    OWNER = "owner"
    ORDERS = "orders"
    MONEY = "money"
    DEVELOPER = "developer"
    READ_ONLY = "read_only"


class Ability(StrEnum):
    """Something that members may do if their role grants it.

    SELF: the member's own name, password, sign-ins and mails. VIEW: to see orders, results and the balance, and to
    download. ORDER: drafts, orders and cancelling them, house styles, results sent back, share links and public
    originals. BUY: credits, receipts, billing details. DEVELOP: API keys and webhooks. MANAGE: members, what they
    did, settings.
    """

    SELF = "self"
    VIEW = "view"
    ORDER = "order"
    BUY = "buy"
    DEVELOP = "develop"
    MANAGE = "manage"


_EVERYBODY = frozenset({Ability.SELF, Ability.VIEW})
GRANTS: Mapping[Role, frozenset[Ability]] = {
    Role.OWNER: frozenset(Ability),
    Role.ORDERS: _EVERYBODY | {Ability.ORDER},
    Role.MONEY: _EVERYBODY | {Ability.BUY},
    Role.DEVELOPER: _EVERYBODY | {Ability.DEVELOP},
    Role.READ_ONLY: _EVERYBODY,
}
"""The abilities of each role. No other place defines them."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The name of a role, and a sentence that says what it may do."""

    label: str
    may: str


WORDS: Mapping[Role, RoleWords] = {
    Role.OWNER: RoleWords("Owner", "Everything: members, settings, orders, credits, API keys and webhooks."),
    Role.ORDERS: RoleWords("Orders", "Places orders, sends results back and shares them with clients."),
    Role.MONEY: RoleWords("Billing", "Buys credits, and sees receipts and billing details."),
    Role.DEVELOPER: RoleWords("Developer", "Makes API keys, which may place orders, and webhooks."),
    Role.READ_ONLY: RoleWords("Read only", "Only looks: orders, results and the balance, with downloads."),
}
"""Besides what each sentence says, every member sees orders and results, downloads them, and sees the balance."""


def is_granted(role: Role, permission: Ability) -> bool:
    """Whether a member with this role may do it."""
    return permission in GRANTS[role]


def name_roles(permission: Ability) -> str:
    """The names of the roles that may do it, for a sentence: `Owner or Billing`."""
    return join_or(words.label for role, words in WORDS.items() if is_granted(role, permission))


def join_or(names: Iterable[str]) -> str:
    """The names for a sentence: `A`, `A or B`, `A, B or C`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
