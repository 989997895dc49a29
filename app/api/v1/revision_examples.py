"""Examples of requests and answers for the endpoints of results that are sent back."""

from typing import Any

from app.domain.events import SAMPLE_ENGINE_VERSION, SAMPLE_REVISION
from app.domain.flaws import Flaw
from engine.types.enhancements import Enhancement

REVISION_REQUEST: dict[str, Any] = {
    "reason": Flaw.LAWN_ON_BUSH.value,
    "message": "The hedge on the left is as green as the lawn.",
}
REVISION: dict[str, Any] = {
    "id": SAMPLE_REVISION.revision_id,
    "imageId": SAMPLE_REVISION.image_id,
    "round": 1,
    **REVISION_REQUEST,
    "status": "making",
    "tried": {"photoSeed": 0, "strength": 0.65, "without": [], "hinted": False},
    "creditsRefunded": 0,
    "createdAt": "2026-11-21T09:12:40.330Z",
    "before": {
        "width": 6000,
        "height": 4000,
        "bytes": 9214377,
        "enhancements": [Enhancement.GRASS.value, Enhancement.SKY.value],
        "sha256": "9f2c4e7a1b80d63f5a49c2e8b7106d5f3e94a8c07b1d26f5e83a90c4d7b2165f",
        "engineVersion": SAMPLE_ENGINE_VERSION,
    },
}
_DONE: dict[str, Any] = {
    **REVISION,
    "status": "done",
    "outcome": "revised",
    "decidedAt": "2026-11-21T09:12:58.004Z",
    "before": {**REVISION["before"], "url": "https://app.brightlist.example/files/WyJ2Y…"},
}
REVISION_DONE = _DONE
REVISION_WITHDRAWN: dict[str, Any] = {
    **REVISION,
    "status": "done",
    "outcome": "withdrawn",
    "decidedAt": "2026-11-21T09:12:44.000Z",
}
REVISIONS: dict[str, Any] = {"revisions": [_DONE]}
