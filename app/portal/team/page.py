"""The page of the team: members, open invitations, the form to invite, and the accounts of the visitor."""

from typing import Any

from flask import Response, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest
from app.domain.roles import WORDS, Ability, Role
from app.domain.team import INVITATION_VALID_FOR, MAX_MEMBERS
from app.portal.forms import add_error
from app.portal.page_blueprint import PageBlueprint
from app.portal.security import mailed_links
from app.portal.team.forms import InvitationForm
from app.portal.visitors import for_signed_in, fresh_login_required, visitor
from app.services.accounts import organizations
from app.services.team import invitations, members
from app.services.team.invitations import NewMember
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("team", __name__, url_prefix="/account/team"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The members; for owners also the open invitations, and the form to invite."""
    return _render(InvitationForm(formdata=None))


@blueprint.post("/invitations")
@fresh_login_required
def invite() -> ResponseReturnValue:
    """Mail an invitation; an earlier open one to the address ends."""
    form = InvitationForm()
    if not form.validate():
        return _render(form, 422)
    try:
        _send(form.email.data or "", Role(form.role.data))
    except InvalidRequest as refusal:
        add_error(form.email, (refusal.details or {})["email"])
        return _render(form, 422)
    except Conflict as refusal:
        form.form_errors.append(refusal.message)
        return _render(form, 409)
    flash(f"We sent an invitation to {form.email.data}. It is valid for {INVITATION_VALID_FOR.days} days.")
    return redirect(url_for("team.index"), 303)


@blueprint.post("/invitations/<invitation_id>/again")
@fresh_login_required
def invite_again(invitation_id: str) -> ResponseReturnValue:
    """Mail a new invitation in place of this one, which ends."""
    with container().database.read_session() as session:
        old = invitations.get_open(session, visitor().account_id, invitation_id)
    _send(old.email, old.role)
    flash(f"We sent a new invitation to {old.email}. The link in the earlier one no longer works.")
    return redirect(url_for("team.index"), 303)


@blueprint.post("/invitations/<invitation_id>/revoke")
def revoke(invitation_id: str) -> ResponseReturnValue:
    """End an invitation."""
    here, who = container(), visitor()
    with here.database.unit_of_work() as session:
        ended = invitations.revoke(session, who.account_id, invitation_id, who.user_id, here.clock())
    flash(f"The invitation to {ended.email} is revoked. Its link no longer works.")
    return redirect(url_for("team.index"), 303)


def _send(email: str, role: Role) -> None:
    here = container()
    wanted = NewMember(email, role, mailed_links.make_url_builder("invitations.show"))
    with here.database.unit_of_work() as session:
        invitations.send(session, visitor().account_id, wanted, visitor().user_id, here.clock())


def _render(form: InvitationForm, http_status: int = 200) -> Response:
    here, who = container(), visitor()
    is_owner = who.may(Ability.MANAGE)
    values: dict[str, Any] = {"form": form, "role_words": WORDS, "max_members": MAX_MEMBERS, "now": here.clock()}
    values |= {"mail_in_files": mailed_links.is_mail_in_files(), "days": INVITATION_VALID_FOR.days}
    with here.database.read_session() as session:
        values["members"] = members.list_all(session, who.account_id)
        values["open_invitations"] = invitations.list_open(session, who.account_id) if is_owner else ()
        values["account_name"] = organizations.name_of(session, who.account_id)
        mine = organizations.list_memberships(session, who.user_id) if who.has_others else ()
        values["accounts"] = [
            (each.organization_id, organizations.name_of(session, each.organization_id), each.role)
            for each in mine
            if each.organization.deleted_at is None and each.organization.suspended_at is None
        ]
    return make_response(render_template("portal/team/index.html", **values), http_status)
