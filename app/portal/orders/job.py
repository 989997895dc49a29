"""One order: its live progress, and its outcome."""

from datetime import timedelta
from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.lifecycle import DOWNLOADABLE
from app.portal.figures import describe_figures
from app.portal.fragments import render_page_or_fragment
from app.portal.orders import words as job_words
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import durations, job_pages, reorders
from app.services.orders.job_pages import JobPage
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("jobs", __name__, url_prefix="/orders"))

FRESH = timedelta(minutes=2)
"""So long after its creation an order is asked for often: small ones are done by then."""
FRESH_POLL_SECONDS, POLL_SECONDS = 5, 15


@blueprint.get("/<job_id>")
def show(job_id: str) -> ResponseReturnValue:
    """The order."""
    return _render(job_id)


@blueprint.get("/<job_id>/card")
def card(job_id: str) -> ResponseReturnValue:
    """The same for htmx, which asks again and again while the order moves; `state` is what its page shows."""
    return _render(job_id)


@blueprint.post("/<job_id>/again")
def again(job_id: str) -> ResponseReturnValue:
    """Begin a new order with the same photos."""
    here = container()
    draft_id = reorders.again(
        here.database, here.storage, visitor().account_id, job_id, here.upload_quota, here.clock()
    )
    flash("The photos and everything you chose are here. Change what you like before you place the order.")
    return redirect(url_for("drafts.show", draft_id=draft_id), 303)


def _render(job_id: str) -> ResponseReturnValue:
    with container().database.read_session() as session:
        page = job_pages.read(session, visitor().account_id, job_id)
        usual = durations.estimate(session, page.job, container().clock())
    moved = request.args.get("state", page.job.status) != page.job.status
    return render_page_or_fragment(
        "portal/orders/job/page.html",
        "portal/orders/job/_answer.html",
        page=page,
        job=page.job,
        moved=moved,
        usual=job_words.describe_usual(usual) if usual else "",
        **_describe(page),
    )


def _describe(page: JobPage) -> dict[str, Any]:
    here = container()
    now, kept_for = here.clock(), timedelta(seconds=here.settings.retention_seconds)
    fresh = now - page.job.created_at < FRESH
    return {
        "now": now,
        "poll_seconds": FRESH_POLL_SECONDS if fresh else POLL_SECONDS,
        "kept_for": kept_for,
        "kept_until": page.job.settled_at + kept_for if page.job.settled_at else None,
        "downloadable": page.job.status in DOWNLOADABLE,
        "words": job_words,
        "describe_figures": describe_figures,
    }
