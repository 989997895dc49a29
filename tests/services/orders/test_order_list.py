"""The list of an account's orders: newest first, page by page, searched and filtered."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.errors import NotFound
from app.domain.lifecycle import Status
from app.models import Job, Photo
from app.services.orders import jobs, order_list
from app.services.orders.order_list import PAGE, ListSort, OrderFilter
from app.services.pagination import Cursor, TwoWayPage
from app.services.photos import pictures
from tests.acts import expire
from tests.conftest import PHOTO, Api, develop, order_body, work
from tests.fakes import FakeClock, photo
from tests.statements import counted


def placed(api: Api, address: str, clock: FakeClock, content: bytes = PHOTO) -> str:
    job_id = api.order([content], address=address)["jobId"]
    clock.pass_(minutes=1)
    return job_id


@pytest.fixture
def many(container: Container, api: Api) -> list[str]:
    """60 orders, newest first; always three of one moment."""
    with container.database.unit_of_work() as session:
        rows = [row(api.account_id, number, container.clock()) for number in range(60)]
        for each in rows:
            jobs.begin(session, each, each.created_at)
    return [each.id for each in sorted(rows, key=lambda each: (each.created_at, each.id), reverse=True)]


def row(account_id: str, number: int, start) -> Job:
    return Job(
        id=f"job_{number:022d}",
        account_id=account_id,
        upload_session_id=f"ups_{number:022d}",
        address=f"{number} Garden Lane",
        service_type="interior",
        credit_cost=Decimal(0),
        property_credits=Decimal(0),
        credits_refunded=Decimal(0),
        interior_count=0,
        exterior_count=0,
        created_at=start + timedelta(minutes=number // 3),
        deadline_at=start + timedelta(hours=2),
    )


def ids(page: TwoWayPage[order_list.OrderRow, str]) -> list[str]:
    return [each.job_id for each in page.rows]


def listed(
    container: Container, api: Api, wanted: OrderFilter | None = None, at: Cursor | None = None
) -> TwoWayPage[order_list.OrderRow, str]:
    with container.database.read_session() as session:
        return order_list.paginate(session, api.account_id, wanted, at)


def test_pages_follow_each_other_without_gap_or_repeat(container: Container, api: Api, many: list[str]) -> None:
    found, page = [], listed(container, api)
    assert page.newer is None
    while True:
        found += ids(page)
        if page.older is None:
            break
        page = listed(container, api, at=page.older)
    assert found == many


def test_the_way_back_shows_the_same_pages(container: Container, api: Api, many: list[str]) -> None:
    second = listed(container, api, at=listed(container, api).older)
    third = listed(container, api, at=second.older)
    assert ids(third) == many[2 * PAGE :]
    back = listed(container, api, at=third.newer)
    assert ids(back) == ids(second)
    assert back.older == Cursor(many[2 * PAGE - 1])
    first = listed(container, api, at=back.newer)
    assert ids(first) == many[:PAGE]
    assert first.newer is None


def test_orders_placed_meanwhile_do_not_make_the_way_back_end_on_a_short_page(
    container: Container, api: Api, many: list[str], clock: FakeClock
) -> None:
    second = listed(container, api, at=listed(container, api).older)
    clock.pass_(hours=1)
    newest = placed(api, "1 New Street, Reno, NV 89501", clock)
    back = listed(container, api, at=second.newer)
    assert ids(back) == many[:PAGE]
    first = listed(container, api, at=back.newer)
    assert ids(first) == [newest, *many[: PAGE - 1]]


def test_a_page_that_came_to_nothing_gives_the_first(container: Container, api: Api, many: list[str]) -> None:
    assert ids(listed(container, api, at=Cursor(many[-1]))) == many[:PAGE]


def test_a_place_of_another_account_is_not_found(
    container: Container, api: Api, other_api: Api, clock: FakeClock
) -> None:
    theirs = placed(other_api, "12 Garden Lane, Springfield, IL", clock)
    assert ids(listed(container, api)) == []
    for job_id in (theirs, "job_" + "0" * 22, "nonsense", ""):
        with pytest.raises(NotFound):
            listed(container, api, at=Cursor(job_id))


def test_the_search_is_for_words_of_the_address_in_any_case(
    container: Container, api: Api, clock: FakeClock, subtests: pytest.Subtests
) -> None:
    placed(api, "12 Garden Lane, Öder Straße, Springfield, IL 62704", clock)
    for search, found in (
        ("garden", True),
        ("GARDEN lane", True),
        ("lane garden", True),
        ("Lane, Springfield,", True),
        ("627", True),
        ("straße", True),
        ("STRASSE", False),
        ("ÖDER", True),
        ("öder", True),
        ("öDER", True),
        ("garden reno", False),
        ("g_rden", False),
        ("%", False),
        ("12/2", False),
        ("\\", False),
        ("gar\x00den", True),
        ("\x00", True),
        ("", True),
        (" ,.; ", True),
        ("a " * 5000, True),
    ):
        with subtests.test(search=search, found=found):
            assert bool(listed(container, api, OrderFilter(search)).rows) is found


def test_the_search_finds_what_a_program_calls_the_order(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO], externalId="MLS-4071")["jobId"]
    api.order([photo("another")], externalId="MLS-4072")
    assert ids(listed(container, api, OrderFilter("mls-4071 garden"))) == [job_id]


def test_wildcards_of_the_database_are_letters_like_others(
    container: Container, api: Api, clock: FakeClock
) -> None:
    placed(api, "100% Lane_1, Reno 7", clock)
    placed(api, "100 Lanes1, Reno 7", clock)
    assert [each.address for each in listed(container, api, OrderFilter("100% lane_")).rows] == [
        "100% Lane_1, Reno 7"
    ]


def test_states_filter_and_what_expired_is_no_longer_ready(
    container: Container, api: Api, clock: FakeClock
) -> None:
    old = placed(api, "1 Old Street, Reno, NV", clock)
    work(container)
    expire(container)
    ready = placed(api, "2 New Street, Reno, NV", clock)
    work(container)
    waiting = placed(api, "3 New Street, Reno, NV", clock)
    assert ids(listed(container, api, OrderFilter(status=Status.APPROVED))) == [ready]
    assert ids(listed(container, api, OrderFilter(status=Status.PENDING))) == [waiting]
    assert ids(listed(container, api, OrderFilter(expired=True))) == [old]
    assert ids(listed(container, api, OrderFilter("street", Status.APPROVED))) == [ready]
    assert ids(listed(container, api, OrderFilter("old", Status.APPROVED))) == []
    (lapsed,) = listed(container, api, OrderFilter(expired=True)).rows
    assert lapsed.lapsed


def test_a_row_says_what_was_paid_and_what_came_back(container: Container, api: Api, clock: FakeClock) -> None:
    placed(api, "1 Old Street, Reno, NV", clock, photo("BROKEN"))
    work(container)
    (one,) = listed(container, api).rows
    assert (one.photo_count, one.credit_cost, one.credits_refunded) == (1, Decimal("0.5"), Decimal("0.5"))
    assert one.status is Status.UNDELIVERABLE


def test_only_unfinished_orders_move_by_themselves(container: Container, api: Api, clock: FakeClock) -> None:
    placed(api, "1 Old Street, Reno, NV", clock)
    assert any(row.unfinished for row in listed(container, api).rows)
    work(container)
    assert not any(row.unfinished for row in listed(container, api).rows)


def test_the_last_price_is_that_of_the_newest_order(container: Container, api: Api, clock: FakeClock) -> None:
    with container.database.read_session() as session:
        assert order_list.get_last_price(session, api.account_id) is None
    placed(api, "1 Old Street, Reno, NV", clock)
    api.order([PHOTO, PHOTO])
    with container.database.read_session() as session:
        assert order_list.get_last_price(session, api.account_id) == Decimal(1)


def test_the_number_of_queries_does_not_grow_with_the_orders(
    container: Container, api: Api, many: list[str], other_api: Api
) -> None:
    def statements(account_id: str, at: Cursor | None = None) -> int:
        with container.database.read_session() as session:
            return counted(lambda: order_list.paginate(session, account_id, OrderFilter("lane"), at))

    assert statements(other_api.account_id) == 1, "there is nothing to see of no orders"
    assert statements(api.account_id) == 3
    assert statements(api.account_id, Cursor(many[30])) == 4
    assert statements(api.account_id, Cursor(many[10], newer=True)) == 5


def test_the_list_is_read_along_the_index(container: Container, api: Api, many: list[str]) -> None:
    with container.database.read_session() as session:
        plan = explained(session, api.account_id, many[30])
    assert "ix_job_account_newest" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("sort", [ListSort.OLDEST, ListSort.ADDRESS])
def test_other_orders_are_read_along_an_index_and_page_by_page_both_ways(
    container: Container, api: Api, many: list[str], sort: ListSort
) -> None:
    wanted = OrderFilter(sort=sort)
    with container.database.read_session() as session:
        column = Job.address if sort is ListSort.ADDRESS else Job.created_at
        expected = list(session.scalars(select(Job.id).order_by(column, Job.id)))
        plan = explained(session, api.account_id, many[30], wanted)
    assert "ix_job_account_address" in plan or sort is ListSort.OLDEST
    assert "TEMP B-TREE" not in plan
    first = listed(container, api, wanted)
    second = listed(container, api, wanted, first.older)
    third = listed(container, api, wanted, second.older)
    assert ids(first) + ids(second) + ids(third) == expected
    assert ids(listed(container, api, wanted, third.newer)) == ids(second)


def test_an_order_is_found_by_the_name_of_a_file_as_long_as_that_is_kept(
    container: Container, api: Api, clock: FakeClock, subtests: pytest.Subtests
) -> None:
    job_id = ordered_from(api, "DSC_0417 Küche.jpg", "12 Garden Lane, Springfield, IL 62704")
    placed(api, "5 Oak Lane, Reno, NV 89501", clock)
    for search, found in (
        ("dsc_0417", True),
        ("DSC_0417 garden", True),
        ("küche.jpg", True),
        ("dsc_0417 oak", False),
        ("dsc-0417", False),
        ("interior-1", False),
    ):
        with subtests.test(search=search):
            assert (job_id in ids(listed(container, api, OrderFilter(search)))) is found
    work(container)
    expire(container)
    assert ids(listed(container, api, OrderFilter("dsc_0417"))) == []
    assert job_id in ids(listed(container, api, OrderFilter("garden")))


def ordered_from(api: Api, file_name: str, address: str) -> str:
    room = api.upload([PHOTO])
    room["interiorFiles"][0]["fileName"] = file_name
    body = {**order_body(), **room, "address": address}
    job_id: str = api.post("/orders/from-uploads", body).json["jobId"]
    return job_id


def test_a_row_shows_photos_and_then_results_and_how_many_are_done(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, photo("BROKEN")], [PHOTO])["jobId"]
    (row,) = listed(container, api).rows
    assert (row.thumbs.pictures, row.thumbs.done_count) == ([], 0), "no small picture is made yet"
    work(container)
    develop(container)
    (row,) = listed(container, api).rows
    assert row.thumbs.done_count is None, "all are"
    assert sum(each.is_result for each in row.thumbs.pictures) == 2
    assert (row.job_id, row.downloadable) == (job_id, True)


def test_a_result_that_is_not_decided_yet_is_shown_by_its_photo(container: Container, api: Api) -> None:
    api.order([PHOTO])
    work(container, automatic=False)
    with container.database.unit_of_work() as session:
        for each in session.scalars(select(Photo)):
            pictures.request_previews(session, each.storage_key, container.clock())
    develop(container)
    (row,) = listed(container, api).rows
    assert [each.is_result for each in row.thumbs.pictures] == [False]
    assert (row.thumbs.done_count, row.downloadable) == (1, False)


def explained(session: Session, account_id: str, job_id: str, wanted: OrderFilter | None = None) -> str:
    if session.get_bind().dialect.name != "sqlite":
        pytest.skip("the planner of PostgreSQL sorts so few rows as it likes")
    said: list[str] = []
    counted(lambda: order_list.paginate(session, account_id, wanted, Cursor(job_id)), said)
    literal = next(each for each in said if "LIMIT" in each).replace("?", "'x'")
    lines = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {literal}").all()
    return "\n".join(line[-1] for line in lines)
