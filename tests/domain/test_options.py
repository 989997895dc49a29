"""Options of effects: what is kept of them, and that nothing changed for whoever chooses none."""

from dataclasses import fields

import pytest
from sqlalchemy.dialects import sqlite

from app.database import ModelJson
from app.domain.catalog import ENTRIES
from app.domain.errors import InvalidFields
from app.domain.hint_questions import Question, list_questions
from app.domain.option_requests import OptionsRequest
from app.domain.order_rules import read_order, read_quote
from app.domain.orders import PlaceOrder
from app.domain.presets import PresetContent
from app.domain.recipes import Recipe, RecipeAppearance
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.options import OPTIONS, Brightness, DuskKind, EffectOptions, LawnLook, Privacy, SkyKind, Verticals
from engine.types.outlook import HintPart

BODY = {
    "address": "12 Garden Lane, Springfield, IL 62704",
    "serviceType": "both",
    "uploadSessionId": "ups_0000000000000000000000",
    "interiorFiles": [{"filePath": "uploads/x/interior-0"}, {"filePath": "uploads/x/interior-1"}],
    "exteriorFiles": [{"filePath": "uploads/x/exterior-0", "fileName": "front.jpg"}],
    "interiorEnhancements": ["hdr_enhancement"],
    "exteriorEnhancements": ["sky_enhancement", "grass_enhancement"],
    "photoConfigs": [{"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]}],
    "virtualStaging": {"1": {"style": "coastal"}},
}
OUTSIDE, INSIDE = PhotoType.EXTERIOR, PhotoType.INTERIOR


def read(**fields: object) -> PlaceOrder:
    return read_order({**BODY, **fields}, imagery=False)


def faults(**fields: object) -> dict[str, str]:
    with pytest.raises(InvalidFields) as refused:
        read(**fields)
    return {".".join(map(str, fault.where)): fault.code for fault in refused.value.faults}


def list_options_of(order: PlaceOrder, photo_type: PhotoType, index: int = 0) -> dict[str, str]:
    return dict(order.edit_request(photo_type, index).chosen_options.chosen)


def test_options_and_staging_in_which_nothing_is_chosen_are_none() -> None:
    assert EditRequest(options=EffectOptions(), staging=Staging()) == EditRequest()


def test_an_order_without_options_has_the_digest_of_before_there_were_any() -> None:
    assert read().digest() == "e338f35d5aa4e1e30f7ae36f949a64ba4f194588b1069b881b675275dee7314e"


def test_what_was_not_chosen_is_not_kept() -> None:
    request = EditRequest(enhancements=(Enhancement.SKY,), options=EffectOptions(sky=SkyKind.WARM))
    column = ModelJson(EditRequest)
    kept = column.process_bind_param(request, sqlite.dialect())
    assert kept == {"enhancements": ["sky_enhancement"], "changes": [], "options": {"sky": "warm"}}
    assert column.process_result_value(kept, sqlite.dialect()) == request
    assert '"options":{"sky":"warm"}' in Recipe(
        image_id="img",
        type=OUTSIDE,
        index=0,
        engine_version=None,
        seed="job",
        original_sha256=None,
        picture_sha256=None,
        steps=(),
        edit_request=request,
        appearance=RecipeAppearance(),
    ).model_dump_json(exclude_none=True)


def test_without_a_choice_the_usual_look_holds() -> None:
    plain = EditRequest()
    assert (plain.sky, plain.dusk) == (SkyKind.LIGHT_CLOUDS, DuskKind.EARLY)
    assert (plain.lawn, plain.brightness) == (LawnLook.NATURAL, Brightness.AS_IS)
    assert (plain.verticals, plain.privacy) == (Verticals.AS_SHOT, Privacy.AS_SHOT)
    for option in OPTIONS:
        assert getattr(plain, option.name) is option.usual


def test_every_option_offers_all_its_values_and_is_for_effects_of_one_group_or_for_all() -> None:
    for option in OPTIONS:
        assert set(option.choices) == set(type(option.usual))
        assert option.is_for_all or len({ENTRIES[each].group for each in option.enhancements}) == 1
        assert all(each.label and each.effect for each in option.choices.values())
    assert (
        {option.name for option in OPTIONS}
        == {field.name for field in fields(EffectOptions)}
        == set(OptionsRequest.model_fields)
    )


def test_options_for_all_photos_reach_those_that_get_the_effect() -> None:
    order = read(options={"sky": "clear", "brightness": "brighter", "dusk": "early"})
    assert list_options_of(order, OUTSIDE) == {"sky": "clear"}
    assert list_options_of(order, INSIDE) == {"brightness": "brighter"}
    assert order.edit_request(INSIDE, 1).options is None, "it is staged alone"


@pytest.mark.parametrize("chosen", [{"verticals": "straight"}, {"privacy": "blurred"}])
def test_what_is_for_whole_photos_is_for_those_of_both_kinds(chosen: dict[str, str]) -> None:
    order = read(options=chosen)
    assert [list_options_of(order, kind) for kind in (OUTSIDE, INSIDE)] == [chosen] * 2


def test_who_wants_faces_blurred_may_show_what_else_is_to_be() -> None:
    usual, blurred = (EditRequest((Enhancement.HDR,), options=EffectOptions(privacy=each)) for each in Privacy)
    assert [each.part for each in list_questions(usual, ())] == []
    assert list_questions(blurred, ()) == [Question(HintPart.PRIVATE, False)]


def test_what_may_be_misread_is_asked_after_what_must_be_answered_and_before_the_rest() -> None:
    request = EditRequest((Enhancement.SKY, Enhancement.GRASS, Enhancement.TWILIGHT))
    needed = {"prospect": "needs_hint", "hint": "surfaces.pane"}
    unsure = {"prospect": "likely", "hint": "surfaces.sky", "unsure": True}
    asked = list_questions(request, [unsure, needed])
    assert [each.part for each in asked] == [HintPart.PANE, HintPart.SKY, HintPart.LAWN]
    assert [each.is_needed for each in asked] == [True, False, False]


def test_what_is_chosen_for_the_whole_photo_is_said_once() -> None:
    chosen = EffectOptions(sky=SkyKind.WARM, lawn=LawnLook.LUSH, verticals=Verticals.STRAIGHT)
    request = EditRequest((Enhancement.SKY, Enhancement.GRASS), options=chosen)
    said = [request.options_of(step) for step in request.steps]
    assert said == [
        EffectOptions(lawn=LawnLook.LUSH),
        EffectOptions(sky=SkyKind.WARM, verticals=Verticals.STRAIGHT),
    ]
    assert EditRequest((Enhancement.SKY,)).options_of(Enhancement.SKY) is None


def test_an_entry_overrides_option_by_option() -> None:
    config = {"photoType": "exterior", "options": {"lawn": "lush"}}
    order = read(options={"sky": "clear", "lawn": "subtle"}, photoConfigs=[config], virtualStaging=None)
    assert list_options_of(order, OUTSIDE) == {"sky": "clear", "lawn": "lush"}
    assert order.edit_request(OUTSIDE, 0).steps == [Enhancement.GRASS, Enhancement.SKY], "the list stays"


def test_an_entry_may_have_both_a_list_and_options() -> None:
    config = {"photoType": "exterior", "enhancements": ["twilight_conversion"], "options": {"dusk": "early"}}
    request = read(photoConfigs=[config], virtualStaging=None).edit_request(OUTSIDE, 0)
    assert (request.steps, request.dusk) == ([Enhancement.TWILIGHT], DuskKind.EARLY)


BAD = [
    ({"options": {"sky": "green"}}, "options.sky"),
    ({"options": {"weather": "clear"}}, "options.weather"),
    ({"options": "clear"}, "options"),
    ({"photoConfigs": [{"photoType": "exterior", "options": {"sky": 1}}]}, "photoConfigs.0.options.sky"),
    ({"photoConfigs": [{"photoType": "exterior", "options": {"dusk": "deep"}}]}, "photoConfigs.0.options.dusk"),
    (
        {"photoConfigs": [{"photoType": "interior", "options": {"sky": "clear"}}]},
        "photoConfigs.0.options.sky",
    ),
    ({"photoConfigs": [{"photoType": "exterior", "options": {}}]}, "photoConfigs.0.enhancements"),
    (
        {"photoConfigs": [{"photoType": "exterior", "photoIndex": 7, "options": {"sky": "clear"}}]},
        "photoConfigs.0.photoIndex",
    ),
    ({"exteriorEnhancements": [], "photoConfigs": [{"photoType": "exterior", "options": {"sky": "clear"}}]}, None),
]


@pytest.mark.parametrize(("fields", "where"), BAD)
def test_what_makes_no_sense_is_named_by_its_place(fields: dict, where: str | None) -> None:
    # The staged room has no entry here.
    found = faults(virtualStaging={}, **fields)
    assert set(found) == ({where} if where else {"exteriorEnhancements", "photoConfigs.0.options.sky"})


def test_a_variant_keeps_the_options_of_the_steps_it_keeps() -> None:
    whole = EditRequest(
        enhancements=(Enhancement.GRASS, Enhancement.SKY),
        options=EffectOptions(sky=SkyKind.CLEAR, lawn=LawnLook.LUSH),
    )
    assert whole.keep([Enhancement.SKY]).options == EffectOptions(sky=SkyKind.CLEAR)
    plain = EditRequest(enhancements=(Enhancement.GRASS, Enhancement.SKY))
    assert plain.keep([Enhancement.SKY]) == EditRequest(enhancements=(Enhancement.SKY,))


HOUSE_STYLE = PresetContent(
    exterior_enhancements=(Enhancement.TWILIGHT,),
    interior_enhancements=(Enhancement.STAGING,),
    options=EffectOptions(dusk=DuskKind.EARLY, sky=SkyKind.WARM),
    staging_style="farmhouse",
)
PLAIN = {"presetId": "pre_x", "photoConfigs": None, "virtualStaging": None}


def by_preset(**fields: object) -> PlaceOrder:
    return read_order({**BODY, **PLAIN, **fields}, imagery=False, preset=HOUSE_STYLE)


def test_what_an_order_leaves_out_is_as_its_preset_has_it() -> None:
    order = by_preset(exteriorEnhancements=None, interiorEnhancements=None)
    assert order.edit_request(OUTSIDE, 0).steps == [Enhancement.TWILIGHT]
    assert list_options_of(order, OUTSIDE) == {"dusk": "early"}
    room = order.edit_request(INSIDE, 0)
    assert (room.steps, room.style) == ([Enhancement.STAGING], "farmhouse")


def test_what_an_order_says_wins_over_its_preset_field_by_field() -> None:
    order = by_preset(
        exteriorEnhancements=["sky_enhancement", "twilight_conversion"],
        interiorEnhancements=None,
        options={"dusk": "deep"},
        virtualStaging={"0": {"style": "coastal"}, "1": {"roomType": "office"}},
    )
    assert list_options_of(order, OUTSIDE) == {"dusk": "deep", "sky": "warm"}
    first, second = (order.edit_request(INSIDE, index) for index in range(2))
    assert (first.style, second.style, second.room_type) == ("coastal", "farmhouse", "office")


def test_an_empty_list_is_said_too() -> None:
    configs = [{"photoType": "exterior", "enhancements": ["golden_hour"]}]
    order = by_preset(exteriorEnhancements=[], photoConfigs=configs)
    assert order.enhancements_for(OUTSIDE) == []


def test_the_digest_is_of_what_was_sent_whatever_the_preset_holds() -> None:
    fields = {"exteriorEnhancements": None, "interiorEnhancements": None}
    now = by_preset(**fields)
    other = read_order({**BODY, **PLAIN, **fields}, imagery=False, preset=PresetContent(
        exterior_enhancements=(Enhancement.SKY,), interior_enhancements=(Enhancement.HDR,)
    ))  # fmt: skip
    assert now.digest() == other.digest()
    assert now.edit_request(OUTSIDE, 0) != other.edit_request(OUTSIDE, 0)
    assert now.digest() != by_preset(**{**fields, "presetId": "pre_y"}).digest()


def test_a_preset_that_there_is_not_is_the_one_fault() -> None:
    assert faults(**PLAIN, exteriorEnhancements=None, interiorEnhancements=None) == {"presetId": "no_preset"}


def test_a_price_goes_by_the_preset_too() -> None:
    body = {"serviceType": "exterior", "exteriorCount": 1, "presetId": "pre_x"}
    (photo,) = read_quote(body, imagery=False, preset=HOUSE_STYLE).photos()
    assert photo.edit_request.steps == [Enhancement.TWILIGHT]
