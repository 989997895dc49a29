"""Edit requests in rows: written so that the release before reads them, and read as either release wrote them."""

import json
from typing import Any

import pytest
from sqlalchemy import text

from app.container import Container
from app.domain.catalogue import ChangeType, Enhancement, RoomType, Style
from app.domain.edit_requests import EditRequest, RenovationChange, Staging
from app.domain.order_rules import read_order
from app.domain.orders import RenovationEntry
from app.models import DraftPhoto, Photo
from tests.conftest import PHOTO, Api
from tests.services.drafting import add_photo, begin

RENOVATED = EditRequest(
    enhancements=(Enhancement.RENOVATION, Enhancement.STAGING),
    staging=Staging(style=Style.COASTAL),
    changes=(
        RenovationChange(
            change_type=ChangeType.FLOOR, change_description="Wide oak boards", reference_images=("dph_1", "dph_2")
        ),
        RenovationChange(change_description="Warm", reference_text="like the hall"),
    ),
)
OLD_DRAFT = {
    "enhancements": ["virtual_renovation", "virtual_staging"],
    "staging": {"style": "coastal", "room_type": None},
    "changes": [
        {
            "change_type": "floor",
            "description": "Wide oak boards",
            "reference_text": "",
            "reference_ids": ["dph_1", "dph_2"],
        },
        {"change_type": None, "description": "Warm", "reference_text": "like the hall", "reference_ids": []},
    ],
}
"""The same, as the release before kept it in a draft."""


def kept(container: Container, table: str) -> Any:
    """The only row's column as it lies in the database."""
    with container.database.read_session() as session:
        found = session.execute(text(f"SELECT wish FROM {table}")).scalar_one()
    return json.loads(found) if isinstance(found, str) else found


def overwrite(container: Container, table: str, stored: Any) -> None:
    with container.database.unit_of_work() as session:
        session.execute(text(f"UPDATE {table} SET wish = :stored"), {"stored": json.dumps(stored)})


def drafted(container: Container, api: Api) -> str:
    return add_photo(container, begin(container, api.account_id)).id


@pytest.mark.parametrize(
    ("stored", "edit_request"),
    [
        (OLD_DRAFT, RENOVATED),
        (None, EditRequest()),
        ({"enhancements": None, "staging": {"style": None, "room_type": None}, "changes": []}, EditRequest()),
        ({"enhancements": [], "staging": {}, "changes": []}, EditRequest(enhancements=())),
    ],
)
def test_drafts_of_the_release_before_are_read(
    container: Container, api: Api, stored: Any, edit_request: EditRequest
) -> None:
    photo_id = drafted(container, api)
    overwrite(container, "draft_photo", stored)
    with container.database.read_session() as session:
        assert session.get_one(DraftPhoto, photo_id).edit_request == edit_request


def test_a_draft_has_all_that_the_release_before_reads(container: Container, api: Api) -> None:
    photo_id = drafted(container, api)
    assert kept(container, "draft_photo") is None
    with container.database.unit_of_work() as session:
        session.get_one(DraftPhoto, photo_id).edit_request = RENOVATED
    stored = kept(container, "draft_photo")
    assert {name: stored[name] for name in ("enhancements", "staging")} == {
        name: OLD_DRAFT[name] for name in ("enhancements", "staging")
    }
    # It passes over what it does not know.
    assert [{name: change[name] for name in OLD_DRAFT["changes"][0]} for change in stored["changes"]] == OLD_DRAFT[
        "changes"
    ]
    with container.database.read_session() as session:
        assert session.get_one(DraftPhoto, photo_id).edit_request == RENOVATED


def test_a_draft_without_staging_has_an_object_for_the_release_before(container: Container, api: Api) -> None:
    photo_id = drafted(container, api)
    with container.database.unit_of_work() as session:
        session.get_one(DraftPhoto, photo_id).edit_request = EditRequest(enhancements=(Enhancement.HDR,))
    assert kept(container, "draft_photo")["staging"] == {}


def test_photos_of_the_release_before_are_read(container: Container, api: Api) -> None:
    api.order(interior=[PHOTO])
    change = {
        "change_type": "floor",
        "change_description": "Wide oak boards",
        "reference_type": "image",
        "reference_text": None,
        "reference_images": ["uploads/x/interior-1"],
    }
    stored = {
        "enhancements": ["virtual_renovation", "virtual_staging"],
        "staging": {"style": "coastal", "room_type": "other"},
        "changes": [change, {**change, "reference_images": None, "reference_text": "as in the hall"}],
    }
    stored["changes"][1]["reference_type"] = None
    overwrite(container, "photo", stored)
    with container.database.read_session() as session:
        (photo,) = session.query(Photo)
        shown, worded = photo.edit_request.changes
    assert photo.edit_request.staging == Staging(style=Style.COASTAL, room_type=RoomType.OTHER)
    assert shown.reference_images == ("uploads/x/interior-1",)
    assert (worded.reference_text, worded.reference_images) == ("as in the hall", ())


def test_a_photos_row_is_what_the_release_before_reads(container: Container, api: Api) -> None:
    words = {"changeType": "walls", "changeDescription": "Warm white", "referenceText": "like the hall"}
    api.order(
        interior=[PHOTO],
        interiorEnhancements=["virtual_renovation", "virtual_staging"],
        renovations={"0": [words]},
        virtualStaging={"0": {"style": "coastal"}},
    )
    stored = kept(container, "photo")
    assert stored.keys() == {"enhancements", "staging", "changes"}
    assert stored["staging"] == {"style": "coastal", "room_type": "other"}
    # It judges each change by the rules of the interface again, and refuses what it does not know.
    (entry,) = (RenovationEntry.model_validate(change, by_name=True) for change in stored["changes"])
    assert (entry.change_type, entry.change_description, entry.reference_text) == (
        ChangeType.WALLS,
        "Warm white",
        "like the hall",
    )


def test_without_staging_a_photos_row_has_null_there(container: Container, api: Api) -> None:
    api.order(interior=[PHOTO])
    assert kept(container, "photo") == {"enhancements": ["hdr_enhancement"], "staging": None, "changes": []}


def test_the_digest_of_an_order_is_the_same_in_every_release() -> None:
    files = [{"filePath": f"uploads/x/interior-{number}"} for number in range(3)]
    files[0]["fileName"] = "room.jpg"
    floor = {"changeType": "floor", "changeDescription": "Wide oak boards", "referenceText": "Oiled oak"}
    walls = {
        "changeType": "walls",
        "changeDescription": "Warm white, matt",
        "referenceImages": ["uploads/x/interior-3"],
    }
    order = read_order(
        {
            "address": "12 Garden Lane, Springfield, IL 62704",
            "serviceType": "both",
            "uploadSessionId": "ups_0123456789abcdefghijkl",
            "interiorFiles": files,
            "exteriorFiles": [{"filePath": "uploads/x/exterior-0", "uploadUrl": "http://x"}],
            "exteriorEnhancements": ["sky_enhancement"],
            "interiorEnhancements": ["hdr_enhancement"],
            "photoConfigs": [
                {"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]},
                {"photoType": "interior", "photoIndex": 2, "enhancements": ["virtual_renovation"]},
            ],
            "virtualStaging": {"1": {"style": "coastal"}},
            "renovations": {"2": [floor, walls]},
        },
        imagery=False,
    )
    assert order.digest() == "975f8273f6dd7eac5f990f6ea037f3d907f15422232eb3e7f2364cec9f7b95e2"
