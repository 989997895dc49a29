"""The page that asks staff to confirm an act and says what it will do; the act is done once and written down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InsufficientCredits, InvalidRequest
from app.portal.staff.forms import DeedForm
from app.portal.visitors import visitor
from app.services.staff.desk import Desk, Done
from app.web.context import container

METHODS = ("GET", "POST")
"""The page asks, and its form does the act."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A page that asks before an act: what it will do, in sentences, and where one goes from there.

    `area` and `back_name` are what the pages behind it are called; `done` is said afterwards.
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
def open_desk() -> Iterator[Desk]:
    """Open the desk of the signed-in member of staff for one unit of work: the only one that these pages open."""
    here = container()
    with here.database.unit_of_work() as session:
        yield Desk(session, visitor().user_id, here.clock())


def confirm(page: Confirmation, form: DeedForm, act: Callable[[Desk], Done | None]) -> ResponseReturnValue:
    """Show the page, or do the act where its form was sent and go back to where one came from."""
    if request.method != "POST":
        return _show(page, form)
    if not form.validate():
        return _show(page, form, http_status=422)
    try:
        with open_desk() as desk:
            done = act(desk)
    except (InvalidRequest, InsufficientCredits) as refused:
        form.add_errors(refused)
        return _show(page, form, http_status=422)
    except Conflict as refused:
        return _show(page, form, refused.message, 409)
    flash(page.done if done else "This form was sent before: it is done, and nothing was done twice.")
    return redirect(page.back, 303)


def _show(page: Confirmation, form: DeedForm, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/staff/deed.html", confirmation=page, form=form, refusal=refusal), http_status
