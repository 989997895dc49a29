"""What reviewers decided leaves as a table; pictures, and what customers said, only where their owner agreed."""

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from datetime import datetime

import pytest

from app.container import Container
from app.domain.flaws import SendBackInput
from app.domain.reviews import QcMode
from app.services.accounts import organizations
from app.services.exports import feedback_export
from app.services.exports.feedback_export import WrittenCounts
from app.services.photos import quality
from app.services.photos.quality import Decision
from app.services.revisions import revisions
from engine.types.report import Verdict
from tests import acts
from tests.conftest import PHOTO, Api, order_body, revise, work
from tests.fakes import FakeClock, FakeImagery, photo

REASON = '=The sky, and the "roof".'
RENOVATED = {
    "interiorEnhancements": ["virtual_staging", "virtual_renovation", "hdr_enhancement"],
    "virtualStaging": {"0": {"style": "coastal", "roomType": "office"}},
    "renovations": {
        "0": [{"changeType": "floor", "changeDescription": "Oak as at my aunt Ida's", "referenceText": "oak"}]
    },
}


def agree(container: Container, api: Api, agreed: bool = True) -> None:
    with container.database.unit_of_work() as session:
        organizations.agree_on_pictures(session, api.account_id, agreed, container.clock())


def decide(container: Container, job_id: str, *reasons: str, finished: bool = True) -> None:
    """A reviewer goes through the results in their order; an empty reason approves."""
    with container.database.unit_of_work() as session:
        for each, reason in zip(quality.photos_of(session, job_id), reasons, strict=True):
            assert each.result is not None
            verdict = Verdict.REJECTED if reason else Verdict.APPROVED
            quality.decide(session, each.result.id, Decision(verdict, "acc_reviewer", reason), container.clock())
        if finished:
            quality.finish(session, job_id, container.clock())


def reviewed(api: Api, container: Container, content: bytes = PHOTO, reason: str = "", **chosen: object) -> str:
    job_id: str = api.order(interior=[content], **chosen)["jobId"]
    work(container, automatic=False)
    decide(container, job_id, reason)
    return job_id


def complain(container: Container, api: Api, job_id: str, flaw: str, note: str = "") -> None:
    """The customer sends every usable result back."""
    with container.database.unit_of_work() as session:
        for each in quality.photos_of(session, job_id):
            assert each.result is not None
            if each.result.verdict is Verdict.APPROVED:
                facts = (api.account_id, job_id, each.result.id, SendBackInput(flaw, note))
                revisions.send_back(session, *facts, container.clock())


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def table(container: Container, since: datetime | None = None) -> list[dict[str, str]]:
    file = io.BytesIO()
    with container.database.read_session() as session:
        feedback_export.write_table(container.storage, feedback_export.list_judged(session, since), file)
    return read(file.getvalue().decode())


def archive(container: Container) -> tuple[WrittenCounts, list[dict[str, str]], dict[str, bytes]]:
    file = io.BytesIO()
    with container.database.read_session() as session:
        done = feedback_export.write_archive(container.storage, feedback_export.list_judged(session), file)
    with zipfile.ZipFile(file) as packed:
        content = {name: packed.read(name) for name in packed.namelist()}
    return done, read(content.pop(feedback_export.TABLE).decode()), content


def test_a_decision_is_told_with_what_was_ordered_and_what_the_checks_said(api: Api, container: Container) -> None:
    content = photo("HALF DOUBT")
    reviewed(api, container, content, REASON, **RENOVATED)
    (row,) = table(container)
    assert row == {
        "photo_sha256": hashlib.sha256(content).hexdigest(),
        "steps": "virtual_renovation+virtual_staging+hdr_enhancement",
        "declined": "hdr_enhancement",
        "options": '{"staging": {"style": "coastal", "room": "office"}, "changes": [{"type": "floor"}]}',
        "figures": '{"tonal_variety": 4.1}',
        "certainty": "unsure",
        "checks": "passed",
        "judge": "reviewer",
        "decision": "rejected",
        "faults": "",
        "reason": f"'{REASON}",
        "decided_at_utc": "2026-11-20T12:00:00.000Z",
        "photo_file": "",
        "result_file": "",
    }


def test_where_the_reviewer_thought_otherwise_the_checks_word_stands_beside_the_decision(
    api: Api, container: Container
) -> None:
    reviewed(api, container, photo("BLANK"))
    (row,) = table(container)
    assert (row["certainty"], row["checks"], row["decision"], row["reason"]) == (
        "sure_bad",
        "blank",
        "approved",
        "",
    )


def test_only_what_a_person_decided_is_a_verdict(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO, photo("BLANK"), photo("DOUBT"), photo("BROKEN")])
    work(container, mode=QcMode.AUTO_REVIEW)
    with container.database.unit_of_work() as session:
        (unsure,) = [
            each.result.id
            for each in quality.photos_of(session, order["jobId"])
            if each.result and each.result.verdict is Verdict.UNDECIDED
        ]
        quality.decide(session, unsure, Decision(Verdict.APPROVED, "acc_reviewer"), container.clock())
        quality.finish(session, order["jobId"], container.clock())
    api.order(interior=[PHOTO])
    work(container)
    assert [row["certainty"] for row in table(container)] == ["unsure"]


def test_a_decision_that_may_still_be_taken_back_is_none_yet(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container, automatic=False)
    decide(container, job_id, "Colors are off.", finished=False)
    assert table(container) == []


def test_verdicts_since_a_moment_leave_out_the_earlier_ones(
    api: Api, container: Container, clock: FakeClock
) -> None:
    reviewed(api, container, reason="First.")
    clock.pass_(hours=1)
    reviewed(api, container, reason="Second.")
    assert [row["reason"] for row in table(container)] == ["First.", "Second."]
    assert [row["reason"] for row in table(container, clock())] == ["Second."]


def test_nobody_agrees_at_first_and_no_picture_leaves(api: Api, container: Container) -> None:
    reviewed(api, container, **RENOVATED)
    done, (row,), pictures = archive(container)
    assert (done, pictures) == (WrittenCounts(1, 0), {})
    assert (row["photo_file"], row["result_file"]) == ("", "")
    assert "Ida" not in row["options"]


def test_who_agreed_before_ordering_gives_photo_result_and_own_words(api: Api, container: Container) -> None:
    agree(container, api)
    content = photo("HERS")
    reviewed(api, container, content, **RENOVATED)
    done, (row,), pictures = archive(container)
    assert done == WrittenCounts(1, 1)
    assert pictures == {row["photo_file"]: content, row["result_file"]: content}
    assert row["photo_file"].endswith("-photo.jpg")
    assert row["result_file"].endswith("-result.jpg")
    assert json.loads(row["options"])["changes"] == [{"type": "floor", "words": "Oak as at my aunt Ida's"}]
    assert table(container)[0]["photo_file"] == ""


PLAIN = {"interiorEnhancements": ["hdr_enhancement", "declutter"]}


def test_what_was_not_done_is_no_opinion_on_a_picture(api: Api, container: Container) -> None:
    agree(container, api)
    job_id = api.order(interior=[photo("HALF"), photo("DECLINE")], **PLAIN)["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        done, lost = [each.result for each in quality.photos_of(session, job_id)]
        for result, flaw in ((done, "step_declined"), (lost, "no_result")):
            assert result is not None
            whose = (api.account_id, job_id, result.id)
            revisions.send_back(session, *whose, SendBackInput(flaw), container.clock())
    assert archive(container) == (WrittenCounts(0, 0), [], {})


def never(container: Container, api: Api, clock: FakeClock) -> None:
    """Nothing was agreed to."""


def only_later(container: Container, api: Api, clock: FakeClock) -> None:
    """It was agreed to after the order."""
    clock.pass_(seconds=1)
    agree(container, api)


def taken_back(container: Container, api: Api, clock: FakeClock) -> None:
    """It is agreed to no more."""
    agree(container, api, False)


def taken_back_and_given_again(container: Container, api: Api, clock: FakeClock) -> None:
    """Between the two stands the order."""
    agree(container, api, False)
    only_later(container, api, clock)


without_agreement = pytest.mark.parametrize(
    ("before", "after"),
    [(False, never), (False, only_later), (True, taken_back), (True, taken_back_and_given_again)],
)


@without_agreement
def test_without_an_agreement_from_before_the_order_that_still_holds_no_picture_leaves(
    api: Api,
    other_api: Api,
    container: Container,
    clock: FakeClock,
    before: bool,
    after: Callable[[Container, Api, FakeClock], None],
) -> None:
    agree(container, other_api)
    if before:
        agree(container, api)
    reviewed(api, container, photo("NOT GIVEN"))
    reviewed(other_api, container, photo("GIVEN"))
    after(container, api, clock)
    done, rows, pictures = archive(container)
    assert (done, len(rows)) == (WrittenCounts(2, 1), 2)
    assert set(pictures.values()) == {photo("GIVEN")}


def test_saying_yes_again_does_not_put_off_since_when(api: Api, container: Container, clock: FakeClock) -> None:
    agree(container, api)
    reviewed(api, container)
    clock.pass_(hours=1)
    agree(container, api)
    assert archive(container)[0] == WrittenCounts(1, 1)


def test_a_picture_from_a_public_source_is_nobodys_to_give(api: Api, container: Container) -> None:
    container.imagery = FakeImagery({order_body()["address"]: photo("STREET")})
    agree(container, api)
    job_id = api.order(interior=[photo("HERS")], serviceType="both", exteriorEnhancements=["sky_enhancement"])[
        "jobId"
    ]
    work(container, automatic=False)
    decide(container, job_id, "", "")
    done, rows, pictures = archive(container)
    assert (done, len(rows)) == (WrittenCounts(2, 1), 2)
    assert set(pictures.values()) == {photo("HERS")}


def test_what_is_no_longer_kept_has_no_verdict(api: Api, container: Container, clock: FakeClock) -> None:
    agree(container, api)
    reviewed(api, container)
    clock.pass_(days=8)
    container.sweep.everything()
    assert table(container) == []


def test_who_deletes_the_account_takes_agreement_and_pictures_along(api: Api, container: Container) -> None:
    agree(container, api)
    reviewed(api, container)
    acts.delete_account(container, api.account_id)
    assert archive(container) == (WrittenCounts(0, 0), [], {})


def test_a_photo_whose_file_is_gone_is_left_out(api: Api, container: Container) -> None:
    agree(container, api)
    job_id = reviewed(api, container)
    with container.database.read_session() as session:
        (kept,) = quality.photos_of(session, job_id)
    container.storage.copy(kept.storage_key, "uploads/aside")
    container.storage.delete(kept.storage_key)
    assert table(container) == []
    assert archive(container) == (WrittenCounts(0, 0), [], {})
    container.storage.copy("uploads/aside", kept.storage_key)


def test_what_a_customer_finds_not_right_is_a_verdict_beside_the_reviewers(
    api: Api, container: Container, clock: FakeClock
) -> None:
    agree(container, api)
    content = photo("HERS")
    job_id = reviewed(api, container, content)
    clock.pass_(hours=1)
    complain(container, api, job_id, "noise", note=REASON)
    done, rows, pictures = archive(container)
    columns = ("judge", "decision", "faults", "reason", "decided_at_utc")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("reviewer", "approved", "", "", "2026-11-20T12:00:00.000Z"),
        ("customer", "not", "noise", f"'{REASON}", "2026-11-20T13:00:00.000Z"),
    ]
    assert rows[0]["photo_file"] == rows[1]["photo_file"]
    assert (done, len(pictures), set(pictures.values())) == (WrittenCounts(2, 2), 2, {content})
    assert [row["judge"] for row in table(container, clock())] == ["customer"]


def test_what_the_checks_alone_passed_a_customer_may_still_judge(api: Api, container: Container) -> None:
    agree(container, api)
    job_id = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    work(container)
    complain(container, api, job_id, "other")
    assert [(row["judge"], row["checks"]) for row in table(container)] == [("customer", "passed")]


@without_agreement
def test_what_a_customer_says_without_agreeing_stays_here(
    api: Api,
    other_api: Api,
    container: Container,
    clock: FakeClock,
    before: bool,
    after: Callable[[Container, Api, FakeClock], None],
) -> None:
    agree(container, other_api)
    if before:
        agree(container, api)
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    complain(container, api, job_id, "cast", note="My aunt's room.")
    after(container, api, clock)
    assert archive(container) == (WrittenCounts(0, 0), [], {})


def test_of_public_imagery_a_customers_verdict_leaves_without_the_picture(api: Api, container: Container) -> None:
    container.imagery = FakeImagery({order_body()["address"]: photo("STREET")})
    agree(container, api)
    job_id = api.order(interior=[photo("HERS")], serviceType="both", exteriorEnhancements=["sky_enhancement"])[
        "jobId"
    ]
    work(container)
    complain(container, api, job_id, "other")
    done, rows, pictures = archive(container)
    assert (done, len(rows)) == (WrittenCounts(2, 1), 2)
    assert set(pictures.values()) == {photo("HERS")}


def test_a_customers_verdict_is_on_the_picture_that_was_sent_back_not_on_the_one_in_its_place(
    api: Api, container: Container
) -> None:
    agree(container, api)
    job_id = api.order(interior=[photo("HERS")])["jobId"]
    work(container)
    complain(container, api, job_id, "cast")
    assert revise(container) == 1
    _, rows, pictures = archive(container)
    assert [row["faults"] for row in rows] == ["cast"]
    assert set(pictures.values()) == {photo("HERS")}, "the photo, and the result as it was"
