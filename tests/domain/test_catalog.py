"""What is sold, in which order it is applied, what it costs."""

from decimal import Decimal
from itertools import product

import pytest

from app.domain.catalog import ENTRIES, EXCLUSIVE, MediaAlteration, keep_compatible, suggest
from app.domain.pricing import PricedPhoto, quote
from engine.effects.sky_enhancement import EFFECTS_WITH_SKY
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import (
    ENHANCEMENTS,
    Enhancement,
    PhotoType,
    WorkSize,
    in_pipeline_order,
    work_size_of,
)

E = Enhancement


def outside(*enhancements: Enhancement) -> PricedPhoto:
    return PricedPhoto(PhotoType.EXTERIOR, EditRequest(enhancements=enhancements))


def inside(*enhancements: Enhancement, changes: int = 0) -> PricedPhoto:
    return PricedPhoto(
        PhotoType.INTERIOR, EditRequest(enhancements=enhancements, changes=(RenovationChange(),) * changes)
    )


@pytest.mark.parametrize(
    ("photos", "cost"),
    [
        ([outside(E.SKY)], "1"),
        ([outside(E.SKY), outside(E.SKY)], "1"),
        ([outside(E.SKY, E.GRASS)], "2"),
        ([outside(E.SKY), outside(E.GRASS), outside(E.GOLDEN_HOUR)], "2"),
        ([outside(E.TWILIGHT)], "1.5"),
        ([outside(E.TWILIGHT), outside(E.TWILIGHT, E.GRASS)], "2.5"),
        ([inside(E.HDR), inside(E.FLAMBIENT), inside(E.DECLUTTER)], "1.5"),
        ([inside(E.FURNITURE_REMOVAL, E.STAGING)], "2"),
        ([inside(E.RENOVATION, changes=3)], "3"),
        ([outside(E.SKY), inside(E.HDR, E.DECLUTTER), inside(E.STAGING)], "3"),
    ],
)
def test_an_order_costs_what_the_price_list_says(photos: list[PricedPhoto], cost: str) -> None:
    assert quote(photos).credits == Decimal(cost)


def test_the_lines_of_a_quote_add_up_to_its_total() -> None:
    price = quote([outside(E.TWILIGHT, E.SKY), inside(E.HDR, E.STAGING), inside(E.HDR)])
    assert sum(line.credits for line in price.lines) == price.credits == Decimal("4.5")
    assert [(line.enhancement, line.quantity) for line in price.lines] == [
        (None, 1),
        (E.TWILIGHT, 1),
        (E.STAGING, 1),
        (E.HDR, 2),
    ]


def test_what_stands_in_a_room_changes_before_the_light_on_it() -> None:
    mixed = [E.HDR, E.STAGING, E.DECLUTTER, E.FURNITURE_REMOVAL, E.FLAMBIENT, E.RENOVATION]
    expected = [E.DECLUTTER, E.FURNITURE_REMOVAL, E.RENOVATION, E.STAGING, E.HDR, E.FLAMBIENT]
    assert in_pipeline_order(mixed) == expected


def test_every_enhancement_is_sold_in_the_order_in_which_it_is_applied() -> None:
    assert set(ENTRIES) == set(Enhancement)
    assert list(ENTRIES) == list(ENHANCEMENTS)


def test_what_is_suggested_is_of_one_group_and_nothing_that_customers_are_warned_of() -> None:
    for group, server in product(PhotoType, (False, True)):
        suggested = [step for _, steps in suggest(group, generative=server) for step in steps]
        assert {ENTRIES[each].group for each in suggested} == {group}
        assert not any(ENTRIES[each].warning(generative=server) for each in suggested)
    assert [steps for _, steps in suggest(PhotoType.INTERIOR, generative=False)] == [(E.HDR,), (E.FLAMBIENT,)]
    assert (E.FURNITURE_REMOVAL, E.STAGING) in dict(suggest(PhotoType.INTERIOR, generative=True)).values()


def test_of_enhancements_that_draw_their_own_sky_the_newest_stays_else_the_last_applied() -> None:
    assert {E.SKY, *EFFECTS_WITH_SKY} == set(EXCLUSIVE)
    assert keep_compatible([E.GRASS, E.SKY, E.GOLDEN_HOUR], [E.GOLDEN_HOUR]) == [E.GRASS, E.SKY]
    assert keep_compatible([E.SKY, E.GOLDEN_HOUR], [E.SKY]) == [E.GOLDEN_HOUR]
    assert keep_compatible([E.SKY, E.TWILIGHT, E.GOLDEN_HOUR]) == [E.TWILIGHT]
    assert keep_compatible([E.HDR, E.FLAMBIENT]) == [E.HDR, E.FLAMBIENT]


def test_odd_combinations_are_warned_of() -> None:
    assert quote([outside(E.TWILIGHT, E.GOLDEN_HOUR)]).warnings
    assert quote([outside(E.SKY, E.GOLDEN_HOUR)] * 2).warnings == (
        "Blue sky and Golden hour on one photo: each draws its own sky, so only golden hour shows.",
    )
    assert quote([inside(E.FURNITURE_REMOVAL)]).warnings
    assert not quote([outside(E.TWILIGHT), outside(E.GOLDEN_HOUR)]).warnings
    assert quote([inside(E.STAGING)]).warnings
    assert not quote([inside(E.FURNITURE_REMOVAL, E.STAGING)]).warnings


def test_all_but_plain_light_is_disclosed_and_what_shows_what_was_not_there_is_asked_of_a_server() -> None:
    invented = {entry.id for entry in ENTRIES.values() if entry.generative}
    assert invented == {E.DECLUTTER, E.FURNITURE_REMOVAL, E.STAGING, E.RENOVATION}
    plain = {entry.id for entry in ENTRIES.values() if entry.disclosure is None}
    assert plain == {E.HDR, E.FLAMBIENT}
    assert plain == {entry.id for entry in ENTRIES.values() if entry.media_alteration is MediaAlteration.NONE}


def test_a_photo_takes_as_long_as_the_longest_of_what_is_made_of_it() -> None:
    # As measured: docs/performance.md, "What a photo costs".
    assert [each for each in Enhancement if work_size_of([each]) is WorkSize.HEAVY] == [E.STAGING]
    assert EditRequest(enhancements=(E.FURNITURE_REMOVAL, E.STAGING)).work_size is WorkSize.HEAVY
    assert EditRequest(enhancements=(E.DECLUTTER, E.HDR)).work_size is WorkSize.LIGHT
    assert EditRequest().work_size is WorkSize.LIGHT
