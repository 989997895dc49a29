"""The materials that a description may name, each with its usual color, pattern, size and gloss."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.materials.finish import Color, MaterialKind, Pattern, parse_hex_color

# Usual length and width of pieces, in meters.
PLANK, PARQUET, TILE, SUBWAY, BRICK = (1.8, 0.14), (0.6, 0.1), (0.6, 0.6), (0.2, 0.1), (0.215, 0.065)
MOSAIC, PENNY, HEXAGON, ZELLIGE = (0.025, 0.025), (0.025, 0.025), (0.2, 0.2), (0.1, 0.1)
# Gloss, 0-1.
MATT, SATIN, GLOSS, POLISHED = 0.08, 0.3, 0.7, 0.9


@dataclass(frozen=True, slots=True)
class DefaultFinish:
    """The usual finish of a material."""

    kind: MaterialKind
    color: Color
    second: Color | None = None
    pattern: Pattern = Pattern.PLAIN
    size: tuple[float, float] = (1.0, 1.0)
    gloss: float = MATT


def _read_entries(
    text: str, kind: MaterialKind, pattern: Pattern, size: tuple[float, float], gloss: float
) -> dict[str, DefaultFinish]:
    """Read entries of `name color [second color]`, separated by commas; underscores join the words of a name."""
    found = {}
    for entry in text.split(","):
        name, color, *second = entry.split()
        vein = parse_hex_color(second[0]) if second else None
        found[name.replace("_", " ")] = DefaultFinish(kind, parse_hex_color(color), vein, pattern, size, gloss)
    return found


WOODS = _read_entries(
    """oak b88e60, white_oak c4a27a, red_oak b58058, european_oak bd9566, french_oak b58f64, english_oak a67c50,
    smoked_oak 6f5440, fumed_oak 6a4f3b, bog_oak 3d322b, walnut 6b4a34, american_walnut 664530, black_walnut 55392a,
    maple d8b88c, hard_maple d9bb90, ash d0b48c, white_ash d6bf9c, beech cda274, birch dcc096, pine d9b47c,
    knotty_pine d4a967, pitch_pine b97f45, heart_pine b0713d, cherry 9a5a3a, cherry_wood 9a5a3a, cherrywood 9a5a3a,
    mahogany 6f3526, teak a4713f, bamboo d6b579, hickory b78d61, cedar b0724e, douglas_fir c79560, fir d0a673,
    spruce dcbf92, larch c08d58, wenge 3c2c25, rosewood 5a2e24, acacia 8f6038, merbau 7a4a32, jatoba 8a4b32,
    brazilian_cherry 85452f, iroko 94683e, elm 9c7650, chestnut_wood 9c7448, alder bd8a5c, poplar cdb98c,
    sapele 7d4530,
    zebrano b48b5a, zebrawood b48b5a, ipe 6b4a36, kempas 9a5b3a, plywood d3b183, driftwood a3978a, barn_wood 83725f,
    barnwood 83725f, reclaimed_wood 8a6a4c, reclaimed_timber 8a6a4c, ebony_wood 2f2723, cork b98b5b""",
    MaterialKind.WOOD,
    Pattern.PLANKS,
    PLANK,
    0.18,
)
MARBLES = _read_entries(
    """marble e9e7e3 9a9a9a, white_marble ecebe8 9c9d9f, carrara e4e4e2 9a9ea3, carrara_marble e4e4e2 9a9ea3,
    carrera_marble e4e4e2 9a9ea3, carrera e4e4e2 9a9ea3, calacatta efece6 a08d72, calacatta_marble efece6 a08d72,
    calacatta_gold f0ebe0 b08f55, statuario efefee 84888c, statuario_marble efefee 84888c,
    arabescato ececea 74787c, arabescato_marble ececea 74787c, nero_marquina 1e1e20 d9d9d6,
    nero_marquina_marble 1e1e20 d9d9d6, black_marble 222224 cfcfcb, green_marble 33513f 9fb8a6,
    verde_guatemala 2c4a38 93b09d, crema_marfil e2d3b8 c5ac85, crema_marfil_marble e2d3b8 c5ac85,
    beige_marble ddcdb1 bda47e, emperador 5b4234 b99a7c, dark_emperador 4b352a b08d6e, brown_marble 604739 b89b80,
    gray_marble a4a6a8 dcdcda, pink_marble dfbfb4 b1806f, rosso_levanto 5b2b2c c7b3a8, quartzite dcd8d0 a9a196,
    onyx_stone d8c49e a67a43, quartz ebeae6 c9c8c4, white_quartz eeedea cfcfcc, engineered_stone e6e4df c4c2bd,
    corian efeeea e6e5e1, soapstone 5d6464 8d9494, solid_surface efeeea e6e5e1, silestone e9e8e4 c6c5c1,
    caesarstone e6e4df bdbbb6, dekton dcdad5 b3b1ac""",
    MaterialKind.MARBLE,
    Pattern.PLAIN,
    (1.2, 1.2),
    POLISHED,
)
GRANITES = _read_entries(
    """granite 8f8b86 3a3836, black_granite 27282a 5b5d60, absolute_black 1d1e20 34363a, gray_granite 8e9092 45474a,
    white_granite c9c6c0 6b6763, pink_granite b8948a 4a4242, brown_granite 6d5547 2d2420,
    blue_granite 5b6c80 23292f,
    basalt 45484b 55585b""",
    MaterialKind.GRANITE,
    Pattern.PLAIN,
    (1.2, 0.6),
    POLISHED,
)
STONES = _read_entries(
    """limestone d5cab5 bfb097, travertine d4c1a0 b59c74, sandstone cdb288 b2915f, stone bdb3a2 a2968a,
    natural_stone bdb3a2 a2968a, flagstone a79b8a 867a6c, york_stone b5a284 94815f, jura d6c9ae bba981,
    jerusalem_stone dccca8 c4ae80, bluestone 6c757d 555d65, slate 4d5357 3b4043, gray_slate 666c70 4f5458,
    black_slate 33363a 25282b, green_slate 5a6559 444e44, quarry_stone a99d8b 8a7f70, cobblestone 8c8780 6c6862""",
    MaterialKind.LIMESTONE,
    Pattern.TILES,
    (0.6, 0.4),
    SATIN,
)
_TILES = """tile e6e4df, ceramic e8e6e1, ceramic_tile e8e6e1, porcelain_tile dcd9d3, porcelain_stoneware c9c5bd,
    stoneware c9c5bd, gres c4bfb5, quarry_tile a4583e, terracotta_tile bb6f4e, saltillo c07a52,
    saltillo_tile c07a52,
    encaustic_tile b9b6ae, cement_tile a9a69f, glass_tile cfe0df, vinyl_tile bdb8ae, linoleum_tile b7b0a3"""
_CONCRETES = """concrete 9d9b97 86847f, polished_concrete 94928e 7d7b77, microcement a8a49d 95918a,
    micro_cement a8a49d 95918a, screed 9d9b97 86847f, resin b9b8b4 b0afab, epoxy a9abad a1a3a5, poured_resin b9b8b4,
    linoleum b5ac9b a89f8e, lino b5ac9b a89f8e, rubber 4c4d4f 434446, marmoleum b5ac9b a89f8e"""
_PLASTERS = """plaster ddd5c8 cfc6b7,
    venetian_plaster d8cebf c4b8a6, limewash ddd6ca cbc2b3, lime_wash ddd6ca cbc2b3,
    lime_plaster ddd6ca cbc2b3, clay_plaster c2a58a b3957a, stucco e0d8c8 d2c9b8, tadelakt c4ad95 b0977d,
    render d9d4c9 cbc5b8"""
_CARPETS = """carpet b4aca0, wool_carpet c4b9a6, berber c9bda8, berber_carpet c9bda8, plush_carpet b9b1a7,
    shag bdb3a4, loop_pile b3ab9f, fitted_carpet b4aca0, broadloom b4aca0, carpet_tile 85878a, wool c4b9a6,
    felt 8c8d8f"""
_SISALS = """sisal b89f74, jute b3935f, seagrass a59a68, sea_grass a59a68, coir 96703f, rush_matting ad9b68"""
_BRICKS = """brick 9d5a43, exposed_brick 9d5a43, red_brick 98503a, white_brick e2ded6, whitewashed_brick dad0c4,
    painted_brick e6e2da, london_stock b49a68, yellow_brick c0a066, gray_brick 8e8b87, black_brick 3a3937,
    brickwork 9d5a43, brick_slip 9d5a43, reclaimed_brick 9a5f49, thin_brick 9d5a43"""
_METALS = """stainless_steel b9bbbd, brushed_steel b4b6b8, steel b4b6b8, zinc 9aa0a4, brass bb9550, copper b87350,
    bronze 7d5f42, nickel b5b1a8, chrome c9cdd0, tin a9abaa, aluminium bfc1c3, aluminum bfc1c3, gold_leaf c9a24d"""
_PAINTS = """paint f1efe9, emulsion f1efe9, lacquer f1efe9, lacquered f1efe9, laminate_front f1efe9,
    melamine f0eeea, formica ecebe7, mdf eeece7, painted f1efe9, repaint f1efe9"""

MATERIALS: Mapping[str, DefaultFinish] = {
    **WOODS,
    **MARBLES,
    **GRANITES,
    **STONES,
    **_read_entries(_TILES, MaterialKind.CERAMIC, Pattern.TILES, TILE, 0.45),
    **_read_entries(_CONCRETES, MaterialKind.CONCRETE, Pattern.PLAIN, (1.0, 1.0), 0.2),
    **_read_entries(_PLASTERS, MaterialKind.PLASTER, Pattern.PLAIN, (1.0, 1.0), MATT),
    **_read_entries(_CARPETS, MaterialKind.CARPET, Pattern.PLAIN, (1.0, 1.0), 0.0),
    **_read_entries(_SISALS, MaterialKind.SISAL, Pattern.PLAIN, (1.0, 1.0), 0.0),
    **_read_entries(_BRICKS, MaterialKind.BRICK, Pattern.BOND, BRICK, 0.05),
    **_read_entries(_METALS, MaterialKind.METAL, Pattern.PLAIN, (1.0, 1.0), 0.6),
    **_read_entries(_PAINTS, MaterialKind.PAINT, Pattern.PLAIN, (1.0, 1.0), 0.12),
    "terrazzo": DefaultFinish(
        MaterialKind.TERRAZZO, parse_hex_color("dfdbd2"), parse_hex_color("8a7f74"), Pattern.PLAIN, (0.6, 0.6), 0.6
    ),
    "zellige": DefaultFinish(
        MaterialKind.CERAMIC, parse_hex_color("e4e1d8"), None, Pattern.TILES, ZELLIGE, POLISHED
    ),
    "zellige tile": DefaultFinish(
        MaterialKind.CERAMIC, parse_hex_color("e4e1d8"), None, Pattern.TILES, ZELLIGE, POLISHED
    ),
}
"""Materials by the words that name them."""
_OAK = parse_hex_color("b88e60")
GENERIC_MATERIALS: Mapping[str, DefaultFinish] = {
    "wood": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.18),
    "timber": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.18),
    "hardwood": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.25),
    "engineered wood": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.18),
    "parquet": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.HERRINGBONE, PARQUET, 0.25),
    "laminate": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.2),
    "vinyl": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.2),
    "lvt": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.2),
    "lvp": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.2),
    "butcher block": DefaultFinish(
        MaterialKind.WOOD, parse_hex_color("b98a55"), None, Pattern.PLANKS, (0.9, 0.045), 0.2
    ),
    "veneer": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLAIN, (1.0, 1.0), 0.18),
    "wooden": DefaultFinish(MaterialKind.WOOD, _OAK, None, Pattern.PLANKS, PLANK, 0.18),
    "porcelain": DefaultFinish(MaterialKind.CERAMIC, parse_hex_color("dcd9d3"), None, Pattern.TILES, TILE, 0.45),
}
"""Words that name only a kind of material, each with the usual finish of that kind."""

LAYINGS: Mapping[str, tuple[Pattern, tuple[float, float] | None]] = {
    "plank": (Pattern.PLANKS, None),
    "board": (Pattern.PLANKS, None),
    "floorboard": (Pattern.PLANKS, None),
    "strip": (Pattern.PLANKS, (0.9, 0.07)),
    "herringbone": (Pattern.HERRINGBONE, PARQUET),
    "herring bone": (Pattern.HERRINGBONE, PARQUET),
    "chevron": (Pattern.CHEVRON, PARQUET),
    "hungarian point": (Pattern.CHEVRON, PARQUET),
    "tile": (Pattern.TILES, None),
    "tiled": (Pattern.TILES, None),
    "tiling": (Pattern.TILES, None),
    "subway": (Pattern.BOND, SUBWAY),
    "subway tile": (Pattern.BOND, SUBWAY),
    "metro": (Pattern.BOND, SUBWAY),
    "metro tile": (Pattern.BOND, SUBWAY),
    "brick bond": (Pattern.BOND, None),
    "running bond": (Pattern.BOND, None),
    "stack bond": (Pattern.TILES, SUBWAY),
    "stacked": (Pattern.TILES, SUBWAY),
    "hexagon": (Pattern.HEX, HEXAGON),
    "hexagonal": (Pattern.HEX, HEXAGON),
    "hex": (Pattern.HEX, HEXAGON),
    "honeycomb": (Pattern.HEX, HEXAGON),
    "penny": (Pattern.HEX, PENNY),
    "penny tile": (Pattern.HEX, PENNY),
    "mosaic": (Pattern.TILES, MOSAIC),
    "checkerboard": (Pattern.CHECKER, (0.3, 0.3)),
    "checkered": (Pattern.CHECKER, (0.3, 0.3)),
    "chequered": (Pattern.CHECKER, (0.3, 0.3)),
    "chequerboard": (Pattern.CHECKER, (0.3, 0.3)),
    "checker": (Pattern.CHECKER, (0.3, 0.3)),
    "slab": (Pattern.PLAIN, None),
    "seamless": (Pattern.PLAIN, None),
    "poured": (Pattern.PLAIN, None),
    "panelling": (Pattern.PANELS, (0.6, 0.6)),
    "paneling": (Pattern.PANELS, (0.6, 0.6)),
    "wainscoting": (Pattern.PANELS, (0.6, 0.6)),
    "wainscot": (Pattern.PANELS, (0.6, 0.6)),
    "board and batten": (Pattern.PANELS, (0.4, 0.6)),
    "shiplap": (Pattern.PANELS, (9.0, 0.15)),
    "tongue and groove": (Pattern.PANELS, (0.1, 9.0)),
    "beadboard": (Pattern.PANELS, (0.06, 9.0)),
}
