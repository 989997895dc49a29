"""Test mode: entering and leaving it, and refilling its credits."""

from flask import flash, redirect, session, url_for
from flask.typing import ResponseReturnValue

from app.portal import account_modes
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services import sandboxes
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("test_mode", __name__, url_prefix="/test-mode"))


@blueprint.post("/enter")
def enter() -> ResponseReturnValue:
    """Act for the account's sandbox, which is made if there is none, until this browser leaves test mode."""
    account_id = visitor().account_id
    with container().database.unit_of_work() as unit:
        sandboxes.get_or_create(unit, account_id, container().clock())
    account_modes.enter(account_id)
    return _go_on()


@blueprint.post("/leave")
def leave() -> ResponseReturnValue:
    """Act for the live account again."""
    account_modes.leave()
    return _go_on()


@blueprint.post("/credits")
def refill() -> ResponseReturnValue:
    """Set the balance of test credits to its first value again."""
    now = container().clock()
    with container().database.unit_of_work() as unit:
        sandboxes.refill(unit, sandboxes.get_or_create(unit, visitor().account_id, now).id, now)
    flash("The test credits are refilled.")
    return redirect(url_for("credits.index"), 303)


def _go_on() -> ResponseReturnValue:
    # Forms of pages that are open in the other mode must not do anything in this one.
    session.pop("csrf_token", None)
    return redirect(url_for("keys.index"), 303)
