"""The list of purchases, and the receipt of one purchase, a page made to be printed."""

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.domain.payments import Provider
from app.portal.credits import words
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.billing import receipts
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("receipts", __name__, url_prefix="/credits/purchases"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's purchases, newest first, each with its receipt once it is paid."""
    with container().database.read_session() as session:
        page = receipts.paginate(session, visitor().account_id, request.args.get("before", ""))
    return render_template("portal/credits/receipts/index.html", page=page, tags=words.describe_purchase)


@blueprint.get("/<purchase_id>/receipt")
def show(purchase_id: str) -> ResponseReturnValue:
    """The receipt of a paid purchase. Raises NotFound."""
    with container().database.read_session() as session:
        paid = receipts.get(session, visitor().account_id, purchase_id)
    demo = paid.purchase.provider is Provider.DEMO
    return render_template(
        "portal/credits/receipts/show.html", paid=paid, purchase=paid.purchase, receipt=paid.receipt, demo=demo
    )
