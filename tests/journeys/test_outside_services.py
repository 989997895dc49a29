"""The whole service with what is outside: a generative server that edits, and public imagery for an address."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import edit_server, scenes
from tests.edit_server import EditServer
from tests.engine import edits
from tests.engine.rooms import Room
from tests.journeys.whole import FEW_PROGRAMS, Start

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


@pytest.fixture
def server(reached_at: str) -> Iterator[EditServer]:
    """A picture server that shifts the view at first, then furnishes the room."""
    answers = edit_server.edit(edits.shifted), edit_server.edit(edits.furnished)
    with edit_server.running(*answers, host=reached_at) as running:
        yield running


def test_a_room_is_staged_after_a_drifted_try_and_the_outside_comes_from_a_folder(
    tmp_path: Path, started: Start, server: EditServer
) -> None:
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / f"{ADDRESS}.jpg").write_bytes(scenes.encoded(scenes.house(640, 427)))
    outside = {"GENERATIVE_URL": server.url, "GENERATIVE_KEY": "key of ours", "IMAGERY_FOLDER": str(folder)}
    with started(tmp_path, **FEW_PROGRAMS, **outside) as service:
        client = service.client()
        files = client.upload({"interior": [scenes.encoded(Room().drawn())]})
        order = client.order(
            files,
            address=ADDRESS,
            serviceType="both",
            interiorEnhancements=["virtual_staging"],
            virtualStaging={"0": {"style": "scandinavian", "roomType": "living_room"}},
            exteriorEnhancements=["sky_enhancement"],
        )
        assert (order["photosUploaded"], order["creditCost"]) == (1, 2)
        status = client.settled(order["jobId"])
        assert status["status"] == "approved", status
        assert "creditsRefunded" not in status
        pictures = client.pictures(order["jobId"])
        assert pictures.keys() == {"generated_exterior", "generated_interior"}
        assert all(each.startswith(b"\xff\xd8\xff") for files in pictures.values() for each in files)
        assert service.mismatches() == []
    assert len(server.seen) == 2
    assert all(seen.authorization == "Bearer key of ours" for seen in server.seen)
    assert "Scandinavian" in server.seen[0].fields["prompt"]
    assert "shifted" in server.seen[1].fields["prompt"]
