"""Step 1: where the property is."""

from dataclasses import replace
from functools import partial

from flask import request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField, StringField

from app.domain.disclosure.listing import list_enacted_rules
from app.domain.disclosure.rules import RuleKind
from app.domain.draft_orders import listing_of
from app.domain.drafts import Content, Step, read
from app.domain.errors import InvalidRequest
from app.portal.orders.wizard.listing_words import describe_listing
from app.portal.orders.wizard.problems import find_problems
from app.portal.orders.wizard.steps import (
    blueprint,
    is_leaving,
    page,
    read_version,
    redirect_to_next,
    render_step,
    save_content,
    strip_unprintable,
)
from app.web.fault_messages import describe_faults

FIELDS = ("street", "city", "region", "postcode")
RULES = ("mls", "jurisdiction")
NO_MLS, BY_ADDRESS = "None, or not listed", "Based on the address"


def _choices(kind: RuleKind, none: str) -> list[tuple[str, str]]:
    return [("", none), *((rule.id, f"{rule.short_name}, {rule.area}") for rule in list_enacted_rules(kind))]


class AddressForm(FlaskForm):
    """The address in four fields, and the rules that the customer chooses."""

    street = StringField("Street address")
    city = StringField("City")
    region = StringField("State or region")
    postcode = StringField("ZIP or postal code")
    mls = SelectField("Listing service (MLS)", choices=partial(_choices, RuleKind.MLS, NO_MLS))
    jurisdiction = SelectField("Law", choices=partial(_choices, RuleKind.JURISDICTION, BY_ADDRESS))


@blueprint.get("/<draft_id>/address")
def address() -> ResponseReturnValue:
    """The form with the draft's address."""
    return _page(AddressForm(None, obj=page().content))


@blueprint.post("/<draft_id>/address")
def save_address() -> ResponseReturnValue:
    """Save the address. It is refused only by the rule that the API has too, because an address that we do not know
    may still exist.
    """
    form = AddressForm()
    try:
        typed = _read_address()
        if not is_leaving():
            _check(typed)
    except InvalidRequest as refusal:
        return _page(form, 422, refusal)
    chosen = typed.model_dump(include={*FIELDS, *RULES})
    if not save_content(lambda content: content.advertised(chosen), read_version()):
        return _page(form, 409)
    return redirect_to_next(Step.ADDRESS)


@blueprint.post("/<draft_id>/address/split")
def split_address() -> ResponseReturnValue:
    """The fields with a pasted one-line address split into them, for htmx; 204 where there is nothing to split."""
    try:
        typed = _read_address()
    except InvalidRequest:
        return "", 204
    if typed.street == " ".join(request.form.get("street", "").split()):
        return "", 204
    return render_step(Step.ADDRESS, "_address_fields", form=AddressForm(None, obj=typed))


def _read_address() -> Content:
    """Read the address, split if all of it is on one line, and the chosen rules. Raises InvalidRequest."""
    chosen = {name: request.form.get(name) or None for name in RULES}
    typed = read(Content, {name: request.form.get(name, "") for name in FIELDS} | chosen)
    is_one_line = typed.street and not (typed.city or typed.region or typed.postcode)
    return typed.with_address(typed.street) if is_one_line else typed


def _check(typed: Content) -> None:
    """Raise InvalidRequest if no order could have this address."""
    found = {problem.field: problem.message for problem in find_problems(replace(page().order, content=typed))}
    wrong = {name: found[name] for name in ("street", *RULES) if name in found}
    if wrong:
        raise InvalidRequest(wrong)


def _page(form: AddressForm, http_status: int = 200, refusal: InvalidRequest | None = None) -> ResponseReturnValue:
    for name in FIELDS:
        form[name].data = strip_unprintable(form[name].data or "")
    for name, message in (describe_faults(refusal) if refusal else {}).items():
        form[name].errors = [message]
    advertised = describe_listing(listing_of(page().order))
    return render_step(Step.ADDRESS, "address", http_status, form=form, advertised=advertised)
