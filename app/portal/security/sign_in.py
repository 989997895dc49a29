"""Signing in, with a second step where two-factor is on, and signing out."""

from typing import Any

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import EmailField, PasswordField, StringField
from wtforms.validators import InputRequired

from app.domain.errors import Forbidden
from app.domain.security_events import SecurityEvent
from app.models import User
from app.portal import visitors
from app.portal.account_forms import WRONG_CODE, AccountForm, admit, admit_sign_in, show
from app.portal.forms import add_error, clean_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.security import mailed_links, second_step
from app.portal.visitors import NEXT, TYPED, choose_target
from app.services import security_log
from app.services.accounts import organizations, sign_ups, users
from app.services.security import totp
from app.web import attempt_limits
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = PageBlueprint("sign_in", __name__)

WRONG_SIGN_IN = "The e-mail address or the password is wrong."
CONFIRM_FIRST = "If you have just signed up, first open the link in our e-mail."


class SignInForm(AccountForm):
    """The first step: e-mail address and password."""

    email = EmailField("E-mail address", [InputRequired("Enter your e-mail address.")], [clean_line])
    password = PasswordField("Password", [InputRequired("Enter your password.")])


class CodeForm(AccountForm):
    """The second step: a code of the authenticator app, or a recovery code."""

    code = StringField("Code", [InputRequired("Enter the code.")], [clean_line])


@blueprint.get("/sign-in")
def new() -> ResponseReturnValue:
    """The form; visitors who are signed in are redirected to where they wanted to go."""
    if visitors.find_visitor() is not None:
        return redirect(choose_target(request.args.get(NEXT)), 303)
    return _page(SignInForm())


@blueprint.post("/sign-in")
def create() -> ResponseReturnValue:
    """Check e-mail and password, and sign in, or ask for the code where two-factor is on."""
    form = SignInForm()
    if form.validate() and admit_sign_in(form, form.email.data or ""):
        user = _authenticate(form.email.data or "", form.password.data or "")
        if user is not None:
            attempt_limits.give_back_try()
        refusal = _find_refusal(user)
        if user is not None and refusal is None:
            return second_step.sign_in_or_ask_code(user, request.args.get(NEXT))
        form.form_errors.append(refusal or f"{WRONG_SIGN_IN} {CONFIRM_FIRST}")
    return _page(form)


@blueprint.get("/sign-in/code")
def code() -> ResponseReturnValue:
    """The form for the code, for a browser that has just proved the password."""
    return _code_page(CodeForm()) if second_step.find_pending_user() else _begin_again()


@blueprint.post("/sign-in/code")
def prove() -> ResponseReturnValue:
    """Sign in with a code of the authenticator app, or a recovery code."""
    user_id, form = second_step.find_pending_user(), CodeForm()
    if user_id is None:
        return _begin_again()
    if form.validate() and admit(form, RateQuota.CODES, _name_counter(user_id)):
        here = container()
        with here.database.unit_of_work() as session:
            is_valid = totp.use_code(session, here.vault, user_id, form.code.data or "", here.clock())
        if is_valid:
            visitors.sign_in(user_id)
            return visitors.redirect_after_sign_in(user_id, request.args.get(NEXT))
        add_error(form.code, WRONG_CODE)
    return _code_page(form)


@blueprint.post("/sign-out")
def delete() -> ResponseReturnValue:
    """Sign this browser out."""
    visitors.sign_out()
    answer = redirect(url_for("sign_in.new"), 303)
    # This clears cached pictures, which browsers keep for up to an hour, but not the cookie of a known browser.
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def _name_counter(user_id: str) -> str:
    """The name by which tries of codes are counted: one for each known browser of the user, one for all others."""
    with container().database.read_session() as session:
        email = users.get(session, user_id).email
    return f"{user_id} {visitors.find_known_browser(email) or ''}"


def _page(form: SignInForm) -> ResponseReturnValue:
    settings = container().settings
    ended = (settings.sign_in_idle_seconds, settings.sign_in_seconds) if "ended" in request.args else None
    return show("portal/security/sign_in/new.html", form, ended=ended, typed=TYPED in request.args)


def _code_page(form: CodeForm) -> ResponseReturnValue:
    return show("portal/security/sign_in/code.html", form)


def _begin_again() -> ResponseReturnValue:
    values: dict[str, Any] = {NEXT: request.args[NEXT]} if NEXT in request.args else {}
    return redirect(url_for("sign_in.new", **values), 303)


def _find_refusal(user: User | None) -> str | None:
    """Why a user with the right password may not sign in; None if they may, or if there is no user."""
    if user is None:
        return None
    try:
        with container().database.read_session() as session:
            organizations.get_active(session, user.id)
    except Forbidden as refusal:
        security_log.record(SecurityEvent.SIGN_IN_REFUSED, user.id)
        return refusal.message
    return None


def _authenticate(email: str, password: str) -> User | None:
    """The user with this e-mail and password; None if there is none, or if the user's address is not confirmed.

    A user without a confirmed address gets the link mailed again. The page does not say so, because the visitor may
    be somebody else.
    """
    here = container()
    with here.database.read_session() as session:
        user = users.authenticate(session, email, password)
    if user is None or user.confirmed_at is not None:
        return user
    with here.database.unit_of_work() as session:
        unconfirmed = users.get(session, user.id, lock=True)
        sign_ups.send_again(session, unconfirmed, mailed_links.sign_up_pages(), here.clock())
        security_log.record_after_commit(session, SecurityEvent.SIGN_IN_REFUSED, unconfirmed.id)
    return None
