"""The example of an order's evidence in the documentation."""

from typing import Any

from app.api.v1.examples import PUBLIC_PAGE
from app.domain.catalogue import Enhancement
from app.domain.complaints import Flaw
from app.domain.events import SAMPLE_ENGINE_VERSION
from app.domain.lifecycle import Status

EVIDENCE: dict[str, Any] = {
    "jobId": "job_4Wq1ZbNt8KcYo5Xr2VdJpS",
    "orderedBy": "Jo Agent",
    "orderedAt": "2026-11-20T14:03:27.512Z",
    "address": "12 Garden Lane, Pasadena, CA 91101",
    "status": Status.DELIVERED.value,
    "settledAt": "2026-11-20T14:05:02.118Z",
    "expiredAt": "2026-11-27T14:05:31.006Z",
    "rules": [
        {
            "id": "crmls",
            "kind": "mls",
            "name": "CRMLS, rule 11.5.2",
            "version": 1,
            "versionNow": 1,
            "checked": "2026-11-26",
            "source": "https://kb.crmls.org/?p=10900",
        },
    ],
    "acceptedBarred": [
        {
            "rule": "crmls",
            "version": 1,
            "enhancement": Enhancement.GRASS.value,
            "acceptedAt": "2026-11-20T14:03:27.512Z",
        }
    ],
    "complete": True,
    "pictures": [
        {
            "number": 1,
            "type": "exterior",
            "fileName": "front.jpg",
            "imageId": "img_1GvJd8MkUs3XrPa6ZyOe5N",
            "edits": [{"enhancement": Enhancement.GRASS.value, "applied": True, "changes": []}],
            "caption": "Digitally altered",
            "label": "Digitally altered",
            "verdict": "approved",
            "decidedBy": "automatic",
            "originalSha256": "9f2c" * 16,
            "alteredSha256": "41be" * 16,
            "engineVersion": SAMPLE_ENGINE_VERSION,
            "figures": [
                {
                    "code": "outside_difference",
                    "label": "Colour change where nothing may change (CIEDE2000)",
                    "value": 0.21,
                    "maximum": 1,
                    "passed": True,
                }
            ],
            "revisions": [
                {
                    "round": 1,
                    "flaw": Flaw.LAWN_ON_BUSH.value,
                    "sentBackAt": "2026-11-21T09:12:40.330Z",
                    "outcome": "revised",
                    "decidedBy": "automatic",
                    "decidedAt": "2026-11-21T09:12:58.004Z",
                    "beforeSha256": "7d03" * 16,
                }
            ],
        }
    ],
    "publicPages": [
        {
            "url": PUBLIC_PAGE["url"],
            "publishedAt": "2026-11-20T15:00:00.000Z",
            "expiresAt": "2028-11-09T15:00:00.000Z",
            "showsAddress": False,
            "pictures": [1],
            "lostOriginals": [],
        }
    ],
    "note": "Kept by the service as it happened. Not legal advice.",
}
