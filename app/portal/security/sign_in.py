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
from app.portal.account_forms import WRONG_CODE, AccountForm, admitted, admitted_to_sign_in, show
from app.portal.forms import blame, clean_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.security import mailed_links, second_step
from app.portal.visitors import NEXT, TYPED, way_back
from app.services import security_log
from app.services.accounts import organizations, sign_ups, users
from app.services.security import totp
from app.web import attempt_limits
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = PageBlueprint("sign_in", __name__)

WRONG = "The e-mail address or the password is wrong."
FIRST_CONFIRM = "If you have just signed up, first open the link in our e-mail."


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
    if visitors.somebody() is not None:
        return redirect(way_back(request.args.get(NEXT)), 303)
    return _page(SignInForm())


@blueprint.post("/sign-in")
def create() -> ResponseReturnValue:
    """Check e-mail and password, and sign in, or ask for the code where two-factor is on."""
    form = SignInForm()
    if form.validate() and admitted_to_sign_in(form, form.email.data or ""):
        user = _authenticate(form.email.data or "", form.password.data or "")
        if user is not None:
            attempt_limits.give_back_try()
        refusal = _refusal(user)
        if user is not None and refusal is None:
            return second_step.enter(user, request.args.get(NEXT))
        form.form_errors.append(refusal or f"{WRONG} {FIRST_CONFIRM}")
    return _page(form)


@blueprint.get("/sign-in/code")
def code() -> ResponseReturnValue:
    """The form for the code, for a browser that has just proved the password."""
    return _code_page(CodeForm()) if second_step.pending() else _begin_again()


@blueprint.post("/sign-in/code")
def prove() -> ResponseReturnValue:
    """Sign in with a code of the authenticator app, or a recovery code."""
    user_id, form = second_step.pending(), CodeForm()
    if user_id is None:
        return _begin_again()
    if form.validate() and admitted(form, RateQuota.CODES, _counted_as(user_id)):
        here = container()
        with here.database.unit_of_work() as session:
            good = totp.prove(session, here.vault, user_id, form.code.data or "", here.clock())
        if good:
            visitors.sign_in(user_id)
            return visitors.lead_back(user_id, request.args.get(NEXT))
        blame(form.code, WRONG_CODE)
    return _code_page(form)


@blueprint.post("/sign-out")
def delete() -> ResponseReturnValue:
    """Sign this browser out."""
    visitors.sign_out()
    answer = redirect(url_for("sign_in.new"), 303)
    # Clears cached pictures, which browsers keep for up to an hour; not the cookie that marks a known browser.
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def _counted_as(user_id: str) -> str:
    """For whom tries of codes are counted: for each known browser of the user alone, for all others together."""
    with container().database.read_session() as session:
        email = users.get(session, user_id).email
    return f"{user_id} {visitors.known_to(email) or ''}"


def _page(form: SignInForm) -> ResponseReturnValue:
    settings = container().settings
    ended = (settings.sign_in_idle_seconds, settings.sign_in_seconds) if "ended" in request.args else None
    return show("portal/security/sign_in/new.html", form, ended=ended, typed=TYPED in request.args)


def _code_page(form: CodeForm) -> ResponseReturnValue:
    return show("portal/security/sign_in/code.html", form)


def _begin_again() -> ResponseReturnValue:
    values: dict[str, Any] = {NEXT: request.args[NEXT]} if NEXT in request.args else {}
    return redirect(url_for("sign_in.new", **values), 303)


def _refusal(user: User | None) -> str | None:
    """Why the user, whose password was right, may not sign in; None where they may, or for None."""
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
    """The user with this e-mail and password; None for all others, and for a user whose address is not confirmed.

    The latter get the link mailed again; the page does not say so, because the visitor may be a stranger.
    """
    here = container()
    with here.database.read_session() as session:
        user = users.authenticate(session, email, password)
    if user is None or user.confirmed_at is not None:
        return user
    with here.database.unit_of_work() as session:
        mine = users.get(session, user.id, lock=True)
        sign_ups.send_again(session, mine, mailed_links.sign_up_pages(), here.clock())
        security_log.record_after_commit(session, SecurityEvent.SIGN_IN_REFUSED, mine.id)
    return None
