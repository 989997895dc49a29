"""What customers say is not right: one answer for each result of their own, as long as the result is kept."""

from collections.abc import Mapping

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import InvalidRequest, NotFound
from app.domain.lifecycle import Status
from app.models import Complaint, Job
from app.services import audit
from app.services.photos import complaints
from app.services.retention import account_deletion, personal_data
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """An order of two rooms with balanced light, worked and approved."""
    ordered: str = api.order(interior=[PHOTO, PHOTO])["jobId"]
    work(container)
    return ordered


def images(container: Container, job_id: str) -> list[str]:
    with container.database.read_session() as session:
        return [photo.result.id for photo in session.get_one(Job, job_id).photos if photo.result]


def say(
    container: Container, account_id: str, job_id: str, image_id: str, flaws: tuple[str, ...] = ("cast",), note=""
) -> None:
    with container.database.unit_of_work() as session:
        complaints.submit(session, account_id, job_id, image_id, flaws, note, container.clock())


def take_back(container: Container, account_id: str, job_id: str, image_id: str) -> None:
    with container.database.unit_of_work() as session:
        complaints.withdraw(session, account_id, job_id, image_id)


def kept(container: Container, job_id: str) -> Mapping[str, tuple[list[str], str]]:
    with container.database.read_session() as session:
        return {key: (each.flaws, each.note) for key, each in complaints.of_job(session, job_id).items()}


def rows(container: Container) -> int:
    with container.database.read_session() as session:
        return len(session.scalars(select(Complaint)).all())


def test_what_is_said_again_takes_the_place_of_what_was_said(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    first, second = images(container, job_id)
    say(container, api.account_id, job_id, first, ("noise", "cast"), "The left wall.")
    say(container, api.account_id, job_id, second)
    clock.pass_(minutes=5)
    say(container, api.account_id, job_id, first, ("other",), "")
    assert kept(container, job_id) == {first: (["other"], ""), second: (["cast"], "")}
    with container.database.read_session() as session:
        assert session.get_one(Complaint, first).said_at == clock()


def test_it_can_be_taken_back_also_twice(api: Api, container: Container, job_id: str) -> None:
    first, second = images(container, job_id)
    for image_id in (first, second):
        say(container, api.account_id, job_id, image_id)
    for _ in range(2):
        take_back(container, api.account_id, job_id, first)
    assert kept(container, job_id).keys() == {second}


def test_neither_the_order_nor_the_balance_moves(api: Api, container: Container, job_id: str) -> None:
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
        before = (job.status, job.credits_refunded, job.delivered_at)
    say(container, api.account_id, job_id, images(container, job_id)[0])
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
        assert (job.status, job.credits_refunded, job.delivered_at) == before
    assert before[0] is Status.APPROVED


def test_of_others_results_nothing_can_be_said(api: Api, other_api: Api, container: Container, job_id: str) -> None:
    (theirs, *_) = images(container, job_id)
    say(container, api.account_id, job_id, theirs)
    own = other_api.order(interior=[PHOTO])["jobId"]
    work(container)
    for job in (job_id, own, "job_x"):
        for deed in (say, take_back):
            with pytest.raises(NotFound):
                deed(container, other_api.account_id, job, theirs)
    assert kept(container, job_id).keys() == {theirs}


@pytest.mark.parametrize("image_id", ["", "img_x", "x\x00", "img_" + "0" * 22])
def test_a_result_that_is_not_there_is_not_found(
    api: Api, container: Container, job_id: str, image_id: str
) -> None:
    with pytest.raises(NotFound):
        say(container, api.account_id, job_id, image_id)
    assert rows(container) == 0


def test_only_of_usable_results_can_it_be_said(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    with pytest.raises(NotFound):
        say(container, api.account_id, job_id, "img_x")
    work(container, automatic=False)
    for image_id in images(container, job_id):
        with pytest.raises(NotFound):
            say(container, api.account_id, job_id, image_id)
    blank = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    work(container)
    good, bad = images(container, blank)
    say(container, api.account_id, blank, good)
    with pytest.raises(NotFound):
        say(container, api.account_id, blank, bad)
    assert kept(container, blank).keys() == {good}


def test_what_does_not_fit_what_was_done_is_refused(api: Api, container: Container, job_id: str) -> None:
    with pytest.raises(InvalidRequest):
        say(container, api.account_id, job_id, images(container, job_id)[0], ("lawn_on_bush",))
    assert rows(container) == 0


def test_with_the_pictures_what_was_said_of_them_goes(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    (first, *_) = images(container, job_id)
    say(container, api.account_id, job_id, first)
    clock.pass_(days=7)
    container.sweep.everything()
    assert rows(container) == 0
    for deed in (say, take_back):
        with pytest.raises(NotFound):
            deed(container, api.account_id, job_id, first)


def test_with_the_account_what_it_said_goes(api: Api, other_api: Api, container: Container, job_id: str) -> None:
    say(container, api.account_id, job_id, images(container, job_id)[0])
    other = other_api.order(interior=[PHOTO])["jobId"]
    work(container)
    say(container, other_api.account_id, other, images(container, other)[0])
    with container.database.unit_of_work() as session:
        account_deletion.delete_account(session, api.account_id, container.clock())
    assert (kept(container, job_id), rows(container)) == ({}, 1)


def test_it_is_part_of_the_data_that_its_owner_downloads(
    api: Api, other_api: Api, container: Container, job_id: str
) -> None:
    (first, _) = images(container, job_id)
    say(container, api.account_id, job_id, first, ("cast",), "Too blue.")
    with container.database.read_session() as session:
        document = personal_data.collect(session, api.account_id, api.account_id, container.clock())
        theirs = personal_data.collect(session, other_api.account_id, other_api.account_id, container.clock())
    results = [each["result"] for each in document["orders"][0]["photos"]]
    assert [each["notRight"] for each in results if each["id"] != first] == [None]
    assert [each["notRight"] for each in results if each["id"] == first] == [
        {"flaws": ["cast"], "note": "Too blue.", "saidAt": "2026-11-20T12:00:00.000Z"}
    ]
    assert "Too blue." not in str(theirs)


def test_an_answer_to_a_result_that_is_not_usable_is_a_mismatch(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    work(container)
    bad = images(container, job_id)[1]
    with container.database.unit_of_work() as session:
        session.add(Complaint(result_id=bad, flaws=["cast"], said_at=container.clock()))
    with container.database.read_session() as session:
        (told,) = audit.find_mismatches(session, container.storage)
    assert told.startswith(f"result {bad}: rejected")
    with container.database.unit_of_work() as session:
        complaints.forget(session, job_id)
