"""Pages on which a reviewer gives hints about a photo, to have a result that was sent back made again."""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest
from app.domain.revisions import RemakeChoice, RevisionStatus
from app.portal.hints import result_desk
from app.portal.hints.forms import find_part
from app.portal.hints.result_desk import ResultDesk
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import require_staff, visitor
from app.services.revisions import queue
from app.services.revisions.queue import HintedRound
from app.web.context import container

blueprint = require_staff(
    PageBlueprint("sent_back_hints", __name__, url_prefix="/reviews/sent-back/<revision_id>/hints")
)


@blueprint.get("")
def first(revision_id: str) -> ResponseReturnValue:
    """Redirect to the first question about the photo."""
    found = _read(revision_id)
    return _redirect_decided(found, revision_id) or result_desk.redirect_to_first(_open(found, revision_id))


@blueprint.get("/<part>")
def show(revision_id: str, part: str) -> ResponseReturnValue:
    """One question about the photo."""
    found = _read(revision_id)
    desk = _open(found, revision_id)
    asked = find_part(part, desk.hinted.photo.type)
    return _redirect_decided(found, revision_id) or result_desk.ask(desk, asked)


@blueprint.post("/<part>")
def create(revision_id: str, part: str) -> ResponseReturnValue:
    """Have the result made again with the hints, or show another question first."""
    here = container()
    desk = _open(_read(revision_id), revision_id)
    asked = find_part(part, desk.hinted.photo.type)
    try:
        shown = result_desk.read_shown(desk, asked)
        if result_desk.wants_next():
            return result_desk.ask_next(desk, shown)
        with here.database.unit_of_work() as session:
            version, chosen = request.form.get("version", ""), RemakeChoice(hints=shown)
            queue.make(session, visitor().user_id, revision_id, version, chosen, here.clock())
    except (Conflict, InvalidRequest) as refused:
        return result_desk.ask_again(desk, asked, refused)
    flash("It is being redone with what you showed.")
    return redirect(_address(revision_id), 303)


def _read(revision_id: str) -> HintedRound:
    with container().database.read_session() as session:
        return queue.get_hinted(session, revision_id)


def _redirect_decided(found: HintedRound, revision_id: str) -> ResponseReturnValue | None:
    """A redirect to the page of the round, which shows its outcome; None while the round waits for a reviewer."""
    return None if found.status is RevisionStatus.IN_REVIEW else redirect(_address(revision_id), 303)


def _address(revision_id: str) -> str:
    return url_for("sent_back.show", revision_id=revision_id)


def _open(found: HintedRound, revision_id: str) -> ResultDesk:
    job_id, photo_id = found.hinted.job.id, found.hinted.photo.id
    return ResultDesk(
        found.hinted,
        lambda part: url_for("sent_back_hints.show", revision_id=revision_id, part=part),
        lambda size: url_for("pictures.original", job_id=job_id, photo_id=photo_id, size=size),
        _address(revision_id),
        {
            "save_label": "Redo it with this",
            "without_label": "Redo it without it",
            "fields": "portal/reviews/sent_back/_version.html",
            "version": found.version,
        },
        is_for_staff=True,
    )
