"""What the endpoints of share links take and answer, as the documentation shows it."""

from typing import Any

SHARE_REQUEST: dict[str, Any] = {"title": "Your new listing photos", "days": 7, "mayDownload": True}
_LINK: dict[str, Any] = {
    "id": "shr_6Tq8RbTz1KcWj4Xm3LdYhE",
    "url": "https://app.brightlist.example/shared/7Hq2LmXw9RtBc0ZsVyKd4N",
    "title": "Your new listing photos",
    "mayDownload": True,
    "active": True,
    "createdAt": "2026-11-20T14:03:27.512Z",
    "expiresAt": "2026-11-27T14:03:27.512Z",
}
SHARE_LINK: dict[str, Any] = {**_LINK, "comments": []}
SHARE_LINKS: dict[str, Any] = {
    "shares": [
        {
            **_LINK,
            "lastSeenAt": "2026-11-21T08:15:02.040Z",
            "response": {
                "verdict": "changes_requested",
                "name": "Kim Owner",
                "email": "kim@example.com",
                "message": "The kitchen a little brighter, please.",
                "saidAt": "2026-11-21T08:21:40.310Z",
            },
            "comments": [
                {
                    "photo": 1,
                    "imageId": "img_1GvJd8MkUs3XrPa6ZyOe5N",
                    "favourite": True,
                    "text": "This one first.",
                    "saidAt": "2026-11-21T08:17:11.902Z",
                }
            ],
        }
    ]
}
SHARE_LINK_REVOKED: dict[str, Any] = {"success": True, "id": "shr_6Tq8RbTz1KcWj4Xm3LdYhE"}
