"""Accounts for staff: the list, and one with all that tells how it stands."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.portal.reviews import words as review_words
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.visitors import for_staff
from app.services import staff_accounts, webhook_health
from app.services.staff_accounts import Field, Filter, Show
from app.web.context import container

blueprint = for_staff(Blueprint("staff_accounts", __name__, url_prefix="/staff/accounts"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Accounts by the beginning of e-mail or name, or by id; the newest first where nothing is searched for."""
    field = query_strings.choice("in", Field, Field.EMAIL)
    wanted = Filter(query_strings.text(), field, query_strings.choice("show", Show, Show.ALL))
    after = request.args.get("after")
    with container().database.reading() as session:
        page = staff_accounts.page(session, wanted, after)
    query = query_strings.given(q=wanted.search, show="" if wanted.show is Show.ALL else wanted.show)
    query |= {"in": Field.NAME.value} if field is Field.NAME and wanted.search else {}
    values = {"wanted": wanted, "query": query, "after": after, "kinds": Show, "fields": Field}
    return render_template("portal/staff/accounts.html", page=page, words=staff_words, **values)


@blueprint.get("/<account_id>")
def show(account_id: str) -> ResponseReturnValue:
    """One account."""
    now = container().clock()
    with container().database.reading() as session:
        found = staff_accounts.look(session, account_id, now)
    values = {"words": staff_words, "deeds": review_words.DEEDS, "condition": webhook_health.condition}
    return render_template("portal/staff/account.html", found=found, account=found.account, now=now, **values)
