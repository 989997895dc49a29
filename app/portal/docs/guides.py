"""The guides of the documentation, each with the templates that it consists of."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Guide:
    """A page about something that all operations have in common. `name`: its address; `chapters`: its templates, in
    order.
    """

    name: str
    title: str
    about: str
    chapters: Sequence[str]


GUIDES = (
    Guide("authentication", "Authentication", "API keys, and where to keep them.", ("authentication",)),
    Guide(
        "test-mode",
        "Test mode",
        "Test keys, with which nothing is charged, and addresses that bring about each outcome.",
        ("test_mode",),
    ),
    Guide("programs", "A whole order", "Programs to copy that upload, order, wait and download.", ("programs",)),
    Guide("clients", "Clients", "Packages, and a collection for Postman.", ("clients",)),
    Guide(
        "upload-element",
        "Uploads from your pages",
        "An element by which your customers upload on your own page, without your key.",
        ("upload_element",),
    ),
    Guide("agents", "Agents (MCP)", "An MCP server for agents, with a monthly budget for each key.", ("agents",)),
    Guide("errors", "Errors", "The one shape of all refusals, and every code.", ("errors",)),
    Guide("retries", "Trying again", "Which requests are safe to repeat, and when.", ("retries",)),
    Guide(
        "limits",
        "Limits",
        "How many requests, which photos, and for how long.",
        ("limits", "photos", "figures"),
    ),
    Guide("events", "Events", "What is sent to webhooks, and when.", ("events", "event_shapes")),
    Guide(
        "signatures",
        "Signatures of events",
        "How to check that an event is from Brightlist, with receivers to copy.",
        ("signatures", "receivers"),
    ),
    Guide(
        "deliveries",
        "Deliveries of events",
        "Retries, duplicates, order, and changing the secret.",
        ("deliveries",),
    ),
    Guide("versions", "Versions", "What may change at any time, and how an operation ends.", ("versions",)),
    Guide("changes", "Changes", "What changed for programs, day by day, with a feed.", ("changes",)),
)
