"""Nothing of a customer can be changed by staff without a line in their log: every form of theirs is tried."""

import ast
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.payments import PurchaseState
from app.domain.revisions import RemakeChoice
from app.models import Delivery, StaffAct
from app.portal import visitors
from app.services.photos.quality import Decision
from app.services.reviews import claims, decisions, lists
from app.services.staff.actions import StaffActions
from engine.types.report import Verdict
from tests.architecture.source import APP
from tests.conftest import PHOTO, Api, revise, work
from tests.fakes import FakeClock, photo
from tests.portal.person import Person
from tests.portal.staff.staffing import change, purchase
from tests.reading import contents
from tests.sent_back import ordered, result_of, send_back, version_of
from tests.services.hooks import FakeTransport, answered, fail_for_good, register

Case = Callable[[Api, Container, FakeClock, str], tuple[str, dict[str, str]]]


def _account(deed: str, **fields: str) -> Case:
    return lambda api, container, clock, staff_id: (f"/staff/accounts/{api.account_id}/{deed}", fields)


def _standing(deed: str, **fields: str) -> Case:
    def made(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
        change(container, api.account_id, **{f"{name}_at": clock() for name in fields.values()})
        return f"/staff/accounts/{api.account_id}/{deed}", {}

    return made


def _job(deed: str, **fields: str) -> Case:
    return lambda api, *_: (f"/staff/jobs/{api.order([PHOTO])['jobId']}/{deed}", fields)


def _delivery(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
    container.transport = FakeTransport([answered(500)])
    register(container, api.account_id, "job.created")
    fail_for_good(api, container, clock)
    with container.database.read_session() as session:
        return f"/staff/deliveries/{session.scalars(select(Delivery.id)).first()}/redeliver", {}


def _purchase(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
    purchase_id = purchase(container, api.account_id, problem="x", state=PurchaseState.EXPIRED)
    return f"/staff/payments/{purchase_id}/settle", {"reason": "x"}


def _review(deed: str, held: bool = True, decided: bool = False) -> Case:
    def made(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
        job_id = api.order([PHOTO])["jobId"]
        work(container, automatic=False)
        with container.database.unit_of_work() as session:
            image = lists.review(session, staff_id, job_id, clock()).photos[0].result.id
            if held:
                claims.claim(session, staff_id, job_id, clock())
            if decided:
                decisions.decide(session, job_id, image, Decision(Verdict.APPROVED, staff_id), clock())
            version = decisions.preview_effect(session, job_id).version
        path = f"/reviews/{job_id}/{deed.format(image=image)}"
        return path, {"version": version, "verdict": "approved"}

    return made


def _sent_back(deed: str, made: bool = False, **fields: str) -> Case:
    def sent(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
        job_id = ordered(api, container, contents=(photo("AGAIN DOUBT"),))
        revision = send_back(container, job_id, "cast" if made else "other")
        revise(container)
        return f"/reviews/sent-back/{revision.id}/{deed}", {"version": version_of(container, revision), **fields}

    return sent


def _rework(deed: str, made: bool = False, **fields: str) -> Case:
    def begun(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
        container.engine.tells_steps = True
        job_id = api.order([PHOTO])["jobId"]
        work(container, automatic=False)
        image, revision_id = result_of(container, job_id).id, ""
        with container.database.unit_of_work() as session:
            claims.claim(session, staff_id, job_id, clock())
            if deed:
                seed = RemakeChoice(another_seed=True)
                revision_id = decisions.make_again(session, staff_id, job_id, image, seed, "", clock()).id
        if made:
            revise(container)
        return f"/reviews/{job_id}/results/{image}/rework{deed.format(id=revision_id)}", fields

    return begun


def _shown(api: Api, container: Container, clock: FakeClock, staff_id: str) -> tuple[str, dict[str, str]]:
    path, _ = _rework("")(api, container, clock, staff_id)
    fields = {"outline": "0.1,0.6 0.9,0.6 0.5,0.9", "go": "save"}
    return f"{path.removesuffix('rework')}hints/surfaces.floor", fields


CASES: dict[str, Case] = {
    "staff_accounts.grant": _account("credits", way="give", amount="5", reason="x"),
    "staff_accounts.suspend": _account("suspend", reason="x"),
    "staff_accounts.restore": _standing("restore", was="suspended"),
    "staff_accounts.flag": _account("flag", reason="x"),
    "staff_accounts.clear_flag": _standing("clear-flag", was="flagged"),
    "staff_jobs.requeue": _job("requeue"),
    "staff_jobs.fail": _job("fail", reason="x"),
    "staff_deliveries.redeliver": _delivery,
    "staff_payments.settle": _purchase,
    "reviews.claim": _review("claim", held=False),
    "reviews.release": _review("release"),
    "reviews.decide": _review("results/{image}"),
    "reviews.finish": _review("finish", decided=True),
    "sent_back.make": _sent_back("make", less="y"),
    "sent_back.approve": _sent_back("approve", made=True),
    "sent_back.keep": _sent_back("keep", answer="x"),
    "sent_back.refund": _sent_back("refund", answer="x"),
    "sent_back.refund_step": _sent_back("refund-step", answer="x", step="hdr_enhancement"),
    "review_hints.create": _shown,
    "sent_back_hints.create": _sent_back("hints/surfaces.floor", outline="0.1,0.6 0.9,0.6 0.5,0.9", go="save"),
    "reworks.create": _rework("", another_seed="y"),
    "reworks.stop": _rework("/stop"),
    "reworks.undo": _rework("/{id}/undo", made=True),
}
ONLY_A_COOKIE = {"reviews.keys"}


def test_every_form_of_staff_is_tried_below(app: Flask) -> None:
    guarded = {name for name, guards in app.before_request_funcs.items() if visitors._require_staff in guards}
    forms = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0] in guarded and "POST" in rule.methods
    }
    assert forms == set(CASES) | ONLY_A_COOKIE


@pytest.mark.parametrize("endpoint", CASES)
def test_no_form_of_staff_changes_anything_without_a_line_in_the_log(
    reviewer: Person, api: Api, container: Container, clock: FakeClock, endpoint: str
) -> None:
    path, fields = CASES[endpoint](api, container, clock, reviewer.account_id)
    clock.pass_(seconds=1)
    reviewer.begin_signed_in()
    before = contents(container)
    acts = len(before.pop("staff_act"))
    reviewer.post(path, **fields)
    after = contents(container)
    written = after.pop("staff_act")
    assert before != after, "the form did what it is for"
    assert len(written) == acts + 1
    with container.database.read_session() as session:
        line = session.scalars(select(StaffAct).order_by(StaffAct.id.desc())).first()
    assert (line.staff_id, line.account_id) == (reviewer.account_id, api.account_id)


def test_pages_of_staff_change_things_at_the_desk_alone() -> None:
    read = {path.name: ast.parse(path.read_text()) for path in (APP / "portal" / "staff").rglob("*.py")}
    assert {name for name, module in read.items() if "unit_of_work" in _names(module)} == {"confirmation.py"}


def _names(module: Any) -> set[str]:
    return {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}


def test_every_act_of_the_desk_is_written_down() -> None:
    acts = [each for name, each in vars(StaffActions).items() if not name.startswith("_") and callable(each)]
    assert len(acts) == 9
    assert [each.__name__ for each in acts if not hasattr(each, "__wrapped__")] == []
