"""Orders are placed once, whoever asks how often."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain.orders import OrderPhoto
from app.models import Event, Job, Photo
from app.services.orders import orders
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeImagery


def test_the_same_order_from_many_threads_is_one_job_charged_once(api: Api, app, container: Container) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}

    def place(_: int) -> str:
        answer = Api(app.test_client(), api.account_id, api.secret).post("/orders/from-uploads", body)
        assert answer.status_code == 200, answer.text
        return answer.json["jobId"]

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(place, range(16)))) == 1
    assert api.credits() == 99.5
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Job)) == 1
        assert session.scalars(select(Event.name)).all() == ["job.created"]


def test_placing_notifies_for_every_photo_once_after_the_commit(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    assert container.queue.notified == [asset["id"] for asset in order["assets"]]


def test_an_order_goes_through_while_the_queue_is_away(api: Api, container: Container) -> None:
    container.queue.away = True
    order = api.order(interior=[PHOTO])
    assert order["success"] is True
    container.queue.away = False
    container.sweep.everything()
    assert container.queue.notified == [order["assets"][0]["id"]]


def test_imagery_is_rung_for_like_a_photo(api: Api, container: Container) -> None:
    container.imagery = FakeImagery()
    body = {**order_body(interior=True, exterior=True), **api.upload(interior=[PHOTO])}
    order = api.post("/orders/from-uploads", body).json
    with container.database.read_session() as session:
        placed = session.scalars(select(Photo).order_by(Photo.type)).all()
    assert container.queue.notified == [photo.id for photo in placed]
    assert [(photo.type, photo.from_imagery) for photo in placed] == [("exterior", True), ("interior", False)]
    assert [asset["id"] for asset in order["assets"]] == [placed[1].id]


def test_a_refused_order_leaves_the_upload_session_open(api: Api) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    wrong = {**body, "address": "?"}
    assert api.post("/orders/from-uploads", wrong).status_code == 400
    assert api.credits() == 100
    assert api.post("/orders/from-uploads", body).status_code == 200


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("kitchen.jpg", "kitchen.jpg"),
        ("../../etc/passwd", "passwd"),
        ("C:\\photos\\front door.JPG", "front door.JPG"),
        ("..", "interior-1"),
        ("", "interior-1"),
        (None, "interior-1"),
        ('a"b<c>.jpg', "a_b_c_.jpg"),
        ("größe 🏡.jpg", "größe 🏡.jpg"),
        ("x" * 300 + ".jpeg", "x" * 184 + ".jpeg"),
        ("x" * 189 + "." + "y" * 9, "x" * 189),
        ("é" * 200 + ".jpg", "é" * 92 + ".jpg"),
    ],
)
def test_a_file_name_is_made_safe_for_a_download(given: str | None, kept: str) -> None:
    photo = OrderPhoto(PhotoType.INTERIOR, 0, EditRequest(), None)
    assert orders.file_name(given, photo) == kept
