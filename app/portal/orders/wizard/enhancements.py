"""Step 4: what is done to all photos of a type, and the list of the photos with what each of them lacks."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.catalogue import ENTRIES, PRESETS, Enhancement, Entry, PhotoType, Style
from app.domain.disclosure.listing import barred_by
from app.domain.disclosure.rules import Rule
from app.domain.draft_orders import listing_of
from app.domain.drafts import Content, Step, read
from app.domain.errors import InvalidRequest
from app.domain.pricing import PricedPhoto, image_price, photo_with, quote
from app.portal.option_forms import STAGING_STYLE, read_options_for_all, read_staging_style
from app.portal.orders.wizard import house_style
from app.portal.orders.wizard.problems import Problem
from app.portal.orders.wizard.steps import (
    blueprint,
    go_on,
    is_from_review,
    is_leaving,
    link_problems,
    list_problems,
    page,
    pressed_button,
    read_version,
    redirect_to_problem,
    render_step,
    save_content,
)

GROUPS = {group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType}
PRESET = "preset"
_HOUSE_STYLE = {house_style.USE: house_style.use_chosen, house_style.KEEP: house_style.keep_choices}
NOTHING_OUTSIDE = "Choose at least one enhancement for the exterior."


@blueprint.get("/<draft_id>/enhancements")
def enhancements() -> ResponseReturnValue:
    """The lists for all photos."""
    return redirect_to_problem(Step.ENHANCEMENTS) or _page(page().content)


@blueprint.post("/<draft_id>/enhancements")
def save_enhancements() -> ResponseReturnValue:
    """Keep the lists and options; a suggestion sets the list of its type, a house style all, and both stay here."""
    try:
        typed = read_ticked(page().content)
    except InvalidRequest:
        return _page(page().content, 422, ("", "Choose from the list below."))
    if not save_content(read_ticked, read_version()):
        return _page(typed, 409)
    if request.form.get(PRESET):
        return redirect(url_for("drafts.enhancements"), 303)
    about_style = _HOUSE_STYLE.get(pressed_button())
    return _go_on() if about_style is None else _stay(about_style())


def _stay(faults: Mapping[str, str]) -> ResponseReturnValue:
    """The page with what became of the house style."""
    if faults:
        return _page(page().content, 422, next(iter(faults.items())))
    return redirect(url_for("drafts.enhancements"), 303)


def _go_on() -> ResponseReturnValue:
    if is_leaving():
        return go_on(Step.ENHANCEMENTS)
    # What only this page can give: public imagery has no page of its own.
    if page().order.from_imagery and not page().content.exterior_enhancements:
        return _page(page().content, 422, (f"{PhotoType.EXTERIOR}-0", NOTHING_OUTSIDE))
    return redirect(url_for("drafts.review" if is_from_review() else "drafts.each"), 303)


def read_ticked(content: Content) -> Content:
    """The content with the lists and options of the form. Raises InvalidRequest for names that are none of ours."""
    lists: dict[str, Any] = {
        f"{group}_enhancements": request.form.getlist(group) for group in PhotoType if content.covers(group)
    }
    if preset := _read_preset():
        lists[f"{ENTRIES[preset[0]].group}_enhancements"] = list(preset)
    lists["options"] = read_options_for_all(content.options)
    lists[STAGING_STYLE] = read_staging_style(content.staging_style)
    typed = read(Content, lists)
    return content.model_copy(update={name: getattr(typed, name) for name in lists})


def _read_preset() -> tuple[Any, ...]:
    number = request.form.get(PRESET, "")
    return PRESETS[int(number)] if number in map(str, range(len(PRESETS))) else ()


def _page(typed: Content, http_status: int = 200, fault: tuple[str, str] | None = None) -> ResponseReturnValue:
    groups: dict[PhotoType, list[Entry]] = {group: GROUPS[group] for group in PhotoType if typed.covers(group)}
    presets = {
        group: [(number, pair) for number, pair in enumerate(PRESETS) if ENTRIES[pair[0]].group is group]
        for group in groups
    }
    return render_step(
        Step.ENHANCEMENTS,
        "enhancements",
        http_status,
        groups=groups,
        one=_price_exterior(1),
        more=_price_exterior(2),
        presets=presets,
        typed=typed,
        fault=fault,
        barred=find_barred_here(),
        styles=list(Style),
        **house_style.list_values(typed, dict([fault] if fault else [])),
    )


def find_barred_here() -> Mapping[Enhancement, list[tuple[Rule, str]]]:
    """What is barred where the property of this draft is advertised: each enhancement with the rules and their
    words.
    """
    listing = listing_of(page().order)
    return {entry.id: found for entry in ENTRIES.values() if (found := barred_by(listing, entry.id))}


def _price_exterior(count: int) -> Decimal:
    """What so many enhancements cost that have no price of their own."""
    plain = [entry.id for entry in GROUPS[PhotoType.EXTERIOR] if not (entry.property_extra or entry.image_price)]
    return quote([photo_with(*plain[:count])]).credits


@blueprint.get("/<draft_id>/enhancements/each")
def each() -> ResponseReturnValue:
    """Show every photo with what is done to it, and what is still to be said of it."""
    return redirect_to_problem(Step.ENHANCEMENTS) or _each_page()


@blueprint.post("/<draft_id>/enhancements/each")
def save_each() -> ResponseReturnValue:
    """Go on once every photo is complete; nothing is changed here."""
    problems = list_problems(Step.ENHANCEMENTS)
    if is_leaving():
        return go_on(Step.ENHANCEMENTS)
    return _each_page(422, problems) if problems else redirect(url_for("drafts.review"), 303)


def _each_page(http_status: int = 200, problems: Sequence[Problem] = ()) -> ResponseReturnValue:
    order = page().order
    incomplete = {problem.photo_id for problem in list_problems(Step.ENHANCEMENTS)}
    alone = {photo.id: image_price(PricedPhoto(photo.type, order.edit_request(photo))) for photo in order.photos}
    return render_step(
        Step.ENHANCEMENTS,
        "each",
        http_status,
        faults=link_problems(problems),
        incomplete=incomplete,
        alone=alone,
        back_url=url_for("drafts.enhancements"),
    )
