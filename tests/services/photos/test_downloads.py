"""The first look at the results delivers them, once, however many look at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.events import EventName
from app.models import Event, Job
from app.services.orders import jobs
from tests.conftest import PHOTO, Api, work


def test_a_job_that_expires_while_it_is_looked_at_is_not_delivered(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    lock = jobs.lock

    def expired_meanwhile(session: Session, job_id: str) -> Job:
        job = lock(session, job_id)
        job.expired_at = container.clock()
        return job

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "lock", expired_meanwhile)
        assert api.get(f"/downloads/{order['jobId']}").status_code == 404
    assert api.status(order["jobId"])["status"] == "approved"


@pytest.mark.long
def test_many_first_looks_at_once_are_one_delivery(api: Api, app: Flask, container: Container) -> None:
    for _ in range(5):
        order = api.order(interior=[PHOTO])
        work(container)
        path = f"/downloads/{order['jobId']}"

        def look(_: int, path: str = path) -> int:
            return Api(app.test_client(), api.account_id, api.secret).get(path).status_code

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(look, range(8))) == {200}
    with container.database.read_session() as session:
        delivered = session.scalars(select(Event.job_id).where(Event.name == EventName.JOB_DELIVERED)).all()
    assert len(delivered) == len(set(delivered)) == 5
