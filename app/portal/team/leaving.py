"""What members do for themselves: change between their accounts, and leave one."""

from flask import flash, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.portal import visitors
from app.portal.team.page import blueprint
from app.portal.visitors import visitor
from app.services.accounts import organizations
from app.services.team import members
from app.web.context import container


@blueprint.post("/switch")
def switch() -> ResponseReturnValue:
    """Let this browser act for another of the visitor's accounts."""
    account_id = request.form.get("account", "")
    visitors.act_for(account_id)
    with container().database.read_session() as unit:
        name = organizations.name_of(unit, account_id)
    flash(f"You now work for {name}.")
    return redirect(url_for("orders.index"), 303)


@blueprint.get("/leave")
def confirm_leave() -> ResponseReturnValue:
    """Ask before the visitor leaves the account, and say what ends then."""
    return _confirmation()


@blueprint.post("/leave")
def leave() -> ResponseReturnValue:
    """Leave the account; this browser is signed out of it."""
    here, who = container(), visitor()
    try:
        with here.database.unit_of_work() as unit:
            members.leave(unit, who.account_id, who.user_id, here.clock())
    except Conflict as refusal:
        return _confirmation(refusal.message)
    session.clear()
    flash("You left the account. Sign in again to use your own.")
    return redirect(url_for("sign_in.new"), 303)


def _confirmation(refusal: str = "") -> ResponseReturnValue:
    here, who = container(), visitor()
    with here.database.read_session() as unit:
        member = organizations.get_member(unit, who.account_id, who.user_id)
        ends = members.measure_departure(unit, who.account_id, who.user_id, here.clock())
        is_last, is_alone = members.is_last_owner(unit, member), members.count(unit, who.account_id) == 1
        name = organizations.name_of(unit, who.account_id)
    values = {"ends": ends, "is_last": is_last, "is_alone": is_alone, "refusal": refusal, "account_name": name}
    page = render_template("portal/team/leave.html", no_owner=members.NO_OWNER, **values)
    return make_response(page, 409 if refusal else 200)
