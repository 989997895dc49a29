"""Every lane holds what it is for, and names no place that is not there."""

import re

import pytest

from tests import together
from tests.lanes import HOSTS, HOSTS_ALONE, LONG, MODEL, SAME_ON_SERVERS, SERVERS, TESTS, Lane

TOGETHER = together.ON_THE_WHOLE_SERVICE | together.ON_THE_SEEDED_WORLDS


def items_of(file: str, request: pytest.FixtureRequest) -> list[pytest.Item]:
    """The tests of a file."""
    module = pytest.Module.from_parent(request.session, path=TESTS / file)
    return list(request.session.genitems(module))


@pytest.mark.parametrize("place", sorted({*LONG, *SERVERS, *HOSTS, *HOSTS_ALONE, *MODEL, *TOGETHER}))
def test_a_place_that_is_named_holds_tests(place: str) -> None:
    found = TESTS / place
    assert found.is_file() or list(found.glob("test_*.py")), f"{place} is not there: its tests would change lanes"


def test_what_is_the_same_on_servers_is_there_and_not_in_their_lane(request: pytest.FixtureRequest) -> None:
    for file in sorted({place.partition("::")[0] for place in SAME_ON_SERVERS}):
        names = {item.name for item in items_of(file, request) if not Lane.SERVERS.holds(item)}
        named = {place.partition("::")[2] for place in SAME_ON_SERVERS if place.startswith(file)}
        assert names if named == {""} else names == named, file


@pytest.mark.parametrize("file", ["browser/test_order_journeys.py", "journeys/test_killed.py"])
def test_the_quick_lane_has_one_order_in_a_browser_and_one_kill(file: str, request: pytest.FixtureRequest) -> None:
    items = items_of(file, request)
    assert len([item for item in items if Lane.QUICK.holds(item)]) == 1
    assert all(Lane.ALL.holds(item) for item in items)
    assert any(Lane.SERVERS.holds(item) for item in items)


def test_no_file_is_passed_over_that_has_a_test_in_the_lane(request: pytest.FixtureRequest) -> None:
    for lane in (Lane.QUICK, Lane.SERVERS):
        over = [path for path in TESTS.rglob("test_*.py") if lane.passes_over(path)]
        assert over
        assert not lane.passes_over(TESTS / "journeys" / "test_killed.py")
    long = [path for path in (TESTS / "journeys").glob("test_*.py") if Lane.QUICK.passes_over(path)]
    for path in long:
        assert not any(map(Lane.QUICK.holds, items_of(f"journeys/{path.name}", request))), path.name


def test_what_looks_at_the_seeded_worlds_goes_to_one_process() -> None:
    asking = re.compile(r"^ *(def .*)?\b(gallery|worlds): \w", re.MULTILINE)
    files = (TESTS / "browser").glob("test_*.py")
    assert {
        f"browser/{each.name}" for each in files if asking.search(each.read_text())
    } == together.ON_THE_SEEDED_WORLDS


def test_what_takes_hosts_or_a_model_is_in_their_lane_alone_and_the_least_of_hosts_on_servers(
    request: pytest.FixtureRequest,
) -> None:
    for file, lanes_of in (
        ("hosts/test_several_hosts.py", {Lane.HOSTS, Lane.SERVERS}),
        ("hosts/test_host_outages.py", {Lane.HOSTS}),
        ("journeys/test_diffusion_server.py", {Lane.MODEL}),
    ):
        items = items_of(file, request)
        assert items
        assert all({lane for lane in Lane if lane.holds(item)} == lanes_of for item in items)


def test_a_marker_brings_a_test_into_the_long_lane_and_out_of_it(request: pytest.FixtureRequest) -> None:
    item = request.node
    assert Lane.QUICK.holds(item)
    item.add_marker("long")
    assert not Lane.QUICK.holds(item)
    item.add_marker("quick")
    assert Lane.QUICK.holds(item)
