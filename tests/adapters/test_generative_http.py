"""The images-edit interface as it is spoken."""

from dataclasses import replace

import numpy as np
import pytest

from app.adapters.generative_http import ImagesEditServer
from engine.types.server import GenerativeRequest, GenerativeServer
from tests import edit_server

PICTURE = np.full((32, 48, 3), 90, np.uint8)
MASK = np.dstack([PICTURE, np.where(np.arange(32)[:, None] + np.zeros(48) < 8, 255, 0).astype(np.uint8)])
REQUEST = GenerativeRequest(
    edit_server.encoded(PICTURE), edit_server.encoded(MASK), "Paint it \u201cgrün\u201d.", 5.0
)


def inverted(picture: edit_server.Picture, free: np.ndarray) -> edit_server.Picture:
    return np.where(free[..., None], 255 - picture, picture).astype(np.uint8)


good = edit_server.edit(inverted)


def sent(model: str = "flux", request: GenerativeRequest = REQUEST, key: str | None = "k" * 20) -> edit_server.Seen:
    """The one request as the server saw it."""
    with edit_server.running(good) as server:
        adapter: GenerativeServer = ImagesEditServer(server.url, key, model)
        adapter.edit(request)
    (seen,) = server.seen
    return seen


def test_the_edited_picture_comes_back() -> None:
    with edit_server.running(good) as server:
        edited = edit_server.decoded(ImagesEditServer(server.url).edit(REQUEST))
    assert (edited[:8] == 90).all()
    assert (edited[8:] == 165).all()


def test_picture_mask_prompt_and_key_are_sent() -> None:
    seen = sent()
    assert seen.path == "/v1/images/edits"
    assert seen.files == {"image": [REQUEST.image], "mask": [REQUEST.mask]}
    assert seen.fields == {
        "model": "flux",
        "prompt": REQUEST.prompt,
        "n": "1",
        "size": "48x32",
        "response_format": "b64_json",
    }
    assert seen.authorization == "Bearer " + "k" * 20


def test_without_a_key_or_a_mask_none_is_sent() -> None:
    seen = sent(request=replace(REQUEST, mask=None), key=None)
    assert seen.authorization is None
    assert "mask" not in seen.files


def test_pictures_to_go_by_follow_the_picture_in_their_order() -> None:
    seen = sent(request=replace(REQUEST, references=(b"one", b"two")))
    assert seen.files["image[]"] == [REQUEST.image, b"one", b"two"]
    assert seen.pictures[0] == REQUEST.image


@pytest.mark.parametrize(
    ("model", "fidelity"),
    [("gpt-image-1", "high"), ("openai/gpt-image-1.5", "high"), ("gpt-image-1-mini", None), ("gpt-image-2", None)],
)
def test_openais_models_get_the_fields_they_know(model: str, fidelity: str | None) -> None:
    fields = sent(model).fields
    assert "response_format" not in fields
    assert fields["size"] == "1536x1024"
    assert fields.get("input_fidelity") == fidelity


@pytest.mark.parametrize(
    ("shape", "size"), [((64, 64), "1024x1024"), ((96, 64), "1024x1536"), ((50, 60), "1024x1024")]
)
def test_openais_models_are_asked_for_the_nearest_of_their_shapes(shape: tuple[int, int], size: str) -> None:
    picture = edit_server.encoded(np.zeros((*shape, 3), np.uint8))
    request = replace(REQUEST, image=picture, mask=None)
    assert sent("gpt-image-1", request).fields["size"] == size
