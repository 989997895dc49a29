"""The page of an order's property: what it says in every state, and how it keeps itself up to date."""

from functools import partial

from app.container import Container
from app.domain.promises import EXTERIOR_PRICE
from app.portal.figures import describe_figures
from engine.types.report import Figure
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock, photo
from tests.portal.person import Person
from tests.statements import counted


def text(element) -> str:
    return " ".join(element.get_text(" ").split())


def stages(page) -> list[str]:
    return [text(each) for each in page.html.select(".timeline li")]


def expire(container: Container, person: Person) -> None:
    container.clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    person.sign_in()


def test_a_new_order_says_where_it_stands_and_until_when(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    page = person.open(f"/properties/{job_id}")
    assert page.html.h1.text == "12 Garden Lane, Springfield, IL 62704"
    assert page.html.select_one(".title .tag").text == "Queued"
    assert stages(page) == [
        "Created Now, since Nov 20, 2026, 12:00 UTC",
        "Processing Not yet",
        "In review Not yet",
        "Ready Not yet",
        "Delivered Not yet",
    ]
    assert page.html.select_one('[aria-current="step"] .name').text == "Created"
    progress = page.html.progress
    assert (progress["max"], progress["value"]) == ("2", "0")
    assert page.html.select_one(f'label[for="{progress["id"]}"]').text == "0 of 2 photos processed"
    assert "Done by Nov 20, 2026, 14:00 UTC at the latest" in text(page.html.main)
    assert page.html.select_one("#refresh")["href"] == f"/properties/{job_id}"


def test_the_order_number_can_be_copied_and_a_programs_own_id_is_beside_it(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO], externalId="<MLS-4071>")["jobId"]
    page = person.open(f"/properties/{job_id}")
    button = page.html.select_one("[data-copy]")
    assert page.html.select_one(f"#{button['data-copy']}").text == job_id
    assert page.html.select_one("#external-id").text == "<MLS-4071>"


def test_a_ready_order_shows_its_results_and_is_still_to_be_delivered(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    page = person.open(f"/properties/{job_id}")
    (primary,) = page.html.select("main .primary")
    assert text(primary) == "Download all (ZIP)"
    assert text(page.html.select("#download-size option")[0]) == "Full, 1 kB in all"
    assert stages(page)[3:] == ["Ready Now, since Nov 20, 2026, 12:00 UTC", "Delivered Not yet"]
    assert "Results are kept until Nov 27, 2026, 12:00 UTC" in text(page.html.main)
    assert not page.html.select("progress, #refresh")


def test_looking_at_the_page_delivers_nothing(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    person.open(f"/properties/{job_id}")
    assert api.status(job_id)["status"] == "approved"


def test_each_photo_tells_its_wishes_and_what_became_of_them(
    person: Person, api: Api, container: Container
) -> None:
    change = {"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "the hall"}
    job_id = api.order(
        [PHOTO, photo("HALF"), photo("BLANK")],
        interiorEnhancements=["declutter", "virtual_renovation", "virtual_staging", "hdr_enhancement"],
        virtualStaging={"0": {"style": "coastal", "roomType": "living_room"}, "1": {}, "2": {}},
        renovations={str(number): [change] for number in range(3)},
    )["jobId"]
    work(container)
    page = person.open(f"/properties/{job_id}")
    first, second, third = (each for each in page.html.select(".shot"))
    assert [each.select_one(".tag").text for each in (first, second, third)] == [
        "Ready",
        "Partly done",
        "Not usable",
    ]
    assert text(first.select_one(".shot-effects")) == "Declutter, Virtual renovation, Virtual staging, HDR balance"
    assert text(second.select_one(".shot-warning")) == "HDR balance not done: Not available."
    assert "The picture is blank." in third.text
    assert [bool(each.input) for each in (first, second, third)] == [True, True, False]
    shown = person.open(third.a["href"])
    assert [text(each) for each in shown.html.select(".requested li")] == [
        "Declutter",
        "Virtual renovation Floor: Light oak planks (like: the hall)",
        "Virtual staging Other room, modern style",
        "HDR balance",
    ]
    assert "The picture is blank. Refunded: 3 credits." in text(shown.html.main)


def test_figures_stand_in_plain_words_with_their_limits() -> None:
    clipped, size, staged, unknown = describe_figures(
        (
            Figure(code="newly_clipped", value=0.0071, maximum=0.005),
            Figure(code="size_kept", value=1, minimum=1),
            Figure(code="parts_in_place", edit="Virtual staging", value=0.98, minimum=0.6),
            Figure(code="brand_new", value=12.3),
        )
    )
    assert (clipped.label, clipped.value, clipped.limit) == (
        "Detail lost in the brightest and darkest parts",
        "0.7 %",
        "at most 0.5 %",
    )
    assert not clipped.passed
    assert (size.label, size.value, size.limit, size.expected) == ("Same size as the photo", "yes", "", "yes")
    assert (staged.label, staged.limit) == ("Virtual staging: Parts still in their place", "at least 60 %")
    assert (unknown.label, unknown.value, unknown.limit, unknown.expected) == ("Brand new", "12", "", "\N{EN DASH}")
    assert staged.expected == staged.limit


def test_the_cost_is_itemized_with_refunds_and_their_reasons(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO, photo("BLANK")], [PHOTO])["jobId"]
    work(container)
    rows = [text(row) for row in person.open(f"/properties/{job_id}").html.select(".bill tbody tr, .bill tfoot tr")]
    assert rows[:3] == [
        f"{EXTERIOR_PRICE}: one enhancement 1",
        "HDR balance 2 \N{MULTIPLICATION SIGN} 0.5 1",
        "Charged 2",
    ]
    assert rows[3].startswith("Refund: ")
    assert rows[3].endswith("The picture is blank. Nov 20, 2026, 12:00 UTC \N{MINUS SIGN}0.5")
    assert rows[4:] == ["You paid 1.5"]


def test_a_failed_order_says_why_and_what_came_back(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    person.keep_using(clock, hours=3)
    container.sweep.fail_overdue_jobs()
    page = person.open(f"/properties/{job_id}")
    notice = text(page.html.select_one(".notice.bad"))
    assert notice.startswith(
        "The job was not done within its time limit of 120 minutes. Refunded to your balance: 0.5 credits"
    )
    assert stages(page)[-1] == "Failed Done, since Nov 20, 2026, 15:00 UTC"
    assert len(stages(page)) == 2
    assert "You paid 0" in text(page.html.select_one(".bill"))


def test_an_undeliverable_order_says_why_and_what_came_back(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    notice = text(person.open(f"/properties/{job_id}").html.select_one(".notice.bad"))
    assert "The photo cannot be decoded." in notice
    assert "Refunded to your balance: 0.5 credits" in notice


def test_an_expired_order_keeps_its_figures_but_no_pictures(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    expire(container, person)
    page = person.open(f"/properties/{job_id}")
    assert "Pictures are kept for 7 days" in text(page.html.select_one(".notice"))
    assert [tag.text for tag in page.html.select(".title .tag")] == ["Expired"]
    assert not page.html.select("main img, main .primary, .shot, form[action$=again]")
    assert "You paid 0.5" in text(page.html.select_one(".bill"))
    assert stages(page)[-1] == "Ready Done, since Nov 20, 2026, 12:00 UTC"


def test_another_accounts_order_is_not_found(person: Person, other_api: Api) -> None:
    theirs = other_api.order([PHOTO])["jobId"]
    for job_id in (theirs, "job_" + "0" * 22, "x"):
        for path in (f"/properties/{job_id}", f"/properties/{job_id}/news", f"/orders/{job_id}/card"):
            assert "Not found" in person.open(path, 404).text
        assert "Not found" in person.post(f"/orders/{job_id}/again", 404).text


def test_the_page_asks_often_at_first_then_less_and_stops_in_the_end(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    card = person.open(f"/properties/{job_id}").html.select_one("#news")
    assert (card["data-hx-trigger"], card["data-hx-target"], card["data-hx-swap"]) == (
        "every 5s",
        "#board",
        "outerHTML",
    )
    assert card.has_attr("data-poll")
    clock.pass_(minutes=1, seconds=59)
    card = person.fragment(card["data-hx-get"]).html.select_one("#news")
    assert card["data-hx-trigger"] == "every 5s"
    clock.pass_(seconds=1)
    card = person.fragment(card["data-hx-get"]).html.select_one("#news")
    assert card["data-hx-trigger"] == "every 15s"
    work(container)
    assert person.fragment(card["data-hx-get"]).html.select_one("#news"), "small pictures are still being made"
    develop(container)
    settled = person.fragment(card["data-hx-get"]).html
    assert settled.select_one("#board")
    assert not settled.select("[data-poll], [data-hx-trigger]")


def test_a_poll_says_aloud_when_the_state_has_changed_and_nothing_else(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    poll = person.open(f"/properties/{job_id}").html.select_one("#news")["data-hx-get"]
    assert not person.fragment(poll).html.select("#status")
    work(container)
    said = person.fragment(poll).html.select_one("#status[data-hx-swap-oob=innerHTML]")
    assert said.text.startswith("12 Garden Lane, Springfield, IL 62704: Ready.")


def test_the_fragment_is_the_same_as_on_the_page(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    page = person.open(f"/properties/{job_id}")
    fragment = person.fragment(page.html.select_one("#news")["data-hx-get"])
    for each in (page.html, fragment.html):
        for token in each.select("[name=csrf_token]"):
            del token["value"]  # The second of its making is in it.
    assert str(fragment.html.select_one("#board")) == str(page.html.select_one("#board"))
    assert "<h1" in fragment.text
    assert "<header" not in fragment.text


def test_without_htmx_the_address_of_the_news_is_the_page(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert person.open(f"/properties/{job_id}/news").html.select_one("header.top")


def test_addresses_of_before_lead_to_the_page(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    for state in ("queued", "ready"):
        for path in ("", "/card", "/results", "/results?photo=3", "/results?photo=x"):
            answer = person.web.get(f"/orders/{job_id}{path}")
            assert (answer.status_int, answer.location) == (303, f"/properties/{job_id}"), (state, path)
        photos = person.open(f"/properties/{job_id}").html.select(".shot a")
        assert person.web.get(f"/orders/{job_id}/results?photo=2").location == photos[1]["href"]
        work(container)


def test_what_can_have_the_focus_keeps_its_name_over_a_poll(person: Person, api: Api, container: Container) -> None:
    ready = api.order([PHOTO])["jobId"]
    work(container)
    running = api.order([PHOTO])["jobId"]
    for page in (person.open(f"/properties/{running}"), person.open(f"/properties/{ready}")):
        focusable = page.html.select(
            "#board a, #board button:not(.one-button *), #board summary, #board input:not([type=hidden])"
        )
        assert focusable
        assert all(each.get("id") for each in focusable)


def test_lost_polls_have_a_note_that_waits_hidden_with_its_time(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    note = person.open(f"/properties/{job_id}").html.select_one("[data-stale]")
    assert note.has_attr("hidden")
    assert "Last updated Nov 20, 2026, 12:00 UTC" in text(note)
    assert note.a["href"] == f"/properties/{job_id}"


def test_a_poll_after_signing_out_leads_back_to_the_order(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    person.web.reset()
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://localhost/properties/{job_id}"}
    answer = person.web.get(f"/properties/{job_id}/news", headers=headers, expect_errors=True)
    assert (answer.status_int, answer.headers["HX-Redirect"]) == (401, f"/sign-in?next=/properties/{job_id}")


def test_ordering_again_gives_a_draft_with_the_same_photos(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    work(container)
    page = person.open(f"/properties/{job_id}")
    (form,) = [form for form in page.forms.values() if form.action.endswith("/again")]
    draft = person.send(form)
    assert draft.request.path.startswith("/properties/dft_")
    assert "The photos and everything you chose are here" in draft.text
    (link,) = person.open("/orders").html.select(".drafts a")
    assert "2 photos uploaded" in link.text


def test_ordering_an_expired_order_again_says_that_its_photos_are_gone(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    expire(container, person)
    page = person.post(f"/orders/{job_id}/again", 409)
    assert "The photos of this order are no longer kept." in page.text
    assert page.html.select_one("main .primary")["href"] == "/orders"


def test_the_number_of_queries_does_not_grow_with_the_photos(
    person: Person, api: Api, container: Container
) -> None:
    few, many = (api.order([PHOTO] * count)["jobId"] for count in (1, 5))
    work(container)
    assert len({counted(partial(person.open, f"/properties/{each}")) for each in (few, many)}) == 1
