"""Idempotency keys when the request under them breaks, or its process dies."""

from collections.abc import Callable
from typing import Any

import pytest

from app.container import Container
from app.models import Job
from app.services.idempotency import idempotency_records
from app.services.orders import orders
from tests import reading
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeClock

KEY = {"Idempotency-Key": "3f1c9d2e-order-17"}


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_crash_leaves_no_effect_and_no_locked_key(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    place: Callable[..., Any] = orders.place

    def crashing(*arguments: Any) -> Any:
        if when == "after":
            place(*arguments)
        raise RuntimeError("broke")

    with monkeypatch.context() as patch:
        patch.setattr(orders, "place", crashing)
        assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 500
    assert reading.count(container, Job) == 0
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 200
    assert api.credits() == 99.5


def test_a_process_that_died_holding_the_key_gives_way_after_its_lease(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch, clock: FakeClock
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    with monkeypatch.context() as patch:
        patch.setattr(orders, "place", lambda *_: 1 / 0)
        patch.setattr("app.web.idempotency.end", lambda: None)
        patch.setattr(container.renewals, "add", lambda _: None)
        api.post("/orders/from-uploads", body, headers=KEY)
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 409
    clock.now += idempotency_records.LEASE
    assert api.post("/orders/from-uploads", body, headers=KEY).status_code == 200
