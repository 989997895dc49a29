"""What descriptions of renovations are understood to mean, and which are declined."""

import pytest

from engine.canvas import Declined
from engine.materials.color_names import COLORS, RAL
from engine.materials.finish import Finish, MaterialKind, Pattern
from engine.materials.named_materials import GENERIC_MATERIALS, LAYINGS, MATERIALS, WOODS
from engine.materials.parse_finish import parse_finish, parse_surface
from engine.types.enhancements import ChangeType as Change
from engine.types.report import Reason


def code(finish: Finish) -> str:
    return "".join(f"{round(255 * each):02x}" for each in finish.color)


def light(finish: Finish) -> float:
    return sum(finish.color)


def refused(text: str, kind: Change = Change.FLOOR) -> Declined:
    with pytest.raises(Declined) as caught:
        parse_finish(kind, text)
    return caught.value


@pytest.mark.parametrize(
    ("kind", "text", "material", "pattern"),
    [
        (Change.FLOOR, "Wide oak planks, matt", MaterialKind.WOOD, Pattern.PLANKS),
        (Change.FLOOR, "herringbone walnut", MaterialKind.WOOD, Pattern.HERRINGBONE),
        (Change.FLOOR, "chevron in white oak", MaterialKind.WOOD, Pattern.CHEVRON),
        (Change.FLOOR, "dark hardwood flooring", MaterialKind.WOOD, Pattern.PLANKS),
        (Change.FLOOR, "polished concrete", MaterialKind.CONCRETE, Pattern.PLAIN),
        (Change.FLOOR, "light grey carpet", MaterialKind.CARPET, Pattern.PLAIN),
        (Change.FLOOR, "hexagonal marble tiles", MaterialKind.MARBLE, Pattern.HEX),
        (Change.FLOOR, "black and white checkerboard tiles", MaterialKind.CERAMIC, Pattern.CHECKER),
        (Change.FLOOR, "grey wood-look tiles", MaterialKind.WOOD, Pattern.PLANKS),
        (Change.FLOOR, "terrazzo with pink chips", MaterialKind.TERRAZZO, Pattern.TILES),
        (Change.WALLS, "dark navy walls", MaterialKind.PAINT, Pattern.PLAIN),
        (Change.WALLS, "exposed brick wall", MaterialKind.BRICK, Pattern.BOND),
        (Change.WALLS, "white shiplap panelling", MaterialKind.PAINT, Pattern.PANELS),
        (Change.WALLS, "tongue and groove in cream", MaterialKind.PAINT, Pattern.PANELS),
        (Change.CABINETS, "white shaker cabinets with brass handles", MaterialKind.PAINT, Pattern.PLAIN),
        (Change.CABINETS, "walnut veneer fronts", MaterialKind.WOOD, Pattern.PLAIN),
        (Change.COUNTERTOPS, "Carrara marble countertop", MaterialKind.MARBLE, Pattern.PLAIN),
        (Change.COUNTERTOPS, "butcher block worktop", MaterialKind.WOOD, Pattern.PLANKS),
        (Change.BACKSPLASH, "subway tile backsplash", MaterialKind.CERAMIC, Pattern.BOND),
        (Change.BACKSPLASH, "green zellige, glossy", MaterialKind.CERAMIC, Pattern.TILES),
    ],
)
def test_materials_and_layings_are_understood(
    kind: Change, text: str, material: MaterialKind, pattern: Pattern
) -> None:
    finish = parse_finish(kind, text)
    assert (finish.kind, finish.pattern) == (material, pattern)


@pytest.mark.parametrize("name", sorted({**MATERIALS, **GENERIC_MATERIALS}))
def test_every_material_of_the_tables_is_understood_by_its_name(name: str) -> None:
    wanted = {**MATERIALS, **GENERIC_MATERIALS}[name]
    assert parse_finish(Change.FLOOR, f"new {name} please").kind is wanted.kind


@pytest.mark.parametrize("name", sorted(COLORS))
def test_every_color_name_gives_its_color_to_a_wall(name: str) -> None:
    finish = parse_finish(Change.WALLS, f"{name} on the walls")
    assert finish.color == pytest.approx(COLORS[name], abs=0.01)


def test_the_vocabulary_is_wide() -> None:
    assert len(WOODS) >= 15
    assert len(COLORS) >= 100
    assert len(RAL) >= 100
    assert len(LAYINGS) >= 30


def test_ral_numbers_and_codes_are_colors() -> None:
    assert code(parse_finish(Change.WALLS, "RAL 7016 please")) == "373f43"
    assert code(parse_finish(Change.WALLS, "the colour #AABBCC")) == "aabbcc"


def test_tones_make_lighter_darker_and_warmer() -> None:
    usual = parse_finish(Change.FLOOR, "oak planks here")
    assert light(parse_finish(Change.FLOOR, "light oak planks")) > light(usual) + 0.2
    assert light(parse_finish(Change.FLOOR, "dark oak planks")) < light(usual) - 0.2
    warm, cool = (parse_finish(Change.WALLS, f"{tone} white walls").color for tone in ("warm", "cool"))
    assert warm[0] - warm[2] > cool[0] - cool[2] + 0.05


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("60x60 cm grey tiles", (0.6, 0.6)),
        ("30 x 60 grey tiles", (0.6, 0.3)),
        ("12x24 inch slate tiles", (0.61, 0.305)),
        ("12x24 slate tiles", (0.61, 0.305)),
        ("600x600 porcelain tiles", (0.6, 0.6)),
        ("oak planks, 20 cm wide", (1.8, 0.2)),
        ("4 by 9 m concrete tiles", (0.8, 0.8)),
    ],
)
def test_sizes_are_read_in_meters(text: str, size: tuple[float, float]) -> None:
    expected = size if "by" not in text else parse_finish(Change.FLOOR, "concrete tiles").size
    assert parse_finish(Change.FLOOR, text).size == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("kind", "text", "side"),
    [
        (Change.FLOOR, "10 cm hexagon tiles", 0.1),
        (Change.FLOOR, "5 cm penny tile", 0.05),
        (Change.FLOOR, "30 cm tiles", 0.3),
        (Change.FLOOR, "20 cm checkerboard tiles", 0.2),
        (Change.FLOOR, "30 cm slate tiles", 0.3),
        (Change.BACKSPLASH, "15 cm white tiles", 0.15),
    ],
)
def test_one_size_of_tiles_with_equal_sides_is_that_of_both(kind: Change, text: str, side: float) -> None:
    assert parse_finish(kind, text).size == pytest.approx((side, side))


@pytest.mark.parametrize(
    ("kind", "text", "size"),
    [
        (Change.BACKSPLASH, "7.5 cm subway tiles", (0.2, 0.075)),
        (Change.BACKSPLASH, "5 cm stacked tiles", (0.2, 0.05)),
        (Change.WALLS, "5 cm red brick", (0.215, 0.05)),
        (Change.FLOOR, "8 cm oak herringbone", (0.6, 0.08)),
        (Change.FLOOR, "15 cm wood-look tiles", (1.8, 0.15)),
    ],
)
def test_one_size_of_longer_pieces_is_their_width(kind: Change, text: str, size: tuple[float, float]) -> None:
    assert parse_finish(kind, text).size == pytest.approx(size)


def test_wide_boards_are_wider() -> None:
    narrow, usual, wide = (
        parse_finish(Change.FLOOR, f"{each} oak planks").size[1] for each in ("narrow", "", "wide")
    )
    assert narrow < usual < wide


def test_gloss_is_heard() -> None:
    matt, polished = (parse_finish(Change.FLOOR, f"{each} marble tiles").gloss for each in ("honed", "polished"))
    assert (matt, polished) == (0.06, 0.9)


def test_grout_and_veins_have_colors_of_their_own() -> None:
    tiles = parse_finish(Change.BACKSPLASH, "white subway tiles with dark grey grout")
    assert light(tiles) > 2.7
    assert tiles.joint is not None
    assert sum(tiles.joint) < 1.3
    quartz = parse_finish(Change.COUNTERTOPS, "white quartz with gold veining")
    assert quartz.second is not None
    assert quartz.second[0] - quartz.second[2] > 0.3


def test_details_are_left_out_and_the_customer_is_told() -> None:
    finish = parse_finish(Change.CABINETS, "navy cabinets with brass handles")
    assert code(finish) == "232f4b"
    assert any("handle" in note for note in finish.notes)


def test_what_is_said_of_another_surface_is_left_out() -> None:
    finish = parse_finish(Change.CABINETS, "sage green cabinets and a marble countertop")
    assert finish.kind is MaterialKind.PAINT
    assert finish.notes == ("Only the cabinets changed.",)


def test_the_old_material_is_not_the_one_asked_for() -> None:
    assert parse_finish(Change.FLOOR, "Replace the old carpet with light oak planks").kind is MaterialKind.WOOD
    assert parse_finish(Change.FLOOR, "slate tiles instead of carpet").kind is MaterialKind.LIMESTONE
    assert parse_finish(Change.FLOOR, "no carpet, walnut herringbone").kind is MaterialKind.WOOD


def test_words_of_a_reference_add_to_the_description() -> None:
    finish = parse_finish(Change.FLOOR, "a floor like in the reference", "smoked oak herringbone")
    assert (finish.kind, finish.pattern) == (MaterialKind.WOOD, Pattern.HERRINGBONE)


def test_a_color_that_the_reference_says_once_more_is_one_color() -> None:
    once, twice = (parse_finish(Change.WALLS, "Sage green paint", words) for words in (None, "sage green"))
    assert twice == once


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("asdf qwer zxcv", Reason.NOT_UNDERSTOOD),
        ("make it nice please", Reason.NOT_UNDERSTOOD),
        ("something modern and fresh", Reason.NOT_UNDERSTOOD),
        ("Boden aus heller Eiche", Reason.NOT_ENGLISH),
        ("suelo de madera claro", Reason.NOT_ENGLISH),
        ("un sol en marbre blanc", Reason.NOT_ENGLISH),
        ("白い床にしてください", Reason.NOT_ENGLISH),
        ("белый пол из мрамора", Reason.NOT_ENGLISH),
        ("cover the cracks with white paint", Reason.HIDES_DEFECTS),
        ("hide the water stain by the window", Reason.HIDES_DEFECTS),
        ("remove mold from the corner, white", Reason.HIDES_DEFECTS),
        ("white paint so that the damp patch is gone", Reason.HIDES_DEFECTS),
        ("white paint over the water stain", Reason.HIDES_DEFECTS),
        ("floral wallpaper over all those cracks", Reason.HIDES_DEFECTS),
        ("remove the wall to the kitchen", Reason.STRUCTURAL_CHANGE),
        ("add a window in the left wall", Reason.STRUCTURAL_CHANGE),
        ("knock down the wall, oak floor", Reason.STRUCTURAL_CHANGE),
        ("make the room bigger and white", Reason.STRUCTURAL_CHANGE),
        ("oak planks and marble tiles", Reason.CONTRADICTORY),
        ("oak and walnut planks", Reason.CONTRADICTORY),
        ("navy and white paint", Reason.CONTRADICTORY),
        ("light dark oak planks", Reason.CONTRADICTORY),
        ("herringbone chevron oak", Reason.CONTRADICTORY),
        ("floral wallpaper in green", Reason.NOT_AVAILABLE),
    ],
)
def test_wishes_that_cannot_be_granted_are_declined_with_the_reason(text: str, reason: Reason) -> None:
    assert refused(text).reason is reason


@pytest.mark.parametrize(
    "text",
    [
        "dark stained oak planks",
        "a dark stain over oak planks",
        "remove the wallpaper and paint it white",
        "cover the floor with grey carpet",
    ],
)
def test_harmless_wishes_are_not_taken_for_bad_ones(text: str) -> None:
    assert parse_finish(Change.FLOOR, text).color


def test_refusals_help_the_customer_along() -> None:
    assert "light oak planks" in refused("make it nice please").message
    assert "English" in refused("Boden aus heller Eiche").message
    assert "defects" in refused("hide the cracks in it").message
    assert "oak and walnut" in refused("oak and walnut planks").message


def test_the_surface_of_other_changes_is_the_one_named() -> None:
    assert parse_surface("oak flooring throughout") is Change.FLOOR
    assert parse_surface("kitchen cupboards in navy") is Change.CABINETS
    assert parse_surface("white walls and an oak floor") is None
    assert parse_surface("something in blue") is None
