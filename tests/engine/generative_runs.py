"""Short words for running the engine against a picture server in tests."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from app.adapters.generative_http import ImagesEditServer
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement
from engine.types.hints import SceneHints
from engine.types.pictures import Enhanced
from engine.types.report import Reason, StepOutcome
from tests import scenes
from tests.edit_server import EditServer


@dataclass
class FakeTime:
    """Seconds that pass only when somebody sleeps, or when a test moves them."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Purse:
    """Pays so many calls and counts them."""

    calls: int = 100
    spent: int = 0

    def __call__(self) -> bool:
        if self.spent >= self.calls:
            return False
        self.spent += 1
        return True


def no_reference(key: str) -> BinaryIO:
    raise FileNotFoundError(key)


@dataclass
class Studio:
    """An engine with a way to a picture server, its purse and its time."""

    server: EditServer
    purse: Purse = field(default_factory=Purse)
    time: FakeTime = field(default_factory=FakeTime)
    call_seconds: float = 20.0
    open_reference: Callable[[str], BinaryIO] = no_reference

    def enhanced(
        self,
        content: bytes,
        *steps: Enhancement,
        changes: tuple[RenovationChange, ...] = (),
        hints: SceneHints | None = None,
    ) -> Enhanced:
        """The engine's answer for this file."""
        server = ImagesEditServer(self.server.url, "key-of-the-operator", "a-model")
        engine = PictureEngine(server, self.call_seconds, self.time, self.time.sleep)
        request = EditRequest(enhancements=tuple(steps), changes=changes, hints=hints)
        return engine.enhance(
            io.BytesIO(content),
            request,
            EngineContext(self.purse, self.open_reference, "order"),
        )

    def after(
        self, picture: scenes.Picture, step: Enhancement, changes: tuple[RenovationChange, ...] = ()
    ) -> scenes.Picture:
        """The pixels after a step that must work, by way of PNG, so that no compression noise gets in between."""
        done = self.enhanced(scenes.encoded(picture, "PNG"), step, changes=changes)
        assert done.picture is not None, done.report
        assert done.report.passed, done.report
        return scenes.decoded(done.picture.content)

    def declined(
        self, picture: scenes.Picture, step: Enhancement, changes: tuple[RenovationChange, ...] = ()
    ) -> StepOutcome:
        """The outcome of a step that must decline and leave no picture."""
        done = self.enhanced(scenes.encoded(picture, "PNG"), step, changes=changes)
        assert done.picture is None, done.report
        assert done.report.reason is Reason.ALL_STEPS_DECLINED
        (outcome,) = done.report.steps
        return outcome
