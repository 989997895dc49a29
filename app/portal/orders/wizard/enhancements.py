"""Step 4, first part: what is done to all photos of a type."""

from decimal import Decimal
from typing import Any

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.catalogue import ENTRIES, PRESETS, Entry, PhotoType
from app.domain.drafts import Content, Step, read
from app.domain.errors import InvalidRequest
from app.domain.pricing import PricedPhoto, quote
from app.portal.orders.wizard.steps import (
    blueprint,
    from_review,
    keep,
    lacks_before,
    leaving,
    page,
    show,
    version_shown,
    way_on,
)

GROUPS = {group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType}
PRESET = "preset"
NOTHING_OUTSIDE = "Choose at least one enhancement for the exterior."


@blueprint.get("/<draft_id>/enhancements")
def enhancements() -> ResponseReturnValue:
    """The lists for all photos."""
    return lacks_before(Step.ENHANCEMENTS) or _page(page().content)


@blueprint.post("/<draft_id>/enhancements")
def save_enhancements() -> ResponseReturnValue:
    """Keep the lists; a preset sets the one of its type and stays."""
    try:
        typed = ticked(page().content)
    except InvalidRequest:
        return _page(page().content, 422, ("", "Choose from the list below."))
    if not keep(ticked, version_shown()):
        return _page(typed, 409)
    if request.form.get(PRESET):
        return redirect(url_for("drafts.enhancements"), 303)
    if leaving():
        return way_on(Step.ENHANCEMENTS)
    # What only this page can give: public imagery has no page of its own.
    if page().sheet.from_imagery and not page().content.exterior_enhancements:
        return _page(page().content, 422, (f"{PhotoType.EXTERIOR}-0", NOTHING_OUTSIDE))
    return redirect(url_for("drafts.review" if from_review() else "drafts.each"), 303)


def ticked(content: Content) -> Content:
    """The content with the lists of the form. Raises InvalidRequest for names that are no enhancement."""
    lists: dict[str, Any] = {
        f"{group}_enhancements": request.form.getlist(group) for group in PhotoType if content.covers(group)
    }
    if preset := _preset():
        lists[f"{ENTRIES[preset[0]].group}_enhancements"] = list(preset)
    typed = read(Content, lists)
    return content.model_copy(update={name: getattr(typed, name) for name in lists})


def _preset() -> tuple[Any, ...]:
    number = request.form.get(PRESET, "")
    return PRESETS[int(number)] if number in map(str, range(len(PRESETS))) else ()


def _page(typed: Content, http_status: int = 200, fault: tuple[str, str] | None = None) -> ResponseReturnValue:
    groups: dict[PhotoType, list[Entry]] = {group: GROUPS[group] for group in PhotoType if typed.covers(group)}
    presets = {
        group: [(number, pair) for number, pair in enumerate(PRESETS) if ENTRIES[pair[0]].group is group]
        for group in groups
    }
    return show(
        Step.ENHANCEMENTS,
        "enhancements",
        http_status,
        groups=groups,
        one=_exterior_price(1),
        more=_exterior_price(2),
        presets=presets,
        typed=typed,
        fault=fault,
    )


def _exterior_price(count: int) -> Decimal:
    """What so many enhancements cost that have no price of their own."""
    plain = [entry.id for entry in GROUPS[PhotoType.EXTERIOR] if not (entry.property_extra or entry.image_price)]
    return quote([PricedPhoto(PhotoType.EXTERIOR, plain[:count])]).credits
