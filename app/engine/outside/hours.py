"""The hours of the day as skies: what `with_sky` puts over a photo."""

from app.engine.outside.clouds import Mood

DAY = Mood(
    zenith=(64, 116, 186),
    middle=(116, 164, 216),
    horizon=(200, 220, 236),
    cloud_lit=(252, 252, 252),
    cloud_shade=(190, 200, 214),
    glow=(236, 240, 242),
    cover=0.42,
    glow_strength=0.35,
)
GOLDEN = Mood(
    zenith=(92, 128, 178),
    middle=(166, 178, 196),
    horizon=(252, 206, 140),
    cloud_lit=(255, 222, 178),
    cloud_shade=(176, 152, 158),
    glow=(255, 214, 138),
    cover=0.40,
    glow_strength=0.65,
)
DUSK = Mood(
    zenith=(18, 32, 78),
    middle=(44, 66, 126),
    horizon=(196, 142, 124),
    cloud_lit=(150, 112, 132),
    cloud_shade=(40, 48, 88),
    glow=(240, 170, 112),
    cover=0.34,
    glow_strength=0.45,
)
