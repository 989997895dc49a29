"""Pages that became parts of the board: their addresses lead there."""

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from app.portal.orders.wizard.steps import blueprint


@blueprint.get("/<draft_id>/photos")
def photos() -> ResponseReturnValue:
    """To the photos."""
    return redirect(url_for("board.show", _anchor="photos"), 303)


@blueprint.get("/<draft_id>/enhancements")
def enhancements() -> ResponseReturnValue:
    """To what is done to all."""
    return redirect(url_for("board.show", _anchor="effects"), 303)


@blueprint.get("/<draft_id>/enhancements/each")
def each() -> ResponseReturnValue:
    """To the photos."""
    return redirect(url_for("board.show", _anchor="photos"), 303)


@blueprint.get("/<draft_id>/review")
def review() -> ResponseReturnValue:
    """To the price and the button."""
    return redirect(url_for("board.show", _anchor="basket"), 303)
