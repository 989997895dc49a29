"""The picture of a furnished room: shown to the account whose photo it is, once workers rendered it."""

from sqlalchemy import select

from app.container import Container
from app.models import StoredOutlook
from app.services.previews import outlooks
from tests.conftest import look
from tests.portal.conftest import NewPerson
from tests.portal.orders.outlooks import Reader, checked, looked_at, with_houses
from tests.portal.person import Person


def test_a_rendered_layout_is_shown_to_its_own_account_alone(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    container.outlooks = Reader()
    with_houses(person, 1, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    board = checked(person, container)
    with container.database.unit_of_work() as session:
        row, *_ = session.scalars(select(StoredOutlook))
        path, outlook_id = f"/pictures/layouts/{row.id}", row.id
    assert person.open(path, status=404)
    with container.database.unit_of_work() as session:
        session.get_one(StoredOutlook, outlook_id).layout_preview = b"a picture"
    shown = person.open(path)
    assert (shown.body, shown.content_type) == (b"a picture", "image/jpeg")
    assert "private" in shown.headers["Cache-Control"]
    staff, other = new_person("staff@example.com", "0", staff=True), new_person("other@example.com", "10")
    assert [each.web.get(path, expect_errors=True).status_int for each in (staff, other)] == [404, 404]
    person.send(board.forms["place"])
    # Whoever reviews the order sees it; other customers never.
    assert [each.web.get(path, expect_errors=True).status_int for each in (staff, other)] == [200, 404]
    assert person.open("/pictures/layouts/out%00", status=404)


def test_a_worker_that_lost_its_claim_stores_no_layout(person: Person, container: Container) -> None:
    container.outlooks = Reader()
    looked_at(person, container, exterior=["grass_enhancement"])
    with container.database.unit_of_work() as session:
        row = session.scalars(select(StoredOutlook).order_by(StoredOutlook.id)).first()
        held = outlooks.OutlookClaim("clm_lost", row.id, 1, row.source_key, row.edit_request)
        outlooks.keep_layout_preview(session, held, b"late")
    with container.database.read_session() as session:
        assert set(session.scalars(select(StoredOutlook.layout_preview))) == {None}
    assert look(container) == 0
