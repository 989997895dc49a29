"""The contract of the engine, held by the real one, here and in a process of its own, and by the fake."""

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from app.adapters.engine_process import ChildEngine
from app.adapters.generative_http import ImagesEditServer
from app.domain.engines import EngineRelease
from app.domain.ports import Engine
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import SceneHints
from engine.types.options import EffectOptions, Verticals
from engine.types.pictures import UnusablePhotoError
from engine.version import engine_version
from tests import releases, scenes
from tests.fakes import FakeEngine, photo

ENGINES = {
    "real": PictureEngine,
    "real, with a picture server": lambda: PictureEngine(ImagesEditServer("http://127.0.0.1:9/v1")),
    "fake": FakeEngine,
}


@pytest.fixture(params=[*ENGINES, "in a process of its own"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param in ENGINES:
        yield ENGINES[request.param]()
        return
    python = releases.make_python(tmp_path, releases.HERE.parent)
    with closing(ChildEngine(EngineRelease(engine_version(), python), {})) as child:
        yield child


def test_what_cannot_be_decoded_is_unusable_and_says_why(engine: Engine) -> None:
    with pytest.raises(UnusablePhotoError) as refusal:
        engine.enhance(
            io.BytesIO(photo("BROKEN")),
            EditRequest(
                enhancements=(
                    Enhancement.STAGING,
                    Enhancement.HDR,
                )
            ),
            EngineContext(),
        )
    assert refusal.value.reason
    assert refusal.value.message.endswith(".")


def test_what_cannot_be_decoded_has_no_light_estimate_either(engine: Engine) -> None:
    with pytest.raises(UnusablePhotoError):
        engine.estimate_light(io.BytesIO(photo("BROKEN")))


def test_a_room_is_seen_as_one(engine: Engine) -> None:
    light = engine.estimate_light(io.BytesIO(scenes.encoded(scenes.room(cast=(1.0, 1.0, 1.0)))))
    assert not light.outdoors
    assert light.cast == pytest.approx((1, 1, 1), abs=0.03)
    assert 0 < light.certainty <= 1
    assert 0 < light.brightness < 1
    assert light.sun_side == 0


@pytest.mark.parametrize("engine", ["real", "in a process of its own"], indirect=True)
def test_what_was_shown_as_private_is_blurred_also_where_privacy_was_not_chosen(engine: Engine) -> None:
    room = scenes.room(cast=(1.0, 1.0, 1.0))
    height, width = room.shape[:2]
    inside = np.s_[round(0.45 * height) : round(0.55 * height), round(0.45 * width) : round(0.55 * width)]
    room[inside] = np.random.default_rng(1).integers(0, 256, room[inside].shape)
    hints = SceneHints(private=(((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)),))
    wanted = EditRequest(enhancements=(Enhancement.HDR,), hints=hints)
    made = engine.enhance(io.BytesIO(scenes.encoded(room)), wanted, EngineContext())
    assert made.picture is not None
    after = np.asarray(Image.open(io.BytesIO(made.picture.content)))
    assert after[inside].std() < 0.3 * room[inside].std()


def test_a_straightened_picture_comes_with_its_photo_straightened_alike(engine: Engine) -> None:
    turn = cv2.getRotationMatrix2D((320, 214), 2, 1.15)
    leaning = cv2.warpAffine(scenes.room(640, 428), turn, (640, 428), flags=cv2.INTER_CUBIC)
    straight = EditRequest((Enhancement.HDR,), options=EffectOptions(verticals=Verticals.STRAIGHT))
    done = engine.enhance(io.BytesIO(scenes.encoded(leaning) + b"LEANS"), straight, EngineContext())
    assert done.report.straightened
    assert done.before is not None
    assert done.before.startswith(b"\xff\xd8\xff")
