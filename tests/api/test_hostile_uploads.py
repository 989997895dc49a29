"""Real attack files through PUT and multipart, where the hand-out folder exists beside the checkout."""

from io import BytesIO
from pathlib import Path

import pytest

from tests.conformance.shapes import ADDRESS, stored_files
from tests.conformance.streams import fresh_url
from tests.conftest import Api

HOSTILE = Path(__file__).resolve().parents[3] / "shared" / "photos" / "hostile"
FILES = sorted(HOSTILE.iterdir()) if HOSTILE.is_dir() else []

pytestmark = pytest.mark.skipif(not FILES, reason="the hand-out photos are not here")


@pytest.mark.long
def test_every_hostile_file_is_taken_or_refused_calmly(api: Api, container) -> None:
    taken = 0
    for file in FILES:
        status = api.put(fresh_url(api), file.read_bytes(), content_type="image/jpeg").status_code
        assert status in {200, 415}, file.name
        taken += status == 200
        assert len(stored_files(container)) == taken, file.name
    assert 0 < taken < len(FILES)


@pytest.mark.long
def test_every_hostile_file_in_a_form_is_taken_or_refused_calmly(api: Api, container) -> None:
    form = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": '["declutter"]'}
    taken = 0
    for file in FILES:
        photo = BytesIO(file.read_bytes())
        status = api.post("/orders", data={**form, "interiorPhoto0": (photo, file.name)}).status_code
        assert status in {200, 415}, file.name
        taken += status == 200
    assert len(stored_files(container)) == taken
