"""Options that a part is missing for are neither sold nor kept."""

from pathlib import Path

import pytest
from flask import Flask

from app.portal.option_forms import read_options_for_all
from engine.types import usable_options
from engine.types.options import EffectOptions, Privacy, SkyKind
from tests.conftest import PHOTO, Api, order_body


def test_an_option_whose_detector_is_not_installed_is_refused_before_anything_is_charged(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(usable_options, "FACE_DETECTOR", tmp_path / "faces.tflite")
    order = {**order_body(False, True), **api.upload(exterior=[PHOTO]), "options": {"privacy": "blurred"}}
    for path in ("/orders/quote", "/orders/from-uploads"):
        refused = api.post(path, order)
        assert refused.status_code == 400
        assert "cannot do privacy: blurred" in refused.json["details"]["exteriorFiles[0]"]
    assert api.credits() == 100
    assert api.post("/orders/from-uploads", {**order, "options": {"privacy": "as_shot"}}).status_code == 200


def test_the_board_forgets_a_choice_that_can_no_longer_be_carried_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = EffectOptions(sky=SkyKind.CLEAR, privacy=Privacy.BLURRED)
    monkeypatch.setattr(usable_options, "FACE_DETECTOR", tmp_path / "faces.tflite")
    with Flask(__name__).test_request_context(method="POST"):
        assert read_options_for_all(kept) == EffectOptions(sky=SkyKind.CLEAR)
