"""The contract of public imagery, held by every source and by the fake."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.adapters.imagery_folder import ImageryFolder
from app.adapters.imagery_sources import FirstFound
from app.adapters.imagery_street_view import StreetView
from app.domain.ports import Imagery, ImageryUnavailableError
from tests.fakes import FakeImagery, photo
from tests.imagery_server import KEY, street_view_server

ADDRESS = "12 Garden Lane, Springfield, IL 62704"
UMLAUT = "Königsallee 7, 40212 Düsseldorf"
HOUSES = {ADDRESS: photo("GARDEN"), UMLAUT: photo("ALLEE")}
KINDS = ("folder", "street view", "several", "fake")


@pytest.fixture(params=KINDS)
def imagery(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Imagery]:
    for address, content in HOUSES.items():
        (tmp_path / f"{address}.jpg").write_bytes(content)
    with street_view_server() as server:
        server.pictures = HOUSES
        yield {
            "folder": ImageryFolder(tmp_path),
            "street view": StreetView(server.url, KEY),
            "several": FirstFound([FakeImagery(), FakeImagery(HOUSES)]),
            "fake": FakeImagery(HOUSES),
        }[request.param]


@pytest.fixture(params=KINDS)
def absent(request: pytest.FixtureRequest, tmp_path: Path) -> Imagery:
    return {
        "folder": ImageryFolder(tmp_path / "unplugged"),
        "street view": StreetView("http://127.0.0.1:1", KEY),
        "several": FirstFound([FakeImagery(), FakeImagery(away=True)]),
        "fake": FakeImagery(away=True),
    }[request.param]


@pytest.mark.parametrize("address", HOUSES)
def test_a_house_is_found_by_its_address(imagery: Imagery, address: str) -> None:
    assert imagery.find(address) == HOUSES[address]


@pytest.mark.parametrize("address", ["13 Garden Lane, Springfield, IL 62704", "../../etc/passwd 1", "7" * 300])
def test_where_there_is_nothing_none_is_said(imagery: Imagery, address: str) -> None:
    assert imagery.find(address) is None


def test_a_source_that_is_away_says_so(absent: Imagery) -> None:
    with pytest.raises(ImageryUnavailableError):
        absent.find(ADDRESS)


def test_of_several_sources_the_first_that_has_the_house_is_taken() -> None:
    first, second = FakeImagery({ADDRESS: photo("FIRST")}), FakeImagery(HOUSES)
    assert FirstFound([first, second]).find(ADDRESS) == photo("FIRST")
    assert second.asked == []
    assert FirstFound([first, second]).find(UMLAUT) == HOUSES[UMLAUT]


def test_a_second_choice_does_not_win_because_the_first_is_away() -> None:
    second = FakeImagery(HOUSES)
    with pytest.raises(ImageryUnavailableError):
        FirstFound([FakeImagery(away=True), second]).find(ADDRESS)
    assert second.asked == []
