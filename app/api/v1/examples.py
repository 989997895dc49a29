"""Example bodies for the documentation; the tests send every one of them."""

from typing import Any

from app.domain.catalogue import Enhancement, PhotoType, RoomType, ServiceType, Style

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
