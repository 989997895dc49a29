"""Example bodies for the documentation; the tests send every one of them."""

from typing import Any

from app.api.v1.answers import ORDER_MESSAGE, UPLOAD_MESSAGE
from app.domain.catalogue import Enhancement, PhotoType, RoomType, ServiceType, Style
from app.domain.lifecycle import Status

ADDRESS = "12 Garden Lane, Springfield, IL 62704"

_COMMON: dict[str, Any] = {
    "address": ADDRESS,
    "serviceType": ServiceType.BOTH.value,
    "exteriorEnhancements": [Enhancement.SKY.value, Enhancement.GRASS.value],
    "interiorEnhancements": [Enhancement.HDR.value],
}

ORDER: dict[str, Any] = {
    **_COMMON,
    "uploadSessionId": "ups_2Xc8vPq1LmT5rWz0aBnE7d",
    "exteriorFiles": [{"filePath": "uploads/ups_2Xc8vPq1LmT5rWz0aBnE7d/exterior-0", "fileName": "front.jpg"}],
    "interiorFiles": [{"filePath": "uploads/ups_2Xc8vPq1LmT5rWz0aBnE7d/interior-0", "fileName": "living.jpg"}],
}

QUOTE: dict[str, Any] = {
    **_COMMON,
    "exteriorCount": 1,
    "interiorCount": 2,
    "photoConfigs": [
        {
            "photoType": PhotoType.INTERIOR.value,
            "photoIndex": 1,
            "enhancements": [Enhancement.FURNITURE_REMOVAL.value, Enhancement.STAGING.value],
        }
    ],
    "virtualStaging": {"1": {"style": Style.SCANDINAVIAN.value, "roomType": RoomType.LIVING_ROOM.value}},
}

MULTIPART: dict[str, Any] = {
    "address": ADDRESS,
    "serviceType": ServiceType.EXTERIOR.value,
    "exteriorEnhancements": f'["{Enhancement.SKY.value}"]',
}

_SESSION = ORDER["uploadSessionId"]
_JOB = "job_7Qm2ZcW9sXk4NfTb1LhPve"
_BASE = "https://brightlist.example"


def _target(photo_type: PhotoType) -> dict[str, Any]:
    path = f"uploads/{_SESSION}/{photo_type}-0"
    return {"uploadUrl": f"{_BASE}/uploads/WyJ1c…", "filePath": path, "index": 0, "type": photo_type.value}


UPLOAD_SESSION: dict[str, Any] = {
    "uploadSessionId": _SESSION,
    "interiorUrls": [_target(PhotoType.INTERIOR)],
    "exteriorUrls": [_target(PhotoType.EXTERIOR)],
    "expiresIn": 3600,
    "message": UPLOAD_MESSAGE,
}

ORDER_RESULT: dict[str, Any] = {
    "success": True,
    "jobId": _JOB,
    "status": Status.PENDING.value,
    "creditCost": 2.5,
    "photosUploaded": 2,
    "assets": [
        {"id": "pho_9aRt5KbYw2VdEj8uGxM3Qc", "fileName": "front.jpg", "type": PhotoType.EXTERIOR.value, "index": 0},
        {
            "id": "pho_4HnSz7CpLq6FoXy0WiT1Be",
            "fileName": "living.jpg",
            "type": PhotoType.INTERIOR.value,
            "index": 0,
        },
    ],
    "message": ORDER_MESSAGE,
}

QUOTE_RESULT: dict[str, Any] = {
    "creditCost": 4.5,
    "lines": [
        {"label": "Exterior, two or more enhancements", "quantity": 1, "unitCredits": 2, "credits": 2},
        {
            "label": "HDR balance",
            "enhancement": Enhancement.HDR.value,
            "quantity": 5,
            "unitCredits": 0.5,
            "credits": 2.5,
        },
    ],
    "warnings": [],
}

JOB_STATUS: dict[str, Any] = {
    "jobId": _JOB,
    "status": Status.PROCESSING.value,
    "progress": {"total": 2, "completed": 1, "percentage": 50},
    "createdAt": "2026-11-20T14:03:27.512Z",
}

DOWNLOADS: dict[str, Any] = {
    "jobId": _JOB,
    "address": ADDRESS,
    "imageCount": 1,
    "images": [
        {
            "id": "img_1GvJd8MkUs3XrPa6ZyOe5N",
            "fileName": "front.jpg",
            "type": "generated_exterior",
            "url": f"{_BASE}/files/WyJyZ…",
            "originalUrl": f"{_BASE}/files/WyJ1c…",
            "width": 6000,
            "height": 4000,
            "bytes": 9214377,
            "enhancements": [Enhancement.GRASS.value, Enhancement.SKY.value],
        }
    ],
}

CREDITS: dict[str, Any] = {"credits": 97.5, "profile": {"name": "Jo Agent", "email": "jo@example.com"}}
