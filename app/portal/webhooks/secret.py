"""A webhook's signing secret: how it stands, replaced by a new one, and the new one put in force."""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.webhooks import ROTATION
from app.portal.snippets import list_receivers
from app.portal.visitors import visitor
from app.portal.webhooks.doors import blueprint, written
from app.services import webhooks
from app.web.context import container


@blueprint.get("/<webhook_id>/secret")
def secret(webhook_id: str) -> ResponseReturnValue:
    """Which secrets sign, never what they are."""
    return _page(webhook_id)


@blueprint.post("/<webhook_id>/secret")
def rotate(webhook_id: str) -> ResponseReturnValue:
    """Make a new secret and show it, this once. The form says which secrets it was shown for: it works once."""
    here, version = container(), request.form.get("version", "")
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            webhook, made = webhooks.rotate(session, here.vault, account_id, webhook_id, now, version=version)
    except Conflict as refused:
        return _page(webhook_id, refused.message, 409)
    until = webhooks.rotation_until(webhook, now)
    return written("secret_once", webhook=webhook, secret=made, until=until, receivers=list_receivers())


@blueprint.post("/<webhook_id>/secret/switch")
def switch_secret(webhook_id: str) -> ResponseReturnValue:
    """Let the new secret alone sign from now on."""
    try:
        with container().database.unit_of_work() as session:
            webhooks.switch_secret(session, visitor().account_id, webhook_id)
    except Conflict:
        return _page(webhook_id, "No new secret is waiting: the one in force signs alone.", 409)
    flash("The new secret signs alone from now on. Your receiver can forget the old one.")
    return redirect(url_for("webhooks.secret", webhook_id=webhook_id), 303)


def _page(webhook_id: str, told: str = "", http_status: int = 200) -> ResponseReturnValue:
    here = container()
    with here.database.reading() as session:
        webhook = webhooks.own(session, visitor().account_id, webhook_id)
    until, version = webhooks.rotation_until(webhook, here.clock()), webhooks.secrets_version(webhook)
    values = {"webhook": webhook, "until": until, "version": version, "told": told, "rotation": ROTATION}
    return written("secret", **values, receivers=list_receivers()), http_status
