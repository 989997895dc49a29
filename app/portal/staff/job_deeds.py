"""What staff do to a job: each on a page that says before what it will do."""

from flask import url_for
from flask.typing import ResponseReturnValue

from app.domain.amounts import credits_
from app.models import Job
from app.portal.staff.confirmation import Told, ask
from app.portal.staff.forms import DeedForm, ToldReasonForm
from app.portal.staff.jobs import blueprint
from app.portal.staff.words import many
from app.services import staff_jobs
from app.web.context import container

BOTH = ("GET", "POST")


@blueprint.route("/<job_id>/requeue", methods=BOTH)
def requeue(job_id: str) -> ResponseReturnValue:
    """Let workers take now what waits or was left lying."""
    here = container()
    with here.database.reading() as session:
        found = staff_jobs.look(session, job_id)
    lying = found.lying(here.clock())
    effects = (
        f"{many(lying.waiting, 'photo')} that {'waits' if lying.waiting == 1 else 'wait'} can be taken at once, "
        "without waiting for a next try.",
        f"{many(lying.died, 'photo')} whose worker died can be taken, too.",
        f"{many(lying.rest, 'photo')} that {'is' if lying.rest == 1 else 'are'} done or being worked on "
        f"{'stays' if lying.rest == 1 else 'stay'} as before. No try is given back, and the time limit stays.",
    )
    told = _told(found.job, "Put back in the queue", effects, "Put back in the queue", "Put back: workers know.")
    return ask(told, DeedForm(), lambda desk: desk.requeue(job_id))


@blueprint.route("/<job_id>/fail", methods=BOTH)
def fail(job_id: str) -> ResponseReturnValue:
    """End the job without results."""
    form = ToldReasonForm()
    with container().database.reading() as session:
        job = staff_jobs.find(session, job_id)
    effects = (
        f"{credits_(job.credit_cost - job.credits_refunded)} of {credits_(job.credit_cost)} go back to the owner.",
        "The work ends, and no result can be looked at or downloaded, not even those that are done.",
        "The customer is told by mail and by webhook, and reads your reason on the order and beside the refund.",
        "It cannot be taken back.",
    )
    told = _told(job, "Fail", effects, "Fail the job", "The job failed, and its credits went back.", danger=True)
    return ask(told, form, lambda desk: desk.fail_job(job_id, form.reason.data or ""))


def _told(job: Job, deed: str, effects: tuple[str, ...], button: str, done: str, *, danger: bool = False) -> Told:
    back = url_for("staff_jobs.show", job_id=job.id)
    name = job.address or job.id
    return Told("Jobs", back, name, f"{deed}: {name}?", effects, button, done, danger)
