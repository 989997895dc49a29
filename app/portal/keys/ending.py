"""The end of a key: asked first, then at once."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.portal.keys.doors import blueprint, show
from app.portal.keys.overview import own
from app.portal.visitors import visitor
from app.services import keys
from app.web.context import container


@blueprint.get("/<key_id>/revoke")
def confirm_revoke(key_id: str) -> ResponseReturnValue:
    """Which key it is, and when it was last used."""
    return show("revoke", key=own(key_id))


@blueprint.post("/<key_id>/revoke")
def revoke(key_id: str) -> ResponseReturnValue:
    """End the key."""
    here = container()
    with here.database.unit_of_work() as session:
        key = keys.revoke(session, visitor().account_id, key_id, here.clock())
    flash(f"The key “{key.name}” is revoked. Nothing opens with it any more.")
    return redirect(url_for("keys.index"), 303)
