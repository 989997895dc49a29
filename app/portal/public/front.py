"""The front page, which presents the service, and the status page, which shows whether it works now."""

from dataclasses import dataclass

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.catalog import ENTRIES
from app.domain.welcome import price_small_house
from app.portal.figures import describe_figures
from app.portal.fragments import render_page_or_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.public import examples
from app.web.context import container
from app.web.health import parts
from engine.types.enhancements import PhotoType

blueprint = PageBlueprint("front", __name__)

POLL_SECONDS = 15
_ROBOTS = "User-agent: *\nDisallow: /api/\nDisallow: /orders\nDisallow: /account\nAllow: /\n"


@dataclass(frozen=True, slots=True)
class FrontPart:
    """One part of the service in words: its purpose, and what does not work while it is unavailable."""

    label: str
    purpose: str
    missing: str


PARTS: dict[str, FrontPart] = {
    "database": FrontPart(
        "Records",
        "Accounts, orders and credits.",
        "Signing in, ordering and the API do not work. Nothing that was saved is lost.",
    ),
    "sweeper": FrontPart(
        "Scheduler",
        "Starts work that is due: photos, webhooks, mail, refunds.",
        "Orders are accepted, but some work starts late.",
    ),
    "redis": FrontPart(
        "Queue",
        "Notifies idle workers of new work.",
        "Orders are saved, but start later than usual.",
    ),
    "storage": FrontPart(
        "Photo store",
        "Keeps photos and results.",
        "Uploads and downloads do not work. Stored files are safe.",
    ),
}
"""Parts by their names in `/readyz`."""


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """The front page: a short presentation, and an example of the engine's results."""
    example = examples.find_example(request.args.get("example", ""))
    return render_template(
        "portal/public/front.html",
        example=example,
        examples=examples,
        figures=describe_figures(examples.read_reports()[example.name].figures),
        generative=container().generative is not None,
        welcome_credits=container().settings.welcome_credits,
        covers_small_house=container().settings.welcome_credits >= price_small_house(),
        groups={group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType},
    )


@blueprint.get("/status")
def status() -> ResponseReturnValue:
    """Every part and whether it works now; for htmx only the list. Answers even while parts are unavailable."""
    here = container()
    found = {
        name: (PARTS.get(name, FrontPart(name.capitalize(), "", "")), works) for name, works in parts(here).items()
    }
    response = render_page_or_fragment(
        "portal/public/status.html",
        "portal/public/_parts.html",
        parts=found,
        works=all(works for _, works in found.values()),
        now=here.clock(),
        poll_seconds=POLL_SECONDS,
    )
    response.cache_control.no_store = True
    return response


@blueprint.get("/robots.txt")
def robots() -> Response:
    """The rules for crawlers."""
    return Response(_ROBOTS, mimetype="text/plain")
