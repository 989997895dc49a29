"""The way from a form of staff to an act that is written down: told before, done once, refused in words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InsufficientCredits, InvalidRequest
from app.portal.staff.forms import DeedForm
from app.portal.visitors import visitor
from app.services.staff_desk import Desk, Done
from app.web.context import container


@dataclass(frozen=True, slots=True)
class Told:
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
def at_desk() -> Iterator[Desk]:
    """The visitor at the desk, for one unit of work: the only one that pages of staff open."""
    here = container()
    with here.database.unit_of_work() as session:
        yield Desk(session, visitor().account_id, here.clock())


def ask(told: Told, form: DeedForm, act: Callable[[Desk], Done | None]) -> ResponseReturnValue:
    """The page of an act, and the act itself where its form was sent: then back to where one came from."""
    if request.method != "POST":
        return _page(told, form)
    if not form.validate():
        return _page(told, form, http_status=422)
    try:
        with at_desk() as desk:
            done = act(desk)
    except (InvalidRequest, InsufficientCredits) as refused:
        form.take(refused)
        return _page(told, form, http_status=422)
    except Conflict as refused:
        return _page(told, form, refused.message, 409)
    flash(told.done if done else "This form was sent before: it is done, and nothing was done twice.")
    return redirect(told.back, 303)


def _page(told: Told, form: DeedForm, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/staff/deed.html", told=told, form=form, refusal=refusal), http_status
