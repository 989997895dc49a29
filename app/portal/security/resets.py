"""A forgotten password: ask for a link, and choose a new password."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import flash, redirect, render_template, session, url_for
from flask.typing import ResponseReturnValue

from app.portal.account_forms import AccountForm, admit, email_field, new_password_field, show
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.security import mailed_links, second_step
from app.services.security import password_resets
from app.web.context import container
from app.web.rate_limits import RateQuota, client_address

blueprint = PageBlueprint("resets", __name__, url_prefix="/reset")
mailed_links.explain_dead_links(blueprint, "resets.new", "Ask for a new link")

MIN_ANSWER_SECONDS = 0.1
"""The minimum time of an answer. It is longer than queuing a mail takes, so that the time does not reveal whether
the address has an account.
"""
CHANGED = "Your password is changed. Every other browser was signed out."
_MAILED_TO = "mailed_to"


class RequestForm(AccountForm):
    """The e-mail address of the account whose password is forgotten."""

    email = email_field()


class NewPasswordForm(AccountForm):
    """A new password for the user with this e-mail."""

    password = new_password_field(lambda form: form.email, "New password")

    def __init__(self, email: str) -> None:
        super().__init__()
        self.email = email


@blueprint.route("", methods=FORM_METHODS)
def new() -> ResponseReturnValue:
    """Mail a link, if the address has an account; the answer is the same in any case."""
    form, here = RequestForm(), container()
    # Tries are counted for e-mail and client address together, so that nobody else can use up the owner's tries.
    if not (form.validate_on_submit() and admit(form, RateQuota.RESETS, f"{form.email.data} {client_address()}")):
        return show("portal/security/resets/new.html", form)
    email = form.email.data or ""
    with _take_minimum_time(), here.database.unit_of_work() as unit:
        password_resets.request(unit, email, mailed_links.make_url_builder("resets.edit"), here.clock())
    session[_MAILED_TO] = email
    return redirect(url_for("resets.sent"), 303)


@blueprint.get("/sent")
def sent() -> ResponseReturnValue:
    """Ask the visitor to look into their mail."""
    to = session.get(_MAILED_TO)
    return render_template("portal/security/resets/sent.html", to=to, mail_in_files=mailed_links.is_mail_in_files())


@blueprint.route("/<secret>", methods=FORM_METHODS)
def edit(secret: str) -> ResponseReturnValue:
    """Change the password, end every sign-in of the user, and sign in."""
    here = container()
    with here.database.read_session() as unit:
        form = NewPasswordForm(password_resets.check(unit, secret, here.clock()))
    if not form.validate_on_submit():
        return show("portal/security/resets/edit.html", form, email=form.email)
    with here.database.unit_of_work() as unit:
        user = password_resets.finish(unit, secret, form.password.data or "", here.clock())
    answer = second_step.sign_in_or_ask_code(user)
    flash(CHANGED)
    return answer


@contextmanager
def _take_minimum_time() -> Iterator[None]:
    """Make the block take at least MIN_ANSWER_SECONDS."""
    began = time.monotonic()
    yield
    time.sleep(max(0.0, MIN_ANSWER_SECONDS - (time.monotonic() - began)))
