"""The whole service with what is outside: a generative server that edits, and public imagery for an address."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.types.report import Reason
from tests import edit_server, scenes
from tests.edit_server import EditServer
from tests.engine import edits
from tests.engine.rooms import ROOMS
from tests.journeys.whole import FEW_PROGRAMS, Start

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


@pytest.fixture
def server(reached_at: str) -> Iterator[EditServer]:
    """A picture server that shifts the view, then furnishes a room, and from then on shifts the view."""
    answers = [edit_server.edit(each) for each in (edits.shifted, edits.furnished, edits.shifted)]
    with edit_server.running(*answers, host=reached_at) as running:
        yield running


def test_a_room_is_staged_the_other_not_once_the_calls_are_used_up_and_the_outside_comes_from_a_folder(
    tmp_path: Path, started: Start, server: EditServer
) -> None:
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / f"{ADDRESS}.jpg").write_bytes(scenes.encoded(scenes.house(640, 427)))
    outside = {"GENERATIVE_URL": server.url, "GENERATIVE_KEY": "key of ours", "IMAGERY_FOLDER": str(folder)}
    limits = {"GENERATIVE_CONCURRENCY": "1", "GENERATIVE_CALLS_PER_JOB": "3"}
    with started(tmp_path, **FEW_PROGRAMS, **outside, **limits) as service:
        client = service.client()
        files = client.upload({"interior": [scenes.encoded(room.drawn()) for room in ROOMS[:2]]})
        staged = {"style": "scandinavian", "roomType": "living_room"}
        order = client.order(
            files,
            address=ADDRESS,
            serviceType="both",
            interiorEnhancements=["hdr_enhancement", "virtual_staging"],
            virtualStaging={"0": staged, "1": staged},
            exteriorEnhancements=["sky_enhancement"],
        )
        assert (order["photosUploaded"], order["creditCost"]) == (2, 4)
        status = client.settled(order["jobId"])
        # One room was not staged, which costs 1.
        assert (status["status"], status["creditsRefunded"]) == ("approved", 1), status
        quality = client.call("GET", f"/jobs/{order['jobId']}/quality")
        pictures = client.pictures(order["jobId"])
        assert {kind: len(files) for kind, files in pictures.items()} == {
            "generated_exterior": 1,
            "generated_interior": 2,
        }
        assert all(each.startswith(b"\xff\xd8\xff") for files in pictures.values() for each in files)
        assert service.mismatches() == []
    assert [each["reason"] for each in steps(quality) if each.get("reason")] == [Reason.SPEND_LIMIT]
    assert len(server.seen) == 3
    assert all(seen.authorization == "Bearer key of ours" for seen in server.seen)
    assert "Scandinavian" in server.seen[0].fields["prompt"]
    assert any("shifted" in seen.fields["prompt"] for seen in server.seen[1:])


def steps(quality: dict[str, Any]) -> list[dict[str, Any]]:
    """Every step of every photo."""
    return [each for photo in quality["photos"] for each in photo["steps"]]
