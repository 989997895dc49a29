"""The state of the work, for staff: what is due, which workers are alive, which jobs run out of time."""

from flask import Response

from app.domain.ports import SIGN_SECONDS, QueueName
from app.portal.fragments import render_page_or_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import words as review_words
from app.portal.staff import words as staff_words
from app.portal.visitors import require_staff
from app.services.staff import queue as staff_queue
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_queue", __name__, url_prefix="/staff/queue"))

POLL_SECONDS = 10


@blueprint.get("")
def show() -> Response:
    """The state in Redis and in the database, each read independently; htmx gets only the figures."""
    here = container()
    now, state = here.clock(), staff_queue.read_state(here.queue)
    with here.database.read_session() as session:
        health = staff_queue.health(session, now)
    templates = ("portal/staff/queue.html", "portal/staff/_queue.html")
    seconds = {"poll_seconds": POLL_SECONDS, "sign_seconds": SIGN_SECONDS}
    values = {"words": staff_words, "times": review_words, "queues": QueueName, **seconds}
    has_stopped = health.sweeper_at is None or now - health.sweeper_at > staff_queue.SWEEPER_STOPPED_AFTER
    return render_page_or_fragment(*templates, health=health, state=state, now=now, stopped=has_stopped, **values)
