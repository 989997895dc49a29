"""The looks of the eight styles: the materials, colors and forms of each."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine.rendering.furniture import patterns
from engine.rendering.furniture.looks import Arm, Headboard, Leg, Look, Shade
from engine.rendering.materials import (
    make_boucle,
    make_cloth,
    make_leather,
    make_metal,
    make_plain,
    make_stone,
    make_wicker,
    make_wood,
)
from engine.types.enhancements import Style


def _modern() -> Look:
    black = make_metal((44, 44, 46), 0.35)
    return Look(
        Arm.TRACK,
        Leg.SLED,
        Headboard.PANEL,
        Shade.DOME,
        round_tables=False,
        plump=0.35,
        sofa=make_cloth((128, 130, 134), 11, 0.14, 0.10),
        seat=make_leather((58, 54, 52), 12),
        cushions=(make_cloth((48, 52, 58), 13), make_cloth((206, 206, 204), 14), make_cloth((178, 116, 60), 15)),
        throw=make_cloth((84, 88, 94), 16),
        wood=make_wood((96, 74, 58), 17, 0.14),
        top=make_stone((58, 58, 60), (190, 188, 184), 18, 0.35),
        fronts=make_plain((226, 226, 224), 0.2, 19),
        metal=black,
        linen=make_cloth((218, 218, 216), 20, 0.06, 0.03),
        sheets=make_cloth((150, 154, 160), 21, 0.06, 0.04),
        lampshade=make_plain((52, 52, 54), 0.35),
        ceramic=make_plain((46, 46, 48), 0.3),
        pot=make_plain((214, 214, 212), 0.35),
        basket=make_cloth((110, 110, 112), 22),
        frame=black,
        rug=patterns.draw_abstract_rug,
        rug_colors=((198, 198, 196), (160, 162, 166), (112, 116, 122)),
        art=patterns.draw_brush_strokes,
        art_colors=((226, 224, 220), (58, 62, 70), (190, 124, 66), (150, 152, 156)),
    )


def _contemporary() -> Look:
    brass = make_metal((206, 172, 116), 0.22)
    return Look(
        Arm.ROUND,
        Leg.PLINTH,
        Headboard.CHANNELS,
        Shade.GLOBE,
        round_tables=True,
        plump=0.6,
        sofa=make_boucle((222, 214, 202), 31),
        seat=make_cloth((150, 122, 100), 32, 0.1, 0.1),
        cushions=(make_cloth((176, 150, 128), 33), make_boucle((236, 230, 222), 34), make_cloth((126, 92, 74), 35)),
        throw=make_cloth((196, 176, 154), 36),
        wood=make_wood((142, 108, 78), 37),
        top=make_stone((226, 220, 210), (150, 138, 124), 38, 0.5),
        fronts=make_wood((150, 116, 86), 39, 0.12),
        metal=brass,
        linen=make_cloth((236, 230, 220), 40, 0.06, 0.03),
        sheets=make_cloth((196, 180, 162), 41, 0.07, 0.04),
        lampshade=make_plain((240, 234, 222), None),
        ceramic=make_plain((222, 212, 198), 0.4),
        pot=make_plain((186, 160, 138), 0.5),
        basket=make_wicker((176, 146, 110), 42),
        frame=brass,
        rug=patterns.draw_abstract_rug,
        rug_colors=((228, 220, 208), (206, 192, 174), (184, 164, 142)),
        art=patterns.draw_shapes,
        art_colors=((236, 228, 214), (190, 142, 112), (120, 104, 92), (212, 188, 158)),
    )


def _minimalist() -> Look:
    return Look(
        Arm.LOW,
        Leg.PLINTH,
        Headboard.LOW,
        Shade.CONE,
        round_tables=False,
        plump=0.2,
        sofa=make_cloth((226, 223, 217), 51, 0.1, 0.05),
        seat=make_cloth((200, 196, 190), 52),
        cushions=(make_cloth((208, 204, 197), 53), make_cloth((230, 228, 223), 54)),
        throw=make_cloth((190, 186, 180), 55),
        wood=make_wood((206, 178, 142), 56, 0.09),
        top=make_wood((210, 184, 150), 57, 0.09),
        fronts=make_plain((238, 237, 234), 0.5, 58),
        metal=make_metal((210, 210, 208), 0.4),
        linen=make_cloth((240, 239, 236), 59, 0.05, 0.02),
        sheets=make_cloth((222, 219, 213), 60, 0.05, 0.03),
        lampshade=make_plain((242, 240, 234), None),
        ceramic=make_plain((232, 230, 225), 0.6),
        pot=make_plain((226, 224, 220), 0.6),
        basket=make_cloth((214, 210, 202), 61),
        frame=make_wood((206, 178, 142), 62, 0.08),
        rug=patterns.draw_plain_pile,
        rug_colors=((222, 218, 210), (208, 203, 194)),
        art=patterns.draw_shapes,
        art_colors=((240, 238, 233), (208, 202, 192)),
    )


def _farmhouse() -> Look:
    iron = make_metal((52, 48, 45), 0.45)
    return Look(
        Arm.SKIRTED,
        Leg.TRESTLE,
        Headboard.PLANKS,
        Shade.DRUM,
        round_tables=False,
        plump=0.8,
        sofa=make_cloth((226, 218, 202), 71, 0.2, 0.10),
        seat=make_cloth((196, 184, 164), 72, 0.24, 0.12),
        cushions=(
            make_cloth((84, 88, 86), 73, 0.2),
            make_cloth((206, 192, 168), 74, 0.3),
            make_cloth((150, 76, 60), 75, 0.2),
        ),
        throw=make_cloth((120, 122, 118), 76, 0.35),
        wood=make_wood((158, 124, 88), 77, 0.27, None),
        top=make_wood((150, 114, 80), 78, 0.3, None),
        fronts=make_plain((236, 231, 220), 0.5, 79),
        metal=iron,
        linen=make_cloth((240, 234, 222), 80, 0.12, 0.05),
        sheets=make_cloth((186, 180, 168), 81, 0.14, 0.07),
        lampshade=make_cloth((236, 226, 206), 82, 0.12),
        ceramic=make_plain((238, 234, 226), 0.35),
        pot=make_plain((176, 176, 172), 0.6),
        basket=make_wicker((166, 130, 88), 83),
        frame=make_wood((140, 106, 74), 84, 0.25, None),
        rug=patterns.draw_stripes,
        rug_colors=((222, 212, 192), (176, 160, 136), (88, 84, 78)),
        art=patterns.draw_sprig,
        art_colors=((238, 232, 218), (84, 98, 72)),
    )


def _scandinavian() -> Look:
    return Look(
        Arm.SLIM,
        Leg.TAPERED,
        Headboard.SLATS,
        Shade.CONE,
        round_tables=True,
        plump=0.45,
        sofa=make_cloth((192, 195, 197), 91, 0.2, 0.13),
        seat=make_boucle((226, 222, 214), 92),
        cushions=(
            make_cloth((236, 234, 230), 93, 0.2),
            make_cloth((122, 142, 138), 94),
            make_cloth((222, 184, 120), 95),
        ),
        throw=make_cloth((232, 228, 220), 96, 0.4),
        wood=make_wood((212, 176, 130), 97, 0.11, 0.5),
        top=make_wood((216, 182, 138), 98, 0.11, 0.5),
        fronts=make_plain((242, 241, 238), 0.45, 99),
        metal=make_metal((46, 46, 48), 0.4),
        linen=make_cloth((242, 241, 238), 100, 0.08, 0.03),
        sheets=make_cloth((172, 182, 184), 101, 0.1, 0.05),
        lampshade=make_plain((244, 242, 236), None),
        ceramic=make_plain((236, 236, 232), 0.45),
        pot=make_plain((240, 238, 234), 0.5),
        basket=make_wicker((206, 176, 132), 102),
        frame=make_wood((214, 180, 136), 103, 0.1),
        rug=patterns.draw_lattice,
        rug_colors=((234, 230, 222), (92, 90, 88)),
        art=patterns.draw_shapes,
        art_colors=((240, 238, 232), (128, 148, 144), (214, 176, 116), (70, 72, 74)),
    )


def _coastal() -> Look:
    rattan = make_wicker((196, 160, 112), 121, 36)
    return Look(
        Arm.SKIRTED,
        Leg.BLOCK,
        Headboard.CANE,
        Shade.DRUM,
        round_tables=True,
        plump=0.85,
        sofa=make_cloth((240, 237, 229), 122, 0.15, 0.06),
        seat=rattan,
        cushions=(
            make_cloth((96, 132, 160), 123, 0.2),
            make_cloth((214, 200, 172), 124, 0.24),
            make_cloth((58, 88, 118), 125),
        ),
        throw=make_cloth((150, 180, 196), 126, 0.3),
        wood=make_wood((192, 172, 144), 127, 0.2, None),
        top=make_wood((198, 180, 154), 128, 0.2, None),
        fronts=make_plain((240, 240, 236), 0.45, 129),
        metal=make_metal((196, 176, 136), 0.4),
        linen=make_cloth((244, 243, 239), 130, 0.1, 0.03),
        sheets=make_cloth((138, 168, 188), 131, 0.12, 0.06),
        lampshade=make_cloth((240, 232, 214), 132, 0.18),
        ceramic=make_plain((110, 152, 172), 0.2),
        pot=rattan,
        basket=rattan,
        frame=make_wood((222, 212, 196), 133, 0.14, None),
        rug=patterns.draw_stripes,
        rug_colors=((236, 230, 216), (170, 190, 202), (110, 142, 164)),
        art=patterns.draw_horizon,
        art_colors=((150, 190, 214), (240, 240, 236), (74, 124, 152), (216, 200, 168)),
    )


def _mid_century() -> Look:
    walnut = make_wood((124, 78, 46), 141, 0.2, 0.28)
    return Look(
        Arm.WOODEN,
        Leg.TAPERED,
        Headboard.SLATS,
        Shade.CONE,
        round_tables=True,
        plump=0.3,
        sofa=make_cloth((72, 98, 92), 142, 0.18, 0.12),
        seat=make_leather((164, 96, 50), 143),
        cushions=(
            make_cloth((208, 152, 48), 144),
            make_cloth((178, 88, 46), 145),
            make_cloth((226, 216, 196), 146),
        ),
        throw=make_cloth((206, 150, 56), 147, 0.2),
        wood=walnut,
        top=make_wood((132, 84, 50), 148, 0.2, 0.25),
        fronts=make_wood((138, 90, 54), 149, 0.22, 0.3),
        metal=make_metal((200, 164, 100), 0.25),
        linen=make_cloth((236, 228, 210), 150, 0.08, 0.03),
        sheets=make_cloth((196, 138, 54), 151, 0.12, 0.06),
        lampshade=make_plain((238, 226, 200), None),
        ceramic=make_plain((190, 104, 54), 0.2),
        pot=make_plain((236, 230, 216), 0.3),
        basket=make_wicker((160, 116, 70), 152),
        frame=walnut,
        rug=patterns.draw_shapes,
        rug_colors=((222, 208, 180), (188, 116, 58), (94, 116, 104), (206, 160, 70)),
        art=patterns.draw_shapes,
        art_colors=((232, 222, 200), (204, 142, 50), (62, 92, 92), (178, 84, 46)),
    )


def _traditional() -> Look:
    mahogany = make_wood((94, 50, 32), 161, 0.16, 0.2)
    return Look(
        Arm.ROLLED,
        Leg.LATHED,
        Headboard.BUTTONS,
        Shade.PLEATED,
        round_tables=False,
        plump=0.7,
        sofa=make_cloth((186, 168, 138), 162, 0.16, 0.08),
        seat=make_cloth((112, 44, 40), 163, 0.14, 0.08),
        cushions=(
            make_cloth((124, 46, 42), 164),
            make_cloth((196, 170, 116), 165, 0.2),
            make_cloth((74, 84, 68), 166),
        ),
        throw=make_cloth((128, 62, 52), 167, 0.2),
        wood=mahogany,
        top=make_wood((102, 56, 36), 168, 0.16, 0.15),
        fronts=mahogany,
        metal=make_metal((196, 156, 88), 0.2),
        linen=make_cloth((240, 232, 214), 169, 0.06, 0.03),
        sheets=make_cloth((150, 70, 58), 170, 0.1, 0.05),
        lampshade=make_cloth((240, 226, 196), 171, 0.1),
        ceramic=make_plain((206, 212, 214), 0.12),
        pot=make_plain((70, 88, 104), 0.12),
        basket=make_wicker((130, 92, 58), 172),
        frame=make_metal((190, 150, 80), 0.35),
        rug=patterns.draw_medallion,
        rug_colors=((124, 40, 38), (42, 50, 72), (204, 178, 132), (150, 100, 80)),
        art=patterns.draw_horizon,
        art_colors=((176, 190, 196), (236, 220, 190), (84, 92, 58), (140, 116, 70)),
    )


_LOOKS: dict[Style, Callable[[], Look]] = {
    Style.MODERN: _modern,
    Style.CONTEMPORARY: _contemporary,
    Style.MINIMALIST: _minimalist,
    Style.FARMHOUSE: _farmhouse,
    Style.SCANDINAVIAN: _scandinavian,
    Style.COASTAL: _coastal,
    Style.MID_CENTURY_MODERN: _mid_century,
    Style.TRADITIONAL: _traditional,
}


@cache
def get_look(style: Style) -> Look:
    """The look of a style; its textures are drawn on the first call and cached.

    Parameters
    ----------
    style : Style
        One of the eight.

    Returns
    -------
    Look
        One object for all calls.
    """
    return _LOOKS[style]()


@cache
def make_weatherproof(look: Look) -> Look:
    """The look of a style outdoors: open wooden frames, and pale cushions instead of upholstery.

    Parameters
    ----------
    look : Look
        Look of the style indoors.

    Returns
    -------
    Look
        A copy, cached; a style with wooden arms keeps its wood, the others have teak.
    """
    teak = make_wood((168, 122, 80), 201, 0.2, None)
    frame = look.wood if look.arm is Arm.WOODEN else teak
    return replace(look, arm=Arm.WOODEN, wood=frame, top=frame, sofa=look.linen, seat=look.sheets, throw=look.linen)
