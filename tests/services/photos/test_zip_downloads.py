"""All pictures of an order in one ZIP: named safely, exact in length, made while it is sent, never half of one."""

import io
import tracemalloc
import zipfile
from collections.abc import Collection
from dataclasses import replace
from typing import BinaryIO

import pytest
from sqlalchemy import update

from app.container import Container
from app.domain.errors import Conflict, NotFound
from app.domain.lifecycle import WorkState
from app.domain.sizes import DownloadSize
from app.models import Job, Photo, Preview, Result
from app.services.accounts import organizations
from app.services.photos import downloads, naming, zip_downloads
from app.services.photos.zip_downloads import ArchiveEntry
from app.services.previews import previews
from tests import acts
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock, photo

FOLDER = "12-garden-lane-springfield-il-62704"


def entries(container: Container, job_id: str, extras: Collection[str] = ()) -> list[ArchiveEntry]:
    with container.database.read_session() as session:
        return zip_downloads.entries(session, container.storage, session.get_one(Job, job_id), extras=extras)


def packed(container: Container, files: list[ArchiveEntry]) -> zipfile.ZipFile:
    stream = zip_downloads.stream_zip(container.storage, files)
    expected, content = len(stream), b"".join(stream)
    assert len(content) == expected, "the length was exact"
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    return archive


def ordered(api: Api, container: Container, **order) -> str:
    job_id = api.order(**order)["jobId"]
    work(container)
    develop(container)
    return job_id


def named(container: Container, *names: str) -> None:
    with container.database.unit_of_work() as session:
        for (photo_id,), name in zip(session.query(Photo.id).order_by(Photo.type, Photo.index), names, strict=True):
            session.execute(update(Photo).where(Photo.id == photo_id).values(file_name=name))


def test_it_holds_the_approved_pictures_in_a_folder_named_by_the_address(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO, photo("DECLINE"), photo("BLANK")], exterior=[PHOTO + b"x"])
    archive = packed(container, entries(container, job_id))
    labeled = f"{FOLDER}/labeled/exterior-1-digitally-altered.jpg"
    assert archive.namelist() == [f"{FOLDER}/exterior-1.jpg", f"{FOLDER}/interior-1.jpg", labeled]
    assert [archive.read(name) for name in archive.namelist()[:2]] == [PHOTO + b"x", PHOTO]
    assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_STORED}


def test_labeled_copies_and_originals_lie_in_folders_of_their_own(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO], exterior=[PHOTO], interiorEnhancements=["virtual_staging"])
    assert packed(container, entries(container, job_id, extras={zip_downloads.ORIGINALS})).namelist() == [
        f"{FOLDER}/exterior-1.jpg",
        f"{FOLDER}/interior-1.jpg",
        f"{FOLDER}/labeled/exterior-1-digitally-altered.jpg",
        f"{FOLDER}/labeled/interior-1-virtually-staged.jpg",
        f"{FOLDER}/originals/exterior-1.jpg",
        f"{FOLDER}/originals/interior-1.jpg",
    ]


def sized(container: Container, job_id: str, size: DownloadSize) -> tuple[int | None, list[ArchiveEntry]]:
    """How large the ZIP in this size is told to be, and its files."""
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
        found = session.execute(downloads.select_approved(job_id))
        names = naming.list_names(session, [job])
        rows: list[tuple[Result, str]] = [(row[0], names[row[1].id]) for row in found]
        made = previews.get_all(session, [downloads.key_of(result) for result, _ in rows])
        told = zip_downloads.measure(zip_downloads.folder_of(job), rows, made, size)
        return told, zip_downloads.entries(session, container.storage, job, size=size)


def test_furniture_that_was_added_is_listed_with_sizes_by_photo(api: Api, container: Container) -> None:
    staged = {"interior": [photo("PIECES"), PHOTO], "interiorEnhancements": ["virtual_staging"]}
    job_id = ordered(api, container, **staged)
    archive = packed(container, entries(container, job_id))
    listed = archive.read(f"{FOLDER}/furniture.txt").decode()
    assert listed.splitlines()[2:] == [
        "",
        "interior-1",
        "- 1 x Sofa: 7 ft 3 in by 3 ft 1 in by 2 ft 8 in (220 by 94 by 81 cm)",
        "- 2 x Rug: 6 ft 7 in by 9 ft 10 in by under 1 in (200 by 300 by 1 cm)",
    ]
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
        whole = zip_downloads.entries_of_property(session, container.storage, [job])
        names = naming.list_names(session, [job])
        (other,) = {each for each, name in names.items() if name == "interior-2"}
        single = zip_downloads.entries_of_property(session, container.storage, [job], [other])
    assert packed(container, whole).namelist() == archive.namelist()
    assert [each.path for each in single if each.path.endswith(".txt")] == []


def test_in_every_size_it_is_as_large_as_was_told_and_has_the_copies_that_workers_made(
    api: Api, container: Container
) -> None:
    rooms = {"interior": [photo("PIECES")], "interiorEnhancements": ["virtual_staging"]}
    job_id = ordered(api, container, exterior=[PHOTO], **rooms)
    with pytest.raises(Conflict):
        sized(container, job_id, DownloadSize.WEB)
    with container.database.unit_of_work() as session:
        results = [downloads.key_of(row[0]) for row in session.execute(downloads.select_approved(job_id))]
        previews.request_copies(session, results)
    assert develop(container) == 2
    names = {}
    for size in DownloadSize:
        told, files = sized(container, job_id, size)
        assert told == len(b"".join(zip_downloads.stream_zip(container.storage, files)))
        names[size] = packed(container, files)
    assert names[DownloadSize.WEB].namelist() == names[DownloadSize.FULL].namelist()
    web, email = (names[each].read(f"{FOLDER}/interior-1.jpg") for each in (DownloadSize.WEB, DownloadSize.EMAIL))
    assert web.endswith(b"label=None disclosure=None limits=None")
    assert email.endswith(b"limits=500000")
    marked = names[DownloadSize.WEB].read(f"{FOLDER}/labeled/interior-1-virtually-staged.jpg")
    assert b"label=Virtually staged" in marked


def test_the_studios_own_file_names_are_unique_in_the_zip(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO, PHOTO + b"2"], exterior=[PHOTO])
    named(container, "front.jpg", "Room.jpg", "room.jpg")
    with container.database.unit_of_work() as session:
        organizations.get(session, api.account_id, lock=True).file_names = "{street}-{nn}"
    labeled_name = f"{FOLDER}/labeled/12-garden-lane-01-digitally-altered.jpg"
    numbered = [f"{FOLDER}/12-garden-lane-{number:02}.jpg" for number in (1, 2, 3)]
    archive = packed(container, entries(container, job_id, extras={zip_downloads.ORIGINALS}))
    assert archive.namelist()[:4] == [*numbered, labeled_name]
    assert archive.namelist()[4:] == [
        f"{FOLDER}/originals/{each}" for each in ("front.jpg", "Room.jpg", "room (2).jpg")
    ]
    with container.database.unit_of_work() as session:
        organizations.get(session, api.account_id, lock=True).file_names = "{name}"
    assert packed(container, entries(container, job_id)).namelist()[1:3] == [
        f"{FOLDER}/Room.jpg",
        f"{FOLDER}/room (2).jpg",
    ]


def test_photos_are_numbered_through_all_orders_of_a_property(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_ids = [ordered(api, container, interior=[PHOTO, PHOTO + b"2"])]
    clock.pass_(seconds=1)
    # What counts is the place in the property, not which order came first.
    job_ids.insert(0, ordered(api, container, interior=[PHOTO, PHOTO + b"2"]))
    with container.database.unit_of_work() as session:
        organizations.get(session, api.account_id, lock=True).file_names = "{street}-{nn}"
        for place, job_id in enumerate(job_ids):
            values = {"draft_id": "dft_1", "draft_place": place}
            session.execute(update(Job).where(Job.id == job_id).values(values))
    second = packed(container, entries(container, job_ids[1])).namelist()
    assert second == [f"{FOLDER}/12-garden-lane-{number:02}.jpg" for number in (3, 4)]
    with container.database.read_session() as session:
        together = [session.get_one(Job, job_id) for job_id in job_ids]
        whole = zip_downloads.entries_of_property(session, container.storage, together)
        assert [each.path[-6:] for each in whole] == ["01.jpg", "02.jpg", "03.jpg", "04.jpg"]


def test_copies_that_could_not_be_made_are_no_longer_promised(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO])
    with container.database.unit_of_work() as session:
        (key,) = [downloads.key_of(row[0]) for row in session.execute(downloads.select_approved(job_id))]
        previews.request_copies(session, [key])
        session.execute(update(Preview).values(state=WorkState.DONE))
    with pytest.raises(Conflict, match="could not be made"):
        sized(container, job_id, DownloadSize.WEB)


def test_a_labeled_copy_that_is_still_being_made_is_left_out(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO], interiorEnhancements=["virtual_staging"])["jobId"]
    work(container)
    assert len(entries(container, job_id)) == 1


def test_names_twice_in_any_script_are_told_apart(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO, PHOTO, PHOTO, PHOTO])
    named(container, "居間 🏠.jpg", "居間 🏠.heic", "CON.png", "../x")
    names = packed(container, entries(container, job_id, extras={zip_downloads.ORIGINALS})).namelist()
    assert [name.removeprefix(FOLDER) for name in names] == [
        "/居間 🏠.jpg",
        "/居間 🏠 (2).jpg",
        "/_CON.jpg",
        "/file.jpg",
        "/originals/居間 🏠.jpg",
        "/originals/居間 🏠.heic.jpg",
        "/originals/_CON.png.jpg",
        "/originals/_x.jpg",
    ]
    assert not any(".." in name.split("/") for name in names)


@pytest.mark.parametrize(
    ("address", "folder"), [("1 " + "Long " * 59, 60), ("居間" * 50, 60), ("!!! ,,, ...", "results")]
)
def test_the_folder_is_named_whatever_the_address_is(address: str, folder: int | str) -> None:
    name = zip_downloads.folder_of(Job(address=address))
    assert name == folder if isinstance(folder, str) else 0 < len(name) <= folder
    assert not name.endswith("-")


def test_a_file_that_is_gone_refuses_the_whole_archive(api: Api, container: Container) -> None:
    job_id = ordered(api, container, interior=[PHOTO, PHOTO])
    lost = entries(container, job_id, extras={zip_downloads.ORIGINALS})
    container.storage.delete(lost[0].key)
    with pytest.raises(NotFound):
        entries(container, job_id)
    container.storage.delete(lost[-1].key)
    with pytest.raises(NotFound):
        entries(container, job_id, extras={zip_downloads.ORIGINALS})
    for each in lost:  # the files are meant to be missing here; put them back for the check of money and files
        acts.put(container.storage, each.key, PHOTO)


@pytest.mark.parametrize("change", ["gone", "shorter", "longer"])
def test_a_file_that_changes_while_it_is_sent_breaks_the_transfer_off(api: Api, container, change: str) -> None:
    job_id = ordered(api, container, interior=[PHOTO, PHOTO])
    first, second = entries(container, job_id)
    if change == "gone":
        second = replace(second, key="results/nothing")
    else:
        second = replace(second, size_bytes=second.size_bytes + (1 if change == "shorter" else -1))
    stream = zip_downloads.stream_zip(container.storage, [first, second])
    sent = bytearray()
    with pytest.raises((FileNotFoundError, RuntimeError)):
        for chunk in stream:
            sent += chunk
    assert not zipfile.is_zipfile(io.BytesIO(sent)), "what arrived is no archive that anybody takes for whole"


class Endless:
    """A store whose files are as long as asked for and weigh nothing."""

    def __init__(self, size: int) -> None:
        self.size = size

    def open(self, _key: str) -> BinaryIO:
        size = self.size

        class File(io.RawIOBase):
            left = size

            def read(self, count: int = -1) -> bytes:
                count = min(count, self.left)
                self.left -= count
                return bytes(count)

        return File()


def test_memory_does_not_grow_with_the_archive() -> None:
    stream = zip_downloads.stream_zip(Endless(60_000_000), [ArchiveEntry("a/b.jpg", "b", 60_000_000)])
    tracemalloc.start()
    sent = sum(map(len, stream))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent > 60_000_000
    assert peak < 3_000_000
