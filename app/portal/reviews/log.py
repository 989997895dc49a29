"""The log of what staff did, for staff."""

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.domain.mail_text import one_line
from app.portal.page_blueprint import PageBlueprint
from app.portal.reviews import words
from app.portal.visitors import require_staff
from app.services.security import staff_acts
from app.services.security.staff_acts import ActFilter
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_acts", __name__, url_prefix="/reviews/log"))

FILTERS = ("staff", "job", "account")
_MAX_ID_LENGTH = 40


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Every act, newest first; the query string can limit them to a member of staff, an order or an account."""
    given = {name: one_line(request.args.get(name, ""))[:_MAX_ID_LENGTH] for name in FILTERS}
    wanted = ActFilter(*given.values())
    with container().database.read_session() as session:
        page = staff_acts.paginate(session, wanted, request.args.get("after", type=int))
        staff = staff_acts.list_staff(session, wanted.staff_id)
    query = {name: value for name, value in given.items() if value}
    values = {"page": page, "staff": staff, "wanted": wanted, "query": query, "actions": words.ACTIONS}
    return render_template("portal/reviews/log.html", **values)
