"""Payments for staff: purchases with open points, disputed ones or all; and closing the open points of one."""

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_, money
from app.domain.welcome import MAX_GIFTS_PER_HOUR
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.staff.confirmation import Confirmation, confirm
from app.portal.staff.forms import NoteForm
from app.portal.visitors import require_staff
from app.services.billing import purchase_list, welcome
from app.services.billing.purchase_list import PurchaseFilter
from app.services.staff import payments as staff_payments
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_payments", __name__, url_prefix="/staff/payments"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Purchases, the newest first."""
    shown, after = (
        query_strings.read_choice("show", PurchaseFilter, PurchaseFilter.ATTENTION),
        request.args.get("after"),
    )
    here = container()
    with here.database.read_session() as session:
        page = purchase_list.paginate(session, shown, after)
        welcomed = welcome.count_given(session, here.clock())
    values = {"shown": shown, "kinds": PurchaseFilter, "after": after, "points": staff_payments.list_open_points}
    values |= {"welcomed": welcomed, "most_welcomed": MAX_GIFTS_PER_HOUR}
    return render_template("portal/staff/payments.html", page=page, words=staff_words, **values)


@blueprint.route("/<purchase_id>/settle", methods=FORM_METHODS)
def settle(purchase_id: str) -> ResponseReturnValue:
    """Close the open points of a purchase."""
    form = NoteForm()
    with container().database.read_session() as session:
        purchase, owner = staff_payments.describe(session, purchase_id)
    buyer = staff_words.name_owner(owner.user)
    owed = f"{credits_(purchase.credits_owed)} owed are forgiven: they are not taken from the account later."
    effects = (
        f"The purchase is {purchase.id}.",
        *(f"Open: {each}" for each in staff_payments.list_open_points(purchase)),
        "It leaves the list of purchases that need attention.",
        *((owed,) if purchase.credits_owed else ()),
        f"The balance of {buyer} stays as it is, and so does a flag on the account.",
    )
    title = f"Settle the purchase of {credits_(purchase.credits)} for {money(purchase.price_cents)} by {buyer}?"
    back = url_for("staff_payments.index")
    page = Confirmation("Payments", back, "Payments", title, effects, "Mark as settled", "The purchase is settled.")
    return confirm(page, form, lambda actions: actions.settle(purchase_id, form.reason.data or ""))
