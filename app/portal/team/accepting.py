"""The page behind the link of an invitation: to join, signed in or with a new account."""

from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, LinkExpired
from app.domain.roles import WORDS
from app.models import Invitation
from app.portal import visitors
from app.portal.account_forms import admit, show
from app.portal.page_blueprint import PageBlueprint
from app.portal.security import second_step
from app.portal.team.forms import NewcomerForm
from app.portal.visitors import NEXT, find_visitor
from app.services.accounts import organizations, users
from app.services.team import invitations
from app.services.team.invitations import NewUser
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = PageBlueprint("invitations", __name__, url_prefix="/invitations")


@blueprint.errorhandler(LinkExpired)
def _explain(refusal: LinkExpired) -> ResponseReturnValue:
    return render_template("portal/team/dead.html", why=refusal.message), 410


@blueprint.get("/<secret>", endpoint="show")
def show_invitation(secret: str) -> ResponseReturnValue:
    """Show who invites to which account, and a button to join; programs that scan mail open links, but press no
    buttons.
    """
    return _page(secret)


@blueprint.post("/<secret>")
def accept(secret: str) -> ResponseReturnValue:
    """Join: as the signed-in user, or with a new account for the address of the invitation."""
    if find_visitor() is not None:
        return _join(secret)
    here = container()
    with here.database.read_session() as session:
        invitation = invitations.find(session, secret, here.clock())
        if invitations.find_user(session, invitation) is not None:
            values: dict[str, Any] = {NEXT: url_for(".show", secret=secret)}
            return redirect(url_for("sign_in.new", **values), 303)
    form = NewcomerForm(invitation.email)
    if not (form.validate() and admit(form, RateQuota.SIGN_UPS, invitation.email)):
        return _page(secret, form)
    newcomer = NewUser(form.name.data or "", form.password.data or "")
    try:
        with here.database.unit_of_work() as session:
            member = invitations.accept_as_new(session, secret, newcomer, here.clock())
            user = users.get(session, member.user_id)
    except Conflict as refusal:
        form.form_errors.append(refusal.message)
        return _page(secret, form)
    answer = second_step.sign_in_or_ask_code(user)
    flash(f"Welcome to Brightlist. Your role is {WORDS[member.role].label}: {WORDS[member.role].may}")
    return answer


def _join(secret: str) -> ResponseReturnValue:
    here, who = container(), visitors.visitor()
    try:
        with here.database.unit_of_work() as session:
            member = invitations.accept(session, secret, who.user_id, here.clock())
            name = organizations.name_of(session, member.organization_id)
    except Conflict as refusal:
        return make_response(_page(secret, refusal=refusal.message), 409)
    visitors.act_for(member.organization_id)
    flash(f"You now work for {name}. Your role is {WORDS[member.role].label}.")
    return redirect(url_for("orders.index"), 303)


def _page(secret: str, form: NewcomerForm | None = None, refusal: str = "") -> ResponseReturnValue:
    here, who = container(), find_visitor()
    with here.database.read_session() as session:
        invitation = invitations.find(session, secret, here.clock())
        name = organizations.name_of(session, invitation.organization_id)
        has_account = who is not None or invitations.find_user(session, invitation) is not None
    values = {"invitation": invitation, "account_name": name, "role": WORDS[invitation.role], "refusal": refusal}
    values |= {"has_account": has_account, "here": request.path, "inviter": _name_inviter(invitation)}
    return show("portal/team/invitation.html", form or NewcomerForm(invitation.email), **values)


def _name_inviter(invitation: Invitation) -> str:
    inviter = invitation.inviter
    return f"{inviter.name} ({inviter.email})" if inviter.name else inviter.email
