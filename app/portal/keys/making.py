"""A new key, and one that takes over from another: the form, and the secret, this once."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.domain.actors import Scope
from app.domain.errors import Conflict
from app.domain.keys import LIFETIMES, MAX_NAME, OVERLAPS
from app.models import ApiKey
from app.portal.forms import read_form_token
from app.portal.keys.doors import blueprint, show
from app.portal.keys.forms import NEVER, OWN_DATE, KeyForm, RotationForm
from app.portal.keys.overview import own
from app.portal.snippets import write_programs
from app.portal.visitors import after_proof, visitor
from app.services import keys
from app.web.context import container

MADE_ALREADY = (
    "This key was made already, by the same form. Its secret was shown once; if you did not keep it, revoke the "
    "key and make another."
)


@blueprint.get("/new")
@after_proof
def new() -> ResponseReturnValue:
    """The form, with every scope chosen."""
    return _new_page(KeyForm(None, data={"scopes": list(Scope), "lifetime": NEVER}))


@blueprint.post("")
@after_proof
def create() -> ResponseReturnValue:
    """Make the key and show its secret, this once: the form sent again shows the key, without it."""
    form, here, token = KeyForm(), container(), read_form_token()
    if not form.validate():
        return _new_page(form, 422)
    try:
        with here.database.unit_of_work() as session:
            made = keys.create_once(session, visitor().account_id, token, here.clock(), **form.wanted())
    except Conflict as refused:
        form.form_errors.append(refused.message)
        return _new_page(form, 409)
    return _given(*made)


@blueprint.get("/<key_id>/rotate")
@after_proof
def rotation(key_id: str) -> ResponseReturnValue:
    """Ask how long the old key shall hold."""
    return _rotation_page(key_id, RotationForm(None, data={"overlap": "86400"}))


@blueprint.post("/<key_id>/rotate")
@after_proof
def rotate(key_id: str) -> ResponseReturnValue:
    """Make the key that takes over, and show its secret, this once."""
    form, here, token = RotationForm(), container(), read_form_token()
    if not form.validate():
        return _rotation_page(key_id, form, 422)
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            made = keys.rotate(session, account_id, key_id, form.chosen(), token, now)
    except Conflict as refused:
        form.form_errors.append(refused.message)
        return _rotation_page(key_id, form, 409)
    return _given(*made, old=own(key_id))


def _given(key: ApiKey, secret: str | None, old: ApiKey | None = None) -> ResponseReturnValue:
    if secret is None:
        flash(MADE_ALREADY)
        return redirect(url_for("keys.show", key_id=key.id), 303)
    base_url = container().settings.base_url
    tried = Scope.CREDITS_READ in key.scopes
    return show(
        "made",
        key=key,
        secret=secret,
        old=old,
        programs=write_programs(base_url, secret),
        base_url=base_url,
        tried=tried,
    )


def _new_page(form: KeyForm, http_status: int = 200) -> ResponseReturnValue:
    never, own_date = NEVER, OWN_DATE
    values = {"scopes": list(Scope), "lifetimes": LIFETIMES, "never": never, "own_date": own_date}
    return show("new", http_status, form=form, max_name=MAX_NAME, **values)


def _rotation_page(key_id: str, form: RotationForm, http_status: int = 200) -> ResponseReturnValue:
    return show("rotate", http_status, key=own(key_id), form=form, overlaps=OVERLAPS)
