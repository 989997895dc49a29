"""Pages on which a customer gives hints about a photo, and sends its result back with them."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField, TextAreaField

from app.domain.errors import Conflict, InvalidRequest, RetentionEnded
from app.domain.flaws import LABELS, MAX_NOTE, Flaw, SendBackInput, list_flaws
from app.domain.hint_questions import guess_flaw
from app.portal.forms import add_errors, clean_text
from app.portal.hints import result_desk
from app.portal.hints.forms import find_part
from app.portal.hints.result_desk import ResultDesk
from app.portal.orders.property import photo as photo_page
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos.hinted_results import HintedResult
from app.services.revisions import revisions
from app.web.context import container
from engine.types.outlook import HintPart
from engine.types.report import Verdict

blueprint = for_signed_in(
    PageBlueprint("result_hints", __name__, url_prefix="/orders/<job_id>/results/<image_id>/hints")
)
FIELDS = ("reason", "message")


class ShownForm(FlaskForm):
    """What is wrong with the result, sent together with the hints; the service validates it."""

    reason = SelectField("What is wrong?", choices=[], validate_choice=False)
    message = TextAreaField("In your own words (optional)", filters=[clean_text])


@blueprint.get("")
def first(job_id: str, image_id: str) -> ResponseReturnValue:
    """Redirect to the first question about the photo."""
    return _refuse(job_id, image_id) or result_desk.redirect_to_first(_open(job_id, image_id))


@blueprint.get("/<part>")
def show(job_id: str, image_id: str, part: str) -> ResponseReturnValue:
    """One question about the photo."""
    if refusal := _refuse(job_id, image_id):
        return refusal
    desk = _open(job_id, image_id, part)
    return result_desk.ask(desk, find_part(part, desk.hinted.photo.type))


@blueprint.post("/<part>")
def create(job_id: str, image_id: str, part: str) -> ResponseReturnValue:
    """Send the result back with the hints, or show another question first."""
    here, form = container(), ShownForm()
    desk = _open(job_id, image_id, part, form)
    asked = find_part(part, desk.hinted.photo.type)
    try:
        shown = result_desk.read_shown(desk, asked)
        if result_desk.wants_next():
            return result_desk.ask_next(desk, shown)
        said = SendBackInput(form.reason.data or "", form.message.data or "", hints=shown)
        with here.database.unit_of_work() as session:
            revisions.send_back(session, visitor().account_id, job_id, image_id, said, here.clock())
    except (Conflict, InvalidRequest) as refused:
        own = {name: text for name, text in (refused.details or {}).items() if name in FIELDS}
        add_errors(form, InvalidRequest(own if isinstance(refused, InvalidRequest) else {}))
        return result_desk.ask_again(desk, asked, refused)
    flash("Sent back with what you showed. You pay nothing for it.")
    return redirect(desk.back_url, 303)


def _find(job_id: str, image_id: str) -> HintedResult:
    here = container()
    with here.database.read_session() as session:
        return revisions.get_hinted(session, visitor().account_id, job_id, image_id, here.clock())


def _refuse(job_id: str, image_id: str) -> ResponseReturnValue | None:
    """A redirect to the photo with the reason why its result cannot be sent back; None if it can."""
    try:
        hinted = _find(job_id, image_id)
        with container().database.read_session() as session:
            obstacle = revisions.find_obstacle(session, hinted.result.id)
    except RetentionEnded as refused:
        obstacle = refused.message
    if obstacle is None:
        return None
    flash(obstacle, "error")
    return redirect(photo_page.url_of_image(job_id, image_id, "not-right"), 303)


def _open(job_id: str, image_id: str, part: str = "", form: ShownForm | None = None) -> ResultDesk:
    hinted = _find(job_id, image_id)
    report, photo_id = hinted.result.report, hinted.photo.id
    has_result = hinted.result.verdict is Verdict.APPROVED
    usual = guess_flaw(HintPart(part), report) if part in (*HintPart,) else None
    form = form or ShownForm(formdata=None, data={"reason": usual if has_result else Flaw.NO_RESULT})
    offered = list_flaws(report) if has_result else [Flaw.NO_RESULT]
    form.reason.choices = [(each.value, LABELS[each]) for each in offered]
    return ResultDesk(
        hinted,
        lambda asked: url_for("result_hints.show", job_id=job_id, image_id=image_id, part=asked),
        lambda size: url_for("pictures.original", job_id=job_id, photo_id=photo_id, size=size),
        photo_page.url_of_image(job_id, image_id, "not-right"),
        {
            "save_label": "Send it back with this",
            "without_label": "Send it back without it",
            "fields": "portal/orders/property/_said_with_hints.html",
            "form": form,
            "has_reason": True,
            "max_note": MAX_NOTE,
            "left_out": [each for each in report.declined if each not in hinted.edit_request.steps],
        },
    )
