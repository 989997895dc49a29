"""Accounts, for staff: the list, one account with its whole state, and the acts of staff on it."""

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_
from app.domain.roles import WORDS
from app.models import Membership
from app.portal.forms import read_form_token
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.reviews import words as review_words
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.staff.confirmation import Confirmation, confirm
from app.portal.staff.forms import ActionForm, GrantForm, ReasonForm
from app.portal.staff.words import name_owner, write_count
from app.portal.visitors import require_staff
from app.services.security import sign_ins
from app.services.staff import accounts as staff_accounts
from app.services.staff.accounts import AccountField, AccountFilter, AccountGroup
from app.services.webhooks import health
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_accounts", __name__, url_prefix="/staff/accounts"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Accounts by the beginning of e-mail or name, or by id; newest first where there is no search text."""
    field = query_strings.read_choice("in", AccountField, AccountField.EMAIL)
    wanted = AccountFilter(
        query_strings.read_text(), field, query_strings.read_choice("show", AccountGroup, AccountGroup.ALL)
    )
    after = request.args.get("after")
    with container().database.read_session() as session:
        page = staff_accounts.paginate(session, wanted, after)
    query = query_strings.build_query(q=wanted.search, show="" if wanted.show is AccountGroup.ALL else wanted.show)
    query |= {"in": AccountField.NAME.value} if field is AccountField.NAME and wanted.search else {}
    values = {"wanted": wanted, "query": query, "after": after, "kinds": AccountGroup, "fields": AccountField}
    return render_template("portal/staff/accounts.html", page=page, words=staff_words, **values)


@blueprint.get("/<account_id>")
def show(account_id: str) -> ResponseReturnValue:
    """One account with its owner, recent activity and acts of staff."""
    now = container().clock()
    with container().database.read_session() as session:
        found = staff_accounts.describe(session, account_id, now)
    values = {"words": staff_words, "actions": review_words.ACTIONS, "condition": health.webhook_state}
    values |= {"role_words": WORDS}
    values |= {"account": found.owner.organization, "owner": found.owner.user}
    return render_template("portal/staff/account.html", found=found, now=now, **values)


@blueprint.route("/<account_id>/credits", methods=FORM_METHODS)
def grant(account_id: str) -> ResponseReturnValue:
    """Add credits to the balance, or deduct credits from it."""
    owner, form, token = _find_owner(account_id), GrantForm(), read_form_token()
    effects = (
        f"The balance is {credits_(owner.organization.credits)} now. It changes at once. It cannot go below 0.",
        "The owner sees it in the ledger as an adjustment, with your reason.",
        "There is no receipt, and no money moves.",
    )
    page = _confirmation(owner, "Change the balance", effects, "Change the balance", "The balance is changed.")
    return confirm(
        page, form, lambda actions: actions.grant(account_id, form.change, form.reason.data or "", token)
    )


@blueprint.route("/<account_id>/suspend", methods=FORM_METHODS)
def suspend(account_id: str) -> ResponseReturnValue:
    """Suspend the account: nobody can act for it."""
    owner, form, here = _find_owner(account_id), ReasonForm(), container()
    with here.database.read_session() as session:
        browsers = sign_ins.count(session, account_id, here.clock())
    sign_outs = (
        f" {write_count(browsers, 'browser')} signed in now {'is' if browsers == 1 else 'are'} signed out."
        if browsers
        else ""
    )
    effects = (
        f"Nobody can sign in to it.{sign_outs}",
        "All its API keys are refused at once.",
        "Orders in progress continue to their end, with charges and refunds as usual.",
        "Anyone who tries to sign in is asked to write to support. Your reason is for staff only.",
    )
    page = _confirmation(owner, "Suspend", effects, "Suspend the account", "The account is suspended.", danger=True)
    return confirm(page, form, lambda actions: actions.suspend(account_id, form.reason.data or ""))


@blueprint.route("/<account_id>/restore", methods=FORM_METHODS)
def restore(account_id: str) -> ResponseReturnValue:
    """End the suspension of the account."""
    owner, form = _find_owner(account_id), ActionForm()
    reason = owner.organization.suspended_reason
    effects = (
        f"It was suspended for this reason: {reason or 'it is no longer suspended'}",
        "Its owner can sign in again, and its API keys work again.",
    )
    page = _confirmation(owner, "Restore", effects, "Restore the account", "The account is restored.")
    return confirm(page, form, lambda actions: actions.restore(account_id))


@blueprint.route("/<account_id>/flag", methods=FORM_METHODS)
def flag(account_id: str) -> ResponseReturnValue:
    """Flag the account for other staff."""
    owner, form = _find_owner(account_id), ReasonForm()
    before = (f"It is flagged already: {owner.organization.flag_reason} Your reason replaces it.",)
    effects = (
        *(before if owner.organization.flagged_at else ()),
        "It is in the list of flagged accounts until someone clears the flag.",
        "Nothing changes for its owner, who is not notified.",
    )
    page = _confirmation(owner, "Flag", effects, "Flag the account", "The account is flagged.")
    return confirm(page, form, lambda actions: actions.flag(account_id, form.reason.data or ""))


@blueprint.route("/<account_id>/clear-flag", methods=FORM_METHODS)
def clear_flag(account_id: str) -> ResponseReturnValue:
    """Remove the flag from the account."""
    owner, form = _find_owner(account_id), ActionForm()
    effects = (
        f"It was flagged for this reason: {owner.organization.flag_reason or 'it is no longer flagged'}",
        "It leaves the list of flagged accounts. What is owed on purchases stays open.",
    )
    page = _confirmation(owner, "Clear the flag of", effects, "Clear the flag", "The flag is cleared.")
    return confirm(page, form, lambda actions: actions.clear_flag(account_id))


def _find_owner(account_id: str) -> Membership:
    with container().database.read_session() as session:
        return staff_accounts.find(session, account_id)


def _confirmation(
    owner: Membership, title: str, effects: tuple[str, ...], button: str, done: str, *, danger: bool = False
) -> Confirmation:
    name = name_owner(owner.user)
    back = url_for("staff_accounts.show", account_id=owner.organization_id)
    title = f"{title}{' of' if title.endswith('balance') else ''} {name}?"
    return Confirmation("Accounts", back, name, title, effects, button, done, danger)
