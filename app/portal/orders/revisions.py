"""Results sent back by their owner: sending back, withdrawing, following the round, and comparing with the previous
picture.
"""

from flask import flash, redirect, render_template
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest, NotFound, RetentionEnded, require_found
from app.domain.flaws import SendBackInput
from app.portal.forms import add_errors
from app.portal.fragments import wants_fragment
from app.portal.orders import revision_words
from app.portal.orders.property import photo as photo_page
from app.portal.orders.revision_words import SendBackForm
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.billing import credits
from app.services.photos import results
from app.services.photos.results import ResultsPage
from app.services.revisions import revisions
from app.web.context import container

blueprint = for_signed_in(
    PageBlueprint("revisions", __name__, url_prefix="/orders/<job_id>/results/<image_id>/revisions")
)


@blueprint.post("")
def create(job_id: str, image_id: str) -> ResponseReturnValue:
    """Send the result back."""
    here, form = container(), SendBackForm()
    try:
        without = form.without.data or ""
        said = SendBackInput(form.reason.data or "", form.message.data or "", without, options=form.looks)
        with here.database.unit_of_work() as session:
            revisions.send_back(session, visitor().account_id, job_id, image_id, said, here.clock())
    except InvalidRequest as refused:
        add_errors(form, refused)
        return photo_page.show_refusal(job_id, image_id, form)
    except (Conflict, RetentionEnded) as refused:
        flash(refused.message, "error")
    else:
        flash("Sent back. You pay nothing for it.")
    return _redirect_to_photo(job_id, image_id)


@blueprint.post("/<revision_id>/withdraw")
def withdraw(job_id: str, image_id: str, revision_id: str) -> ResponseReturnValue:
    """Withdraw a round that has not ended."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            whose = (visitor().account_id, job_id, image_id, revision_id)
            withdrawn = revisions.withdraw(session, *whose, here.clock())
            stays = "" if withdrawn.lacked_result else " The picture stays as it is."
    except Conflict as refused:
        flash(refused.message, "error")
    else:
        flash(f"Withdrawn.{stays}")
    return _redirect_to_photo(job_id, image_id)


@blueprint.get("")
def index(job_id: str, image_id: str) -> ResponseReturnValue:
    """The result's rounds for htmx, which polls while one is made; other clients are redirected to the page."""
    if not wants_fragment():
        return _redirect_to_photo(job_id, image_id)
    page = _read(job_id)
    number = page.number_of(image_id) if page else None
    if page is None or number is None:
        raise NotFound
    chosen = page.shown[page.index_of(number)]
    # The balance is read after the rounds, so that it has the refunds that the rounds show.
    with container().database.read_session() as session:
        balance = credits.balance(session, visitor().account_id)
    shown = {"page": page, "chosen": chosen, "polled": True, "fresh_credits": balance}
    shown |= revision_words.describe(page.job, chosen)
    return render_template("portal/orders/property/_not_right.html", **shown)


@blueprint.get("/<revision_id>")
def show(job_id: str, image_id: str, revision_id: str) -> ResponseReturnValue:
    """The picture that was sent back beside the current one."""
    page = _read(job_id)
    number = page.number_of(image_id) if page else None
    if page is None or number is None:
        raise NotFound
    chosen = page.shown[page.index_of(number)]
    comparable = (each for each in chosen.rounds if not each.revision.lacked_result)
    found = require_found(next((each for each in comparable if each.revision.id == revision_id), None))
    shown = {"page": page, "chosen": chosen, "round": found, **revision_words.describe(page.job, chosen)}
    return render_template("portal/orders/property/round.html", **shown)


def _read(job_id: str) -> ResultsPage | None:
    with container().database.read_session() as session:
        return results.read(session, visitor().account_id, job_id, container().clock())


def _redirect_to_photo(job_id: str, image_id: str) -> ResponseReturnValue:
    return redirect(photo_page.url_of_image(job_id, image_id, "not-right"), 303)
