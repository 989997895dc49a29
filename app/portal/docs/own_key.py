"""The visitor's own test key in the examples of the documentation, for as long as this browser's session lasts.

Its secret is stored only in the session cookie, encrypted: the database has only its digest, as of every key. The
cookie alone gives no access, and each page checks again whether the visitor may still see the key.
"""

from typing import NamedTuple

from flask import flash, redirect, request, session, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.roles import Ability
from app.domain.sending import DecryptionError
from app.models import ApiKey
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import choose_target, find_visitor, for_signed_in, fresh_login_required, visitor
from app.services.security import api_keys, docs_keys
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("docs_key", __name__, url_prefix="/docs/test-key"))
PLACE = "own-key"
"""The id of the element of a page that is about the key."""
_KEPT = "docs_key"
"""Key in the session: the secret, encrypted."""


class OwnKey(NamedTuple):
    """The visitor's test key, and its secret."""

    key: ApiKey
    secret: str


@blueprint.post("")
@fresh_login_required
def make() -> ResponseReturnValue:
    """Make a test key for the examples, in place of the previous one, and go back to the page with it."""
    here, who = container(), visitor()
    try:
        with here.database.unit_of_work() as unit:
            secret = docs_keys.make(unit, who.account_id, who.user_id, here.clock())
    except Conflict as refused:
        flash(refused.message, "error")
    else:
        session[_KEPT] = here.vault.seal(secret)
    return _go_back()


@blueprint.post("/end")
def end() -> ResponseReturnValue:
    """Revoke the key, and remove it from the examples."""
    here, found = container(), find()
    session.pop(_KEPT, None)
    if found is not None:
        with here.database.unit_of_work() as unit:
            api_keys.revoke(unit, found.key.account_id, found.key.id, here.clock())
        flash("The test key is revoked and no longer works.")
    return _go_back()


def find() -> OwnKey | None:
    """The visitor's test key for the examples. It is forgotten if they may not see it any more: it was revoked or
    has expired, it is another person's or organization's, or their role no longer allows keys.
    """
    sealed = session.get(_KEPT)
    if sealed is None:
        return None
    found = _open(sealed)
    if found is None:
        session.pop(_KEPT)
    return found


def _open(sealed: str) -> OwnKey | None:
    here, who = container(), find_visitor()
    if who is None or who.sandbox is None or not who.may(Ability.DEVELOP):
        return None
    try:
        secret = here.vault.open(sealed)
    except DecryptionError:
        return None
    with here.database.read_session() as unit:
        key = docs_keys.find(unit, secret, who.sandbox.account_id, who.user_id, here.clock())
    return OwnKey(key, secret) if key is not None else None


def _go_back() -> ResponseReturnValue:
    target, docs = choose_target(request.form.get("page")), url_for("docs.show")
    return redirect(f"{target if target.startswith(docs) else docs}#{PLACE}", 303)
