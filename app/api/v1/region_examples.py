"""Examples of regions for the API's documentation."""

from app.domain.order_files import sample_path
from engine.types.enhancements import ChangeType, Enhancement, PhotoType
from engine.types.hints import HintedSurface
from engine.types.outlook import LABELS, HintPart, Prospect
from engine.types.report import Reason

REQUEST = {
    "serviceType": PhotoType.INTERIOR,
    "interiorFiles": [{"filePath": sample_path(PhotoType.INTERIOR, 0)}],
    "interiorEnhancements": [Enhancement.RENOVATION],
    "renovations": {
        "0": [
            {
                "changeType": ChangeType.FLOOR,
                "changeDescription": "light oak planks",
                "referenceText": "light oak planks",
            }
        ]
    },
}
_FORECAST = {
    "prospect": Prospect.NEEDS_HINT,
    "hint": HintPart.FLOOR,
    "reason": Reason.SURFACE_UNCLEAR,
    "message": "The edges of the floor cannot be made out well enough in this photo.",
}
READY = {
    "status": "ready",
    "width": 6000,
    "height": 4000,
    "outdoors": False,
    "hinted": False,
    "seen": {
        "room": {
            "lines": [
                {"direction": "up", "start": [0.56, 0.07], "end": [0.56, 0.77]},
                {"direction": "along", "start": [0.01, 0.96], "end": [0.52, 0.82]},
            ]
        },
        "surfaces": {"floor": [[[0.01, 0.96], [0.57, 0.81], [1, 0.69], [1, 1], [0, 1]]]},
    },
    "certainties": {"floor": [0.71]},
    "camera": {
        "focal": 0.53,
        "center": [0.5, 0.51],
        "yaw": 37.1,
        "pitch": 0.1,
        "roll": 0.1,
        "height": 1.17,
        "ceiling": 2.6,
        "scaleSource": "ceiling",
        "certainty": 0.93,
    },
    "labels": {"names": [str(each) for each in LABELS], "image": "iVBORw0KGgo="},
    "segments": [
        {"polygon": [[0.01, 0.96], [0.57, 0.81], [0.61, 1], [0, 1]], "seen": HintedSurface.FLOOR, "certainty": 0.93}
    ],
    "plan": {
        "camera": [0, 0],
        "floor": [[[-2.2, 1.9], [2.6, 1.9], [2.6, 4.6], [-2.2, 4.6]]],
        "clear": [],
        "walls": [[[-2.2, 4.6], [2.6, 4.6]]],
        "toPicture": [[0.72, 0.5, 0], [0, 0.46, 1.51], [0, 0.99, 0.17]],
        "layouts": [
            {
                "pieces": [
                    {
                        "piece": "sofa",
                        "main": True,
                        "x": 0.2,
                        "y": 4.1,
                        "turn": 0,
                        "raised": 0,
                        "flat": False,
                        "width": 2.2,
                        "depth": 0.92,
                        "height": 0.82,
                        "at": [0.54, 0.8],
                        "faces": [0.55, 0.98],
                    }
                ]
            }
        ],
    },
    "steps": [
        {
            "enhancement": Enhancement.RENOVATION,
            **_FORECAST,
            "changes": [{"index": 0, "type": ChangeType.FLOOR, **_FORECAST}],
        }
    ],
}
