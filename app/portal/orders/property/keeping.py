"""Keeping a property's photos and results longer than usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, KeepQuotaExceeded
from app.domain.lifecycle import DOWNLOADABLE, UNSETTLED
from app.domain.retention import KEPT_MONTHS, RESULTS_KEPT, Keeping, find_end
from app.models import Job
from app.portal.orders.property.blueprint import blueprint
from app.portal.visitors import visitor
from app.services.orders import properties
from app.services.retention import keeping
from app.web.context import container

_EXTENDED_FROM = timedelta(days=30)
"""The time after the choice to keep photos from which they can be kept for another KEPT_MONTHS."""


@dataclass(frozen=True, slots=True)
class KeptState:
    """What a page says about keeping. `until`: when the first of the orders is no longer kept, None before an order
    is finished. `choice`: the choice for these orders; None if nothing was chosen. `may_extend`: whether the end is
    near enough to be moved.
    """

    until: datetime | None
    choice: Keeping | None
    may_extend: bool
    months: int = KEPT_MONTHS


@blueprint.post("/<property_id>/keep")
def keep(property_id: str) -> ResponseReturnValue:
    """Keep the photos of all orders of the property."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            keeping.keep(session, visitor().account_id, property_id, here.keep_quota, here.clock())
    except (Conflict, KeepQuotaExceeded) as refused:
        flash(refused.message, "error")
    else:
        flash(f"These photos are kept for {KEPT_MONTHS} months. You can stop that at any time.")
    return redirect(url_for("properties.show", property_id=property_id, _anchor="panel"), 303)


@blueprint.get("/<property_id>/stop-keeping")
def confirm_stop(property_id: str) -> ResponseReturnValue:
    """Ask before keeping is stopped, because the photos may then be removed soon."""
    here = container()
    with here.database.read_session() as session:
        found = properties.find(session, visitor().account_id, property_id)
    ends = [
        find_end(job.settled_at, None, here.settings.retention_seconds, livemode=job.livemode)
        for job in found
        if job.settled_at and job.expired_at is None
    ]
    return render_template(
        "portal/orders/property/stop_keeping.html",
        property_id=property_id,
        address=found[0].address,
        removed_at=min(ends, default=None),
        is_over=any(end <= here.clock() for end in ends),
    )


@blueprint.post("/<property_id>/stop-keeping")
def stop(property_id: str) -> ResponseReturnValue:
    """Stop keeping the photos of the property longer than usual."""
    here = container()
    with here.database.unit_of_work() as session:
        keeping.stop(session, visitor().account_id, property_id, here.clock())
    flash("These photos are no longer kept for longer than others.")
    return redirect(url_for("properties.show", property_id=property_id, _anchor="panel"), 303)


def describe(found: Sequence[Job], now: datetime) -> KeptState | None:
    """What the page of these orders says about keeping; None if there is nothing to keep."""
    unexpired = [job for job in found if job.expired_at is None and job.livemode]
    keepable = [job for job in unexpired if job.status in {*DOWNLOADABLE, *UNSETTLED}]
    here = container()
    if not keepable or not here.keep_quota:
        return None
    seconds = here.settings.retention_seconds
    ends = [find_end(job.settled_at, job.kept_until, seconds, livemode=True) for job in keepable if job.settled_at]
    choices = {job.keeping for job in keepable}
    # The orders of a property differ only while some are not finished.
    order = (None, Keeping.STOPPED, Keeping.NO_ROOM, Keeping.WANTED, Keeping.KEPT)
    choice = next(each for each in order if each in choices)
    kept = [job.kept_until for job in keepable if job.kept_until]
    may_extend = any(end < now + RESULTS_KEPT - _EXTENDED_FROM for end in kept)
    return KeptState(min(ends, default=None), choice, may_extend)
