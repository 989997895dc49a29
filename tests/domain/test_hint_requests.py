"""The schema of hints says what the reader takes."""

from dataclasses import fields

from app.domain.hint_requests import SCHEMA
from engine.types.hints import HintedSurface, SceneHints


def test_the_schema_has_every_part_and_every_surface() -> None:
    assert set(SCHEMA["properties"]) == {each.name for each in fields(SceneHints)}
    assert SCHEMA["properties"]["surfaces"]["propertyNames"]["enum"] == list(HintedSurface)
