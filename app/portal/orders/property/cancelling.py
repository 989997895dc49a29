"""Cancelling an order, after a page that says what is refunded."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_
from app.portal.orders.property.blueprint import blueprint
from app.portal.visitors import visitor
from app.services.photos import cancellations
from app.services.photos.cancellations import CancelOutcome
from app.web.context import container

TOO_LATE = "Nothing was cancelled: work on all photos has begun or is over."


@blueprint.get("/<property_id>/cancel")
def confirm_cancel(property_id: str) -> ResponseReturnValue:
    """Ask before the order is cancelled, and say what is refunded."""
    with container().database.read_session() as session:
        effect, job = cancellations.preview(session, visitor().account_id, property_id)
    return render_template("portal/orders/property/cancel.html", job=job, effect=effect)


@blueprint.post("/<property_id>/cancel")
def cancel(property_id: str) -> ResponseReturnValue:
    """Cancel the photos of the order that were not begun."""
    here = container()
    with here.database.unit_of_work() as session:
        whose, mode = (visitor().account_id, property_id), here.settings.qc_mode
        outcome, job = cancellations.cancel(session, *whose, here.clock(), mode)
        refunded = f"Refunded to your balance: {credits_(job.credits_refunded)}."
    if outcome is CancelOutcome.CANCELLED:
        flash(f"The order is cancelled. {refunded}")
    elif job.cancelled_at is not None:
        flash(f"Photos on which work had not begun are cancelled; the others will be completed. {refunded}")
    else:
        flash(TOO_LATE, "error")
    return redirect(url_for("properties.show", property_id=property_id, _anchor="panel"), 303)
