"""The first look at the results delivers them, once, however many look at once."""

from concurrent.futures import ThreadPoolExecutor

from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.events import EventName
from app.models import Event
from tests.conftest import PHOTO, Api, work


def test_many_first_looks_at_once_are_one_delivery(api: Api, app: Flask, container: Container) -> None:
    for _ in range(5):
        order = api.order(interior=[PHOTO])
        work(container)
        path = f"/downloads/{order['jobId']}"

        def look(_: int, path: str = path) -> int:
            return Api(app.test_client(), api.account_id, api.secret).get(path).status_code

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(look, range(8))) == {200}
    with container.database.reading() as session:
        delivered = session.scalars(select(Event.job_id).where(Event.name == EventName.JOB_DELIVERED)).all()
    assert len(delivered) == len(set(delivered)) == 5
