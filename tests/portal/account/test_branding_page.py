"""A studio's name, colour and logo: chosen by its owner, shown to clients alone."""

import io

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from PIL import Image
from webtest import Upload

from app.container import Container
from tests.conftest import PHOTO, Api, develop, work
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


def choose(person: Person, status: int = 200, content: bytes | None = None, **fields: str):
    form = person.open("/account/branding").forms["branding-form"]
    for name, value in fields.items():
        form[name] = value
    if content is not None:
        form["logo"] = Upload("logo.png", content, "image/png")
    return person.send(form, status=status)


def test_clients_see_name_colour_and_logo(person: Person, app: Flask, shared: str) -> None:
    page = choose(person, content=logo(), studio_name="Bright Studio", color="#FF8800")
    assert page.forms["branding-form"]["color"].value == "#ff8800"
    assert "in light pages" in page.text, "orange cannot be read on white"
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


def test_a_refused_colour_is_not_said_to_be_shown_otherwise(person: Person) -> None:
    choose(person, color="#FF8800")
    page = choose(person, 422, color="orange")
    assert "0 to 9 or a to f" in page.html.select_one("#color-error").text
    assert "in light pages" not in page.text


def test_without_a_look_the_page_is_plain(app: Flask, shared: str) -> None:
    client = app.test_client()
    soup = BeautifulSoup(client.get(shared).text, "html.parser")
    assert not soup.select(".studio")
    assert not [each for each in soup.select("link") if "brand.css" in each["href"]]
    assert client.get(f"{shared}/logo.png").status_code == 404


def test_a_logo_is_removed_and_the_rest_stays(person: Person, app: Flask, shared: str) -> None:
    page = choose(person, content=logo(), studio_name="Bright Studio")
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
        ({}, b"\x89PNG\r\n\x1a\n" + b"x" * 3_000_000, "logo"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_field_and_nothing_changes(
    person: Person, fields: dict[str, str], content: bytes | None, field: str
) -> None:
    choose(person, studio_name="Before", color="#14506b")
    page = choose(person, 422, content, **fields)
    assert page.html.select_one(f"#{field}-error")
    form = person.open("/account/branding").forms["branding-form"]
    assert (form["studio_name"].value, form["color"].value) == ("Before", "#14506b")


def test_saving_without_a_file_keeps_the_logo(person: Person) -> None:
    choose(person, content=logo())
    choose(person, studio_name="Bright Studio")
    assert person.open("/account/branding/logo").content_type == "image/png"


def test_a_look_is_its_owners_alone(person: Person, new_person: NewPerson) -> None:
    choose(person, content=logo(), studio_name="Bright Studio")
    other = new_person("kim@example.com")
    assert other.open("/account/branding").forms["branding-form"]["studio_name"].value == ""
    other.open("/account/branding/logo", 404)
