"""Hints as JSON: what is read, and how each fault is named by its place and kind."""

import json
import math
import time
from pathlib import Path

import pytest

from engine.types.hint_document import (
    MAX_CORNERS,
    MAX_FAULTS,
    MAX_POINTS,
    MAX_TOTAL_POINTS,
    HintError,
    HintFaultCode,
    read_hints,
)
from engine.types.hints import NO_HINTS, Direction, HintedSurface, Piece, ThingKind

FLOOR = [[0.1, 0.6], [0.9, 0.6], [0.9, 0.9], [0.1, 0.9]]
EIGHT = [[0.1, 0.1], [0.9, 0.9], [0.9, 0.1], [0.1, 0.9]]
UP, ALONG = ({"direction": way, "start": [0.2, 0.2], "end": [0.2, 0.8]} for way in ("up", "along"))


def ring(count: int) -> list[list[float]]:
    return [
        [0.5 + 0.3 * math.cos(2 * math.pi * place / count), 0.5 + 0.3 * math.sin(2 * math.pi * place / count)]
        for place in range(count)
    ]


def corners(*points: list[float]) -> dict[str, object]:
    return {"room": {"corners": list(points)}}


def faults(document: object) -> list[tuple[str, HintFaultCode]]:
    with pytest.raises(HintError) as refused:
        read_hints(document)
    return [(".".join(map(str, each.where)), each.code) for each in refused.value.faults]


def test_all_parts_are_read() -> None:
    length = {"start": [0.3, 0.2], "end": [0.3, 0.8], "meters": 2.03}
    found = read_hints(
        {
            "photo": {"sha256": "0a" * 32},
            "room": {"lines": [UP, ALONG], "length": length, "corners": [[0, 0.8], [0.4, 0.7], [1, 0.8]]},
            "surfaces": {"floor": [FLOOR], "lawn": []},
            "things": [{"kind": "clutter", "polygon": FLOOR}],
            "placements": [
                {"piece": "sofa", "at": [0.5, 0.7], "faces": [0.5, 0.9]},
                {"piece": "bed", "at": [0, 1]},
            ],
            "clear": [FLOOR],
            "private": [FLOOR, FLOOR],
        }
    )
    assert [each.direction for each in found.lines] == [Direction.UP, Direction.ALONG]
    assert found.length is not None
    assert (found.length.end, found.length.meters) == ((0.3, 0.8), 2.03)
    assert found.corners == ((0, 0.8), (0.4, 0.7), (1, 0.8))
    assert found.surfaces[HintedSurface.FLOOR][0][2] == (0.9, 0.9)
    assert found.surfaces[HintedSurface.LAWN] == ()
    assert found.things[0].kind is ThingKind.CLUTTER
    assert [(each.piece, each.faces) for each in found.placements] == [(Piece.SOFA, (0.5, 0.9)), (Piece.BED, None)]
    assert (len(found.clear), len(found.private)) == (1, 2)
    assert (found.is_for(["0a" * 32]), found.is_for(["0b" * 32])) == (True, False)
    assert read_hints({}) == NO_HINTS


@pytest.mark.parametrize(
    ("document", "place", "code"),
    [
        ([], "", HintFaultCode.NOT_AN_OBJECT),
        ({"rooms": {}}, "rooms", HintFaultCode.UNKNOWN_FIELD),
        ({"surfaces": {"roof": []}}, "surfaces.roof", HintFaultCode.UNKNOWN_FIELD),
        ({"photo": {}}, "photo.sha256", HintFaultCode.REQUIRED),
        ({"photo": {"sha256": "0A" * 32}}, "photo.sha256", HintFaultCode.NOT_A_DIGEST),
        ({"photo": {"sha256": "0a" * 33}}, "photo.sha256", HintFaultCode.NOT_A_DIGEST),
        ({"surfaces": {"floor": FLOOR}}, "surfaces.floor.0", HintFaultCode.TOO_FEW_POINTS),
        ({"surfaces": {"floor": [[[0, 0], [1, 1]]]}}, "surfaces.floor.0", HintFaultCode.TOO_FEW_POINTS),
        ({"surfaces": {"floor": [ring(MAX_POINTS + 1)]}}, "surfaces.floor.0", HintFaultCode.TOO_MANY),
        ({"surfaces": {"floor": [EIGHT]}}, "surfaces.floor.0", HintFaultCode.CROSSES_ITSELF),
        ({"surfaces": {"floor": [[[0, 0], [1, 0], [1, 1], [0, 1]]]}}, "surfaces.floor.0", HintFaultCode.EVERYTHING),
        ({"surfaces": {"wall": [FLOOR] * 5}}, "surfaces.wall", HintFaultCode.EVERYTHING),
        ({"clear": [[[0.5, 0.5], [0.501, 0.5], [0.5, 0.501]]]}, "clear.0", HintFaultCode.TOO_SMALL),
        ({"clear": [[[0.5, 0.5], [1.2, 0.5], [0.5, 0.7]]]}, "clear.0.1", HintFaultCode.OUTSIDE),
        ({"clear": [[[0.5, math.nan], [1, 0.5], [0.5, 0.7]]]}, "clear.0.0", HintFaultCode.NOT_A_POINT),
        ({"things": [{"polygon": FLOOR}]}, "things.0.kind", HintFaultCode.REQUIRED),
        ({"things": [{"kind": "cat", "polygon": FLOOR}]}, "things.0.kind", HintFaultCode.NOT_ONE_OF),
        ({"things": {}}, "things", HintFaultCode.NOT_A_LIST),
        ({"placements": [{"piece": "sofa", "at": [0.5, True]}]}, "placements.0.at", HintFaultCode.NOT_A_POINT),
        ({"room": {"lines": [UP, UP]}}, "room.lines", HintFaultCode.TOO_FEW_DIRECTIONS),
        ({"room": {"lines": [{**UP, "end": [0.2, 0.201]}, ALONG]}}, "room.lines.0", HintFaultCode.TOO_SHORT),
        (corners([0.2, 0.7]), "room.corners", HintFaultCode.TOO_FEW_POINTS),
        (corners([0.2, 0.7], [0.7, 0.7]), "room.corners", HintFaultCode.TOO_FEW_DIRECTIONS),
        (corners([0.1, 0.7], [0.5, 0.7], [0.9, 0.7]), "room.corners.1", HintFaultCode.IN_LINE),
        (corners([0.1, 0.7], [0.5, 0.6], [0.5, 0.61]), "room.corners.2", HintFaultCode.TOO_SHORT),
        (corners([0.1, 0.7], [0.5, 0.6], [0.9, 1.1]), "room.corners.2", HintFaultCode.OUTSIDE),
        (corners([0.1, 0.7], [0.9, 0.6], [0.9, 0.9], [0.5, 0.5]), "room.corners", HintFaultCode.CROSSES_ITSELF),
        (corners(*ring(MAX_CORNERS + 1)), "room.corners", HintFaultCode.TOO_MANY),
        ({"room": {"corners": 3}}, "room.corners", HintFaultCode.NOT_A_LIST),
        ({"room": {"corners": ["left"] * 3}}, "room.corners.0", HintFaultCode.NOT_A_POINT),
        (
            {**corners([0, 0.9], [0.5, 0.3], [1, 0.9]), "surfaces": {"floor": [FLOOR]}},
            "room.corners.1",
            HintFaultCode.NOT_ON_FLOOR,
        ),
        (
            {**corners([0, 0.9], [0.5, 0.65], [1, 0.9]), "surfaces": {"ceiling": [FLOOR]}},
            "room.corners.1",
            HintFaultCode.NOT_ON_FLOOR,
        ),
    ],
)
def test_a_fault_is_named_by_its_place_and_kind(document: object, place: str, code: HintFaultCode) -> None:
    assert (place, code) in faults(document)


def runs(direction: str, *ends: float) -> dict[str, object]:
    return {"direction": direction, "start": list(ends[:2]), "end": list(ends[2:])}


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([runs("up", 0.2, 0.5, 0.8, 0.6), ALONG], (0, HintFaultCode.NOT_UPRIGHT)),
        ([runs("up", 0.2, 0.1, 0.22, 0.8), runs("up", 0.8, 0.1, 0.78, 0.8), ALONG], None),
        (
            [UP, ALONG, runs("along", 0.3, 0.9, 0.7, 0.1), runs("along", 0.3, 0.1, 0.7, 0.9)],
            (3, HintFaultCode.STRAY_LINE),
        ),
        (
            [
                UP,
                runs("along", 0.0, 0.1, 0.3, 0.34),
                runs("along", 0.0, 0.9, 0.3, 0.66),
                runs("along", 1.0, 0.2, 0.7, 0.38),
                runs("along", 0.2, 1.0, 0.35, 0.75),
                runs("along", 0.8, 0.7, 0.8, 0.9),
            ],
            (5, HintFaultCode.STRAY_LINE),
        ),
        ([UP, runs("along", 0, 0.2, 1, 0.2), runs("along", 0, 0.5, 1, 0.51), runs("along", 0, 0.9, 1, 0.88)], None),
    ],
)
def test_lines_that_cannot_run_as_they_are_said_to_are_named(
    lines: list[object], fault: tuple[int, HintFaultCode] | None
) -> None:
    expected = [] if fault is None else [(f"room.lines.{fault[0]}", fault[1])]
    document = {"room": {"lines": lines}}
    assert (faults(document) if expected else [read_hints(document)][1:]) == expected


def test_an_outline_that_crosses_itself_everywhere_is_refused_at_once() -> None:
    spokes = [2 * math.pi * 99 * place / 199 for place in range(199)]
    star = [[0.5 + 0.4 * math.cos(each), 0.5 + 0.4 * math.sin(each)] for each in spokes]
    begun = time.perf_counter()
    assert faults({"clear": [star] * 10}) == [
        (f"clear.{place}", HintFaultCode.CROSSES_ITSELF) for place in range(10)
    ]
    assert time.perf_counter() - begun < 1


WALL = [[0.0, 0.1], [1.0, 0.1], [1.0, 0.6], [0.0, 0.6]]
GROUND = [[0.0, 0.6], [1.0, 0.6], [1.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("at", "surfaces", "taken"),
    [
        ([0.5, 0.8], {"floor": [GROUND], "wall": [WALL]}, True),
        ([0.5, 0.4], {"floor": [GROUND], "wall": [WALL]}, False),
        ([0.5, 0.4], {"floor": [GROUND]}, False),
        ([0.5, 0.4], {"wall": [WALL]}, False),
        ([0.5, 0.8], {"wall": [WALL]}, True),
        ([0.5, 0.4], {}, True),
    ],
)
def test_furniture_is_placed_on_the_floor_alone(at: list[float], surfaces: object, taken: bool) -> None:
    document = {"surfaces": surfaces, "placements": [{"piece": "sofa", "at": at}]}
    if taken:
        assert read_hints(document).placements
    else:
        assert faults(document) == [("placements.0.at", HintFaultCode.NOT_ON_FLOOR)]


def test_furniture_may_be_placed_where_a_thing_is_removed() -> None:
    thing = {"kind": "furniture", "polygon": [[0.4, 0.3], [0.6, 0.3], [0.6, 0.7], [0.4, 0.7]]}
    placements = [{"piece": "sofa", "at": [0.5, 0.58]}]
    document = {"surfaces": {"floor": [GROUND], "wall": [WALL]}, "things": [thing], "placements": placements}
    assert read_hints(document).placements


@pytest.mark.parametrize("meters", [0, 50, "2", None, math.inf])
def test_no_room_has_such_a_length(meters: object) -> None:
    length = {"start": [0.3, 0.2], "end": [0.3, 0.8], "meters": meters}
    assert faults({"room": {"length": length}}) == [("room.length.meters", HintFaultCode.BAD_LENGTH)]


def test_an_outline_with_a_hole_or_a_slip_of_the_hand_is_taken() -> None:
    hole = [
        [0.1, 0.1],
        [0.9, 0.1],
        [0.9, 0.9],
        [0.1, 0.9],
        [0.1, 0.5],
        [0.3, 0.51],
        [0.6, 0.6],
        [0.6, 0.3],
        [0.3, 0.49],
    ]
    slip = [[0.1, 0.1], [0.5, 0.1], [0.49, 0.11], [0.49, 0.095], [0.9, 0.1], [0.9, 0.9]]
    found = read_hints({"surfaces": {"wall": [[*hole, [0.1, 0.52]], slip]}})
    assert [len(each) for each in found.surfaces[HintedSurface.WALL]] == [10, 6]


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "bench" / "hints").glob("*.json")), ids=lambda path: path.stem
)
def test_what_people_drew_is_taken(path: Path) -> None:
    assert read_hints(json.loads(path.read_bytes())["hints"]) != NO_HINTS


def test_no_more_points_and_faults_are_looked_at_than_the_limits() -> None:
    many = [ring(MAX_POINTS)] * 60
    assert ("surfaces.wall.10", HintFaultCode.TOO_MANY) in faults({"surfaces": {"wall": many, "door": many}})
    assert len(faults({"clear": [[1]] * 20, "things": [1] * 60})) == MAX_FAULTS
    assert MAX_TOTAL_POINTS == 10 * MAX_POINTS
