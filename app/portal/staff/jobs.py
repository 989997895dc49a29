"""Jobs, for staff: the list, one job with everything that happened to it, and the acts of staff on it."""

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_
from app.domain.lifecycle import UNSETTLED, WORKABLE, Status
from app.models import Job
from app.portal.orders import words as job_words
from app.portal.page_blueprint import FORM_METHODS, PageBlueprint
from app.portal.reviews import words as review_words
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.staff.confirmation import Confirmation, confirm
from app.portal.staff.forms import ActionForm, CustomerReasonForm
from app.portal.staff.words import write_count
from app.portal.visitors import require_staff
from app.services.orders import jobs
from app.services.staff import actions as staff_actions
from app.services.staff import jobs as staff_jobs
from app.services.staff.jobs import JobFilter
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_jobs", __name__, url_prefix="/staff/jobs"))

OVERDUE = "overdue"


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Jobs by id, account or beginning of the address; newest first where there is no search text."""
    given, now, after = request.args.get("status", ""), container().clock(), request.args.get("after")
    status = Status(given) if given in list(Status) else None
    wanted = JobFilter(query_strings.read_text(), status, overdue=given == OVERDUE)
    with container().database.read_session() as session:
        page = staff_jobs.paginate(session, wanted, now, after)
    query = query_strings.build_query(q=wanted.search, status=OVERDUE if wanted.overdue else status or "")
    values = {
        "wanted": wanted,
        "query": query,
        "after": after,
        "now": now,
        "overdue": OVERDUE,
        "unsettled": UNSETTLED,
    }
    return render_template("portal/staff/jobs.html", page=page, words=review_words, **values)


@blueprint.get("/<job_id>")
def show(job_id: str) -> ResponseReturnValue:
    """One job with everything that happened to it."""
    now = container().clock()
    with container().database.read_session() as session:
        found = staff_jobs.describe(session, job_id, now)
    values = {
        "words": staff_words,
        "times": review_words,
        "stages": job_words,
        "actions": review_words.ACTIONS,
        "unfinished": found.job.status in UNSETTLED,
        "workable": found.job.status in WORKABLE,
        "may_fail": staff_actions.can_fail(found.job),
    }
    return render_template("portal/staff/job.html", found=found, job=found.job, now=now, **values)


@blueprint.route("/<job_id>/requeue", methods=FORM_METHODS)
def requeue(job_id: str) -> ResponseReturnValue:
    """Let workers take at once the photos that wait for a next try or whose worker died."""
    here = container()
    with here.database.read_session() as session:
        found = staff_jobs.describe(session, job_id, here.clock())
    unfinished = found.find_unfinished(here.clock())
    effects = (
        f"{write_count(unfinished.waiting, 'photo')} that {'waits' if unfinished.waiting == 1 else 'wait'} can be "
        "taken at once, without waiting for a next try.",
        f"{write_count(unfinished.died, 'photo')} whose worker died can be taken, too.",
        f"{write_count(unfinished.rest, 'photo')} that {'is' if unfinished.rest == 1 else 'are'} done or being "
        f"worked on {'stays' if unfinished.rest == 1 else 'stay'} as before. Tries and time limit stay the same.",
    )
    page = _confirmation(
        found.job, "Put back in the queue", effects, "Put back in the queue", "Put back in the queue."
    )
    return confirm(page, ActionForm(), lambda actions: actions.requeue(job_id))


@blueprint.route("/<job_id>/fail", methods=FORM_METHODS)
def fail(job_id: str) -> ResponseReturnValue:
    """Fail the job: it ends without results, and the part of its price that was not refunded yet is refunded."""
    form = CustomerReasonForm()
    with container().database.read_session() as session:
        job = jobs.get_for_staff(session, job_id)
    effects = (
        f"{'What is left of its price' if job.credits_refunded else 'Its whole price'}, "
        f"{credits_(job.credit_cost - job.credits_refunded)}, is refunded to the owner.",
        "The work ends, and no result can be viewed or downloaded, not even finished ones.",
        "The customer is notified by mail and webhook, and reads your reason on the order and beside the refund.",
        "This cannot be undone.",
    )
    page = _confirmation(
        job, "Fail the job", effects, "Fail the job", "The job failed, and its credits were refunded.", danger=True
    )
    return confirm(page, form, lambda actions: actions.fail_job(job_id, form.reason.data or ""))


def _confirmation(
    job: Job, title: str, effects: tuple[str, ...], button: str, done: str, *, danger: bool = False
) -> Confirmation:
    back = url_for("staff_jobs.show", job_id=job.id)
    name = job.address or job.id
    return Confirmation("Jobs", back, name, f"{title}: {name}?", effects, button, done, danger)
