"""API keys: the list, one key, creating or replacing a key with its secret shown once, and revoking one."""

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.actors import Scope
from app.domain.errors import Conflict
from app.domain.keys import LIFETIMES, MAX_NAME, OVERLAPS, is_active
from app.domain.upload_origins import MAX_ORIGINS
from app.models import ApiKey
from app.portal.forms import read_form_token
from app.portal.keys import words
from app.portal.keys.forms import NEVER, OWN_DATE, BudgetForm, KeyForm, KeyNameForm, OriginsForm, RotationForm
from app.portal.page_blueprint import PageBlueprint
from app.portal.snippets import fill_in_key, write_programs
from app.portal.visitors import for_signed_in, fresh_login_required, visitor
from app.services.accounts import users
from app.services.billing import budgets
from app.services.security import api_keys
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("keys", __name__, url_prefix="/keys"))

ALREADY_CREATED = (
    "This form already created this key. Its secret was shown once. If you did not save it, revoke the "
    "key and create another."
)


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's keys: on the first page all working keys, then the others page by page, newest first."""
    here, before = container(), request.args.get("before")
    with here.database.read_session() as session:
        found = api_keys.paginate_working_first(session, visitor().account_id, here.clock(), before)
        makers = users.list_names(session, [key.made_by for key in found.rows])
        spent = budgets.list_spent(session, found.rows, here.clock())
    return _render("index", keys=found, makers=makers, spent=spent, first="before" not in request.args)


@blueprint.get("/<key_id>")
def show(key_id: str) -> ResponseReturnValue:
    """One key, with the forms to change it."""
    return _page(_find(key_id))


@blueprint.post("/<key_id>/name")
def rename(key_id: str) -> ResponseReturnValue:
    """Rename the key."""
    key, form = _find(key_id), KeyNameForm()
    if not form.validate():
        return _page(key, naming=form)
    with container().database.unit_of_work() as session:
        api_keys.rename(session, visitor().account_id, key_id, form.name.data or "")
    flash("The name is changed.")
    return redirect(url_for("keys.show", key_id=key_id), 303)


@blueprint.post("/<key_id>/origins")
def change_origins(key_id: str) -> ResponseReturnValue:
    """Change from which pages uploads with the key's URLs may come."""
    key, form, here = _find(key_id), OriginsForm(), container()
    if not form.validate():
        return _page(key, origins=form)
    with here.database.unit_of_work() as session:
        api_keys.set_upload_origins(session, visitor().account_id, key_id, form.read_origins(), here.clock())
    flash("The web pages that may upload are changed.")
    return redirect(url_for("keys.show", key_id=key_id), 303)


@blueprint.post("/<key_id>/budget")
@fresh_login_required
def change_budget(key_id: str) -> ResponseReturnValue:
    """Change how many credits the key may spend in a month."""
    key, form, here = _find(key_id), BudgetForm(), container()
    if not form.validate():
        return _page(key, budgeting=form)
    with here.database.unit_of_work() as session:
        api_keys.set_budget(session, visitor().account_id, key_id, form.read_budget(), here.clock())
    flash("The budget is changed.")
    return redirect(url_for("keys.show", key_id=key_id), 303)


@blueprint.get("/new")
@fresh_login_required
def new() -> ResponseReturnValue:
    """The form, with every scope chosen."""
    return _new_page(KeyForm(None, data={"scopes": list(Scope), "lifetime": NEVER}))


@blueprint.post("")
@fresh_login_required
def create() -> ResponseReturnValue:
    """Create the key and show its secret once; the same form sent again shows the key without the secret."""
    form, here, token = KeyForm(), container(), read_form_token()
    if not form.validate():
        return _new_page(form, 422)
    try:
        with here.database.unit_of_work() as session:
            whose, now = visitor().account_id, here.clock()
            key, secret = api_keys.create_once(session, whose, token, now, **form.read())
            if secret is not None:
                api_keys.set_upload_origins(session, whose, key.id, form.read_origins(), now)
                api_keys.set_budget(session, whose, key.id, form.read_budget(), now)
    except Conflict as refused:
        form.form_errors.append(refused.message)
        return _new_page(form, 409)
    return _show_secret(key, secret)


@blueprint.get("/<key_id>/rotate")
@fresh_login_required
def rotation(key_id: str) -> ResponseReturnValue:
    """Ask how long the old key works after the new one is created."""
    return _rotation_page(key_id, RotationForm(None, data={"overlap": "86400"}))


@blueprint.post("/<key_id>/rotate")
@fresh_login_required
def rotate(key_id: str) -> ResponseReturnValue:
    """Create the key that replaces this one, and show its secret once."""
    form, here, token = RotationForm(), container(), read_form_token()
    if not form.validate():
        return _rotation_page(key_id, form, 422)
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            created = api_keys.rotate(session, account_id, key_id, form.read(), token, now)
    except Conflict as refused:
        form.form_errors.append(refused.message)
        return _rotation_page(key_id, form, 409)
    return _show_secret(*created, old=_find(key_id))


@blueprint.get("/<key_id>/revoke")
def confirm_revoke(key_id: str) -> ResponseReturnValue:
    """Ask before the key is revoked, with its name and when it was last used."""
    return _render("revoke", key=_find(key_id))


@blueprint.post("/<key_id>/revoke")
def revoke(key_id: str) -> ResponseReturnValue:
    """Revoke the key."""
    here = container()
    with here.database.unit_of_work() as session:
        key = api_keys.revoke(session, visitor().account_id, key_id, here.clock())
    flash(f"The key “{key.name}” is revoked and no longer works.")
    return redirect(url_for("keys.index"), 303)


def _find(key_id: str) -> ApiKey:
    """The key of the visitor's account. Raises NotFound."""
    with container().database.read_session() as session:
        return api_keys.get(session, visitor().account_id, key_id)


def _page(
    key: ApiKey,
    naming: KeyNameForm | None = None,
    origins: OriginsForm | None = None,
    budgeting: BudgetForm | None = None,
) -> ResponseReturnValue:
    """The key's page; 422 with a form that has errors."""
    sent = naming or origins or budgeting
    successor = _find(key.replaced_by_id) if key.replaced_by_id else None
    with container().database.read_session() as session:
        makers = users.list_names(session, [key.made_by])
        spent = budgets.list_spent(session, [key], container().clock())[key.id]
    budget = words.write_budget(key.budget)
    return _render(
        "show",
        422 if sent else 200,
        key=key,
        successor=successor,
        makers=makers,
        spent=spent,
        budgeting=budgeting or BudgetForm(None, data={"budget": budget}),
        sent=sent,
        naming=naming or KeyNameForm(None, data={"name": key.name}),
        origins=origins or OriginsForm(None, data={"origins": "\n".join(key.upload_origins)}),
        max_name=MAX_NAME,
        max_origins=MAX_ORIGINS,
    )


def _show_secret(key: ApiKey, secret: str | None, old: ApiKey | None = None) -> ResponseReturnValue:
    if secret is None:
        flash(ALREADY_CREATED)
        return redirect(url_for("keys.show", key_id=key.id), 303)
    base_url = container().settings.base_url
    answer = _render(
        "made",
        key=key,
        secret=secret,
        old=old,
        programs=write_programs(base_url, with_key=True),
        base_url=base_url,
        can_read_balance=Scope.CREDITS_READ in key.scopes,
    )
    answer.set_data(fill_in_key(answer.get_data(as_text=True), secret))
    return answer


def _new_page(form: KeyForm, http_status: int = 200) -> ResponseReturnValue:
    never, own_date = NEVER, OWN_DATE
    values = {"scopes": list(Scope), "lifetimes": LIFETIMES, "never": never, "own_date": own_date}
    return _render("new", http_status, form=form, max_name=MAX_NAME, max_origins=MAX_ORIGINS, **values)


def _rotation_page(key_id: str, form: RotationForm, http_status: int = 200) -> ResponseReturnValue:
    return _render("rotate", http_status, key=_find(key_id), form=form, overlaps=OVERLAPS)


def _render(template: str, http_status: int = 200, **values: object) -> Response:
    """Render a template of these pages, with the values that all of them use."""
    shared = {"now": container().clock(), "words": words, "is_active": is_active}
    return make_response(render_template(f"portal/keys/{template}.html", **shared, **values), http_status)
