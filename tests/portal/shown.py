"""A reader in place of the engine's, for pages on which people show what a photo shows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import HintedSurface, SceneHints
from engine.types.outlook import HintPart, Outlook, Prospect, StepForecast
from engine.types.report import Reason

FLOOR = ((0.1, 0.6), (0.9, 0.6), (0.5, 0.9))
WALL = ((0.1, 0.1), (0.9, 0.1), (0.5, 0.4))
SEEN = SceneHints(surfaces={HintedSurface.FLOOR: (FLOOR,), HintedSurface.WALL: (WALL,)})


@dataclass
class Needy:
    """Sees a piece of floor and of wall, and stages no room before somebody showed these parts."""

    parts: Sequence[HintPart] = (HintPart.FLOOR,)
    requests: list[EditRequest] = field(default_factory=list)

    def read(self, photo: BinaryIO, request: EditRequest, context: EngineContext, *_: object) -> Outlook:
        self.requests.append(request)
        needs = (Enhancement.STAGING, Prospect.NEEDS_HINT)
        steps = tuple(StepForecast(*needs, each, Reason.ROOM_UNCLEAR, "Unclear.") for each in self.parts)
        return Outlook(4, 3, False, False, SEEN, {}, None, None, b"", steps=steps)
