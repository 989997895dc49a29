"""Words that name no material: surfaces, tones, gloss, small talk, and common words of other languages."""

from collections.abc import Mapping

from engine.types.enhancements import ChangeType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SURFACES: Mapping[str, ChangeType] = {
    **dict.fromkeys(("floor", "flooring", "ground"), ChangeType.FLOOR),
    **dict.fromkeys(("wall", "accent wall", "feature wall"), ChangeType.WALLS),
    **dict.fromkeys(
        ("cabinet", "cabinetry", "cupboard", "unit", "kitchen front", "vanity", "wardrobe", "drawer"),
        ChangeType.CABINETS,
    ),
    **dict.fromkeys(
        ("countertop", "counter", "worktop", "worksurface", "benchtop", "bench top", "counter top", "work top"),
        ChangeType.COUNTERTOPS,
    ),
    **dict.fromkeys(("backsplash", "splashback", "back splash", "splash back"), ChangeType.BACKSPLASH),
    **dict.fromkeys(
        ("tap", "faucet", "sink", "basin", "shower", "bath", "bathtub", "toilet", "fixture"), ChangeType.FIXTURES
    ),
    **dict.fromkeys(
        ("lamp", "light fitting", "lighting", "chandelier", "pendant", "downlight", "spotlight", "sconce"),
        ChangeType.LIGHTING,
    ),
    **dict.fromkeys(
        ("appliance", "oven", "fridge", "refrigerator", "dishwasher", "hob", "stove", "cooker", "range", "hood"),
        ChangeType.APPLIANCES,
    ),
    **dict.fromkeys(("facade", "roof", "siding", "driveway", "fence", "exterior", "deck"), ChangeType.EXTERIOR),
}

DETAIL_WORDS = _words(
    """handle knob pull hardware trim skirting baseboard border edge edging moulding molding cornice ceiling door
    hinge frame leg fitting accent accents rug curtain window inlay"""
)
"""Things that stay as they are: a clause with one of these words is not about the surface."""
GROUT_WORDS = frozenset(("grout", "grouting", "joint", "seam"))
"""Words for joints: a color before one of them is the color of the joints."""
VEIN_WORDS = frozenset(("vein", "veining", "chip", "speck", "speckle", "fleck", "veined", "aggregate"))
"""Words for veins and chips: a color before one of them is the second color of the surface."""
SHAPE_WORDS = frozenset(
    ("shaker", "handleless", "raised-panel", "flat-panel", "inset", "beaded", "j-pull", "slab-front")
)
"""Words for shapes of cabinet fronts; fronts keep their shape."""

TONES: Mapping[str, tuple[float, float, float]] = {
    "light": (0.4, 0.8, 0.0),
    "lighter": (0.4, 0.8, 0.0),
    "pale": (0.45, 0.8, 0.0),
    "bright": (0.2, 1.15, 0.0),
    "soft": (0.12, 0.85, 0.0),
    "bleached": (0.5, 0.65, 0.0),
    "whitewashed": (0.55, 0.5, 0.0),
    "white-washed": (0.55, 0.5, 0.0),
    "limed": (0.5, 0.5, 0.0),
    "blonde": (0.35, 1.0, 0.1),
    "dark": (-0.45, 1.0, 0.0),
    "darker": (-0.45, 1.0, 0.0),
    "deep": (-0.35, 1.15, 0.0),
    "rich": (-0.2, 1.15, 0.05),
    "smoked": (-0.45, 0.8, 0.0),
    "fumed": (-0.45, 0.8, 0.0),
    "stained": (-0.2, 1.0, 0.0),
    "weathered": (0.05, 0.5, -0.05),
    "rustic": (-0.1, 1.0, 0.0),
    "aged": (-0.1, 0.9, 0.0),
    "muted": (0.0, 0.65, 0.0),
    "warm": (0.0, 1.05, 0.2),
    "warmer": (0.0, 1.05, 0.2),
    "honey": (0.0, 1.15, 0.2),
    "cool": (0.0, 0.95, -0.2),
    "cooler": (0.0, 0.95, -0.2),
    "cold": (0.0, 0.95, -0.25),
    "greyed": (0.0, 0.5, 0.0),
    "grayed": (0.0, 0.5, 0.0),
    "natural": (0.0, 1.0, 0.0),
    "medium": (0.0, 1.0, 0.0),
    "mid": (0.0, 1.0, 0.0),
}
"""By tone: change of lightness (below 0: darker), factor on colorfulness, change of warmth (below 0: cooler)."""

GLOSSES: Mapping[str, float] = {
    **dict.fromkeys(("matt", "matte", "flat", "dead flat", "chalky", "unglazed", "honed", "oiled"), 0.06),
    **dict.fromkeys(("eggshell finish", "satin", "silk", "semi matt", "brushed", "waxed", "lacquered"), 0.3),
    **dict.fromkeys(("gloss", "glossy", "semi gloss", "glazed", "shiny", "varnished", "high gloss"), 0.7),
    **dict.fromkeys(("polished", "mirror", "high polish"), 0.9),
}
"""Gloss of a surface, 0-1, by word."""
WIDTHS: Mapping[str, float] = {
    **dict.fromkeys(("wide", "broad", "wide plank", "extra wide"), 1.6),
    **dict.fromkeys(("narrow", "thin", "slim"), 0.55),
    **dict.fromkeys(("large", "large format", "big", "oversized", "xl"), 1.6),
    **dict.fromkeys(("small", "little", "mini"), 0.5),
}
"""Factor on the width of a piece, by word; the length is never made shorter than 0.8 times."""

SMALL_TALK = _words(
    """a an the and or with of in to into for on by at as is are be it its this that these all new please make made
    want would like we i my our your style styled modern contemporary classic traditional scandinavian industrial
    farmhouse elegant luxury luxurious nice nicer beautiful pretty better best good great lovely fresh clean simple
    minimal minimalist cosy cozy timeless look looking looks feel effect finish finished colour color tone toned
    tones shade throughout whole entire room
    kitchen bathroom bedroom living hall hallway house home install installed
    replace replaced change changed lay laid cover put use using add have get give very really quite more less
    some real genuine solid engineered quality high low end premium inspired design designer pattern patterned
    material surface from same matching match grain grained texture textured straight long short up update
    upgrade upgraded refresh renovate renovated renovation remodel redo improve improved fancy front fronts
    top tops also only just so too but not no without instead than can could should must need area areas behind
    under over above below between around across each every one two piece pieces size sized square rectangular
    inch inches cm mm metre meter wide x format plain full height length half
    resistant waterproof grade eco sustainable vintage retro coastal country rustic"""
)
"""Common English words that name no finish."""
PRAISE = _words(
    """nice nicer beautiful pretty better best good great lovely fresh modern contemporary elegant luxury luxurious
    upgrade upgraded refresh improve improved fancy update renovate renovation remodel new cosy cozy stylish clean
    attractive"""
)
"""Words that ask for something better without naming a material or color."""
FOREIGN = _words(
    """der die das und mit aus ein eine einen fuer für von neue neuer neues boden wand wände waende holz eiche
    nussbaum     weiß weiss grau schwarz hell dunkel fliesen küche kueche schrank schränke fronten
    le la les un une des du de et avec pour sol mur murs bois chêne chene noyer blanc blanche gris noir clair sombre
    carrelage parquet cuisine couleur peinture marbre
    el los las una con para suelo pared paredes madera roble nogal blanco blanca gris negro claro oscuro azulejos
    color cocina mármol marmol
    il lo gli uno della con per pavimento parete pareti legno rovere noce bianco bianca grigio nero chiaro scuro
    piastrelle cucina marmo
    o os as um uma com para piso parede madeira carvalho branco cinza preto escuro
    het een en met vloer muur muren hout eiken wit grijs zwart licht donker tegels keuken
    podłoga ściana ściany drewno dąb biały szary czarny płytki kuchnia golv vägg ek vit"""
)
"""Common words of other languages."""
