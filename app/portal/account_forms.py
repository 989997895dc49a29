"""Parts of the forms for accounts and signing in: fields, limits on tries, and proof by password and code."""

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
from app.portal.forms import add_error, clean_line
from app.portal.visitors import visitor
from app.services.accounts import users
from app.services.security import totp
from app.web import attempt_limits
from app.web.context import container
from app.web.rate_limits import RateQuota

WRONG_PROOF = "The password is wrong."
WRONG_CODE = "The code is wrong, or was already used."


class AccountForm(FlaskForm):
    """A form with limited tries. `wait_seconds`: after too many tries, the time until the next one is allowed; else
    0.
    """

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
    """Proves that the visitor owns the account: by password, and by code if two-factor sign-in is on. See
    check_proof().
    """

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


def admit(form: AccountForm, quota: RateQuota, whom: str) -> bool:
    """Count a try for `whom`, an e-mail address or an id. Returns False and adds an error after too many tries."""
    return _admits(form, lambda: attempt_limits.count(quota, whom))


def admit_sign_in(form: AccountForm, email: str) -> bool:
    """Count a try to sign in with this e-mail. Returns False and adds an error after too many tries."""
    return _admits(form, lambda: attempt_limits.count_sign_in(email, visitors.find_known_browser(email)))


def _admits(form: AccountForm, count: Callable[[], None]) -> bool:
    try:
        count()
    except RateLimited as refusal:
        form.wait(refusal)
        return False
    return True


def check_proof(form: AccountForm) -> bool:
    """Whether the form has the visitor's password, and a valid code if two-factor is on; if not, adds an error.

    A valid code is used up. A code is checked, and its try counted for this sign-in, only after the right password.
    """
    who, here = visitor(), container()
    if not admit(form, RateQuota.PROOFS, who.user_id):
        return False
    with here.database.read_session() as session:
        password_matches = users.has_password(session, who.user_id, form["password"].data or "")
    if not password_matches:
        add_error(form["password"], WRONG_PROOF)
    if not (password_matches and who.two_factor):
        return password_matches
    if not admit(form, RateQuota.CODES, who.sign_in_id):
        return False
    with here.database.unit_of_work() as session:
        code_matches = totp.use_code(session, here.vault, who.user_id, form["code"].data or "", here.clock())
    if not code_matches:
        add_error(form["code"], WRONG_CODE)
    return code_matches


def apply_rule(rule: Callable[[str], str]) -> Callable[[Any, Field], None]:
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
    return StringField("Name", [InputRequired("Enter your name."), apply_rule(people.name)])


def email_field(label: str = "E-mail address") -> EmailField:
    """A required field for an e-mail address; it gets the spelling in which accounts keep the address."""
    return EmailField(label, [InputRequired("Enter your e-mail address."), apply_rule(people.email)])


def new_password_field(email_of: Callable[[Any], str], label: str = "Password") -> PasswordField:
    """A field for a new password, which must be long enough and not easy to guess. `email_of` finds the user's
    e-mail in the form: a password like it is refused.
    """

    def check(form: Any, field: Field) -> None:
        apply_rule(lambda text: passwords.check_new(text, email_of(form)))(form, field)

    return PasswordField(label, [InputRequired("Enter a password."), check])
