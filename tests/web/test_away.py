"""What is away is said as such: 503 with Retry-After, and a readiness that tries the store without being a way to
wear it out.
"""

import os
import socket
import threading
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import make_url, select, text
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from app import database
from app.connections import WEB
from app.container import Container
from app.models import Organization
from app.web import health
from app.web.health import KEPT_FOR, StorageCheck
from tests import databases
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock
from tests.faulty_storage import READING, WRITING, FaultyStorage


@pytest.fixture
def store(container: Container) -> FaultyStorage:
    container.storage = FaultyStorage(container.storage)
    return container.storage


def refused(answer: TestResponse) -> bool:
    """Whether the answer says to come back."""
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    assert (answer.json["code"], answer.json["requestId"]) == ("internal_error", answer.headers["X-Request-Id"])
    return True


def test_an_upload_into_a_store_that_is_away_may_be_sent_again(api: Api, store: FaultyStorage) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    url = room["interiorUrls"][0]["uploadUrl"]
    for act in sorted(WRITING & {"create", "write", "publish"}):
        with store.away(frozenset({act})):
            assert refused(api.put(url, PHOTO))
    assert api.put(url, PHOTO).status_code == 200


def test_an_order_during_an_outage_may_be_sent_again_and_is_not_said_to_lack_its_files(
    api: Api, store: FaultyStorage
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    with store.away(READING):
        assert refused(api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}))
    assert api.credits() == 100
    assert api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}).status_code == 200


def test_a_download_during_an_outage_may_be_asked_for_again(
    api: Api, container: Container, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    url = api.get(f"/downloads/{order['jobId']}").json["images"][0]["url"].removeprefix("http://localhost")
    for act in ("peek", "open"):
        with store.away(frozenset({act})):
            assert refused(api.client.get(url))
    assert api.client.get(url).data == PHOTO


def test_a_file_that_goes_between_two_looks_is_not_there(
    api: Api, container: Container, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    url = api.get(f"/downloads/{order['jobId']}").json["images"][0]["url"].removeprefix("http://localhost")

    def gone(act: str) -> None:
        if act == "open":
            raise FileNotFoundError

    store.before = gone
    assert api.client.get(url).status_code == 404


def test_a_database_that_is_away_may_be_asked_again(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("SELECT 1", {}, Exception("the database is away"))

    monkeypatch.setattr(container.database, "read_session", refuse)
    assert refused(api.get("/user/credits"))


@pytest.mark.skipif(not databases.GIVEN, reason="SQLite waits for its one writer, see test_soak.py")
def test_an_order_that_waits_too_long_for_another_is_told_to_come_again_and_costs_nothing(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    short = database.Database(container.settings.database_url, use=replace(WEB, lock_seconds=0.2))
    with container.database.unit_of_work() as session, monkeypatch.context() as patch:
        session.execute(select(Organization).where(Organization.id == api.account_id).with_for_update())
        patch.setattr(container, "database", short)
        assert refused(api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}))
    assert api.credits() == 100
    assert api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}).status_code == 200


@pytest.mark.skipif(not databases.GIVEN, reason="SQLite knows no limit of a statement's time")
def test_a_statement_that_takes_too_long_is_ended(container: Container) -> None:
    short = database.Database(container.settings.database_url, use=replace(WEB, statement_seconds=0.2))
    with short.read_session() as session, pytest.raises(database.UNAVAILABLE):
        session.execute(text("SELECT pg_sleep(60)"))
    with short.read_session() as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1


@pytest.mark.skipif(not databases.GIVEN, reason="SQLite has as many connections as it is asked for")
def test_a_server_without_a_connection_to_spare_may_be_asked_again(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"brightlist_few_{databases.WORKER}_{os.getpid()}"
    with container.database.unit_of_work() as session:
        may = "IN ROLE pg_read_all_data, pg_write_all_data"
        session.execute(text(f"CREATE ROLE {name} LOGIN PASSWORD 'few' CONNECTION LIMIT 1 {may}"))
    own = make_url(container.settings.database_url).set(username=name, password="few")
    crowded = database.Database(own.render_as_string(hide_password=False))
    try:
        with monkeypatch.context() as patch:
            patch.setattr(container, "database", crowded)
            with crowded.read_session() as session:
                session.execute(text("SELECT 1"))
                assert refused(api.get("/user/credits"))
            assert api.get("/user/credits").status_code == 200
    finally:
        crowded.engine.dispose()
        with container.database.unit_of_work() as session:
            session.execute(text(f"DROP ROLE {name}"))


def ready(app: Flask) -> TestResponse:
    return app.test_client().get("/readyz")


@pytest.mark.long
def test_readiness_does_not_wait_for_a_postgresql_that_takes_connections_and_keeps_silent(
    app: Flask, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CONNECT_SECONDS", 2)  # the least there is
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql+psycopg://nobody@127.0.0.1:{silent.getsockname()[1]}/none"
        with monkeypatch.context() as patch:
            patch.setattr(container, "database", database.Database(url))
            answer = ready(app)
    assert (answer.status_code, answer.json["parts"]["database"]) == (503, False)


@pytest.fixture
def beat(container: Container) -> None:
    container.sweep.beat()


def test_readiness_sees_a_store_that_cannot_be_written(
    app: Flask, clock: FakeClock, store: FaultyStorage, beat: None
) -> None:
    assert ready(app).status_code == 200
    clock.now += KEPT_FOR
    with store.away(frozenset({"ping"})):
        answer = ready(app)
        assert (answer.status_code, answer.json["parts"]["storage"]) == (503, False)
    clock.now += KEPT_FOR
    assert ready(app).status_code == 200


def test_strangers_who_ask_for_readiness_over_and_over_write_nothing_more(
    app: Flask, clock: FakeClock, store: FaultyStorage
) -> None:
    for _ in range(50):
        ready(app)
    assert store.acts == ["ping"]
    clock.now += KEPT_FOR
    ready(app)
    assert store.acts == ["ping", "ping"]


def test_trying_the_store_leaves_nothing_in_it(app: Flask, container: Container, beat: None) -> None:
    assert ready(app).status_code == 200
    assert [path for path in container.settings.storage_path.rglob("*") if path.is_file()] == []


def test_a_store_that_hangs_is_tried_once_and_holds_nobody_up(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "MAX_SECONDS", 0.1)
    mended, tried, check = threading.Event(), [], StorageCheck()

    def hang() -> None:
        tried.append(1)
        mended.wait(60)

    assert check.result(hang, clock) is False
    assert [check.result(hang, clock) for _ in range(100)] == [False] * 100
    assert len(tried) == 1
    with check.changed:
        mended.set()
        assert check.changed.wait_for(lambda: not check.is_running, 60)
    assert check.result(hang, clock) is True
    assert len(tried) == 1
