"""The billing details that later receipts show: company, address and tax number."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import StringField, TextAreaField

from app.domain.billing_details import read_billing_details
from app.domain.errors import InvalidRequest
from app.portal.forms import add_errors, clean_line, clean_text
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.accounts import organizations
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("billing_details", __name__, url_prefix="/account/billing"))


class BillingForm(FlaskForm):
    """The details that receipts show beside the buyer's name; each field may be empty."""

    company = StringField("Company", [], [clean_line])
    address = TextAreaField("Address", [], [clean_text])
    tax_id = StringField("Tax number", [], [clean_line])


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved details."""
    with container().database.read_session() as session:
        billing = organizations.get(session, visitor().account_id).billing
    return _page(BillingForm(None, obj=billing))


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the details."""
    form = BillingForm()
    try:
        details = read_billing_details(form.company.data or "", form.address.data or "", form.tax_id.data or "")
    except InvalidRequest as refusal:
        add_errors(form, refusal)
        return _page(form, 422)
    here = container()
    with here.database.unit_of_work() as session:
        organizations.set_billing(session, visitor().account_id, details, here.clock())
    flash("Saved. New receipts use these details.")
    return redirect(url_for("account.show", _anchor="billing"), 303)


def _page(form: BillingForm, http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/account/billing_details.html", form=form), http_status
