"""Pages on which a reviewer gives hints about a photo, to have its result made again before delivery."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import TextAreaField

from app.domain.errors import Conflict, InvalidRequest
from app.domain.flaws import MAX_NOTE
from app.domain.revisions import RemakeChoice
from app.portal.forms import add_errors, clean_text
from app.portal.hints import result_desk
from app.portal.hints.forms import find_part
from app.portal.hints.result_desk import ResultDesk
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import views, words
from app.portal.visitors import require_staff, visitor
from app.services.reviews import decisions, lists
from app.web.context import container

blueprint = require_staff(
    PageBlueprint("review_hints", __name__, url_prefix="/reviews/<job_id>/results/<image_id>/hints")
)


class ReworkNoteForm(FlaskForm):
    """The reviewer's note that is sent with the hints."""

    why = TextAreaField("What is wrong (optional)", filters=[clean_text])


@blueprint.get("")
def first(job_id: str, image_id: str) -> ResponseReturnValue:
    """Redirect to the first question about the photo."""
    return _refuse(job_id, image_id) or result_desk.redirect_to_first(_open(job_id, image_id))


@blueprint.get("/<part>")
def show(job_id: str, image_id: str, part: str) -> ResponseReturnValue:
    """One question about the photo."""
    if refusal := _refuse(job_id, image_id):
        return refusal
    desk = _open(job_id, image_id)
    return result_desk.ask(desk, find_part(part, desk.hinted.photo.type))


@blueprint.post("/<part>")
def create(job_id: str, image_id: str, part: str) -> ResponseReturnValue:
    """Have the result made again with the hints, and go on to the next undecided result; or show another question
    first.
    """
    here, form = container(), ReworkNoteForm()
    desk = _open(job_id, image_id, form)
    asked = find_part(part, desk.hinted.photo.type)
    try:
        shown = result_desk.read_shown(desk, asked)
        if result_desk.wants_next():
            return result_desk.ask_next(desk, shown)
        arguments = (visitor().user_id, job_id, image_id, RemakeChoice(hints=shown), form.why.data or "")
        with here.database.unit_of_work() as session:
            decisions.make_again(session, *arguments, here.clock())
            number, _ = lists.next_undecided(session, job_id, image_id)
    except (Conflict, InvalidRequest) as refused:
        if "why" in (refused.details or {}):
            add_errors(form, InvalidRequest({"why": str((refused.details or {})["why"])}))
        return result_desk.ask_again(desk, asked, refused)
    flash("It is being redone with what you showed, and returns to this review.")
    return redirect(url_for("reviews.show", job_id=job_id, photo=number, _anchor="review"), 303)


def _refuse(job_id: str, image_id: str) -> ResponseReturnValue | None:
    """The review page with the reason why the result cannot be made again; None if it can."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            decisions.require_remakable(session, visitor().user_id, job_id, image_id, here.clock())
    except Conflict as refused:
        return views.show_page(job_id, image_id, refusal=refused.message, http_status=409)
    return None


def _open(job_id: str, image_id: str, form: ReworkNoteForm | None = None) -> ResultDesk:
    with container().database.read_session() as session:
        hinted = decisions.get_hinted(session, job_id, image_id)
        number = lists.number_of(session, hinted.photo)
    photo_id = hinted.photo.id
    return ResultDesk(
        hinted,
        lambda part: url_for("review_hints.show", job_id=job_id, image_id=image_id, part=part),
        lambda size: url_for("pictures.original", job_id=job_id, photo_id=photo_id, size=size),
        url_for("reviews.show", job_id=job_id, photo=number, _anchor="review"),
        {
            "save_label": "Redo it with this",
            "without_label": "Redo it without it",
            "fields": "portal/reviews/_note.html",
            "form": form or ReworkNoteForm(formdata=None),
            "max_note": MAX_NOTE,
            "due": words.describe_deadline(hinted.job.deadline_at, container().clock()),
        },
        is_for_staff=True,
    )
