"""What the members and the API keys of an account did, for its owners."""

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.domain.ids import is_user_id
from app.domain.retention import ACTIVITY_KEPT
from app.portal.page_blueprint import PageBlueprint
from app.portal.team import words
from app.portal.visitors import for_signed_in, visitor
from app.services.team import activity
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("activity", __name__, url_prefix="/account/activity"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The list of acts, newest first; only the acts of one member if the query string names one."""
    given, account_id = request.args.get("by", ""), visitor().account_id
    before = request.args.get("before", type=int)
    with container().database.read_session() as session:
        people = activity.list_people(session, account_id)
        by = given if is_user_id(given) and given in people else ""
        page = activity.paginate(session, account_id, before, by)
    kept_days = ACTIVITY_KEPT.days
    values = {"page": page, "people": people, "by": by, "before": before, "kept_days": kept_days}
    return render_template("portal/team/activity.html", words=words, **values)
