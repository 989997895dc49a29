"""Which engine makes an account's pictures: what the account chose, what is stable, what is there to make them."""

import io
import json
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest
from sqlalchemy import select, update

from app.container import Container
from app.domain.catalog import ENTRIES
from app.domain.engines import EngineChannel, EngineDescription, EngineMissingError, EngineRelease
from app.domain.errors import InvalidRequest
from app.domain.lifecycle import WorkState
from app.domain.variants import VariantObstacle
from app.models import Event, Job, Mail, Organization, Photo, Result, StoredPicture, StoredRelease
from app.services import engine_releases, engines
from app.services.accounts import organizations
from app.services.photos import pictures, variants
from engine.messages import PROTOCOL
from engine.types.enhancements import Enhancement
from engine.version import engine_version
from tests import acts, reading
from tests.conftest import PHOTO, Api, Known, order_body, remake, work
from tests.fakes import FakeClock, FakeCredentials, FakeEngine, photo
from tests.sandboxes import sandbox_of
from tests.sent_back import result_of, send_back

OLD, OLDER = "0.13.0+0123abcd", "0.12.0+4567cdef"
TODAY = date(2026, 11, 20)
LATER = date(2026, 12, 4)


def path_of(version: str) -> str:
    return f"/opt/engines/{version}/bin/python"


@dataclass
class Releases:
    """The engines of other releases: their versions as they are asked for, and which hosts lack."""

    made_by: list[str] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    engine: FakeEngine = field(default_factory=FakeEngine)

    def open(self, release: EngineRelease) -> nullcontext["Releases"]:
        assert release.python == path_of(release.version)
        self.version = release.version
        return nullcontext(self)

    def enhance(self, *given: object) -> object:
        self._require()
        self.made_by.append(self.version)
        return self.engine.enhance(*given)

    def estimate_light(self, photo: io.BytesIO) -> object:
        self._require()
        return self.engine.estimate_light(photo)

    def _require(self) -> None:
        if self.version in self.missing:
            raise EngineMissingError(f"{self.version} is not on this host")


@pytest.fixture
def releases(container: Container) -> Releases:
    found = Releases()
    container.open_release = found.open
    return found


def describe(version: str, **other: object) -> EngineDescription:
    about = {"protocol": PROTOCOL, "version": version, "enhancements": frozenset(ENTRIES), "options": {}, **other}
    return EngineDescription(**about)


def add(container: Container, *versions: str) -> None:
    with container.database.unit_of_work() as session:
        for each in versions:
            engine_releases.add(session, path_of(each), describe(each), container.clock())


def announce(container: Container, version: str, day: date) -> int:
    with container.database.unit_of_work() as session:
        return engine_releases.announce(session, version, day, container.clock())


def remove(container: Container, version: str, **how: bool) -> int:
    with container.database.unit_of_work() as session:
        return engine_releases.remove(session, version, container.clock(), **how)


def withdraw(container: Container) -> int:
    with container.database.unit_of_work() as session:
        return engine_releases.withdraw(session, container.clock())


def choose(container: Container, account_id: str, channel: EngineChannel = EngineChannel.STABLE) -> None:
    with container.database.unit_of_work() as session:
        organizations.choose_engine(session, account_id, channel, container.clock())


def version_for(container: Container, account_id: str) -> str:
    with container.database.read_session() as session:
        return engines.find_version(session, account_id, container.clock())


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(InvalidRequest) as refused:
        act()
    return (refused.value.details or {})["release"]


def mails(container: Container) -> Sequence[tuple[str, str]]:
    rows = reading.found(container, select(Mail).where(Mail.subject.contains("stable")).order_by(Mail.created_at))
    return [(each.to, each.text) for each in rows]


@pytest.fixture
def stable(container: Container, releases: Releases, api: Api) -> Releases:
    """OLD is stable, and the account has chosen that."""
    add(container, OLD)
    announce(container, OLD, TODAY)
    choose(container, api.account_id)
    return releases


def test_an_account_that_chose_nothing_gets_the_latest(api: Api, container: Container, releases: Releases) -> None:
    add(container, OLD)
    announce(container, OLD, TODAY)
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    assert result_of(container, job_id).picture.engine_version == engine_version()
    assert releases.made_by == []


def test_until_one_is_named_the_stable_engine_is_the_latest(api: Api, container: Container) -> None:
    choose(container, api.account_id)
    assert version_for(container, api.account_id) == engine_version()
    add(container, OLD)
    assert announce(container, OLD, LATER) == 1
    assert version_for(container, api.account_id) == engine_version()
    container.clock.pass_(days=14)
    assert version_for(container, api.account_id) == OLD


def test_the_stable_engine_makes_pictures_rounds_and_variants_and_is_named_everywhere(
    stable: Releases, api: Api, container: Container
) -> None:
    container.credentials = FakeCredentials()
    stable.engine.tells_steps = True
    job_id = api.order(interior=[PHOTO], interiorEnhancements=["hdr_enhancement", "virtual_staging"])["jobId"]
    work(container)
    remake(container)
    assert stable.made_by == [OLD, OLD], "the picture, and its base"
    assert container.engine.requests == container.engine.estimated == []
    assert stable.engine.estimated, "the light that its photos share is of the same engine"
    images = api.get(f"/downloads/{job_id}").json["images"]
    assert [each["engineVersion"] for each in images] == [OLD]
    with container.database.read_session() as session:
        bodies = [json.loads(each) for each in session.scalars(select(Event.body).where(Event.job_id == job_id))]
    assert {each["data"]["engineVersion"] for each in bodies} == {OLD}
    assert len(bodies) > 3
    assert {each.version for each in container.credentials.claims} == {OLD}
    send_back(container, job_id)
    remake(container)
    assert stable.made_by[2] == OLD


def test_an_option_newer_than_the_stable_engine_is_refused_before_anything_is_charged(
    stable: Releases, api: Api, container: Container
) -> None:
    order = {**order_body(False, True), **api.upload(exterior=[PHOTO]), "options": {"sky": "clear"}}
    for path in ("/orders/quote", "/orders/from-uploads"):
        refused = api.post(path, order)
        assert refused.status_code == 400
        assert "does not know sky: clear" in refused.json["details"]["exteriorFiles[0]"]
    assert api.credits() == 100
    with container.database.unit_of_work() as session:
        engine_releases.add(session, path_of(OLD), describe(OLD, options={"sky": {"clear"}}), container.clock())
    assert api.post("/orders/from-uploads", order).status_code == 200


def test_an_order_keeps_its_engine_whatever_is_chosen_or_named_later(
    stable: Releases, api: Api, container: Container
) -> None:
    first = api.order(interior=[PHOTO])["jobId"]
    choose(container, api.account_id, EngineChannel.LATEST)
    second = api.order(interior=[PHOTO])["jobId"]
    choose(container, api.account_id)
    work(container)
    assert result_of(container, first).picture.engine_version == OLD
    assert result_of(container, second).picture.engine_version == engine_version()
    assert stable.made_by == [OLD]


def test_a_release_that_a_host_lacks_is_waited_for_without_an_attempt(
    stable: Releases, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    stable.missing.add(OLD)
    for _ in range(6):
        work(container)
        clock.pass_(minutes=3)
    [waiting] = reading.found(container, select(Photo).where(Photo.job_id == job_id))
    assert (waiting.state, waiting.attempts) == (WorkState.WAITING, 0)
    assert reading.one(container, Job, job_id).shared_appearance is None, "nothing is found by halves"
    assert container.engine.requests == []
    stable.missing.clear()
    work(container)
    assert result_of(container, job_id).picture.engine_version == OLD


def test_a_photo_that_the_engine_fails_on_uses_up_its_attempts(
    stable: Releases, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order(interior=[photo("CRASH")])["jobId"]
    for _ in range(4):
        work(container)
        clock.pass_(minutes=5)
    result = result_of(container, job_id)
    assert (result.picture.engine_version, result.picture.storage_key) == (OLD, None)
    assert stable.made_by == [OLD] * 3
    assert container.engine.requests == []


def test_what_waits_for_a_release_that_is_removed_is_made_by_the_accounts_present_one(
    stable: Releases, api: Api, container: Container, caplog: pytest.LogCaptureFixture
) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    add(container, OLDER)
    assert "is stable" in refusal(lambda: remove(container, OLD))
    assert remove(container, OLD, although_stable=True) == 1
    assert version_for(container, api.account_id) == engine_version()
    work(container)
    assert result_of(container, job_id).picture.engine_version == engine_version()
    assert reading.one(container, Job, job_id).engine_version == engine_version()
    assert f"the engine {OLD} was removed, so that {engine_version()} makes its pictures" in caplog.text
    assert "We had to remove the stable engine" in mails(container)[-1][1]


def test_an_earlier_stable_release_is_not_stable_again_when_the_present_one_is_removed(
    stable: Releases, api: Api, container: Container, clock: FakeClock
) -> None:
    add(container, OLDER)
    announce(container, OLDER, LATER)
    clock.pass_(days=14)
    assert version_for(container, api.account_id) == OLDER
    remove(container, OLDER, although_stable=True)
    assert version_for(container, api.account_id) == engine_version()


def test_variants_need_the_engine_of_their_result_and_rounds_take_the_present_one(
    stable: Releases, api: Api, container: Container
) -> None:
    job_id = api.order(interior=[PHOTO], interiorEnhancements=["declutter", "virtual_staging"])["jobId"]
    work(container)
    choose(container, api.account_id, EngineChannel.LATEST)
    result = result_of(container, job_id)

    def want(kept: Enhancement) -> StoredPicture | VariantObstacle:
        with container.database.unit_of_work() as session:
            job, mine = session.get_one(Job, job_id), session.get_one(Result, result.id)
            return variants.request(session, job, mine, [kept], container.clock())

    wanted = want(Enhancement.DECLUTTER)
    assert isinstance(wanted, StoredPicture)
    assert wanted.engine_version == OLD
    assert remake(container) == 1
    sent = send_back(container, job_id, "melted")
    assert reading.one(container, StoredPicture, sent.made_id).engine_version == engine_version()
    with container.database.unit_of_work() as session:
        session.execute(update(StoredRelease).values(version=OLDER))
    assert want(Enhancement.STAGING) is VariantObstacle.ENGINE_CHANGED


def test_a_round_whose_release_is_removed_is_made_by_the_present_one(
    stable: Releases, api: Api, container: Container
) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    sent = send_back(container, job_id)
    remove(container, OLD, although_stable=True)
    remake(container)
    assert reading.one(container, StoredPicture, sent.made_id).engine_version == engine_version()
    assert reading.one(container, StoredPicture, sent.made_id).storage_key is not None


def test_a_sandbox_follows_its_account(stable: Releases, api: Api, container: Container) -> None:
    sandbox_id = sandbox_of(container, api.account_id)
    assert version_for(container, sandbox_id) == OLD
    choose(container, api.account_id, EngineChannel.LATEST)
    assert version_for(container, sandbox_id) == engine_version()


@pytest.mark.parametrize(
    ("described", "why"),
    [
        ({"protocol": PROTOCOL + 1}, "speaks protocol"),
        ({"enhancements": frozenset(ENTRIES) - {Enhancement.SKY}}, "does not know .*sky_enhancement"),
        ({"version": "0.13.0"}, "no version"),
        ({"version": "0.13.0+0123abcd\nx"}, "no version"),
        ({"version": f"{'1' * 40}+0123abcd"}, "no version"),
    ],
)
def test_an_engine_that_cannot_do_what_is_sold_is_not_added(
    container: Container, described: dict[str, object], why: str
) -> None:
    with container.database.unit_of_work() as session:
        now, about = container.clock(), describe(**{"version": OLD, **described})
        assert re.search(why, refusal(lambda: engine_releases.add(session, "/opt/python", about, now)))
    with container.database.unit_of_work() as session:
        for path in ("python", f"/{'x' * 300}", "/opt/\npython"):
            assert "whole path" in refusal(lambda at=path: engine_releases.add(session, at, describe(OLD), now))


def test_a_release_that_is_added_again_has_the_new_interpreter_and_stays_what_it_is(
    stable: Releases, container: Container
) -> None:
    with container.database.unit_of_work() as session:
        engine_releases.add(session, "/opt/elsewhere", describe(OLD), container.clock())
    row = reading.one(container, StoredRelease, OLD)
    assert (row.python, row.stable_from) == ("/opt/elsewhere", container.clock())


def test_a_change_of_what_is_stable_is_announced_once_and_in_time(
    stable: Releases, api: Api, container: Container, clock: FakeClock
) -> None:
    add(container, OLDER)
    assert "no release 9" in refusal(lambda: announce(container, "9", LATER))
    assert "stable already" in refusal(lambda: announce(container, OLD, LATER))
    for early in (TODAY - timedelta(days=1), TODAY, LATER - timedelta(days=1)):
        assert "The earliest day is 2026-12-04" in refusal(lambda day=early: announce(container, OLDER, day))
    assert announce(container, OLDER, LATER) == 1
    assert announce(container, OLDER, LATER) == 0, "as it was announced before"
    assert OLDER in refusal(lambda: announce(container, OLDER, LATER + timedelta(days=1)))
    assert "Withdraw" in refusal(lambda: remove(container, OLDER))
    [(to, text)] = mails(container)
    assert to == "jo@example.com"
    assert all(each in " ".join(text.split()) for each in (OLD, OLDER, "Dec 4, 2026", "/docs/changes"))
    with container.database.read_session() as session:
        chosen = engines.read_choice(session, api.account_id, clock())
    assert (chosen.version, chosen.next.version, chosen.next.starts_at.date()) == (OLD, OLDER, LATER)
    clock.pass_(days=13)
    assert version_for(container, api.account_id) == OLD
    clock.pass_(days=1)
    assert version_for(container, api.account_id) == OLDER


def test_an_announcement_can_be_withdrawn_by_mail(stable: Releases, api: Api, container: Container) -> None:
    add(container, OLDER)
    assert "No version is announced" in refusal(lambda: withdraw(container))
    announce(container, OLDER, LATER)
    assert withdraw(container) == 1
    assert "It will not be" in mails(container)[-1][1].replace("\n", " ")
    container.clock.pass_(days=20)
    assert version_for(container, api.account_id) == OLD


def test_of_two_operators_one_announces_and_owners_get_one_mail(
    stable: Releases, api: Api, container: Container
) -> None:
    add(container, OLDER, "0.11.0+89abcdef")
    outcomes = acts.at_once(
        lambda: announce(container, OLDER, LATER), lambda: announce(container, "0.11.0+89abcdef", LATER)
    )
    assert sorted(type(each).__name__ for each in outcomes) == ["InvalidRequest", "int"]
    assert len(mails(container)) == 1


def test_only_owners_of_accounts_on_the_stable_engine_are_told(
    stable: Releases, api: Api, kim: Known, container: Container
) -> None:
    add(container, OLDER)
    assert announce(container, OLDER, LATER) == 1, "Kim's account is on the latest"
    assert [to for to, _ in mails(container)] == ["jo@example.com"]
    withdraw(container)
    acts.delete_account(container, api.account_id)
    assert announce(container, OLDER, LATER) == 0
    assert reading.one(container, Organization, api.account_id).engine_channel is EngineChannel.LATEST


def test_a_request_for_a_picture_finds_the_one_by_the_same_engine_alone(
    stable: Releases, api: Api, container: Container
) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    picture = result_of(container, job_id).picture
    with container.database.read_session() as session:
        ordered = session.get_one(Photo, picture.photo_id)
        assert pictures.find(session, ordered, picture.settings, OLD).id == picture.id
        assert pictures.find(session, ordered, picture.settings, engine_version()) is None
