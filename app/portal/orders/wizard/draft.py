"""Begin a draft, continue it at its first incomplete page, and discard it."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.domain.drafts import Step
from app.portal.orders.wizard.steps import PAGES, blueprint, draft_id, page, render_step, url_of
from app.portal.visitors import visitor
from app.services.orders import drafts
from app.web.context import container


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Begin a draft, and redirect to its first page."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.begin(session, visitor().account_id, here.upload_quota, here.clock())
    return redirect(url_for("drafts.address", draft_id=draft.id), 303)


@blueprint.get("/<draft_id>")
def show() -> ResponseReturnValue:
    """Redirect to the first page that is not complete, else to the board."""
    problems = [problem for problem in page().list_problems() if problem.step in PAGES]
    return redirect(url_of(problems[0]) if problems else url_for("board.show"), 303)


@blueprint.get("/<draft_id>/delete")
def confirm_delete() -> ResponseReturnValue:
    """Ask before the draft and its photos are discarded."""
    return render_step(Step.ADDRESS, "delete")


@blueprint.post("/<draft_id>/delete")
def delete() -> ResponseReturnValue:
    """Discard the draft with its photos."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        drafts.discard(session, here.storage, draft)
    flash("The order was discarded.")
    return redirect(url_for("orders.index"), 303)
