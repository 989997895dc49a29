"""One member, for owners: changing the role, and removing the member."""

from flask import flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.roles import WORDS, Role
from app.models import Membership
from app.portal.page_blueprint import FORM_METHODS
from app.portal.team.forms import RoleForm
from app.portal.team.page import blueprint
from app.portal.visitors import fresh_login_required, visitor
from app.services.accounts import organizations
from app.services.team import members
from app.web.context import container


@blueprint.route("/members/<user_id>/role", methods=FORM_METHODS)
@fresh_login_required
def change_role(user_id: str) -> ResponseReturnValue:
    """Give the member another role."""
    here, who, member = container(), visitor(), _find(user_id)
    form, refusal = RoleForm(data={"role": member.role.value}), ""
    if form.validate_on_submit():
        role = Role(form.role.data)
        try:
            with here.database.unit_of_work() as session:
                members.change_role(session, who.account_id, user_id, role, who.user_id, here.clock())
        except Conflict as conflict:
            refusal = conflict.message
        else:
            flash(f"{members.name_of(member.user)} now has the role {WORDS[role].label}.")
            return redirect(url_for("team.index"), 303)
    page = render_template("portal/team/role.html", form=form, member=member, role_words=WORDS, refusal=refusal)
    return make_response(page, 409 if refusal else 422 if form.errors else 200)


@blueprint.get("/members/<user_id>/remove")
@fresh_login_required
def confirm_remove(user_id: str) -> ResponseReturnValue:
    """Ask before the member is removed, and say what ends then."""
    return _confirmation(user_id)


@blueprint.post("/members/<user_id>/remove")
@fresh_login_required
def remove(user_id: str) -> ResponseReturnValue:
    """Remove the member: their access ends at once."""
    here, who, member = container(), visitor(), _find(user_id)
    try:
        with here.database.unit_of_work() as session:
            members.remove(session, who.account_id, user_id, who.user_id, here.clock())
    except Conflict as refusal:
        return _confirmation(user_id, refusal.message)
    flash(f"{members.name_of(member.user)} is removed and signed out.")
    return redirect(url_for("sign_in.new" if user_id == who.user_id else "team.index"), 303)


def _confirmation(user_id: str, refusal: str = "") -> ResponseReturnValue:
    here, member = container(), _find(user_id)
    with here.database.read_session() as session:
        ends = members.measure_departure(session, visitor().account_id, user_id, here.clock())
        is_last = members.is_last_owner(session, member)
    values = {"member": member, "ends": ends, "is_last": is_last, "refusal": refusal, "no_owner": members.NO_OWNER}
    return make_response(render_template("portal/team/remove.html", **values), 409 if refusal else 200)


def _find(user_id: str) -> Membership:
    """The member of the visitor's organization. Raises NotFound."""
    with container().database.read_session() as session:
        return organizations.get_member(session, visitor().account_id, user_id)
