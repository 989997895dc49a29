"""The list of keys, and one key with what can be done with it."""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.keys import MAX_NAME
from app.models import ApiKey
from app.portal.keys.doors import blueprint
from app.portal.keys.doors import show as page
from app.portal.keys.forms import NameForm
from app.portal.visitors import visitor
from app.services import key_list, keys
from app.web.context import container


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's keys, newest first."""
    with container().database.reading() as session:
        found = key_list.page(session, visitor().account_id, request.args.get("before"))
    return page("index", keys=found, first="before" not in request.args)


@blueprint.get("/<key_id>")
def show(key_id: str) -> ResponseReturnValue:
    """One key."""
    key = own(key_id)
    return _page(key, NameForm(None, data={"name": key.name}))


@blueprint.post("/<key_id>/name")
def rename(key_id: str) -> ResponseReturnValue:
    """Call the key so."""
    key, form = own(key_id), NameForm()
    if not form.validate():
        return _page(key, form, 422)
    with container().database.unit_of_work() as session:
        keys.rename(session, visitor().account_id, key_id, form.name.data or "")
    flash("The name is changed.")
    return redirect(url_for("keys.show", key_id=key_id), 303)


def own(key_id: str) -> ApiKey:
    """The visitor's key."""
    with container().database.reading() as session:
        return keys.own(session, visitor().account_id, key_id)


def _page(key: ApiKey, form: NameForm, http_status: int = 200) -> ResponseReturnValue:
    return page("show", http_status, key=key, form=form, max_name=MAX_NAME)
