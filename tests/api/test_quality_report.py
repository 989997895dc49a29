"""GET /jobs/{jobId}/quality: what was measured on every photo, told to its owner once the job is decided."""

import pytest

from app.container import Container
from app.domain.actors import Scope
from app.models import Job
from app.services.photos import quality
from app.services.photos.quality import Decision, Verdict
from app.services.security import api_keys
from engine.types.pictures import Enhanced, Picture
from engine.types.report import Figure, Reason, judge
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeEngine, photo
from tests.statements import counted

EMPTY = {"verdict": "undecided", "steps": [], "figures": [], "hinted": False}
FIGURES = (
    Figure(code="size_kept", value=1.0, minimum=1.0, fault=Reason.SIZE_CHANGED),
    Figure(code="newly_clipped", value=0.125, maximum=0.005, fault=Reason.CLIPPED),
    Figure(code="sharpness_ratio", value=0.5, minimum=0.7, maximum=1.4),
)


class MeasuringEngine(FakeEngine):
    """Measures figures, one of which breaks its limit where the photo says `CLIPPED`."""

    def enhance(self, photo, request, context) -> Enhanced:
        content = photo.read()
        photo.seek(0)
        made = super().enhance(photo, request, context)
        figures = FIGURES if b"CLIPPED" in content else (FIGURES[0], FIGURES[2])
        return Enhanced(Picture(content, "image/jpeg", 4, 3), judge(made.report.steps, figures))


def named(asset: dict) -> dict:
    """What names a photo in the answer to its order and in the report alike."""
    return {name: value for name, value in asset.items() if name != "disclosures"}


def report(api: Api, job_id: str) -> dict:
    answer = api.get(f"/jobs/{job_id}/quality")
    assert answer.status_code == 200, answer.text
    return answer.json


def test_every_photo_is_told_with_its_steps_and_what_was_measured(api: Api, container: Container) -> None:
    container.engine = MeasuringEngine()
    order = api.order(interior=[PHOTO], exterior=[PHOTO])
    work(container)
    found = report(api, order["jobId"])
    assert (found["jobId"], found["status"], len(found["photos"])) == (order["jobId"], "approved", 2)
    outside, inside = found["photos"]
    image = api.get(f"/downloads/{order['jobId']}").json["images"][0]
    size = {"code": "size_kept", "label": "Same size as the photo", "unit": "yes_no"}
    sharpness = {"code": "sharpness_ratio", "label": "Sharpness kept", "unit": "share"}
    assert outside == {
        **named(next(asset for asset in order["assets"] if asset["type"] == "exterior")),
        "hinted": False,
        "verdict": "approved",
        "imageId": image["id"],
        "steps": [{"enhancement": "sky_enhancement", "applied": True}],
        "figures": [
            {**size, "value": 1.0, "minimum": 1.0, "passed": True, "fault": "size_changed"},
            {**sharpness, "value": 0.5, "minimum": 0.7, "maximum": 1.4, "passed": False},
        ],
    }
    assert (inside["type"], inside["verdict"]) == ("interior", "approved")


def test_furniture_that_staging_added_is_listed_with_its_sizes(api: Api, container: Container) -> None:
    staging = {"virtualStaging": {"0": {"style": "modern", "roomType": "bedroom"}}}
    order = api.order(
        interior=[photo("PIECES")], interiorEnhancements=["hdr_enhancement", "virtual_staging"], **staging
    )
    work(container)
    steps = {each["enhancement"]: each for each in report(api, order["jobId"])["photos"][0]["steps"]}
    assert "furniture" not in steps["hdr_enhancement"]
    sofa = {"piece": "sofa", "label": "Sofa", "count": 1, "width": 2.2, "depth": 0.94, "height": 0.81}
    assert steps["virtual_staging"]["furniture"][0] == sofa


def test_a_broken_limit_stands_in_the_report_with_the_reason_of_the_rejection(api: Api, container) -> None:
    container.engine = MeasuringEngine()
    order = api.order(interior=[PHOTO, photo("CLIPPED")])
    work(container)
    good, bad = report(api, order["jobId"])["photos"]
    assert ("reason" in good, "message" in good) == (False, False)
    assert (bad["verdict"], bad["reason"]) == ("rejected", "clipped")
    assert bad["message"] == "Bright or dark parts lost their detail."
    assert bad["figures"][1] == {
        "code": "newly_clipped",
        "label": "Detail lost in the brightest and darkest parts",
        "unit": "share",
        "value": 0.125,
        "maximum": 0.005,
        "passed": False,
        "fault": "clipped",
    }


def test_a_step_that_declined_says_why(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("HALF")], interiorEnhancements=["hdr_enhancement", "declutter"])
    work(container)
    (found,) = report(api, order["jobId"])["photos"]
    assert found["steps"] == [
        {"enhancement": "declutter", "applied": True},
        {
            "enhancement": "hdr_enhancement",
            "applied": False,
            "reason": "not_available",
            "message": "Not available.",
        },
    ]


def test_a_change_that_was_declined_says_why(api: Api, container: Container) -> None:
    change = {"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "oak"}
    chosen = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [change, change]}}
    order = api.order(interior=[photo("EVERY SECOND")], **chosen)
    work(container)
    (found,) = report(api, order["jobId"])["photos"]
    (step,) = found["steps"]
    assert step["applied"] is True
    assert step["changes"] == [
        {"index": 0, "type": "floor", "applied": True},
        {
            "index": 1,
            "type": "floor",
            "applied": False,
            "reason": "not_understood",
            "message": "No color was named.",
        },
    ]


def test_a_photo_without_a_picture_has_no_image_and_its_reason(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("BROKEN"), PHOTO])
    work(container)
    lost, kept = report(api, order["jobId"])["photos"]
    assert (lost["verdict"], lost["reason"]) == ("rejected", "undecodable")
    assert lost["imageId"] != kept["imageId"]
    assert (lost["steps"], lost["figures"]) == ([], [])
    assert kept["imageId"].startswith("img_")


def test_an_undeliverable_job_tells_what_was_wrong_with_each_photo(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("BLANK"), photo("DECLINE")])
    work(container)
    found = report(api, order["jobId"])
    assert found["status"] == "undeliverable"
    assert [each["reason"] for each in found["photos"]] == ["blank", "all_steps_declined"]


def test_what_a_reviewer_said_is_told_with_the_figures_of_the_machine(api: Api, container: Container) -> None:
    container.engine = MeasuringEngine()
    order = api.order(interior=[PHOTO, PHOTO])
    work(container, automatic=False)
    with container.database.unit_of_work() as session:
        first, second = (each.result.id for each in quality.photos_of(session, order["jobId"]))
        quality.decide(session, first, Decision(Verdict.APPROVED, "acc_1"), container.clock())
        quality.decide(session, second, Decision(Verdict.REJECTED, "acc_1", "The lamp is bent."), container.clock())
        quality.finish(session, order["jobId"], container.clock())
    approved, rejected = report(api, order["jobId"])["photos"]
    assert approved["verdict"] == "approved"
    assert (rejected["verdict"], rejected["reason"]) == ("rejected", "reviewer")
    assert rejected["message"] == "The lamp is bent."
    assert rejected["figures"] == approved["figures"] != []


def test_before_any_work_every_photo_is_listed_and_undecided(api: Api) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    assert report(api, order["jobId"]) == {
        "livemode": True,
        "jobId": order["jobId"],
        "status": "pending",
        "photos": [{**named(asset), **EMPTY} for asset in order["assets"]],
    }


def test_under_review_nothing_is_told_yet(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("BROKEN"), PHOTO])
    work(container, automatic=False)
    found = report(api, order["jobId"])
    assert found["status"] == "qc_review"
    assert found["photos"] == [{**named(asset), **EMPTY} for asset in order["assets"]]


def test_a_failed_job_tells_of_the_photos_that_were_done(api: Api, container: Container, clock) -> None:
    order = api.order(interior=[PHOTO, photo("CRASH")])
    work(container)
    clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    done, open_ = report(api, order["jobId"])["photos"]
    assert [step["applied"] for step in done["steps"]] == [True]
    assert (done["verdict"], {key: open_[key] for key in EMPTY}) == ("undecided", EMPTY)


def test_reading_the_report_delivers_nothing(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    report(api, order["jobId"])
    assert api.status(order["jobId"])["status"] == "approved"


def test_another_accounts_job_is_not_found(api: Api, other_api: Api) -> None:
    order = api.order(interior=[PHOTO])
    answer = other_api.get(f"/jobs/{order['jobId']}/quality")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.parametrize("job_id", ["job_0000000000000000000000", "job_", "pho_4HnSz7CpLq6FoXy0WiT1Be", "x" * 500])
def test_an_unknown_job_is_not_found(api: Api, job_id: str) -> None:
    answer = api.get(f"/jobs/{job_id}/quality")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_an_expired_job_is_not_found(api: Api, container: Container, clock) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    assert api.get(f"/jobs/{order['jobId']}/quality").status_code == 404
    with container.database.read_session() as session:
        assert session.get_one(Job, order["jobId"]).expired_at is not None


def test_a_key_without_the_scope_is_forbidden_and_none_at_all_unauthorized(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    path = f"/jobs/{order['jobId']}/quality"
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, api.account_id, container.clock(), scopes=[Scope.ORDERS_WRITE])
    weak = api.get(path, headers={"Authorization": f"Bearer {secret}"})
    assert (weak.status_code, weak.json["code"]) == (403, "forbidden")
    none = api.get(path, headers={"Authorization": "Bearer nothing"})
    assert (none.status_code, none.json["code"]) == (401, "unauthorized")


def test_a_large_order_costs_as_many_queries_as_a_small_one(api: Api, container: Container) -> None:
    jobs = [api.order(interior=[PHOTO] * count, exterior=[PHOTO] * count)["jobId"] for count in (1, 10)]
    work(container)
    told = {job: report(api, job)["photos"] for job in jobs}
    assert [len(photos) for photos in told.values()] == [2, 20]
    costs = [counted(lambda job=job: report(api, job)) for job in jobs]
    assert costs[0] == costs[1]
