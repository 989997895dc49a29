"""Results sent back: made again otherwise, put in place with all that hangs on them, while they may be."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.container import Container
from app.domain.errors import InvalidRequest, NotFound, NotReady, RetentionEnded
from app.domain.flaws import SendBackInput
from app.domain.lifecycle import Status, WorkState
from app.domain.pictures import PictureSettings
from app.domain.ports import QueueName
from app.domain.revisions import (
    MAX_ROUNDS,
    RevisionOutcome,
    RevisionStatus,
)
from app.domain.variants import VariantObstacle
from app.models import Job, Mail, Preview, Result, Revision, StoredPicture
from app.services.exports import personal_data
from app.services.photos import evidence, pictures, recipes, variants
from app.services.photos.pictures import MadePicture
from app.services.revisions import revisions
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, Verdict
from engine.version import engine_version
from tests import acts
from tests.conftest import PHOTO, Api, develop, remake, revise, revision_worker
from tests.fakes import FakeClock, photo
from tests.sent_back import (
    DECLUTTER,
    HDR,
    STAGING,
    content_of,
    events,
    ordered,
    refusal,
    result_of,
    round_of,
    rounds,
    send_back,
    variants_of,
)


def test_a_result_sent_back_is_made_again_otherwise_and_the_picture_before_is_kept(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container)
    before = result_of(container, job_id)
    sent = send_back(container, job_id, "cast", words="Too blue.")
    assert (sent.round, sent.made.settings, sent.status) == (
        1,
        PictureSettings(strength=0.65),
        RevisionStatus.MAKING,
    )
    assert sent.made_id in container.queue.queues[QueueName.PHOTOS]
    assert revise(container) == 1
    done, now = round_of(container, sent), result_of(container, job_id)
    assert (done.outcome, done.reason, done.decided_by) == (RevisionOutcome.REVISED, None, None)
    assert (now.id, now.verdict, now.picture.settings) == (
        before.id,
        Verdict.APPROVED,
        PictureSettings(strength=0.65),
    )
    assert content_of(container, now.storage_key) != content_of(container, before.storage_key)
    assert b"strength 0.65" in content_of(container, now.storage_key)
    assert done.before.storage_key == before.storage_key
    assert done.before.sha256 == before.picture.sha256 != now.picture.sha256
    context = container.engine.contexts[-1]
    assert (context.order_seed, context.strength, context.photo_seed) == (job_id, 0.65, 0)


def test_its_end_is_an_event_and_a_mail(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    revise(container)
    (told,) = events(container, job_id)
    assert told["data"]["imageId"] == result_of(container, job_id).id
    assert {name: told["data"][name] for name in ("revisionId", "round", "outcome")} == {
        "revisionId": sent.id,
        "round": 1,
        "outcome": "revised",
    }
    assert told["data"]["status"] == Status.APPROVED
    with container.database.read_session() as session:
        (mail,) = session.scalars(select(Mail).where(Mail.subject.startswith("Sent back: ")))
    assert "a new picture replaces it" in " ".join(mail.text.split())


def test_small_pictures_of_the_new_picture_are_wanted(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER)
    send_back(container, job_id)
    revise(container)
    with container.database.read_session() as session:
        wanted = session.get_one(Preview, result_of(container, job_id).storage_key)
    assert wanted.label == "Digitally altered"
    assert develop(container) >= 1


def test_versions_are_made_anew_from_the_new_picture(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER, STAGING)
    with container.database.unit_of_work() as session:
        result, job = result_of(container, job_id), session.get_one(Job, job_id)
        variants.request(session, job, session.get_one(Result, result.id), [HDR, DECLUTTER], container.clock())
    remake(container)

    def made() -> dict[str, StoredPicture]:
        with container.database.read_session() as session:
            return {each.settings.left_out: each for each in variants_of(session, job_id)}

    old = made()
    assert len(old) == 2
    send_back(container, job_id)
    revise(container)
    new = made()
    assert new.keys() == old.keys()
    assert not {each.id for each in new.values()} & {each.id for each in old.values()}
    assert all(each.state is WorkState.WAITING for each in new.values())
    assert remake(container) == 2
    assert container.engine.contexts[-1].strength == 0.65


def test_a_version_that_was_being_made_meanwhile_is_dropped(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER)
    with container.database.unit_of_work() as session:
        (wanted,) = variants_of(session, job_id)
        held = pictures.claim(session, wanted.id, container.clock())
    send_back(container, job_id)
    revise(container)
    with container.database.unit_of_work() as session:
        assert held is not None
        assert not pictures.finish(session, held, MadePicture(QualityReport()), container.clock())


def test_a_version_is_asked_for_of_the_picture_that_is_there_not_of_one_read_before(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER, STAGING)
    with container.database.unit_of_work() as session:
        job, read_before = session.get_one(Job, job_id), session.scalars(select(Result)).one()
        other = pictures.new(
            job.photos[0],
            PictureSettings(left_out=(Enhancement.STAGING,)),
            job.engine_version,
            container.clock(),
        )
        steps = tuple(step for step in read_before.report.steps if step.enhancement != STAGING)
        other.report, other.storage_key = (
            replace(read_before.report, steps=steps),
            read_before.storage_key,
        )
        session.add(other)
        session.flush()
        session.execute(update(Result).values(picture_id=other.id).execution_options(synchronize_session=False))
        wanted = [Enhancement.STAGING]
        assert (
            variants.request(session, job, read_before, wanted, container.clock()) is VariantObstacle.NOTHING_KEPT
        )


def test_only_one_round_at_a_time_and_so_many_in_all(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING)
    for flaw in ("furniture_place", "floating", "melted", "furniture_scale", "furniture_place"):
        send_back(container, job_id, flaw)
        assert refusal(container, job_id) == "round_open"
        revise(container)
    assert refusal(container, job_id) == "too_many_rounds"
    found = rounds(container, job_id)
    assert [each.round for each in found] == list(range(1, MAX_ROUNDS + 1))
    assert [each.made.settings.photo_seed for each in found if each.made] == [1, 2, 3, 4, 5]


def test_only_results_of_ones_own_can_be_sent_back(api: Api, other_api: Api, container: Container) -> None:
    job_id = ordered(api, container, contents=(PHOTO, photo("BLANK")))
    good, bad = result_of(container, job_id), result_of(container, job_id, 1)
    for account_id, job, image in (
        (other_api.account_id, job_id, good.id),
        (api.account_id, "job_x", good.id),
        (api.account_id, job_id, "img_" + "0" * 22),
        (api.account_id, job_id, "x\x00"),
    ):
        with pytest.raises(NotFound), container.database.unit_of_work() as session:
            revisions.send_back(session, account_id, job, image, SendBackInput("other"), container.clock())
    waiting = api.order(interior=[PHOTO])["jobId"]
    with pytest.raises(NotReady), container.database.unit_of_work() as session:
        facts = (api.account_id, waiting, bad.id, SendBackInput("other"))
        revisions.send_back(session, *facts, container.clock())
    assert rounds(container, job_id) == []


def test_what_does_not_fit_what_was_done_is_refused(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    for said in ({"reason": "lawn_on_bush"}, {"reason": ""}, {"without": STAGING}, {"without": HDR}):
        with pytest.raises(InvalidRequest):
            send_back(container, job_id, **said)
    assert rounds(container, job_id) == []


def test_once_the_pictures_are_gone_it_is_too_late_and_says_so(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container)
    image_id = result_of(container, job_id).id
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    with pytest.raises(RetentionEnded), container.database.unit_of_work() as session:
        revisions.send_back(session, api.account_id, job_id, image_id, SendBackInput("other"), clock())


def test_results_that_are_kept_for_longer_can_be_sent_back_for_fourteen_days(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container)
    clock.pass_(days=13, hours=23)
    send_back(container, job_id)
    revise(container)
    clock.pass_(hours=1)
    with pytest.raises(RetentionEnded):
        send_back(container, job_id)


def test_a_job_that_expires_while_its_round_is_made_takes_the_round_with_it(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)

    def expire() -> None:
        container.engine.before = lambda: None
        clock.pass_(days=7)
        container.sweep.expire_jobs()
        container.sweep.purge_files()

    container.engine.before = expire
    revision_worker(container).make(sent.id)
    assert rounds(container, job_id) == []
    assert list(container.storage.list_files(f"results/{job_id}/")) == []


def test_with_the_account_its_rounds_go_and_no_credits_come_back(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container)
    send_back(container, job_id, "other")
    clock.pass_(days=2)
    acts.delete_account(container, api.account_id)
    with container.database.read_session() as session:
        assert session.scalars(select(Revision)).all() == []
        assert session.get_one(Job, job_id).credits_refunded == 0


def test_they_are_part_of_the_data_that_its_owner_downloads(api: Api, other_api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id, words="Too blue.")
    with container.database.read_session() as session:
        document = personal_data.collect(session, api.account_id, api.account_id, container.clock())
        theirs = personal_data.collect(session, other_api.account_id, other_api.account_id, container.clock())
    (told,) = document["orders"][0]["photos"][0]["result"]["sentBack"]
    assert (told["id"], told["flaw"], told["message"]) == (sent.id, "cast", "Too blue.")
    assert "Too blue." not in json.dumps(theirs)


def test_recipe_and_evidence_tell_of_the_new_picture_also_when_it_is_gone(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER)
    before = result_of(container, job_id)
    send_back(container, job_id, without=DECLUTTER)
    revise(container)
    now = result_of(container, job_id)
    for later in (timedelta(), timedelta(days=7)):
        clock.now += later
        container.sweep.expire_jobs()
        with container.database.read_session() as session:
            (recipe,) = recipes.read(session, api.account_id, job_id)
            (picture,) = evidence.read(session, api.account_id, job_id, "https://a.example").pictures
        assert recipe.edit_request.steps == [HDR]
        assert recipe.picture_sha256 == now.picture.picture_sha256 != before.picture.picture_sha256
        assert picture.altered_sha256 == now.picture.sha256
        (told,) = picture.revisions
        assert (told.outcome, told.before_sha256) == (RevisionOutcome.REVISED, before.picture.sha256)


def want_without(container: Container, job_id: str, step: Enhancement) -> StoredPicture:
    """The variant of the job's one result without this step."""
    with container.database.unit_of_work() as session:
        job, result = session.get_one(Job, job_id), result_of(container, job_id)
        kept = [each for each in result.report.applied if each != step]
        wanted = variants.request(session, job, session.get_one(Result, result.id), kept, container.clock())
        assert isinstance(wanted, StoredPicture)
        return wanted


def test_a_picture_that_is_there_as_a_version_is_put_in_place_at_once(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    version = want_without(container, job_id, Enhancement.STAGING)
    assert remake(container) == 1
    sent = send_back(container, job_id, "melted", without=STAGING)
    assert (sent.outcome, sent.credits_refunded) == (RevisionOutcome.REVISED, 1)
    assert result_of(container, job_id).picture_id == version.id
    assert remake(container) == 0
    with container.database.read_session() as session:
        assert variants_of(session, job_id) == [], "it is the result itself now"


def test_a_version_that_is_being_made_is_made_once_for_a_round_too_and_outlives_it(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    version = want_without(container, job_id, Enhancement.STAGING)
    sent = send_back(container, job_id, "melted", without=STAGING)
    assert sent.made_id == version.id
    with container.database.unit_of_work() as session:
        whose = (api.account_id, job_id, sent.result_id, sent.id)
        revisions.withdraw(session, *whose, container.clock())
    assert remake(container) == 1
    assert result_of(container, job_id).picture_id != version.id
    with container.database.read_session() as session:
        assert [each.storage_key is not None for each in variants_of(session, job_id)] == [True]


def test_a_round_is_made_by_the_engine_of_the_day(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    with container.database.unit_of_work() as session:
        session.execute(update(StoredPicture).values(engine_version="0.0.9+00000000"))
    revise(container)
    assert round_of(container, sent).outcome is RevisionOutcome.REVISED
    assert result_of(container, job_id).picture.engine_version == engine_version()


def test_a_server_is_asked_for_a_round_and_not_for_what_is_a_version_too(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    send_back(container, job_id, "melted")
    revise(container)
    assert container.engine.contexts[-1].asks_server is True
    want_without(container, job_id, Enhancement.STAGING)
    send_back(container, job_id, "melted", without=STAGING)
    revise(container)
    assert container.engine.contexts[-1].asks_server is False
