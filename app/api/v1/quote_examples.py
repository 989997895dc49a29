"""Examples of quotes for the API's documentation."""

from app.api.v1.disclosure_answers import DisclosureAnswer, ListingAnswer
from app.api.v1.examples import example_of
from app.api.v1.region_answers import RegionsStatus
from app.domain.order_files import SAMPLE_SESSION, sample_path
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.outlook import HintPart, Prospect
from engine.types.report import Reason

REQUEST = {
    "serviceType": PhotoType.INTERIOR,
    "uploadSessionId": SAMPLE_SESSION,
    "interiorFiles": [{"filePath": sample_path(PhotoType.INTERIOR, 0)}],
    "interiorEnhancements": [Enhancement.STAGING, Enhancement.HDR],
}
_STAGING = {
    "label": "Virtual staging",
    "enhancement": Enhancement.STAGING,
    "quantity": 1,
    "unitCredits": 1,
    "credits": 1,
}
_HDR = {"label": "HDR balance", "enhancement": Enhancement.HDR, "quantity": 1, "unitCredits": 0.5, "credits": 0.5}
_UNCLEAR = {
    "prospect": Prospect.NEEDS_HINT,
    "hint": HintPart.ROOM,
    "reason": Reason.ROOM_UNCLEAR,
    "message": "The room could not be measured in this photo.",
}
ANSWER = {
    "creditCost": 1.5,
    "lines": [_STAGING, _HDR],
    "warnings": [],
    "listing": example_of(ListingAnswer),
    "photos": [
        {
            "type": PhotoType.INTERIOR,
            "index": 0,
            "disclosures": [example_of(DisclosureAnswer)],
            "forecast": {
                "status": RegionsStatus.READY,
                "steps": [
                    {"enhancement": Enhancement.STAGING, **_UNCLEAR},
                    {"enhancement": Enhancement.HDR, "prospect": Prospect.LIKELY},
                ],
            },
        }
    ],
    "possible": {"creditCost": 0.5, "lines": [_HDR]},
}
