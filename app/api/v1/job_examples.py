"""Examples of the answers about whole jobs, because the examples of single fields would not fit together."""

from typing import Any

from app.domain.events import SAMPLE_ADDRESS, SAMPLE_JOB, SAMPLE_REVISION
from app.domain.ledger import CauseCode
from app.domain.lifecycle import Status
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA
from app.domain.promises import EXTERIOR_PRICE
from app.domain.step_states import PhotoOutcome, StepState
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.report import Reason

_API = f"https://brightlist.example/api/v1/jobs/{SAMPLE_JOB}"
_ROOM = "pho_78W0ndrvxWENhVouKv6P4B"
_BALANCED = "The exposure is balanced already."
_LISTED: dict[str, Any] = {
    "jobId": SAMPLE_JOB,
    "status": Status.APPROVED.value,
    "progress": {"total": 2, "completed": 2, "percentage": 100},
    "address": SAMPLE_ADDRESS,
    "serviceType": "both",
    "photoCount": {"interior": 1, "exterior": 1},
    "creditCost": 1.5,
    "creditsRefunded": 0.5,
    "createdAt": "2026-11-20T14:03:27.512Z",
    "externalId": SAMPLE_EXTERNAL_ID,
    "metadata": dict(SAMPLE_METADATA),
}
JOB_LIST: dict[str, Any] = {
    "jobs": [_LISTED],
    "nextCursor": "ImpvYl83UW0yWmNXOXNYazROZlRiMUxoUHZlIg.9x3kQm2Zc8sVyKd5Nq2LmXw9RtB",
}
JOB: dict[str, Any] = {
    **_LISTED,
    "listing": {"jurisdiction": "elsewhere"},
    "disclosures": [],
    "lines": [
        {"label": f"{EXTERIOR_PRICE}: one enhancement", "quantity": 1, "unitCredits": 1, "credits": 1},
        {"label": "HDR", "enhancement": Enhancement.HDR.value, "quantity": 1, "unitCredits": 0.5, "credits": 0.5},
    ],
    "refunds": [
        {
            "amount": 0.5,
            "cause": CauseCode.STEP_REFUND.value,
            "photoId": _ROOM,
            "enhancement": Enhancement.HDR.value,
            "reason": f"Refund: HDR declined on room.jpg. {_BALANCED}",
            "createdAt": "2026-11-20T14:05:02.118Z",
        }
    ],
    "photos": [
        {
            "photoId": "pho_9aRt5KbYw2VdEj8uGxM3Qc",
            "type": PhotoType.EXTERIOR.value,
            "index": 0,
            "fileName": "front.jpg",
            "state": PhotoOutcome.APPROVED.value,
            "imageId": SAMPLE_REVISION.image_id,
            "creditCost": 0,
            "creditsRefunded": 0,
            "steps": [
                {
                    "enhancement": Enhancement.SKY.value,
                    "state": StepState.DONE.value,
                    "creditCost": 0,
                    "creditsRefunded": 0,
                }
            ],
        },
        {
            "photoId": _ROOM,
            "type": PhotoType.INTERIOR.value,
            "index": 0,
            "fileName": "room.jpg",
            "state": PhotoOutcome.REJECTED.value,
            "imageId": "img_4HwKe9NlVt4YsQb7AzPf6O",
            "reason": Reason.ALL_STEPS_DECLINED.value,
            "message": _BALANCED,
            "creditCost": 0.5,
            "creditsRefunded": 0.5,
            "steps": [
                {
                    "enhancement": Enhancement.HDR.value,
                    "state": StepState.DECLINED.value,
                    "reason": Reason.NOT_CHANGED.value,
                    "message": _BALANCED,
                    "creditCost": 0.5,
                    "creditsRefunded": 0.5,
                }
            ],
        },
    ],
    "links": {
        **{name: f"{_API}/{name}" for name in ("status", "quality", "recipes", "evidence", "shares", "packs")},
        "downloads": f"https://brightlist.example/api/v1/downloads/{SAMPLE_JOB}",
        "page": f"https://brightlist.example/properties/{SAMPLE_JOB}",
    },
}
