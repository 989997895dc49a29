"""What the endpoints of presets take and answer, as the documentation shows it."""

from typing import Any

from app.domain.catalogue import Enhancement, Style
from app.domain.options import Brightness, LawnLook, SkyKind

PRESET_REQUEST: dict[str, Any] = {
    "name": "Our listings",
    "exteriorEnhancements": [Enhancement.SKY.value, Enhancement.GRASS.value],
    "interiorEnhancements": [Enhancement.HDR.value],
    "options": {
        "sky": SkyKind.CLEAR.value,
        "lawn": LawnLook.SUBTLE.value,
        "brightness": Brightness.BRIGHTER.value,
    },
    "stagingStyle": Style.SCANDINAVIAN.value,
    "isDefault": True,
}
PRESET: dict[str, Any] = {
    "id": "pre_8Hc0ZsVyKd5Nq2LmXw9RtB",
    **PRESET_REQUEST,
    "createdAt": "2026-11-20T14:03:27.512Z",
    "updatedAt": "2026-11-20T14:03:27.512Z",
}
PRESETS: dict[str, Any] = {"presets": [PRESET]}
PRESET_DELETED: dict[str, Any] = {"success": True, "id": PRESET["id"]}
