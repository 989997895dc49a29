"""Results sent back that wait for a person: the list, and one result with everything that a reviewer may do."""

from collections.abc import Callable

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import StringField, TextAreaField

from app.domain.errors import Conflict, InvalidRequest
from app.domain.flaws import LABELS
from app.domain.reviews import MAX_REASON
from app.domain.revisions import MAX_ROUNDS, RevisionStatus
from app.portal.figures import describe_figures
from app.portal.forms import add_errors, clean_text
from app.portal.orders.revision_words import NO_RESULT_OUTCOMES, OUTCOME_WORDS
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import words
from app.portal.reviews.forms import MakeAgainForm, list_choices
from app.portal.visitors import require_staff, visitor
from app.services.reviews import lists
from app.services.revisions import queue
from app.services.revisions.queue import SentBackView
from app.web.context import container

blueprint = require_staff(PageBlueprint("sent_back", __name__, url_prefix="/reviews/sent-back"))


class VersionedMakeForm(MakeAgainForm):
    """The form of changes to make when the result is made again. `version`: the version of the round when the page
    was made.
    """

    version = StringField()


class AnswerForm(FlaskForm):
    """The answer that the customer reads. `version`: the version of the round when the page was made."""

    answer = TextAreaField("Your answer", filters=[clean_text])
    version = StringField()


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The results that wait, oldest first."""
    with container().database.read_session() as session:
        waiting = queue.queue(session, request.args.get("after"))
        counts = lists.count_waiting(session)
    shown = {"queue": waiting, "counts": counts, "now": container().clock(), "words": words, "flaw_labels": LABELS}
    return render_template("portal/reviews/sent_back/index.html", **shown, reason_words=words.REVISION_REASONS)


@blueprint.get("/<revision_id>")
def show(revision_id: str) -> ResponseReturnValue:
    """One result that was sent back."""
    return _page(revision_id)


@blueprint.post("/<revision_id>/make")
def make(revision_id: str) -> ResponseReturnValue:
    """Have the result made again differently; its page shows the new picture once it is made."""
    form = VersionedMakeForm()
    try:
        arguments = (form.version.data or "", form.choice)
    except InvalidRequest as refused:
        add_errors(form, refused)
        return _page(revision_id, make_form=form, http_status=422)
    return _act(revision_id, queue.make, arguments, "It is being redone.", make_form=form)


@blueprint.post("/<revision_id>/approve")
def approve(revision_id: str) -> ResponseReturnValue:
    """Put the new picture in the result's place."""
    arguments = (request.form.get("version", ""),)
    return _act(revision_id, queue.approve, arguments, "The new picture is used, and the customer is notified.")


@blueprint.post("/<revision_id>/keep")
def keep(revision_id: str) -> ResponseReturnValue:
    """Leave the picture as it is."""
    form = AnswerForm()
    arguments = (form.version.data or "", form.answer.data or "")
    return _act(
        revision_id, queue.keep, arguments, "The picture stays, and the customer is notified.", answer_form=form
    )


@blueprint.post("/<revision_id>/refund")
def refund(revision_id: str) -> ResponseReturnValue:
    """Refund the price of the photo."""
    form = AnswerForm()
    arguments = (form.version.data or "", form.answer.data or "")
    return _act(revision_id, queue.refund, arguments, "Refunded, and the customer is notified.", answer_form=form)


@blueprint.post("/<revision_id>/refund-step")
def refund_step(revision_id: str) -> ResponseReturnValue:
    """Refund the price of one step; the picture stays as it is."""
    form = AnswerForm()
    arguments = (form.version.data or "", request.form.get("step", ""), form.answer.data or "")
    done = "The price of the step was refunded, and the customer is notified."
    return _act(revision_id, queue.refund_step, arguments, done, answer_form=form)


def _act(
    revision_id: str,
    act: Callable[..., object],
    arguments: tuple[object, ...],
    done: str,
    *,
    make_form: VersionedMakeForm | None = None,
    answer_form: AnswerForm | None = None,
) -> ResponseReturnValue:
    try:
        with container().database.unit_of_work() as session:
            act(session, visitor().user_id, revision_id, *arguments, container().clock())
    except InvalidRequest as refused:
        sent_form: FlaskForm = make_form or answer_form or FlaskForm()
        add_errors(sent_form, refused)
        return _page(revision_id, make_form=make_form, answer_form=answer_form, http_status=422)
    except Conflict as refused:
        return _page(revision_id, refused.message, make_form, answer_form, 409)
    flash(done)
    return redirect(url_for("sent_back.show", revision_id=revision_id), 303)


def _page(
    revision_id: str,
    refusal: str = "",
    make_form: VersionedMakeForm | None = None,
    answer_form: AnswerForm | None = None,
    http_status: int = 200,
) -> ResponseReturnValue:
    with container().database.read_session() as session:
        found = queue.view(session, revision_id)
    made = found.row.revision.new_picture
    form = make_form or VersionedMakeForm(formdata=None)
    form.left_out.choices = _list_steps(found)
    before = found.row.revision.before
    request = before.settings.request_for(found.row.photo.edit_request)
    looks = form.offer_looks(request, found.remade_steps)
    page = render_template(
        "portal/reviews/sent_back/show.html",
        view=found,
        refusal=refusal,
        make_form=form,
        looks=looks,
        answer_form=answer_form or AnswerForm(formdata=None),
        statuses=RevisionStatus,
        words=words,
        flaw_labels=LABELS,
        outcome_words=OUTCOME_WORDS,
        no_result_outcomes=NO_RESULT_OUTCOMES,
        reason_words=words.REVISION_REASONS,
        findings=describe_figures(made.made_report.figures) if made else [],
        max_rounds=MAX_ROUNDS,
        max_answer=MAX_REASON,
    )
    return page, http_status


def _list_steps(found: SentBackView) -> list[tuple[str, str]]:
    """The steps that can be left out, if there are several."""
    return list_choices(found.remade_steps) if len(found.remade_steps) > 1 else []
