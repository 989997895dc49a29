"""One Idempotency-Key sent many times at once, where the request under it is refused and lets go of it."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, text

from app.container import Container
from app.models import IdempotencyRecord
from app.services.billing import credits
from tests.conftest import PHOTO, Api, order_body

KEY = "one-for-all"
ROUNDS = 20
THREADS = 24


def send_at_once(app: Flask, api: Api, body: dict[str, Any], key: str) -> Counter[int]:
    """The statuses of THREADS requests with this key."""

    def send(_: int) -> int:
        client = Api(app.test_client(), api.account_id, api.secret)
        return client.post("/orders/from-uploads", body, headers={"Idempotency-Key": key}).status_code

    with ThreadPoolExecutor(THREADS) as pool:
        return Counter(pool.map(send, range(THREADS)))


def test_a_refused_order_sent_many_times_at_once_is_refused_or_in_flight_and_nothing_else(
    app: Flask, api: Api, container: Container
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, -100, "taken", container.clock())
    answers: Counter[int] = Counter()
    for number in range(ROUNDS):
        answers += send_at_once(app, api, body, f"{KEY}-{number}")
    assert answers.keys() <= {402, 409}
    assert answers[402] >= ROUNDS
    assert answers.total() == ROUNDS * THREADS
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(IdempotencyRecord)) == 0


def test_postgresql_ends_the_transaction_of_a_process_that_was_stopped_in_the_midst_of_it(
    container: Container,
) -> None:
    if container.database.engine.dialect.name != "postgresql":
        pytest.skip("SQLite has no server that could")
    with container.database.read_session() as session:
        assert session.scalar(text("SHOW idle_in_transaction_session_timeout")) == "30s"
