"""What reviewers do on their pages, and find there."""

from typing import Any

from app.container import Container
from app.domain.reviews import USUAL_REASONS
from app.services.reviews import lists
from tests.portal.person import Person


def text(page: Any) -> str:
    return " ".join(page.html.text.split())


def claimed(reviewer: Person, job_id: str) -> Any:
    page = reviewer.open("/reviews")
    return reviewer.send(page.forms[form_to(page, f"/reviews/{job_id}/claim")])


def form_to(page: Any, action: str) -> Any:
    return next(key for key, form in page.forms.items() if form.action == action)


def approve(reviewer: Person, page: Any) -> Any:
    page.forms["decision"]["verdict"] = "approved"
    return reviewer.send(page.forms["decision"])


def reject(reviewer: Person, page: Any, usual: str = USUAL_REASONS[2], own: str = "", status: int = 200) -> Any:
    form = page.forms["decision"]
    form["verdict"], form["usual"], form["own"] = "rejected", usual, own
    return reviewer.send(form, status=status)


def results_of(container: Container, job_id: str) -> list[Any]:
    with container.database.read_session() as session:
        found = lists.review(session, "acc_x", job_id, container.clock())
    return [each.result for each in found.photos]
