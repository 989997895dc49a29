"""The choice of mails: one checkbox for each kind, and the balance below which a mail is sent."""

from decimal import Decimal, InvalidOperation

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectMultipleField, StringField

from app.domain.errors import InvalidRequest
from app.domain.notices import CONCERNS, WORDS, Notice
from app.domain.roles import Ability
from app.portal.forms import add_error, clean_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.accounts import organizations, users
from app.services.mail import notices
from app.services.team import members
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("notifications", __name__, url_prefix="/account/notifications"))
_NOT_A_NUMBER = Decimal("NaN")
"""The balance read from text that is no number; the service refuses it."""


class NoticesForm(FlaskForm):
    """The mails that a user wants."""

    wanted = SelectMultipleField("E-mails", validate_choice=False)
    low_balance = StringField("Notify me below this many credits", [], [clean_line])

    def read_low_balance(self) -> Decimal | None:
        """Read the balance below which a mail is sent; None for never, and NaN for text that is no number."""
        text = self.low_balance.data or ""
        try:
            return Decimal(text.replace(",", ".")) if text else None
        except InvalidOperation:
            return _NOT_A_NUMBER


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved choices."""
    with container().database.read_session() as session:
        user = users.get(session, visitor().user_id)
        below = organizations.get(session, visitor().account_id).low_balance
    wanted = [notice for notice in Notice if notice not in user.mails_off]
    limit = f"{below.normalize():f}" if below is not None else ""
    return _page(NoticesForm(None, data={"wanted": wanted, "low_balance": limit}))


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the choices."""
    form = NoticesForm()
    chosen = [notice for notice in _list_shown() if notice in (form.wanted.data or ())]
    try:
        here = container()
        with here.database.unit_of_work() as session:
            user = users.get(session, visitor().user_id, lock=True)
            organization = organizations.get(session, visitor().account_id, lock=True)
            may_buy = visitor().may(Ability.BUY)
            # Notices that are not on the page, because the role does not get them, stay as they are.
            kept = [each for each in Notice if each not in _list_shown() and each not in user.mails_off]
            limit = form.read_low_balance() if may_buy else organization.low_balance
            before = organization.low_balance
            notices.choose(user, organization, [*chosen, *kept], limit)
            if organization.low_balance != before:
                organizations.record_settings(session, organization.id, "Notice of a low balance", here.clock())
    except InvalidRequest as refusal:
        add_error(form.low_balance, (refusal.details or {})["low_balance"])
        return _page(form, 422)
    flash("Your choice is saved.")
    return redirect(url_for("notifications.edit"), 303)


def _page(form: NoticesForm, http_status: int = 200) -> ResponseReturnValue:
    words = {notice: WORDS[notice] for notice in _list_shown()}
    with container().database.read_session() as session:
        is_alone = members.count(session, visitor().account_id) == 1
    values = {"form": form, "words": words, "notice_with_limit": Notice.LOW_BALANCE, "is_alone": is_alone}
    return render_template("portal/account/notifications.html", **values), http_status


def _list_shown() -> list[Notice]:
    """The notices that the visitor gets by their role."""
    return [notice for notice in Notice if visitor().may(CONCERNS[notice])]
