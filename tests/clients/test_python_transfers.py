"""Photos and pictures on their way: cut connections, files that are there, damaged ones."""

import hashlib
import json
from base64 import b64encode
from pathlib import Path

import pytest
import requests
from brightlist import Brightlist, errors
from brightlist.transport import CHUNK_BYTES
from brightlist.uploads import Photo, SentFile, Upload, find_photos

from app.container import Container
from tests import receivers
from tests.clients.conftest import InProcess, Pauses, answering, cut, cut_after, passing, respond
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo
from tests.receivers import Visit


def test_a_cut_upload_is_sent_again_whole(client: Brightlist, tmp_path: Path, pauses: Pauses) -> None:
    content = photo("large") + b"x" * 3_000_000
    (tmp_path / "large.jpg").write_bytes(content)
    visits: list[int] = []

    def cutting(visit: Visit) -> None:
        visits.append(1)
        if len(visits) < 3:
            visit.connection.recv(10_000)
            return  # hangs up in the midst
        visit.read_request()
        visit.say(receivers.EMPTY)

    with receivers.running(cutting) as receiver:
        file = SentFile(str(tmp_path / "large.jpg"), "interior", "uploads/x/interior-0", receiver.url)
        upload = Upload("ups_1", 0, [file])
        client.uploads.send(upload)
        [request] = receiver.wait_for(1)
    assert upload.files[0].sent
    assert (request.method, request.body) == ("PUT", content)
    assert len(pauses.seconds) == 2
    assert "authorization" not in dict(request.headers)


def test_an_upload_goes_on_where_it_ended_even_in_another_process(
    client: Brightlist, wire: InProcess, rooms: Path
) -> None:
    upload = client.uploads.begin(find_photos(rooms, "interior"))
    wire.faults = [passing, *[answering(415, {}, b"{}")] * 2]
    with pytest.raises(errors.UnsupportedMedia):
        client.uploads.send(upload, threads=1)
    assert [each.sent for each in upload.files] == [True, False, False]
    again = Upload.read(json.loads(json.dumps(upload.to_json())))
    wire.seen.clear()
    wire.faults.clear()
    told: list[str] = []
    client.uploads.send(again, on_sent=lambda file: told.append(Path(file.path).name))
    assert sorted(told) == ["kitchen.jpg", "living.jpg"]
    assert len(wire.seen) == 2


def test_a_file_is_sent_with_its_checksum_also_again(
    client: Brightlist, wire: InProcess, rooms: Path, pauses: Pauses
) -> None:
    upload = client.uploads.begin([Photo(rooms / "bath.jpg", "interior")])
    wire.faults = [cut, cut_after(wire)]
    client.uploads.send(upload)
    assert len(pauses.seconds) == 2
    sums: list[str] = []
    wire.faults = [lambda request: sums.append(request.headers["Content-MD5"])]
    upload.files[0].sent = False
    client.uploads.send(upload)
    assert sums == [b64encode(hashlib.md5((rooms / "bath.jpg").read_bytes()).digest()).decode()]


def test_photos_are_found_by_what_they_show(tmp_path: Path) -> None:
    for name in (
        "interior/b.JPG",
        "interior/a.heic",
        "exterior/front.tiff",
        "interior/notes.txt",
        "interior/.x.jpg",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(PHOTO)
    assert [(each.path.name, each.type) for each in find_photos(tmp_path)] == [
        ("front.tiff", "exterior"),
        ("a.heic", "interior"),
        ("b.JPG", "interior"),
    ]
    assert [each.path.name for each in find_photos(tmp_path / "interior", "exterior")] == ["a.heic", "b.JPG"]
    with pytest.raises(errors.InvalidPhotos, match="No photos in"):
        find_photos(tmp_path, "interior")


def test_both_kinds_go_into_one_order(client: Brightlist, tmp_path: Path) -> None:
    for kind in ("interior", "exterior"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / f"{kind}.jpg").write_bytes(photo(kind))
    fields = client.uploads.send_folder(tmp_path).order_fields()
    assert fields["service_type"] == "both"
    assert [fields[f"{kind}_files"][0].file_name for kind in ("interior", "exterior")] == [
        "interior.jpg",
        "exterior.jpg",
    ]


@pytest.fixture
def job(api: Api, container: Container) -> str:
    """A job with two pictures."""
    job_id: str = api.order([photo("one"), photo("two")])["jobId"]
    work(container)
    return job_id


def downloads(wire: InProcess) -> int:
    return len([each for each in wire.seen if "/files/" in each])


def test_what_is_there_is_not_loaded_again(client: Brightlist, wire: InProcess, job: str, tmp_path: Path) -> None:
    results = tmp_path / "new" / "results"
    first = client.downloads.save(job, results)
    assert downloads(wire) == 2
    assert client.downloads.save(job, results) == first
    assert downloads(wire) == 2
    first[0].write_bytes(first[0].read_bytes()[::-1])
    client.downloads.save(job, results)
    assert downloads(wire) == 3
    assert first[0].read_bytes() == photo("one")
    assert sorted(each.name for each in results.iterdir()) == sorted(each.name for each in first)


def test_a_picture_that_broke_off_goes_on(
    client: Brightlist, wire: InProcess, api: Api, container: Container, tmp_path: Path, pauses: Pauses
) -> None:
    content = photo("large") + b"x" * 2 * CHUNK_BYTES
    job = api.order([content])["jobId"]
    work(container)
    ranges: list[str | None] = []

    def break_off(request: requests.PreparedRequest) -> requests.Response:
        ranges.append(request.headers.get("Range"))
        return respond(request, 200, {"Content-Length": str(len(content))}, content[: CHUNK_BYTES + 1])

    def look(request: requests.PreparedRequest) -> None:
        ranges.append(request.headers.get("Range"))

    wire.faults = [passing, passing, break_off, look]
    [saved] = client.downloads.save(job, tmp_path)
    assert saved.read_bytes() == content
    assert ranges == [None, f"bytes={CHUNK_BYTES}-"]
    assert len(pauses.seconds) == 1


def test_a_picture_that_comes_damaged_is_loaded_anew_and_never_kept(
    client: Brightlist, wire: InProcess, job: str, tmp_path: Path
) -> None:
    damaged = photo("one")[::-1]
    wire.faults = [passing, passing, answering(200, {}, damaged)]
    assert client.downloads.save(job, tmp_path)[0].read_bytes() == photo("one")
    wire.faults = [passing, passing, *[answering(200, {}, damaged)] * 9]
    with pytest.raises(errors.DamagedDownload):
        client.downloads.save(job, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.parametrize("name", ["../evil.jpg", "/etc/passwd", "a\\b.jpg", ".bashrc", ""])
def test_no_file_is_written_elsewhere(
    client: Brightlist, wire: InProcess, job: str, api: Api, tmp_path: Path, name: str
) -> None:
    found = api.get(f"/downloads/{job}").json
    found["images"][0]["fileName"] = name
    wire.faults = [answering(200, {}, json.dumps(found).encode())]
    with pytest.raises(errors.UnexpectedAnswer, match="no name for a file"):
        client.downloads.save(job, tmp_path / "results")
    assert list((tmp_path / "results").iterdir()) == []
