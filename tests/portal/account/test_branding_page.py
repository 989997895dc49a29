"""A studio's name, color and logo: chosen by its owner, shown to clients alone."""

import io

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from PIL import Image
from webtest import Upload

from app.container import Container
from app.domain.branding import MAX_LOGO_BYTES
from app.web import admission
from tests.conftest import PHOTO, Api, develop, encode_logos, work
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of


def logo(size: tuple[int, int] = (480, 120)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, (20, 80, 107)).save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    return api_of(person, app, container)


@pytest.fixture
def shared(api: Api, container: Container) -> str:
    """The path of a link to an order of theirs."""
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    url: str = api.post(f"/jobs/{job_id}/shares", {}).json["url"]
    return url.removeprefix("http://localhost")


@pytest.fixture
def choose(person: Person, container: Container):
    """Fill in the form and send it; a worker makes a logo of what was sent, unless told to `wait`."""

    def choose(status: int = 200, content: bytes | None = None, wait: bool = False, **fields: str):
        form = person.open("/account/branding").forms["branding-form"]
        for name, value in fields.items():
            form[name] = value
        if content is not None:
            form["logo"] = Upload("logo.png", content, "image/png")
        page = person.send(form, status=status)
        if content is None or wait or status != 200:
            return page
        encode_logos(container)
        return person.open("/account/branding")

    return choose


def test_clients_see_name_color_and_logo(choose, app: Flask, shared: str) -> None:
    page = choose(content=logo(), studio_name="Bright Studio", color="#FF8800")
    assert page.forms["branding-form"]["color"].value == "#ff8800"
    assert "on light pages" in page.text, "orange cannot be read on white"
    client = app.test_client()
    soup = BeautifulSoup(client.get(shared).text, "html.parser")
    assert soup.select_one(".studio").text.strip() == "Bright Studio"
    image = client.get(soup.select_one(".studio img")["src"])
    assert (image.status_code, image.mimetype, image.headers["X-Content-Type-Options"]) == (
        200,
        "image/png",
        "nosniff",
    )
    styles = [each["href"] for each in soup.select("link[rel=stylesheet]") if "brand.css" in each["href"]]
    sheet = client.get(styles[0])
    assert (sheet.mimetype, "--accent:light-dark(" in sheet.text) == ("text/css", True)
    assert "Set-Cookie" not in sheet.headers


def test_a_refused_color_is_not_said_to_be_shown_otherwise(choose) -> None:
    choose(color="#FF8800")
    page = choose(422, color="orange")
    assert "0 to 9 or a to f" in page.html.select_one("#color-error").text
    assert "on light pages" not in page.text


def test_without_a_look_the_page_is_plain(app: Flask, shared: str) -> None:
    client = app.test_client()
    soup = BeautifulSoup(client.get(shared).text, "html.parser")
    assert not soup.select(".studio img")
    assert not [each for each in soup.select("link") if "brand.css" in each["href"]]
    assert client.get(f"{shared}/logo.png").status_code == 404


def test_a_logo_is_removed_and_the_rest_stays(person: Person, choose, app: Flask, shared: str) -> None:
    page = choose(content=logo(), studio_name="Bright Studio")
    (form,) = [form for form in page.forms.values() if form.action.endswith("/logo/delete")]
    page = person.send(form)
    assert page.forms["branding-form"]["studio_name"].value == "Bright Studio"
    person.open("/account/branding/logo", 404)
    assert app.test_client().get(f"{shared}/logo.png").status_code == 404


@pytest.mark.parametrize(
    ("fields", "content", "field"),
    [
        ({"color": "orange"}, None, "color"),
        ({"studio_name": "x" * 121}, None, "studio_name"),
        ({}, b"<svg/>", "logo"),
        ({}, logo()[:100] + bytes(2 * 1024**2), "logo"),
        ({}, b"\x89PNG\r\n\x1a\n" + b"x" * 3_000_000, "logo"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_field_and_nothing_changes(
    person: Person, choose, fields: dict[str, str], content: bytes | None, field: str
) -> None:
    choose(studio_name="Before", color="#14506b")
    page = choose(422, content, **fields)
    assert page.html.select_one(f"#{field}-error")
    form = person.open("/account/branding").forms["branding-form"]
    assert (form["studio_name"].value, form["color"].value) == ("Before", "#14506b")


def test_saving_without_a_file_keeps_the_logo(person: Person, choose) -> None:
    choose(content=logo())
    choose(studio_name="Bright Studio")
    assert person.open("/account/branding/logo").content_type == "image/png"


def test_a_look_is_its_owners_alone(choose, new_person: NewPerson) -> None:
    choose(content=logo(), studio_name="Bright Studio")
    other = new_person("kim@example.com")
    assert other.open("/account/branding").forms["branding-form"]["studio_name"].value == ""
    other.open("/account/branding/logo", 404)


def test_a_logo_is_made_by_a_worker_and_until_then_the_one_before_is_shown(
    person: Person, choose, container: Container
) -> None:
    choose(content=logo((480, 120)))
    before = person.open("/account/branding/logo").body
    page = choose(content=logo((100, 100)), wait=True)
    assert "will be ready" in page.html.select_one("#logo-awaited").text
    assert page.html.select_one("#logo-state")["data-hx-get"] == "/account/branding"
    assert person.open("/account/branding/logo").body == before
    encode_logos(container)
    page = person.open("/account/branding")
    assert not page.html.select("#logo-awaited, [data-poll]")
    assert Image.open(io.BytesIO(person.open("/account/branding/logo").body)).size == (100, 100)


def test_a_picture_that_turns_out_to_be_none_changes_nothing_and_the_page_says_why(person: Person, choose) -> None:
    choose(content=logo(), studio_name="Bright Studio")
    before = person.open("/account/branding/logo").body
    page = choose(content=logo()[:-40])
    assert "cannot be read" in page.html.select_one("#logo-fault").text
    assert person.open("/account/branding/logo").body == before
    assert not choose(content=logo((64, 64))).html.select("#logo-fault")


def test_a_form_with_a_logo_of_two_megabytes_is_taken_whole(person: Person, app: Flask, choose) -> None:
    form = {"REQUEST_METHOD": "POST", "PATH_INFO": "/account/branding"}
    assert admission.max_body_bytes(app, form) > MAX_LOGO_BYTES, "the web server lets it in"
    noisy = io.BytesIO()
    Image.effect_noise((1700, 1200), 100).save(noisy, "PNG", compress_level=0)
    assert 1_900_000 < len(noisy.getvalue()) < 2 * 1024**2
    assert not choose(content=noisy.getvalue()).html.select("#logo-fault")
    assert person.open("/account/branding/logo").content_type == "image/png"


def test_htmx_gets_the_logo_alone(person: Person, choose) -> None:
    choose(content=logo())
    part = person.web.get("/account/branding", headers={"HX-Request": "true"})
    assert part.html.select_one("#logo-state")
    assert not part.html.select("form#branding-form")
