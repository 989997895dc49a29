"""How the account is kept safe: two-factor, recovery codes, and the browsers that are signed in."""

import segno
from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField
from wtforms.validators import InputRequired

from app.domain.devices import device
from app.domain.errors import Conflict
from app.domain.mail_text import one_line
from app.portal import visitors
from app.portal.account_forms import WRONG_CODE, AccountForm, ProofForm, admitted, blame, proved
from app.portal.account_forms import show as show_form
from app.portal.page_blueprint import PageBlueprint
from app.portal.safe_html import Html
from app.portal.visitors import NEXT, for_signed_in, visitor, way_back
from app.services.accounts import users
from app.services.security import recovery_codes, sign_ins, totp
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = for_signed_in(PageBlueprint("security", __name__, url_prefix="/account/security"))
blueprint.add_app_template_filter(device)


class SetUpForm(AccountForm):
    """That it is really them, and that they have the app."""

    password = PasswordField("Your password", [InputRequired("Enter your password.")])
    code = StringField("Code", [InputRequired("Enter the code.")], [lambda text: one_line(text or "")])


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Two-factor, and the sign-ins there are."""
    here, who = container(), visitor()
    with here.database.read_session() as session:
        user = users.get(session, who.user_id)
        every = sign_ins.of_user(session, who.user_id, here.clock())
        left = recovery_codes.count_left(session, who.user_id)
    browsers = sorted(every, key=lambda each: each.id != who.sign_in_id)
    required = visitors.lacks_two_factor(who)
    values = {"user": user, "browsers": browsers, "left": left, "required": required}
    return render_template("portal/security/show.html", **values)


@blueprint.post("/two-factor/begin")
def begin() -> ResponseReturnValue:
    """Make the secret for the app."""
    here = container()
    with here.database.unit_of_work() as session:
        totp.begin(session, here.vault, visitor().user_id)
    return redirect(url_for("security.set_up"), 303)


@blueprint.get("/two-factor")
def set_up() -> ResponseReturnValue:
    """The secret for the app, and the form for its first code."""
    return _set_up_page(SetUpForm())


@blueprint.post("/two-factor")
def switch_on() -> ResponseReturnValue:
    """Ask for codes from now on, and show the recovery codes, this once."""
    form, here, who = SetUpForm(), container(), visitor()
    if form.validate() and proved(form) and admitted(form, RateQuota.CODES, who.user_id):
        with here.database.unit_of_work() as session:
            code = form.code.data or ""
            codes = totp.switch_on(session, here.vault, who.user_id, code, here.clock())
        if codes:
            return render_template("portal/security/recovery_codes.html", codes=codes, switched_on=True)
        blame(form.code, WRONG_CODE)
    return _set_up_page(form)


@blueprint.get("/two-factor/off")
def leave() -> ResponseReturnValue:
    """The form."""
    return show_form("portal/security/two_factor_off.html", ProofForm())


@blueprint.post("/two-factor/off")
def switch_off() -> ResponseReturnValue:
    """Ask for codes no longer."""
    form, here = ProofForm(), container()
    if not (form.validate() and proved(form)):
        return show_form("portal/security/two_factor_off.html", form)
    with here.database.unit_of_work() as session:
        totp.switch_off(session, visitor().user_id, here.clock())
    flash("Two-factor sign-in is off.")
    return _home()


@blueprint.get("/recovery-codes")
def codes() -> ResponseReturnValue:
    """The form for new ones."""
    return show_form("portal/security/renew_codes.html", ProofForm())


@blueprint.post("/recovery-codes")
def renew_codes() -> ResponseReturnValue:
    """Show new recovery codes, this once; the ones before are good no longer."""
    form, here = ProofForm(), container()
    if not (form.validate() and proved(form)):
        return show_form("portal/security/renew_codes.html", form)
    with here.database.unit_of_work() as session:
        made = totp.renew_recovery(session, visitor().user_id)
    return render_template("portal/security/recovery_codes.html", codes=made, switched_on=False)


@blueprint.get("/confirm")
def confirm() -> ResponseReturnValue:
    """The form: what is about to be done wants a fresh proof."""
    return show_form("portal/security/confirm.html", ProofForm())


@blueprint.post("/confirm")
def confirmed() -> ResponseReturnValue:
    """Begin the sign-in anew, and go on to what was about to be done."""
    form = ProofForm()
    if not (form.validate() and proved(form)):
        return show_form("portal/security/confirm.html", form)
    visitors.renew()
    return redirect(way_back(request.args.get(NEXT)), 303)


@blueprint.post("/sign-ins/<sign_in_id>/end")
def end(sign_in_id: str) -> ResponseReturnValue:
    """Sign one browser out."""
    with container().database.unit_of_work() as session:
        sign_ins.end(session, visitor().user_id, sign_in_id)
    flash("That browser is signed out.")
    return _home()


@blueprint.post("/sign-ins/end")
def end_others() -> ResponseReturnValue:
    """Sign out every browser but this one."""
    who = visitor()
    with container().database.unit_of_work() as session:
        ended = sign_ins.end_all(session, who.user_id, but=who.sign_in_id)
    flash("No other browser was signed in." if not ended else "Every other browser is signed out.")
    return _home()


def _set_up_page(form: SetUpForm) -> ResponseReturnValue:
    here, who = container(), visitor()
    with here.database.read_session() as session:
        secret = totp.waiting_secret(session, here.vault, who.user_id)
    if secret is None:
        return _home()
    picture = segno.make(totp.provisioning_uri(secret, who.email), error="m")
    svg = Html(picture.svg_inline(omitsize=True, dark="#000", light="#fff", border=4, svgclass="qr"))
    grouped = " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))
    return show_form("portal/security/set_up.html", form, svg=svg, secret=grouped)


def _home() -> ResponseReturnValue:
    return redirect(url_for("security.show"), 303)


@blueprint.errorhandler(Conflict)
def _meanwhile(refusal: Conflict) -> ResponseReturnValue:
    """Another tab was quicker: the page says how things stand."""
    flash(refusal.message)
    return _home()
