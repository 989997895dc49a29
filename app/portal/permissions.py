"""Which permission each page of an account needs, and the guard that asks for it before a view runs."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import request

from app.domain.actors import Visitor
from app.domain.errors import NotPermitted
from app.domain.roles import WORDS, Ability, name_roles
from app.services.accounts import organizations
from app.web.context import container
from app.web.wsgi import Application

_SAFE = ("GET", "HEAD", "OPTIONS")


class Needed(NamedTuple):
    """The permissions to see pages, and to send forms."""

    to_see: Ability
    to_send: Ability


def _only(permission: Ability) -> Needed:
    return Needed(permission, permission)


_VIEW_TO_ORDER = Needed(Ability.VIEW, Ability.ORDER)
_BLUEPRINTS: Mapping[str, Needed] = {
    **dict.fromkeys(("account", "notifications", "security", "typed"), _only(Ability.SELF)),
    **dict.fromkeys(("credits", "evidence", "orders", "pictures", "properties", "results"), _only(Ability.VIEW)),
    **dict.fromkeys(("jobs", "mls_packs", "revisions", "variants"), _VIEW_TO_ORDER),
    **dict.fromkeys(("board", "drafts", "presets", "public_page", "result_hints", "shares"), _only(Ability.ORDER)),
    **dict.fromkeys(("billing_details", "demo_checkout", "purchases", "receipts"), _only(Ability.BUY)),
    **dict.fromkeys(
        ("callbacks", "deliveries", "docs_key", "keys", "test_mode", "webhooks"), _only(Ability.DEVELOP)
    ),
    "kept_photos": Needed(Ability.ORDER, Ability.MANAGE),
    **dict.fromkeys(("activity", "branding", "engine", "file_names", "picture_use"), _only(Ability.MANAGE)),
    "team": Needed(Ability.VIEW, Ability.MANAGE),
}
"""The permissions by the name of the blueprint. Forms of the blueprints with VIEW only download."""
_ENDPOINTS: Mapping[str, Needed] = {
    # The same address shows the orders of a placed draft. For a draft that is not placed, the view itself requires
    # ORDER.
    "board.show": _only(Ability.VIEW),
    "mls_packs.download": _only(Ability.VIEW),
    **dict.fromkeys(("properties.confirm_stop", "properties.keep", "properties.stop"), _only(Ability.ORDER)),
    **dict.fromkeys(("properties.cancel", "properties.confirm_cancel"), _only(Ability.ORDER)),
    "team.change_role": _only(Ability.MANAGE),
    "team.confirm_remove": _only(Ability.MANAGE),
    "team.confirm_leave": _only(Ability.SELF),
    "team.leave": _only(Ability.SELF),
    "team.switch": _only(Ability.SELF),
}
"""The permissions of views that need another one than their blueprint."""


def install(app: Application) -> None:
    """Let templates name the roles that may do something."""
    app.jinja_env.globals["roles_that_may"] = lambda permission: name_roles(Ability(permission))


def find_needed(endpoint: str, method: str) -> Ability:
    """The permission that a request needs. Raises KeyError for a page that is not in the tables, so that nobody
    sees a page for which no permission was chosen.
    """
    needed = _ENDPOINTS.get(endpoint) or _BLUEPRINTS[endpoint.partition(".")[0]]
    return needed.to_see if method in _SAFE else needed.to_send


def require(who: Visitor) -> None:
    """Raise NotPermitted, which names who can help, where the visitor's role does not allow the present request."""
    demand(who, find_needed(request.endpoint or "", request.method))


def demand(who: Visitor, permission: Ability) -> None:
    """Raise NotPermitted, like require(), where the visitor's role does not grant the permission."""
    if who.may(permission):
        return
    with container().database.read_session() as session:
        owner = organizations.get_owner(session, who.account_id).user
    role = WORDS[who.role].label
    raise NotPermitted(
        f"Your role is {role}; this needs the role {name_roles(permission)}. Nothing was changed. "
        f"Ask {owner.name or owner.email} to do it or to change your role."
    )
