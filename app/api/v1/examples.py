"""Example bodies for the documentation; the tests send every one of them."""

from datetime import UTC, datetime
from typing import Any

from app.api.v1.answers import ORDER_MESSAGE, UPLOAD_MESSAGE
from app.domain.catalogue import (
    Enhancement,
    MediaAlteration,
    PhotoType,
    RoomType,
    ServiceType,
    Style,
)
from app.domain.events import (
    SAMPLE_ADDRESS,
    SAMPLE_ENGINE_VERSION,
    SAMPLE_JOB,
    SAMPLE_REVISION,
    EventName,
    payload,
    sample_facts,
)
from app.domain.figures import MEANINGS, FigureCode
from app.domain.lifecycle import MOVES, Status
from app.domain.quality import Maker, Reason, Verdict

ADDRESS = SAMPLE_ADDRESS

_COMMON: dict[str, Any] = {
    "address": ADDRESS,
    "serviceType": ServiceType.BOTH.value,
    "exteriorEnhancements": [Enhancement.SKY.value, Enhancement.GRASS.value],
    "interiorEnhancements": [Enhancement.HDR.value],
}

_LISTING: dict[str, Any] = {"jurisdiction": "california", "mls": "crmls"}
_OF_LAWN: list[dict[str, Any]] = [
    {
        "disclosure": "digitally_altered",
        "treatment": "required",
        "words": "Digitally altered",
        "rule": "california",
        "source": "https://codes.findlaw.com/ca/business-and-professions-code/bpc-sect-10140-8/",
    },
    {
        "disclosure": "digitally_altered",
        "treatment": "barred",
        "words": "Digitally altered",
        "rule": "crmls",
        "source": "https://kb.crmls.org/?p=10900",
    },
]
_OF_STAGING: list[dict[str, Any]] = [
    {
        "disclosure": "virtually_staged",
        "treatment": "required",
        "words": "Virtually staged",
        "rule": "california",
        "source": "https://codes.findlaw.com/ca/business-and-professions-code/bpc-sect-10140-8/",
    },
    {
        "disclosure": "virtually_staged",
        "treatment": "required",
        "words": "Virtually staged",
        "rule": "crmls",
        "source": "https://kb.crmls.org/?p=10900",
    },
]

ORDER: dict[str, Any] = {
    **_COMMON,
    "listing": {**_LISTING, "acceptsBarred": True},
    "uploadSessionId": "ups_2Xc8vPq1LmT5rWz0aBnE7d",
    "exteriorFiles": [{"filePath": "uploads/ups_2Xc8vPq1LmT5rWz0aBnE7d/exterior-0", "fileName": "front.jpg"}],
    "interiorFiles": [{"filePath": "uploads/ups_2Xc8vPq1LmT5rWz0aBnE7d/interior-0", "fileName": "living.jpg"}],
}

QUOTE: dict[str, Any] = {
    **_COMMON,
    "listing": _LISTING,
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
_JOB = SAMPLE_JOB
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

_FRAMES = [f"uploads/{_SESSION}/interior-{index}" for index in range(3)]
GROUPS_REQUEST: dict[str, Any] = {
    "interiorFiles": [
        {"filePath": path, "fileName": f"IMG_{number}.jpg"} for number, path in enumerate(_FRAMES, 4101)
    ]
}
GROUPS: dict[str, Any] = {
    "status": "ready",
    "interiorFiles": [{**file, "group": "interior-0"} for file in GROUPS_REQUEST["interiorFiles"]],
    "exteriorFiles": [],
    "problems": [
        {
            "code": "missing_exposure",
            "message": "One exposure seems to be missing in this group.",
            "filePaths": _FRAMES,
        }
    ],
}

ORDER_RESULT: dict[str, Any] = {
    "success": True,
    "jobId": _JOB,
    "status": Status.PENDING.value,
    "creditCost": 2.5,
    "photosUploaded": 2,
    "listing": _LISTING,
    "assets": [
        {
            "id": "pho_9aRt5KbYw2VdEj8uGxM3Qc",
            "fileName": "front.jpg",
            "type": PhotoType.EXTERIOR.value,
            "index": 0,
            "disclosures": _OF_LAWN,
        },
        {
            "id": "pho_4HnSz7CpLq6FoXy0WiT1Be",
            "fileName": "living.jpg",
            "type": PhotoType.INTERIOR.value,
            "index": 0,
            "disclosures": [],
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
    "listing": _LISTING,
    "photos": [
        {
            "type": PhotoType.INTERIOR.value,
            "index": 1,
            "disclosures": _OF_STAGING,
        }
    ],
}

JOB_STATUS: dict[str, Any] = {
    "jobId": _JOB,
    "status": Status.PROCESSING.value,
    "progress": {"total": 2, "completed": 1, "percentage": 50},
    "createdAt": "2026-11-20T14:03:27.512Z",
}

QUALITY: dict[str, Any] = {
    "jobId": _JOB,
    "status": Status.APPROVED.value,
    "photos": [
        {
            "id": "pho_9aRt5KbYw2VdEj8uGxM3Qc",
            "fileName": "front.jpg",
            "type": PhotoType.EXTERIOR.value,
            "index": 0,
            "verdict": Verdict.APPROVED.value,
            "imageId": "img_1GvJd8MkUs3XrPa6ZyOe5N",
            "steps": [
                {
                    "enhancement": Enhancement.GRASS.value,
                    "applied": False,
                    "reason": Reason.NO_LAWN.value,
                    "message": "No lawn was found in this photo.",
                },
                {"enhancement": Enhancement.SKY.value, "applied": True, "maker": Maker.WORKER.value},
            ],
            "figures": [
                {
                    "code": FigureCode.SIZE_KEPT.value,
                    "label": MEANINGS[FigureCode.SIZE_KEPT].label,
                    "unit": MEANINGS[FigureCode.SIZE_KEPT].unit.value,
                    "value": 1.0,
                    "minimum": 1.0,
                    "passed": True,
                    "fault": Reason.SIZE_CHANGED.value,
                },
            ],
        },
        {
            "id": "pho_4HnSz7CpLq6FoXy0WiT1Be",
            "fileName": "living.jpg",
            "type": PhotoType.INTERIOR.value,
            "index": 0,
            "verdict": Verdict.REJECTED.value,
            "reason": Reason.UNDECODABLE.value,
            "message": "The file is damaged or is not a JPEG, PNG, WebP, HEIC or TIFF photo.",
            "steps": [],
            "figures": [],
        },
    ],
}

DOWNLOADS: dict[str, Any] = {
    "jobId": _JOB,
    "address": ADDRESS,
    "imageCount": 1,
    "listing": _LISTING,
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
            "caption": "Digitally altered",
            "mediaAlteration": [MediaAlteration.ENHANCED.value],
            "disclosures": _OF_LAWN,
            "variants": [
                {"variant": "original", "url": f"{_BASE}/files/WyJ1c…"},
                {"variant": "altered", "url": f"{_BASE}/files/WyJyZ…", "contentCredentials": "certificate"},
                {"variant": "labelled", "url": f"{_BASE}/files/WyJwc…", "contentCredentials": "certificate"},
                {"variant": "base", "url": f"{_BASE}/files/WyJ1c…"},
            ],
            "engineVersion": SAMPLE_ENGINE_VERSION,
            "contentCredentials": "certificate",
        }
    ],
}

CREDITS: dict[str, Any] = {"credits": 97.5, "profile": {"name": "Jo Agent", "email": "jo@example.com"}}

WEBHOOK_REQUEST: dict[str, Any] = {
    "url": "https://agency.example/hooks/brightlist",
    "events": [EventName.JOB_APPROVED.value, EventName.JOB_UNDELIVERABLE.value, EventName.JOB_FAILED.value],
}
_WEBHOOK: dict[str, Any] = {
    "id": "whk_6Lq0VbYt3NcRj9Xo2KdWmA",
    **WEBHOOK_REQUEST,
    "active": True,
    "createdAt": "2026-11-20T14:03:27.512Z",
}
WEBHOOK: dict[str, Any] = {**_WEBHOOK, "secret": "whsec_" + "shown/only/now/" * 2 + "0123456789abc="}
WEBHOOKS: dict[str, Any] = {"webhooks": [_WEBHOOK]}
WEBHOOK_DELETED: dict[str, Any] = {"success": True, "id": _WEBHOOK["id"]}

_ACCOUNT = "acc_3Tz8FhUe5SgIw1Pr7BnCxM"
_STATUS_AT = {event: to for (_, to), event in MOVES.items()}
_AT = datetime(2026, 11, 20, 14, 3, 27, 512_000, tzinfo=UTC)
_STATUS_AT[EventName.PHOTO_REVISED] = Status.DELIVERED
EVENTS: dict[EventName, dict[str, Any]] = {
    name: payload(
        name,
        sample_facts(_ACCOUNT, _STATUS_AT.get(name, Status.PENDING)),
        _AT,
        SAMPLE_REVISION if name is EventName.PHOTO_REVISED else None,
    )
    for name in EventName
}
"""A sample of every event, made by the builder that makes the real ones."""

PUBLIC_PAGE_REQUEST: dict[str, Any] = {"showsAddress": True, "months": 24}
PUBLIC_PAGE: dict[str, Any] = {
    "url": f"{_BASE}/o/7Hq2LmXw9RtB",
    "qrUrl": f"{_BASE}/o/7Hq2LmXw9RtB/qr.svg",
    "showsAddress": True,
    "expiresAt": "2028-11-09T14:03:27.512Z",
    "pictures": [
        {"imageId": "img_1GvJd8MkUs3XrPa6ZyOe5N", "url": f"{_BASE}/o/7Hq2LmXw9RtB/1", "withheld": ["place"]}
    ],
}
MLS_PACK_REQUEST: dict[str, Any] = {"mls": "crmls", "labelled": False}
_MLS_PACK: dict[str, Any] = {
    "id": "pck_5Nq2LmXw9RtB7Hc0ZsVyKd",
    "mls": "crmls",
    "ruleVersion": 1,
    "labelled": False,
    "status": "ready",
    "createdAt": "2026-11-20T14:03:27.512Z",
    "pictureCount": 6,
    "bytes": 4127904,
    "outdated": False,
    "warnings": [
        {
            "code": "barred_steps_left_out",
            "message": "CRMLS bars green lawn: photo 1 is in the pack without it.",
            "photos": [1],
            "enhancements": [Enhancement.GRASS.value],
        }
    ],
}
MLS_PACK: dict[str, Any] = {**_MLS_PACK, "url": f"{_BASE}/files/WyJrZ…"}
MLS_PACKS: dict[str, Any] = {"packs": [_MLS_PACK]}
PUBLIC_PAGE_DELETED: dict[str, Any] = {"success": True}

RULE: dict[str, Any] = {
    "id": "oregon-rmls",
    "kind": "mls",
    "version": 1,
    "name": "RMLS, rule 3.8",
    "area": "Oregon and southwest Washington",
    "country": "US",
    "regions": ["OR", "WA"],
    "stage": "in_force",
    "checked": "2026-11-26",
    "certainty": "text_read",
    "hasPrimarySource": True,
    "changes": [],
    "summary": 'Virtual staging is disclosed on the photograph itself with the watermark "Virtually Staged". '
    "Otherwise photographs come without added text or graphics and without alterations that "
    "misrepresent the property. One photo shows the outside of the building.",
    "sources": [
        {
            "title": "RMLS, rules and regulations 3.8, photographs, as amended",
            "url": "https://rmlscentral.com/category/rules-and-regulations/",
            "primary": True,
        },
        {
            "title": "Oregon Flat Fee Listing Service on photographs in RMLS",
            "url": "https://oregonflatfeelistingservice.com/mls-requirements-and-limitations/",
            "primary": False,
        },
    ],
    "effects": {
        **{each.value: {"treatment": "required", "certainty": "inferred"} for each in Enhancement},
        Enhancement.STAGING.value: {
            "treatment": "required",
            "words": 'Virtual staging must be disclosed on the photograph with the "Virtually Staged" watermark.',
            "certainty": "text_read",
        },
    },
    "label": {
        "picture": "required",
        "caption": "allowed",
        "words": {
            "virtually_staged": "Virtually Staged",
            "virtually_renovated": "Digitally altered",
            "digitally_altered": "Digitally altered",
        },
        "originalLink": "allowed",
    },
    "original": "not_asked",
    "primaryPhoto": "any",
    "pictures": {"maxCount": 32},
}
