"""The originals of altered pictures, published for whoever sees the advertisement."""

import hashlib
from pathlib import Path

import pytest
from flask import Flask

from app.container import Container
from app.domain.content_credentials import CredentialKind
from app.domain.limits import GUESSES_PER_MINUTE
from app.domain.retention import PUBLIC_PAGES_KEPT_MONTHS
from app.models import Job
from app.services.photos import lost_originals, pictures, public_pages
from app.services.photos.lost_originals import LostOriginals
from app.services.previews import previews
from app.services.retention import expiry
from engine.types.pictures import PreviewSize
from tests.conftest import PHOTO, Api, develop, new_api, work
from tests.fakes import FakeClock, FakeCredentials
from tests.portal.person import Person

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


def done(api: Api, container: Container, **fields) -> str:
    """A job with one staged room, one of plain light, and a house with a new sky."""
    chosen = {
        "interior": [PHOTO + b"room", PHOTO + b"light"],
        "exterior": [PHOTO + b"house"],
        "photoConfigs": [{"photoType": "interior", "photoIndex": 0, "enhancements": ["virtual_staging"]}],
        **fields,
    }
    job_id = api.order(**chosen)["jobId"]
    work(container)
    assert develop(container)
    return job_id


def path(url: str) -> str:
    return url.removeprefix("http://localhost")


@pytest.fixture
def published(api: Api, container: Container) -> str:
    """The path of a page whose originals are copied."""
    return publish(api, container, done(api, container))


def publish(api: Api, container: Container, job_id: str) -> str:
    url = api.post(f"/jobs/{job_id}/public-page", {}).json["url"]
    assert develop(container) == 2
    return path(url)


def copy_of(content: bytes) -> bytes:
    """What the fake maker of previews makes of a photo for the public."""
    return b"\xff\xd8\xff" + content.replace(b"SECRET", b"")


def test_anybody_sees_each_altered_picture_beside_its_original_and_nothing_of_plain_light(
    app: Flask, published: str
) -> None:
    client = app.test_client()
    page = client.get(published)
    assert page.status_code == 200
    assert page.text.count("Original, unaltered</strong>") == 2
    assert "Virtually staged" in page.text
    assert "Digitally altered" in page.text
    assert "Picture 3" not in page.text
    assert ADDRESS not in page.text
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert "Set-Cookie" not in page.headers
    assert page.headers["Cache-Control"] == "public, max-age=60"
    assert client.get(f"{published}/1/original/full").data == copy_of(PHOTO + b"house")
    assert client.get(f"{published}/2/original/full").data == copy_of(PHOTO + b"room")
    assert client.get(f"{published}/1/altered/view").mimetype == "image/jpeg"
    assert client.get(f"{published}/3/original/full").status_code == 404
    alone = client.get(f"{published}/2")
    assert alone.text.count("Original, unaltered</strong>") == 1


@pytest.mark.parametrize(
    ("signer", "words"),
    [
        (None, "picture 1 has no content credentials (C2PA)."),
        (FakeCredentials(CredentialKind.DEMO), "programs show them as not trusted"),
        (FakeCredentials(CredentialKind.CERTIFICATE), "signed by the operator of this service"),
    ],
)
def test_whose_content_credentials_an_altered_file_carries_is_told(
    api: Api, app: Flask, container: Container, signer: FakeCredentials | None, words: str
) -> None:
    container.credentials = signer
    url = api.post(f"/jobs/{done(api, container)}/public-page", {}).json["url"]
    page = app.test_client().get(path(url)).text
    assert page.count("content credentials (C2PA)") == 2
    assert words in page


def test_the_address_of_the_property_is_shown_where_the_owner_wants_it(api: Api, app: Flask, container) -> None:
    job_id = done(api, container)
    first = api.post(f"/jobs/{job_id}/public-page", {}).json
    second = api.post(f"/jobs/{job_id}/public-page", {"showsAddress": True, "months": 1}).json
    assert (first["url"], first["showsAddress"]) == (second["url"], False)
    assert second["expiresAt"] < first["expiresAt"]
    assert ADDRESS in app.test_client().get(path(second["url"])).text
    assert api.get(f"/jobs/{job_id}/public-page").json == second


def test_the_qr_code_and_the_sheet_lead_to_it(app: Flask, published: str) -> None:
    client = app.test_client()
    qr = client.get(f"{published}/qr.svg")
    assert (qr.status_code, qr.mimetype) == (200, "image/svg+xml")
    sheet = client.get(f"{published}/sheet").text
    assert f"http://localhost{published}" in sheet
    assert "can be accessed at the address above" in sheet


def test_a_path_in_the_services_address_stands_before_it(api: Api, container: Container) -> None:
    job_id = done(api, container)
    container.settings = container.settings.model_copy(update={"base_url": "https://host.example/photos"})
    page = api.post(f"/jobs/{job_id}/public-page", {}).json
    assert page["url"].startswith("https://host.example/photos/o/")
    assert page["pictures"][0]["url"] == f"{page['url']}/1"


def test_what_is_published_stays_when_the_order_goes_and_nothing_else_does(
    app: Flask, container: Container, clock: FakeClock, published: str
) -> None:
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    client = app.test_client()
    assert client.get(published).text.count("Original, unaltered</strong>") == 2
    assert client.get(f"{published}/2/original/full").data == copy_of(PHOTO + b"room")
    assert client.get(f"{published}/2/altered/view").status_code == 200
    kept = [file.name for file in container.settings.storage_path.rglob("*") if file.is_file()]
    assert len(kept) == 2 * 2 * 3, "two pictures, the copy and the altered file, whole and in two small sizes"
    clock.pass_(days=30 * PUBLIC_PAGES_KEPT_MONTHS)
    container.sweep.purge_public_pages()
    assert client.get(published).status_code == 410
    assert not [file for file in (container.settings.data_dir / "storage").rglob("*") if file.is_file()]


@pytest.mark.parametrize("expired", [False, True])
def test_a_page_taken_back_is_gone_at_once_and_its_files_when_nobody_else_has_them(
    app: Flask, api: Api, container: Container, clock: FakeClock, expired: bool
) -> None:
    job_id = done(api, container)
    page = api.post(f"/jobs/{job_id}/public-page", {}).json
    if expired:
        clock.pass_(days=8)
        container.sweep.expire_jobs()
        container.sweep.purge_files()
    assert api.call("DELETE", f"/jobs/{job_id}/public-page").json == {"livemode": True, "success": True}
    assert app.test_client().get(path(page["url"])).status_code == 410
    assert api.get(f"/jobs/{job_id}/public-page").status_code == 404
    container.sweep.purge_public_pages()
    files = [file for file in (container.settings.data_dir / "storage").rglob("*") if file.is_file()]
    assert bool(files) is not expired
    if not expired:
        again = api.post(f"/jobs/{job_id}/public-page", {}).json
        assert again["url"] != page["url"], "an address that was taken back leads nowhere for good"
        assert app.test_client().get(path(again["url"])).status_code == 200


def test_a_page_revoked_while_its_job_is_between_records_and_files_is_looked_at_again(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = done(api, container)
    api.post(f"/jobs/{job_id}/public-page", {})
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    with container.database.read_session() as session:
        session_id = session.get_one(Job, job_id).upload_session_id
        kept = public_pages.list_kept_keys(session, job_id, clock())
    api.call("DELETE", f"/jobs/{job_id}/public-page")
    container.sweep.purge_public_pages()
    expiry.purge_files(container.storage, session_id, job_id, kept)
    with container.database.unit_of_work() as session:
        session.get_one(Job, job_id).purged_at = clock()
    container.sweep.purge_public_pages()
    assert not [file for file in (container.settings.data_dir / "storage").rglob("*") if file.is_file()]


def test_nothing_is_published_of_plain_light_of_unfinished_jobs_or_of_others(
    api: Api, app: Flask, container: Container
) -> None:
    plain = api.order(interior=[PHOTO])["jobId"]
    assert api.post(f"/jobs/{plain}/public-page", {}).status_code == 400
    work(container)
    refused = api.post(f"/jobs/{plain}/public-page", {})
    assert (refused.status_code, refused.json["code"]) == (409, "conflict")
    other = new_api(app, container, "kim@example.com")
    assert other.post(f"/jobs/{plain}/public-page", {}).status_code == 404
    assert other.call("DELETE", f"/jobs/{plain}/public-page").status_code == 404
    assert api.post("/jobs/job_x/public-page", {}).status_code == 404


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"months": 0}, "months"),
        ({"months": 121}, "months"),
        ({"showsAddress": 1}, "showsAddress"),
        ({"x": 1}, "x"),
    ],
)
def test_what_cannot_be_published_so_is_refused_by_its_field(api: Api, container, body: dict, where: str) -> None:
    refused = api.post(f"/jobs/{done(api, container)}/public-page", body)
    assert (refused.status_code, list(refused.json["details"])) == (400, [where])


def test_who_guesses_tokens_is_refused_for_a_while_before_anything_is_looked_up(
    app: Flask, published: str, clock: FakeClock
) -> None:
    client = app.test_client()
    answers = [client.get(f"/o/{number:012}").status_code for number in range(GUESSES_PER_MINUTE + 1)]
    assert {*answers[:-1]} == {404}
    assert answers[-1] == 429
    assert client.get(published).status_code == 429, "so a guess that is right tells nothing"
    assert client.get(published, environ_base={"REMOTE_ADDR": "192.0.2.9"}).status_code == 200
    clock.pass_(minutes=1)
    assert client.get(published).status_code == 200


def test_links_that_lead_nowhere_keep_nobody_of_the_address_from_signing_in(person: Person) -> None:
    # A page of the web makes its visitor ask for them, by pictures that nobody sees.
    for number in range(GUESSES_PER_MINUTE + 1):
        person.web.get(f"/o/{number:012}", expect_errors=True)
        person.web.get(f"/shared/{number:022}", expect_errors=True)
    person.send(person.open("/orders").forms["sign-out"])
    assert person.sign_in().request.path == "/orders"


def test_nothing_that_an_original_says_beside_the_picture_is_public_and_its_owner_is_told(
    api: Api, app: Flask, container: Container
) -> None:
    room = PHOTO + b"room SECRET"
    job_id = done(api, container, interior=[room, PHOTO + b"light"])
    told = api.post(f"/jobs/{job_id}/public-page", {}).json
    assert [each["withheld"] for each in told["pictures"]] == [[], ["place"]]
    client, page = app.test_client(), path(told["url"])
    assert client.get(f"{page}/2/original/view").status_code == 200
    assert client.get(f"{page}/2/original/full").status_code == 404, "no copy is made yet"
    assert f'href="{page}/2/original/full"' not in client.get(page).text
    assert not lost_jobs(container, container.clock)
    develop(container)
    assert client.get(f"{page}/2/original/full").data == copy_of(room)
    assert f'href="{page}/2/original/full"' in client.get(page).text
    assert hashlib.sha256(room).hexdigest() in client.get(page).text, "the owner's file can be told by its digest"


def test_a_copy_that_was_not_made_before_the_order_went_is_made_when_somebody_asks(
    api: Api, app: Flask, container: Container, clock: FakeClock
) -> None:
    page = path(api.post(f"/jobs/{done(api, container)}/public-page", {}).json["url"])
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    client = app.test_client()
    assert client.get(f"{page}/2/original/full").status_code == 404
    assert develop(container) == 1
    assert client.get(f"{page}/2/original/full").data == copy_of(PHOTO + b"room")


def test_a_page_that_is_over_takes_no_copy_from_the_next_one(
    api: Api, app: Flask, container: Container, clock: FakeClock
) -> None:
    job_id = done(api, container)
    publish(api, container, job_id)
    api.call("DELETE", f"/jobs/{job_id}/public-page")
    page = path(api.post(f"/jobs/{job_id}/public-page", {}).json["url"])
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    with container.database.unit_of_work() as session:
        for picture in public_pages.find(session, page.removeprefix("/o/"), clock()).pictures:
            pictures.request_public_copy(session, picture.original_key, clock())
    container.sweep.purge_public_pages()
    assert develop(container) == 2
    assert app.test_client().get(f"{page}/2/original/full").data == copy_of(PHOTO + b"room")


def file_of(container: Container, content: bytes) -> Path:
    (found,) = [
        file
        for file in (container.settings.data_dir / "storage" / "uploads").rglob("*")
        if file.is_file() and file.read_bytes() == content
    ]
    return found


def lost_jobs(container: Container, clock: FakeClock) -> list[LostOriginals]:
    with container.database.read_session() as session:
        return lost_originals.list_lost(session, clock())


def test_an_original_that_somebody_asks_for_in_vain_is_told_as_lost_until_it_is_back(
    app: Flask, container: Container, clock: FakeClock, published: str, caplog
) -> None:
    client = app.test_client()
    lost = file_of(container, copy_of(PHOTO + b"room"))
    kept = lost.read_bytes()
    lost.unlink()
    assert client.get(f"{published}/2/original/full").status_code == 404
    assert client.get(f"{published}/2/altered/full").status_code == 200
    assert "the original of picture 2 is lost" in caplog.text
    page = client.get(published)
    assert page.text.count("The original is lost") == 1
    assert [each.numbers for each in lost_jobs(container, clock)] == [[2]]
    lost.write_bytes(kept)
    assert client.get(f"{published}/2/original/full").status_code == 200
    assert "The original is lost" not in client.get(published).text
    assert not lost_jobs(container, clock)


def test_a_small_picture_that_is_left_does_not_stand_for_the_original(
    app: Flask, container: Container, clock: FakeClock, published: str
) -> None:
    lost = file_of(container, copy_of(PHOTO + b"house"))
    kept = lost.read_bytes()
    lost.unlink()
    client = app.test_client()
    assert client.get(f"{published}/1/original/full").status_code == 404
    assert client.get(f"{published}/1/original/view").status_code == 200
    assert [each.numbers for each in lost_jobs(container, clock)] == [[1]]
    lost.write_bytes(kept)


def test_no_whole_file_stands_in_for_a_small_picture_that_is_not_made_yet(
    app: Flask, container: Container, published: str
) -> None:
    original = file_of(container, PHOTO + b"house")
    key = str(original.relative_to(container.settings.storage_path))
    with container.database.unit_of_work() as session:
        previews.forget_file(session, key)
    for size in (PreviewSize.THUMB, PreviewSize.VIEW):
        (container.settings.storage_path / previews.key_of(key, size)).unlink()
    client = app.test_client()
    assert client.get(f"{published}/1/original/view").status_code == 404
    assert develop(container) == 1, "it was asked for"
    small = client.get(f"{published}/1/original/view")
    assert small.status_code == 200
    assert small.data != PHOTO + b"house"


def test_the_sweep_looks_for_every_published_original_once_a_day(
    app: Flask, container: Container, clock: FakeClock, published: str
) -> None:
    container.sweep.look_for_originals()
    assert not lost_jobs(container, clock)
    lost = file_of(container, copy_of(PHOTO + b"room"))
    kept = lost.read_bytes()
    lost.unlink()
    container.sweep.look_for_originals()
    assert not lost_jobs(container, clock), "seen today"
    clock.pass_(days=1, seconds=1)
    container.sweep.look_for_originals()
    (found,) = lost_jobs(container, clock)
    assert (found.numbers, found.since) == ([2], clock())
    assert "The original is lost" in app.test_client().get(published).text
    lost.write_bytes(kept)
    clock.pass_(days=1, seconds=1)
    container.sweep.look_for_originals()
    assert not lost_jobs(container, clock), "found again"


def test_a_page_asks_the_store_for_nothing(
    app: Flask, container: Container, published: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(type(container.storage), "stat", lambda self, key: asked.append(key))
    monkeypatch.setattr(type(container.storage), "peek", lambda self, key: asked.append(key))
    page = app.test_client().get(published)
    assert page.status_code == 200
    assert page.text.count('loading="lazy"') == 4
    assert not asked


def test_the_digests_on_the_page_are_those_of_the_files_that_it_leads_to(app: Flask, published: str) -> None:
    client = app.test_client()
    for path_ in (published, f"{published}/sheet"):
        page = client.get(path_).text
        for number in (1, 2):
            for which in ("original", "altered"):
                whole = client.get(f"{published}/{number}/{which}/full")
                assert f"<code>{hashlib.sha256(whole.data).hexdigest()}</code>" in page
                assert whole.headers["Content-Disposition"].startswith(
                    f'inline; filename="picture-{number}-{which}.'
                )
    command = client.get(f"{published}/1").text.split('<pre class="command"><code>')[1].split("</code>")[0]
    assert command.startswith("python -m engine --verify picture-1-original.")
    assert "--steps sky_enhancement --sha256 " in command


def test_nobody_is_told_where_anothers_originals_are(api: Api, app: Flask, container: Container) -> None:
    job_id = done(api, container)
    assert api.post(f"/jobs/{job_id}/public-page", {}).status_code == 200
    other = new_api(app, container, "kim@example.com")
    assert other.get(f"/jobs/{job_id}/public-page").status_code == 404
    assert other.call("DELETE", f"/jobs/{job_id}/public-page").status_code == 404
    assert api.get(f"/jobs/{job_id}/public-page").status_code == 200
