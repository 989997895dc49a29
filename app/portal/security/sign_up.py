"""Signing up: a form, a mail with a link, and a button that confirms the address."""

from flask import flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField

from app.domain.amounts import credits_
from app.domain.kept_forms import MAX_PATH
from app.portal import visitors
from app.portal.account_forms import (
    WRONG_PROOF,
    AccountForm,
    admit,
    email_field,
    name_field,
    new_password_field,
    show,
)
from app.portal.forms import add_error
from app.portal.page_blueprint import PageBlueprint
from app.portal.security import mailed_links, second_step
from app.services.accounts import sign_ups
from app.services.accounts.sign_ups import Applicant
from app.services.billing import welcome
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = PageBlueprint("sign_up", __name__, url_prefix="/sign-up")
mailed_links.explain_dead_links(blueprint, "sign_up.new", "Sign up again")

_BROWSER_MARK, _MAILED_TO, _LEADS_TO = "sign_up", "mailed_to", "sign_up_leads_to"
WELCOME = "Welcome to Brightlist. Your e-mail address is confirmed and your account is ready."


class SignUpForm(AccountForm):
    """Name, e-mail address and password for a new account."""

    name = name_field()
    email = email_field()
    password = new_password_field(lambda form: form.email.data or "")


class ConfirmForm(AccountForm):
    """The password. The form asks for it only if the link is opened in another browser than the one that signed
    up.
    """

    password = PasswordField("Password")


@blueprint.get("")
def new() -> ResponseReturnValue:
    """The form; visitors who are signed in have an account, and are redirected."""
    if visitors.find_visitor() is not None:
        return redirect(visitors.choose_target(request.args.get(visitors.NEXT)), 303)
    return _page(SignUpForm())


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Mail a link to the address; the answer is the same whether or not it has an account."""
    form = SignUpForm()
    if not (form.validate() and admit(form, RateQuota.SIGN_UPS, form.email.data or "")):
        return _page(form)
    here = container()
    applicant = Applicant(form.name.data or "", form.email.data or "", form.password.data or "")
    with here.database.unit_of_work() as unit:
        session[_BROWSER_MARK] = sign_ups.sign_up(unit, applicant, mailed_links.sign_up_pages(), here.clock())
    session[_MAILED_TO] = applicant.email
    target = request.args.get(visitors.NEXT, "")
    session[_LEADS_TO] = target if len(target) <= MAX_PATH else ""
    return redirect(url_for("sign_up.sent"), 303)


@blueprint.get("/sent")
def sent() -> ResponseReturnValue:
    """Ask the visitor to look into their mail."""
    to = session.get(_MAILED_TO)
    return render_template(
        "portal/security/sign_up/sent.html", to=to, mail_in_files=mailed_links.is_mail_in_files()
    )


@blueprint.get("/confirm/<secret>")
def confirm(secret: str) -> ResponseReturnValue:
    """Show a button that confirms: programs that scan mail open links, but press no buttons."""
    return _confirm_page(secret, ConfirmForm())


@blueprint.post("/confirm/<secret>")
def confirmed(secret: str) -> ResponseReturnValue:
    """Confirm the address and sign in."""
    form, here = ConfirmForm(), container()
    if admit(form, RateQuota.SIGN_INS, secret):
        with here.database.unit_of_work() as unit:
            password = form.password.data or ""
            user = sign_ups.confirm(unit, secret, session.get(_BROWSER_MARK, ""), password, here.clock())
            welcome_credits = here.settings.welcome_credits
            got_credits = user is not None and welcome.give(unit, user, welcome_credits, here.clock())
        if user is not None:
            # The link in the mail does not contain the page from which this browser came.
            target = request.args.get(visitors.NEXT) or session.get(_LEADS_TO)
            answer = second_step.sign_in_or_ask_code(user, target)
            flash(f"{WELCOME} You have {credits_(welcome_credits)} to try it." if got_credits else WELCOME)
            return answer
        add_error(form.password, WRONG_PROOF if password else "Enter your password.")
    return _confirm_page(secret, form)


def _page(form: SignUpForm) -> ResponseReturnValue:
    return show("portal/security/sign_up/new.html", form, welcome_credits=container().settings.welcome_credits)


def _confirm_page(secret: str, form: ConfirmForm) -> ResponseReturnValue:
    here = container()
    with here.database.read_session() as unit:
        needs_password = sign_ups.needs_password(unit, secret, session.get(_BROWSER_MARK, ""), here.clock())
    return show("portal/security/sign_up/confirm.html", form, needs_password=needs_password)
