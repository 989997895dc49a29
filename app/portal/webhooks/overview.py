"""The list of webhooks, each with how it does, and what can be done with one by a single button."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.webhooks import HELD_KEPT, MAX_WEBHOOKS
from app.portal.fragments import wants_fragment
from app.portal.snippets import list_receivers
from app.portal.visitors import visitor
from app.portal.webhooks.deliveries import outcome_of
from app.portal.webhooks.doors import blueprint, written
from app.services import delivery_log, webhook_pages, webhooks
from app.services.webhook_health import Condition
from app.web.context import container


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Every webhook of the account."""
    with container().database.reading() as session:
        rows = webhook_pages.rows(session, visitor().account_id, container().clock())
    failing = [row.webhook for row in rows if row.condition is Condition.FAILING]
    return written("index", rows=rows, failing=failing, most=MAX_WEBHOOKS)


@blueprint.get("/<webhook_id>")
def show(webhook_id: str) -> ResponseReturnValue:
    """One webhook and how it does."""
    return _page(webhook_id)


@blueprint.post("/<webhook_id>/off")
def switch_off(webhook_id: str) -> ResponseReturnValue:
    """Stop sending."""
    with container().database.unit_of_work() as session:
        webhooks.switch_off(session, visitor().account_id, webhook_id)
    flash("The webhook is off. What happens from now on is held for you.")
    return _back(webhook_id)


@blueprint.post("/<webhook_id>/on")
def switch_on(webhook_id: str) -> ResponseReturnValue:
    """Send again what happens from now on."""
    with container().database.unit_of_work() as session:
        webhooks.switch_on(session, visitor().account_id, webhook_id, container().clock())
    flash("The webhook is on.")
    return _back(webhook_id)


@blueprint.post("/<webhook_id>/release")
def release(webhook_id: str) -> ResponseReturnValue:
    """Send what was held."""
    try:
        with container().database.unit_of_work() as session:
            count = delivery_log.release_held(session, visitor().account_id, webhook_id, container().clock())
    except Conflict as refused:
        return _page(webhook_id, refused.message, 409)
    one = "One held delivery is on its way."
    flash(one if count == 1 else f"{count:,} held deliveries are on their way." if count else "Nothing was held.")
    return redirect(url_for("deliveries.index", webhook_id=webhook_id), 303)


@blueprint.post("/<webhook_id>/test")
def send_test(webhook_id: str) -> ResponseReturnValue:
    """Send a test event; its answer comes to where htmx asks from, or on the delivery's own page."""
    try:
        with container().database.unit_of_work() as session:
            sent = webhooks.send_test(session, visitor().account_id, webhook_id, container().clock())
    except Conflict as refused:
        # htmx shows the answers of forms that were not good; a 409 it would drop.
        return (
            (written("_refused", told=refused.message), 422) if wants_fragment() else _refused(webhook_id, refused)
        )
    return (
        outcome_of(sent.id) if wants_fragment() else redirect(url_for("deliveries.show", delivery_id=sent.id), 303)
    )


@blueprint.get("/<webhook_id>/delete")
def leave(webhook_id: str) -> ResponseReturnValue:
    """Ask once more, saying what goes."""
    here = container()
    with here.database.reading() as session:
        sight = webhook_pages.sight(session, visitor().account_id, webhook_id, here.clock())
    return written("delete", sight=sight, webhook=sight.webhook)


@blueprint.post("/<webhook_id>/delete")
def delete(webhook_id: str) -> ResponseReturnValue:
    """Forget the webhook."""
    with container().database.unit_of_work() as session:
        webhooks.delete(session, visitor().account_id, webhook_id, container().clock())
    flash("The webhook is deleted. Nothing more is sent there.")
    return redirect(url_for("webhooks.index"), 303)


def _page(webhook_id: str, told: str = "", http_status: int = 200) -> ResponseReturnValue:
    here = container()
    with here.database.reading() as session:
        sight = webhook_pages.sight(session, visitor().account_id, webhook_id, here.clock())
    values = {"sight": sight, "webhook": sight.webhook, "health": sight.health, "told": told}
    return written(
        "show", **values, conditions=Condition, held_kept=HELD_KEPT, receivers=list_receivers()
    ), http_status


def _refused(webhook_id: str, refused: Conflict) -> ResponseReturnValue:
    return _page(webhook_id, refused.message, 409)


def _back(webhook_id: str) -> ResponseReturnValue:
    return redirect(url_for("webhooks.show", webhook_id=webhook_id), 303)
