"""The list of orders: shown, searched, filtered, paged, polled; and what stands above it."""

import io
import re
import zipfile
from datetime import timedelta
from decimal import Decimal

import pytest
from flask import Flask

from app.container import Container
from app.services.billing import credits
from app.services.orders import drafts, jobs
from app.services.orders.order_list import PAGE
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock, photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.services.orders.test_order_list import row
from tests.statements import counted


def place(api: Api, address: str = "12 Garden Lane, Springfield, IL 62704", content: bytes = PHOTO) -> str:
    return api.order([content], address=address)["jobId"]


def place_many(container: Container, account_id: str, first: int, count: int) -> None:
    """Orders written down at once, a minute after each other, from this house number on."""
    with container.database.unit_of_work() as session:
        for number in range(count):
            order = row(account_id, number, container.clock())
            order.address = f"{first + number} Garden Lane, Springfield, IL"
            order.created_at = container.clock() + timedelta(minutes=number)
            jobs.begin(session, order, order.created_at)


def addresses(page) -> list[str]:
    return [link.text for link in page.html.select("#orders tbody th a")]


def cell(page, label: str) -> str:
    return " ".join(page.html.select_one(f'#orders td[data-label="{label}"]').text.split())


def test_who_never_ordered_sees_one_way_to_begin(person: Person) -> None:
    page = person.open("/orders")
    assert "No orders yet" in page.text
    assert len(page.html.select(".empty ol li")) == 4
    assert len(page.html.select("main form")) == 1
    assert not page.html.select("#orders, #filters")


def test_the_button_begins_a_draft(person: Person, api: Api) -> None:
    for _ in ("no order yet", "some orders"):
        page = person.open("/orders")
        (form,) = [form for form in page.forms.values() if form.action == "/drafts"]
        assert person.send(form).request.path.startswith("/drafts/dft_")
        place(api)


def test_a_row_tells_the_order(person: Person, api: Api) -> None:
    job_id = place(api)
    page = person.open("/orders")
    link = page.html.select_one("#orders tbody th a")
    assert (link.text, link["href"]) == ("12 Garden Lane, Springfield, IL 62704", f"/properties/{job_id}")
    assert (cell(page, "Status"), cell(page, "Photos"), cell(page, "Credits")) == ("Queued", "0 of 1 done", "0.5")
    assert cell(page, "Created") == "Nov 20, 2026, 12:00 UTC"


def test_refunds_stand_beside_what_was_paid(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    place(api, content=photo("BROKEN"))
    work(container)
    page = person.open("/orders")
    assert (cell(page, "Status"), cell(page, "Credits")) == ("Not deliverable", "0.5 0.5 refunded")
    clock.pass_(minutes=1)
    api.order([PHOTO, photo("BROKEN")])
    work(container)
    page = person.open("/orders")
    assert (cell(page, "Status"), cell(page, "Credits")) == ("Partly ready", "1 0.5 refunded")
    assert page.html.select_one("#orders tbody .tag.warn").text == "Partly ready"


def test_expired_orders_are_marked(person: Person, api: Api, container: Container, clock: FakeClock) -> None:
    delivered, ready, lost = place(api), place(api), place(api, content=photo("BROKEN"))
    work(container)
    api.get(f"/downloads/{delivered}")
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    person.sign_in()
    page = person.open("/orders")
    tags = {
        row.select_one("a")["href"].rpartition("/")[2]: [tag.text for tag in row.select(".tag")]
        for row in page.html.select("#orders tbody tr")
    }
    assert tags == {
        delivered: ["Delivered", "Expired"],
        ready: ["Expired"],
        lost: ["Not deliverable", "Expired"],
    }


def test_searching_works_as_a_form(person: Person, api: Api) -> None:
    place(api, "12 Garden Lane, Springfield, IL 62704")
    place(api, "5 Oak Lane, Reno, NV 89501")
    form = person.open("/orders").forms["filters"]
    form["q"] = "oak LANE"
    page = person.send(form)
    assert addresses(page) == ["5 Oak Lane, Reno, NV 89501"]
    assert page.forms["filters"]["q"].value == "oak LANE"


def test_filtering_works_as_a_form_and_stands_in_the_address(
    person: Person, api: Api, container: Container
) -> None:
    place(api, "1 Done Street, Reno, NV")
    work(container)
    place(api, "2 New Street, Reno, NV")
    form = person.open("/orders").forms["filters"]
    words = [option[2] for option in form["status"].options]
    assert words[0] == "All"
    assert {"Queued", "Processing", "In review", "Ready", "Delivered", "Not deliverable", "Failed"} < {*words}
    assert words[-1] == "Expired"
    form["status"] = "approved"
    page = person.send(form)
    assert "status=approved" in page.request.query_string
    assert addresses(page) == ["1 Done Street, Reno, NV"]
    assert page.forms["filters"]["status"].value == "approved"


def test_a_search_that_finds_nothing_says_so_and_can_be_cleared(person: Person, api: Api) -> None:
    place(api)
    page = person.open("/orders?q=nowhere")
    assert "No orders found" in page.text
    assert page.html.select_one("#clear")["href"] == "/orders"
    assert page.forms["filters"]["q"].value == "nowhere"


def test_a_status_that_does_not_exist_filters_nothing(person: Person, api: Api) -> None:
    place(api)
    assert len(addresses(person.open("/orders?status=nonsense"))) == 1


ANYTHING = {"%00": 1, "%F0%9F": 0, "x" * 5000: 0, "%25": 0, '"><script>': 0, "a+" * 2000: 1}
"""What may be searched for, and how many orders are found."""


def test_a_search_may_be_anything_and_finds_what_fits(person: Person, api: Api, subtests: pytest.Subtests) -> None:
    place(api)
    for search, found in ANYTHING.items():
        with subtests.test(search=search):
            page = person.open(f"/orders?q={search}")
            assert len(addresses(page)) == found
            assert not page.html.select("main script")


def test_pages_are_links_that_keep_the_search(person: Person, container: Container) -> None:
    place_many(container, person.account_id, 0, PAGE + 2)
    first = person.open("/orders?q=lane&status=pending")
    assert not first.html.select("#newer")
    second = person.open(first.html.select_one("#older")["href"])
    assert {"q=lane", "status=pending"} < {*second.request.query_string.split("&")}
    assert addresses(second) == ["1 Garden Lane, Springfield, IL", "0 Garden Lane, Springfield, IL"]
    assert not second.html.select("#older")
    assert addresses(person.open(second.html.select_one("#newer")["href"])) == addresses(first)


def test_a_place_in_another_accounts_list_is_not_found(person: Person, other_api: Api) -> None:
    theirs = place(other_api)
    for path in (f"/orders?before={theirs}", f"/orders?after={theirs}", "/orders?before=x"):
        assert "Not found" in person.open(path, 404).text
    assert addresses(person.open("/orders")) == []


def test_htmx_gets_the_list_alone_with_the_count_said_aloud(person: Person, api: Api) -> None:
    place(api)
    answer = person.fragment("/orders?q=garden")
    assert "<h1" not in answer.text
    assert "HX-Request" in answer.headers["Vary"]
    assert answer.html.select_one("#status[data-hx-swap-oob=innerHTML]").text == "1 order found"
    assert person.fragment("/orders?q=zzz").html.select_one("#status").text == "No orders found"
    assert answer.headers["HX-Replace-Url"] == "/orders?q=garden"


def test_a_count_that_goes_on_says_that_there_are_more(person: Person, container: Container) -> None:
    place_many(container, person.account_id, 0, PAGE + 1)
    said = person.fragment("/orders?q=garden").html.select_one("#status").text
    assert said == "The newest 25 orders found, and there are more"


def test_the_list_polls_while_an_order_on_it_moves_and_then_stops(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    place(api)
    shown = person.open("/orders?q=garden").html.select_one("#orders")
    assert shown["data-hx-trigger"] == "every 15s"
    assert shown.has_attr("data-poll")
    clock.pass_(minutes=1)
    answer = person.fragment(shown["data-hx-get"])
    assert answer.html.select_one("#orders")["data-hx-get"] == shown["data-hx-get"]
    assert "q=garden" in shown["data-hx-get"]
    assert not answer.html.select("#status"), "a poll says nothing aloud"
    assert "HX-Replace-Url" not in answer.headers
    work(container)
    settled = person.fragment(shown["data-hx-get"]).html.select_one("#orders")
    assert not {"data-hx-get", "data-hx-trigger", "data-poll"} & {*settled.attrs}


def test_what_can_have_the_focus_keeps_its_name_over_a_poll(person: Person, api: Api) -> None:
    place(api)
    page = person.open("/orders")
    focusable = page.html.select("#orders a, #orders button")
    assert focusable
    assert all(each.get("id") for each in focusable)
    again = person.fragment(page.html.select_one("#orders")["data-hx-get"])
    assert [each["id"] for each in again.html.select("#orders a")] == [each["id"] for each in focusable]


def test_a_poll_after_signing_out_leads_back_to_the_list(person: Person, api: Api) -> None:
    place(api)
    person.web.reset()
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/orders?q=garden"}
    answer = person.web.get("/orders?q=garden&poll=1", headers=headers, expect_errors=True)
    assert (answer.status_int, answer.headers["HX-Redirect"]) == (401, "/sign-in?next=/orders?q%3Dgarden")


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("0", "You have no credits yet"),
        ("1", None),
        ("0.5", "Your balance is 0.5 credits. Your last order cost 1 credit."),
    ],
)
def test_a_low_balance_is_said(
    new_person: NewPerson, app: Flask, container: Container, amount: str, said: str | None
) -> None:
    person = new_person("lo@example.com", amount)
    if amount != "0":
        give(container, person, "1")
        api_of(person, app, container).order([PHOTO, PHOTO])
    notices = [each.text for each in person.open("/orders").html.select(".notice")]
    assert len(notices) == (said is not None)
    assert said is None or said in notices[0]
    assert not person.open("/orders?status=pending").html.select(".notice")


def give(container: Container, person: Person, amount: str) -> None:

    with container.database.unit_of_work() as session:
        credits.adjust(session, person.account_id, Decimal(amount), "Gift", container.clock())


def test_drafts_stand_on_top_to_be_continued(person: Person, container: Container) -> None:
    begin_draft(person, container, "12 Garden Lane, Springfield, IL 62704")
    page = person.open("/orders")
    (link,) = page.html.select(".drafts a")
    assert "Continue your order for 12 Garden Lane" in link.text
    assert "kept until Nov 27, 2026, 12:00 UTC" in re.sub(r"\s+", " ", link.text)
    assert person.open(link["href"]).request.path == link["href"].replace("drafts", "properties")


def test_many_drafts_do_not_push_the_orders_away(person: Person, container: Container) -> None:
    for number in range(5):
        begin_draft(person, container, f"{number} Garden Lane, Springfield, IL 62704")
    page = person.open("/orders")
    assert page.html.select_one("summary").text == "2 more to continue"
    assert len(page.html.select("details .drafts a")) == 2


def begin_draft(person: Person, container: Container, address: str) -> None:
    with container.database.unit_of_work() as session:
        draft = drafts.begin(session, person.account_id, container.upload_quota, container.clock())
        drafts.write(session, draft, drafts.content_of(draft).with_address(address), container.clock())


def test_the_number_of_queries_does_not_grow_with_the_orders(
    person: Person, api: Api, container: Container
) -> None:
    place(api)
    few = counted(lambda: person.open("/orders"))
    for number in range(5):
        place(api)
        begin_draft(person, container, f"{number} Garden Lane, Springfield, IL 62704")
    assert counted(lambda: person.open("/orders")) == few


def test_the_balance_leads_to_the_credits_and_so_does_the_navigation(person: Person) -> None:
    page = person.open("/orders")
    assert page.html.select_one('.balance a[href="/credits"]').text == "Balance: 100 credits"
    assert page.html.select_one('nav a[href="/credits"]')
    here = person.open("/credits").html.select_one('nav a[href="/credits"]')
    assert here["aria-current"] == "page"


def test_small_pictures_stand_in_boxes_of_a_fixed_size_and_load_when_they_are_seen(
    person: Person, api: Api, container: Container
) -> None:
    place(api)
    work(container)
    develop(container)
    (image,) = person.open("/orders").html.select("#orders .thumbs img")
    assert (image["loading"], image["width"], image["height"], image["alt"]) == ("lazy", "64", "48", "")
    assert "/result/" in image["src"]
    assert person.web.get(image["src"]).content_type == "image/jpeg"


def test_how_far_an_unfinished_order_is_stands_beside_its_photos(
    person: Person, api: Api, container: Container
) -> None:
    api.order([PHOTO] * 2)
    assert cell(person.open("/orders"), "Photos") == "0 of 2 done"
    work(container)
    assert cell(person.open("/orders"), "Photos") == "2"


def test_sorting_works_as_a_form_and_is_kept_from_page_to_page(person: Person, container: Container) -> None:
    place_many(container, person.account_id, 100, PAGE + 2)
    form = person.open("/orders").forms["filters"]
    form["sort"] = "oldest"
    page = person.send(form)
    assert addresses(page)[0].startswith("100 ")
    assert page.forms["filters"]["sort"].value == "oldest"
    second = person.open(page.html.select_one("#older")["href"])
    assert [each.partition(" ")[0] for each in addresses(second)] == ["125", "126"]
    assert addresses(person.open("/orders?sort=address"))[0].startswith("100 ")
    assert addresses(person.open("/orders?sort=nonsense"))[0].startswith("126 ")


def download(person: Person, status: int = 200, **options: object):
    token = person.token()
    ids = options.get("ids", [])
    sent = [("csrf_token", token), *(("ids", each) for each in ids)]
    return person.web.post("/orders/download.zip", sent, expect_errors=True, status=status)


def test_several_orders_come_in_one_zip_each_in_a_folder_of_its_own(
    person: Person, api: Api, container: Container
) -> None:
    ids = [place(api, "12 Garden Lane, Springfield, IL 62704") for _ in range(2)]
    ids.append(place(api, "5 Oak Lane, Reno, NV 89501"))
    work(container)
    boxes = person.open("/orders").html.select("#orders [name=ids]")
    assert {box["value"] for box in boxes} == {*ids}
    assert {box["form"] for box in boxes} == {"download-several"}
    packed = download(person, ids=ids)
    assert packed.content_type == "application/zip"
    assert int(packed.headers["Content-Length"]) == len(packed.body)
    with zipfile.ZipFile(io.BytesIO(packed.body)) as archive:
        assert archive.testzip() is None
        folders = {name.partition("/")[0] for name in archive.namelist()}
    assert len(folders) == 3
    assert [api.status(each)["status"] for each in ids] == ["delivered"] * 3


def test_a_zip_of_several_is_whole_or_delivers_nothing(
    person: Person, api: Api, other_api: Api, container: Container
) -> None:
    mine, theirs = place(api), place(other_api)
    work(container)
    waiting = place(api, "5 Oak Lane, Reno, NV 89501")
    for other, status in ((theirs, 404), (waiting, 400), ("x", 404)):
        download(person, status, ids=[mine, other])
    assert api.status(mine)["status"] == "approved"
    for ids in ([], [f"job_{number:022}" for number in range(PAGE + 1)]):
        assert "Select 1 to 25 orders" in download(person, 303, ids=ids).follow().text


def test_what_is_ticked_stays_so_over_a_poll(person: Person, api: Api, container: Container) -> None:
    done = place(api)
    work(container)
    place(api, "5 Oak Lane, Reno, NV 89501")
    shown = person.open("/orders").html.select_one("#orders")
    assert shown["data-hx-include"] == "#orders"
    again = person.fragment(f"{shown['data-hx-get']}&ids={done}")
    assert again.html.select_one(f"#pick-{done}").has_attr("checked")
    assert f"ids={done}" not in again.html.select_one("#orders")["data-hx-get"]


def test_the_way_out_stands_in_the_header(person: Person) -> None:
    page = person.open("/orders")
    assert page.html.select_one("header form#sign-out button").text == "Sign out"
    assert not page.html.select("footer form#sign-out")
