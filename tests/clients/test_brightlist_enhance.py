"""`brightlist enhance`: a folder in, pictures out; after a break it goes on, and never orders twice."""

import json
from itertools import count
from pathlib import Path

import pytest
import requests

from app.container import Container
from tests.acts import KilledError
from tests.clients.conftest import Fault, InProcess, Shell, answering, cut, cut_after, passing
from tests.conftest import Api
from tests.fakes import photo
from tests.sandboxes import enter_test_mode

ORDER = "/api/v1/orders/from-uploads"
WORDS = (
    "enhance", "rooms", "--enhancement", "hdr_enhancement", "--address", "12 Garden Lane, Springfield, IL 62704",
    "--output", "results",
)  # fmt: skip


def at_the_order(fault: Fault) -> Fault:
    """What happens to orders alone."""
    return lambda request: fault(request) if request.path_url == ORDER else None


def killed(_: object) -> None:
    raise KilledError


def jobs_of(api: Api) -> list[str]:
    return [each["jobId"] for each in api.get("/jobs").json["jobs"]]


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def test_a_folder_becomes_pictures_once_the_price_is_agreed(
    shell: Shell, rooms: Path, api: Api, results: Path
) -> None:
    done = shell.run(*WORDS, typed="y\n")
    assert done.exit_code == 0, done.output
    assert "3 photos for 1.5 credits." in done.stderr
    assert "Pictures of 12 Garden Lane, Springfield, IL 62704 in results: 3." in done.stdout
    assert names(results) == names(rooms)
    assert (results / "bath.jpg").read_bytes() == photo("bath.jpg")
    assert api.credits() == 98.5


def test_a_price_that_is_not_agreed_orders_nothing(shell: Shell, rooms: Path, api: Api, wire: InProcess) -> None:
    stopped = shell.run(*WORDS, typed="n\n")
    assert stopped.exit_code == 1
    assert jobs_of(api) == []
    assert not [each for each in wire.seen if each.startswith("PUT")]


def test_killed_between_upload_and_order_it_goes_on(
    shell: Shell, rooms: Path, api: Api, wire: InProcess, results: Path
) -> None:
    wire.always = at_the_order(killed)
    with pytest.raises(KilledError):
        shell.run(*WORDS, "--yes")
    assert jobs_of(api) == []
    sent = [each for each in wire.seen if each.startswith("PUT")]
    assert len(sent) == 3
    wire.always = passing
    done = shell.run(*WORDS, "--yes")
    assert done.exit_code == 0, done.output
    assert [each for each in wire.seen if each.startswith("PUT")] == sent
    assert (len(jobs_of(api)), api.credits()) == (1, 98.5)
    assert names(results) == names(rooms)


def test_killed_in_the_midst_of_the_upload_it_sends_the_rest_and_asks_no_second_time(
    shell: Shell, rooms: Path, api: Api, wire: InProcess
) -> None:
    photos = count(1)

    def kill(request: requests.PreparedRequest) -> None:
        if request.method == "PUT" and next(photos) == 3:
            raise KilledError

    wire.always = kill
    with pytest.raises(KilledError):
        shell.run(*WORDS, typed="y\n")
    wire.always, wire.seen[:] = passing, []
    done = shell.run(*WORDS)
    assert done.exit_code == 0, done.output
    assert len([each for each in wire.seen if each.startswith("PUT")]) == 1
    assert api.credits() == 98.5


def test_an_order_whose_answer_was_lost_is_not_ordered_again(
    shell: Shell, rooms: Path, api: Api, wire: InProcess, results: Path
) -> None:
    asked: list[str] = []

    def lose(request: requests.PreparedRequest) -> requests.Response:
        asked.append(request.headers["Idempotency-Key"])
        return cut_after(wire)(request)

    wire.always = at_the_order(lose)
    broken = shell.run(*WORDS, "--yes")
    assert (broken.exit_code, len(jobs_of(api))) == (7, 1)
    wire.always = at_the_order(lambda request: asked.append(request.headers["Idempotency-Key"]))
    done = shell.run(*WORDS, "--yes")
    assert done.exit_code == 0, done.output
    assert (len(jobs_of(api)), api.credits()) == (1, 98.5)
    assert (len(asked), len({*asked})) == (7, 1)
    assert names(results) == names(rooms)


def test_run_again_it_loads_what_is_missing_and_orders_nothing(
    shell: Shell, rooms: Path, api: Api, results: Path
) -> None:
    shell.run(*WORDS, "--yes")
    (results / "bath.jpg").unlink()
    again = shell.run(*WORDS, "--yes")
    assert again.exit_code == 0
    assert names(results) == names(rooms)
    assert "Goes on with the job" in again.stderr
    anew = shell.run(*WORDS, "--yes", "--again")
    assert anew.exit_code == 0
    assert len(jobs_of(api)) == 2


def test_other_photos_or_choices_of_an_ordered_folder_are_not_ordered_by_mistake(
    shell: Shell, rooms: Path, api: Api
) -> None:
    shell.run(*WORDS, "--yes")
    (rooms / "new.jpg").write_bytes(photo("new"))
    refused = shell.run(*WORDS, "--yes")
    assert refused.exit_code == 3
    assert jobs_of(api)[0] in refused.stderr
    assert len(jobs_of(api)) == 1


def test_missing_credits_end_with_their_code_and_the_order_is_placed_once_there_are_some(
    shell: Shell, rooms: Path, api: Api, wire: InProcess
) -> None:
    poor = json.dumps(
        {"error": "Insufficient credits", "code": "insufficient_credits", "details": {"shortfall": 1}}
    )

    wire.always = at_the_order(answering(402, {}, poor.encode()))
    refused = shell.run(*WORDS, "--yes")
    assert refused.exit_code == 5
    assert "shortfall: 1" in refused.stderr
    (rooms / "bath.jpg").unlink()
    wire.always = passing
    assert shell.run(*WORDS, "--yes").exit_code == 0
    assert api.credits() == 99


def test_uploads_that_are_no_longer_kept_are_sent_again(
    shell: Shell, rooms: Path, api: Api, wire: InProcess
) -> None:
    gone = json.dumps({"code": "invalid_request", "details": {"uploadSessionId": "unknown"}}).encode()

    wire.always = at_the_order(answering(400, {}, gone))
    assert shell.run(*WORDS, "--yes").exit_code == 3
    wire.always = passing
    assert shell.run(*WORDS, "--yes").exit_code == 0
    assert len([each for each in wire.seen if each.startswith("PUT")]) == 6
    assert api.credits() == 98.5


def test_a_preset_is_named_by_its_name(shell: Shell, rooms: Path, api: Api) -> None:
    api.post("/presets", {"name": "Bright rooms", "interiorEnhancements": ["hdr_enhancement", "declutter"]})
    words = [*WORDS[:2], "--preset", "bright rooms", *WORDS[4:], "--yes", "--external-id", "L-7", "--json"]
    done = shell.run(*words, "--metadata", "agent=Dana")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["job"]["externalId"], found["job"]["metadata"]) == ("L-7", {"agent": "Dana"})
    assert [Path(each).name for each in found["files"]] == names(rooms)
    unknown = shell.run(*words[:3], "dark", *words[4:])
    assert unknown.exit_code == 2
    assert "Bright rooms" in unknown.stderr


def test_photos_of_both_kinds_lie_in_subfolders(shell: Shell, rooms: Path, tmp_path: Path, api: Api) -> None:
    both = [*WORDS, "--enhancement", "sky_enhancement", "--yes"]
    asked = shell.run(*both)
    assert asked.exit_code == 3
    assert "Say the type" in asked.stderr
    for kind in ("interior", "exterior"):
        (rooms / kind).mkdir()
        (rooms / kind / f"{kind}.jpg").write_bytes(photo(kind))
    done = shell.run(*both)
    assert done.exit_code == 0, done.output
    [job] = jobs_of(api)
    assert api.get(f"/jobs/{job}").json["photoCount"] == {"interior": 1, "exterior": 1}


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (WORDS[:2] + WORDS[4:], 2, "a preset or an enhancement"),
        ((*WORDS[:3], "make_it_nice", *WORDS[4:]), 2, "sky_enhancement"),
        ((*WORDS, "--metadata", "agent"), 2, "agent=Dana"),
    ],
)
def test_wrong_words_are_explained(shell: Shell, rooms: Path, words: tuple[str, ...], code: int, told: str) -> None:
    refused = shell.run(*words)
    assert refused.exit_code == code
    assert told in refused.stderr


def test_a_job_without_a_picture_ends_with_its_own_code(shell: Shell, rooms: Path, api: Api) -> None:
    for each in rooms.iterdir():
        each.write_bytes(photo("BROKEN"))
    done = shell.run(*WORDS, "--yes")
    assert done.exit_code == 6
    assert "cannot be decoded" in done.stdout
    assert api.credits() == 100


def test_what_is_noted_is_for_nobody_else(shell: Shell, rooms: Path, wire: InProcess, tmp_path: Path) -> None:
    wire.faults = [passing] * 4 + [cut] * 50
    shell.run(*WORDS, "--yes")
    noted = tmp_path / "rooms.brightlist.json"
    assert noted.stat().st_mode & 0o777 == 0o600
    assert json.loads(noted.read_text())["upload"]["session_id"].startswith("ups_")


def test_what_was_tried_with_a_test_key_is_ordered_with_a_live_one(
    shell: Shell, rooms: Path, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = enter_test_mode(api, container)
    monkeypatch.setenv("BRIGHTLIST_API_KEY", tried.secret)
    assert shell.run(*WORDS, "--yes").exit_code == 0
    assert (len(jobs_of(tried)), jobs_of(api), api.credits()) == (1, [], 100)
    monkeypatch.setenv("BRIGHTLIST_API_KEY", api.secret)
    assert shell.run(*WORDS, "--yes").exit_code == 0
    assert shell.run(*WORDS, "--yes").exit_code == 0
    assert (len(jobs_of(tried)), len(jobs_of(api)), api.credits()) == (1, 1, 98.5)
