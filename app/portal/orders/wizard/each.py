"""Step 4, second part: every photo with what is done to it, and what is still to be said of it."""

from collections.abc import Sequence

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from app.domain.draft_orders import Lack
from app.domain.drafts import Step
from app.domain.orders import StagingWish
from app.domain.pricing import PricedPhoto, image_price
from app.portal.orders.wizard.steps import blueprint, lacks_at, lacks_before, leaving, links, page, show, way_on


@blueprint.get("/<draft_id>/enhancements/each")
def each() -> ResponseReturnValue:
    """The list of photos."""
    return lacks_before(Step.ENHANCEMENTS) or _page()


@blueprint.post("/<draft_id>/enhancements/each")
def save_each() -> ResponseReturnValue:
    """Go on once every photo is complete; nothing is changed here."""
    lacks = lacks_at(Step.ENHANCEMENTS)
    if leaving():
        return way_on(Step.ENHANCEMENTS)
    return _page(422, lacks) if lacks else redirect(url_for("drafts.review"), 303)


def _page(http_status: int = 200, lacks: Sequence[Lack] = ()) -> ResponseReturnValue:
    sheet = page().sheet
    incomplete = {lack.photo_id for lack in lacks_at(Step.ENHANCEMENTS)}
    alone = {
        photo.id: image_price(PricedPhoto(photo.type, sheet.chosen(photo), len(photo.wish.changes)))
        for photo in sheet.photos
    }
    return show(
        Step.ENHANCEMENTS,
        "each",
        http_status,
        faults=links(lacks),
        incomplete=incomplete,
        alone=alone,
        usual=StagingWish(),
        back_url=url_for("drafts.enhancements"),
    )
