"""Shared parts of the forms for accounts and signing in: fields, limits on tries, proof by password and code."""

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
    """A form with limited tries: after too many of them, `wait_seconds` until the next is allowed (else 0)."""

    wait_seconds = 0

    def wait(self, refusal: RateLimited) -> None:
        """Add the error that there were too many tries and when to try again, and set `wait_seconds`."""
        seconds = self.wait_seconds = refusal.retry_after_seconds or 1
        minutes = ceil(seconds / 60)
        wait_text = f"{minutes} minutes" if seconds > 120 else f"{seconds} second{'' if seconds == 1 else 's'}"
        self.form_errors.append(f"Too many tries. Try again in {wait_text}.")


class PasswordAndCodeForm(AccountForm):
    """Proves that the visitor owns the account, by the password, and has the authenticator app, by a code."""

    password = PasswordField("Your password", [InputRequired("Enter your password.")])
    code = StringField("Code", [InputRequired("Enter the code.")], [clean_line])


class ProofForm(PasswordAndCodeForm):
    """Proves that the visitor owns the account: by password, and by code where two-factor is on. See proved()."""

    def __init__(self) -> None:
        super().__init__()
        if not visitor().two_factor:
            del self.code


def show(template: str, form: AccountForm, /, **values: object) -> Response:
    """Render the page with the form: 422 where the form has errors, 429 after too many tries, else 200."""
    http_status = 429 if form.wait_seconds else 422 if form.errors else 200
    response = make_response(render_template(template, form=form, **values), http_status)
    if form.wait_seconds:
        response.headers["Retry-After"] = str(form.wait_seconds)
    return response


def admitted(form: AccountForm, quota: RateQuota, whom: str) -> bool:
    """Count a try for `whom`, an e-mail address or an id; whether it is allowed. If not, the form has the error."""
    return _admits(form, lambda: attempt_limits.count(quota, whom))


def admitted_to_sign_in(form: AccountForm, email: str) -> bool:
    """Count a try to sign in with this e-mail; whether it is allowed. If not, the form has the error."""
    return _admits(form, lambda: attempt_limits.count_sign_in(email, visitors.known_to(email)))


def _admits(form: AccountForm, count: Callable[[], None]) -> bool:
    try:
        count()
    except RateLimited as refusal:
        form.wait(refusal)
        return False
    return True


def proved(form: AccountForm) -> bool:
    """Whether the form has the visitor's password, and a valid code where two-factor is on; else it gets an error.

    A valid code is used up. Only after the right password is a code checked and its try counted for this sign-in.
    """
    who, here = visitor(), container()
    if not admitted(form, RateQuota.PROOFS, who.user_id):
        return False
    with here.database.read_session() as session:
        password_matches = users.has_password(session, who.user_id, form["password"].data or "")
    if not password_matches:
        blame(form["password"], NOT_THEIRS)
    if not (password_matches and who.two_factor):
        return password_matches
    if not admitted(form, RateQuota.CODES, who.sign_in_id):
        return False
    with here.database.unit_of_work() as session:
        code_matches = totp.prove(session, here.vault, who.user_id, form["code"].data or "", here.clock())
    if not code_matches:
        blame(form["code"], WRONG_CODE)
    return code_matches


def keeps(rule: Callable[[str], str]) -> Callable[[Any, Field], None]:
    """Make a validator from a domain rule: the field gets the rule's result, or the rule's message as its error."""

    def check(_form: Any, field: Field) -> None:
        try:
            field.data = rule(field.data or "")
        except InvalidRequest as refusal:
            # Control characters, which a page cannot hold, are replaced before the text is shown again.
            field.data = one_line(field.data or "")
            raise StopValidation(" ".join(map(str, (refusal.details or {}).values()))) from None

    return check


def name_field() -> StringField:
    """A required field for a person's name."""
    return StringField("Name", [InputRequired("Enter your name."), keeps(people.name)])


def email_field(label: str = "E-mail address") -> EmailField:
    """A required field for an e-mail address; it gets the spelling in which accounts keep the address."""
    return EmailField(label, [InputRequired("Enter your e-mail address."), keeps(people.email)])


def new_password_field(email_of: Callable[[Any], str], label: str = "Password") -> PasswordField:
    """A field for a new password: long enough, and not easy to guess from the e-mail that `email_of` finds."""

    def check(form: Any, field: Field) -> None:
        keeps(lambda text: passwords.check_new(text, email_of(form)))(form, field)

    return PasswordField(label, [InputRequired("Enter a password."), check])
