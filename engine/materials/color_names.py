"""Names of colors in common use, and numbers of the RAL chart, with their sRGB colors."""

from collections.abc import Mapping

from engine.materials.finish import Color, parse_hex_color

_NAMES = """
white f4f3ef, pure white f7f7f5, bright white f7f7f5, warm white f3eee3, soft white f2efe7, cool white eff2f3,
off white efebe0, ivory f1ead6, cream eee3c8, eggshell ece5d3, alabaster eeeae1,
chalk ebe7dc, snow f3f5f5, pearl e9e4da, bone e3dac9, linen e9dfce, oatmeal d9cdb8, vanilla f0e2bd, milk f0ece1,
magnolia eee4d4, buttermilk f1e3b4, porcelain white edebe6, parchment e6dabd, ecru d8cba8, champagne e7d5b3,
black 1d1d1f, jet black 131314, ebony 2a2523, onyx 232426, charcoal 42454a, anthracite 383e42, graphite 4a4d50,
gunmetal 4b5359, slate gray 66707a, lead 5c6166, iron 52524f, ash gray b2b3ad, smoke a7a8a6, pewter 8b8d8b,
gray 959694, mid gray 8d8f8e, light gray cdcdca, pale gray d5d6d3, warm gray a49e95, cool gray 92979c,
silver c0c3c6, dove gray b7b4ae, pebble bab4a8, stone gray a8a196,
fog cfd1d0, mist d3d7d6, cement 9a9892, elephant 7d7772, steel gray 717980, pigeon 95978f, platinum d6d5d1,
greige c4b9a8, taupe 9c8d7e, mushroom b5a596, beige d8c7a9, sand d4bf97, camel b98d56, tan c6a176, khaki a99b74,
fawn c2a27a,
biscuit ddc6a0, almond e3d2ba, putty c7b99e, clay b38b6d, mocha 7d6453, latte c7a98a, cappuccino a98a70,
coffee 5d4636, espresso 3c2c24, chocolate 4d3226, brown 74543c, chestnut 7b4630, cinnamon 9e5b34, caramel ac7040,
cocoa 6a4a3c, umber 635147, sienna 9f5a3a, tobacco 76583a, nutmeg 7f5b43, toffee 91623a, hazel 8e6f48,
red a8302c, brick red 984637, crimson 961f34, scarlet bb2d25, cherry red 8f1d2b, burgundy 621c2c, maroon 65222a,
bordeaux 5d1f2b, wine 652737, oxblood 5a1f20, ruby 8e1b3c, rust a4532f, copper red a65b3f, terracotta bd6b4d,
coral e0806c,
salmon e39b86, peach f0c3a2, apricot efb27f, blush e7c6bd, pink e4aeb3, dusty pink cfa3a0, rose d08d93,
dusty rose bf8d8b, hot pink d6498a, fuchsia b23278, magenta a22c71, raspberry 962c50, mauve a58a9b, plum 5c3350,
aubergine 402738, eggplant 41283a, purple 684583, violet 6c5291, lavender b7aed0, lilac c3aecb, amethyst 8b6aa5,
indigo 38406f, orange d9762b, burnt orange b85a26, tangerine e3823a, amber d39a3c, pumpkin cb6d2c,
light blue a9c6dd, light green b9d0b0, light pink efc9cc, light purple b9a6cb,
yellow e8c547, light yellow f2e2a0, pale yellow efe2a4, lemon efdc74, mustard c4962f, ochre bf8d3c, gold c5a04b,
saffron e0a52e,
straw dcc37a, honey d6a04c, sunflower e9b832, butter f0dd9d, primrose eddf98,
green 5d8158, sage green a3ad93, sage a3ad93, olive green 727646, olive 727646, moss green 737d4c, moss 737d4c,
forest green 2f4a38, hunter green 35513c, bottle green 1f4033, racing green 1c3f2f, british racing green 1c3f2f,
emerald 1f7a55, emerald green 1f7a55, mint b8d8c4, mint green b8d8c4, pistachio bccc9c, lime b0c34a,
lime green b0c34a, apple green 8fb255, fern 65855a, jade 4f957b, seafoam b2d3c5,
eucalyptus 8fa595, pine green 35564a,
celadon b0c4ae, avocado 7a8143, khaki green 8a8562, pea green 8d9a57, leaf green 5b8a49, basil 5a6c49,
dark green 2c4434, teal 2b6a6c, dark teal 1e4b4f, petrol 1f5361, petrol blue 1f5361, turquoise 53aaa8, aqua 8fcdcb,
cyan 57b3c4, duck egg c1d2cc, duck egg blue bfd3d1, peacock 1f6571, ocean 3c7089, blue 3f6fa3, sky blue a7c8e0,
baby blue bcd4e4, powder blue b9cbd8, pale blue c6d6e0, ice blue d4e2e8, denim 4a6583, steel blue 5b7b95,
slate blue 64748a, cornflower 7592c4, cobalt 24499b, royal blue 2b4c9b, sapphire 1e3f7d, navy 232f4b,
navy blue 232f4b, midnight 1c2438, midnight blue 1c2438, ink 222a3c, prussian blue 1d3a55, french blue 5d7fa5,
dusty blue 8ba0b1, hague blue 2f4049, electric blue 2a68c8, airforce blue 5f7f94, cerulean 4686ad, periwinkle 9aa4d2
"""

_RAL = """
1001 d0b084, 1013 e3d9c6, 1014 ddc49a, 1015 e6d2b5, 1018 fac842, 1019 a48f7a, 1021 eeb500, 1023 f0b400, 1032 e2a300,
2000 d97604, 2004 e75b12, 2008 ee6b2c, 3000 a72920, 3001 9b2423, 3002 9b2321, 3003 861a22, 3004 6b1c23, 3005 59191f,
3007 3e2022, 3009 6d342d, 3011 792423, 3012 c6846d, 3013 972e25, 3015 d8a0a6, 3016 a63d30, 3020 bb1f11, 4005 76689a,
5000 314f6f, 5001 0f4c64, 5002 00387b, 5003 1f3855, 5004 191e28, 5005 005387, 5007 376b8c, 5008 2b3a44, 5009 215f78,
5010 004f7c, 5011 1a2b3c, 5012 0089b6, 5013 193153, 5014 637d96, 5015 007caf, 5017 005b8c, 5018 048b8c, 5019 005e83,
5020 00414b, 5021 007577, 5022 222d5a, 5023 42698c, 5024 6093ac, 6000 3c7460, 6001 366735, 6002 325928, 6003 50533c,
6004 024442, 6005 114232, 6006 3c392e, 6007 2c3222, 6009 27352a, 6011 6c7c59, 6012 303d3a, 6013 7d765a, 6019 b7d9b1,
6020 37422f, 6021 8a9977, 6027 7ebab5, 6028 315442, 6033 46877f, 6034 7aacac, 7000 7a888e, 7001 8c979c, 7002 817863,
7003 797669, 7004 9a9b9b, 7005 6b6e6b, 7006 766a5e, 7009 575d57, 7010 575d54, 7011 555d61, 7012 596163, 7013 555548,
7015 51565c, 7016 373f43, 7021 2e3234, 7022 4b4d46, 7023 818479, 7024 474a50, 7026 374447, 7030 939388, 7031 5b686d,
7032 b5b0a1, 7033 818979, 7034 92886f, 7035 c5c7c4, 7036 979392, 7037 7a7b7a, 7038 b0b0a9, 7039 6b665e, 7040 989ea1,
7042 8e9291, 7043 4f5250, 7044 b7b3a8, 7045 8d9295, 7046 7e868a, 7047 c8c8c7, 8001 9d622b, 8002 794d3e, 8003 7e4b27,
8004 8d4931, 8007 6f4a2f, 8011 5a3826, 8012 66332b, 8014 4a3526, 8015 5e2f26, 8016 4c2b20, 8017 442f29, 8019 3d3635,
8022 1a1719, 8023 a45729, 8025 755847, 8028 513a2a, 9001 e9e0d2, 9002 d7d5cb, 9003 ecece7, 9004 2b2b2c, 9005 0e0e10,
9006 a1a1a0, 9007 878581, 9010 f1ece1, 9011 27292b, 9016 f1f0ea, 9017 2a292a, 9018 c8cbc4
"""


def _read_entries(text: str) -> Mapping[str, Color]:
    entries = (entry.strip().rsplit(" ", 1) for entry in text.replace("\n", " ").split(",") if entry.strip())
    return {name.strip(): parse_hex_color(code) for name, code in entries}


COLORS: Mapping[str, Color] = _read_entries(_NAMES)
"""Colors by name: in lower case, with the spelling `gray`."""
RAL: Mapping[str, Color] = _read_entries(_RAL)
"""Colors by their number in the RAL Classic chart."""
