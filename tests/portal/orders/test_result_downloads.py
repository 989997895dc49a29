"""Results downloaded, one or all or some together: the first download delivers, looking does not."""

import io
import zipfile

from app.domain.lifecycle import Status
from app.models import Job
from app.services.accounts import organizations
from tests.conftest import PHOTO
from tests.fakes import photo
from tests.portal.orders.result_pages import STAGED, Ordered, board, deliveries, press, results, status
from tests.portal.person import Person


def test_looking_delivers_nothing_however_often(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO])
    for _ in range(2):
        person.open(board(job_id))
        person.open(results(job_id))
    assert (status(container, job_id), deliveries(container)) == (Status.APPROVED, 0)
    for path in (f"{board(job_id)}/results.zip", f"/orders/{job_id}/results/img_x/download"):
        assert person.web.get(path, expect_errors=True).status_int == 405
    assert status(container, job_id) is Status.APPROVED


def test_the_first_download_delivers_and_leads_to_the_file(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO])
    page = person.open(results(job_id))
    for _ in range(2):
        answer = press(person, page, "download", 303, "variant", value="altered")
        file = answer.follow()
        assert file.body == PHOTO
        assert file.headers["Content-Disposition"] == 'attachment; filename="interior-1.jpg"'
        assert (status(container, job_id), deliveries(container)) == (Status.DELIVERED, 1)
    assert "Delivered" in person.open(results(job_id)).text


def test_downloads_come_from_where_the_browser_is_whatever_it_calls_us(
    container, person: Person, ordered: Ordered
) -> None:
    page = person.open(results(ordered(interior=[PHOTO])))
    location = press(person, page, "download", 303).headers["Location"]
    assert location.startswith("/files/"), "the policy lets forms lead nowhere else"
    container.settings = container.settings.model_copy(update={"base_url": "https://elsewhere.example"})
    assert press(person, page, "download", 303).headers["Location"].startswith("http://localhost/files/")


def test_the_original_and_the_labeled_copy_are_there_to_download(person: Person, ordered: Ordered) -> None:
    page = person.open(results(ordered(interior=[PHOTO + b"x"], **STAGED)))
    names = [button["value"] for button in page.html.select("#download button")]
    assert names == ["altered", "labeled", "original"]
    found = {}
    for name in names:
        file = press(person, page, "download", 303, "variant", value=name).follow()
        found[name] = (file.headers["Content-Disposition"].partition('"')[2].strip('"'), file.body)
    assert found == {
        "altered": ("interior-1.jpg", PHOTO + b"x"),
        "labeled": (
            "interior-1-virtually-staged-digitally-altered.jpg",
            b"\xff\xd8\xffVirtually staged, digitally altered",
        ),
        "original": ("interior-1.jpg", PHOTO + b"x"),
    }


def test_single_files_too_are_named_by_the_studios_pattern(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO], **STAGED)
    with container.database.unit_of_work() as session:
        organizations.get(session, person.account_id, lock=True).file_names = "{street}-{nn}"
    page = person.open(results(job_id))
    names = [
        press(person, page, "download", 303, "variant", value=each).follow().headers["Content-Disposition"]
        for each in ("altered", "labeled", "original")
    ]
    assert [each.partition('"')[2].strip('"') for each in names] == [
        "12-garden-lane-01.jpg",
        "12-garden-lane-01-virtually-staged-digitally-altered.jpg",
        "interior-1.jpg",
    ]


def test_a_labeled_copy_that_is_not_made_yet_is_not_offered_and_delivers_nothing(
    container, person: Person, ordered: Ordered
) -> None:
    job_id = ordered(previews=False, interior=[PHOTO], **STAGED)
    page = person.open(results(job_id))
    assert [button["value"] for button in page.html.select("#download button")] == ["altered", "original"]
    assert "is being made" in page.html.select_one(".disclosure").text
    form = page.forms["download"]
    answer = person.web.post(
        form.action, {"csrf_token": form["csrf_token"].value, "variant": "labeled"}, status=404
    )
    assert "still being made" in answer.text
    assert status(container, job_id) is Status.APPROVED


def test_all_together_come_as_a_zip_that_says_its_length(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO], exterior=[PHOTO], **STAGED)
    page = person.open(board(job_id))
    assert page.html.select_one("#download-size option").text == "Full, 1 kB in all"
    answer = press(person, page, "selection", 200, "all", "1")
    assert answer.content_type == "application/zip"
    assert int(answer.headers["Content-Length"]) == len(answer.body)
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="12-garden-lane-springfield-il-62704.zip"'
    )
    assert len(zipfile.ZipFile(io.BytesIO(answer.body)).namelist()) == 4
    assert (status(container, job_id), deliveries(container)) == (Status.DELIVERED, 1)
    form = page.forms["selection"]
    form["originals"] = True
    assert len(packed(form.submit("all"))) == 6
    assert deliveries(container) == 1


def test_a_size_that_is_not_made_yet_is_said_and_delivers_nothing(
    container, person: Person, ordered: Ordered
) -> None:
    job_id = ordered(interior=[PHOTO])
    page = person.open(board(job_id))
    fields = {"csrf_token": page.forms["selection"]["csrf_token"].value, "all": "1", "size": "web"}
    answer = person.web.post(f"{board(job_id)}/results.zip", fields, status=303).follow()
    assert "being made in this size" in answer.text
    assert (status(container, job_id), deliveries(container)) == (Status.APPROVED, 0)


def packed(answer) -> list[str]:
    """The names in a ZIP, without that of its one folder."""
    return [name.partition("/")[2] for name in zipfile.ZipFile(io.BytesIO(answer.body)).namelist()]


def test_the_selected_ones_come_as_a_zip(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO, PHOTO, photo("BLANK")], exterior=[PHOTO])
    page = person.open(board(job_id))
    form, boxes = page.forms["selection"], page.html.select(".shot input")
    assert [page.html.select_one(f"label[for={each['id']}]").text for each in boxes] == [
        "Select exterior-1",
        "Select interior-1",
        "Select interior-2",
    ]
    chosen = {"csrf_token": form["csrf_token"].value, "photo": [boxes[0]["value"], boxes[2]["value"]]}
    files = ["exterior-1.jpg", "interior-2.jpg", "labeled/exterior-1-digitally-altered.jpg"]
    assert packed(person.web.post(form.action, chosen)) == files
    assert packed(person.web.post(form.action, {**chosen, "originals": "1"}))[3:] == [
        "originals/exterior-1.jpg",
        "originals/interior-2.jpg",
    ]
    assert (status(container, job_id), deliveries(container)) == (Status.DELIVERED, 1)


def test_nothing_selected_is_said_and_delivers_nothing(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO, photo("BLANK")])
    page = person.open(board(job_id))
    told = person.send(page.forms["selection"])
    assert "Select the photos to download first" in told.html.select_one("[role=alert]").text
    blank = page.html.select(".shot")[1]["id"].removeprefix("photo-")
    for chosen in (blank, "pho_nothing"):
        person.post(f"{board(job_id)}/results.zip", status=404, photo=chosen)
    assert status(container, job_id) is Status.APPROVED


def test_a_zip_that_cannot_be_whole_is_refused_and_delivers_nothing(container, person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO])
    page = person.open(board(job_id))
    (path,) = (container.settings.data_dir / "storage" / "results" / job_id).glob("*.jpg")
    kept = path.read_bytes()
    path.unlink()
    press(person, page, "selection", 404, "all", "1")
    assert status(container, job_id) is Status.APPROVED
    path.write_bytes(kept)


def test_a_picture_is_only_downloaded_from_its_own_order(container, person: Person, ordered: Ordered) -> None:
    first, second = ordered(interior=[PHOTO]), ordered(interior=[PHOTO, photo("BLANK")])
    action = person.open(results(first)).forms["download"].action
    person.post(action.replace(first, second), status=404)
    person.post(action, status=404, variant="everything")
    assert {status(container, job_id) for job_id in (first, second)} == {Status.APPROVED}


def test_a_rejected_picture_cannot_be_downloaded(container, person: Person, ordered: Ordered) -> None:
    job_id = ordered(interior=[PHOTO, photo("BLANK")])
    with container.database.read_session() as session:
        rejected = session.get_one(Job, job_id).photos[1].result.id
    for variant in ("altered", "original", "labeled"):
        person.post(f"/orders/{job_id}/results/{rejected}/download", status=404, variant=variant)
