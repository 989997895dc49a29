"""The schema of hints says what the reader takes."""

from dataclasses import fields

import pytest

from app.domain.errors import InvalidFields
from app.domain.field_errors import FaultCode
from app.domain.hint_requests import MAX_ORDER_POINTS, POINTS_OF_MASK, SCHEMA, limit_hints
from app.domain.order_rules import read_quote
from engine.types.hints import HintedSurface, SceneHints


def test_hints_of_all_photos_together_are_limited_before_they_are_looked_at() -> None:
    polygon = [[0.1, 0.1]] * 199
    configs = [{"photoType": "interior", "hints": {"clear": [polygon] * 20}}] * 8
    masks = {"surfaces": {"floor": {"mask": "iVBORw0"}, "wall": {"mask": "iVBORw0"}}}
    masked = [{"photoType": "interior", "hints": masks}] * (MAX_ORDER_POINTS // POINTS_OF_MASK // 2)
    assert limit_hints(configs[:7]) == configs[:7]
    assert limit_hints(masked) == masked
    for too_many in (configs, [*masked, masked[0]]):
        with pytest.raises(InvalidFields) as refused:
            read_quote({"serviceType": "interior", "interiorCount": 50, "photoConfigs": too_many}, imagery=False)
        found = {each.where: each.code for each in refused.value.faults}
        assert found["photoConfigs",] is FaultCode.TOO_MANY_HINTS


def test_the_schema_has_every_part_and_every_surface() -> None:
    assert set(SCHEMA["properties"]) == {each.name for each in fields(SceneHints)}
    assert SCHEMA["properties"]["surfaces"]["propertyNames"]["enum"] == list(HintedSurface)


def test_two_lines_of_one_direction_that_cross_are_refused_at_the_second() -> None:
    ends = {"up": [[0.5, 0.1], [0.5, 0.4]], "along": [[0.3, 0.9], [0.7, 0.5]], "across": [[0.3, 0.5], [0.7, 0.9]]}
    crossing = [("up", "up"), ("along", "along"), ("along", "across")]
    lines = [{"direction": way, "start": ends[drawn][0], "end": ends[drawn][1]} for way, drawn in crossing]
    configs = [{"photoType": "interior", "hints": {"room": {"lines": lines}}}]
    with pytest.raises(InvalidFields) as refused:
        read_quote({"serviceType": "interior", "interiorCount": 1, "photoConfigs": configs}, imagery=False)
    assert [each.where for each in refused.value.faults if "lines" in each.where] == [
        ("photoConfigs", 0, "hints", "room", "lines", 2)
    ]
