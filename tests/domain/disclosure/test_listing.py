"""Where a property is advertised, and what is told there of a picture."""

import pytest

from app.domain.catalog import MediaAlteration, media_alterations_of
from app.domain.disclosure.listing import (
    Listing,
    caption,
    find_barred,
    find_disclosures,
    find_jurisdiction,
    picture_label,
    warn_of_barred,
)
from engine.types.enhancements import Enhancement

E = Enhancement
LOS_ANGELES = Listing(jurisdiction="california", mls="crmls")


@pytest.mark.parametrize(
    ("address", "jurisdiction"),
    [
        ("12 Garden Lane, Los Angeles, CA 90001", "california"),
        ("12 Garden Lane, Los Angeles, California 90001", "california"),
        ("12 Garden Lane, Los Angeles, CA", "california"),
        ("12 Garden Lane, Los Angeles, ca 90001-1234, USA", "california"),
        ("4 Lake Road, Madison, WI 53703", "wisconsin"),
        ("8 Shore Road, Newark, NJ 07102", "elsewhere"),
        ("9 West 57th Street, New York, NY 10019", "new-york"),
        ("12 Garden Lane, Springfield, IL 62704", "elsewhere"),
        ("12 Garden Lane 7", "elsewhere"),
        ("1 Rue de Rivoli, 75001 Paris, France", "elsewhere"),
        ("12 King Street, Toronto, ON M5V 1A1", "elsewhere"),
        ("", "elsewhere"),
    ],
)
def test_the_law_follows_the_state_of_the_address(address: str, jurisdiction: str) -> None:
    assert find_jurisdiction(address) == jurisdiction


def test_every_rule_that_holds_tells_its_own_the_law_first() -> None:
    told = find_disclosures(LOS_ANGELES, [E.GRASS, E.SKY, E.HDR])
    assert [(each.rule.id, each.words, each.treatment) for each in told] == [
        ("california", "Digitally altered", "required"),
        ("crmls", "Digitally altered", "barred"),
    ]
    assert find_disclosures(LOS_ANGELES, [E.HDR]) == []
    assert all(each.source and each.source.startswith("https://") for each in told)


def test_what_is_barred_is_warned_of_in_the_words_of_the_rule() -> None:
    assert [(rule.id, each) for rule, each in find_barred(LOS_ANGELES, [E.GRASS, E.STAGING, E.GRASS])] == [
        ("crmls", E.GRASS)
    ]
    (warning,) = warn_of_barred(LOS_ANGELES, [E.GRASS, E.TWILIGHT])
    assert warning.startswith(
        "CRMLS, rule 11.5.2 bars green lawn: Users cannot add, remove, or modify any real part"
    )
    assert find_barred(Listing(jurisdiction="california"), list(Enhancement)) == []


def test_a_label_is_written_into_the_picture_unless_the_service_forbids_words_there() -> None:
    ohio = Listing(mls="mls-now")
    assert picture_label(LOS_ANGELES, [E.STAGING]) == "Virtually staged"
    assert (picture_label(ohio, [E.STAGING]), caption(ohio, [E.STAGING])) == (None, "Virtually staged")
    assert (picture_label(ohio, [E.HDR]), caption(ohio, [E.HDR])) == (None, None)


def test_a_rule_that_a_later_release_dropped_is_as_if_it_had_not_been_chosen() -> None:
    assert [rule.id for rule in Listing(jurisdiction="atlantis", mls="gone").rules] == ["elsewhere"]


def test_reso_has_a_word_for_each_alteration() -> None:
    assert media_alterations_of([E.HDR]) == [MediaAlteration.NONE]
    outside, inside = [E.SKY, E.TWILIGHT, E.GRASS], [E.FURNITURE_REMOVAL, E.STAGING, E.HDR]
    assert media_alterations_of(outside) == ["TwilightConversion", "VirtualEnhancements"]
    assert media_alterations_of(inside) == ["DeclutteredItemRemoved", "VirtualStagingItemAddition"]
