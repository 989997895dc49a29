"""The forms of people and their accounts: what fields take, how often they may be sent, how they come back."""

from collections.abc import Callable
from math import ceil
from typing import Any

from flask import Response, make_response, render_template
from flask_wtf import FlaskForm
from wtforms import EmailField, Field, PasswordField, StringField
from wtforms.validators import InputRequired, StopValidation

from app.domain import passwords, people
from app.domain.errors import InvalidRequest, RateLimited
from app.domain.mail_text import one_line
from app.portal import visitors
from app.portal.forms import blame, clean_line
from app.portal.visitors import visitor
from app.services.accounts import users
from app.services.security import totp
from app.web import attempt_limits
from app.web.context import container
from app.web.rate_limits import RateQuota

NOT_THEIRS = "The password is wrong."
WRONG_CODE = "The code is wrong, or was already used."


class AccountForm(FlaskForm):
    """A form that may have to wait: `wait_seconds` until the next try is admitted."""

    wait_seconds = 0

    def wait(self, refusal: RateLimited) -> None:
        """Say that there were too many tries, and when the next may follow."""
        seconds = self.wait_seconds = refusal.retry_after_seconds or 1
        minutes = ceil(seconds / 60)
        told = f"{minutes} minutes" if seconds > 120 else f"{seconds} second{'' if seconds == 1 else 's'}"
        self.form_errors.append(f"Too many tries. Try again in {told}.")


class PasswordAndCodeForm(AccountForm):
    """That it is really them, and that they have the app."""

    password = PasswordField("Your password", [InputRequired("Enter your password.")])
    code = StringField("Code", [InputRequired("Enter the code.")], [clean_line])


class ProofForm(PasswordAndCodeForm):
    """That it is really them: the password, and a code where two-factor is on. proved() judges it."""

    def __init__(self) -> None:
        super().__init__()
        if not visitor().two_factor:
            del self.code


def show(template: str, form: AccountForm, /, **values: object) -> Response:
    """The page with the form: 422 where something is wrong with it, 429 after too many tries."""
    http_status = 429 if form.wait_seconds else 422 if form.errors else 200
    response = make_response(render_template(template, form=form, **values), http_status)
    if form.wait_seconds:
        response.headers["Retry-After"] = str(form.wait_seconds)
    return response


def admitted(form: AccountForm, quota: RateQuota, whom: str) -> bool:
    """Whether this try is admitted; the form says so when not."""
    return _admits(form, lambda: attempt_limits.count(quota, whom))


def admitted_to_sign_in(form: AccountForm, email: str) -> bool:
    """Whether this browser may try to sign in to the account with this e-mail; the form says so when not."""
    return _admits(form, lambda: attempt_limits.count_sign_in(email, visitors.known_to(email)))


def _admits(form: AccountForm, count: Callable[[], None]) -> bool:
    try:
        count()
    except RateLimited as refusal:
        form.wait(refusal)
        return False
    return True


def proved(form: AccountForm) -> bool:
    """Whether the form holds the visitor's own password, and a code where two-factor is on; it says so when not.

    The code is used up. Asked only once the password was right, its tries are counted for this sign-in.
    """
    who, here = visitor(), container()
    if not admitted(form, RateQuota.PROOFS, who.user_id):
        return False
    with here.database.read_session() as session:
        right = users.has_password(session, who.user_id, form["password"].data or "")
    if not right:
        blame(form["password"], NOT_THEIRS)
    if not (right and who.two_factor):
        return right
    if not admitted(form, RateQuota.CODES, who.sign_in_id):
        return False
    with here.database.unit_of_work() as session:
        good = totp.prove(session, here.vault, who.user_id, form["code"].data or "", here.clock())
    if not good:
        blame(form["code"], WRONG_CODE)
    return good


def keeps(rule: Callable[[str], str]) -> Callable[[Any, Field], None]:
    """A validator that gives the field what the rule makes of it, or the rule's own words for what is wrong."""

    def check(_form: Any, field: Field) -> None:
        try:
            field.data = rule(field.data or "")
        except InvalidRequest as refusal:
            # What no page can hold is not shown again.
            field.data = one_line(field.data or "")
            raise StopValidation(" ".join(map(str, (refusal.details or {}).values()))) from None

    return check


def name_field() -> StringField:
    """What somebody is called."""
    return StringField("Name", [InputRequired("Enter your name."), keeps(people.name)])


def email_field(label: str = "E-mail address") -> EmailField:
    """An address that mail can reach."""
    return EmailField(label, [InputRequired("Enter your e-mail address."), keeps(people.email)])


def new_password_field(email_of: Callable[[Any], str], label: str = "Password") -> PasswordField:
    """A password to be: long enough, and not the first guess for the account with the e-mail of the form."""

    def check(form: Any, field: Field) -> None:
        keeps(lambda text: passwords.check_new(text, email_of(form)))(form, field)

    return PasswordField(label, [InputRequired("Enter a password."), check])
