"""The contract of the engine, held by the real one, here and in a process of its own, and by the fake."""

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.adapters.engine_process import ChildEngine
from app.adapters.generative_http import ImagesEditServer
from app.domain.engines import EngineRelease
from app.domain.ports import Engine
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
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
