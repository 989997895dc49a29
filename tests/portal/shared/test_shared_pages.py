"""A client with a link looks at an order's results, says what they think of them and downloads them."""

import io
import re
import zipfile
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.container import Container
from app.domain.errors import InvalidRequest
from app.domain.limits import ANSWERS_PER_MINUTE, GUESSES_PER_MINUTE
from app.domain.shares import MAX_CHANGES, MAX_COMMENT, ShareVerdict
from app.domain.sign_in_limits import CODES_PER_HOUR
from app.models import Job, Mail, Organization, Preview, ShareLink, StoredPicture, User
from app.portal import words
from app.services.accounts import brandings
from app.services.accounts.brandings import ChosenLook
from app.services.photos import shares
from app.services.photos.shares import SharePlan
from app.services.previews import previews
from engine.types.pictures import PreviewSize
from tests import reading
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import BEFORE, FakeClock, photo
from tests.statements import counted

KEPT = timedelta(days=7)


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """An order with a room and a house, done."""
    made: str = api.order(interior=[PHOTO + b"room"], exterior=[PHOTO + b"house"])["jobId"]
    work(container)
    develop(container)
    return made


def share(container: Container, api: Api, job_id: str, **plan: object) -> str:
    """The path of a new link."""
    with container.database.unit_of_work() as session:
        wanted = SharePlan(KEPT, **plan)
        link = shares.create(session, container.vault, api.account_id, job_id, wanted, container.clock())
        url = shares.url_of(container.vault, "", link)
    assert url
    return url


@pytest.fixture
def path(container: Container, api: Api, job_id: str) -> str:
    return share(container, api, job_id, title="Your new photos")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody without any sign-in."""
    return app.test_client()


def send(client: FlaskClient, path: str, action: str, **fields: str) -> TestResponse:
    """Send a form of the page, with its token."""
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert token
    return client.post(f"{path}{action}", data={**fields, "csrf_token": token[1]})


def link_of(container: Container) -> ShareLink:
    with container.database.read_session() as session:
        (link,) = shares.get_all(session, session.scalars(select(ShareLink.account_id)).first() or "")
        return link


def test_a_client_sees_every_picture_beside_its_photo_without_a_cookie(
    client: FlaskClient, path: str, container: Container, job_id: str
) -> None:
    page = client.get(path)
    assert page.status_code == 200
    soup = BeautifulSoup(page.text, "html.parser")
    assert soup.h1.text == "Your new photos"
    assert len(soup.select(".gallery li")) == 2
    assert "Set-Cookie" not in page.headers
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert page.headers["Cache-Control"] == "no-store"
    for image in soup.select(".compare img, .gallery img"):
        answer = client.get(image["src"])
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert "credit" not in soup.main.text.lower(), "prices are its owner's"
    assert reading.one(container, Job, job_id).status == "approved", "looking delivers nothing"


def test_a_straightened_picture_is_compared_with_its_photo_straightened_alike(
    client: FlaskClient, container: Container, api: Api
) -> None:
    job_id = api.order(interior=[photo("LEANS"), PHOTO])["jobId"]
    work(container)
    develop(container)
    path = share(container, api, job_id)
    assert [client.get(f"{path}/photos/{each}/before/view").data for each in (1, 2)] == [
        BEFORE,
        b"\xff\xd8\xffview",
    ]
    made = next(row for row in reading.found(container, select(StoredPicture)) if row.report.straightened)
    container.storage.delete(previews.key_of(made.storage_key, PreviewSize.BEFORE))
    assert client.get(f"{path}/photos/1/before/view").data == b"\xff\xd8\xffview", "an older engine drew none"


def test_furniture_that_was_added_is_listed_with_sizes(client: FlaskClient, container: Container, api: Api) -> None:
    rooms = [photo("PIECES"), PHOTO]
    job_id = api.order(interior=rooms, interiorEnhancements=["virtual_staging"])["jobId"]
    work(container)
    develop(container)
    path = share(container, api, job_id)
    staged, plain = (BeautifulSoup(client.get(f"{path}?photo={each}").text, "html.parser") for each in (1, 2))
    (listed,) = staged.select(".stage details")
    assert listed.summary.text == "3 pieces of furniture, with sizes"
    assert [each.text for each in listed.select("tbody th")] == ["Sofa", "Rug"]
    assert plain.select(".stage details") == []


def test_the_page_has_labels_tokens_and_nothing_inline(client: FlaskClient, path: str) -> None:
    soup = BeautifulSoup(client.get(path).text, "html.parser")
    assert not soup.select("[style], style, script:not([src])")
    ids = [each["id"] for each in soup.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(form.select_one("[name=csrf_token]") for form in soup.select("form"))
    controls = soup.select("input:not([type=hidden]), textarea, select")
    assert controls
    unnamed = [each for each in controls if not each.find_parent("label")]
    assert [each for each in unnamed if not soup.select_one(f'label[for="{each["id"]}"]')] == []


def test_favorites_and_comments_are_kept_changed_and_removed(
    client: FlaskClient, path: str, container: Container
) -> None:
    assert send(client, path, "/photos/2/favorite", favorite="1").status_code == 303
    assert send(client, path, "/photos/2", comment="This one\nfirst.").status_code == 303
    (said,) = link_of(container).comments
    assert (said.number, said.favorite, said.text) == (2, True, "This one\nfirst.")
    page = BeautifulSoup(client.get(f"{path}?photo=2").text, "html.parser")
    assert page.select_one("#comment").text.strip() == "This one\nfirst."
    assert page.select_one("[data-heart='2']")["aria-pressed"] == "true"
    send(client, path, "/photos/2", comment="Brighter, please.")
    send(client, path, "/photos/2/favorite", favorite="")
    (said,) = link_of(container).comments
    assert (said.favorite, said.text) == (False, "Brighter, please.")
    send(client, path, "/photos/2")
    assert link_of(container).comments == []


def test_the_owner_is_told_of_the_first_comment_alone(client: FlaskClient, path: str, container: Container) -> None:
    for action, fields in (("/favorite", {"favorite": "1"}), ("/favorite", {}), ("", {"comment": "Darker."})):
        assert send(client, path, f"/photos/1{action}", **fields).status_code == 303
    found = reading.found(container, select(Mail.subject).where(Mail.subject.like("Your client comments%")))
    assert len(found) == 1


def test_what_is_said_too_long_is_refused_and_stands_there_to_be_shortened(
    client: FlaskClient, path: str, container: Container
) -> None:
    words = "x" * (MAX_COMMENT + 1)
    refused = send(client, path, "/photos/1", comment=words)
    assert refused.status_code == 422
    page = BeautifulSoup(refused.text, "html.parser")
    assert page.select_one("#comment").text.strip() == words
    assert "Use at most 1000 characters" in page.select_one("#comment-error").text
    assert link_of(container).comments == []


def test_a_picture_that_is_not_there_cannot_be_spoken_of_or_downloaded(client: FlaskClient, path: str) -> None:
    for number in (0, 3, 10**30):
        assert send(client, path, f"/photos/{number}", comment="x").status_code == 404
        assert send(client, path, f"/photos/{number}/download").status_code == 404
        assert client.get(f"{path}/photos/{number}/after/view").status_code == 404


def test_the_owner_is_told_of_a_verdict_by_mail_once_for_each(
    client: FlaskClient, path: str, container: Container, job_id: str
) -> None:
    said = {"verdict": "changes_requested", "message": "The kitchen brighter.", "name": "Kim Owner"}
    assert send(client, path, "/answer", **said).status_code == 303
    kept = link_of(container).response
    assert kept is not None
    assert (kept.verdict, kept.name, kept.message) == (ShareVerdict.CHANGES_REQUESTED, "Kim Owner", said["message"])
    send(client, path, "/answer", **{**said, "message": "The kitchen much brighter."})
    send(client, path, "/answer", verdict="approved", email="Kim@Example.com")
    found = reading.found(container, select(Mail).where(Mail.subject.like("%12 Garden Lane%")).order_by(Mail.id))
    told = {each.subject.partition(":")[0]: each.text for each in found if not each.subject.startswith("Ready")}
    assert told.keys() == {"Changes requested", "Approved"}
    assert "The kitchen brighter." in told["Changes requested"]
    assert "kim@example.com approves all pictures" in " ".join(told["Approved"].split())
    assert f"/orders/{job_id}/shares" in told["Approved"]


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({}, "verdict"),
        ({"verdict": "perfect"}, "verdict"),
        ({"verdict": "changes_requested"}, "message"),
        ({"verdict": "approved", "email": "no address"}, "email"),
        ({"verdict": "approved", "name": "x" * 201}, "name"),
        ({"verdict": "approved", "message": "x" * 2001}, "message"),
    ],
)
def test_an_answer_that_cannot_be_kept_is_refused_by_its_field(
    client: FlaskClient, path: str, container: Container, said: dict[str, str], field: str
) -> None:
    refused = send(client, path, "/answer", **said)
    assert refused.status_code == 422
    page = BeautifulSoup(refused.text, "html.parser")
    assert page.select_one(f"#{field}-error")
    assert page.select_one(".summary a")["href"] == f"#{field}"
    assert link_of(container).response is None


def test_an_answer_is_changed_only_so_often(
    client: FlaskClient, path: str, container: Container, clock: FakeClock
) -> None:
    for _ in range(MAX_CHANGES + 1):
        assert send(client, path, "/answer", verdict="approved").status_code == 303
    clock.pass_(minutes=2)
    assert send(client, path, "/answer", verdict="approved", message="more").status_code == 409
    kept = link_of(container).response
    assert kept is not None
    assert kept.message == ""


def test_a_download_by_the_client_delivers_the_order(
    client: FlaskClient, path: str, container: Container, job_id: str
) -> None:
    answer = send(client, path, "/photos/1/download")
    assert answer.status_code == 303
    assert reading.one(container, Job, job_id).status == "delivered"
    file = client.get(answer.headers["Location"])
    assert file.status_code == 200
    assert file.headers["Content-Disposition"].startswith("attachment")
    packed = send(client, path, "/pictures.zip")
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        assert archive.testzip() is None
        assert len([name for name in archive.namelist() if name.count("/") == 1]) == 2
    develop(container)
    soup = BeautifulSoup(client.get(path).text, "html.parser")
    sizes = [re.search(r"ZIP, (.+)\)", each.text)[1] for each in soup.select("#download-all button")]
    for size, told in zip(("full", "web"), sizes, strict=True):
        packed = send(client, path, "/pictures.zip", size=size)
        assert words.size(len(packed.data)) == told
        assert packed.content_length == len(packed.data)
    small = client.get(send(client, path, "/photos/1/download", size="web").location)
    assert small.data.endswith(b"limits=None")


def test_a_file_that_the_client_fetched_opens_for_minutes_only(
    client: FlaskClient, path: str, clock: FakeClock
) -> None:
    url = send(client, path, "/photos/1/download").location
    clock.pass_(minutes=4)
    assert client.get(url).status_code == 200
    clock.pass_(minutes=2)
    assert client.get(url).status_code == 410


def test_a_link_without_downloads_offers_none(
    client: FlaskClient, container: Container, api: Api, job_id: str
) -> None:
    path = share(container, api, job_id, may_download=False)
    assert "Download" not in BeautifulSoup(client.get(path).text, "html.parser").main.text
    assert send(client, path, "/photos/1/download").status_code == 404
    assert send(client, path, "/pictures.zip").status_code == 404
    assert reading.one(container, Job, job_id).status == "approved"


def revoke(container: Container, api: Api, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        shares.revoke(session, api.account_id, job_id, link_of(container).id, container.clock())


def suspend(container: Container, api: Api, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).suspended_at = container.clock()


def let_end(container: Container, api: Api, job_id: str) -> None:
    container.clock.pass_(days=3, seconds=1)


def let_pictures_go(container: Container, api: Api, job_id: str) -> None:
    container.clock.pass_(days=8)
    container.sweep.expire_jobs()


@pytest.mark.parametrize("end", [revoke, suspend, let_end, let_pictures_go])
def test_a_link_that_opens_no_more_is_told_as_one_that_never_was(
    client: FlaskClient, container: Container, api: Api, job_id: str, end
) -> None:
    path = share(container, api, job_id, days=3)
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert token
    end(container, api, job_id)

    def told(where: str) -> tuple[int, str]:
        answer = client.get(where)
        return answer.status_code, re.sub(
            r"req_\w+|csrf_token\" value=\"[^\"]+|name=\"back\"[^>]+", "", answer.text
        )

    assert told(path) == told("/shared/" + "x" * 22)
    assert told(path)[0] == 404
    assert client.get(f"{path}/photos/1/after/view").status_code == 404
    for action in ("/answer", "/photos/1", "/photos/1/download", "/pictures.zip"):
        sent = client.post(path + action, data={"csrf_token": token[1], "verdict": "approved"})
        assert sent.status_code == 404
    assert reading.one(container, Job, job_id).status == "approved"


def test_a_form_made_for_another_link_changes_nothing(
    client: FlaskClient, container: Container, api: Api, job_id: str
) -> None:
    first, second = share(container, api, job_id), share(container, api, job_id)
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(first).text)
    assert token
    for sent in ({"csrf_token": token[1]}, {"csrf_token": "forged"}, {}):
        answer = client.post(f"{second}/answer", data={**sent, "verdict": "approved"})
        assert (answer.status_code, "open too long" in answer.text) == (400, True)
    upload = {"csrf_token": (io.BytesIO(token[1].encode()), "x")}
    assert client.post(f"{first}/answer", data=upload, content_type="multipart/form-data").status_code == 400


def test_who_guesses_is_refused_for_a_while(client: FlaskClient, path: str, clock: FakeClock) -> None:
    answers = [client.get(f"/shared/{number:022}").status_code for number in range(GUESSES_PER_MINUTE + 1)]
    assert (answers[-2], answers[-1]) == (404, 429)
    assert client.get(path).status_code == 429
    clock.pass_(minutes=1)
    assert client.get(path).status_code == 200


def test_forms_are_taken_only_so_often(client: FlaskClient, path: str) -> None:
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert token
    sent = [
        client.post(f"{path}/photos/1", data={"csrf_token": token[1], "comment": "x"}).status_code
        for _ in range(ANSWERS_PER_MINUTE + 1)
    ]
    assert {*sent[:-1]} == {303}
    assert sent[-1] == 429


def test_a_look_is_noted_now_and_then(
    client: FlaskClient, path: str, container: Container, clock: FakeClock
) -> None:
    assert link_of(container).last_seen_at is None
    client.get(path)
    first = clock()
    clock.pass_(minutes=4)
    client.get(path)
    assert link_of(container).last_seen_at == first
    clock.pass_(minutes=2)
    client.get(path)
    assert link_of(container).last_seen_at == clock()


def test_a_page_of_many_pictures_asks_no_more_than_one_of_few(
    client: FlaskClient, container: Container, api: Api, path: str
) -> None:
    many = api.order(interior=[PHOTO] * 8)["jobId"]
    work(container)
    develop(container)
    other = share(container, api, many)
    for each in (path, other):
        client.get(each)
    assert counted(lambda: client.get(other)) == counted(lambda: client.get(path))


def test_what_a_client_writes_is_text_and_nothing_else(client: FlaskClient, path: str) -> None:
    send(client, path, "/photos/1", comment="<script>alert(1)</script>")
    send(client, path, "/answer", verdict="approved", name='"><img src=x>')
    page = client.get(path).text
    assert "<script>alert" not in page
    assert "<img src=x>" not in page
    assert "&lt;script&gt;" in page


def test_the_page_names_the_agent_or_the_studio_and_calls_it(
    client: FlaskClient, path: str, container: Container, api: Api
) -> None:
    soup = BeautifulSoup(client.get(path).text, "html.parser")
    owner = reading.one(container, User, api.account_id)
    assert soup.select_one(".studio").text.strip() == owner.name
    with container.database.unit_of_work() as session:
        look = ChosenLook("Bright & Wide", "(555) 010-4477 ext. 5")
        brandings.update(session, api.account_id, look, container.clock())
    soup = BeautifulSoup(client.get(path).text, "html.parser")
    assert "Bright & Wide" in soup.select_one(".studio").text
    assert soup.select_one(".studio a")["href"] == "tel:5550104477"


def test_a_link_with_a_pin_shows_nothing_before_it_is_entered_and_takes_few_guesses(
    client: FlaskClient, container: Container, api: Api, job_id: str, app: Flask, clock: FakeClock
) -> None:
    path = share(container, api, job_id, pin="471100")
    assert "471100" not in (link_of(container).pin_digest or "")
    asked = client.get(path)
    assert asked.status_code == 403
    assert "Garden Lane" not in asked.text
    assert client.get(f"{path}/photos/1/after/view").status_code == 403
    assert client.get(f"{path}/logo.png").status_code == 403
    assert send(client, path, "/pictures.zip").status_code == 403
    assert "This is not the PIN" in send(client, path, "/pin", pin="000000").text
    assert send(client, path, "/pin", pin=" 471100 ").status_code == 303
    assert client.get(path).status_code == 200
    assert client.get(f"{path}/photos/1/after/view").status_code == 200
    stranger = app.test_client()
    refused = [send(stranger, path, "/pin", pin=f"{each:06}").status_code for each in range(CODES_PER_HOUR)]
    assert refused == [422] * (CODES_PER_HOUR - 1) + [429]
    clock.pass_(minutes=2)
    assert send(stranger, path, "/pin", pin="471100").status_code == 429, "the link itself is guarded for an hour"
    assert client.get(path).status_code == 200, "who has entered it goes on"
    with container.database.unit_of_work() as session:
        plan = SharePlan(KEPT, pin="123456")
        shares.update(session, api.account_id, job_id, link_of(container).id, plan, container.clock())
    assert client.get(path).status_code == 403, "another PIN is asked for again"
    for unfit in ("12345a", "12345", "123456789"):
        with pytest.raises(InvalidRequest):
            share(container, api, job_id, pin=unfit)


def test_copies_to_download_are_made_only_where_the_client_may_download(
    client: FlaskClient, container: Container, api: Api, job_id: str
) -> None:
    client.get(share(container, api, job_id, may_download=False))
    assert not any(reading.found(container, select(Preview.wants_copies)))
    client.get(share(container, api, job_id))
    assert sum(reading.found(container, select(Preview.wants_copies))) == 2
