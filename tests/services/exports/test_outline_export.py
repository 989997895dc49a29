"""What people showed on photos leaves as outlines to learn from, only where the photos' owner agreed."""

import io
import json
import zipfile
from datetime import datetime, timedelta

from sqlalchemy import select

from app.container import Container
from app.models import Photo
from app.services.exports import outline_export
from engine.types.hint_document import read_hints
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.services.exports.test_feedback_export import agree

FLOOR = [[0.0, 0.6], [1.0, 0.6], [1.0, 1.0]]
HINTED = {"photoConfigs": [{"photoType": "interior", "photoIndex": 0, "hints": {"surfaces": {"floor": [FLOOR]}}}]}


def exported(container: Container, since: datetime | None = None) -> dict[str, bytes]:
    file = io.BytesIO()
    with container.database.read_session() as session:
        shown = list(outline_export.list_shown(session, since))
    count = outline_export.write_archive(container.storage, shown, file)
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        assert len(names) == 2 * count
        return {name: packed.read(name) for name in names}


def order(container: Container, api: Api, **chosen: object) -> None:
    api.order(interior=[PHOTO, photo() + b"2"], **chosen)
    work(container)


def test_photos_with_hints_leave_with_them_where_their_owner_agreed(
    container: Container, api: Api, other_api: Api
) -> None:
    agree(container, api)
    order(container, api, **HINTED)
    order(container, other_api, **HINTED)
    files = exported(container)
    (hints,) = (json.loads(content) for name, content in files.items() if name.startswith("hints/"))
    assert hints["surfaces"] == {"floor": [FLOOR]}
    assert read_hints(hints).photo is not None, "they are tied to this photo"
    assert PHOTO in files.values()


def test_who_agreed_later_or_no_more_keeps_them(container: Container, api: Api, clock: FakeClock) -> None:
    order(container, api, **HINTED)
    clock.pass_(seconds=1)
    agree(container, api)
    assert exported(container) == {}
    order(container, api, **HINTED)
    assert len(exported(container)) == 2
    agree(container, api, agreed=False)
    assert exported(container) == {}


def test_they_can_be_asked_for_since_a_moment(container: Container, api: Api) -> None:
    agree(container, api)
    order(container, api, **HINTED)
    assert exported(container, container.clock() + timedelta(seconds=1)) == {}


def test_pictures_from_public_imagery_stay(container: Container, api: Api) -> None:
    agree(container, api)
    order(container, api, **HINTED)
    with container.database.unit_of_work() as session:
        for each in session.scalars(select(Photo)):
            each.from_imagery = True
    assert exported(container) == {}
