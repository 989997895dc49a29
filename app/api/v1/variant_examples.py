"""What the endpoints of variants and recipes take and answer, as the documentation shows it."""

from typing import Any

from app.domain.catalogue import Enhancement
from app.domain.events import SAMPLE_ENGINE_VERSION, SAMPLE_JOB

_IMAGE = "img_1GvJd8MkUs3XrPa6ZyOe5N"
_SHA256 = "9f2c4e7a1b80d63f5a49c2e8b7106d5f3e94a8c07b1d26f5e83a90c4d7b2165f"
_ORIGINAL_SHA256 = "4b7d01e9c85a2f63b0d7e4a91c58f2063d9b7e40a1c6f8250e3b94d7a6c1f085"
WITHOUT_REQUEST: dict[str, Any] = {"without": [Enhancement.GRASS.value]}
_ASKED: dict[str, Any] = {
    "id": "var_4Nq8RbTz1KcWj6Xm3LdYhE",
    "status": "making",
    "without": [Enhancement.GRASS.value],
    "enhancements": [Enhancement.SKY.value],
    "createdAt": "2026-11-20T14:20:05.118Z",
}
VARIANT: dict[str, Any] = _ASKED
VARIANTS: dict[str, Any] = {
    "variants": [
        {
            **_ASKED,
            "status": "ready",
            "url": "https://app.brightlist.example/files/WyJ2Y…",
            "labelledUrl": "https://app.brightlist.example/files/WyJ2b…",
            "width": 6000,
            "height": 4000,
            "bytes": 9107442,
            "sha256": _SHA256,
            "contentCredentials": "certificate",
            "caption": "Digitally altered",
        }
    ]
}
RECIPES: dict[str, Any] = {
    "jobId": SAMPLE_JOB,
    "recipes": [
        {
            "imageId": _IMAGE,
            "type": "exterior",
            "index": 0,
            "engineVersion": SAMPLE_ENGINE_VERSION,
            "seed": SAMPLE_JOB,
            "photoSeed": 0,
            "strength": 1.0,
            "originalSha256": _ORIGINAL_SHA256,
            "pictureSha256": _SHA256,
            "steps": [
                {"enhancement": Enhancement.GRASS.value, "applied": True, "madeBy": "worker"},
                {"enhancement": Enhancement.SKY.value, "applied": True, "madeBy": "worker"},
            ],
            "changes": [],
            "appearance": {"castOutdoors": [1.04, 1.0, 0.96], "sunSide": -0.4},
        }
    ],
}
