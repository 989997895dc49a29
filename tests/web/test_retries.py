"""A database connection cut during a request costs its client nothing where it may be worked again.

Requests of the test client run in the thread of the test, and only that one is cut: keys are renewed beside it.
"""

import threading
from collections.abc import Callable
from io import BytesIO

import pytest
from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from werkzeug.test import EnvironBuilder, TestResponse

from app.container import Container
from app.models import Job
from app.services.orders import orders
from bench.customers import form_fields
from tests.conftest import PHOTO, Api, order_body
from tests.services.hooks import FakeTransport

CUT = OperationalError("UPDATE account", {}, Exception("terminating connection"), connection_invalidated=True)
AWAY = OperationalError("SELECT 1", {}, Exception("connection refused"))
KEY = {"Idempotency-Key": "once"}
Break = Callable[..., list[int]]
Commit = Callable[[Session], None]
Change = Callable[[Callable[[Session, Commit], None]], None]


@pytest.fixture
def change_commit(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Let what requests commit be committed by another function, which is given the session and the real commit."""
    commit, requests = Session.commit, threading.get_ident()

    def change(changed: Callable[[Session, Commit], None]) -> None:
        def commit_instead(session: Session) -> None:
            if threading.get_ident() == requests:
                changed(session, commit)
            else:
                commit(session)

        monkeypatch.setattr(Session, "commit", commit_instead)

    return change


@pytest.fixture
def broken_orders(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Let the first so many orders be cut off before they are placed; what it returns counts them all."""
    place = orders.place

    def begin(times: int, error: Exception = CUT) -> list[int]:
        tries: list[int] = []

        def once_more(*arguments, **options):
            tries.append(1)
            if len(tries) <= times:
                raise error
            return place(*arguments, **options)

        monkeypatch.setattr(orders, "place", once_more)
        return tries

    return begin


def order_in_one_request(api: Api, headers: dict[str, str]) -> TestResponse:
    files = {"interiorPhoto0": (BytesIO(PHOTO), "room.jpg")}
    return api.call("POST", "/orders", data={**form_fields(), **files}, headers=headers)


def jobs(container: Container) -> int:
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Job)) or 0


def test_an_order_under_a_key_is_placed_by_a_second_try_body_and_all(
    api: Api, container: Container, broken_orders: Break
) -> None:
    tries = broken_orders(1)
    answer = order_in_one_request(api, KEY)
    assert (answer.status_code, len(tries), jobs(container)) == (200, 2, 1)
    assert api.credits() == 100 - answer.json["creditCost"]
    again = order_in_one_request(api, KEY)
    assert (again.json, again.headers["Idempotent-Replayed"], len(tries)) == (answer.json, "true", 2)


def test_a_connection_that_is_cut_as_its_commit_holds_places_one_order(
    api: Api, container: Container, change_commit: Change
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    cut = []

    def cut_off(session: Session, commit: Commit) -> None:
        placed = any(isinstance(each, Job) for each in session.identity_map.values())
        commit(session)
        if placed and not cut:
            cut.append(1)
            raise CUT

    change_commit(cut_off)
    answer = api.post("/orders/from-uploads", body, headers=KEY)
    assert (answer.status_code, answer.headers["Idempotent-Replayed"], cut) == (200, "true", [1])
    assert (jobs(container), api.credits()) == (1, 100 - answer.json["creditCost"])


def test_an_order_without_a_key_is_tried_once(api: Api, container: Container, broken_orders: Break) -> None:
    tries = broken_orders(1)
    answer = order_in_one_request(api, {})
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (503, True)
    assert (len(tries), jobs(container), api.credits()) == (1, 0, 100)


def test_who_is_cut_off_twice_is_told_to_come_back(api: Api, container: Container, broken_orders: Break) -> None:
    tries = broken_orders(2)
    assert order_in_one_request(api, KEY).status_code == 503
    assert (len(tries), jobs(container)) == (2, 0)
    assert order_in_one_request(api, KEY).status_code == 200


def test_a_database_that_is_away_is_not_waited_for(api: Api, broken_orders: Break) -> None:
    tries = broken_orders(1, AWAY)
    assert (order_in_one_request(api, KEY).status_code, len(tries)) == (503, 1)


def test_what_is_read_is_read_again(api: Api, container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, tries = container.database.read_session, []

    def cut_once():
        tries.append(1)
        if len(tries) == 1:
            raise CUT
        return reading()

    monkeypatch.setattr(container.database, "read_session", cut_once)
    assert api.credits() == 100
    assert len(tries) == 2


def test_a_file_that_is_put_is_taken_by_a_second_try(api: Api, change_commit: Change) -> None:
    url = api.post("/orders/upload-urls", {"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    tries = []

    def cut_once(session: Session, commit: Commit) -> None:
        tries.append(1)
        if len(tries) == 1:
            raise CUT
        commit(session)

    change_commit(cut_once)
    assert api.put(url, PHOTO).status_code == 200
    assert len(tries) > 1


def test_what_is_removed_is_not_removed_twice_whatever_key_it_bears(
    api: Api, container: Container, change_commit: Change
) -> None:
    container.transport = FakeTransport()
    hook = api.post("/webhooks", {"url": "https://hooks.example.com/"}).json["id"]
    tries = []

    def cut_off(session: Session, commit: Commit) -> None:
        tries.append(1)
        commit(session)
        raise CUT

    change_commit(cut_off)
    assert api.call("DELETE", f"/webhooks?id={hook}", headers=KEY).status_code == 503
    assert len(tries) == 1


def test_the_server_is_told_of_one_answer_alone(
    app: Flask, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, tries, told = container.database.read_session, [], []

    def cut_once():
        tries.append(1)
        if len(tries) == 1:
            raise CUT
        return reading()

    monkeypatch.setattr(container.database, "read_session", cut_once)
    environ = EnvironBuilder(
        "/api/v1/user/credits", headers={"Authorization": f"Bearer {api.secret}"}
    ).get_environ()
    body = b"".join(app.wsgi_app(environ, lambda status, *_: told.append(status)))
    assert (told, len(tries)) == (["200 OK"], 2)
    assert b'"credits":100' in body
