"""Reviewing: the queue, one order with its results, decisions, and the end of a review."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest
from app.domain.flaws import LABELS, MAX_NOTE
from app.domain.reviews import MAX_REASON, ClaimState
from app.domain.revisions import MAX_ROUNDS
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import words
from app.portal.reviews.forms import DecisionForm, ReworkForm, fill_form, list_choices
from app.portal.reviews.review_page import build_review_page
from app.portal.visitors import choose_target, require_staff, visitor
from app.services.reviews import claims, decisions, lists
from app.services.reviews.lists import Review, ReviewCounts
from app.services.revisions.queue import count_sent_back
from app.web.context import container
from engine.types.pictures import PreviewSize
from engine.types.report import Verdict

blueprint = require_staff(PageBlueprint("reviews", __name__, url_prefix="/reviews"))

KEYS = "review-keys"
"""The cookie that says whether this browser uses keyboard shortcuts; only the value OFF switches them off."""
OFF = "off"
_YEAR_SECONDS = 31_536_000


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The orders that wait for review, in the order of their deadlines."""
    now = container().clock()
    with container().database.read_session() as session:
        queue = lists.queue(session, visitor().user_id, now, request.args.get("after"))
        counts = ReviewCounts(queue.total, count_sent_back(session))
    news = words.describe_news(request.args.get("seen", type=int), queue.total) if wants_fragment() else ""
    pages = ("portal/reviews/index.html", "portal/reviews/_queue.html")
    return render_page_or_fragment(*pages, queue=queue, counts=counts, now=now, words=words, news=news)


@blueprint.get("/settled")
def settled() -> ResponseReturnValue:
    """Orders whose review is over, to look at."""
    with container().database.read_session() as session:
        archive = lists.paginate_settled(session, request.args.get("after"))
        counts = lists.count_waiting(session)
    return render_template("portal/reviews/settled.html", archive=archive, counts=counts)


@blueprint.get("/<job_id>")
def show(job_id: str) -> ResponseReturnValue:
    """One order: every result beside its photo, with everything needed to decide on it."""
    return show_page(job_id)


@blueprint.get("/<job_id>/hold")
def hold(job_id: str) -> ResponseReturnValue:
    """The fragment that shows who has claimed the order; the review page polls it."""
    here = container()
    if not wants_fragment():
        return redirect(url_for("reviews.show", job_id=job_id), 303)
    with here.database.read_session() as session:
        job = claims.get_job(session, job_id)
        whose = claims.describe_claim(session, visitor().user_id, job, here.clock())
    values = {"job": job, "hold": whose, "now": here.clock(), "words": words, "claim_states": ClaimState}
    return render_template("portal/reviews/_hold.html", **values)


@blueprint.post("/<job_id>/claim")
def claim(job_id: str) -> ResponseReturnValue:
    """Claim the order for a while; the review page shows the claim, or who else has claimed it."""
    try:
        with container().database.unit_of_work() as session:
            claims.claim(session, visitor().user_id, job_id, container().clock())
    except Conflict as refused:
        return show_page(job_id, refusal=refused.message, http_status=409)
    return redirect(url_for("reviews.show", job_id=job_id, _anchor="review"), 303)


@blueprint.post("/<job_id>/release")
def release(job_id: str) -> ResponseReturnValue:
    """End the claim, so that other reviewers can take the order."""
    try:
        with container().database.unit_of_work() as session:
            claims.release(session, visitor().user_id, job_id, container().clock())
    except Conflict as refused:
        return show_page(job_id, refusal=refused.message, http_status=409)
    flash("Released. Your decisions are kept for the next reviewer.")
    return redirect(url_for("reviews.index"), 303)


@blueprint.post("/<job_id>/results/<image_id>")
def decide(job_id: str, image_id: str) -> ResponseReturnValue:
    """Approve or reject one result, and go on to the next undecided one."""
    form = DecisionForm()
    if not form.validate():
        return show_page(job_id, image_id, form, http_status=422)
    try:
        with container().database.unit_of_work() as session:
            decisions.decide(session, job_id, image_id, form.decision(visitor().user_id), container().clock())
            number, waiting = lists.next_undecided(session, job_id, image_id)
    except InvalidRequest as refused:
        form.add_errors(refused)
        return show_page(job_id, image_id, form, http_status=422)
    except Conflict as refused:
        return show_page(job_id, image_id, form, refused.message, 409)
    anchor = "review" if waiting else "end"
    return redirect(url_for("reviews.show", job_id=job_id, photo=number, _anchor=anchor), 303)


@blueprint.get("/<job_id>/finish")
def confirm(job_id: str) -> ResponseReturnValue:
    """Ask before the review is finished, and show the effect. Only for the reviewer with the claim, and once all
    results are decided.
    """
    found = _read(job_id)
    if not found.claim.is_mine:
        return show_page(job_id, refusal=found.claim.refusal, http_status=409)
    if found.effect.next_status is None:
        return show_page(job_id, refusal=f"Not yet: {words.describe_effect(found.effect)}", http_status=409)
    rejected = [photo for photo in found.photos if photo.result and photo.result.verdict is Verdict.REJECTED]
    return render_template("portal/reviews/confirm.html", review=found, rejected=rejected, words=words)


@blueprint.post("/<job_id>/finish")
def finish(job_id: str) -> ResponseReturnValue:
    """End the review, and go back to the queue."""
    version = request.form.get("version", "")
    try:
        with container().database.unit_of_work() as session:
            done = decisions.finish(session, visitor().user_id, job_id, version, container().clock())
            address = claims.get_job(session, job_id).address
    except Conflict as refused:
        return show_page(job_id, refusal=refused.message, http_status=409)
    flash(f"Finished: {address}. {words.describe_effect(done)}")
    return redirect(url_for("reviews.index"), 303)


@blueprint.post("/keys")
def keys() -> ResponseReturnValue:
    """Switch the keyboard shortcuts of the review page on or off for this browser."""
    response = redirect(choose_target(request.form.get("back")), 303)
    chosen = OFF if request.form.get("keys") == OFF else "on"
    response.set_cookie(KEYS, chosen, _YEAR_SECONDS, secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def _read(job_id: str) -> Review:
    here = container()
    with here.database.read_session() as session:
        return lists.review(session, visitor().user_id, job_id, here.clock())


def show_page(
    job_id: str,
    image_id: str = "",
    form: DecisionForm | None = None,
    refusal: str = "",
    http_status: int = 200,
    rework_form: ReworkForm | None = None,
) -> ResponseReturnValue:
    """The review page, at the photo of the query string or at the result `image_id` of a form that was sent."""
    review = _read(job_id)
    shown = build_review_page(review, request.args.get("photo", type=int), image_id)
    result = shown.item.result
    form = form or (fill_form(result) if result else None)
    rework_form = rework_form or ReworkForm(formdata=None)
    rework_form.left_out.choices = list_choices(shown.applied) if len(shown.applied) > 1 else []
    looks = rework_form.offer_looks(shown.request, shown.applied)
    if form is not None:
        form.refunded_steps.choices = list_choices(shown.refundable_steps)
    page = render_template(
        "portal/reviews/show.html",
        review=review,
        shown=shown,
        form=form,
        rework_form=rework_form,
        looks=looks,
        max_rounds=MAX_ROUNDS,
        max_note=MAX_NOTE,
        refusal=refusal,
        now=container().clock(),
        words=words,
        flaw_labels=LABELS,
        sizes=PreviewSize,
        claim_states=ClaimState,
        max_reason=MAX_REASON,
        keys_on=request.cookies.get(KEYS) != OFF,
        off=OFF,
    )
    return page, http_status
