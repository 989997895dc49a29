"""The security of the account: two-factor, recovery codes, and the signed-in browsers."""

import segno
from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.devices import device
from app.domain.errors import Conflict
from app.portal import visitors
from app.portal.account_forms import WRONG_CODE, PasswordAndCodeForm, ProofForm, admit, check_proof
from app.portal.account_forms import show as show_form
from app.portal.forms import add_error
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.safe_html import Html
from app.portal.visitors import NEXT, choose_target, for_signed_in, visitor
from app.services.accounts import users
from app.services.security import recovery_codes, sign_ins, totp
from app.web.context import container
from app.web.rate_limits import RateQuota

blueprint = for_signed_in(PageBlueprint("security", __name__, url_prefix="/account/security"))
blueprint.add_app_template_filter(device)


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Two-factor and its recovery codes, and the user's signed-in browsers."""
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
    """Create the secret for the authenticator app."""
    here = container()
    with here.database.unit_of_work() as session:
        totp.begin(session, here.vault, visitor().user_id)
    return redirect(url_for("security.set_up"), 303)


@blueprint.route("/two-factor", methods=FORM_METHODS)
def set_up() -> ResponseReturnValue:
    """Show the secret for the app; its first code switches two-factor on, and recovery codes are shown once."""
    form, here, who = PasswordAndCodeForm(), container(), visitor()
    if form.validate_on_submit() and check_proof(form) and admit(form, RateQuota.CODES, who.user_id):
        with here.database.unit_of_work() as session:
            code = form.code.data or ""
            codes = totp.switch_on(session, here.vault, who.user_id, code, here.clock())
        if codes:
            return render_template("portal/security/recovery_codes.html", codes=codes, switched_on=True)
        add_error(form.code, WRONG_CODE)
    return _set_up_page(form)


@blueprint.route("/two-factor/off", methods=FORM_METHODS)
def switch_off() -> ResponseReturnValue:
    """Switch two-factor off."""
    form, here = ProofForm(), container()
    if not (form.validate_on_submit() and check_proof(form)):
        return show_form("portal/security/two_factor_off.html", form)
    with here.database.unit_of_work() as session:
        totp.switch_off(session, visitor().user_id, here.clock())
    flash("Two-factor sign-in is off.")
    return _home()


@blueprint.route("/recovery-codes", methods=FORM_METHODS)
def renew_codes() -> ResponseReturnValue:
    """Create new recovery codes and show them once; the previous ones stop working."""
    form, here = ProofForm(), container()
    if not (form.validate_on_submit() and check_proof(form)):
        return show_form("portal/security/renew_codes.html", form)
    with here.database.unit_of_work() as session:
        made = totp.renew_recovery_codes(session, visitor().user_id)
    return render_template("portal/security/recovery_codes.html", codes=made, switched_on=False)


@blueprint.route("/confirm", methods=FORM_METHODS)
def confirm() -> ResponseReturnValue:
    """Ask for the proof that some pages require to be fresh, renew the sign-in, and return to that page."""
    form = ProofForm()
    if not (form.validate_on_submit() and check_proof(form)):
        return show_form("portal/security/confirm.html", form)
    visitors.renew()
    return redirect(choose_target(request.args.get(NEXT)), 303)


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
        ended = sign_ins.end_all(session, who.user_id, except_id=who.sign_in_id)
    flash("No other browser was signed in." if not ended else "Every other browser is signed out.")
    return _home()


def _set_up_page(form: PasswordAndCodeForm) -> ResponseReturnValue:
    here, who = container(), visitor()
    with here.database.read_session() as session:
        secret = totp.find_unconfirmed_secret(session, here.vault, who.user_id)
    if secret is None:
        return _home()
    qr_code = segno.make(totp.provisioning_uri(secret, who.email), error="m")
    svg = Html(qr_code.svg_inline(omitsize=True, dark="#000", light="#fff", border=4, svgclass="qr"))
    grouped = " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))
    return show_form("portal/security/set_up.html", form, svg=svg, secret=grouped)


def _home() -> ResponseReturnValue:
    return redirect(url_for("security.show"), 303)


@blueprint.errorhandler(Conflict)
def _show_current_state(refusal: Conflict) -> ResponseReturnValue:
    """Show the current state after another tab has made a change."""
    flash(refusal.message)
    return _home()
