"""The results of an order beside their photos, explained, and whose they are."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import delete

from app.container import Container
from app.domain.content_credentials import CredentialKind
from app.domain.lifecycle import Status
from app.models import Preview
from engine.types.report import Figure
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import BEFORE, FakeCredentials, photo
from tests.portal.orders.result_pages import STAGED, Ordered, board, deliveries, results, status
from tests.portal.person import Person
from tests.statements import counted


def test_every_result_stands_beside_its_photo(person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO, PHOTO], exterior=[PHOTO])
    tiles = person.open(board(job_id))
    links = tiles.html.select(".shot a")
    assert [link.img["alt"] for link in links] == [
        f"Result of {name}" for name in ("exterior-1", "interior-1", "interior-2")
    ]
    assert {link["href"].rpartition("/")[0] for link in links} == {f"{board(job_id)}/photos"}
    assert [each.text for each in tiles.html.select("h2[id$='-1']")] == ["Exterior (1)", "Interior (2)"]
    for link in links:
        for size in ("data-before", "data-after", "data-before-full", "data-after-full"):
            assert person.web.get(link[size]).content_type == "image/jpeg"
    page = person.open(links[0]["href"])
    before, after = page.html.select("[data-pair] img")
    assert (before["alt"], after["alt"]) == ("Before: exterior-1", "After: exterior-1")
    assert "/result/view" in after["src"]
    for image in page.html.select("main img"):
        assert person.web.get(image["src"]).content_type == "image/jpeg"
    slider = page.html.select_one("input[type=range]")
    assert slider["aria-valuetext"] == "50% after"
    assert page.html.select_one("label[for=compare-range]")


def test_previous_and_next_lead_through_them_in_order(person: Person, ordered: Ordered) -> None:
    page = person.open(results(ordered(interior=[PHOTO, PHOTO], exterior=[PHOTO])))
    seen = [page.html.h2.text]
    assert not page.html.select("[rel=prev]")
    while following := page.html.select_one("[rel=next]"):
        page = person.open(following["href"])
        seen.append(page.html.h2.text)
        assert page.html.select("[rel=prev]")
    assert seen == ["exterior-1.jpg", "interior-1.jpg", "interior-2.jpg"]


@pytest.mark.parametrize("photo", ["9", "0", "-1", "x", "", "9" * 40])
def test_the_number_of_no_photo_leads_to_all_of_them(person: Person, ordered: Ordered, photo: str) -> None:
    job_id = ordered(interior=[PHOTO, PHOTO])
    assert person.web.get(f"/orders/{job_id}/results?photo={photo}").location == board(job_id)


def test_one_picture_has_none_before_or_after_it(person: Person, ordered: Ordered) -> None:
    page = person.open(results(ordered(interior=[PHOTO])))
    assert not page.html.select("[rel=next], [rel=prev]")


def test_what_was_done_and_what_was_declined_is_told_with_what_came_back(person, ordered: Ordered) -> None:
    page = person.open(results(ordered(interior=[photo("HALF")], **STAGED)))
    done, declined = page.html.select(".done-list li")
    assert "Declutter" in done.text
    assert "Virtual staging" in declined.text
    assert "Not done" in declined.text
    assert "Not available. Refunded: 1 credit." in " ".join(declined.text.split())


def test_furniture_that_was_added_is_listed_with_sizes_in_feet_and_centimeters(person, ordered: Ordered) -> None:
    page = person.open(results(ordered(interior=[photo("PIECES")], **STAGED)))
    (listed,) = page.html.select(".done-list details")
    assert listed.summary.text == "3 pieces of furniture, with sizes"
    rows = [[cell.text for cell in row.select("th, td")] for row in listed.select("tbody tr")]
    assert rows == [
        ["Sofa", "1", "7 ft 3 in by 3 ft 1 in by 2 ft 8 in 220 by 94 by 81 cm"],
        ["Rug", "2", "6 ft 7 in by 9 ft 10 in by under 1 in 200 by 300 by 1 cm"],
    ]


def test_a_straightened_result_is_compared_with_its_photo_straightened_alike(person, ordered: Ordered) -> None:
    job = ordered(interior=[photo("LEANS"), PHOTO])
    leaning, plain = (person.open(results(job, number)) for number in (1, 2))
    befores = [person.open(each.html.select_one("figure.before img")["src"]).body for each in (leaning, plain)]
    assert befores == [BEFORE, b"\xff\xd8\xffview"]
    shown = leaning.html.select("[data-photos] li")
    assert [each.get("data-before-full") is None for each in shown] == [True, False], "at full size it leans"
    path = leaning.html.select_one("figure.before img")["src"].split("?")[0].replace("/before", "/view")
    assert person.open(path).body == b"\xff\xd8\xffview", "the photo itself stays as it was"


def test_a_change_that_was_not_done_is_told_with_what_came_back(person: Person, ordered: Ordered) -> None:
    change = {"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "oak"}
    chosen = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [change, change]}}
    page = person.open(results(ordered(interior=[photo("EVERY SECOND")], **chosen)))
    (done,) = page.html.select(".done-list li.applied")
    assert "Floor Not done No color was named. Refunded: 1 credit." in " ".join(done.text.split())


def test_photos_that_gave_nothing_are_told_with_what_came_back_and_what_to_do(
    person: Person, ordered: Ordered, container: Container
) -> None:
    page = person.open(board(ordered(interior=[PHOTO, photo("BROKEN"), photo("BLANK"), PHOTO])))
    assert page.html.select_one("#counts").text == "2 of 4 photos finished, 2 could not be done, 1 credit refunded"
    tiles = page.html.select(".shot")
    assert [bool(each.select("input, a[data-viewed]")) for each in tiles] == [True, False, False, True]
    broken, blank = (" ".join(each.text.split()) for each in tiles[1:3])
    assert "2. interior-2 Not usable" in broken
    assert "The photo cannot be decoded." in broken
    assert "The picture is blank. Refunded: 0.5 credits." in blank
    assert page.html.select_one(".tags .tag.warn").text == "Partly ready"
    refunded = person.open(tiles[1].a["href"])
    assert "The photo cannot be decoded. Refunded: 0.5 credits." in " ".join(refunded.html.main.text.split())
    assert tiles[1].select_one("a[href$='#next']")["href"].startswith(tiles[1].a["href"])
    assert not tiles[0].select("a[href$='#next']")
    container.settings = container.settings.model_copy(update={"support_email": "help@example.com"})
    assert person.open(tiles[1].a["href"]).html.select("#next #send-back"), "a person is asked here, not by mail"
    nothing = person.open(results(ordered(interior=[photo("BROKEN")])))
    assert nothing.html.select_one("#next [href='mailto:help@example.com']")
    draft = person.send(refunded.forms["order-photo"])
    assert [each.text.split()[-1] for each in draft.html.select(".shot-name")] == ["interior-2"]


def test_what_must_be_said_in_a_listing_stands_there_to_be_copied(person: Person, ordered: Ordered) -> None:
    plain = person.open(results(ordered(interior=[PHOTO])))
    assert not plain.html.select("[data-copy]"), "nothing of plain light needs saying"
    page = person.open(results(ordered(interior=[PHOTO], exterior=[PHOTO], **STAGED)))
    assert page.html.find(id="disclosure").text == "Digitally altered", "a sky is told of, too"
    page = person.open(page.html.select_one("[rel=next]")["href"])
    button = page.html.select_one("[data-copy]")
    assert page.html.find(id=button["data-copy"]).text == "Virtually staged, digitally altered"
    assert page.html.select_one(".disclosure a")["href"].endswith("/disclosure/elsewhere")


@pytest.mark.parametrize(
    ("signer", "words"),
    [
        (None, ""),
        (FakeCredentials(CredentialKind.DEMO), "The result has demo content credentials (C2PA)"),
        (FakeCredentials(CredentialKind.CERTIFICATE), "The result has content credentials (C2PA), signed by"),
    ],
)
def test_whose_content_credentials_a_result_carries_is_told(
    container: Container, person: Person, ordered: Ordered, signer: FakeCredentials | None, words: str
) -> None:
    container.credentials = signer
    page = person.open(results(ordered(interior=[PHOTO]))).text
    assert ("content credentials" in page) == bool(words)
    assert words in page


def test_pictures_that_are_still_being_made_say_so_and_nothing_is_broken(person: Person, ordered: Ordered) -> None:
    page = person.open(results(ordered(previews=False, interior=[PHOTO, PHOTO])))
    assert not page.html.select("main img")
    assert page.text.count("Preview is being made") == 1
    assert page.html.select_one(".stage > p a").text == "Refresh"


@pytest.mark.parametrize("seen", [board, results], ids=["all", "one"])
def test_an_order_from_before_there_were_previews_gets_them_when_it_is_looked_at(
    container: Container, person: Person, ordered: Ordered, seen: Callable[[str], str]
) -> None:
    job_id = ordered(previews=False, interior=[PHOTO], **STAGED)
    with container.database.unit_of_work() as session:
        session.execute(delete(Preview))
    person.open(seen(job_id))
    assert develop(container) == 2
    page = person.open(results(job_id))
    assert len(page.html.select("[data-pair] img")) == 2
    assert page.html.select_one("button[value=labeled]")


def test_there_is_nothing_before_the_order_is_ready(api: Api, container, person: Person) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    for _ in range(2):
        assert not person.open(board(job_id)).html.select("#selection, [data-viewed]")
        assert not person.open(results(job_id)).html.select("#download, [data-compare], #not-right")
        person.post(f"{board(job_id)}/results.zip", status=400, all="1")
        work(container, automatic=False)
    assert deliveries(container) == 0


def test_once_the_pictures_are_gone_the_order_tells(container, person: Person, ordered: Ordered, clock) -> None:
    job_id = ordered(interior=[PHOTO])
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    person.sign_in()
    photo = person.web.get(results(job_id))
    assert photo.headers["Location"] == board(job_id)
    assert "The pictures of this order were removed" in photo.follow().text
    person.post(f"{board(job_id)}/results.zip", status=404, all="1")
    assert status(container, job_id) is Status.APPROVED


def test_an_order_without_usable_results_offers_none(person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[photo("DECLINE")])
    assert not person.open(board(job_id)).html.select("#selection, .shot input, [data-viewed], .in-public")
    assert "Not usable" in person.open(results(job_id)).html.main.text


def test_nobody_elses_results_can_be_seen_or_downloaded(
    container, person: Person, ordered: Ordered, new_person, reviewer: Person
) -> None:
    job_id = ordered(interior=[PHOTO])
    action = person.open(results(job_id)).forms["download"].action
    for other in (new_person("kim@example.com"), reviewer):
        for path in (board(job_id), results(job_id)):
            other.open(path, status=404)
        other.post(f"{board(job_id)}/results.zip", status=404, all="1")
        other.post(action, status=404)
    person.open("/orders/job_x/results", status=404)
    assert status(container, job_id) is Status.APPROVED


def test_the_page_asks_the_database_as_often_for_many_as_for_one(person: Person, ordered: Ordered) -> None:
    one = ordered(interior=[PHOTO], exterior=[PHOTO])
    many = ordered(interior=[PHOTO] * 8 + [photo("BLANK")] * 4, exterior=[PHOTO] * 8)
    for page, most in ((board, 14), (photo_page, 15)):
        paths = [page(person, job_id) if page is photo_page else page(job_id) for job_id in (one, many)]
        counts = {counted(lambda path=path: person.open(path)) for path in paths}
        assert len(counts) == 1
        assert counts.pop() <= most


def photo_page(person: Person, job_id: str) -> str:
    return person.web.get(results(job_id)).location


def test_a_figure_is_told_in_words(container, person: Person, ordered: Ordered, monkeypatch) -> None:
    make = container.engine.enhance

    def measured(*given):
        made = make(*given)
        figures = (Figure(code="edge_displacement", value=0.97, minimum=0.9),)
        return type(made)(made.picture, replace(made.report, figures=figures))

    monkeypatch.setattr(container.engine, "enhance", measured)
    page = person.open(results(ordered(interior=[PHOTO])))
    row = " ".join(each.text for each in page.html.select("details tbody tr > *"))
    assert row == "Edges of the building or room in their place 97 % at least 90 %"
