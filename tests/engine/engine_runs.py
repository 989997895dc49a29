"""Short words for running the engine in tests."""

import io

from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.pictures import Enhanced
from tests import scenes


def enhanced(content: bytes, *steps: Enhancement, order_seed: str = "order") -> Enhanced:
    """The engine's answer for this file."""
    return PictureEngine().enhance(
        io.BytesIO(content), EditRequest(enhancements=tuple(steps)), context=EngineContext(order_seed=order_seed)
    )


def picture_of(done: Enhanced) -> scenes.Picture:
    """The pixels of a result that must be there."""
    assert done.picture is not None, done.report
    return scenes.decoded(done.picture.content)


def after(picture: scenes.Picture, *steps: Enhancement, order_seed: str = "order") -> scenes.Picture:
    """The pixels after these steps, by way of PNG so that no compression noise gets in between."""
    return picture_of(enhanced(scenes.encoded(picture, "PNG"), *steps, order_seed=order_seed))
