"""What a pack for a listing service holds, by every rule: order, names, originals, labels, bars, limits."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.disclosure.listing import Listing, list_rules
from app.domain.disclosure.mls_packs import PackPhoto, PackPicture, PackPlan, plan_pack
from app.domain.disclosure.pack_files import PackedPicture, list_pack_files
from app.domain.disclosure.pack_warnings import PackWarning, PackWarningCode, describe_warning
from app.domain.disclosure.rule_files import all_rules
from app.domain.disclosure.rules import Demand, OriginalPlace, PictureLimits, PrimaryPhoto, Rule, RuleKind
from app.domain.reso_image_of import ImageOf, find_image_of
from engine.types.enhancements import Enhancement, PhotoType, RoomType

E = Enhancement
MLS = [rule.id for rule in list_rules(RuleKind.MLS)]
PAGE = "https://brightlist.example/o/abc"
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def photo(number: int, name: str, *applied: Enhancement, inside: bool = False, **values) -> PackPhoto:
    kind = PhotoType.INTERIOR if inside else PhotoType.EXTERIOR
    altered = PackPicture(f"results/{number}.jpg", applied)
    return PackPhoto(number, kind, name, f"uploads/{number}", altered, **values)


def house(**values) -> list[PackPhoto]:
    """Front with lawn and sky, back at dusk, a living room staged, a kitchen with plain light."""
    return [
        photo(1, "front.jpg", E.GRASS, E.SKY, **values),
        photo(2, "Back Yard.jpg", E.TWILIGHT, **values),
        photo(3, "living.jpg", E.STAGING, inside=True, **values),
        photo(4, "kitchen.jpg", E.HDR, inside=True, **values),
    ]


def planned(mls: str, photos: list[PackPhoto], jurisdiction: str = "elsewhere", **options) -> PackPlan:
    return plan_pack(photos, Listing(jurisdiction=jurisdiction, mls=mls), all_rules()[mls], **options)


def by(rule: Rule, photos: list[PackPhoto], **options) -> PackPlan:
    """The same by a rule that no file has."""
    return plan_pack(photos, Listing(), rule, **options)


def changed(**values) -> Rule:
    return all_rules()["elsewhere"].model_copy(update=values)


def paths(plan: PackPlan) -> list[str]:
    return [each.path for each in plan.entries]


def warned(plan: PackPlan) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.code.value, each.photos) for each in plan.warnings]


def test_crmls_gets_pairs_and_what_it_bars_as_the_original() -> None:
    plan = planned("crmls", house(), "california", page_url=None)
    assert paths(plan) == [
        "01-front-original.jpg",
        "02-back-yard-altered.jpg",
        "03-back-yard-original.jpg",
        "04-living-altered.jpg",
        "05-living-original.jpg",
        "06-kitchen.jpg",
    ]
    assert warned(plan) == [("barred_so_original", (1,)), ("originals_not_published", (2, 3))]
    assert plan.entries[1].caption == "Digitally altered. The original, unaltered photo follows."
    assert {each.label for each in plan.entries} == {None}, "CRMLS leaves it open"


def test_what_is_barred_is_left_out_where_there_is_a_picture_without_it() -> None:
    front = replace(house()[0], without_barred=PackPicture("results/1-sky.jpg", (E.SKY,)))
    plan = planned("crmls", [front])
    assert [(each.path, each.key) for each in plan.entries] == [
        ("01-front-altered.jpg", "results/1-sky.jpg"),
        ("02-front-original.jpg", "uploads/1"),
    ]
    (warning,) = plan.warnings
    assert warning.code is PackWarningCode.BARRED_STEPS_LEFT_OUT
    assert describe_warning(warning, all_rules()["crmls"]) == (
        "CRMLS bars green lawn: photo 1 is in the pack without it."
    )


@pytest.mark.parametrize("left", [(), (E.GRASS,)])
def test_a_picture_that_is_barred_still_or_without_any_step_stands_in_for_nothing(left) -> None:
    front = replace(house()[0], without_barred=PackPicture("results/1-other.jpg", left))
    assert [each.key for each in planned("crmls", [front]).entries] == ["uploads/1"]


def test_californias_link_is_part_of_each_caption_and_of_the_remarks() -> None:
    photos = [replace(each, original_url=f"{PAGE}/{each.number}") for each in house()]
    plan = planned("crmls", photos, "california", page_url=PAGE)
    assert "originals_not_published" not in dict(warned(plan))
    captions = {each.path: each.caption for each in plan.entries}
    assert captions["02-back-yard-altered.jpg"] == f"Digitally altered. Original, unaltered image: {PAGE}/2"
    assert captions["04-living-altered.jpg"] == f"Virtually staged. Original, unaltered image: {PAGE}/3"
    assert captions["06-kitchen.jpg"] == ""
    assert plan.remarks == (
        f"Pictures of this property were digitally altered. Original, unaltered images: {PAGE}",
    )


def test_mls_now_begins_with_an_unaltered_outside_and_draws_no_label() -> None:
    plan = planned("mls-now", house(), labeled=True)
    assert paths(plan) == [
        "01-front-original.jpg",
        "02-back-yard-original.jpg",
        "03-living-altered.jpg",
        "04-kitchen.jpg",
        "originals/03-living-original.jpg",
    ]
    assert warned(plan) == [("label_forbidden", ()), ("barred_so_original", (1,)), ("barred_so_original", (2,))]
    assert {each.label for each in plan.entries} == {None}
    assert plan.entries[-1].is_optional
    assert not plan.entries[0].is_optional


def test_where_every_outside_is_altered_the_original_of_the_first_comes_before_it() -> None:
    plan = planned("mls-now", [photo(1, "front.jpg", E.SKY), photo(2, "bed.jpg", E.STAGING, inside=True)])
    assert paths(plan) == [
        "01-front-original.jpg",
        "02-front-altered.jpg",
        "03-bed-altered.jpg",
        "originals/03-bed-original.jpg",
    ]
    assert warned(plan) == [("original_is_first", (1,))]


def test_an_unaltered_outside_is_brought_to_the_front_and_none_is_said() -> None:
    photos = [photo(1, "front.jpg", E.SKY), photo(2, "side.jpg")]
    plan = planned("mls-now", photos)
    assert paths(plan) == ["01-side.jpg", "02-front-altered.jpg", "originals/02-front-original.jpg"]
    alone = planned("mls-now", [photo(1, "bed.jpg", E.STAGING, inside=True)])
    assert warned(alone) == [("no_exterior", ())]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (OriginalPlace.AFTER, ["01-a-original.jpg", "02-a-altered.jpg", "03-a-original.jpg"]),
        (OriginalPlace.BEFORE_OR_AFTER, ["01-a-original.jpg", "02-a-altered.jpg"]),
        (OriginalPlace.IN_SET, ["01-a-original.jpg", "02-a-altered.jpg"]),
    ],
)
def test_an_unaltered_first_picture_keeps_what_is_asked_of_pairs(place: OriginalPlace, wanted: list[str]) -> None:
    rule = changed(original=place, primary_photo=PrimaryPhoto.UNALTERED_EXTERIOR)
    assert paths(by(rule, [photo(1, "a.jpg", E.SKY)])) == wanted


@pytest.mark.parametrize("mls", MLS)
def test_every_rule_is_kept(mls: str) -> None:
    rule = all_rules()[mls]
    plan = planned(mls, house(), labeled=True)
    in_set = plan.in_set
    assert [each.order for each in in_set] == list(range(1, len(in_set) + 1))
    assert [each.path[:2] for each in in_set] == [f"{each.order:02}" for each in in_set]
    for place, each in enumerate(in_set):
        assert not any(rule.treatment_of(step) == "barred" for step in each.applied)
        told = rule.label_for(each.applied)
        assert each.path.endswith("-altered.jpg") == bool(told)
        assert bool(each.label) == (bool(told) and rule.label.picture is not Demand.FORBIDDEN)
        if told:
            assert each.caption.startswith(told)
            after = in_set[place + 1] if place + 1 < len(in_set) else None
            if rule.original is OriginalPlace.NOT_ASKED:
                assert after is None or not after.is_original or after.photo != each.photo
                assert any(other.is_original and other.photo == each.photo for other in plan.entries)
            else:
                assert after is not None
                assert (after.photo, after.is_original) == (each.photo, True)
    if rule.primary_photo is PrimaryPhoto.UNALTERED_EXTERIOR:
        assert not in_set[0].disclosure
    assert in_set[0].photo == 1, "the outside comes first"
    told_in_set = any(each.disclosure for each in in_set)
    assert (rule.label.remarks in plan.remarks) == (bool(rule.label.remarks) and told_in_set)


@pytest.mark.parametrize("mls", MLS)
def test_a_label_is_drawn_where_the_rule_asks_and_by_choice_where_it_leaves_it_open(mls: str) -> None:
    rule = all_rules()[mls]
    labels = {each.label for each in planned(mls, house()).entries} - {None}
    assert bool(labels) == (rule.label.picture is Demand.REQUIRED)


def test_what_is_over_the_count_is_left_out_from_the_end_and_pairs_stay_together() -> None:
    rule = changed(original=OriginalPlace.AFTER, pictures=PictureLimits(max_count=4))
    photos = [photo(each, f"{each}.jpg", E.SKY) for each in (1, 2, 3)]
    plan = by(rule, photos)
    assert paths(plan) == ["01-1-altered.jpg", "02-1-original.jpg", "03-2-altered.jpg", "04-2-original.jpg"]
    assert warned(plan) == [("over_count", (3,))]
    odd = by(changed(original=OriginalPlace.AFTER, pictures=PictureLimits(max_count=3)), photos)
    assert len(odd.in_set) == 2, "no half of a pair"
    assert warned(odd) == [("over_count", (2, 3))]


def test_two_hundred_pictures_sort_by_their_names_and_no_two_are_called_alike() -> None:
    photos = [photo(each, "IMG (1).jpg", E.SKY) for each in range(1, 101)]
    names = paths(by(changed(original=OriginalPlace.AFTER), photos))
    assert len(names) == len(set(names)) == 200
    assert names == sorted(names)
    assert names[0] == "001-img-1-altered.jpg"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("居間 🏠.heic", "01-exterior.jpg"),
        ("Façade Ünder.PNG", "01-facade-under.jpg"),
        ("../../etc/passwd", "01-passwd.jpg"),
        ("=cmd()|x.jpg", "01-cmd-x.jpg"),
        ("x" * 300 + ".jpg", f"01-{'x' * 40}.jpg"),
        ("noending", "01-noending.jpg"),
    ],
)
def test_pictures_are_called_in_plain_letters_whatever_the_photo_is_called(name: str, called: str) -> None:
    assert paths(planned("crmls", [photo(1, name)])) == [called]


def test_the_digest_differs_when_anything_of_the_pack_does() -> None:
    plain = planned("crmls", house(), "california")
    linked = [replace(each, original_url=f"{PAGE}/{each.number}") for each in house()]
    others = [
        planned("crmls", house(), "california", labeled=True),
        planned("bay-east", house(), "california"),
        planned("crmls", linked, "california", page_url=PAGE),
        planned("crmls", house()[1:], "california"),
    ]
    assert plain.digest == planned("crmls", house(), "california").digest
    assert len({plain.digest, *(each.digest for each in others)}) == 5


def files_of(plan: PackPlan, rule: Rule) -> dict[str, str]:
    packed = [PackedPicture(each, 1200, 800) for each in plan.entries]
    return dict(list_pack_files(plan, rule, packed, plan.warnings, NOW))


def test_the_media_fields_are_those_of_reso_and_only_of_the_set() -> None:
    photos = [replace(each, image_of=find_image_of(each.file_name, None)) for each in house()]
    plan = planned("mls-now", photos)
    files = files_of(plan, all_rules()["mls-now"])
    media = json.loads(files["media.json"])["value"]
    assert [each["Order"] for each in media] == [1, 2, 3, 4]
    assert media[2] == {
        "Order": 3,
        "MediaObjectID": "03-living-altered.jpg",
        "MediaCategory": "Photo",
        "MimeType": "image/jpeg",
        "ImageWidth": 1200,
        "ImageHeight": 800,
        "PreferredPhotoYN": False,
        "LongDescription": "Virtually staged",
        "MediaAlteration": ["VirtualStagingItemAddition"],
        "ImageOf": "LivingRoom",
    }
    assert (media[0]["MediaAlteration"], media[0]["PreferredPhotoYN"]) == (["None"], True)
    rows = list(csv.DictReader(io.StringIO(files["media.csv"].removeprefix("\ufeff"))))
    assert [(row["Order"], row["ImageOf"]) for row in rows] == [
        ("1", "FrontOfStructure"),
        ("2", "Yard"),
        ("3", "LivingRoom"),
        ("4", "Kitchen"),
    ]


def test_captions_and_words_open_in_a_spreadsheet_and_say_what_the_pack_is() -> None:
    plan = planned("stellar", house())
    files = files_of(plan, all_rules()["stellar"])
    assert files["captions.csv"].startswith("\ufefffile,caption\r\n")
    rows = list(csv.DictReader(io.StringIO(files["captions.csv"].removeprefix("\ufeff"))))
    assert rows[1] == {"file": "02-back-yard-altered.jpg", "caption": "Virtually staged"}
    assert files["remarks.txt"] == "One or more photo(s) was virtually staged.\r\n"
    readme = files["README.txt"]
    for words in (
        "Stellar MLS",
        "version 1",
        "2026-11-26",
        "rules.stellarmls.com",
        "not legal advice",
        "bars",
    ):
        assert words in readme
    plain = planned("stellar", [photo(1, "kitchen.jpg", E.HDR, inside=True)])
    assert "remarks.txt" not in files_of(plain, all_rules()["stellar"])


def test_no_cell_of_a_table_is_a_formula() -> None:
    plan = planned("crmls", [photo(1, "a.jpg")])
    entry = replace(plan.entries[0], caption="=HYPERLINK(1)")
    files = list_pack_files(plan, all_rules()["crmls"], [PackedPicture(entry, 1, 1)], (), NOW)
    assert "01-a.jpg,'=HYPERLINK(1)" in files["captions.csv"]


@pytest.mark.parametrize("code", PackWarningCode)
@pytest.mark.parametrize("mls", MLS)
def test_every_warning_has_words_that_name_the_photos(code: PackWarningCode, mls: str) -> None:
    rule = all_rules()[mls]
    words = describe_warning(PackWarning(code=code, photos=(2, 3, 5), enhancements=(E.GRASS, E.SKY)), rule)
    assert words.endswith(".")
    general = code in (PackWarningCode.NO_EXTERIOR, PackWarningCode.LABEL_FORBIDDEN)
    assert ("photos 2, 3 and 5" in words) is not general


@pytest.mark.parametrize(
    ("name", "room", "shows"),
    [
        ("front.jpg", None, ImageOf.FRONT),
        ("IMG_back_pool 2.jpg", None, ImageOf.POOL),
        ("backpack.jpg", None, None),
        ("IMG_1234.jpg", RoomType.KITCHEN, ImageOf.KITCHEN),
        ("master-bath.jpg", RoomType.OTHER, ImageOf.BATHROOM),
        ("DSC00012.jpg", None, None),
    ],
)
def test_what_a_picture_shows_is_told_where_name_or_order_say_it(name, room, shows) -> None:
    assert find_image_of(name, room) is shows
