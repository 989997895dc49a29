"""What is promised about prices, refunds and sending back is the same sentence wherever it is read."""

from pathlib import Path

from sqlalchemy import select

from app.container import Container
from app.domain.promises import EXTERIOR_PRICE, EXTERIOR_REFUND, SEND_BACK_WINDOW
from app.domain.welcome import price_small_house
from app.models import Mail
from app.settings import Settings
from tests.conftest import PHOTO, Api
from tests.portal.orders.result_pages import Ordered
from tests.portal.orders.wizard import at_each
from tests.portal.person import Person

ROOT = Path(__file__).parents[3]


def plain(text: str) -> str:
    return " ".join(text.split())


def test_the_price_of_the_exterior_is_promised_alike_everywhere(
    person: Person, stranger: Person, ordered: Ordered, container: Container, api: Api
) -> None:
    board = at_each(person, exterior=2)
    bill = plain(board.html.select_one("#basket .bill").text)
    assert f"{EXTERIOR_PRICE}: one enhancement" in bill
    done = person.open(f"/properties/{ordered(exterior=[PHOTO])}")
    places = {path: plain(stranger.open(path).text) for path in ("/", "/terms")}
    places |= {"board": plain(board.text), "basket": plain(board.html.select_one("#basket").text)}
    places |= {"order": plain(done.html.select_one("#panel").text)}
    places |= {"API": plain(api.get("/openapi.json").json["info"]["description"])}
    places |= {"docs": plain((ROOT / "docs/api.md").read_text())}
    with container.database.read_session() as session:
        places |= {"mail": plain(session.scalars(select(Mail.text)).one())}
    assert {place for place, text in places.items() if plain(EXTERIOR_REFUND) not in text} == set()


def test_the_window_for_sending_back_is_promised_alike_everywhere_and_computed(
    person: Person, stranger: Person, ordered: Ordered, container: Container, api: Api, settings: Settings
) -> None:
    job_id = ordered(interior=[PHOTO])
    page = person.open(f"/properties/{job_id}")
    photo_page = person.open(page.html.select_one(".shot a.look")["href"])
    document = api.get("/openapi.json").json
    notes = document["paths"]["/jobs/{jobId}/images/{imageId}/revisions"]["post"]["description"]
    places = {path: plain(stranger.open(path).text) for path in ("/terms", "/how-it-works")}
    places |= {"photo": plain(photo_page.html.select_one("#not-right").text), "API": plain(notes)}
    places |= {"docs": plain((ROOT / "docs/api.md").read_text())}
    with container.database.read_session() as session:
        places |= {"mail": plain(session.scalars(select(Mail.text)).one())}
    assert {place for place, text in places.items() if SEND_BACK_WINDOW not in text} == set()
    assert "until Nov 27, 2026" in plain(page.html.select_one("#panel").text), "as long as results are kept"
    assert "until Nov 27, 2026" in places["photo"]
    for kept, window in ((11, "11 days"), (30, "14 days")):
        container.settings = settings.model_copy(update={"retention_seconds": kept * 86_400})
        assert f"send them back for {window} after" in plain(stranger.open("/terms").text)


def test_welcome_credits_cover_a_small_house_and_the_front_page_says_so(
    stranger: Person, container: Container, settings: Settings
) -> None:
    default = Settings.model_fields["welcome_credits"].default
    assert price_small_house() <= default < price_small_house() + 1
    told = plain(stranger.open("/").html.select_one("#free-credits").text)
    assert told.startswith("5 free credits with a new account: enough for a small house, six photos")
    container.settings = settings.model_copy(update={"welcome_credits": 1})
    assert plain(stranger.open("/").html.select_one("#free-credits").text) == "1 free credit with a new account."
    container.settings = settings.model_copy(update={"welcome_credits": 0})
    assert not stranger.open("/").html.select("#free-credits")
