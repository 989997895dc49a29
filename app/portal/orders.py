"""The list of orders: where customers begin."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.portal.visitors import for_signed_in

blueprint = for_signed_in(Blueprint("orders", __name__, url_prefix="/orders"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's orders, newest first."""
    return render_template("portal/orders/index.html")
