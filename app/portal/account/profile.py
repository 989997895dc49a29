"""The account's own pages: name, e-mail address, password, a copy of all data about its owner, and deletion."""

import json

from flask import Response, flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest
from app.domain.roles import WORDS
from app.portal import visitors
from app.portal.account_forms import (
    AccountForm,
    ProofForm,
    admit,
    check_proof,
    email_field,
    name_field,
    new_password_field,
)
from app.portal.account_forms import show as show_form
from app.portal.forms import add_error
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.security import mailed_links
from app.portal.visitors import for_signed_in, fresh_login_required, visitor
from app.services.accounts import organizations, users
from app.services.exports import personal_data
from app.services.retention import account_deletion
from app.services.security import email_changes, password_changes
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = for_signed_in(PageBlueprint("account", __name__, url_prefix="/account"))


class NameForm(AccountForm):
    """The user's name."""

    name = name_field()


class EmailForm(ProofForm):
    """The user's new e-mail address."""

    email = email_field("New e-mail address")


class PasswordForm(ProofForm):
    """The user's new password."""

    new_password = new_password_field(lambda _: visitor().email, "New password")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The data of the account, each with a link to change it."""
    with container().database.read_session() as unit:
        user = users.get(unit, visitor().user_id)
        organization = organizations.get(unit, visitor().account_id)
    values = {"user": user, "organization": organization, "billing": organization.billing, "role_words": WORDS}
    return render_template("portal/account/show.html", **values)


@blueprint.route("/name", methods=FORM_METHODS)
def name() -> ResponseReturnValue:
    """Change the user's name."""
    form = NameForm(data={"name": visitor().name})
    if not form.validate_on_submit():
        return show_form("portal/account/name.html", form)
    with container().database.unit_of_work() as unit:
        users.rename(unit, visitor().user_id, form.name.data or "")
    flash("Your name is changed.")
    return _home()


@blueprint.route("/email", methods=FORM_METHODS)
def email() -> ResponseReturnValue:
    """Mail a link to the new address; the address changes once the link is opened and confirmed."""
    form, here = EmailForm(), container()
    user_id = visitor().user_id
    if form.validate_on_submit() and check_proof(form) and admit(form, RateQuota.NEW_ADDRESSES, user_id):
        page = mailed_links.make_url_builder("new_address.confirm")
        try:
            with here.database.unit_of_work() as unit:
                email_changes.request(unit, user_id, form.email.data or "", page, here.clock())
        except InvalidRequest as refusal:
            add_error(form.email, (refusal.details or {})["email"])
        else:
            flash(f"We sent a link to {form.email.data}. Your address changes when you open it.")
            return _home()
    return show_form("portal/account/email.html", form)


@blueprint.route("/password", methods=FORM_METHODS)
def password() -> ResponseReturnValue:
    """Change the password: every other browser is signed out, and this one has a new sign-in."""
    form, here, user_id = PasswordForm(), container(), visitor().user_id
    if not (form.validate_on_submit() and check_proof(form)):
        return show_form("portal/account/password.html", form)
    with here.database.unit_of_work() as unit:
        password_changes.change(unit, user_id, form.new_password.data or "", here.clock())
    visitors.sign_in(user_id)
    flash("Your password is changed. Every other browser was signed out.")
    return _home()


@blueprint.post("/data")
@fresh_login_required
def data() -> ResponseReturnValue:
    """All data about the visitor and their account, as a JSON file."""
    here, who = container(), visitor()
    now = here.clock()
    with here.database.read_session() as unit:
        document = personal_data.collect(unit, who.user_id, who.account_id, now)
    response = Response(json.dumps(document, ensure_ascii=False, indent=2), mimetype="application/json")
    response.headers.set("Content-Disposition", "attachment", filename=f"brightlist-{now:%Y-%m-%d}.json")
    return response


@blueprint.route("/delete", methods=FORM_METHODS)
def delete() -> ResponseReturnValue:
    """Show what would be deleted with the account; delete it once its owner confirms."""
    form, here = ProofForm(), container()
    if form.validate_on_submit() and check_proof(form):
        try:
            with here.database.unit_of_work() as unit:
                account_deletion.delete_account(unit, visitor().user_id, here.clock())
        except Conflict as refusal:
            form.form_errors.append(refusal.message)
        else:
            session.clear()
            flash("Your account is deleted. Thank you for using Brightlist.")
            return redirect(url_for("sign_in.new"), 303)
    with container().database.read_session() as unit:
        impact = account_deletion.measure_impact(unit, visitor().user_id)
    return show_form("portal/account/delete.html", form, impact=impact)


def _home() -> ResponseReturnValue:
    return redirect(url_for("account.show"), 303)
