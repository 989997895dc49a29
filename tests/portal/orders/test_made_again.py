"""Versions of a result without some steps, on the page of the results: asked for, waited for, downloaded."""

import io
import zipfile

import pytest
from sqlalchemy import select

from app.container import Container
from app.models import Result, StoredPicture
from tests import reading
from tests.conftest import PHOTO, Api, develop, remake, work
from tests.fakes import FakeClock
from tests.portal.person import Person
from tests.statements import counted

STEPS = ["hdr_enhancement", "declutter", "virtual_staging"]


def ordered(api: Api, container: Container, steps: list[str] = STEPS, photos: int = 1) -> str:
    job_id = api.order(interior=[PHOTO] * photos, interiorEnhancements=steps)["jobId"]
    work(container)
    develop(container)
    return f"/orders/{job_id}/results?photo=1"


def ask(person: Person, page, *without: str):
    form = page.forms["make-again"]
    for box in form.fields["without"]:
        box.checked = box._value in without
    return person.send(form)


def text(page, selector: str) -> str:
    return page.html.select_one(selector).get_text(" ", strip=True)


def versions(container: Container) -> list[StoredPicture]:
    return reading.found(
        container, select(StoredPicture).where(StoredPicture.is_variant).order_by(StoredPicture.created_at)
    )


def test_a_version_without_a_step_is_asked_for_and_downloaded(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    results = ordered(api, container)
    clock.pass_(seconds=1)
    page = ask(person, person.open(results), "virtual_staging")
    assert "Without Virtual staging" in text(page, "#again")
    assert "It is being made" in text(page, "#again")
    assert page.html.select_one("#again[data-poll]")
    assert remake(container) == 2
    develop(container)
    page = person.open(results)
    assert not page.html.select_one("#again[data-poll]")
    buttons = [each.text.strip() for each in page.html.select("#download-again button")]
    assert buttons == [
        "Light and color only",
        "Without Virtual staging",
        "Without Virtual staging, labeled",
    ]
    wanted = versions(container)[1]
    for button, name in (("again", "without-virtual-staging.jpg"), ("again_labeled", "digitally-altered.jpg")):
        answer = page.forms["download-again"].submit(button, value=wanted.id).follow()
        assert answer.content_type == "image/jpeg"
        assert name in answer.headers["Content-Disposition"]


def test_htmx_gets_the_part_alone_and_others_the_page(person: Person, api: Api, container: Container) -> None:
    results = ordered(api, container)
    page = person.open(results)
    path = page.html.select_one("#again")["data-hx-get"]
    part = person.web.get(path, headers={"HX-Request": "true"})
    assert part.html.select_one("section#again")
    assert part.html.select_one("h1") is None
    assert person.web.get(path).location == f"{page.request.path}#again"


@pytest.mark.parametrize("without", [(), tuple(STEPS)], ids=["none", "all"])
def test_none_or_all_ticked_is_said(
    person: Person, api: Api, container: Container, without: tuple[str, ...]
) -> None:
    page = ask(person, person.open(ordered(api, container)), *without)
    assert "Select what to leave out" in text(page, "[role=alert]")
    assert len(versions(container)) == 1


def test_what_another_engine_made_is_not_offered(person: Person, api: Api, container: Container) -> None:
    results = ordered(api, container)
    page = person.open(results)
    with container.database.unit_of_work() as session:
        session.scalars(select(Result)).one().picture.engine_version = "0.0.1+00000000"
    refused = ask(person, page, "declutter")
    assert "earlier version of the service" in text(refused, "[role=alert]")
    assert "make-again" not in refused.forms
    assert "earlier version of the service" in text(refused, "#again")


def test_a_picture_with_one_step_has_no_other_version(person: Person, api: Api, container: Container) -> None:
    page = person.open(ordered(api, container, steps=["hdr_enhancement"]))
    assert page.html.select_one("#again") is None


def test_one_that_could_not_be_made_says_why(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    results = ordered(api, container)

    def crash() -> None:
        raise RuntimeError("the engine crashed")

    container.engine.before = crash
    for _ in range(3):
        remake(container)
        clock.pass_(minutes=2)
    assert "It could not be made" in text(person.open(results), "#again")


def test_the_archive_has_bases_where_they_are_wanted(person: Person, api: Api, container: Container) -> None:
    results = ordered(api, container)
    board = results.replace("orders", "properties").partition("/results")[0]
    assert "bases" not in person.open(board).forms["selection"].fields
    remake(container)
    form = person.open(board).forms["selection"]
    for wanted in (False, True):
        form["bases"] = wanted
        with zipfile.ZipFile(io.BytesIO(form.submit("all").body)) as archive:
            folders = {name.split("/")[1] for name in archive.namelist() if name.count("/") == 2}
        assert folders == ({"labeled", "base"} if wanted else {"labeled"})


def test_the_page_asks_as_much_however_many_versions_there_are(
    person: Person, api: Api, container: Container
) -> None:
    few, many = ordered(api, container), ordered(api, container)
    for step in STEPS:
        ask(person, person.open(many), step)
    remake(container)
    develop(container)
    assert len(versions(container)) >= 4
    person.open(few)
    assert len({counted(lambda path=path: person.open(path)) for path in (few, many)}) == 1
