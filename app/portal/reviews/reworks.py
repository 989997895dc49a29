"""Results that a reviewer has made again before delivery: beginning it, following it, stopping it, undoing it."""

from collections.abc import Callable

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.portal.forms import add_errors
from app.portal.fragments import wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import views, words
from app.portal.reviews.forms import ReworkForm
from app.portal.reviews.review_page import build_review_page
from app.portal.visitors import require_staff, visitor
from app.services.reviews import decisions, lists
from app.web.context import container

blueprint = require_staff(
    PageBlueprint("reworks", __name__, url_prefix="/reviews/<job_id>/results/<image_id>/rework")
)


@blueprint.get("")
def show(job_id: str, image_id: str) -> ResponseReturnValue:
    """Whether the result is still being made again, polled by htmx; other clients are redirected to the page."""
    with container().database.read_session() as session:
        review = lists.review(session, visitor().user_id, job_id, container().clock())
    shown = build_review_page(review, None, image_id)
    if shown.item.result is None or shown.item.result.id != image_id:
        raise NotFound
    if not wants_fragment():
        return redirect(_address(job_id, shown.item.number), 303)
    values = {"job": review.job, "item": shown.item, "deciding": review.claim.is_mine, "words": words}
    return render_template("portal/reviews/_making.html", **values)


@blueprint.post("")
def create(job_id: str, image_id: str) -> ResponseReturnValue:
    """Have the result made again, and go on to the next undecided one."""
    form, here = ReworkForm(), container()
    try:
        arguments = (visitor().user_id, job_id, image_id, form.choice, form.why.data or "")
        with here.database.unit_of_work() as session:
            decisions.make_again(session, *arguments, here.clock())
            number, _ = lists.next_undecided(session, job_id, image_id)
    except InvalidRequest as refused:
        add_errors(form, refused)
        return views.show_page(job_id, image_id, rework_form=form, http_status=422)
    except Conflict as refused:
        return views.show_page(job_id, image_id, None, refused.message, 409, form)
    flash("It is being redone, and returns to this review.")
    return redirect(_address(job_id, number), 303)


@blueprint.post("/stop")
def stop(job_id: str, image_id: str) -> ResponseReturnValue:
    """Stop making the result again: it keeps its picture."""
    arguments = (visitor().user_id, job_id, image_id)
    return _act(
        job_id,
        image_id,
        lambda session: decisions.stop_remake(session, *arguments, container().clock()),
        "Stopped. The result keeps its picture.",
    )


@blueprint.post("/<revision_id>/undo")
def undo(job_id: str, image_id: str, revision_id: str) -> ResponseReturnValue:
    """Put the previous picture back in the result's place."""
    arguments = (visitor().user_id, job_id, image_id, revision_id)
    return _act(
        job_id,
        image_id,
        lambda session: decisions.undo_remake(session, *arguments, container().clock()),
        "The previous picture is used again.",
    )


def _act(job_id: str, image_id: str, act: Callable[[Session], None], message: str) -> ResponseReturnValue:
    here = container()
    try:
        with here.database.unit_of_work() as session:
            act(session)
            review = lists.review(session, visitor().user_id, job_id, here.clock())
    except Conflict as refused:
        return views.show_page(job_id, image_id, refusal=refused.message, http_status=409)
    flash(message)
    return redirect(_address(job_id, build_review_page(review, None, image_id).item.number), 303)


def _address(job_id: str, number: int) -> str:
    return url_for("reviews.show", job_id=job_id, photo=number, _anchor="review")
