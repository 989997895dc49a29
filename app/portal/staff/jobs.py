"""Jobs for staff: the list, and one with everything that happened to it."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.lifecycle import TIMED, WORKABLE, Status
from app.portal.orders import words as job_words
from app.portal.reviews import words as review_words
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.visitors import for_staff
from app.services import staff_desk, staff_jobs
from app.services.staff_jobs import Filter
from app.web.context import container

blueprint = for_staff(Blueprint("staff_jobs", __name__, url_prefix="/staff/jobs"))

OVERDUE = "overdue"


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Jobs by id, account or beginning of the address; the newest first where nothing is searched for."""
    given, now, after = request.args.get("status", ""), container().clock(), request.args.get("after")
    status = Status(given) if given in list(Status) else None
    wanted = Filter(query_strings.text(), status, overdue=given == OVERDUE)
    with container().database.reading() as session:
        page = staff_jobs.page(session, wanted, now, after)
    query = query_strings.given(q=wanted.search, status=OVERDUE if wanted.overdue else status or "")
    values = {"wanted": wanted, "query": query, "after": after, "now": now, "overdue": OVERDUE, "timed": TIMED}
    return render_template("portal/staff/jobs.html", page=page, words=review_words, **values)


@blueprint.get("/<job_id>")
def show(job_id: str) -> ResponseReturnValue:
    """One job."""
    now = container().clock()
    with container().database.reading() as session:
        found = staff_jobs.look(session, job_id)
    values = {
        "words": staff_words,
        "times": review_words,
        "stages": job_words,
        "deeds": review_words.DEEDS,
        "unfinished": found.job.status in TIMED,
        "workable": found.job.status in WORKABLE,
        "may_fail": staff_desk.may_fail(found.job),
    }
    return render_template("portal/staff/job.html", found=found, job=found.job, now=now, **values)
