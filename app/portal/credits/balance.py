"""Credits: the balance, buying more, the usage of each month, and the ledger, as a page and as a file."""

from typing import Any

from flask import Response, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.limits import TEST_CREDITS
from app.models import Draft
from app.portal.credits import ledger, purchase_form, words
from app.portal.credits import usage as usage_chart
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.billing import ledger_pages, receipts, usage
from app.services.orders import drafts, order_list
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("credits", __name__, url_prefix="/credits"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Everything about the account's credits; the query string selects the lines of the ledger."""
    form, account_id = ledger.read_form(), visitor().account_id
    with container().database.read_session() as session:
        page = (
            None if form.faults else ledger_pages.paginate(session, account_id, form.filter, ledger.read_cursor())
        )
        account_values = _describe_account(session, account_id)
    values = {"buy": purchase_form.build_form(), "form": form, "page": page, "kinds": words.LEDGER_KINDS}
    values["test_credits"] = TEST_CREDITS
    html = render_template("portal/credits/index.html", **values, **account_values)
    return make_response(html, 422 if form.faults else 200)


@blueprint.get("/ledger.csv")
def export() -> ResponseReturnValue:
    """The lines that the query string selects, as a file. Each batch of lines is read in a new session, so that a
    slow client does not keep a database connection.
    """
    here = container()
    batches = ledger_pages.read_batches(here.database, visitor().account_id, ledger.read_filter())
    response = Response(ledger.write_csv(batches), content_type="text/csv; charset=utf-8")
    name = f"brightlist-credits-{here.clock():%Y-%m-%d}.csv"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _describe_account(session: Session, account_id: str) -> dict[str, Any]:
    """The values around the ledger: purchases under way, the draft that lacks credits, the usage by month."""
    now = container().clock()
    months = usage.sum_by_month(session, account_id, now)
    last_price = order_list.get_last_price(session, account_id)
    return {
        "under_way": receipts.list_undecided(session, account_id, now),
        "tags": words.describe_purchase,
        "draft": _find_draft(session, account_id, request.args.get("draft", "")),
        "last_price": last_price,
        "low": last_price is not None and visitor().credits < last_price,
        "months": months,
        "chart": usage_chart.draw_chart(months),
    }


def _find_draft(session: Session, account_id: str, draft_id: str) -> Draft | None:
    """The draft that credits are bought for; None if the account has no such draft, or it was placed."""
    try:
        draft = drafts.get(session, account_id, draft_id)
    except NotFound:
        return None
    return draft if draft.job_id is None else None
