"""Examples of requests and answers for the endpoints of variants."""

from typing import Any

from engine.types.enhancements import Enhancement

_SHA256 = "9f2c4e7a1b80d63f5a49c2e8b7106d5f3e94a8c07b1d26f5e83a90c4d7b2165f"
WITHOUT_REQUEST: dict[str, Any] = {"without": [Enhancement.GRASS.value]}
_REQUESTED: dict[str, Any] = {
    "id": "pic_4Nq8RbTz1KcWj6Xm3LdYhE",
    "status": "making",
    "without": [Enhancement.GRASS.value],
    "enhancements": [Enhancement.SKY.value],
    "createdAt": "2026-11-20T14:20:05.118Z",
}
VARIANT: dict[str, Any] = _REQUESTED
VARIANTS: dict[str, Any] = {
    "variants": [
        {
            **_REQUESTED,
            "status": "ready",
            "url": "https://app.brightlist.example/files/WyJ2Y…",
            "labeledUrl": "https://app.brightlist.example/files/WyJ2b…",
            "width": 6000,
            "height": 4000,
            "bytes": 9107442,
            "sha256": _SHA256,
            "contentCredentials": "certificate",
            "caption": "Digitally altered",
        }
    ]
}
