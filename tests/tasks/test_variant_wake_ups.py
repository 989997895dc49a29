"""A wake-up with the id of a variant has that made, in the queue of the photos of its cost."""

import pytest
from sqlalchemy import select

from app.container import Container
from app.models import StoredPicture
from app.tasks import limits, photos, runtime
from tests.conftest import PHOTO, Api, work


def test_the_variant_that_a_wake_up_names_is_made(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.order(interior=[PHOTO], interiorEnhancements=["hdr_enhancement", "declutter"])
    work(container)
    monkeypatch.setattr(limits, "apply", lambda: None)
    runtime.use(container)
    with container.database.read_session() as session:
        wanted = session.scalars(select(StoredPicture.id).where(StoredPicture.is_variant)).one()
    photos.process_photo(wanted)
    with container.database.read_session() as session:
        made = session.get_one(StoredPicture, wanted)
        assert container.storage.stat(made.storage_key or "") is not None
    photos.process_photo(wanted)
    assert len(container.engine.requests) == 2
