"""The pages for everybody but that of the prices: front page, how it works, for developers, terms, status."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from flask import Flask
from PIL import Image
from webtest import TestResponse

from app.container import Container
from app.database import Database
from app.domain.catalog import ENTRIES
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import Rule
from app.domain.retention import (
    ANSWERS_KEPT,
    DELIVERIES_KEPT,
    DRAFTS_KEPT,
    HELD_DELIVERIES_KEPT,
    MAIL_KEPT,
    UPLOADS_KEPT,
)
from app.models import Heartbeat
from app.portal import words
from app.portal.docs.pages import duration
from app.portal.figures import describe_figures
from app.portal.public import examples
from app.portal.public.examples import EXAMPLES, STATIC
from app.portal.public.front import PARTS
from app.services.retention.sweep import HEARTBEAT
from app.settings import QcMode, Settings
from app.web.health import parts
from engine.types.enhancements import PhotoType
from tests.fakes import FakeClock
from tests.portal.person import Person
from tests.statements import counted

PAGES = ("/", "/prices", "/how-it-works", "/developers", "/disclosure", "/terms", "/status")


def words_of(page: TestResponse) -> str:
    return " ".join(page.html.select_one("main").text.split())


@pytest.mark.parametrize("path", PAGES)
def test_anybody_may_read_it_and_is_told_what_it_is(stranger: Person, person: Person, path: str) -> None:
    for reader in (stranger, person):
        page = reader.open(path)
        assert len(page.html.select_one('meta[name="description"]')["content"]) > 40
        links = {link["href"] for link in page.html.select("footer a")}
        assert {*PAGES} - {"/"} <= links


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/status"])
def test_a_stranger_costs_the_database_nothing(stranger: Person, path: str) -> None:
    stranger.open(path)
    assert counted(lambda: stranger.open(path)) == 0


def test_a_stranger_finds_prices_and_how_it_works_in_the_header_and_a_customer_does_not_need_them(
    stranger: Person, person: Person
) -> None:
    assert {"/prices", "/how-it-works"} <= {a["href"] for a in stranger.open("/").html.select("header a")}
    assert not {"/prices", "/how-it-works"} & {a["href"] for a in person.open("/").html.select("header a")}


def test_the_front_page_shows_before_and_after_at_once_and_all_else_when_it_is_seen(stranger: Person) -> None:
    page = stranger.open("/")
    pair = page.html.select("[data-pair] img")
    assert [image["alt"].split(":")[0] for image in pair] == ["Before", "After"]
    for image, file in zip(pair, (EXAMPLES[0].before, EXAMPLES[0].after), strict=True):
        assert image["src"].split("?")[0] == f"/static/{file}"
        assert (image["width"], image["height"]) == ("1200", "800")
        assert "600w" in image["srcset"]
        assert image.get("loading") != "lazy"
    others = [image for image in page.html.select("main img") if image not in pair]
    assert len(others) == 2 * len(ENTRIES)
    assert all(image["loading"] == "lazy" for image in others)
    for address in [image["src"] for image in page.html.select("img")]:
        assert (STATIC / address.split("?")[0].removeprefix("/static/")).is_file()
    assert "Rendered scene, enhanced by our own engine." in words_of(page)


def test_every_example_has_an_address_that_needs_no_script(stranger: Person) -> None:
    tiles = stranger.open("/").html.select(".halves")
    assert [tile.strong.text for tile in tiles] == [
        entry.label for group in PhotoType for entry in ENTRIES.values() if entry.group is group
    ]
    by_label = {tile.strong.text: tile for tile in tiles}
    for entry in ENTRIES.values():
        tile = by_label[entry.label]
        example, link = examples.example_of(entry.id), tile["href"]
        shown = [image["src"].split("?")[0] for image in tile.select("img")]
        assert shown == [f"/static/{examples.name_narrow_file(file)}" for file in (example.before, example.after)]
        page = stranger.open(link)
        assert page.html.select_one(".after img")["src"].startswith(f"/static/{example.after}?")
        assert page.html.select_one("#example-name").text == example.title
        assert page.html.select_one(".halves[aria-current]")["href"] == link
        for finding in describe_figures(examples.read_reports()[example.name].figures):
            row = next(each for each in page.html.select("tbody tr") if finding.label in each.text)
            assert finding.value in row.text
            assert finding.limit in row.text
    for odd in ("?example=nothing", "?example=%3Cscript%3E", "?example=day&example=dusk"):
        assert stranger.open(f"/{odd}").html.select_one("#example-name").text == EXAMPLES[0].title


def test_the_front_page_tells_of_every_enhancement_and_leads_everywhere(stranger: Person, person: Person) -> None:
    page = stranger.open("/")
    for entry in ENTRIES.values():
        assert entry.effect in words_of(page)
    links = {link["href"].split("#")[0] for link in page.html.select("main a")}
    assert {"/sign-up", "/prices", "/how-it-works", "/developers", "/terms", "/status"} <= links
    assert "/sign-up" not in {link["href"] for link in person.open("/").html.select("main a")}


def test_what_an_effect_does_not_do_well_stands_beside_its_pictures(stranger: Person) -> None:
    tiles = {tile.strong.text: tile.parent.text for tile in stranger.open("/").html.select(".halves")}
    warned = [entry for entry in ENTRIES.values() if entry.warning(generative=False)]
    assert warned
    for entry in warned:
        assert entry.warning(generative=False) in tiles[entry.label]


def test_the_line_between_before_and_after_goes_through_what_was_taken_away(stranger: Person) -> None:
    css = (STATIC / "css/public.css").read_text()
    (tile_line,) = re.findall(r"\.halves\.right img \+ img \{ clip-path: inset\(0 0 0 (\d+)%\)", css)
    for example in EXAMPLES:
        page = stranger.open(f"/?example={example.name}")
        assert page.html.select_one("#compare-range")["value"] == str(100 - example.line)
        if len(example.enhancements) == 1:
            moved = "right" in page.html.select_one(".halves[aria-current]")["class"]
            assert example.line == (int(tile_line) if moved else 50)
            before, after = (
                np.asarray(Image.open(STATIC / file).convert("RGB"), int)
                for file in (example.before, example.after)
            )
            columns = np.flatnonzero((np.abs(before - after).max(2) > 20).mean(0) > 0.02)
            assert columns[0] < before.shape[1] * example.line / 100 < columns[-1]


def test_how_it_works_tells_every_limit_a_result_is_held_to(stranger: Person) -> None:
    text = words_of(stranger.open("/how-it-works"))
    for finding in describe_figures(examples.read_reports()[EXAMPLES[0].name].figures):
        assert finding.label in text
        assert finding.limit in text
    for word in words.STATUS_WORDS.values():
        assert word.meaning in text


def test_how_it_works_says_who_decides(stranger: Person, container: Container) -> None:
    assert "a person looks at it and decides" not in words_of(stranger.open("/how-it-works"))
    container.settings = container.settings.model_copy(update={"qc_mode": QcMode.MANUAL})
    text = words_of(stranger.open("/how-it-works"))
    assert "a person looks at it and decides" in text
    assert "A result within all limits is approved" not in text
    container.settings = container.settings.model_copy(update={"qc_mode": QcMode.AUTO_REVIEW})
    text = words_of(stranger.open("/how-it-works"))
    assert "A person decides close cases" in text
    assert "A result within all limits is approved" not in text


def test_the_steps_stand_in_the_order_they_are_worked_in(stranger: Person) -> None:
    text = words_of(stranger.open("/how-it-works"))
    for group in {entry.group for entry in ENTRIES.values()}:
        places = [text.index(each.effect) for each in ENTRIES.values() if each.group is group]
        assert places == sorted(places)


def test_numbers_in_the_terms_are_those_in_force(
    stranger: Person, container: Container, settings: Settings
) -> None:
    text = words_of(stranger.open("/terms"))
    kept = (
        UPLOADS_KEPT,
        DRAFTS_KEPT,
        DELIVERIES_KEPT,
        HELD_DELIVERIES_KEPT,
        ANSWERS_KEPT,
        MAIL_KEPT,
    )
    for length in (*kept, settings.retention_seconds, settings.download_url_seconds, settings.upload_url_seconds):
        assert duration(length) in text
    figures = {
        "retention_seconds": 11 * 86_400,
        "job_timeout_seconds": 5 * 3600,
        "download_url_seconds": 13 * 60,
        "upload_url_seconds": 17 * 60,
    }
    container.settings = settings.model_copy(update=figures)
    pages = words_of(stranger.open("/terms")), words_of(stranger.open("/how-it-works"))
    assert all(each in pages[0] for each in ("11 days", "5 hours", "13 minutes", "17 minutes"))
    assert all(each in pages[1] for each in ("11 days", "5 hours"))
    container.settings = settings


def test_the_calls_for_developers_are_those_of_the_documentation(stranger: Person, settings: Settings) -> None:
    page = stranger.open("/developers")
    links = {link["href"] for link in page.html.select("main a") if link["href"].startswith("/docs/api/")}
    assert len(links) >= 4
    docs = {path: stranger.open(path).html for path in {link.partition("#")[0] for link in links}}
    assert all(docs[path].find(id=anchor) for path, _, anchor in (link.partition("#") for link in links))
    shown = [each.text for each in page.html.select("pre")]
    documented = [
        each.text for html in (*docs.values(), stranger.open("/docs").html) for each in html.select("pre")
    ]
    assert sum(text in documented for text in shown if text.startswith("curl ")) == 4
    assert "X-Service-Signature" in words_of(page)
    assert "webhook-signature" in words_of(page)
    assert f"tried {len(settings.webhook_delays)} times" in words_of(page)


def working(page: TestResponse) -> dict[str, bool]:
    rows = page.html.select(".parts > div")
    return {row.select_one("dt").text: row.select_one(".tag").text == "Works" for row in rows}


@pytest.fixture
def beat(container: Container) -> None:
    """The sweeper was here a moment ago."""
    with container.database.unit_of_work() as session:
        session.add(Heartbeat(name=HEARTBEAT, beat_at=container.clock()))


@pytest.fixture
def lost(container: Container, tmp_path: Path) -> Iterator[None]:
    """The database is away."""
    (tmp_path / "lost.db").mkdir()
    with patch.object(container, "database", Database(f"sqlite:///{tmp_path / 'lost.db'}")):
        yield


def test_every_part_has_words(app: Flask, container: Container) -> None:
    with app.app_context():
        assert {*parts(container)} == {*PARTS}


def test_the_status_says_that_everything_works(stranger: Person, beat: None) -> None:
    page = stranger.open("/status")
    assert "Everything works." in words_of(page)
    assert working(page) == {part.label: True for part in PARTS.values()}
    assert page.headers["Cache-Control"] == "no-store"


def test_the_status_tells_the_same_as_readyz_whatever_is_missing(
    app: Flask, stranger: Person, container: Container, clock: FakeClock, beat: None
) -> None:
    container.queue.away = True
    clock.pass_(minutes=1)
    page = stranger.open("/status")
    ready = app.test_client().get("/readyz")
    assert ready.status_code == 503
    assert working(page) == {PARTS[name].label: works for name, works in ready.json["parts"].items()}
    assert "Not working now: scheduler, queue." in words_of(page)
    assert PARTS["redis"].missing in words_of(page)
    assert PARTS["storage"].missing not in words_of(page)


def test_the_status_comes_without_a_database_for_everybody(
    stranger: Person, person: Person, beat: None, lost: None
) -> None:
    for each in (stranger, person):
        page = each.open("/status")
        assert "Not working now: records, scheduler." in words_of(page)
        assert PARTS["database"].missing in words_of(page)
        each.open("/")


def test_the_list_of_parts_asks_for_itself_again(stranger: Person, beat: None) -> None:
    part = stranger.fragment("/status")
    assert part.html.select_one("#parts")["data-hx-get"] == "/status"
    assert part.html.select_one("#parts")["data-hx-trigger"] == "every 15s"
    assert not part.html.select("h1")
    assert "HX-Request" in part.headers["Vary"]


def test_a_part_nobody_found_words_for_is_told_by_its_name(stranger: Person) -> None:
    with patch("app.portal.public.front.parts", lambda here: {"lamp": False}):
        assert "Not working now: lamp." in words_of(stranger.open("/status"))


def test_crawlers_may_read_what_everybody_may(stranger: Person) -> None:
    answer = stranger.web.get("/robots.txt")
    assert answer.content_type == "text/plain"
    assert "Disallow: /account" in answer.text
    assert not any(f"Disallow: {path}\n" in answer.text for path in PAGES)


def test_a_title_keeps_the_capitals_of_a_label() -> None:
    titles = [example.title for example in EXAMPLES]
    assert titles[0] == "Green lawn and blue sky"
    assert "HDR balance" in titles
    assert "Blue sky" in titles


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_every_rule_has_its_page_with_words_and_sources(stranger: Person, rule: Rule) -> None:
    page = stranger.open(f"/disclosure/{rule.id}")
    told = words_of(page)
    assert rule.summary in told
    assert all(each.words in told for each in rule.effects.values() if each.words)
    assert {str(each.url) for each in rule.sources} <= {link["href"] for link in page.html.select("main a")}
    assert ("We have not read the rule's own text" in told) is not rule.has_primary_source


def test_what_is_not_in_force_yet_says_so_and_changes_on_its_day(stranger: Person, clock: FakeClock) -> None:
    clock.now = datetime(2026, 12, 1, 23, 59, tzinfo=UTC)
    assert "From Dec 2, 2026: The grace ends" in words_of(stranger.open("/disclosure/european-union"))
    assert "In force from Jan 1, 2027." in words_of(stranger.open("/disclosure/wisconsin"))
    everything = words_of(stranger.open("/disclosure"))
    assert "Wisconsin from Jan 1, 2027" in everything
    assert "New Jersey not law yet" in everything
    clock.now = datetime(2027, 1, 1, tzinfo=UTC)
    assert "Since Dec 2, 2026: The grace ends" in words_of(stranger.open("/disclosure/european-union"))
    in_force = words_of(stranger.open("/disclosure/wisconsin"))
    assert "from Jan 1, 2027" not in in_force
    assert "in force since Jan 1, 2027" in in_force
    everything = words_of(stranger.open("/disclosure"))
    assert "from Jan 1, 2027" not in everything
    assert "New Jersey not law yet" in everything
    assert "A bill, not law yet." in words_of(stranger.open("/disclosure/new-jersey"))


def test_a_rule_that_does_not_exist_has_no_page(stranger: Person) -> None:
    stranger.open("/disclosure/atlantis", status=404)
