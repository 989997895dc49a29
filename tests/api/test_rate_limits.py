"""Rate limits: so many reads and writes a minute for each key, told on every answer, and open without Redis."""

import logging
import re
import socket
from collections.abc import Iterator

import pytest
from flask import Flask
from redis import Redis
from sqlalchemy import func, select

from app.adapters import redis_connection, redis_embedded
from app.adapters.queue_rq import RqQueue
from app.application import create_app
from app.container import Container
from app.domain.actors import Scope
from app.models import UploadSession
from app.services.photos import public_pages
from app.services.security import api_keys
from app.settings import Settings
from app.web import rate_limits
from tests import reading, redis_server
from tests.conftest import PHOTO, Api, develop, new_api, work
from tests.fakes import FakeClock, FakeQueue

READS, WRITES = 5, 2
UPLOAD = {"interiorCount": 1}


@pytest.fixture
def redis(redis_url: str) -> Redis:
    """The counters, none yet."""
    redis = Redis.from_url(redis_url)
    redis.flushdb()
    return redis


@pytest.fixture
def settings(settings: Settings, redis: Redis, redis_url: str) -> Settings:
    """Small limits, counted in a Redis that works."""
    limits = {"rate_limit_reads": READS, "rate_limit_writes": WRITES}
    return settings.model_copy(update={"redis_url": redis_url, **limits})


def standing(answer) -> tuple[str, int, int]:
    """Quota, what is left, and seconds, as the header tells."""
    quota, left, seconds = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"]).groups()
    return quota, int(left), int(seconds)


def close_windows(redis: Redis) -> None:
    """Do to all counters what Redis does when their minute is over."""
    found = list(redis.scan_iter())
    assert found
    for counter in found:
        assert 0 < redis.ttl(counter) <= 60
        redis.expire(counter, 0)


def spend_reads(api: Api) -> None:
    for _ in range(READS):
        assert api.get("/user/credits").status_code == 200


def spend_writes(api: Api) -> None:
    for _ in range(WRITES):
        assert api.post("/orders/upload-urls", UPLOAD).status_code == 200


def test_every_answer_says_what_is_left(api: Api) -> None:
    for left in range(READS - 1, -1, -1):
        answer = api.get("/user/credits")
        assert answer.headers["RateLimit-Policy"] == f'"reads";q={READS};w=60'
        assert standing(answer)[:2] == ("reads", left)
        assert 0 < standing(answer)[2] <= 60


def test_one_request_too_many_is_refused_and_told_when_to_come_back(api: Api) -> None:
    spend_reads(api)
    answer = api.get("/user/credits")
    assert (answer.status_code, answer.json["code"], answer.json["error"]) == (
        429,
        "rate_limited",
        "Too many requests",
    )
    assert answer.json["message"].startswith("At most 5 reads a minute are allowed")
    quota, left, seconds = standing(answer)
    assert (quota, left) == ("reads", 0)
    assert seconds < int(answer.headers["Retry-After"]) <= 61
    assert answer.headers["RateLimit-Policy"] == f'"reads";q={READS};w=60'


def test_visitors_of_a_page_use_up_their_own_quota_and_not_their_servers(api: Api) -> None:
    made = api.post("/client-tokens", {}).json["token"]
    page = Api(api.client, api.account_id, made)
    statuses = [page.post("/uploads", UPLOAD).status_code for _ in range(WRITES + 1)]
    assert statuses == [200] * WRITES + [429]
    other = api.post("/client-tokens", {}).json["token"]
    assert Api(api.client, api.account_id, other).post("/uploads", UPLOAD).status_code == 200
    assert api.post("/client-tokens", {}).status_code == 429, "tokens are made at the rate of the key's writes"


def test_a_refused_request_does_nothing(api: Api, container: Container) -> None:
    spend_writes(api)
    answer = api.post("/orders/upload-urls", UPLOAD)
    assert (answer.status_code, answer.headers["RateLimit-Policy"]) == (429, f'"writes";q={WRITES};w=60')
    assert reading.first(container, select(func.count(UploadSession.id))) == WRITES


def test_a_refused_order_is_not_charged(api: Api) -> None:
    api.order(interior=[PHOTO])
    form = {"address": "1 Lane, X 1", "serviceType": "interior", "interiorEnhancements": '["hdr_enhancement"]'}
    assert api.post("/orders", data=form).status_code == 429
    assert api.credits() == 99.5


@pytest.mark.parametrize("writes", [WRITES, READS])
def test_reads_and_writes_are_counted_apart(settings: Settings, clock: FakeClock, writes: int) -> None:
    api = api_with(settings.model_copy(update={"rate_limit_writes": writes}), clock, settings.redis_url)
    spend_reads(api)
    assert api.get("/user/credits").status_code == 429
    assert standing(api.post("/orders/upload-urls", UPLOAD))[:2] == ("writes", writes - 1)


def test_the_head_of_an_answer_is_a_read(api: Api) -> None:
    path, headers = "/api/v1/user/credits", {"Authorization": f"Bearer {api.secret}"}
    assert standing(api.client.head(path, headers=headers))[:2] == ("reads", READS - 1)


def test_every_key_has_counters_of_its_own(api: Api, other_api: Api, container: Container) -> None:
    spend_reads(api)
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, api.account_id, container.clock())
    assert api.get("/user/credits").status_code == 429
    assert Api(api.client, api.account_id, secret).get("/user/credits").status_code == 200
    assert other_api.get("/user/credits").status_code == 200


def test_a_key_without_the_scope_spends_its_own_quota(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, api.account_id, container.clock(), scopes=[Scope.JOBS_READ])
    narrow = Api(api.client, api.account_id, secret)
    answers = [narrow.get("/user/credits") for _ in range(READS + 1)]
    assert [answer.status_code for answer in answers] == [403] * READS + [429]
    assert standing(answers[0])[:2] == ("reads", READS - 1)


def test_two_processes_share_the_counters(api: Api, settings: Settings, clock: FakeClock) -> None:
    spend_reads(api)
    container = Container(settings, clock)
    container.queue = FakeQueue()
    elsewhere = Api(create_app(container=container).test_client(), api.account_id, api.secret)
    assert elsewhere.get("/user/credits").status_code == 429
    container.database.engine.dispose()


def test_a_minute_later_the_whole_quota_is_back(api: Api, redis: Redis) -> None:
    spend_reads(api)
    assert api.get("/user/credits").status_code == 429
    close_windows(redis)
    assert standing(api.get("/user/credits"))[:2] == ("reads", READS - 1)


def test_refused_requests_do_not_prolong_the_window(api: Api, redis: Redis) -> None:
    spend_reads(api)
    (counter,) = redis.scan_iter("*/key_*")
    redis.expire(counter, 7)
    for _ in range(3):
        refused = api.get("/user/credits")
        assert standing(refused)[2] <= 7
        assert int(refused.headers["Retry-After"]) <= 8


def ask(app: Flask, path: str, address: str, **options):
    return app.test_client().open(f"/api/v1{path}", environ_base={"REMOTE_ADDR": address}, **options)


@pytest.mark.parametrize(
    ("path", "status"), [("/user/credits", 401), ("/nowhere", 404), ("/openapi.json", 200), ("/orders", 405)]
)
def test_requests_without_a_key_are_limited_by_address(app: Flask, path: str, status: int) -> None:
    answers = [ask(app, path, "192.0.2.1") for _ in range(READS + 1)]
    assert [answer.status_code for answer in answers] == [status] * READS + [429]
    assert [standing(answer)[1] for answer in answers] == [4, 3, 2, 1, 0, 0]
    assert ask(app, path, "192.0.2.2").status_code == status


def test_writing_without_a_key_has_no_quota_of_its_own(app: Flask) -> None:
    answers = [ask(app, path, "192.0.2.1", method="POST") for path in ("/orders", "/orders/quote", "/nowhere")]
    assert [standing(answer)[:2] for answer in answers] == [("reads", 4), ("reads", 3), ("reads", 2)]


def test_guesses_at_keys_are_bounded_and_shut_out_no_key_that_is_good(app: Flask, api: Api) -> None:
    guess = {"Authorization": "Bearer ims_live_guess"}
    statuses = [ask(app, "/user/credits", "127.0.0.1", headers=guess).status_code for _ in range(READS + 1)]
    assert (statuses[0], statuses[-1]) == (401, 429)
    assert api.get("/user/credits").status_code == 200


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("", "", True),
    ],
)
def test_addresses_of_one_customer_count_together(app: Flask, first: str, second: str, together: bool) -> None:
    ask(app, "/nowhere", first)
    assert standing(ask(app, "/nowhere", second))[1] == READS - (2 if together else 1)


def test_every_refusal_says_what_is_left(app: Flask, container: Container, api: Api) -> None:
    poor = new_api(app, container, "poor@example.com", amount="0.1")
    order = {"address": "12 Lane, X", "serviceType": "interior", "interiorEnhancements": ["hdr_enhancement"]}
    refused = {
        400: api.post("/orders/quote", {"serviceType": "garden"}),
        401: api.get("/user/credits", headers={"Authorization": "Bearer x"}),
        402: poor.post("/orders/from-uploads", {**order, **poor.upload(interior=[PHOTO])}),
        404: api.get("/jobs/job_0000000000000000000000/status"),
        405: api.post("/user/credits"),
    }
    for status, answer in refused.items():
        assert answer.status_code == status, answer.text
        assert standing(answer)[0] in answer.headers["RateLimit-Policy"]


def test_what_is_not_the_api_is_not_counted(api: Api, redis: Redis) -> None:
    before = sorted(redis.scan_iter())
    for path in ("/", "/healthz", "/uploads/x", "/nowhere", "/apiary"):
        answer = api.client.get(path)
        assert not {"RateLimit", "RateLimit-Policy"} & {*answer.headers.keys()}
    assert sorted(redis.scan_iter()) == before


class Silent:
    """A server that takes connections and never says a word."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.url = f"redis://127.0.0.1:{self.socket.getsockname()[1]}/0"

    def calls(self) -> int:
        """How many connections were made since the last look."""
        found = 0
        try:
            while True:
                self.socket.accept()
                found += 1
        except BlockingIOError:
            return found


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silent]:
    """A Redis that hangs."""
    monkeypatch.setattr(redis_connection, "TIMEOUT_SECONDS", 0.05)
    silent = Silent()
    with silent.socket:
        yield silent


def api_with(settings: Settings, clock: FakeClock, redis_url: str) -> Api:
    """A client of an application that was given this Redis."""
    container = Container(settings.model_copy(update={"redis_url": redis_url}), clock)
    container.queue = FakeQueue()
    return new_api(create_app(container=container), container, "jo@example.com")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the limits themselves said."""
    return [each.message for each in caplog.records if each.name == rate_limits.__name__]


def test_without_redis_nobody_is_refused_and_redis_is_left_alone_for_a_while(
    settings: Settings, clock: FakeClock, silent: Silent, caplog: pytest.LogCaptureFixture
) -> None:
    api = api_with(settings, clock, silent.url)
    with caplog.at_level(logging.WARNING, logger=rate_limits.__name__):
        answers = [api.get("/user/credits") for _ in range(3 * READS)]
        assert silent.calls() == 1
        clock.pass_(seconds=6)
        answers += [api.get("/user/credits") for _ in range(3 * READS)]
        assert silent.calls() == 1
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {f'"reads";q={READS};w=60'}
    assert not any("RateLimit" in answer.headers for answer in answers)
    (warning,) = warnings(caplog)
    assert "Redis is away" in warning


def test_the_warning_comes_again_while_redis_stays_away(
    settings: Settings, clock: FakeClock, silent: Silent, caplog: pytest.LogCaptureFixture
) -> None:
    api = api_with(settings, clock, silent.url)
    for _ in range(3):
        api.get("/user/credits")
        clock.pass_(seconds=61)
    assert len(warnings(caplog)) == 3


def test_a_clock_set_back_does_not_keep_the_limits_open(
    settings: Settings, clock: FakeClock, silent: Silent
) -> None:
    api = api_with(settings, clock, silent.url)
    api.get("/user/credits")
    clock.pass_(hours=-1)
    api.get("/user/credits")
    assert silent.calls() == 2


def test_limits_open_when_redis_goes_and_close_when_it_is_back(
    settings: Settings, clock: FakeClock, tmp_path
) -> None:
    api = api_with(settings, clock, redis_embedded.url(redis_embedded.socket_path(tmp_path)))
    with redis_server.run_server(tmp_path):
        spend_reads(api)
        assert api.get("/user/credits").status_code == 429
    answer = api.get("/user/credits")
    assert (answer.status_code, "RateLimit" in answer.headers) == (200, False)
    with redis_server.run_server(tmp_path):
        assert "RateLimit" not in api.get("/user/credits").headers
        clock.pass_(seconds=6)
        assert "RateLimit" in api.get("/user/credits").headers


def test_while_redis_is_away_readyz_says_so(settings: Settings, clock: FakeClock) -> None:
    container = Container(settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"}), clock)
    container.queue = RqQueue(container.settings.redis_url)
    api = new_api(create_app(container=container), container, "jo@example.com")
    assert api.get("/user/credits").status_code == 200
    ready = api.client.get("/readyz")
    assert (ready.status_code, ready.json["parts"]["redis"]) == (503, False)


def test_whole_pictures_and_codes_of_public_pages_are_counted_by_address(
    api: Api, app: Flask, container: Container, redis: Redis
) -> None:
    job_id = api.order(exterior=[PHOTO], exteriorEnhancements=["sky_enhancement"])["jobId"]
    work(container)
    develop(container)
    with container.database.unit_of_work() as session:
        token = public_pages.publish(session, api.account_id, job_id, container.clock()).token
    develop(container)
    browser = app.test_client()
    close_windows(redis)

    def ask(path: str, times: int) -> list[int]:
        return [browser.get(f"/o/{token}/{path}").status_code for _ in range(times)]

    assert ask("1/original/view", READS + 2) == [200] * (READS + 2), "a page shows up to a hundred small ones"
    assert ask("1/original/full", READS + 1) == [200] * READS + [429]
    assert ask("qr.svg", 1) == [429]
