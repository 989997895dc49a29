"""The page that asks staff to confirm an act and says what it will do; the act is done once and recorded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InsufficientCredits, InvalidRequest
from app.portal.staff.forms import ActionForm
from app.portal.visitors import visitor
from app.services.staff.actions import ActionResult, StaffActions
from app.web.context import container


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A page that asks before an act. `effects`: what the act will do, in sentences; `back`: the URL to return to.

    `area` and `back_name` name the pages that lead here; `done` is the message after the act.
    """

    area: str
    back: str
    back_name: str
    title: str
    effects: tuple[str, ...]
    button: str
    done: str
    danger: bool = False


@contextmanager
def open_actions() -> Iterator[StaffActions]:
    """Open the acts of the signed-in member of staff in a unit of work; no other code of these pages opens one."""
    here = container()
    with here.database.unit_of_work() as session:
        yield StaffActions(session, visitor().user_id, here.clock())


def confirm(
    page: Confirmation, form: ActionForm, act: Callable[[StaffActions], ActionResult | None]
) -> ResponseReturnValue:
    """Show the page; where its form was sent, do the act and go back, or show why it was refused."""
    if request.method != "POST":
        return _show(page, form)
    if not form.validate():
        return _show(page, form, http_status=422)
    try:
        with open_actions() as actions:
            done = act(actions)
    except (InvalidRequest, InsufficientCredits) as refused:
        form.add_errors(refused)
        return _show(page, form, http_status=422)
    except Conflict as refused:
        return _show(page, form, refused.message, 409)
    flash(page.done if done else "This form was sent before: it is done, and nothing was done twice.")
    return redirect(page.back, 303)


def _show(page: Confirmation, form: ActionForm, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/staff/confirm.html", confirmation=page, form=form, refusal=refusal), http_status
