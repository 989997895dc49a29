"""The contract of the engine, held by the real one and by the fake."""

import io

import pytest

from app.adapters.generative_http import ImagesEditServer
from app.domain.catalogue import Enhancement
from app.domain.ports import Aid, Engine, UnusablePhotoError, Wish
from app.engine.pipeline import PictureEngine
from tests.fakes import FakeEngine, photo

ENGINES = {
    "real": PictureEngine,
    "real, with a picture server": lambda: PictureEngine(ImagesEditServer("http://127.0.0.1:9/v1")),
    "fake": FakeEngine,
}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param]()


def test_what_cannot_be_decoded_is_unusable_and_says_why(engine: Engine) -> None:
    with pytest.raises(UnusablePhotoError) as refusal:
        engine.enhance(io.BytesIO(photo("BROKEN")), Wish(steps=[Enhancement.STAGING, Enhancement.HDR]), Aid())
    assert refusal.value.reason
    assert refusal.value.message.endswith(".")
