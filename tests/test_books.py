"""Books that agreed to the row are not judged again, and others are."""

from decimal import Decimal

from sqlalchemy import update

from app.container import Container
from app.models import Organisation
from tests import books
from tests.conftest import Api


def test_books_that_do_not_agree_are_found_after_those_that_did(api: Api, container: Container) -> None:
    assert books.mismatches(container) == []
    for change, wrong in ((Decimal(1), 1), (Decimal(-1), 0)):
        with container.database.unit_of_work() as session:
            session.execute(update(Organisation).values(credits=Organisation.credits + change))
        assert len(books.mismatches(container)) == wrong
