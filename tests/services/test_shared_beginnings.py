"""What tests take from one another, beginnings and judged books, is as if each had made and judged its own."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select, update

from app.container import Container
from app.database import Base
from app.models import Organisation
from tests import books
from tests.conftest import PHOTO, Api, develop, work

_found: list[dict[str, Any]] = []


def everything(container: Container) -> dict[str, Any]:
    """All rows, files and wake-ups."""
    with container.database.read_session() as session:
        tables = Base.metadata.sorted_tables
        rows = {each.name: [tuple(row) for row in session.execute(select(each))] for each in tables}
    stored = container.settings.storage_path
    files = {str(each.relative_to(stored)): each.read_bytes() for each in stored.rglob("*") if each.is_file()}
    return {**rows, "files": files, "woken": container.queue.queues, "asked": len(container.engine.requests)}


@pytest.mark.parametrize("time", ["first", "second"])
def test_an_order_leaves_the_same_however_often_it_was_placed_before(
    api: Api, container: Container, time: str
) -> None:
    placed = api.order([PHOTO], [PHOTO])
    assert work(container) == 2
    develop(container)
    _found.append({**everything(container), "placed": placed})
    assert _found[-1] == _found[0]
    assert _found[-1]["asked"] == 2
    assert set(api.status(placed["jobId"])) >= {"status"}


def test_after_anything_else_was_written_an_order_is_placed_anew(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        session.execute(update(Organisation).values(credits=Organisation.credits))
    ids = {api.order([PHOTO], [PHOTO])["jobId"] for _ in range(2)}
    assert len(ids | {each["placed"]["jobId"] for each in _found}) == 2 + bool(_found)


def test_books_that_do_not_agree_are_found_after_those_that_did(api: Api, container: Container) -> None:
    assert books.mismatches(container) == []
    for change, wrong in ((Decimal(1), 1), (Decimal(-1), 0)):
        with container.database.unit_of_work() as session:
            session.execute(update(Organisation).values(credits=Organisation.credits + change))
        assert len(books.mismatches(container)) == wrong
