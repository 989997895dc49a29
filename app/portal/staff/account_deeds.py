"""What staff do to an account: each on a page that says before what it will do."""

from flask import url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_
from app.models import Account
from app.portal import form_tokens
from app.portal.staff.accounts import blueprint
from app.portal.staff.confirmation import Told, ask
from app.portal.staff.forms import DeedForm, GrantForm, ReasonForm
from app.portal.staff.words import called, many
from app.services import sign_ins, staff_accounts
from app.web.context import container

BOTH = ("GET", "POST")


@blueprint.route("/<account_id>/credits", methods=BOTH)
def grant(account_id: str) -> ResponseReturnValue:
    """Give credits, or take some back."""
    account, form, token = _read(account_id), GrantForm(), form_tokens.given()
    effects = (
        f"The balance is {credits_(account.credits)} now. It changes at once, and never below 0.",
        "The owner finds it in the list of credits as an adjustment, with your reason.",
        "There is no receipt, and no money moves.",
    )
    told = _told(account, "Change the balance", effects, "Change the balance", "The balance is changed.")
    return ask(told, form, lambda desk: desk.grant(account_id, form.moved, form.reason.data or "", token))


@blueprint.route("/<account_id>/suspend", methods=BOTH)
def suspend(account_id: str) -> ResponseReturnValue:
    """Let nobody act for the account."""
    account, form, here = _read(account_id), ReasonForm(), container()
    with here.database.reading() as session:
        browsers = len(sign_ins.of_account(session, account_id, here.clock()))
    out = (
        f" {many(browsers, 'browser')} signed in now {'is' if browsers == 1 else 'are'} signed out."
        if browsers
        else ""
    )
    effects = (
        f"Nobody can sign in to it any more.{out}",
        "Every API key of it is refused at once.",
        "Orders under way go on to their end, and what they cost and give back is booked as always.",
        "Whoever tries to sign in is told to write to support. Your reason is for staff only.",
    )
    told = _told(account, "Suspend", effects, "Suspend the account", "The account is suspended.", danger=True)
    return ask(told, form, lambda desk: desk.suspend(account_id, form.reason.data or ""))


@blueprint.route("/<account_id>/restore", methods=BOTH)
def restore(account_id: str) -> ResponseReturnValue:
    """Take a suspension back."""
    account, form = _read(account_id), DeedForm()
    effects = (
        f"It was suspended for this reason: {account.suspended_reason or 'it is not suspended any more'}",
        "Its owner can sign in again, and its API keys open again what they did before.",
    )
    told = _told(account, "Restore", effects, "Restore the account", "The account is restored.")
    return ask(told, form, lambda desk: desk.restore(account_id))


@blueprint.route("/<account_id>/flag", methods=BOTH)
def flag(account_id: str) -> ResponseReturnValue:
    """Mark the account for staff."""
    account, form = _read(account_id), ReasonForm()
    before = (f"It is flagged already: {account.flag_reason} Your reason takes that one's place.",)
    effects = (
        *(before if account.flagged_at else ()),
        "It stands in the list of flagged accounts until somebody clears the flag.",
        "Nothing changes for its owner, who is not told.",
    )
    told = _told(account, "Flag", effects, "Flag the account", "The account is flagged.")
    return ask(told, form, lambda desk: desk.flag(account_id, form.reason.data or ""))


@blueprint.route("/<account_id>/clear-flag", methods=BOTH)
def clear_flag(account_id: str) -> ResponseReturnValue:
    """Take the mark away."""
    account, form = _read(account_id), DeedForm()
    effects = (
        f"It was flagged for this reason: {account.flag_reason or 'it is not flagged any more'}",
        "It leaves the list of flagged accounts. What is owed on purchases stays open.",
    )
    told = _told(account, "Clear the flag of", effects, "Clear the flag", "The flag is cleared.")
    return ask(told, form, lambda desk: desk.clear_flag(account_id))


def _read(account_id: str) -> Account:
    with container().database.reading() as session:
        return staff_accounts.find(session, account_id)


def _told(
    account: Account, deed: str, effects: tuple[str, ...], button: str, done: str, *, danger: bool = False
) -> Told:
    name = called(account)
    back = url_for("staff_accounts.show", account_id=account.id)
    title = f"{deed}{' of' if deed.endswith('balance') else ''} {name}?"
    return Told("Accounts", back, name, title, effects, button, done, danger)
